"""Pictures of runs."""

from __future__ import annotations

import html
import os
from pathlib import Path
from typing import Literal

from . import _hycome
from ._warnings import warn

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
        note: bool = True,
        font: str | os.PathLike[str] | None = None,
    ) -> bytes:
        """A figure for a paper.

        ``color`` says by what nodes are coloured, ``size`` is width and height in pixels of which 96 are an inch, ``contours``
        draws the communities as circles that hold 50 % (solid) and 90 % (dashed) of their mass, ``names`` writes those of the nodes
        with the most neighbours, ``note`` the subtitle of a projected picture, and a PNG has ``scale`` pixels for each of the
        figure. ``font`` is a TrueType or OpenType file for letters that the built-in font (Latin, Greek, Cyrillic) lacks, in PNG and PDF; a warning
        says so where some are missing.
        """
        if theme not in ("light", "dark"):
            raise ValueError(f"`theme` must be light or dark, but is {theme}")
        fonts = [] if font is None else [Path(font).read_bytes()]
        content, missing = self._scene.to_figure(format, color, size, theme == "dark", contours, names, scale, note, fonts)
        if missing is not None:
            warn(f"{missing}; `font` brings another font")
        return content

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
        note: bool = True,
        font: str | os.PathLike[str] | None = None,
    ) -> None:
        """Writes the picture in the format that the file's name ends in: ``.html``, ``.svg``, ``.png`` or ``.pdf``."""
        ending = Path(path).suffix.lower().removeprefix(".")
        if ending == "html":
            given = (color, tuple(size), theme, contours, names, scale, note, font)
            if given != ("community", _SIZE, "light", True, False, 2.0, True, None):
                raise ValueError(
                    f"{os.fspath(path)}: a page takes no settings of figures such as `names` or `size`; it has controls for them"
                )
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
            note=note,
            font=font,
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
