//! Embeds the karate club and prints where everybody went: `cargo run --release -p hycome --example embed_karate`.

use hycome::{TrainConfig, Trainer, datasets, metrics};

fn main() -> hycome::Result<()> {
    let club = datasets::builtin("karate").expect("karate is built in");
    let karate = club.load();

    let config = TrainConfig { communities: Some(2), ..TrainConfig::default() };
    let trainer = Trainer::new(&karate.graph, config)?.with_names(karate.names);
    // `Trainer::train` takes a progress callback, which can stop the training.
    let run = trainer.train_to_end()?.run;

    let responsibilities = run.responsibilities()?;
    let communities = responsibilities.communities();
    let probabilities = responsibilities.probabilities();
    println!("member  community  probability  point");
    for (node, name) in run.names.iter().enumerate() {
        let (community, probability) = (communities[node], probabilities[node]);
        println!("{name:>6}  {community:>9}  {probability:>11.3}  {:+.3?}", run.nodes.row(node));
    }

    let truth = club.truth();
    let scores = metrics::score(&karate.graph, &communities, run.mixture.len(), Some(truth.view()));
    println!("\nconductance {:.3}, modularity {:.3}", scores.conductance, scores.modularity);
    if let (Some(nmi), Some(precision)) = (scores.nmi, scores.precision_at_1) {
        println!("against the clubs after the split: NMI {nmi:.3}, precision {precision:.3}");
    }
    Ok(())
}
