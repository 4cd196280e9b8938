"""Overhead of the Python package over the command, which use the same engine."""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmark import Benchmark, Measurements, run_in_turns
from process import run
from session import WORKERS, Session
from summary import Part, compare
from table import Column, table

COMMAND = "`hycome` command"
# At most 5 % more than the command.
TARGET = 1 / 1.05
COLUMNS = [Column("wall s", "wall"), Column("cpu s", "cpu"), Column("peak memory, MB", "peak", 1e-6)]


def python(session: Session) -> Part:
    """Table of the whole program."""
    benchmarks = [
        Benchmark("hycome in Python", lambda: package(session)),
        Benchmark(COMMAND, lambda: command(session)),
    ]
    # The difference is smaller than the variation between runs.
    results = run_in_turns("Python", benchmarks, 3 * session.repetitions)
    text = (
        "## Python\n\nDBLP in 2 dimensions with default hyperparameters, on all cores: the whole program, including interpreter "
        "startup, loading, training, scoring and saving the run; the command writes no viewer.\n\n"
    )
    text += table(results, COLUMNS, ratio_of="wall") + "\n"
    return Part(text, [compare("DBLP, whole program", results, COMMAND, "wall", "s", target=TARGET)])


def package(session: Session) -> Measurements:
    """`hycome.embed`."""
    with tempfile.TemporaryDirectory() as folder:
        script = WORKERS / "hycome_embed.py"
        return _whole(session, session.peers.program("hycome"), script, _walks(session), Path(folder, "dblp.safetensors"))


def command(session: Session) -> Measurements:
    """`hycome embed`."""
    with tempfile.TemporaryDirectory() as folder:
        flags = ["--walks", _walks(session), "--no-plot", "--quiet", "-o", Path(folder, "dblp-run")]
        return _whole(session, session.command, "embed", "dblp", *flags)


def _whole(session: Session, *words: str | Path) -> Measurements:
    outcome = run(words, {"HYCOME_DATA": str(session.data)})
    return {"wall": outcome.wall, "cpu": outcome.cpu, "peak": outcome.peak}


def _walks(session: Session) -> str:
    return "1" if session.quick else "10"
