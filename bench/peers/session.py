"""State shared by all parts: programs, cached files, options."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmark import Measurements
from install import Peers
from process import Outcome, run

HERE = Path(__file__).resolve().parent
WORKERS = HERE / "workers"

# One thread for every program, whatever its libraries would start.
ONE_THREAD = {
    "RAYON_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "PYTHONHASHSEED": "0",
}


@dataclass(frozen=True)
class Session:
    """A session of the comparison."""

    bench: Path
    command: Path
    peers: Peers
    files: Path
    data: Path
    roofline: Path
    repetitions: int
    quick: bool

    @property
    def dblp(self) -> tuple[str, ...]:
        """Flags that select DBLP."""
        return ("--graph", "dblp", "--data", str(self.data))

    def single(self, *arguments: object) -> tuple[dict[str, Any], Outcome]:
        """One measurement of hycome."""
        outcome = run([self.bench, "single", *map(str, arguments)])
        return outcome.json(), outcome

    def worker(self, peer: str, script: str, *arguments: object) -> tuple[dict[str, Any], Outcome]:
        """One measurement of a Python package, on one thread."""
        python = self.peers.program(peer)
        outcome = run([python, WORKERS / script, *map(str, arguments)], ONE_THREAD)
        return outcome.json(), outcome

    def file(self, name: str, *arguments: object) -> Path:
        """A file written by `hycome-bench export`, cached."""
        return self._make(name, "export", "-o", "{}", *arguments)

    def graph(self, name: str, *arguments: object) -> Path:
        """A generated graph, cached."""
        return self._make(name, "single", "generate", "-o", "{}", *arguments)

    def _make(self, name: str, *arguments: object) -> Path:
        path, part = self.files / name, self.files / f"{name}.part"
        if not path.exists():
            print(f"writing {name}", file=sys.stderr)
            words = [str(part) if argument == "{}" else str(argument) for argument in arguments]
            run([self.bench, *words])
            part.rename(path)
        return path


def seconds(measured: dict[str, Any], name: str) -> Measurements:
    """Wall and CPU time of a phase."""
    return {"wall": measured[name]["wall"], "cpu": measured[name]["cpu"]}
