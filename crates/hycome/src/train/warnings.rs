//! Warnings about a training, for every front end.

use std::fmt;

use super::run::Run;

/// Fraction of skipped updates above which the learning rate is too high.
const MAX_SKIPPED_FRACTION: f64 = 1e-3;

/// Coordinates of Euclidean points beyond this have diverged; those of karate, for one, stay below four.
const MAX_COORDINATE: f64 = 1000.0;

/// Sign of a bad training result. Messages name settings in backticks.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum TrainWarning {
    /// Many updates were skipped because they would leave the ball.
    SkippedUpdates {
        /// Fraction of all updates, 0 to 1.
        fraction: f64,
    },
    /// Coordinates of Euclidean points have grown beyond any use.
    Diverged {
        /// Largest coordinate.
        largest: f64,
    },
    /// EM did not converge in the last fit.
    NotConverged {
        /// Iterations of the fit.
        iterations: usize,
    },
}

impl fmt::Display for TrainWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SkippedUpdates { fraction } => write!(
                f,
                "{:.1} % of the updates were skipped because they would leave the ball; lower `learning_rate`",
                100.0 * fraction
            ),
            Self::Diverged { largest } => {
                write!(f, "training diverged, coordinates have grown to {largest:.0}; lower `learning_rate`")
            }
            Self::NotConverged { iterations } => write!(
                f,
                "the last fit of the communities did not converge in {iterations} iterations; probabilities may still change"
            ),
        }
    }
}

impl Run {
    /// Warnings about the training.
    #[must_use]
    pub fn warnings(&self) -> Vec<TrainWarning> {
        let mut warnings = Vec::new();
        let fraction = self.dropped_steps() as f64 / self.pairs().max(1) as f64;
        if fraction > MAX_SKIPPED_FRACTION {
            warnings.push(TrainWarning::SkippedUpdates { fraction });
        }
        let largest = self.nodes.as_slice().iter().fold(0.0f64, |most, c| most.max(c.abs()));
        if largest > MAX_COORDINATE {
            warnings.push(TrainWarning::Diverged { largest });
        }
        let last = self.history.last().and_then(|epoch| epoch.mixture.as_ref());
        if let Some(mixture) = last.filter(|mixture| !mixture.converged) {
            warnings.push(TrainWarning::NotConverged { iterations: mixture.iterations });
        }
        warnings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mixture::GaussianMixture;
    use crate::train::{EpochReport, MixtureReport};
    use crate::{NodeNames, Points, TrainConfig};

    fn run(dropped_steps: u64, converged: bool, coordinate: f64) -> Run {
        let mixture = Some(MixtureReport { iterations: 100, converged, log_likelihood: 0.0 });
        let report =
            EpochReport { epoch: 1, dim: 2, learning_rate: 0.1, pairs: 1000, dropped_steps, mixture };
        Run {
            nodes: Points::new(2, vec![0.0, coordinate]),
            contexts: Points::zeros(1, 2),
            layout: None,
            mixture: GaussianMixture { weights: vec![1.0], means: Points::zeros(1, 2), scales: vec![1.0] }
                .into(),
            names: NodeNames::numbered(0, 1),
            config: TrainConfig::default(),
            history: vec![report],
            restarts: Vec::new(),
        }
    }

    #[test]
    fn skipped_updates_divergence_and_unconverged_fits_are_warned_about() {
        assert!(run(1, true, 0.5).warnings().is_empty());
        assert_eq!(run(25, true, 0.5).warnings(), [TrainWarning::SkippedUpdates { fraction: 0.025 }]);
        assert_eq!(run(0, true, -2000.0).warnings(), [TrainWarning::Diverged { largest: 2000.0 }]);
        assert_eq!(run(0, false, 0.5).warnings(), [TrainWarning::NotConverged { iterations: 100 }]);
        assert!(run(25, true, 0.5).warnings()[0].to_string().starts_with("2.5 % of the updates"));
    }
}
