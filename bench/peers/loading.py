"""Loading a graph: ours, igraph and NetworKit from the same edge list, and ours from a graph file."""

from __future__ import annotations

from pathlib import Path

from contest import Contestant, Numbers, compete
from session import Session, seconds
from summary import Part, compare
from table import Column, table

COLUMNS = [
    Column("wall s", "wall"),
    Column("cpu s", "cpu"),
    Column("ns per line", "ns"),
    Column("peak memory, MB", "peak", 1e-6),
]


def lines_file(session: Session) -> tuple[int, Path]:
    """Random pairs, ten lines for each node."""
    lines = 1_000_000 if session.quick else 10_000_000
    return lines, session.file(f"lines-{lines}.txt", "lines", "--lines", lines)


def loading(session: Session) -> Part:
    """The table."""
    lines, path = lines_file(session)
    cache = session.file(f"lines-{lines}.hyg", "graph", "--graph", path)
    peers = session.peers
    contestants = [
        Contestant("hycome", lambda: ours(session, path, lines)),
        Contestant("hycome, one thread", lambda: ours(session, path, lines, "--threads", 1)),
        Contestant("hycome, graph file", lambda: ours(session, cache, lines)),
        Contestant(peers.label("igraph"), lambda: theirs(session, "igraph", path, lines)),
        Contestant(peers.label("networkit"), lambda: theirs(session, "networkit", path, lines)),
    ]
    results = compete("loading", contestants, session.repetitions)
    text = (
        f"## Loading\n\nAn edge list of {lines:,} lines between {lines // 10:,} numbered nodes, from the system's cache. Ours takes "
        "all cores unless it says otherwise, the others have readers of one thread. igraph keeps repeated edges and loops, "
        "which the others look for.\n\n" + table(results, COLUMNS, ratio_of="wall") + "\n"
    )
    return Part(
        text,
        [
            compare(f"loading {lines:,} lines", results, peers.label(peer), "wall", "s", goal=5.0)
            for peer in ("igraph", "networkit")
        ],
    )


def ours(session: Session, path: Path, lines: int, *more: object) -> Numbers:
    """Our reader."""
    measured, _ = session.once("load", path, *more)
    took = seconds(measured, "load")
    return {**took, "ns": 1e9 * took["wall"] / lines, "peak": measured["peak_memory"]}


def theirs(session: Session, peer: str, path: Path, lines: int) -> Numbers:
    """A reader in Python's clothes."""
    measured, outcome = session.worker(peer, f"{peer}_graph.py", "load", path)
    took = seconds(measured, "load")
    return {**took, "ns": 1e9 * took["wall"] / lines, "peak": outcome.peak}
