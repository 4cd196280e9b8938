"""Runs a process and measures wall time, CPU time and peak memory."""

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
    """A process failed; the message is the reason."""


@dataclass(frozen=True)
class Outcome:
    """Output and resource usage of a process."""

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
    """Runs a command to completion.

    Output goes to files, because a full pipe would block the process.
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
        raise Failed(f"timed out after {timeout:.0f} s")
    if status != 0:
        raise Failed(last_line(errors) or last_line(output) or f"exit status {status}")
    # ru_maxrss is in kibibytes on Linux and in bytes on macOS.
    unit = 1 if sys.platform == "darwin" else 1024
    return Outcome(output, wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit)


def _wait(process: subprocess.Popen[bytes], deadline: float) -> tuple[int | None, Any]:
    """Exit status and resource usage; no status after a timeout."""
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
    """Last non-empty line, truncated for a table."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:200] if lines else ""
