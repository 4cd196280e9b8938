"""Second-order training on DBLP: hycome, node2vec-rs and gensim with the same number of walks, and the hand-tuned kernel.

Each time is divided by the pair updates of the same program. A window of random reach b, uniform from 1 to w, has
b·L − b(b+1)/2 pairs in each direction of a walk of L nodes; hycome skips pairs of a node with itself, the others do not.
"""

from __future__ import annotations

import re
from pathlib import Path

from benchmark import Benchmark, Measurements, run_in_turns
from kernel import KERNEL, kernel
from process import Failed, run
from session import ONE_THREAD, Session, seconds
from summary import Part, compare
from table import Column, table

NODES = 13_184
LENGTH, WINDOW, NEGATIVES = 80, 5, 5
DIMS = (2, 10, 128)
COLUMNS = [
    Column("ns per pair update", "ns"),
    Column("training, cpu s", "cpu"),
    Column("training, wall s", "wall"),
    Column("whole program, cpu s", "program"),
    Column("peak memory, MB", "peak", 1e-6),
]


def training(session: Session) -> Part:
    """Tables of all dimensions."""
    walks = 1 if session.quick else 10
    text = (
        f"## Second-order training\n\nDBLP, {walks} walks of {LENGTH} nodes per node, window {WINDOW}, {NEGATIVES} negatives "
        "per pair, one epoch, one thread. The time per pair update is CPU time. For hycome it includes walks, "
        "partitioning and negative sampling; node2vec-rs generates walks before training and gensim reads them from a file, "
        "which count in the whole program only. hycome and node2vec-rs report wall time, which is scaled by the CPU share of "
        "the training or the program. The hand-tuned kernel is only the arithmetic, on random rows, minimum of seven runs; "
        "without AVX-512, each of its vectors is emulated by two AVX2 vectors (`avx2.h`).\n\n"
    )
    comparisons = []
    for dim in DIMS:
        results = run_in_turns(f"training, dim {dim}", benchmarks(session, dim, walks), session.repetitions)
        text += f"Dim {dim}:\n\n" + table(results, COLUMNS, ratio_of="ns") + "\n"
        targets = {"node2vec-rs": 2.5, "gensim": 6.0} if dim <= 10 else {}
        for peer in ("node2vec-rs", "gensim"):
            label = session.peers.label(peer)
            comparisons.append(
                compare(f"training, dim {dim}", results, label, "ns", "ns per pair", target=targets.get(peer))
            )
        if dim <= 10:
            # At most 1.5 times the time of the kernel.
            kernel = compare(f"training, dim {dim}", results, KERNEL, "ns", "ns per pair", target=round(1 / 1.5, 2))
            comparisons.append(kernel)
    return Part(text, comparisons)


def benchmarks(session: Session, dim: int, walks: int) -> list[Benchmark]:
    """Benchmarks at this dimension."""
    peers = session.peers
    chosen = [
        Benchmark("hycome", lambda: hycome(session, dim, walks)),
        Benchmark(peers.label("node2vec-rs"), lambda: node2vec(session, "node2vec-rs", dim, walks)),
        Benchmark(peers.label("gensim"), lambda: gensim(session, dim, walks)),
    ]
    if dim <= 10:
        chosen.append(Benchmark(KERNEL, lambda: kernel(session, dim), single_run=True))
    return chosen


def hycome(session: Session, dim: int, walks: int) -> Measurements:
    """One second-order epoch, and a final fit of one component."""
    work = f"--walks {walks} --walk-length {LENGTH} --window {WINDOW} --negatives {NEGATIVES} --dim {dim}".split()
    epochs = "--communities 1 --warmup-epochs 1 --epochs 0 --threads 1".split()
    measured, outcome = session.single("training", *session.dblp, *work, *epochs)
    whole, wall = measured["training"], measured["second_order"]
    cpu = wall * min(1.0, whole["cpu"] / whole["wall"])
    ns = 1e9 * cpu / measured["pairs"]
    return {"wall": wall, "cpu": cpu, "ns": ns, "program": outcome.cpu, "peak": measured["peak_memory"]}


def node2vec(session: Session, peer: str, dim: int, walks: int) -> Measurements:
    """Command of node2vec-rs."""
    program, edges = session.peers.program(peer), comma_separated(dblp(session))
    options = {
        "input": edges,
        "output": session.files / peer,
        "embedding-dim": dim,
        "walks-per-node": walks,
        "walk-length": LENGTH,
        "window-size": WINDOW,
        "num-negatives": NEGATIVES,
        "num-workers": 1,
        "num-epochs": 1,
        "sample": 0,
    }
    words = [word for key, value in options.items() for word in (f"--{key}", str(value))]
    outcome = run([program, *words], ONE_THREAD)
    wall = training_seconds(outcome.output)
    cpu = wall * min(1.0, outcome.cpu / outcome.wall)
    updates = (1 + NEGATIVES) * positives(NODES * walks)
    return {"wall": wall, "cpu": cpu, "ns": 1e9 * cpu / updates, "program": outcome.cpu, "peak": outcome.peak}


def gensim(session: Session, dim: int, walks: int) -> Measurements:
    """Word2Vec of gensim on a file of walks."""
    work = f"--walks {walks} --walk-length {LENGTH}".split()
    corpus = session.file(f"dblp-{walks}.walks", "corpus", *session.dblp, *work)
    measured, outcome = session.worker("gensim", "gensim_training.py", corpus, dim, WINDOW, NEGATIVES)
    took = seconds(measured, "training")
    updates = (1 + NEGATIVES) * positives(NODES * walks)
    return {**took, "ns": 1e9 * took["cpu"] / updates, "program": outcome.cpu, "peak": outcome.peak}


def dblp(session: Session) -> Path:
    """DBLP as an edge list."""
    return session.file("dblp.edges", "edges", *session.dblp)


def comma_separated(edges: Path) -> Path:
    """Edge list in the format of node2vec-rs."""
    path = edges.with_suffix(".csv")
    if not path.exists():
        lines = (",".join(line.split()) + ",1" for line in edges.read_text().splitlines())
        path.write_text("from,to,weight\n" + "\n".join(lines) + "\n")
    return path


def positives(walks: int, length: int = LENGTH, window: int = WINDOW) -> float:
    """Expected number of positive pairs."""
    reaches = range(1, window + 1)
    one_way = sum(reach * length - reach * (reach + 1) / 2 for reach in reaches) / window
    return walks * 2 * one_way


def training_seconds(output: str) -> float:
    """Parses the training time of node2vec-rs."""
    found = re.search(r"Training complete in ([\d.]+)s", output)
    if not found:
        raise Failed("no training time in its output")
    return float(found.group(1))
