//! Differences of a reproduction from the experiments of the paper, for its report.

use hycome::TrainConfig;

use crate::protocol::SEARCH_SEED;
use crate::{Protocol, ReproductionPlan};

/// Differences that every reproduction has.
const ALWAYS: [&str; 7] = [
    "The learning rate decays linearly to a hundredth, and points have single precision; the paper has double precision and \
     mentions no decay. It does not print the number of epochs after the warm-up.",
    "EM starts from micro-clusters merged by Ward's method, and a step of the community loss is implicit: it never overshoots a \
     community. The paper has K-means and explicit steps.",
    "Scales and barycenters are solved for exactly; the paper uses a grid of scales and a fixed step size. The optimum is the \
     same.",
    "Logistic regression runs to convergence with an L2 penalty of 0.1; the paper mentions none.",
    "H-SVM is fitted to our embedding; the paper copies the figures of Cho et al., who have another embedding.",
    "H-kNN is not in the paper: it has no verdict and is never among the best.",
    "ComE is our implementation of the baseline of the paper. It is compared with the paper's figures of ComE, which says how \
     good our baseline is, not how good the method is, so it is counted apart.",
];

/// The differences of a plan with these common settings, one sentence or more each.
pub(crate) fn differences(plan: &ReproductionPlan, settings: &TrainConfig) -> Vec<String> {
    let mut found: Vec<String> = additions(settings).into_iter().map(str::to_owned).collect();
    match plan.protocol {
        Protocol::Default => {
            found.push(
                "Logistic regression of graphs with one class per node is multinomial (softmax); the paper's is \
                 one-vs-rest. Graphs with several classes per node have one-vs-rest here, too."
                    .to_owned(),
            );
            found.push(
                "No hyperparameter is selected per graph; the paper selects them from a grid by conductance. But our defaults \
                 are rules of the number of communities, nodes and degrees that were fitted on the graphs of these tables, so \
                 these figures are not those of unseen graphs."
                    .to_owned(),
            );
        }
        Protocol::Paper => {
            let candidates = if plan.quick {
                "two candidates instead of the paper's grid"
            } else {
                "the paper's grid, with learning rates 0.01, 0.001 and 0.0001 for its interval [0.0001, 0.01]"
            };
            found.push(format!(
                "Hyperparameters are selected by conductance from {candidates}. The search has one training per candidate, with \
                 the seed {SEARCH_SEED}, which is not among those reported; the paper does not print how it validates."
            ));
            found.push(
                "ComE is searched over the grid that the paper prints for it, with our number of epochs."
                    .to_owned(),
            );
        }
    }
    found.extend(ALWAYS.map(str::to_owned));
    found
}

/// What hycome adds to the method of the paper under these settings.
fn additions(settings: &TrainConfig) -> Vec<&'static str> {
    let additions = [
        (
            settings.pretrain_dim != Some(0),
            "Pre-training: an embedding in two or three dimensions starts from one in more dimensions, whose communities it \
             takes over. The paper trains in two dimensions from the start (`--pretrain-dim 0`).",
        ),
        (
            settings.restarts != Some(1),
            "Restarts: small graphs are trained from several random starts, and the one with the lowest conductance is kept, \
             which is itself a score of table 2. The paper has one start (`--restarts 1`).",
        ),
        (
            settings.scale_shrinkage != Some(0.0),
            "Shrinkage: the scales of the communities are shrunk towards a common scale. The paper has maximum likelihood \
             (`--scale-shrinkage 0`).",
        ),
        (
            settings.curvature != Some(1.0),
            "Curvature: the ball has a curvature that depends on the number of communities. The paper has 1 (`--curvature 1`).",
        ),
        (
            settings.warmup_epochs != 10,
            "Warm-up: fewer than the 10 epochs of the paper have first- and second-order steps only (`--warmup-epochs 10`).",
        ),
    ];
    additions.into_iter().filter_map(|(is_added, words)| is_added.then_some(words)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::HYPERBOLIC;

    fn differences_of(protocol: Protocol) -> String {
        let plan = ReproductionPlan { protocol, ..ReproductionPlan::default() };
        differences(&plan, &plan.config(&HYPERBOLIC, "", 2).unwrap()).join("\n")
    }

    #[test]
    fn additions_are_named_for_the_defaults_and_absent_from_the_paper_protocol() {
        let (default, paper) = (differences_of(Protocol::Default), differences_of(Protocol::Paper));
        for flag in ["--pretrain-dim 0", "--restarts 1", "--scale-shrinkage 0", "--curvature 1", "softmax"] {
            assert!(default.contains(flag), "{flag}");
            assert!(!paper.contains(flag), "{flag}");
        }
    }

    #[test]
    fn settings_decide_which_additions_are_named() {
        let settings = TrainConfig { restarts: Some(1), ..TrainConfig::default() };
        let found = additions(&settings).join("\n");
        assert!(!found.contains("Restarts") && found.contains("Curvature"));
    }
}
