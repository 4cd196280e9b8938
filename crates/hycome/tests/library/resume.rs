//! Resuming: a training that is interrupted and resumed gives the same bytes as one that is not.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hycome::geometry::Geometry;
use hycome::interrupt::Interrupt;
use hycome::io::checkpoint_file::{from_bytes, to_bytes};
use hycome::io::history_file;
use hycome::train::{Checkpoint, CheckpointPolicy, TrainOutcome};
use hycome::{Graph, Run, TrainConfig, Trainer, datasets};

fn karate() -> Graph {
    datasets::builtin("karate").expect("it is built in").graph()
}

fn config(dim: usize, restarts: usize) -> TrainConfig {
    TrainConfig {
        dim: Some(dim),
        restarts: Some(restarts),
        communities: Some(3),
        walks: Some(4),
        walk_length: 20,
        warmup_epochs: 3,
        epochs: 2,
        ..TrainConfig::default()
    }
}

/// Trains until the callback has been called `reports` times; returns the run and its snapshots, or the last checkpoint.
fn train(trainer: Trainer, reports: usize) -> Result<(Run, Vec<u8>), Vec<u8>> {
    let kept: Arc<Mutex<Option<Vec<u8>>>> = Arc::default();
    let save = {
        let kept = Arc::clone(&kept);
        Box::new(move |checkpoint: &Checkpoint| *kept.lock().unwrap() = Some(to_bytes(checkpoint, "here")))
    };
    let policy = CheckpointPolicy { interval: Duration::MAX, epochs: None, save };
    let mut left = reports;
    let outcome = trainer
        .with_checkpoints(policy)
        .train(&mut |_| {
            left = left.saturating_sub(1);
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
        .expect("training succeeds");
    let kept = kept.lock().unwrap().take();
    match outcome {
        TrainOutcome::Stopped(checkpoint) => {
            let bytes = kept.expect("an interrupted training makes a checkpoint");
            assert_eq!(to_bytes(&checkpoint, "here"), bytes, "both are of this moment");
            Err(bytes)
        }
        TrainOutcome::Finished(trained) => Ok((trained.run, history_file::to_bytes(&trained.snapshots, &[]))),
    }
}

/// Trains on one thread until its interrupt flag has been polled `polls` times.
fn train_until(trainer: Trainer, polls: u64) -> Result<(Run, Vec<u8>), Vec<u8>> {
    let interrupt = Interrupt::at_poll(polls);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1);
    let pool = pool.start_handler(move |_| interrupt.watch_on_this_thread()).build().unwrap();
    pool.install(|| train(trainer, usize::MAX))
}

fn resumed(bytes: &[u8]) -> Trainer {
    resumed_on(&karate(), bytes)
}

fn resumed_on(graph: &Graph, bytes: &[u8]) -> Trainer {
    let (checkpoint, origin) = from_bytes(bytes, Path::new("x")).expect("a checkpoint is read as written");
    assert_eq!(origin, "here");
    assert_eq!(to_bytes(&checkpoint, "here"), bytes, "what is read is what was written");
    Trainer::resume(graph, checkpoint).expect("it is the same graph")
}

fn ends_as_if_never_left(config: &TrainConfig) {
    let new = || Trainer::new(&karate(), config.clone()).unwrap().with_snapshots();
    let mut times = 0;
    let whole = train(new(), usize::MAX).expect("it is not interrupted");
    // Interrupted once, after each report in turn.
    for reports in 1.. {
        let Err(bytes) = train(new(), reports) else { break };
        let again = train(resumed(&bytes), usize::MAX).expect("it is not interrupted again");
        assert_eq!(again, whole, "left after {reports} reports");
        times += 1;
    }
    assert!(times >= 5, "there were moments to leave at: {times}");
    // Stopped at every second report: the first announces a step before it begins.
    let mut trainer = new();
    let end = loop {
        match train(trainer, 2) {
            Ok(run) => break run,
            Err(bytes) => trainer = resumed(&bytes),
        }
    };
    assert_eq!(end, whole, "stopped at every second report");
}

/// Interrupts a training at many polls of its interrupt flag, less often in later epochs, and resumes it.
fn ends_alike_wherever_it_is_interrupted(graph: &Graph, config: &TrainConfig) {
    let new = || {
        let mut trainer = Trainer::new(graph, config.clone()).unwrap();
        if !config.geometry.is_euclidean() {
            trainer = trainer.with_snapshots();
        }
        trainer
    };
    let whole = train_until(new(), u64::MAX).expect("it is not stopped");
    let (mut stops, mut polls) = (0, 1);
    while let Err(bytes) = train_until(new(), polls) {
        let again = train_until(resumed_on(graph, &bytes), u64::MAX).expect("it is not stopped again");
        assert!(again == whole, "stopped at poll {polls}");
        let unfinished = from_bytes(&bytes, Path::new("x")).unwrap().0.into_run();
        if polls > 1 {
            assert_eq!(
                unfinished.expect("an unfinished run can be used").names.len(),
                graph.node_count(),
                "poll {polls}"
            );
        }
        stops += 1;
        polls += 1 + polls / 2;
    }
    assert!(stops >= 10, "there were moments to stop at: {stops}");
    // Interrupted repeatedly, each time a little later, so that some progress is made.
    let (mut trainer, mut polls) = (new(), 100);
    let end = loop {
        match train_until(trainer, polls) {
            Ok(run) => break run,
            Err(bytes) => trainer = resumed_on(graph, &bytes),
        }
        polls += polls / 2;
    };
    assert!(end == whole, "stopped over and over");
}

#[test]
fn resuming_at_any_poll_gives_the_same_result() {
    ends_alike_wherever_it_is_interrupted(&karate(), &config(2, 1));
    ends_alike_wherever_it_is_interrupted(&karate(), &config(5, 1));
    ends_alike_wherever_it_is_interrupted(&karate(), &TrainConfig { blocks: 0, ..config(3, 1) });
}

#[test]
fn resuming_a_euclidean_training_gives_the_same_result() {
    for geometry in [Geometry::Come, Geometry::Euclidean] {
        let config = TrainConfig { geometry, ..config(4, 1) };
        ends_alike_wherever_it_is_interrupted(&karate(), &config);
    }
}

/// On a graph of several blocks a chunk of walks is stopped between its buckets.
#[test]
fn resuming_a_training_of_several_blocks_gives_the_same_result() {
    let ring = (0..1600u32).flat_map(|node| [1, 2, 7].map(|step| (node, (node + step) % 1600)));
    let graph = Graph::from_edges(ring);
    let config = TrainConfig {
        walks: Some(1),
        walk_length: 6,
        window: Some(2),
        warmup_epochs: 2,
        epochs: 0,
        communities: Some(1),
        ..config(4, 1)
    };
    ends_alike_wherever_it_is_interrupted(&graph, &config);
}

#[test]
fn resuming_a_pretrained_training_gives_the_same_result() {
    ends_as_if_never_left(&config(2, 1));
}

#[test]
fn resuming_in_more_dimensions_gives_the_same_result() {
    ends_as_if_never_left(&config(5, 1));
}

#[test]
fn resuming_sequential_sgd_gives_the_same_result() {
    ends_as_if_never_left(&TrainConfig { blocks: 0, ..config(5, 1) });
}

#[test]
fn resuming_several_restarts_gives_the_same_result() {
    let new = || Trainer::new(&karate(), config(2, 3)).unwrap();
    let whole = train(new(), usize::MAX).expect("it is not interrupted");
    for reports in [1, 4, 9, 14, 25] {
        let bytes = train(new(), reports).expect_err("it is left");
        assert_eq!(
            train(resumed(&bytes), usize::MAX).expect("it is not interrupted"),
            whole,
            "{reports} reports"
        );
    }
}

#[test]
fn every_periodic_checkpoint_resumes_to_the_same_result() {
    let whole =
        train(Trainer::new(&karate(), config(2, 2)).unwrap(), usize::MAX).expect("it is not interrupted");
    let kept: Arc<Mutex<Vec<Vec<u8>>>> = Arc::default();
    let trainer = Trainer::new(&karate(), config(2, 2)).unwrap();
    let save = {
        let kept = Arc::clone(&kept);
        Box::new(move |checkpoint: &Checkpoint| kept.lock().unwrap().push(to_bytes(checkpoint, "here")))
    };
    let policy = CheckpointPolicy { interval: Duration::MAX, epochs: Some(2), save };
    let _ = trainer.with_checkpoints(policy).train(&mut |_| ControlFlow::Continue(())).unwrap();
    let kept = std::mem::take(&mut *kept.lock().unwrap());
    assert!((2..=6).contains(&kept.len()), "every second epoch of two restarts: {}", kept.len());
    for bytes in kept {
        assert_eq!(train(resumed(&bytes), usize::MAX).expect("it is not interrupted"), whole);
    }
}

#[test]
fn a_changed_bit_is_detected() {
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
