"""Validation of settings before they are passed to the extension module."""

from __future__ import annotations

import ast
import math
import numbers
import operator
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ._seed import seed_of

_MAX_THREADS = 4096


def checked(settings: Mapping[str, Any], types: Mapping[str, Any]) -> dict[str, Any]:
    """Converts settings to the built-in types named by their annotations in ``types``.

    Only types are checked here; the library checks ranges.
    """
    return {name: _checked(name, value, str(types[name])) for name, value in settings.items()}


def _checked(name: str, value: Any, annotation: str) -> Any:
    if name == "seed":
        return seed_of(value)
    if value is None and "None" in annotation:
        return None
    if annotation.startswith("int"):
        return whole(name, value)
    if annotation.startswith("float"):
        return real(name, value)
    if annotation.startswith("Literal["):
        return choice(name, value, ast.literal_eval(annotation.removeprefix("Literal")))
    return value


def choice(name: str, value: Any, options: Sequence[str]) -> Any:
    """Returns the setting if it is one of the options."""
    if value not in options:
        raise ValueError(f"`{name}` must be one of {', '.join(map(repr, options))}, but is {value!r}")
    return value


def flag(name: str, value: Any) -> bool:
    """Converts a setting to ``bool``."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"`{name}` must be True or False, but is {value!r}, a {type(value).__name__}")
    return bool(value)


def whole(name: str, value: Any, low: int = 0, high: int = 2**63 - 1) -> int:
    """Converts a setting to ``int``; floats are rejected even if they are integral, as in scikit-learn."""
    try:
        number = None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = None
    if number is None:
        hint = f"; write {float(value):.0f}" if isinstance(value, numbers.Real) and float(value).is_integer() else ""
        raise TypeError(f"`{name}` must be a whole number, but is {value!r}, a {type(value).__name__}{hint}")
    if not low <= number <= high:
        raise ValueError(f"`{name}` must be a whole number from {low} to {high}, but is {number}")
    return number


def real(name: str, value: Any) -> float:
    """Converts a setting to a finite ``float``."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"`{name}` must be a number, but is {value!r}, a {type(value).__name__}")
    if not math.isfinite(value):
        raise ValueError(f"`{name}` must be finite, but is {value}")
    return float(value)


def threads_of(threads: Any) -> int | None:
    """Validates the number of threads; limits are those of the command line."""
    return None if threads is None else whole("threads", threads, 1, _MAX_THREADS)


def bytes_of(max_memory: Any) -> int | None:
    """Parses a size such as ``"500M"`` or ``"1.5GB"``; suffixes are powers of 1000, as on the command line."""
    if max_memory is None:
        return None
    if not isinstance(max_memory, str):
        return whole("max_memory", max_memory, 1)
    parsed = re.fullmatch(r"(\d+(?:\.\d*)?)([KMGT]?)B?", max_memory, re.IGNORECASE)
    if parsed is None:
        raise ValueError(f"`max_memory` must be a size such as '500M' or '2G', but is {max_memory!r}")
    return whole("max_memory", round(float(parsed[1]) * 1000 ** " KMGT".index(parsed[2].upper() or " ")), 1)
