"""Random walks: hycome and ensmallen, on DBLP and on a graph larger than the caches."""

from __future__ import annotations

from pathlib import Path

from benchmark import Benchmark, Measurements, run_in_turns
from session import Session, seconds
from summary import Part, compare
from table import Column, table
from training import dblp

LENGTH = 80
REPEATS = 3
COLUMNS = [
    Column("million steps per second", "rate", 1e-6),
    Column("ns per step", "ns"),
    Column("walking, cpu s", "cpu"),
    Column("walking, wall s", "wall"),
    Column("peak memory, MB", "peak", 1e-6),
]


def walks(session: Session) -> Part:
    """Tables of both graphs."""
    nodes = 100_000 if session.quick else 1_000_000
    large = session.graph(
        f"lfr-{nodes}.hyg",
        *f"lfr --nodes {nodes} --average-degree 20 --max-degree 200 --max-community 1000".split(),
    )
    large_edges = session.file(f"lfr-{nodes}.edges", "edges", "--graph", large)
    text = (
        f"## Walks\n\nWalks of {LENGTH} nodes, kept in memory, one thread, without loading; minimum of {REPEATS} runs in "
        "each process. Steps per second are per CPU second.\n\n"
    )
    comparisons = []
    peer = session.peers.label("ensmallen")
    for name, graph, edges, count, target in (
        ("DBLP", session.dblp, dblp(session), 10, 3.0),
        (f"LFR, {nodes:,} nodes", ("--graph", str(large)), large_edges, 1, None),
    ):
        benchmarks = [
            Benchmark("hycome", lambda: hycome(session, graph, count)),
            Benchmark(peer, lambda: ensmallen(session, edges, count)),
        ]
        results = run_in_turns(f"walks, {name}", benchmarks, session.repetitions)
        text += f"{name}, {count} walk{'s' if count > 1 else ''} per node:\n\n" + table(results, COLUMNS, ratio_of="ns") + "\n"
        comparisons.append(compare(f"walks, {name}", results, peer, "ns", "ns per step", target=target))
    return Part(text, comparisons)


def hycome(session: Session, graph: tuple[str, ...], count: int) -> Measurements:
    """Walker of hycome."""
    work = f"--threads 1 --walks {count} --walk-length {LENGTH} --repeats {REPEATS}".split()
    measured, _ = session.single("walks", *graph, *work)
    return per_step(seconds(measured, "walking"), measured["steps"], measured["peak_memory"])


def ensmallen(session: Session, edges: Path, count: int) -> Measurements:
    """`complete_walks` of ensmallen."""
    measured, outcome = session.worker("ensmallen", "ensmallen_walks.py", edges, count, LENGTH, REPEATS)
    return per_step(seconds(measured, "walking"), measured["steps"], outcome.peak)


def per_step(took: Measurements, steps: int, peak: int) -> Measurements:
    """Measurements per step."""
    return {**took, "rate": steps / took["cpu"], "ns": 1e9 * took["cpu"] / steps, "peak": peak}
