"""The table that comes first: how many times faster than each peer, and what was aimed at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Sequence

from contest import Result
from table import line, shown


@dataclass(frozen=True)
class Comparison:
    """Ours against a peer, as a ratio of theirs to ours; the goal is to reach at least that."""

    what: str
    peer: str
    ours: float
    theirs: float
    unit: str
    goal: float | None = None
    failure: str = ""

    def row(self) -> str:
        """The line of the table."""
        goal = "" if self.goal is None else f"≥ {self.goal:.3g} ×"
        if self.failure:
            return line([self.what, self.peer, "", self.failure, "", goal])
        ratio = self.theirs / self.ours
        mark = "" if self.goal is None else (" ✓" if ratio >= self.goal else " –")
        return line(
            [
                self.what,
                self.peer,
                f"{shown(self.ours)} {self.unit}",
                f"{shown(self.theirs)} {self.unit}",
                f"{shown(ratio)} ×",
                goal + mark,
            ]
        )


def compare(
    what: str, results: Sequence[Result], peer: str, key: str, unit: str, factor: float = 1.0, goal: float | None = None
) -> Comparison:
    """The comparison of the first result, ours, with the peer's."""
    ours, theirs = results[0], next(result for result in results if result.name == peer)
    failure = ours.failure or theirs.failure
    if failure:
        return Comparison(what, peer, 0.0, 0.0, unit, goal, failure)
    return Comparison(what, peer, factor * ours.numbers[key], factor * theirs.numbers[key], unit, goal)


def summary(comparisons: Sequence[Comparison]) -> str:
    """The table."""
    heads = ["work", "peer", "ours", "theirs", "theirs over ours", "goal"]
    return "\n".join([line(heads), "|" + "---|" * len(heads), *(c.row() for c in comparisons)]) + "\n"


@dataclass(frozen=True)
class Part:
    """What a part of the comparison found."""

    text: str
    comparisons: list[Comparison]
