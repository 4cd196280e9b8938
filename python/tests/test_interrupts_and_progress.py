"""Interruption, progress, logging and threads."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from conftest import QUICK

import hycome

LONG = {"walks": 200, "epochs": 100_000, "restarts": 1, "progress": False}


def run_in_process(program: str) -> subprocess.Popen:
    command = [sys.executable, "-c", textwrap.dedent(program)]
    here = Path(__file__).parent  # not the source folder, which lacks the extension module
    return subprocess.Popen(command, cwd=here, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_ctrl_c_raises_interrupted_with_the_run_so_far() -> None:
    process = run_in_process("""
        import hycome, time
        started = lambda progress: print("started", flush=True) if progress.epoch == 4 else None
        try:
            for _ in range(3):
                hycome.embed("karate", walks=200, epochs=100_000, restarts=1, progress=started)
        except KeyboardInterrupt as interrupted:
            assert type(interrupted) is hycome.Interrupted
            run = interrupted.run
            assert run is interrupted.run
        assert run.interrupted and 1 < len(run.history) < 100_000
        print("nmi", run.metrics().nmi)
    """)
    assert process.stdout.readline() == "started\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (0, "")
    assert float(out.rpartition("nmi ")[2]) > 0.2


def test_interrupted_run_is_returned_on_request() -> None:
    process = run_in_process("""
        import hycome, warnings
        warnings.simplefilter("always")
        started = lambda progress: print("started", flush=True) if progress.epoch == 4 else None
        run = hycome.embed("karate", walks=200, epochs=100_000, restarts=1, progress=started, on_interrupt="return")
        assert run.interrupted and run.seconds["total"] > 0
    """)
    assert process.stdout.readline() == "started\n"
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 0, err
    assert "interrupted in epoch" in err
    with pytest.raises(ValueError, match="`on_interrupt` must be one of 'raise', 'return', but is 'ignore'"):
        hycome.embed("karate", on_interrupt="ignore")  # type: ignore[arg-type]


#: Long calls. `logistic` took 27 s on a busy machine, so its time limit below is a weak test on a fast one.
LONG_CALLS = {
    "embed": "hycome.embed('polblogs', walks=1000, walk_length=1000, restarts=1, progress=False)",
    "estimator": "cross_val_score(make_pipeline(CommunityEmbedding(graph='polblogs', walks=1000),"
    " LogisticRegression()), nodes, labels)",
    "mixture": "PoincareGaussianMixture(200, max_iter=10**6, tol=0).fit(points)",
    "kmeans": "PoincareKMeans(300, max_iter=10**6, n_init=10**4).fit(points)",
    "logistic": "HyperbolicLogisticRegression(regularization=0).fit(points, classes)",
    "svm": "HyperbolicSVC(regularization=0).fit(points, classes)",
    "cross_validate": "hycome.metrics.cross_validate(points[:20_000], classes[:20_000], method='knn', runs=1000)",
    "pairwise": "hycome.manifold.pairwise_distance(points[:10_000], points)",
    "hyperbolic": "hycome.generate.hyperbolic(3_000_000)",
    "sbm": "hycome.generate.sbm([100_000], 0.06, 0)",
    "lfr": "hycome.generate.lfr(3_000_000)",
    "score": "hycome.metrics.precision_at_1(classes_a, classes_b)",
}

#: Calls that do not poll for signals: the exception is raised at once, and the work is abandoned.
ABANDONED_CALLS = {
    "figure": "plot.to_figure('png', size=(6000, 6000), scale=2)",
    "barycenter": "hycome.manifold.barycenter(np.tile(points, (60, 1)))",
}


@pytest.fixture(scope="module")
def interrupted() -> dict[str, str]:
    """Seconds from Ctrl-C to the exception, and from there until the process is idle, for each call."""
    process = run_in_process(f"""
        import signal, threading, time, warnings
        import numpy as np
        import hycome
        from hycome.estimators import *
        from sklearn.linear_model import LogisticRegression
        from sklearn.model_selection import cross_val_score
        from sklearn.pipeline import make_pipeline
        warnings.simplefilter("ignore")
        generator = np.random.default_rng(1)
        points = 0.6 * generator.random((200_000, 2))
        classes = generator.integers(0, 40, len(points))
        classes_a, classes_b = generator.integers(0, 3000, (2, len(points)))
        graph = hycome.datasets.load("polblogs")
        nodes, labels = np.asarray(graph.nodes), graph.labels
        plot = hycome.embed("karate", walks=1, warmup_epochs=1, epochs=1, restarts=1, progress=False).plot()

        def interrupt():
            global pressed
            pressed = time.monotonic()
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

        for name, call in {{**{LONG_CALLS}, **{ABANDONED_CALLS}}}.items():
            alarm = threading.Timer(1, interrupt)
            try:
                alarm.start()
                eval(call)
                alarm.cancel()
                print(name, "ended by itself", flush=True)
            except KeyboardInterrupt:
                raised, worked = time.monotonic(), -1
                while time.process_time() - worked > 0.02:
                    worked = time.process_time()
                    time.sleep(0.25)
                print(name, raised - pressed, time.monotonic() - raised, flush=True)
    """)
    out, err = process.communicate(timeout=600)
    assert err == ""
    return dict(line.split(" ", 1) for line in out.splitlines())


@pytest.mark.parametrize("name", LONG_CALLS)
def test_ctrl_c_stops_long_calls(name: str, interrupted: dict[str, str]) -> None:
    raised, working = map(float, interrupted[name].split())
    assert raised < 5  # less than a second on an idle machine
    assert working < 20, "the work should stop soon after the exception"


@pytest.mark.parametrize("name", ABANDONED_CALLS)
def test_ctrl_c_abandons_calls_that_do_not_poll(name: str, interrupted: dict[str, str]) -> None:
    raised, _ = map(float, interrupted[name].split())
    assert raised < 5


INTERRUPTED = """
    import hycome, os, signal, sys, warnings
    warnings.simplefilter("ignore")
    settings = dict(walks=20, epochs=30, restarts=2, threads=2)
    interrupt = lambda progress: os.kill(os.getpid(), signal.SIGINT) if progress.done > 0.3 else None
