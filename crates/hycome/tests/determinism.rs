//! The same seed gives the same bytes, on any number of threads.

use std::ops::ControlFlow;

use hycome::geometry::Geometry;
use hycome::graph::NodeNames;
use hycome::rng::{Purpose, stream};
use hycome::{Graph, Run, TrainConfig, Trainer};

/// Communities of 100 nodes, sparse between and denser within: large enough for several blocks.
fn planted(nodes: u32) -> Graph {
    let mut rng = stream(1, Purpose::Generate, 0, 0);
    let mut edges = Vec::new();
    for node in 0..nodes {
        for _ in 0..4 {
            edges.push((node, node / 100 * 100 + rng.below(100)));
        }
        edges.push((node, rng.below(nodes)));
    }
    Graph::from_edges(edges)
}

fn train(graph: &Graph, threads: usize, config: TrainConfig) -> Run {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool can be built");
    pool.install(|| {
        let mut trainer = Trainer::new(graph, config).expect("the settings are sound");
        trainer.train(&mut |_| ControlFlow::Continue(())).expect("training succeeds");
        trainer.into_run(NodeNames::numbered(0, graph.node_count()))
    })
}

#[test]
fn result_does_not_depend_on_threads() {
    let graph = planted(1600);
    for dim in [2, 10] {
        let config = TrainConfig {
            dim,
            communities: Some(4),
            walks: 1,
            walk_length: 20,
            warmup_epochs: 3,
            epochs: 1,
            ..TrainConfig::default()
        };
        let one = train(&graph, 1, config.clone());
        assert!(one.pairs() > 50_000, "there was something to train");
        assert_eq!(one.history[0].dim, 10, "two dimensions are guided by ten");
        for threads in [2, 3] {
            assert_eq!(one, train(&graph, threads, config.clone()), "dim {dim}, {threads} threads");
        }
    }
}

#[test]
fn flat_results_do_not_depend_on_threads() {
    let graph = planted(1600);
    for geometry in [Geometry::Come, Geometry::Euclidean] {
        let config = TrainConfig {
            dim: 5,
            geometry,
            communities: Some(4),
            walks: 1,
            walk_length: 20,
            warmup_epochs: 1,
            epochs: 2,
            ..TrainConfig::default()
        };
        let one = train(&graph, 1, config.clone());
        assert!(one.pairs() > 50_000 && one.dropped_steps() == 0, "there was something to train");
        for threads in [2, 3] {
            assert_eq!(one, train(&graph, threads, config.clone()), "{geometry:?}, {threads} threads");
        }
    }
}

#[test]
fn the_best_of_several_starts_does_not_depend_on_threads() {
    let graph = planted(400);
    let config = TrainConfig {
        communities: Some(4),
        starts: Some(3),
        walks: 1,
        walk_length: 20,
        warmup_epochs: 1,
        epochs: 1,
        ..TrainConfig::default()
    };
    let one = train(&graph, 1, config.clone());
    assert_eq!(one.starts.len(), 3);
    for threads in [2, 3] {
        assert_eq!(one, train(&graph, threads, config.clone()), "{threads} threads");
    }
}

#[test]
fn another_seed_gives_another_result() {
    let graph = planted(600);
    let config = |seed| TrainConfig {
        communities: Some(6),
        walks: 1,
        warmup_epochs: 1,
        epochs: 0,
        seed,
        ..TrainConfig::default()
    };
    assert_ne!(train(&graph, 1, config(1)).nodes, train(&graph, 1, config(2)).nodes);
}
