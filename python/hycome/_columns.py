"""Converts columns of node names and edge weights to integer and float arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import is_missing

Nodes = Sequence[Any] | npt.NDArray[Any]

#: Above this, integers are not exactly representable as floats, so floats cannot identify nodes.
_LARGEST_WHOLE_FLOAT = 2.0**53

#: Weights are stored in single precision.
_LARGEST_WEIGHT = float(np.finfo(np.float32).max)


def numbered(
    sources: npt.NDArray[Any], targets: npt.NDArray[Any]
) -> tuple[Nodes, npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
    """Factorizes edge ends: integers in ascending order, other names in order of first appearance."""
    count = len(sources)
    nodes: Nodes
    if sources.dtype.kind == targets.dtype.kind == "f":
        ends = _plain(np.concatenate([sources, targets]))  # both columns must become integers, or neither
    else:
        ends = np.concatenate([_plain(sources), _plain(targets)]) if count else np.empty(0, int)
    if ends.dtype.kind in "iu":
        nodes, ids = _number_integers(ends)
    else:
        names = ends.tolist()
        missing = next((row for row, name in enumerate(names) if is_missing(name)), None)
        if missing is not None:
            raise ValueError(f"edge {missing % count} has no {'source' if missing < count else 'target'}")
        index: dict[Any, int] = {}
        ids = np.fromiter((index.setdefault(name, len(index)) for name in names), np.uint32, 2 * count)
        nodes = list(index)
    return nodes, ids[:count], ids[count:]


def _number_integers(ends: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[np.uint32]]:
    """Distinct integers in ascending order, and the index of each edge end among them."""
    if len(ends) and ends.min() >= 0 and ends.max() <= 4 * len(ends) + 1024:
        is_node = np.zeros(int(ends.max()) + 1, bool)
        is_node[ends] = True
        nodes = np.flatnonzero(is_node)
        places = np.cumsum(is_node, dtype=np.uint32) - np.uint32(1)
        return nodes.astype(ends.dtype), places[ends]
    nodes, ids = np.unique(ends, return_inverse=True)
    return nodes, ids.astype(np.uint32)


def _plain(names: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Converts integral floats (of a mixed table) to integers, and strings to objects."""
    if names.dtype.kind != "f":
        return names if names.dtype.kind in "iu" else names.astype(object)
    known = names[~np.isnan(names)]
    odd = known[np.abs(known) > _LARGEST_WHOLE_FLOAT]
    if len(odd):
        raise ValueError(
            f"the float {odd[0]} is no name of a node, since its neighbours are the same float; use integers or text"
        )
    if len(known) == len(names) and (names == np.floor(names)).all():
        return names.astype(np.int64)
    return names.astype(object)


def weights_of(values: npt.ArrayLike) -> npt.NDArray[np.float32] | None:
    """Edge weights; ``None`` if all are one."""
    try:
        exact = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        for edge, value in enumerate(values):  # type: ignore[arg-type]
            if is_missing(value) or isinstance(value, str) or not hasattr(value, "__float__"):
                found = "missing" if is_missing(value) else repr(value)
                raise ValueError(f"weights must be numbers, but that of edge {edge} is {found}") from None
        raise ValueError("weights must be numbers") from None
    missing = np.flatnonzero(np.isnan(exact))
    if len(missing):
        raise ValueError(f"weights must be numbers, but that of edge {missing[0]} is missing")
    large = np.flatnonzero(exact > _LARGEST_WEIGHT)
    if len(large):
        raise ValueError(
            f"weights must be at most {_LARGEST_WEIGHT:.3g}, but that of edge {large[0]} is {exact[large[0]]}"
        )
    weights = exact.astype(np.float32)
    return None if (weights == 1).all() else weights


def column_of(values: Sequence[Any]) -> npt.NDArray[Any]:
    """Array of objects; ``np.asarray`` would unpack tuples and convert mixed columns to strings."""
    if all(type(value) is int for value in values):
        return _whole(np.array(values, dtype=object))
    if all(type(value) is float for value in values):
        return np.asarray(values)
    column = np.empty(len(values), dtype=object)
    for row, value in enumerate(values):
        column[row] = value.item() if isinstance(value, np.generic) else value
    return _whole(column)


def _whole(column: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Converts a column of integers of any class to int64."""
    if all(isinstance(value, int) and not isinstance(value, bool) for value in column):
        try:
            return column.astype(np.int64)
        except OverflowError:
            return column
    return column
