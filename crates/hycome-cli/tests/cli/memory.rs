//! Memory estimates and limits.

use super::*;

/// Large enough that training needs more memory than the process itself.
fn graph(folder: &Path) {
    let args =
        ["generate", "power-law", "--nodes", "12000", "--average-degree", "10", "-o", "g.txt", "--quiet"];
    succeed(folder, args);
}

#[cfg(all(target_os = "linux", feature = "slow-tests"))]
#[test]
fn the_memory_estimate_is_within_a_fifth() {
    let here = folder();
    graph(here.path());
    for [dim, communities] in [["2", "2"], ["24", "2"], ["3", "40"]] {
        let mut args =
            vec!["embed", "g.txt", "-o", "run", "--json", "-q", "--walks", "2", "--walk-length", "20"];
        args.extend([
            "--warmup-epochs",
            "1",
            "--epochs",
            "0",
            "--threads",
            "2",
            "--dim",
            dim,
            "-k",
            communities,
        ]);
        let report = json(&succeed(here.path(), args));
        let expected = report["expected_memory_bytes"].as_f64().unwrap();
        let used = report["peak_memory_bytes"].as_f64().unwrap();
        let share = expected / used;
        assert!((0.8..=1.2).contains(&share), "dim {dim}, K {communities}: {expected} expected, {used} used");
    }
}

#[test]
fn training_above_max_memory_is_refused() {
    let here = folder();
    graph(here.path());
    let message = fail(1, here.path(), ["embed", "g.txt", "-k", "5", "-o", "run", "--max-memory", "1M"]);
    assert!(message.contains("error: training needs about "), "{message}");
    assert!(message.contains(" of memory, but --max-memory is 1.0 MB; lower --"), "{message}");
    assert_eq!(names(here.path()), ["g.txt"]);
    let message = fail(2, here.path(), ["embed", "g.txt", "-k", "5", "--max-memory", "much"]);
    assert!(message.contains("expected a size such as 500M or 2G"), "{message}");
    let mut args = vec!["embed", "karate", "-o", "run", "--max-memory", "4G", "-q"];
    args.extend(SHORT);
    succeed(here.path(), args);
}

#[cfg(all(target_os = "linux", feature = "slow-tests"))]
#[test]
fn training_beyond_available_memory_is_refused() {
    let here = folder();
    let nodes = 150_000;
    let edges: String = (1..nodes).map(|i| format!("{} {i}\n", i - 1)).collect();
    write(here.path(), "g.txt", &edges);
    let labels: String = (0..nodes).map(|i| format!("{i} id{i}\n")).collect();
    write(here.path(), "l.txt", &labels);
    let message = fail(1, here.path(), ["embed", "g.txt", "-k", "150000", "-o", "run"]);
    assert!(message.contains("error: training needs about "), "{message}");
    assert!(message.contains("GB of memory, but this machine has "), "{message}");
    assert!(message.contains("lower --communities"), "{message}");
    assert_eq!(names(here.path()), ["g.txt", "l.txt"]);
    // A column of ids given as labels by mistake is rejected even earlier.
    let message = fail(1, here.path(), ["embed", "g.txt", "--labels", "l.txt", "-o", "run"]);
    assert!(message.contains("150000 classes for 150000 nodes"), "{message}");
    write(here.path(), "grid.toml", "graph = \"g.txt\"\ncommunities = 150000\n");
    let message = fail(1, here.path(), ["sweep", "grid.toml"]);
    assert!(message.contains("training needs about "), "{message}");
}

#[cfg(all(target_os = "linux", feature = "slow-tests"))]
#[test]
fn refit_beyond_available_memory_is_rejected() {
    let here = folder();
    let nodes = 150_000;
    let edges: String = (1..nodes).map(|i| format!("{} {i}\n", i - 1)).collect();
    write(here.path(), "g.txt", &edges);
    let short =
        ["--walks", "1", "--walk-length", "2", "--warmup-epochs", "1", "--epochs", "0", "--restarts", "1"];
    succeed(
        here.path(),
        ["embed", "g.txt", "-k", "2", "-o", "run", "-q", "--no-plot"].into_iter().chain(short),
    );
    let message = fail(1, here.path(), ["communities", "run", "-k", "150000"]);
    assert!(message.contains("GB of memory, but this machine has "), "{message}");
    assert!(message.lines().count() == 1, "{message}");
}

#[cfg(target_os = "linux")]
#[test]
fn failure_to_start_threads_is_not_a_bug_report() {
    let here = folder();
    graph(here.path());
    // Enough for the program and the file, but not for the stack of another thread.
    for kilobytes in [60_000, 100_000, 140_000] {
        let line = format!("ulimit -v {kilobytes}; exec {} info g.txt", env!("CARGO_BIN_EXE_hycome"));
        let output = Command::new("sh").args(["-c", &line]).current_dir(here.path()).output().unwrap();
        assert!(!stderr(&output).contains("because of a bug"), "{kilobytes}: {}", stderr(&output));
    }
}

#[test]
fn the_memory_estimate_is_printed_unless_quiet() {
    let here = folder();
    let args = || ["embed", "karate", "-o", "run"].into_iter().chain(SHORT);
    let message = stderr(&run(here.path(), args()));
    assert!(message.contains("training needs about ") && message.contains("MB of memory"), "{message}");
    let message = stderr(&run(here.path(), args().chain(["--quiet"])));
    assert!(!message.contains("memory"), "{message}");
}
