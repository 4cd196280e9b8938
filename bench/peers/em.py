"""An EM iteration on the same points: ours and geomstats'."""

from __future__ import annotations

from contest import Contestant, Numbers, compete
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
    """The tables of both numbers of components."""
    text = (
        f"## EM\n\nOne iteration on {POINTS:,} points in {DIM} dimensions, barycenters included, one thread. Both start from "
        "the same means; ours is the mean over ten iterations, the best of three, after three. geomstats starts from scale "
        "0.5, the smallest that it tabulates, and makes one iteration.\n\n"
    )
    comparisons = []
    peer = session.peers.label("geomstats")
    for communities in (5,) if session.quick else (5, 40):
        contestants = [
            Contestant("hycome", lambda: ours(session, communities)),
            # Half a minute for an iteration at 40.
            Contestant(peer, lambda: geomstats(session, communities), once=communities > 5),
        ]
        results = compete(f"EM, K = {communities}", contestants, session.repetitions)
        text += f"K = {communities}:\n\n" + table(results, COLUMNS, ratio_of="cpu") + "\n"
        comparisons.append(compare(f"EM iteration, K = {communities}", results, peer, "cpu", "ms", 1e3))
    return Part(text, comparisons)


def ours(session: Session, communities: int) -> Numbers:
    """Our EM."""
    measured, _ = session.once("em", "--communities", communities, "--threads", 1)
    return {**seconds(measured, "iteration"), "peak": measured["peak_memory"]}


def geomstats(session: Session, communities: int) -> Numbers:
    """`RiemannianEM` of geomstats."""
    points = session.file(f"points-{communities}.f64", "points", "--communities", communities)
    measured, outcome = session.worker("geomstats", "geomstats_em.py", points, POINTS, DIM, communities)
    return {**seconds(measured, "iteration"), "peak": outcome.peak}
