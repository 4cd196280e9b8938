"""Labels in two-dimensional tables.

=========================================  ============================================================
table                                      interpretation
=========================================  ============================================================
one column                                 one class per node, like a vector or Series
several columns of 0 and 1 (or booleans)   an indicator matrix with one column per class
frame with a column ``node``, ``node_id``, one class per row, for the node named in the row; a node in several
``id``, ``name`` or ``vertex``             rows has several classes
=========================================  ============================================================

Anything else is an error: reading every nonzero number as membership would misinterpret columns of class ids.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import is_missing

_NODES = ("node", "node_id", "id", "name", "vertex")
_CLASSES = ("label", "labels", "class", "community", "group", "y")


def is_table(labels: Any) -> bool:
    """Whether labels are a frame, a matrix, or an array of two or more dimensions."""
    return _is_frame(labels) or hasattr(labels, "tocsr") or getattr(labels, "ndim", 1) > 1


def lists_of_table(table: Any, what: str) -> Any:
    """Converts a table to a mapping or Series by node, or to a list in the order of the nodes."""
    if hasattr(table, "tocsr"):
        return _of_sparse(table.tocsr(), what)
    if _is_frame(table):
        return _of_frame(table, what)
    is_masked = np.ma.is_masked(table)
    array = table if is_masked else np.asarray(table)
    if array.ndim == 2 and array.shape[1] == 1:
        return array[:, 0].tolist()
    if is_masked:
        raise ValueError(f"`{what}` of several columns must have no masked entries")
    return _of_indicators(array, range(array.shape[-1]), what)


def _is_frame(labels: Any) -> bool:
    return hasattr(labels, "columns") and getattr(labels, "ndim", 2) == 2


def _of_frame(frame: Any, what: str) -> Any:
    frame = frame.collect() if hasattr(frame, "collect") else frame
    names = list(frame.column_names if hasattr(frame, "column_names") else frame.columns)

    def column(name: Any) -> Any:
        return frame.column(name) if hasattr(frame, "column_names") else frame[name]

    def values(name: Any) -> list[Any]:
        found = column(name)
        return list(found.to_pylist() if hasattr(found, "to_pylist") else found.to_list())

    node = next((name for name in names if str(name).lower() in _NODES), None)
    if node is not None and len(names) > 1:
        others = [name for name in names if name != node]
        label = next((name for name in others if str(name).lower() in _CLASSES), others[0])
        if len(others) > 1 and str(label).lower() not in _CLASSES:
            raise ValueError(
                f"`{what}` is a frame with the node column {node!r}, so one other column must be called "
                f"{', '.join(map(repr, _CLASSES))}, but there are {', '.join(map(repr, others))}"
            )
        return _by_node(values(node), values(label))
    if not names:
        raise ValueError(f"`{what}` is a frame without columns")
    is_pandas = hasattr(frame, "iloc")
    if len(names) == 1:
        return frame.iloc[:, 0] if is_pandas else values(names[0])
    lists = _of_indicators(np.stack([np.asarray(column(name)) for name in names], axis=1), names, what)
    return type(frame.iloc[:, 0])(lists, index=frame.index, dtype=object) if is_pandas else lists


def _by_node(nodes: list[Any], labels: list[Any]) -> dict[Any, list[Any]]:
    found: dict[Any, list[Any]] = {}
    for node, label in zip(nodes, labels, strict=True):
        of_node = found.setdefault(node, [])
        if not is_missing(label):
            of_node.append(label)
    return found


def _of_indicators(table: npt.NDArray[Any], classes: Any, what: str) -> list[list[Any]]:
    if table.ndim != 2 or table.shape[1] < 2:
        raise ValueError(
            f"`{what}` must be a vector, or a table with a column for each class, but its shape is {table.shape}"
        )
    _check_binary(table, what)
    return [[classes[column] for column in np.flatnonzero(row)] for row in table.astype(bool)]


def _of_sparse(matrix: Any, what: str) -> list[list[int]]:
    _check_binary(matrix.data, what)
    if matrix.shape[1] < 2:
        raise ValueError(f"`{what}` must have a column for each class, but its shape is {matrix.shape}")
    matrix.eliminate_zeros()
    ends = zip(matrix.indptr, matrix.indptr[1:], strict=False)
    return [matrix.indices[start:end].tolist() for start, end in ends]


def _check_binary(table: npt.NDArray[Any], what: str) -> None:
    if table.dtype.kind in "biuf" and np.isin(table, (0, 1)).all():
        return
    for entry in table.ravel().tolist():
        if not (isinstance(entry, bool | int | float) and entry in (0, 1)):
            raise ValueError(
                f"`{what}` of several columns must be an indicator matrix of 0 and 1 with a column for each class, but "
                f"has the entry {entry!r}; give a vector with the class of each node, or a frame with the columns "
                "'node' and 'label'"
            )
