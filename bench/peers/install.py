"""Peers, installed in versions that do not change: each in an environment of its own under `target/peers`.

One environment for each, as their needs exclude each other: geomstats, for instance, does not work with the NumPy that others
ask for. A peer that cannot be installed is left out, with the reason.
"""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Mapping

from process import Failed, run

INSTALL_SECONDS = 3600.0


@dataclass(frozen=True)
class Wheel:
    """A package of PyPI, and what else its environment needs."""

    name: str
    version: str
    others: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """Name and version."""
        return f"{self.name} {self.version}"

    def install(self, folder: Path) -> Path:
        """The environment's Python, in which the package can be imported."""
        requirements = [f"{self.name}=={self.version}", *self.others]
        python = folder / "bin" / "python"
        if not _is_done(folder, requirements):
            shutil.rmtree(folder, ignore_errors=True)
            run([sys.executable, "-m", "venv", folder], timeout=INSTALL_SECONDS)
            run([python, "-m", "pip", "install", "--quiet", *requirements], timeout=INSTALL_SECONDS)
            _mark_done(folder, requirements)
        return python


@dataclass(frozen=True)
class Crate:
    """A program of crates.io."""

    name: str
    version: str
    program: str
    flags: str = ""

    @property
    def label(self) -> str:
        """Name, version and the flags it is compiled with."""
        return f"{self.name} {self.version}" + (f", `{self.flags}`" if self.flags else "")

    def install(self, folder: Path) -> Path:
        """The program."""
        wanted = [self.name, self.version, self.flags]
        if not _is_done(folder, wanted):
            shutil.rmtree(folder, ignore_errors=True)
            command = ["cargo", "install", "--quiet", "--locked", "--root", folder, self.name]
            environment = {"RUSTFLAGS": self.flags} if self.flags else {}
            run([*command, "--version", self.version], environment, timeout=INSTALL_SECONDS)
            _mark_done(folder, wanted)
        return folder / "bin" / self.program


@dataclass(frozen=True)
class Source:
    """A Python package of this project, built as its users build it, and anew each time."""

    name: str
    path: Path

    @property
    def label(self) -> str:
        """Its name."""
        return self.name

    def install(self, folder: Path) -> Path:
        """The environment's Python, in which the package can be imported."""
        python = folder / "bin" / "python"
        run([sys.executable, "-m", "venv", folder], timeout=INSTALL_SECONDS)
        run([python, "-m", "pip", "install", "--quiet", "--force-reinstall", self.path], timeout=INSTALL_SECONDS)
        return python


def _is_done(folder: Path, wanted: list[str]) -> bool:
    done = folder / "installed"
    return done.is_file() and done.read_text() == "\n".join(wanted)


def _mark_done(folder: Path, wanted: list[str]) -> None:
    (folder / "installed").write_text("\n".join(wanted))


PEERS: Mapping[str, Wheel | Crate | Source] = {
    "hycome": Source("hycome", Path(__file__).resolve().parents[2] / "python"),
    "gensim": Wheel("gensim", "4.4.0"),
    "ensmallen": Wheel("ensmallen", "0.8.100"),
    "igraph": Wheel("igraph", "1.0.0"),
    "networkit": Wheel("networkit", "11.2.2"),
    # With NumPy 2.4 it cannot be imported.
    "geomstats": Wheel("geomstats", "2.8.0", ("numpy==1.26.4",)),
    "node2vec-rs": Crate("node2vec-rs", "0.4.0", "node2vec"),
}


@dataclass
class Peers:
    """Peers as they are asked for."""

    folder: Path
    _ready: dict[str, Path | Failed] = field(default_factory=dict)

    def label(self, name: str) -> str:
        """What a table calls a peer."""
        return PEERS[name].label

    def program(self, name: str) -> Path:
        """The Python or the program of a peer; raises `Failed` if it cannot be installed."""
        if name not in self._ready:
            print(f"installing {self.label(name)}", file=sys.stderr)
            try:
                self._ready[name] = PEERS[name].install(self.folder / name)
            except Failed as failure:
                self._ready[name] = Failed(f"not installed: {failure}")
        ready = self._ready[name]
        if isinstance(ready, Failed):
            raise ready
        return ready
