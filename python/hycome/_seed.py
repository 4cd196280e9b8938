"""Random seeds in the conventions of NumPy and scikit-learn."""

from __future__ import annotations

import operator
import secrets
from typing import Any, TypeAlias

import numpy as np

#: The ``seed`` argument: an integer, a generator to draw one from, or ``None`` for a random one.
Seed: TypeAlias = int | np.random.Generator | np.random.RandomState | None

_LARGEST = 2**64 - 1
#: Drawn seeds are below this bound, so that they are short enough to copy from ``run.config``.
_DRAWN_BELOW = 2**32


def seed_of(seed: Any, name: str = "seed") -> int:
    """Converts a seed to an integer.

    ``None`` draws one from the operating system; a NumPy ``Generator`` or ``RandomState`` draws one from its stream.
    """
    if seed is None:
        return secrets.randbelow(_DRAWN_BELOW)
    if isinstance(seed, np.random.Generator):
        return int(seed.integers(_DRAWN_BELOW))
    if isinstance(seed, np.random.RandomState):
        return int(seed.randint(_DRAWN_BELOW, dtype=np.uint64))
    try:
        number = operator.index(seed)
    except TypeError:
        number = None
    if number is None or isinstance(seed, bool):
        raise TypeError(
            f"`{name}` must be a whole number, None, or a generator of numpy.random, but is {seed!r}, a "
            f"{type(seed).__name__}"
        )
    if not 0 <= number <= _LARGEST:
        raise ValueError(f"`{name}` must be a whole number from 0 to 2**64 - 1, but is {number}")
    return number
