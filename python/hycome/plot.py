"""Plots of runs."""

from __future__ import annotations

import html
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from . import _hycome
from ._settings import choice, real
from ._warnings import warn

#: Default width and height of a figure in pixels; the extra height is for the title and legend.
_SIZE = (640.0, 720.0)

#: Height of the viewer in a notebook, in pixels.
_HEIGHT = 640


class Plot:
    """Plot of a run, displayed in notebooks as the interactive viewer."""

    def __init__(self, scene: _hycome.Scene) -> None:
        self._scene = scene

    @property
    def notes(self) -> list[str]:
        """Notes on the plot, such as omitted edges."""
        return self._scene.notes

    def to_html(self) -> str:
        """Renders the interactive viewer as a self-contained HTML page.

        Returns
        -------
        str
            The page.
        """
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
        """Renders a static figure.

        Parameters
        ----------
        format : {'svg', 'png', 'pdf'}, default: 'svg'
            The file format.
        color : {'community', 'label', 'prediction'}, default: 'community'
            What node colours represent.
        size : tuple of two floats, default: (640.0, 720.0)
            Width and height in pixels, 50 to 16000; 96 pixels are an inch.
        theme : {'light', 'dark'}, default: 'light'
            Colour theme.
        contours : bool, default: True
            Draw the circles that contain 50 % (solid) and 90 % (dashed) of the mass of each community.
        names : bool, default: False
            Label the nodes with the highest degrees.
        scale : float, default: 2.0
            Scale factor of PNG: output pixels for each pixel of ``size``.
        note : bool, default: True
            Show a subtitle if the embedding is projected.
        font : str or path, optional
            TrueType or OpenType fallback font for characters missing from the built-in font (Latin, Greek, Cyrillic) in
            PNG and PDF; missing glyphs cause a warning.

        Returns
        -------
        bytes
            Content of the file.

        Examples
        --------
        >>> import hycome
        >>> hycome.embed("karate", communities=2).plot().to_figure("png")[1:4]
        b'PNG'
        """
        choice("theme", theme, ("light", "dark"))
        if not isinstance(size, Sequence) or len(size) != 2:
            raise TypeError(f"`size` must be a width and a height, but is {size!r}")
        width, height = (real("size", length) for length in size)
        if real("scale", scale) <= 0:
            raise ValueError(f"`scale` must be above zero, but is {scale}")
        fonts = [] if font is None else [Path(font).read_bytes()]
        content, missing = self._scene.to_figure(
            format, color, (width, height), theme == "dark", contours, names, scale, note, fonts
        )
        if missing is not None:
            warn(f"{missing}; `font` sets a fallback font")
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
        """Saves the plot in the format of the file extension.

        Parameters
        ----------
        path : str or path
            File with the extension ``.html`` (interactive viewer), ``.svg``, ``.png`` or ``.pdf``.
        color, size, theme, contours, names, scale, note, font
            Options of static figures; see :meth:`to_figure`. The viewer has none.
        """
        ending = Path(path).suffix.lower().removeprefix(".")
        if ending == "html":
            given = (color, tuple(size), theme, contours, names, scale, note, font)
            if given != ("community", _SIZE, "light", True, False, 2.0, True, None):
                raise ValueError(
                    f"{os.fspath(path)}: a page takes no settings of figures such as `names` or `size`; it has "
                    "controls for them"
                )
            _hycome.write_file(os.fspath(path), self.to_html().encode())
            return
        if ending not in ("svg", "png", "pdf"):
            raise ValueError(f"{os.fspath(path)}: the name of a plot ends in .html, .svg, .png or .pdf")
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
