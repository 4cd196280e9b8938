"""Hand-tuned C++ kernel: the arithmetic of second-order training on random rows, as a lower bound (roofline).

It is written in AVX-512. On other processors, `avx2.h` emulates each of its vectors by two AVX2 vectors; clang keeps them
in registers, GCC does not.
"""

from __future__ import annotations

import re
import shutil
from functools import cache
from pathlib import Path

import machine
from benchmark import Measurements
from process import Failed, Outcome, run
from session import Session

KERNEL = "hand-tuned kernel"
FLAGS = "-O3 -march=native -ffast-math -fno-finite-math-only -std=c++17".split()


def kernel(session: Session, dim: int) -> Measurements:
    """Time and memory of the kernel at this dimension."""
    source = session.roofline / "o2.cpp"
    if not source.is_file():
        raise Failed(f"skipped: no {source.name} in the folder of `--roofline`")
    outcome = run_kernel(source, session.files / "o2")
    return {"ns": kernel_nanoseconds(outcome.output, dim), "program": outcome.cpu, "peak": outcome.peak}


@cache
def run_kernel(source: Path, program: Path) -> Outcome:
    """Compiles and runs the kernel; one run measures all dimensions."""
    run([*compiler(), *FLAGS, "-o", program, source])
    return run([program])


def compiler() -> list[str | Path]:
    """Compiler command for this processor."""
    missing = machine.missing_avx512()
    if not missing:
        return ["g++"]
    names = ["clang++", *(f"clang++-{version}" for version in range(30, 13, -1))]
    clang = next(filter(shutil.which, names), None)
    if clang is None:
        raise Failed(f"skipped: without {', '.join(missing)} it needs clang (Debian package clang)")
    return [clang, "-include", Path(__file__).with_name("avx2.h")]


def kernel_nanoseconds(output: str, dim: int) -> float:
    """Nanoseconds per pair in single precision, six contexts per center, on a table of the size of DBLP."""
    found = re.search(
        rf"^f32 m={dim} BATCH 1\+5 per centre 13,184 random .*plain=([\d.]+) prefetch=([\d.]+)", output, re.MULTILINE
    )
    if not found:
        raise Failed(f"no time per pair in its output for dim {dim}")
    return min(map(float, found.groups()))
