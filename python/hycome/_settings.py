"""Settings in Python are those of the library: names, defaults and words come from there, and tests hold them together."""

from __future__ import annotations

import math
import numbers
import operator
import re
import textwrap
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from . import _hycome
from ._seed import seed_of

Documented = TypeVar("Documented", bound=Callable[..., Any])

_MOST_THREADS = 4096


def documented(kind: str) -> Callable[[Documented], Documented]:
    """Puts the library's own words on its settings in the place of ``{settings}`` in the documentation."""

    def document(function: Documented) -> Documented:
        if function.__doc__ is not None:  # there is none under `python -OO`
            function.__doc__ = function.__doc__.replace("    {settings}\n", _described(kind))
        return function

    return document


def _described(kind: str) -> str:
    described = ""
    for name, default, words in _hycome.settings(kind):
        default = "" if default == "null" else f" (default {default})"
        text = textwrap.fill(" ".join(words.split()), 110, initial_indent=" " * 8, subsequent_indent=" " * 8)
        described += f"    {name}{default}\n{text}\n"
    return described


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
        return _real(name, value)
    return value


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


def _real(name: str, value: Any) -> float:
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
