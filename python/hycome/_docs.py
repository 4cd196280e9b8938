"""Docstring templates: sections shared by several functions, and descriptions of settings from the library."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import Any, TypeVar

from . import _hycome

Documented = TypeVar("Documented", bound=Callable[..., Any])

#: Readable forms of annotations.
_TYPES = {
    "Seed": "int, numpy.random.Generator, numpy.random.RandomState or None",
    "Literal['none', 'center']": "{'none', 'center'}",
    'Literal["none", "center"]': "{'none', 'center'}",
}


def filled(**parts: str) -> Callable[[Documented], Documented]:
    """Replaces each line ``{name}`` of a docstring by the part of that name, indented like the line."""

    def fill(documented: Documented) -> Documented:
        for name, part in parts.items():
            if documented.__doc__ is not None:  # stripped by `python -OO`
                text = textwrap.indent(textwrap.dedent(part).strip("\n"), " " * 4)
                documented.__doc__ = documented.__doc__.replace(f"    {{{name}}}\n", text + "\n")
        return documented

    return fill


def documented(kind: str) -> Callable[[Documented], Documented]:
    """Replaces ``{settings}`` in a docstring by the library's descriptions of its settings."""

    def document(documented: Documented) -> Documented:
        signed = vars(documented)["__init__"] if isinstance(documented, type) else documented
        types = signed.__annotations__
        return filled(settings=_described(kind, types))(documented)

    return document


def _described(kind: str, types: dict[str, str]) -> str:
    described = ""
    for name, default, words in _hycome.settings(kind):
        annotation = _TYPES.get(types[name], types[name].replace(" | ", " or "))
        default = "None" if default == "null" else default.replace('"', "'")
        text = textwrap.fill(" ".join(words.split()), 110, initial_indent=" " * 4, subsequent_indent=" " * 4)
        described += f"{name} : {annotation}, default: {default}\n{text}\n"
    return described
