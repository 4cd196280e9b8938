"""Plots of runs and of label distributions."""

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

#: Default width and height of a chart in pixels.
_CHART_SIZE = (640.0, 480.0)

#: Formats of static figures.
_FORMATS = ("svg", "png", "pdf")

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
            Show a subtitle if the embedding has more than two dimensions.
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
        sides, dark, fonts = _options(size, theme, scale, font)
        return _warned(self._scene.to_figure(format, color, sides, dark, contours, names, scale, note, fonts))

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
        if ending not in _FORMATS:
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


class LabelDistribution:
    """Share of each class among the labels of a graph, displayed in notebooks as a bar chart."""

    def __init__(self, labels: _hycome.Labels, title: str) -> None:
        self._labels, self._title = labels, title

    @property
    def shares(self) -> dict[str, float]:
        """Share of each class, largest first; a node with several classes counts once for each."""
        return dict(self._labels.shares())

    def to_figure(
        self,
        format: Literal["svg", "png", "pdf"] = "svg",
        *,
        size: tuple[float, float] = _CHART_SIZE,
        theme: Literal["light", "dark"] = "light",
        scale: float = 2.0,
        note: bool = True,
        font: str | os.PathLike[str] | None = None,
    ) -> bytes:
        """Renders a bar chart.

        Parameters
        ----------
        format : {'svg', 'png', 'pdf'}, default: 'svg'
            The file format.
        size : tuple of two floats, default: (640.0, 480.0)
            Width and height in pixels, 50 to 16000; 96 pixels are an inch.
        theme : {'light', 'dark'}, default: 'light'
            Colour theme.
        scale : float, default: 2.0
            Scale factor of PNG: output pixels for each pixel of ``size``.
        note : bool, default: True
            Show the numbers of classes and nodes as a subtitle.
        font : str or path, optional
            TrueType or OpenType fallback font for PNG and PDF, as of :meth:`Plot.to_figure`.

        Returns
        -------
        bytes
            Content of the file.
        """
        sides, dark, fonts = _options(size, theme, scale, font)
        return _warned(_hycome.label_distribution(self._labels, self._title, format, sides, dark, scale, note, fonts))

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        size: tuple[float, float] = _CHART_SIZE,
        theme: Literal["light", "dark"] = "light",
        scale: float = 2.0,
        note: bool = True,
        font: str | os.PathLike[str] | None = None,
    ) -> None:
        """Saves the chart in the format of the file extension.

        Parameters
        ----------
        path : str or path
            File with the extension ``.svg``, ``.png`` or ``.pdf``.
        size, theme, scale, note, font
            See :meth:`to_figure`.
        """
        ending = Path(path).suffix.lower().removeprefix(".")
        if ending not in _FORMATS:
            raise ValueError(f"{os.fspath(path)}: the name of a chart ends in .svg, .png or .pdf")
        content = self.to_figure(
            ending,  # type: ignore[arg-type]
            size=size,
            theme=theme,
            scale=scale,
            note=note,
            font=font,
        )
        _hycome.write_file(os.fspath(path), content)

    def _repr_html_(self) -> str:
        return self.to_figure().decode()

    def __repr__(self) -> str:
        return f"<LabelDistribution of {len(self.shares)} classes: .save(path) writes it as .svg, .png or .pdf>"


def _options(
    size: tuple[float, float], theme: str, scale: float, font: str | os.PathLike[str] | None
) -> tuple[tuple[float, float], bool, list[bytes]]:
    """Validates the options that all figures have: size, whether the theme is dark, content of the font files."""
    choice("theme", theme, ("light", "dark"))
    if not isinstance(size, Sequence) or len(size) != 2:
        raise TypeError(f"`size` must be a width and a height, but is {size!r}")
    width, height = (real("size", length) for length in size)
    if real("scale", scale) <= 0:
        raise ValueError(f"`scale` must be above zero, but is {scale}")
    return (width, height), theme == "dark", [] if font is None else [Path(font).read_bytes()]


def _warned(rendered: tuple[bytes, str | None]) -> bytes:
    """Content of a rendered figure, with a warning about missing glyphs."""
    content, missing = rendered
    if missing is not None:
        warn(f"{missing}; `font` sets a fallback font")
    return content
