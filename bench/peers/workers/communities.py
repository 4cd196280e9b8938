"""Communities of nodes, as good as drawn; `bench/src/once/scores.rs` has the same."""

from __future__ import annotations

COMMUNITIES = 100
FOUND = 2_654_435_761
KNOWN = 2_246_822_519


def mixed(count: int, multiplier: int) -> list[int]:
    """The community of each node."""
    return [((node * multiplier & 0xFFFFFFFF) >> 7) % COMMUNITIES for node in range(count)]
