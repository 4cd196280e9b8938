"""Pictures of runs."""

from __future__ import annotations

import html
import os
from pathlib import Path
from typing import Literal

from . import _hycome

#: Pixels of a figure unless asked otherwise: a little higher than wide, for title and legend.
_SIZE = (640.0, 720.0)

#: Height of the disc in a notebook, in pixels.
_HEIGHT = 640


class Plot:
    """A picture of a run, which a notebook shows as an interactive disc."""

    def __init__(self, scene: _hycome.Scene) -> None:
        self._scene = scene

    @property
    def notes(self) -> list[str]:
        """What a reader should know about the picture, such as edges that it leaves out."""
        return self._scene.notes

    def to_html(self) -> str:
        """The interactive disc as one page, which needs neither server nor network."""
        return self._scene.to_html()

    def to_figure(
        self,
        format: Literal["svg", "png", "pdf"] = "svg",
        *,
        color: Literal["community", "label", "prediction"] = "community",
        size: tuple[float, float] = _SIZE,
        theme: Literal["light", "dark"] = "light",
        contours: bool = True,
        names: bool = False,
        scale: float = 2.0,
    ) -> bytes:
        """A figure for a paper.

        ``color`` says by what nodes are coloured, ``size`` is width and height in pixels of which 96 are an inch, ``contours``
        draws the communities as circles of one and two scales, ``names`` writes those of the nodes with the most neighbours,
        and a PNG has ``scale`` pixels for each of the figure.
        """
        if theme not in ("light", "dark"):
            raise ValueError(f"`theme` must be light or dark, but is {theme}")
        return self._scene.to_figure(format, color, size, theme == "dark", contours, names, scale)

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        color: Literal["community", "label", "prediction"] = "community",
        size: tuple[float, float] = _SIZE,
        theme: Literal["light", "dark"] = "light",
        contours: bool = True,
        names: bool = False,
        scale: float = 2.0,
    ) -> None:
        """Writes the picture in the format that the file's name ends in: ``.html``, ``.svg``, ``.png`` or ``.pdf``."""
        ending = Path(path).suffix.lower().removeprefix(".")
        if ending == "html":
            _hycome.write_file(os.fspath(path), self.to_html().encode())
            return
        if ending not in ("svg", "png", "pdf"):
            raise ValueError(f"{os.fspath(path)}: a picture's name ends in .html, .svg, .png or .pdf")
        content = self.to_figure(
            ending,  # type: ignore[arg-type]
            color=color,
            size=size,
            theme=theme,
            contours=contours,
            names=names,
            scale=scale,
        )
        _hycome.write_file(os.fspath(path), content)

    def _repr_html_(self) -> str:
        page = html.escape(self.to_html(), quote=True)
        return (
            f'<iframe srcdoc="{page}" title="hycome" sandbox="allow-scripts allow-downloads" '
            f'style="width: 100%; height: {_HEIGHT}px; border: 0"></iframe>'
        )

    def __repr__(self) -> str:
        return "<Plot: .save(path) writes it as .html, .svg, .png or .pdf>"
