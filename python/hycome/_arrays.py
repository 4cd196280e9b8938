"""Arrays as the compiled part reads them: double precision, row after row. Those that are so already are not copied."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def rows(points: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Points as a table of two dimensions."""
    table = np.ascontiguousarray(points, dtype=np.float64)
    if table.ndim != 2:
        raise ValueError(f"points must be a table with a row for each, but have {table.ndim} dimensions")
    return table


def vector(values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Numbers as a vector."""
    found = np.ascontiguousarray(values, dtype=np.float64)
    if found.ndim != 1:
        raise ValueError(f"expected a vector of numbers, found {found.ndim} dimensions")
    return found
