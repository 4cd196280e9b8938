"""One process, and what it took: seconds on the wall and on the processor, memory at its peak."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Mapping, Sequence


class Failed(Exception):
    """A process that did not do its work; the text says why."""


@dataclass(frozen=True)
class Outcome:
    """What a process printed and took."""

    output: str
    wall: float
    cpu: float
    peak: int

    def json(self) -> dict[str, Any]:
        """The JSON object in the last line of the output."""
        lines = self.output.strip().splitlines()
        try:
            return json.loads(lines[-1])
        except (IndexError, json.JSONDecodeError) as error:
            raise Failed(f"no JSON object at the end of the output: {error}") from error


def run(
    command: Sequence[str | Path], environment: Mapping[str, str] | None = None, timeout: float = 3600.0
) -> Outcome:
    """Runs a command to its end.

    Whatever it prints goes to files, as a pipe that nobody empties would stop it.
    """
    words = [str(word) for word in command]
    variables = {**os.environ, **(environment or {})}
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.monotonic()
        try:
            process = subprocess.Popen(words, stdout=out, stderr=err, stdin=subprocess.DEVNULL, env=variables)
        except OSError as error:
            raise Failed(f"{words[0]}: {error.strerror}") from error
        status, usage = _wait(process, start + timeout)
        wall = time.monotonic() - start
        out.seek(0)
        err.seek(0)
        output, errors = out.read().decode(errors="replace"), err.read().decode(errors="replace")
    if status is None:
        raise Failed(f"not done after {timeout:.0f} s")
    if status != 0:
        raise Failed(last_line(errors) or last_line(output) or f"ended with {status}")
    # Linux counts this in units of 1024 bytes, macOS in bytes.
    unit = 1 if sys.platform == "darwin" else 1024
    return Outcome(output, wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit)


def _wait(process: subprocess.Popen[bytes], deadline: float) -> tuple[int | None, Any]:
    """The exit status and use of resources; no status if the time ran out."""
    pause = 0.001
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode, usage
        if time.monotonic() > deadline:
            process.kill()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            return None, usage
        time.sleep(pause)
        pause = min(2 * pause, 0.05)


def last_line(text: str) -> str:
    """The last line that is not empty, cut to what fits into a table."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:200] if lines else ""
