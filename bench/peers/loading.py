"""Loading: hycome, igraph and NetworKit from the same edge list, and hycome from a graph file."""

from __future__ import annotations

from pathlib import Path

from benchmark import Benchmark, Measurements, run_in_turns
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
    """Edge list of random pairs, ten lines per node."""
    lines = 1_000_000 if session.quick else 10_000_000
    return lines, session.file(f"lines-{lines}.txt", "lines", "--lines", lines)


def loading(session: Session) -> Part:
    """Table of loading times."""
    lines, path = lines_file(session)
    cache = session.file(f"lines-{lines}.hyg", "graph", "--graph", path)
    peers = session.peers
    benchmarks = [
        Benchmark("hycome", lambda: hycome(session, path, lines)),
        Benchmark("hycome, one thread", lambda: hycome(session, path, lines, "--threads", 1)),
        Benchmark("hycome, graph file", lambda: hycome(session, cache, lines)),
        Benchmark(peers.label("igraph"), lambda: other(session, "igraph", path, lines)),
        Benchmark(peers.label("networkit"), lambda: other(session, "networkit", path, lines)),
    ]
    results = run_in_turns("loading", benchmarks, session.repetitions)
    text = (
        f"## Loading\n\nAn edge list of {lines:,} lines between {lines // 10:,} numbered nodes, in the page cache. hycome uses "
        "all cores unless stated otherwise, the others one thread. igraph keeps repeated edges and self-loops, which the "
        "others detect.\n\n" + table(results, COLUMNS, ratio_of="wall") + "\n"
    )
    return Part(
        text,
        [
            compare(f"loading {lines:,} lines", results, peers.label(peer), "wall", "s", target=5.0)
            for peer in ("igraph", "networkit")
        ],
    )


def hycome(session: Session, path: Path, lines: int, *more: object) -> Measurements:
    """Reader of hycome."""
    measured, _ = session.single("load", path, *more)
    took = seconds(measured, "load")
    return {**took, "ns": 1e9 * took["wall"] / lines, "peak": measured["peak_memory"]}


def other(session: Session, peer: str, path: Path, lines: int) -> Measurements:
    """Reader of igraph or NetworKit."""
    measured, outcome = session.worker(peer, f"{peer}_graph.py", "load", path)
    took = seconds(measured, "load")
    return {**took, "ns": 1e9 * took["wall"] / lines, "peak": outcome.peak}
