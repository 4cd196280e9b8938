"""Installation of the other programs in pinned versions, each in its own environment under `target/peers`.

Separate environments, because requirements conflict: geomstats, for instance, does not support the NumPy that others
require. A program that cannot be installed is skipped, with the reason.
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
    """A package on PyPI, with further requirements of its environment."""

    name: str
    version: str
    others: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """Name and version."""
        return f"{self.name} {self.version}"

    def install(self, folder: Path) -> Path:
        """Installs the package; returns the Python of its environment."""
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
    """A program on crates.io."""

    name: str
    version: str
    program: str
    flags: str = ""

    @property
    def label(self) -> str:
        """Name, version and compiler flags."""
        return f"{self.name} {self.version}" + (f", `{self.flags}`" if self.flags else "")

    def install(self, folder: Path) -> Path:
        """Installs the program; returns its path."""
        requirements = [self.name, self.version, self.flags]
        if not _is_done(folder, requirements):
            shutil.rmtree(folder, ignore_errors=True)
            command = ["cargo", "install", "--quiet", "--locked", "--root", folder, self.name]
            environment = {"RUSTFLAGS": self.flags} if self.flags else {}
            run([*command, "--version", self.version], environment, timeout=INSTALL_SECONDS)
            _mark_done(folder, requirements)
        return folder / "bin" / self.program


@dataclass(frozen=True)
class Source:
    """The Python package of this project, rebuilt each time with its default build."""

    name: str
    path: Path

    @property
    def label(self) -> str:
        """Name."""
        return self.name

    def install(self, folder: Path) -> Path:
        """Installs the package; returns the Python of its environment."""
        python = folder / "bin" / "python"
        run([sys.executable, "-m", "venv", folder], timeout=INSTALL_SECONDS)
        run([python, "-m", "pip", "install", "--quiet", "--force-reinstall", self.path], timeout=INSTALL_SECONDS)
        return python


def _is_done(folder: Path, requirements: list[str]) -> bool:
    done = folder / "installed"
    return done.is_file() and done.read_text() == "\n".join(requirements)


def _mark_done(folder: Path, requirements: list[str]) -> None:
    (folder / "installed").write_text("\n".join(requirements))


PEERS: Mapping[str, Wheel | Crate | Source] = {
    "hycome": Source("hycome", Path(__file__).resolve().parents[2] / "python"),
    "gensim": Wheel("gensim", "4.4.0"),
    "ensmallen": Wheel("ensmallen", "0.8.100"),
    "igraph": Wheel("igraph", "1.0.0"),
    "networkit": Wheel("networkit", "11.2.2"),
    # Fails to import with NumPy 2.4.
    "geomstats": Wheel("geomstats", "2.8.0", ("numpy==1.26.4",)),
    "node2vec-rs": Crate("node2vec-rs", "0.4.0", "node2vec"),
}


@dataclass
class Peers:
    """Programs, installed on first use."""

    folder: Path
    _ready: dict[str, Path | Failed] = field(default_factory=dict)

    def label(self, name: str) -> str:
        """Label of a program in tables."""
        return PEERS[name].label

    def program(self, name: str) -> Path:
        """Path of a program, or of the Python of its environment; raises `Failed` if it cannot be installed."""
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
