"""Types and ranges of settings, checked by name before they reach the library."""

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

_MOST_THREADS = 4096


def checked(settings: Mapping[str, Any], types: Mapping[str, Any]) -> dict[str, Any]:
    """Settings as Python's own numbers, each of the type that its annotation in ``types`` names.

    Ranges are left to the library, which knows them. Here only what cannot be handed to it is refused, by the setting's name.
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
    """The setting if it is one of the options."""
    if value not in options:
        raise ValueError(f"`{name}` must be one of {', '.join(map(repr, options))}, but is {value!r}")
    return value


def flag(name: str, value: Any) -> bool:
    """The setting as a boolean of Python."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"`{name}` must be True or False, but is {value!r}, a {type(value).__name__}")
    return bool(value)


def whole(name: str, value: Any, low: int = 0, high: int = 2**63 - 1) -> int:
    """The setting as an integer of Python; floats are refused even if they are integral, as scikit-learn refuses them."""
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
    """The setting as a finite float of Python."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"`{name}` must be a number, but is {value!r}, a {type(value).__name__}")
    if not math.isfinite(value):
        raise ValueError(f"`{name}` must be finite, but is {value}")
    return float(value)


def threads_of(threads: Any) -> int | None:
    """The number of threads, with the limits of the command."""
    return None if threads is None else whole("threads", threads, 1, _MOST_THREADS)


def bytes_of(max_memory: Any) -> int | None:
    """A number of bytes, such as 500000000, ``"500M"`` or ``"1.5GB"``; the letters are powers of a thousand, as in the command."""
    if max_memory is None:
        return None
    if not isinstance(max_memory, str):
        return whole("max_memory", max_memory, 1)
    parsed = re.fullmatch(r"(\d+(?:\.\d*)?)([KMGT]?)B?", max_memory, re.IGNORECASE)
    if parsed is None:
        raise ValueError(f"`max_memory` must be a size such as '500M' or '2G', but is {max_memory!r}")
    return whole("max_memory", round(float(parsed[1]) * 1000 ** " KMGT".index(parsed[2].upper() or " ")), 1)
