"""Edges out of whatever the user has.

Every library's graph ends as the same four things: the nodes as the user's own objects, two arrays of row numbers, and
weights if edges have some. No library is imported for that; an object is recognised by where its class comes from.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Nodes = Sequence[Any] | npt.NDArray[Any]

#: Column names by which the ends and the weight of an edge are recognised, besides their order.
_SOURCES = ("source", "src", "from", "u")
_TARGETS = ("target", "dst", "to", "v")
_WEIGHTS = ("weight", "weights", "w")

_MOST_NODES = 2**32 - 1


class Edges(NamedTuple):
    """A graph on its way into the library."""

    nodes: Nodes
    sources: npt.NDArray[np.uint32]
    targets: npt.NDArray[np.uint32]
    weights: npt.NDArray[np.float32] | None


def edges_of(graph: Any, *, source: Any = None, target: Any = None, weight: Any = None) -> Edges:
    """The edges of a NetworkX, igraph or SciPy graph, of a frame, of an array or of a list of pairs."""
    origins = {cls.__module__.partition(".")[0] for cls in type(graph).__mro__}
    if "networkx" in origins:
        return _of_networkx(graph, "weight" if weight is None else weight)
    if "igraph" in origins:
        return _of_igraph(graph, "weight" if weight is None else weight)
    if "scipy" in origins:
        return _of_sparse(graph)
    if isinstance(graph, np.ndarray):
        return _of_array(graph)
    if origins & {"pandas", "polars", "pyarrow"}:
        return _of_frame(graph, source, target, weight)
    if hasattr(graph, "__arrow_c_stream__"):
        import pyarrow

        return _of_frame(pyarrow.table(graph), source, target, weight)
    if isinstance(graph, Iterable) and not isinstance(graph, str | bytes | dict):
        return _of_pairs(list(graph))
    raise TypeError(
        "expected a graph of NetworkX or igraph, a SciPy sparse matrix, a frame or array of edges, a list of pairs, a path "
        f"or the name of a public graph, found {type(graph).__name__}"
    )


def _of_networkx(graph: Any, weight: str) -> Edges:
    _warn_of_direction(graph.is_directed())
    nodes = list(graph)
    index = {node: row for row, node in enumerate(nodes)}
    count = graph.number_of_edges()
    ends = np.fromiter((index[end] for edge in graph.edges() for end in edge[:2]), np.uint32, 2 * count)
    weights = np.fromiter((data for *_, data in graph.edges(data=weight, default=1)), np.float32, count)
    return Edges(nodes, ends[::2].copy(), ends[1::2].copy(), None if (weights == 1).all() else weights)


def _of_igraph(graph: Any, weight: str) -> Edges:
    _warn_of_direction(graph.is_directed())
    ends = np.asarray(graph.get_edgelist(), dtype=np.uint32).reshape(-1, 2)
    nodes = graph.vs["name"] if "name" in graph.vs.attributes() else np.arange(graph.vcount())
    weights = np.asarray(graph.es[weight], np.float32) if weight in graph.es.attributes() else None
    return Edges(nodes, ends[:, 0].copy(), ends[:, 1].copy(), weights)


def _of_sparse(matrix: Any) -> Edges:
    if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"an adjacency matrix must be square, but its shape is {matrix.shape}")
    entries = matrix.tocsr().tocoo()  # by way of CSR, in which entries that are given twice are added
    if np.iscomplexobj(entries.data):
        raise ValueError("the weights of an adjacency matrix must be real, but are complex")
    rows, columns = entries.row.astype(np.uint32), entries.col.astype(np.uint32)
    return Edges(np.arange(matrix.shape[0]), rows, columns, _weights(entries.data))


def _of_array(array: npt.NDArray[Any]) -> Edges:
    if array.ndim != 2 or array.shape[1] not in (2, 3):
        hint = ""
        if array.ndim == 2 and array.shape[0] == 2:
            hint = "; transpose it"
        elif array.ndim == 2 and array.shape[0] == array.shape[1]:
            hint = "; give an adjacency matrix as scipy.sparse.csr_array"
        raise ValueError(
            f"an array of edges has a row `source, target[, weight]` for each, but its shape is {array.shape}{hint}"
        )
    weights = _weights(array[:, 2]) if array.shape[1] == 3 else None
    return _numbered(array[:, 0], array[:, 1], weights)


def _of_pairs(pairs: list[Any]) -> Edges:
    sizes = {len(pair) if isinstance(pair, Sequence | np.ndarray) else 0 for pair in pairs}
    if not sizes <= {2, 3} or len(sizes) > 1:
        raise ValueError("a list of edges holds pairs `(source, target)` or triples `(source, target, weight)`")
    columns = [_column(values) for values in zip(*pairs, strict=True)] or [np.empty(0, int)] * 2
    return _numbered(columns[0], columns[1], _weights(columns[2]) if len(columns) == 3 else None)


def _of_frame(frame: Any, source: Any, target: Any, weight: Any) -> Edges:
    frame = frame.collect() if hasattr(frame, "collect") else frame
    names = list(frame.column_names if hasattr(frame, "column_names") else frame.columns)
    for asked in (source, target, weight):
        if asked is not None and asked not in names:
            raise ValueError(f"there is no column {asked!r}; the columns are {', '.join(map(repr, names))}")
    if len(names) < 2:
        raise ValueError(f"a frame of edges needs a column for either end, but has {names}")

    def known(asked: Any, usual: tuple[str, ...]) -> Any:
        return asked if asked is not None else next((name for name in names if str(name).lower() in usual), None)

    source, target, weight = known(source, _SOURCES), known(target, _TARGETS), known(weight, _WEIGHTS)
    if source is None or target is None:
        rest = [name for name in names if name not in (source, target, weight)]
        source = rest.pop(0) if source is None else source
        target = rest.pop(0) if target is None and rest else target
    if target is None:
        raise ValueError(f"a frame of edges needs a column for either end, but has {names}")

    def column(name: Any) -> npt.NDArray[Any]:
        values = frame.column(name) if hasattr(frame, "column_names") else frame[name]
        try:
            return np.asarray(values.to_numpy())
        except (NotImplementedError, TypeError, ValueError):
            return _column(values.to_pylist() if hasattr(values, "to_pylist") else list(values))

    weights = None if weight is None else _weights(column(weight))
    return _numbered(column(source), column(target), weights)


def _numbered(sources: npt.NDArray[Any], targets: npt.NDArray[Any], weights: npt.NDArray[np.float32] | None) -> Edges:
    """Nodes in place of their names: numbers in their order, other names in the order in which they appear."""
    count = len(sources)
    nodes: Nodes
    ends = np.concatenate([_plain(sources), _plain(targets)]) if count else np.empty(0, int)
    if ends.dtype.kind in "iu":
        nodes, ids = _number_integers(ends)
    else:
        names = ends.tolist()
        missing = next((row for row, name in enumerate(names) if name is None or name != name), None)
        if missing is not None:
            raise ValueError(f"edge {missing % count} has no {'source' if missing < count else 'target'}")
        index: dict[Any, int] = {}
        ids = np.fromiter((index.setdefault(name, len(index)) for name in names), np.uint32, 2 * count)
        nodes = list(index)
    return Edges(nodes, ids[:count], ids[count:], weights)


def _number_integers(ends: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[np.uint32]]:
    """Distinct numbers in ascending order, and the place of each end among them."""
    if len(ends) and ends.min() >= 0 and ends.max() <= 4 * len(ends) + 1024:
        is_node = np.zeros(int(ends.max()) + 1, bool)
        is_node[ends] = True
        nodes = np.flatnonzero(is_node)
        places = np.cumsum(is_node, dtype=np.uint32) - np.uint32(1)
        return nodes.astype(ends.dtype), places[ends]
    nodes, ids = np.unique(ends, return_inverse=True)
    return nodes, ids.astype(np.uint32)


def _plain(names: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Whole numbers as integers, also where a missing weight elsewhere has made them floats; texts as objects."""
    if names.dtype.kind == "f" and np.isfinite(names).all() and (names == np.floor(names)).all():
        return names.astype(np.int64)
    return names if names.dtype.kind in "iu" else names.astype(object)


def _weights(values: npt.NDArray[Any]) -> npt.NDArray[np.float32] | None:
    try:
        weights = np.ascontiguousarray(values, dtype=np.float32)
    except (TypeError, ValueError):
        raise ValueError("weights must be numbers") from None
    return None if (weights == 1).all() else weights


def _column(values: Sequence[Any]) -> npt.NDArray[Any]:
    """A column of any objects; NumPy would look into those that are tuples, and make texts of numbers beside texts."""
    if all(type(value) is int for value in values) or all(type(value) is float for value in values):
        return np.asarray(values)
    column = np.empty(len(values), dtype=object)
    for row, value in enumerate(values):
        column[row] = value.item() if isinstance(value, np.generic) else value
    return _whole(column)


def _whole(column: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A column of nothing but integers, of whichever class, as such."""
    if all(isinstance(value, int) and not isinstance(value, bool) for value in column):
        try:
            return column.astype(np.int64)
        except OverflowError:
            return column
    return column


def _warn_of_direction(is_directed: bool) -> None:
    if is_directed:
        warnings.warn("the graph is directed; hycome takes its edges without their direction", stacklevel=5)
