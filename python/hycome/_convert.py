"""Extracts edges from the graph types of other libraries.

Every input becomes the same :class:`Edges`: the nodes as the user's objects, arrays of source and target indices,
optional weights, and whether edges are directed. Libraries are not imported; objects are recognized by the module of
their class.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from numbers import Real
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from ._arrays import is_missing, refuse_masked
from ._columns import Nodes, column_of, numbered, weights_of

#: Interpretation of an array or a frame whose shape is ambiguous.
Kind = Literal["edges", "adjacency", "edge_index"]
_KINDS = ("edges", "adjacency", "edge_index")

#: How weights of repeated edges are combined.
Repeated = Literal["sum", "max", "first"]

#: Direction of edges; if unknown, a pair in both orders may be one undirected edge listed twice.
Direction = Literal["unknown", "undirected", "directed"]

#: Recognized column names.
_SOURCES = ("source", "src", "from", "u")
_TARGETS = ("target", "dst", "to", "v")
_WEIGHTS = ("weight", "weights", "w")

#: Default column names of pandas, Polars and Arrow.
_POSITION = re.compile(r"(column_|f)?\d+")

_EXPECTED = (
    "expected a graph of NetworkX or igraph, a SciPy sparse matrix, a frame or array of edges, a list of pairs, a path "
    "or the name of a public graph"
)


class Edges(NamedTuple):
    """Edges of a graph, with indices into its nodes."""

    nodes: Nodes
    sources: npt.NDArray[np.uint32]
    targets: npt.NDArray[np.uint32]
    weights: npt.NDArray[np.float32] | None
    direction: Direction = "unknown"
    #: Whether the input is directed; directions are ignored.
    is_asymmetric: bool = False
    #: Names of the two columns of an edge table; ``None`` for a graph or matrix.
    columns: tuple[str, str] | None = None
    #: Whether these names are a header rather than positions.
    has_header: bool = False


def edges_of(
    graph: Any, *, source: Any = None, target: Any = None, weight: Any = None, kind: Kind | None = None
) -> Edges:
    """Edges of a NetworkX, igraph or SciPy graph, a frame, an array or a list of pairs."""
    if kind is not None and kind not in _KINDS:
        raise ValueError(f"`kind` must be one of {', '.join(map(repr, _KINDS))} or None, but is {kind!r}")
    attribute = "weight" if weight is None else weight
    origins = {cls.__module__.partition(".")[0] for cls in type(graph).__mro__}
    if "networkx" in origins and hasattr(graph, "is_directed"):
        return _of_networkx(graph, attribute)
    if "networkx" in origins and "Edge" in type(graph).__name__:
        is_directed = type(graph).__name__.startswith(("Out", "In"))  # OutEdgeView, InEdgeView; undirected: EdgeView
        edges = _of_pairs(_pairs_of_view(graph, attribute), attribute, "edges")
        return edges._replace(
            direction="directed" if is_directed else "undirected", is_asymmetric=is_directed, columns=None
        )
    if "igraph" in origins and hasattr(graph, "is_directed"):
        return _of_igraph(graph, attribute)
    if "scipy" in origins and hasattr(graph, "tocoo"):
        return _of_sparse(graph)
    if isinstance(graph, np.ndarray):
        return _of_array(graph, kind)
    if origins & {"pandas", "polars", "pyarrow"}:
        if not hasattr(type(graph), "columns"):
            raise TypeError(
                f"{_EXPECTED}, found {type(graph).__name__}; give a frame with the columns source and target"
            )
        return _of_frame(graph, source, target, weight, kind)
    if hasattr(graph, "__arrow_c_stream__"):
        import pyarrow

        return _of_frame(pyarrow.table(graph), source, target, weight, kind)
    if hasattr(graph, "__array__"):
        return _of_array(np.asarray(graph), kind)  # for example a tensor
    is_other = isinstance(graph, str | bytes | Mapping) or origins & {"networkx", "igraph"}
    if isinstance(graph, Iterable) and not is_other:
        return _of_pairs(list(graph), attribute, kind)
    raise TypeError(f"{_EXPECTED}, found {type(graph).__name__}")


def _of_networkx(graph: Any, weight: str) -> Edges:
    nodes = list(graph)
    missing = next((node for node in nodes if is_missing(node)), None)
    if missing is not None:
        raise ValueError(f"nodes must have names, but one of the graph is {missing!r}")
    index = {node: row for row, node in enumerate(nodes)}
    count = graph.number_of_edges()
    ends = np.fromiter((index[end] for edge in graph.edges() for end in edge[:2]), np.uint32, 2 * count)
    weights = weights_of([data for *_, data in graph.edges(data=weight, default=1)])
    is_directed = graph.is_directed()
    direction: Direction = "directed" if is_directed else "undirected"
    return Edges(nodes, ends[::2].copy(), ends[1::2].copy(), weights, direction, is_directed)


def _pairs_of_view(view: Any, weight: str) -> list[Any]:
    """Edges of a view such as ``G.edges`` or ``G.edges(data=True)``."""
    if hasattr(view, "data"):
        return list(view.data(weight, default=1))  # `G.edges`, which iterates over keys in a multigraph
    if getattr(view, "keys", False) is True:
        raise ValueError("edge keys are not weights; give the graph itself, or edges(data=True)")
    return list(view)


def _of_igraph(graph: Any, weight: str) -> Edges:
    ends = np.asarray(graph.get_edgelist(), dtype=np.uint32).reshape(-1, 2)
    nodes: Nodes = np.arange(graph.vcount())
    if "name" in graph.vs.attributes():
        nodes = graph.vs["name"]
        _check_distinct(nodes)
    weights = weights_of(graph.es[weight]) if weight in graph.es.attributes() else None
    is_directed = graph.is_directed()
    direction: Direction = "directed" if is_directed else "undirected"
    return Edges(nodes, ends[:, 0].copy(), ends[:, 1].copy(), weights, direction, is_directed)


def _check_distinct(names: Iterable[Any]) -> None:
    seen = set()
    for vertex, name in enumerate(names):
        if is_missing(name):
            raise ValueError(f"vertex {vertex} has no name; name all of them, or delete the attribute to use numbers")
        if name in seen:
            raise ValueError(
                f"two vertices are called {name!r}; rename one, or delete the attribute 'name' to use numbers"
            )
        seen.add(name)


def _of_sparse(matrix: Any) -> Edges:
    if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"an adjacency matrix must be square, but its shape is {matrix.shape}")
    entries = matrix.tocoo()
    if np.iscomplexobj(entries.data):
        raise ValueError("the weights of an adjacency matrix must be real, but are complex")
    rows, columns = entries.row.astype(np.uint32), entries.col.astype(np.uint32)
    summed = matrix.tocsr()
    is_asymmetric = bool((summed != summed.T).nnz)
    return Edges(
        np.arange(matrix.shape[0]), rows, columns, weights_of(entries.data), _direction(is_asymmetric), is_asymmetric
    )


def _of_adjacency(array: npt.NDArray[Any], nodes: Nodes) -> Edges:
    """Edges of a dense adjacency matrix; zero and NaN mean no edge, as in NetworkX."""
    if array.ndim != 2 or array.shape[0] != array.shape[1]:
        raise ValueError(f"an adjacency matrix must be square, but its shape is {array.shape}")
    if array.dtype.kind not in "biuf":
        try:
            array = array.astype(np.float64)
        except (TypeError, ValueError):
            raise ValueError("the entries of an adjacency matrix must be numbers") from None
    entries = np.nan_to_num(array, nan=0.0, posinf=np.inf, neginf=-np.inf)
    rows, columns = (ends.astype(np.uint32) for ends in np.nonzero(entries))
    is_asymmetric = not np.array_equal(entries, entries.T)
    weights = weights_of(entries[rows, columns])
    return Edges(nodes, rows, columns, weights, _direction(is_asymmetric), is_asymmetric)


def _direction(is_asymmetric: bool) -> Direction:
    return "directed" if is_asymmetric else "unknown"


def _of_array(array: npt.NDArray[Any], kind: Kind | None) -> Edges:
    refuse_masked(array, "graph")
    array = np.asarray(array)  # a matrix keeps its columns two-dimensional
    kind = kind or _kind_of(array)
    if kind == "adjacency":
        return _of_adjacency(array, np.arange(len(array)))
    if kind == "edge_index":
        if array.ndim != 2 or array.shape[0] != 2:
            raise ValueError(f"an edge index has two rows, sources and targets, but its shape is {array.shape}")
        return _of_ends(array[0], array[1], None, ("row 1", "row 2"))
    if array.ndim != 2 or array.shape[1] not in (2, 3):
        raise ValueError(
            f"an array of edges has a row `source, target[, weight]` for each, but its shape is {array.shape}"
        )
    return _of_ends(array[:, 0], array[:, 1], weights_of(array[:, 2]) if array.shape[1] == 3 else None)


def _kind_of(array: npt.NDArray[Any]) -> Kind:
    """Infers what an array holds from its shape; an ambiguous shape is an error that names the choices."""
    rows, columns = array.shape if array.ndim == 2 else (0, 0)
    could_be: list[Kind] = ["edges"] if columns in (2, 3) else []
    if (rows == 2 or rows == columns) and _are_numbers(array):
        could_be += ["adjacency"] if rows == columns and rows else []
        could_be += ["edge_index"] if rows == 2 else []
    if could_be == ["edges"]:
        return "edges"
    hint = f"; specify kind={' or kind='.join(map(repr, could_be))}" if could_be else ""
    raise ValueError(
        "an array of edges has a row `source, target[, weight]` for each, but the array has the shape "
        f"{array.shape}{hint}"
    )


def _are_numbers(array: npt.NDArray[Any]) -> bool:
    return array.dtype.kind in "biuf" or (array.dtype.kind == "O" and all(isinstance(x, Real) for x in array.flat))


def _of_pairs(pairs: list[Any], weight: str, kind: Kind | None) -> Edges:
    if kind in ("adjacency", "edge_index") or (kind is None and _is_nested_array(pairs)):
        return _of_array(np.asarray(pairs), kind)
    sizes = {len(pair) if _is_pair(pair) else 0 for pair in pairs}
    if not sizes <= {2, 3} or len(sizes) > 1:
        raise ValueError("a list of edges holds pairs `(source, target)` or triples `(source, target, weight)`")
    columns = [list(values) for values in zip(*pairs, strict=True)]
    if not columns:
        return _of_ends(np.empty(0, int), np.empty(0, int), None)
    weights = None
    if len(columns) == 3:
        weights = weights_of([value.get(weight, 1) if isinstance(value, Mapping) else value for value in columns[2]])
    return _of_ends(column_of(columns[0]), column_of(columns[1]), weights)


def _is_pair(pair: Any) -> bool:
    return isinstance(pair, tuple | list | np.ndarray)


def _is_nested_array(rows: list[Any]) -> bool:
    """Whether rows of numbers could be an adjacency matrix or edge index; tuples are always edges."""
    if not rows or not all(isinstance(row, list | np.ndarray) and np.ndim(row) == 1 for row in rows):
        return False
    widths = {len(row) for row in rows}
    is_ambiguous = len(widths) == 1 and (len(rows) == 2 or widths == {len(rows)})
    return is_ambiguous and all(isinstance(entry, Real) for row in rows for entry in row)


def _of_frame(frame: Any, source: Any, target: Any, weight: Any, kind: Kind | None) -> Edges:
    frame = frame.collect() if hasattr(frame, "collect") else frame
    names = list(frame.column_names if hasattr(frame, "column_names") else frame.columns)

    def known(asked: Any, usual: tuple[str, ...]) -> Any:
        return asked if asked is not None else next((name for name in names if str(name).lower() in usual), None)

    def column(name: Any) -> npt.NDArray[Any]:
        values = frame.column(name) if hasattr(frame, "column_names") else frame[name]
        try:
            return np.asarray(values.to_numpy())
        except (NotImplementedError, TypeError, ValueError):
            return column_of(values.to_pylist() if hasattr(values, "to_pylist") else list(values))

    for asked in (source, target, weight):
        if asked is not None and asked not in names:
            raise ValueError(f"there is no column {asked!r}; the columns are {', '.join(map(repr, names))}")
    if source is None and target is None:
        order = _adjacency_order(frame, names, column, kind)
        if order is not None:
            return _of_adjacency(np.stack([column(name) for name in order], axis=1), order)
    if kind == "edge_index":
        raise ValueError(
            "a frame holds edges or an adjacency matrix, but `kind` is 'edge_index'; give its values as an array"
        )
    source, target, weight = known(source, _SOURCES), known(target, _TARGETS), known(weight, _WEIGHTS)
    if source is None or target is None:
        rest = [name for name in names if name not in (source, target, weight)]
        source = rest.pop(0) if source is None and rest else source
        target = rest.pop(0) if target is None and rest else target
    if source is None or target is None:
        raise ValueError(f"a frame of edges needs a column for either end, but has {names}")
    weights = None if weight is None else weights_of(column(weight))
    columns = (str(source), str(target))
    has_header = not any(_POSITION.fullmatch(name) for name in columns)
    return _of_ends(column(source), column(target), weights, columns, has_header)


def _adjacency_order(
    frame: Any, names: list[Any], column: Callable[[Any], npt.NDArray[Any]], kind: Kind | None
) -> list[Any] | None:
    """Row names of a frame that is an adjacency matrix (rows and columns have the same names); else ``None``.

    Row names are the pandas index, or a first column in addition to those of the matrix. A numeric frame whose shape
    fits an adjacency matrix or an edge index is rejected as ambiguous unless its columns are named like those of edges.
    """
    if kind in ("edges", "edge_index"):
        return None
    count = len(frame) if hasattr(frame, "__len__") else frame.num_rows
    index = list(frame.index) if hasattr(frame, "iloc") else None
    if len(names) == count + 1 and count > 1:
        first = list(column(names[0]).tolist())
        if set(first) == set(names[1:]):
            return first
    is_square = count == len(names) and count > 1
    if kind == "adjacency":
        if index is not None and set(index) != set(names):
            raise ValueError("an adjacency frame must have the same names for its rows and columns")
        return names if index is None else index
    if any(str(name).lower() in _SOURCES + _TARGETS + _WEIGHTS for name in names):
        return None
    are_positions = all(_POSITION.fullmatch(str(name)) for name in names)
    if is_square and index is not None and set(names) == set(index) and not (are_positions and count <= 3):
        return index
    may_be_index = are_positions and count == 2 and len(names) > 2
    if (is_square or may_be_index) and all(column(name).dtype.kind in "biuf" for name in names):
        other = "an edge index" if may_be_index else "an adjacency matrix"
        hint = "kind='edges', or give its values as an array" if may_be_index else "kind='edges' or kind='adjacency'"
        raise ValueError(
            f"the frame has {count} rows and {len(names)} columns, so it may hold edges or {other}; specify {hint}"
        )
    return None


def _of_ends(
    sources: npt.NDArray[Any],
    targets: npt.NDArray[Any],
    weights: npt.NDArray[np.float32] | None,
    columns: tuple[str, str] = ("column 1", "column 2"),
    has_header: bool = False,
) -> Edges:
    nodes, sources, targets = numbered(sources, targets)
    return Edges(nodes, sources, targets, weights, columns=columns, has_header=has_header)
