"""EM iteration: hycome and geomstats."""

from __future__ import annotations

from benchmark import Benchmark, Measurements, run_in_turns
from session import Session, seconds
from summary import Part, compare
from table import Column, table

POINTS, DIM = 13_184, 10
COLUMNS = [
    Column("iteration, cpu ms", "cpu", 1e3),
    Column("iteration, wall ms", "wall", 1e3),
    Column("peak memory, MB", "peak", 1e-6),
]


def em(session: Session) -> Part:
    """Tables for both numbers of components."""
    text = (
        f"## EM\n\nOne iteration on {POINTS:,} points in {DIM} dimensions, barycenters included, one thread. Both start from "
        "the same means. hycome: mean of ten iterations after a warm-up of three, minimum of three runs. geomstats: one "
        "iteration from scale 0.5, the smallest in its table.\n\n"
    )
    comparisons = []
    peer = session.peers.label("geomstats")
    for communities in (5,) if session.quick else (5, 40):
        benchmarks = [
            Benchmark("hycome", lambda: hycome(session, communities)),
            # An iteration takes half a minute with 40 components.
            Benchmark(peer, lambda: geomstats(session, communities), single_run=communities > 5),
        ]
        results = run_in_turns(f"EM, K = {communities}", benchmarks, session.repetitions)
        text += f"K = {communities}:\n\n" + table(results, COLUMNS, ratio_of="cpu") + "\n"
        comparisons.append(compare(f"EM iteration, K = {communities}", results, peer, "cpu", "ms", 1e3))
    return Part(text, comparisons)


def hycome(session: Session, communities: int) -> Measurements:
    """EM of hycome."""
    measured, _ = session.single("em", "--communities", communities, "--threads", 1)
    return {**seconds(measured, "iteration"), "peak": measured["peak_memory"]}


def geomstats(session: Session, communities: int) -> Measurements:
    """`RiemannianEM` of geomstats."""
    points = session.file(f"points-{communities}.f64", "points", "--communities", communities)
    measured, outcome = session.worker("geomstats", "geomstats_em.py", points, POINTS, DIM, communities)
    return {**seconds(measured, "iteration"), "peak": outcome.peak}
