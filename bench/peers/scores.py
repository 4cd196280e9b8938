"""Scores of random communities on a large graph: hycome, igraph and NetworKit."""

from __future__ import annotations

from pathlib import Path

from benchmark import Benchmark, Measurements, run_in_turns
from loading import lines_file
from session import Session
from summary import Part, compare
from table import Column, table

SCORES = ("conductance", "modularity", "nmi")


def scores(session: Session) -> Part:
    """Table of each score."""
    lines, path = lines_file(session)
    peers = session.peers
    benchmarks = [
        Benchmark("hycome", lambda: hycome(session, path)),
        Benchmark("hycome, one thread", lambda: hycome(session, path, "--threads", 1)),
        Benchmark(peers.label("igraph"), lambda: other(session, "igraph", path)),
        Benchmark(peers.label("networkit"), lambda: other(session, "networkit", path)),
    ]
    results = run_in_turns("scores", benchmarks, session.repetitions)
    text = (
        f"## Scores\n\n100 communities of {lines // 10:,} nodes, pseudorandom, on the graph of the edge list. hycome uses all "
        "cores unless stated otherwise. igraph has no conductance; NetworKit computes it for one community at a time.\n\n"
    )
    comparisons = []
    for score in SCORES:
        text += table(results, [Column(f"{score}, wall s", score)], ratio_of=score) + "\n"
        for peer in ("igraph", "networkit"):
            if score != "conductance" or peer == "networkit":
                what = f"{score}, {lines // 10:,} nodes"
                comparisons.append(compare(what, results, peers.label(peer), score, "s"))
    return Part(text, comparisons)


def hycome(session: Session, path: Path, *more: object) -> Measurements:
    """Scores of hycome."""
    measured, _ = session.single("scores", path, *more)
    return {score: measured[score]["wall"] for score in SCORES}


def other(session: Session, peer: str, path: Path) -> Measurements:
    """Scores that igraph or NetworKit has."""
    measured, _ = session.worker(peer, f"{peer}_graph.py", "scores", path)
    return {score: measured[score]["wall"] for score in SCORES if score in measured}
