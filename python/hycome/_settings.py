"""Settings in Python are those of the library: names, defaults and words come from there, and tests hold them together."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import Any, TypeVar

from . import _hycome

Documented = TypeVar("Documented", bound=Callable[..., Any])


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


def plain(settings: dict[str, Any]) -> dict[str, Any]:
    """Settings as JSON knows them; numbers of NumPy become Python's own."""
    return {name: value.item() if hasattr(value, "item") else value for name, value in settings.items()}
