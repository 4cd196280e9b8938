"""The hand-tuned kernel in C++: arithmetic of second-order training at the machine's limit, on rows taken at random.

It is written in AVX-512. For a processor without, `avx2.h` makes two vectors of AVX2 of each of its vectors; clang keeps
them in registers, GCC does not.
"""

from __future__ import annotations

import re
import shutil
from functools import cache
from pathlib import Path

import machine
from contest import Numbers
from process import Failed, Outcome, run
from session import Session

KERNEL = "the hand-tuned kernel"
FLAGS = "-O3 -march=native -ffast-math -fno-finite-math-only -std=c++17".split()


def kernel(session: Session, dim: int) -> Numbers:
    """What the kernel needs at this dimension."""
    source = session.roofline / "o2.cpp"
    if not source.is_file():
        raise Failed(f"skipped: there is no {source.name} in the folder of `--roofline`")
    outcome = measured(source, session.files / "o2")
    return {"ns": kernel_nanoseconds(outcome.output, dim), "program": outcome.cpu, "peak": outcome.peak}


@cache
def measured(source: Path, program: Path) -> Outcome:
    """The kernel, compiled and run once: it measures all its dimensions."""
    run([*compiler(), *FLAGS, "-o", program, source])
    return run([program])


def compiler() -> list[str | Path]:
    """What compiles the kernel for this processor."""
    missing = machine.missing_avx512()
    if not missing:
        return ["g++"]
    names = ["clang++", *(f"clang++-{version}" for version in range(30, 13, -1))]
    clang = next(filter(shutil.which, names), None)
    if clang is None:
        raise Failed(f"skipped: without {', '.join(missing)} it takes clang, Debian's package of that name")
    return [clang, "-include", Path(__file__).with_name("avx2.h")]


def kernel_nanoseconds(output: str, dim: int) -> float:
    """Nanoseconds for a pair, single precision, one centre with its six contexts, on a table of DBLP's size."""
    found = re.search(
        rf"^f32 m={dim} BATCH 1\+5 per centre 13,184 random .*plain=([\d.]+) prefetch=([\d.]+)", output, re.MULTILINE
    )
    if not found:
        raise Failed(f"it does not say what a pair took at dim {dim}")
    return min(map(float, found.groups()))
