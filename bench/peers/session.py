"""What all parts share: our program, the peers, files that are made once, how much to do."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from contest import Numbers
from install import Peers
from process import Outcome, run

HERE = Path(__file__).resolve().parent
WORKERS = HERE / "workers"

# Everybody gets one thread, whatever library would start more.
ONE_THREAD = {
    "RAYON_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "PYTHONHASHSEED": "0",
}


@dataclass(frozen=True)
class Session:
    """A run of the comparison."""

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
        """The flags that name DBLP."""
        return ("--graph", "dblp", "--data", str(self.data))

    def once(self, *arguments: object) -> tuple[dict[str, Any], Outcome]:
        """One measurement of ours."""
        outcome = run([self.bench, "once", *map(str, arguments)])
        return outcome.json(), outcome

    def worker(self, peer: str, script: str, *arguments: object) -> tuple[dict[str, Any], Outcome]:
        """One measurement of a peer in Python, on one thread."""
        python = self.peers.program(peer)
        outcome = run([python, WORKERS / script, *map(str, arguments)], ONE_THREAD)
        return outcome.json(), outcome

    def file(self, name: str, *arguments: object) -> Path:
        """A file that `hycome-bench export` writes, unless it is there."""
        return self._make(name, "export", "-o", "{}", *arguments)

    def graph(self, name: str, *arguments: object) -> Path:
        """A generated graph, unless it is there."""
        return self._make(name, "once", "generate", "-o", "{}", *arguments)

    def _make(self, name: str, *arguments: object) -> Path:
        path, part = self.files / name, self.files / f"{name}.part"
        if not path.exists():
            print(f"writing {name}", file=sys.stderr)
            words = [str(part) if argument == "{}" else str(argument) for argument in arguments]
            run([self.bench, *words])
            part.rename(path)
        return path


def seconds(measured: dict[str, Any], name: str) -> Numbers:
    """Both times of a thing."""
    return {"wall": measured[name]["wall"], "cpu": measured[name]["cpu"]}
