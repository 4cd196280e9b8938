"""Warnings that point at the caller's line, however deep inside the package they arise."""

from __future__ import annotations

import sys
import warnings


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
