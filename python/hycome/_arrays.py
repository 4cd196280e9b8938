"""Arrays as the compiled part reads them: double precision, row after row. Those that are so already are not copied."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def doubles(values: npt.ArrayLike, name: str) -> npt.NDArray[np.float64]:
    """Numbers in double precision, of any shape."""
    refuse_masked(values, name)
    return np.asarray(values, np.float64)


def rows(points: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Points as a table of two dimensions."""
    table = np.ascontiguousarray(doubles(points, "points"))
    if table.ndim != 2:
        raise ValueError(f"points must be a table with a row for each, but have {table.ndim} dimensions")
    return table


def vector(values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Numbers as a vector."""
    refuse_masked(values, "values")
    found = np.ascontiguousarray(values, dtype=np.float64)
    if found.ndim != 1:
        raise ValueError(f"expected a vector of numbers, found {found.ndim} dimensions")
    return found


def refuse_masked(values: Any, name: str) -> None:
    """Fails if entries are masked: NumPy would hand over whatever lies under the mask."""
    if np.ma.is_masked(values):
        raise ValueError(f"`{name}` must have no masked entries, but has {int(values.mask.sum())}")


def is_missing(value: Any) -> bool:
    """Whether this is ``None``, NaN, NaT, pandas' ``NA`` or a masked entry."""
    if value is None or value is np.ma.masked:
        return True
    try:
        return bool(value != value)
    except TypeError:
        return type(value).__name__ == "NAType"  # which has no truth value
    except ValueError:
        return False  # an array


def read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The array, or a view of it where it is the caller's own, that cannot be written to."""
    view: npt.NDArray[Any] = array.view()
    view.flags.writeable = False
    return view
