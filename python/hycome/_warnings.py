"""Warnings attributed to the caller's line."""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Iterable


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warns with the location of the first frame outside this package.

    By default Python shows a warning once per location. If the location were a line of this package, a warning about
    one graph would suppress those about all others.
    """
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and _is_ours(frame.f_globals.get("__name__", "")):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] == "hycome"


def warn_of_notes(notes: Iterable[tuple[str, str]], known: tuple[str, ...] = ()) -> None:
    """Emits the notes of a reader, except those with codes in ``known``; flags are replaced by Python arguments."""
    for code, words in notes:
        if code not in known:
            hint = "; repeated='sum', 'max' or 'first' says how they are combined" if code == "repeated_edges" else ""
            warn(re.sub(r"--([a-z-]+)", lambda flag: f"`{flag[1].replace('-', '_')}`", words) + hint)
