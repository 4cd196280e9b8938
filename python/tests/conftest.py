"""Shared fixtures."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

import hycome

#: Training of a few milliseconds, for tests that do not depend on its quality.
QUICK = {"walks": 1, "warmup_epochs": 1, "epochs": 1, "restarts": 1, "progress": False}


@pytest.fixture(scope="session")
def karate() -> hycome.Run:
    """Run on the karate club, shared by all tests."""
    return hycome.embed("karate", communities=2, progress=False)


@pytest.fixture(scope="session")
def karate_disc() -> hycome.Run:
    """Run on the karate club in two dimensions, shared by all tests."""
    return hycome.embed("karate", communities=2, dim=2, progress=False)


@pytest.fixture(scope="session")
def data() -> Path:
    """Folder of public graphs: HYCOME_DATA, by default `data` in the repository."""
    folder = Path(os.environ.get("HYCOME_DATA", Path(__file__).parents[2] / "data"))
    if not (folder / "dblp").exists():
        assert "HYCOME_DATA" not in os.environ, f"{folder / 'dblp'} is missing"
        pytest.skip(f"{folder / 'dblp'} is missing; set HYCOME_DATA to the folder of the published graphs")
    return folder


def cloud(count: int, dim: int, radius: float = 0.9, seed: int = 7) -> np.ndarray:
    """Uniformly distributed points of a ball with this Euclidean radius."""
    generator = np.random.default_rng(seed)
    directions = generator.normal(size=(count, dim))
    lengths = radius * generator.random((count, 1)) ** (1 / dim)
    return lengths * directions / np.linalg.norm(directions, axis=1, keepdims=True)
