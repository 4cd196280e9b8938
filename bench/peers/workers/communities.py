"""Pseudorandom communities; the same as in `bench/src/single/scores.rs`."""

from __future__ import annotations

COMMUNITIES = 100
FOUND = 2_654_435_761
TRUTH = 2_246_822_519


def communities(count: int, multiplier: int) -> list[int]:
    """Community of each node."""
    return [((node * multiplier & 0xFFFFFFFF) >> 7) % COMMUNITIES for node in range(count)]
