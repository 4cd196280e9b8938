"""Warnings that point at the caller's line, however deep inside the package they arise."""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Iterable


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warns with the location of the first frame outside this package.

    Python shows a warning once per location by default. If the location were a line of this package, one warning would hide
    those about every other graph.
    """
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and _is_ours(frame.f_globals.get("__name__", "")):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] == "hycome"


def warn_of_notes(notes: Iterable[tuple[str, str]], known: tuple[str, ...] = ()) -> None:
    """Warns of what a reader guessed, merged or left out, in the words of Python; the codes in ``known`` are skipped."""
    for code, words in notes:
        if code not in known:
            hint = "; repeated='sum', 'max' or 'first' says how they are combined" if code == "repeated_edges" else ""
            warn(re.sub(r"--([a-z-]+)", lambda flag: f"`{flag[1].replace('-', '_')}`", words) + hint)