"""


def test_resumed_run_is_bit_identical() -> None:
    process = run_in_process(
        textwrap.dedent(INTERRUPTED)
        + textwrap.dedent("""
        left = hycome.embed("karate", **settings, progress=interrupt, on_interrupt="return")
        assert left.interrupted
        import pickle
        again = pickle.loads(pickle.dumps(left)).resume(progress=False)
        whole = hycome.embed("karate", **settings, progress=False)
        assert not again.interrupted and len(left.history) < len(again.history) == len(whole.history)
        assert again.embedding.tobytes() == whole.embedding.tobytes() != left.embedding.tobytes()
        assert again.mixture.means.tobytes() == whole.mixture.means.tobytes()
        assert again.layout.tobytes() == whole.layout.tobytes() and left.layout is None
        try:
            hycome.embed("karate", **settings, progress=interrupt)
        except hycome.Interrupted as stopped:
            assert pickle.loads(pickle.dumps(stopped)).resume().embedding.tobytes() == whole.embedding.tobytes()
        try:
            whole.resume()
        except ValueError as error:
            print(error)
    """)
    )
    out, err = process.communicate(timeout=60)
    assert (err, out) == ("", "the training of this run was not interrupted, so there is nothing to resume\n")


def test_same_call_resumes_from_the_checkpoint_file(tmp_path: Path) -> None:
    kept = tmp_path / "karate.checkpoint"
    settings = {"walks": 20, "epochs": 30, "restarts": 2}
    process = run_in_process(f"""
        import hycome, os, signal
        kill = lambda progress: os.kill(os.getpid(), signal.SIGKILL) if progress.done > 0.5 else None
        hycome.embed("karate", **{settings}, checkpoint={str(kept)!r}, checkpoint_minutes=1e-4, progress=kill)
    """)
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL
    assert kept.exists()
    with pytest.raises(ValueError, match="with other settings; use the same settings or another checkpoint file"):
        hycome.embed("karate", **{**settings, "seed": 2}, checkpoint=kept, progress=False)
    reports = []
    again = hycome.embed("karate", **settings, checkpoint=kept, progress=reports.append)
    assert reports[0].done > 0.2
    assert not kept.exists()
    assert again.embedding.tobytes() == hycome.embed("karate", **settings, progress=False).embedding.tobytes()


def test_failed_checkpoint_write_causes_a_warning(tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere" / "kept"
    with pytest.warns(RuntimeWarning, match="the checkpoint: .*nowhere"):
        run = hycome.embed("karate", walks=1, restarts=1, checkpoint=nowhere, checkpoint_minutes=0, progress=False)
    assert not run.interrupted


def test_exception_in_the_callback_stops_training() -> None:
    def callback(progress: object) -> None:
        raise LookupError("enough")

    start = time.monotonic()
    with pytest.raises(LookupError, match="enough"):
        hycome.embed("karate", **{**LONG, "progress": callback})
    assert time.monotonic() - start < 30


def test_training_releases_the_gil() -> None:
    steps, done = 0, threading.Event()

    def train() -> None:
        hycome.embed("polblogs", **{**QUICK, "walks": 8})
        done.set()

    worker = threading.Thread(target=train)
    worker.start()
    while not done.is_set():
        steps += 1
        time.sleep(0.001)
    worker.join()
    assert steps > 20


def test_progress_is_monotonic() -> None:
    reports = []
    hycome.embed("karate", walks=20, epochs=6, restarts=1, progress=reports.append)
    assert reports
    assert [report.done for report in reports] == sorted(report.done for report in reports)
    assert all(0 <= report.done <= 1 and 1 <= report.epoch <= report.epochs for report in reports)
    assert reports[-1].pairs > reports[0].pairs or len(reports) == 1


def test_progress_bar_is_hidden_without_a_terminal(capfd: pytest.CaptureFixture) -> None:
    hycome.embed("karate", walks=1, restarts=1, progress=None)
    assert capfd.readouterr().err == ""
    hycome.embed("karate", walks=20, epochs=8, restarts=1, progress=True)
    assert "hycome:" in capfd.readouterr().err


def test_no_progress_bar_without_tqdm() -> None:
    process = run_in_process("""
        import sys
        sys.modules["tqdm"] = sys.modules["tqdm.auto"] = None
        import hycome
        hycome.embed("karate", walks=1, restarts=1, communities=2)
        try:
            hycome.embed("karate", walks=1, restarts=1, progress=True)
        except ImportError as error:
            print(error)
    """)
    out, err = process.communicate(timeout=30)
    assert (err, out) == ("", "a progress bar needs tqdm; install it with: pip install tqdm\n")


def test_header_line_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "friends.txt"
    path.write_text("ann bob x\nbob cat 2\n")
    with caplog.at_level(logging.INFO, logger="hycome"):
        assert hycome.as_graph(path).edge_count == 1
    assert [record.getMessage() for record in caplog.records] == [
        'friends: the first line was taken for a header: "ann bob x"'
    ]


def test_training_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, logger="hycome"):
        hycome.embed("karate", **{**QUICK, "walks": 20})
    messages = [record.getMessage() for record in caplog.records]
    assert messages[0].startswith("training <Graph karate: 34 nodes, 78 edges, 2 classes>, seed 1")
    assert messages[-1].startswith("trained ")
    assert " in 32 dimensions" in messages[-1]


def test_optional_packages_are_imported_lazily() -> None:
    process = run_in_process("""
        import sys, hycome
        hycome.embed("karate", walks=1, restarts=1, progress=False).metrics()
        heavy = {"sklearn", "pandas", "polars", "pyarrow", "networkx", "igraph", "scipy", "matplotlib"}
        print(sorted(heavy & set(sys.modules)))
    """)
    out, err = process.communicate(timeout=30)
    assert (err, out) == ("", "[]\n")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="requires fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_forked_process_can_train() -> None:
    hycome.embed("karate", **QUICK)
    with multiprocessing.get_context("fork").Pool(1) as pool:
        points = pool.apply_async(_points).get(timeout=60)
    np.testing.assert_array_equal(points, _points())


def _points() -> np.ndarray:
    return hycome.embed("karate", **QUICK).embedding


@pytest.mark.parametrize("threads", [-1, 0, 4097, 2**70])
def test_thread_count_has_the_limits_of_the_command_line(threads: int) -> None:
    with pytest.raises(ValueError, match=f"`threads` must be a whole number from 1 to 4096, but is {threads}"):
        hycome.embed("karate", threads=threads)
