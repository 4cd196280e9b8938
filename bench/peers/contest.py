"""Several programs at the same work, in turns, and the medians of what they took.

In turns, because a machine is not equally fast at all times: what disturbs it shall disturb all alike.
"""

from __future__ import annotations

import statistics
import sys
from dataclasses import dataclass
from typing import Callable, Sequence

from process import Failed

Numbers = dict[str, float]


@dataclass(frozen=True)
class Contestant:
    """A program at a piece of work: what it is called, and how it is run once."""

    name: str
    work: Callable[[], Numbers]
    once: bool = False
    """Whether one run is enough, as it takes very long."""


@dataclass(frozen=True)
class Result:
    """Medians over several runs, or why there are none."""

    name: str
    numbers: Numbers
    runs: int
    failure: str = ""


def compete(title: str, contestants: Sequence[Contestant], repetitions: int) -> list[Result]:
    """Runs everybody in turns; who fails once is not asked again."""
    runs: dict[str, list[Numbers]] = {contestant.name: [] for contestant in contestants}
    failures: dict[str, str] = {}
    for repetition in range(repetitions):
        for contestant in contestants:
            if contestant.name in failures or (contestant.once and repetition > 0):
                continue
            print(f"{title}, {contestant.name}, run {repetition + 1}", file=sys.stderr)
            try:
                runs[contestant.name].append(contestant.work())
            except Failed as failure:
                print(f"  failed: {failure}", file=sys.stderr)
                failures[contestant.name] = str(failure)
    return [
        Result(c.name, {}, 0, failures[c.name])
        if c.name in failures
        else Result(c.name, medians(runs[c.name]), len(runs[c.name]))
        for c in contestants
    ]


def medians(runs: Sequence[Numbers]) -> Numbers:
    """The median of each number."""
    return {key: statistics.median(run[key] for run in runs) for key in runs[0]}
