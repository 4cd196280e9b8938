"""Conversion to the arrays of the extension module: C-contiguous float64, without a copy if possible."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def doubles(values: npt.ArrayLike, name: str) -> npt.NDArray[np.float64]:
    """Converts to a float64 array of any shape."""
    refuse_masked(values, name)
    return np.asarray(values, np.float64)


def rows(points: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Converts points to a C-contiguous matrix."""
    table = np.ascontiguousarray(doubles(points, "points"))
    if table.ndim != 2:
        raise ValueError(f"points must be a table with a row for each, but have {table.ndim} dimensions")
    return table


def vector(values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Converts to a C-contiguous vector."""
    refuse_masked(values, "values")
    found = np.ascontiguousarray(values, dtype=np.float64)
    if found.ndim != 1:
        raise ValueError(f"expected a vector of numbers, found {found.ndim} dimensions")
    return found


def refuse_masked(values: Any, name: str) -> None:
    """Rejects masked entries, because NumPy would silently use the values under the mask."""
    if np.ma.is_masked(values):
        raise ValueError(f"`{name}` must have no masked entries, but has {int(values.mask.sum())}")


def is_missing(value: Any) -> bool:
    """Whether a value is ``None``, NaN, NaT, ``pandas.NA`` or masked."""
    if value is None or value is np.ma.masked:
        return True
    try:
        return bool(value != value)
    except TypeError:
        return type(value).__name__ == "NAType"  # its truth value is undefined
    except ValueError:
        return False  # an array


def read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Read-only view of an array."""
    view: npt.NDArray[Any] = array.view()
    view.flags.writeable = False
    return view
