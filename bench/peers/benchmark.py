"""Benchmarks of several programs on the same workload, run in turns, with medians.

Turns spread variations in the speed of the machine evenly over all programs.
"""

from __future__ import annotations

import statistics
import sys
from dataclasses import dataclass
from typing import Callable, Sequence

from process import Failed

Measurements = dict[str, float]


@dataclass(frozen=True)
class Benchmark:
    """A program on a workload: its label, and a function that runs it once."""

    name: str
    measure: Callable[[], Measurements]
    single_run: bool = False
    """Whether to run it only once, because it takes very long."""


@dataclass(frozen=True)
class Result:
    """Medians over runs, or the reason why there are none."""

    name: str
    measurements: Measurements
    runs: int
    failure: str = ""


def run_in_turns(title: str, benchmarks: Sequence[Benchmark], repetitions: int) -> list[Result]:
    """Runs all benchmarks in turns; one that fails is not run again."""
    runs: dict[str, list[Measurements]] = {benchmark.name: [] for benchmark in benchmarks}
    failures: dict[str, str] = {}
    for repetition in range(repetitions):
        for benchmark in benchmarks:
            if benchmark.name in failures or (benchmark.single_run and repetition > 0):
                continue
            print(f"{title}, {benchmark.name}, run {repetition + 1}", file=sys.stderr)
            try:
                runs[benchmark.name].append(benchmark.measure())
            except Failed as failure:
                print(f"  failed: {failure}", file=sys.stderr)
                failures[benchmark.name] = str(failure)
    return [
        Result(name, {}, 0, failures[name]) if name in failures else Result(name, medians(of_name), len(of_name))
        for name, of_name in runs.items()
    ]


def medians(runs: Sequence[Measurements]) -> Measurements:
    """Median of each measurement."""
    return {key: statistics.median(run[key] for run in runs) for key in runs[0]}
