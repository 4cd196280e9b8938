"""Scores of random communities on a large graph: ours, igraph's and NetworKit's."""

from __future__ import annotations

from pathlib import Path

from contest import Contestant, Numbers, compete
from loading import lines_file
from session import Session
from summary import Part, compare
from table import Column, table

SCORES = ("conductance", "modularity", "nmi")


def scores(session: Session) -> Part:
    """The table of each score."""
    lines, path = lines_file(session)
    peers = session.peers
    contestants = [
        Contestant("hycome", lambda: ours(session, path)),
        Contestant("hycome, one thread", lambda: ours(session, path, "--threads", 1)),
        Contestant(peers.label("igraph"), lambda: theirs(session, "igraph", path)),
        Contestant(peers.label("networkit"), lambda: theirs(session, "networkit", path)),
    ]
    results = compete("scores", contestants, session.repetitions)
    text = (
        f"## Scores\n\n100 communities of {lines // 10:,} nodes, as good as drawn, on the graph of the edge list. Ours takes all "
        "cores unless it says otherwise. igraph has no conductance; NetworKit's is computed one community at a time.\n\n"
    )
    comparisons = []
    for score in SCORES:
        text += table(results, [Column(f"{score}, wall s", score)], ratio_of=score) + "\n"
        for peer in ("igraph", "networkit"):
            if score != "conductance" or peer == "networkit":
                what = f"{score}, {lines // 10:,} nodes"
                comparisons.append(compare(what, results, peers.label(peer), score, "s"))
    return Part(text, comparisons)


def ours(session: Session, path: Path, *more: object) -> Numbers:
    """Our scores."""
    measured, _ = session.once("scores", path, *more)
    return {score: measured[score]["wall"] for score in SCORES}


def theirs(session: Session, peer: str, path: Path) -> Numbers:
    """Those of a peer, as far as it has them."""
    measured, _ = session.worker(peer, f"{peer}_graph.py", "scores", path)
    return {score: measured[score]["wall"] for score in SCORES if score in measured}
