//! A training that was left and taken up again ends as if it had never been left.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hycome::graph::NodeNames;
use hycome::io::checkpoint_file::{from_bytes, to_bytes};
use hycome::io::history_file;
use hycome::train::{Checkpoint, Checkpoints};
use hycome::{Graph, Run, TrainConfig, Trainer, datasets};

fn karate() -> Graph {
    datasets::builtin("karate").expect("it is built in").graph()
}

fn config(dim: usize, starts: usize) -> TrainConfig {
    TrainConfig {
        dim,
        starts: Some(starts),
        communities: Some(3),
        walks: 4,
        walk_length: 20,
        warmup_epochs: 3,
        epochs: 2,
        ..TrainConfig::default()
    }
}

/// Trains until `watch` has been asked `reports` times; the run and its film, or the last checkpoint.
fn train(mut trainer: Trainer, reports: usize) -> Result<(Run, Vec<u8>), Vec<u8>> {
    let kept: Arc<Mutex<Option<Vec<u8>>>> = Arc::default();
    let keep = {
        let kept = Arc::clone(&kept);
        Box::new(move |checkpoint: &Checkpoint| *kept.lock().unwrap() = Some(to_bytes(checkpoint, "here")))
    };
    trainer.keep_checkpoints(Checkpoints { time: Duration::MAX, epochs: None, keep });
    let mut left = reports;
    trainer
        .train(&mut |_| {
            left = left.saturating_sub(1);
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
        .expect("training succeeds");
    let kept = kept.lock().unwrap().take();
    match kept {
        Some(bytes) => Err(bytes),
        None => {
            let film = history_file::to_bytes(&trainer.take_snapshots(), &[]);
            Ok((trainer.into_run(NodeNames::numbered(0, 34)), film))
        }
    }
}

fn resumed(bytes: &[u8]) -> Trainer {
    let (checkpoint, origin) = from_bytes(bytes, Path::new("x")).expect("a checkpoint is read as written");
    assert_eq!(origin, "here");
    assert_eq!(to_bytes(&checkpoint, "here"), bytes, "what is read is what was written");
    Trainer::resume(&karate(), checkpoint).expect("it is the same graph")
}

fn ends_as_if_never_left(config: &TrainConfig) {
    let new = || {
        let mut trainer = Trainer::new(&karate(), config.clone()).unwrap();
        trainer.keep_snapshots();
        trainer
    };
    let mut times = 0;
    let whole = train(new(), usize::MAX).expect("it is not left");
    // Left once, after each report in turn.
    for reports in 1.. {
        let Err(bytes) = train(new(), reports) else { break };
        let again = train(resumed(&bytes), usize::MAX).expect("it is not left again");
        assert_eq!(again, whole, "left after {reports} reports");
        times += 1;
    }
    assert!(times >= 5, "there were moments to leave at: {times}");
    // Left after every report.
    let mut trainer = new();
    let end = loop {
        match train(trainer, 1) {
            Ok(run) => break run,
            Err(bytes) => trainer = resumed(&bytes),
        }
    };
    assert_eq!(end, whole, "left after every report");
}

#[test]
fn a_guided_training_ends_as_if_it_had_never_been_left() {
    ends_as_if_never_left(&config(2, 1));
}

#[test]
fn a_training_in_more_dimensions_ends_as_if_it_had_never_been_left() {
    ends_as_if_never_left(&config(5, 1));
}

#[test]
fn plain_order_ends_as_if_it_had_never_been_left() {
    ends_as_if_never_left(&TrainConfig { blocks: 0, ..config(5, 1) });
}

#[test]
fn several_starts_end_as_if_they_had_never_been_left() {
    let new = || Trainer::new(&karate(), config(2, 3)).unwrap();
    let whole = train(new(), usize::MAX).expect("it is not left");
    for reports in [1, 4, 9, 14] {
        let bytes = train(new(), reports).expect_err("it is left");
        assert_eq!(train(resumed(&bytes), usize::MAX).expect("it is not left"), whole, "{reports} reports");
    }
}

#[test]
fn checkpoints_on_the_way_lead_to_the_same_end() {
    let whole = train(Trainer::new(&karate(), config(2, 2)).unwrap(), usize::MAX).expect("it is not left");
    let kept: Arc<Mutex<Vec<Vec<u8>>>> = Arc::default();
    let mut trainer = Trainer::new(&karate(), config(2, 2)).unwrap();
    let keep = {
        let kept = Arc::clone(&kept);
        Box::new(move |checkpoint: &Checkpoint| kept.lock().unwrap().push(to_bytes(checkpoint, "here")))
    };
    trainer.keep_checkpoints(Checkpoints { time: Duration::MAX, epochs: Some(2), keep });
    trainer.train(&mut |_| ControlFlow::Continue(())).unwrap();
    let kept = std::mem::take(&mut *kept.lock().unwrap());
    assert!((2..=6).contains(&kept.len()), "every second epoch of two starts: {}", kept.len());
    for bytes in kept {
        assert_eq!(train(resumed(&bytes), usize::MAX).expect("it is not left"), whole);
    }
}

#[test]
fn a_changed_bit_anywhere_is_noticed() {
    let bytes = train(Trainer::new(&karate(), config(2, 1)).unwrap(), 3).expect_err("it is left");
    for at in (0..bytes.len()).step_by(7) {
        let mut changed = bytes.clone();
        changed[at] ^= 1 << (at % 8);
        assert!(from_bytes(&changed, Path::new("x")).is_err(), "byte {at} of {}", bytes.len());
    }
}

#[test]
fn another_graph_is_refused() {
    let bytes = train(Trainer::new(&karate(), config(2, 1)).unwrap(), 3).expect_err("it is left");
    let resume = |graph: &Graph| {
        let (checkpoint, _) = from_bytes(&bytes, Path::new("x")).unwrap();
        Trainer::resume(graph, checkpoint).unwrap_err().to_string()
    };
    let books = datasets::builtin("books").expect("it is built in").graph();
    assert_eq!(resume(&books), "the checkpoint does not fit a graph of 105 nodes and its own settings");
    let other = Graph::from_edges((0..34).map(|node| (node, (node + 1) % 34)));
    assert_eq!(resume(&other), "this is not the graph that the training began with");
}
