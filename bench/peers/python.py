"""The Python package against the command: the same engine, so the same time but for Python itself."""

from __future__ import annotations

import tempfile
from pathlib import Path

from contest import Contestant, Numbers, compete
from process import run
from session import WORKERS, Session
from summary import Part, compare
from table import Column, table

COMMAND = "the command"
# At most 5 % more than the command.
GOAL = 1 / 1.05
COLUMNS = [Column("wall s", "wall"), Column("cpu s", "cpu"), Column("peak memory, MB", "peak", 1e-6)]


def python(session: Session) -> Part:
    """The table of the whole program, from start to end."""
    contestants = [
        Contestant("hycome in Python", lambda: package(session)),
        Contestant(COMMAND, lambda: command(session)),
    ]
    # The difference sought is smaller than that of one run from the next.
    results = compete("Python", contestants, 3 * session.repetitions)
    text = (
        "## Python\n\nDBLP in 2 dimensions with the default settings, on all cores: the whole program, with the start of the "
        "interpreter, loading, training, scores, and a run that is saved; the command draws no page.\n\n"
    )
    text += table(results, COLUMNS, ratio_of="wall") + "\n"
    return Part(text, [compare("DBLP, whole program", results, COMMAND, "wall", "s", goal=GOAL)])


def package(session: Session) -> Numbers:
    """`hycome.embed`."""
    with tempfile.TemporaryDirectory() as folder:
        script = WORKERS / "hycome_embed.py"
        return _whole(session, session.peers.program("hycome"), script, _walks(session), Path(folder, "dblp.safetensors"))


def command(session: Session) -> Numbers:
    """`hycome embed`."""
    with tempfile.TemporaryDirectory() as folder:
        flags = ["--walks", _walks(session), "--no-plot", "--quiet", "-o", Path(folder, "dblp-run")]
        return _whole(session, session.command, "embed", "dblp", *flags)


def _whole(session: Session, *words: str | Path) -> Numbers:
    outcome = run(words, {"HYCOME_DATA": str(session.data)})
    return {"wall": outcome.wall, "cpu": outcome.cpu, "peak": outcome.peak}


def _walks(session: Session) -> str:
    return "1" if session.quick else "10"
