"""Random walks: ours and ensmallen's, on DBLP and on a graph that no cache holds."""

from __future__ import annotations

from pathlib import Path

from contest import Contestant, Numbers, compete
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
    """The tables of both graphs."""
    nodes = 100_000 if session.quick else 1_000_000
    large = session.graph(
        f"lfr-{nodes}.hyg",
        *f"lfr --nodes {nodes} --average-degree 20 --max-degree 200 --max-community 1000".split(),
    )
    large_edges = session.file(f"lfr-{nodes}.edges", "edges", "--graph", large)
    text = (
        f"## Walks\n\nWalks of {LENGTH} nodes, which are kept, one thread, without loading; the best of {REPEATS} in each "
        "process. Steps per second are those of the processor's time.\n\n"
    )
    comparisons = []
    peer = session.peers.label("ensmallen")
    for name, graph, edges, count, goal in (
        ("DBLP", session.dblp, dblp(session), 10, 3.0),
        (f"LFR, {nodes:,} nodes", ("--graph", str(large)), large_edges, 1, None),
    ):
        contestants = [
            Contestant("hycome", lambda: ours(session, graph, count)),
            Contestant(peer, lambda: ensmallen(session, edges, count)),
        ]
        results = compete(f"walks, {name}", contestants, session.repetitions)
        text += f"{name}, {count} walks from each node:\n\n" + table(results, COLUMNS, ratio_of="ns") + "\n"
        comparisons.append(compare(f"walks, {name}", results, peer, "ns", "ns per step", goal=goal))
    return Part(text, comparisons)


def ours(session: Session, graph: tuple[str, ...], count: int) -> Numbers:
    """Our walker."""
    work = f"--threads 1 --walks {count} --walk-length {LENGTH} --repeats {REPEATS}".split()
    measured, _ = session.once("walks", *graph, *work)
    return per_step(seconds(measured, "walking"), measured["steps"], measured["peak_memory"])


def ensmallen(session: Session, edges: Path, count: int) -> Numbers:
    """`complete_walks` of ensmallen."""
    measured, outcome = session.worker("ensmallen", "ensmallen_walks.py", edges, count, LENGTH, REPEATS)
    return per_step(seconds(measured, "walking"), measured["steps"], outcome.peak)


def per_step(took: Numbers, steps: int, peak: int) -> Numbers:
    """What is shown of it."""
    return {**took, "rate": steps / took["cpu"], "ns": 1e9 * took["cpu"] / steps, "peak": peak}
