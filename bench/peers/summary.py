"""Summary table: speedup over each program, and its target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Sequence

from benchmark import Result
from table import line, shown


@dataclass(frozen=True)
class Comparison:
    """Comparison with another program: the ratio of its measurement to that of hycome, and the minimum aimed at."""

    what: str
    peer: str
    hycome: float
    other: float
    unit: str
    target: float | None = None
    failure: str = ""

    def row(self) -> str:
        """Row of the table."""
        target = "" if self.target is None else f"≥ {self.target:.3g} ×"
        if self.failure:
            return line([self.what, self.peer, "", self.failure, "", target])
        ratio = self.other / self.hycome
        mark = "" if self.target is None else (" ✓" if ratio >= self.target else " –")
        return line(
            [
                self.what,
                self.peer,
                f"{shown(self.hycome)} {self.unit}",
                f"{shown(self.other)} {self.unit}",
                f"{shown(ratio)} ×",
                target + mark,
            ]
        )


def compare(
    what: str, results: Sequence[Result], peer: str, key: str, unit: str, factor: float = 1.0, target: float | None = None
) -> Comparison:
    """Compares the first result, hycome, with that of another program."""
    hycome, other = results[0], next(result for result in results if result.name == peer)
    failure = hycome.failure or other.failure
    if failure:
        return Comparison(what, peer, 0.0, 0.0, unit, target, failure)
    return Comparison(what, peer, factor * hycome.measurements[key], factor * other.measurements[key], unit, target)


def summary(comparisons: Sequence[Comparison]) -> str:
    """Returns the table."""
    heads = ["work", "other program", "hycome", "other", "ratio", "target"]
    return "\n".join([line(heads), "|" + "---|" * len(heads), *(c.row() for c in comparisons)]) + "\n"


@dataclass(frozen=True)
class Part:
    """Section of the page, with its comparisons."""

    text: str
    comparisons: list[Comparison]
