"""Graphs."""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _hycome
from ._arrays import read_only
from ._columns import Nodes
from ._convert import Kind, Repeated, edges_of
from ._labels import labels_of, native_numbers
from ._settings import flag
from ._warnings import warn, warn_of_notes
from .plot import LabelDistribution

if TYPE_CHECKING:
    import networkx
    import scipy.sparse

logger = logging.getLogger("hycome")


class Graph:
    """An undirected simple graph whose nodes are the user's objects.

    Created by :func:`as_graph`, :meth:`read`, :func:`hycome.datasets.load` and :mod:`hycome.generate`. Self loops,
    repeated edges and edges of weight zero are removed and counted in :attr:`left_out`.
    """

    #: Name of the graph.
    name: str
    #: The nodes as given by the user; row ``i`` of every array belongs to ``nodes[i]``.
    nodes: Nodes

    def __init__(
        self,
        native: _hycome.Graph,
        nodes: Nodes,
        *,
        name: str = "graph",
        labels: _hycome.Labels | None = None,
        classes: Sequence[Any] | None = None,
    ) -> None:
        self._native = native
        self._labels = labels
        # The user's objects, in the order of the library's class names.
        self._classes = classes if classes is not None else None if labels is None else labels.names
        self.name = name
        self.nodes = read_only(nodes) if isinstance(nodes, np.ndarray) else nodes

    @classmethod
    def read(
        cls,
        path: str | os.PathLike[str],
        *,
        labels: Any = None,
        repeated: Repeated | None = None,
        header: bool | None = None,
    ) -> Graph:
        """Reads an edge list, GML, Matrix Market or MATLAB file, CSV folder or graph file, compressed or not.

        Nodes are integers if all names in the file are integers, else strings.

        Parameters
        ----------
        path : str or path
            The file or folder.
        labels : mapping, Series, sequence, array, frame or path, optional
            Classes of the nodes, in any form accepted by :meth:`with_labels`; by default those in the file.
        repeated : {'sum', 'max', 'first'}, optional
            How weights of repeated edges are combined; see :func:`as_graph`.
        header : bool, optional
            Whether the first line of an edge list is a header; see :func:`as_graph`.

        Returns
        -------
        Graph
            The graph.
        """
        parts = _hycome.read(os.fspath(path), repeated, None if header is None else flag("header", header))
        _warn(parts[1], repeated)
        return cls._of_parts(parts, labels)

    @classmethod
    def _of_parts(cls, parts: _hycome._Loaded, labels: Any = None) -> Graph:
        name, native, names, known, header = parts
        if header is not None:
            logger.info("%s: the first line was taken for a header: %s", name, header)
        graph = cls(native, nodes_of(names), name=name, labels=known)
        return graph if labels is None else graph.with_labels(labels)

    @classmethod
    def from_edges(
        cls,
        edges: Any,
        *,
        source: Any = None,
        target: Any = None,
        weight: Any = None,
        kind: Kind | None = None,
        repeated: Repeated | None = None,
        name: str = "graph",
    ) -> Graph:
        """Builds a graph from edges like :func:`as_graph`, with a choice of columns or attributes.

        Parameters
        ----------
        edges : object
            Any graph accepted by :func:`as_graph` except paths and names.
        source, target : hashable, optional
            Columns of a frame; by default those with a recognized name, else the first two.
        weight : hashable, optional
            Weight column of a frame, or edge attribute of a NetworkX or igraph graph; by default ``weight``.
        kind : {'edges', 'adjacency', 'edge_index'}, optional
            What an array or frame holds; see :func:`as_graph`.
        repeated : {'sum', 'max', 'first'}, optional
            How weights of repeated edges are combined; see :func:`as_graph`.
        name : str, default: 'graph'
            Name of the graph.

        Returns
        -------
        Graph
            The undirected simple graph.

        Examples
        --------
        >>> Graph.from_edges([("Ann", "Bob"), ("Bob", "Cid")], name="friends")
        <Graph friends: 3 nodes, 2 edges>
        """
        found = edges_of(edges, source=source, target=target, weight=weight, kind=kind)
        nodes, sources, targets, weights, direction = found[:5]
        columns, numbers = found.columns, None
        if not found.has_header:
            numbers = native_numbers(nodes)
            columns = None if numbers is None else columns
        native = _hycome.Graph.from_edges(len(nodes), sources, targets, weights, repeated, direction, columns, numbers)
        if found.is_asymmetric:
            warn("the graph is directed; hycome ignores the direction of edges")
        _warn(native, repeated)
        return cls(native, nodes, name=name)

    @property
    def node_count(self) -> int:
        """Number of nodes, including isolated ones."""
        return self._native.node_count

    @property
    def edge_count(self) -> int:
        """Number of undirected edges."""
        return self._native.edge_count

    @property
    def is_weighted(self) -> bool:
        """Whether the graph has edge weights."""
        return self._native.is_weighted

    @property
    def left_out(self) -> dict[str, int]:
        """Number of edges removed from the input, by reason."""
        return dict(zip(("self_loops", "repeats", "zero_weights"), self._native.left_out, strict=True))

    @cached_property
    def index(self) -> dict[Any, int]:
        """Row of each node."""
        nodes = self.nodes.tolist() if isinstance(self.nodes, np.ndarray) else self.nodes
        return {node: row for row, node in enumerate(nodes)}

    @cached_property
    def fingerprint(self) -> bytes:
        """Hash of the number of nodes, the edges and the weights; names and labels are not included."""
        digest = hashlib.blake2b(str(self.node_count).encode(), digest_size=16)
        digest.update(self.edges().tobytes())
        weights = self.weights()
        if weights is not None:
            digest.update(weights.tobytes())
        return digest.digest()

    @property
    def labels(self) -> list[Any] | None:
        """Class of each node, or ``None``; tuples of classes if some node has several.

        Classes are the objects given as labels; those read from a file are strings.
        """
        if self._labels is None or self._classes is None:
            return None
        names = self._classes
        starts, classes = self._labels.arrays()
        lists = [tuple(names[c] for c in classes[a:b]) for a, b in pairwise(starts)]
        if self._labels.is_multi_label:
            return list(lists)
        return [list_[0] if list_ else None for list_ in lists]

    @property
    def class_count(self) -> int | None:
        """Number of classes with at least one node; ``None`` if there are no labels."""
        return None if self._labels is None else self._labels.used_class_count

    def label_distribution(self) -> LabelDistribution:
        """Share of each class among the labels, as in the paper's figure.

        Returns
        -------
        LabelDistribution
            The shares, which notebooks show as a bar chart.

        Raises
        ------
        ValueError
            If no node has a label.

        Examples
        --------
        >>> as_graph("karate").label_distribution().shares
        {'Mr. Hi': 0.5, 'Officer': 0.5}
        """
        if self._labels is None or self._labels.used_class_count == 0:
            raise ValueError("the graph has no labels; `with_labels` adds them")
        return LabelDistribution(self._labels, self.name)

    def with_labels(self, labels: Any) -> Graph:
        """Returns the graph with these labels.

        Parameters
        ----------
        labels : mapping, Series, sequence, array, sparse matrix, frame or path
            One of: a mapping or a Series by name; a sequence in the order of the nodes, with ``None`` or NaN if the
            class is unknown and a tuple, list or set if a node has several classes; an array of one column; an
            indicator matrix of 0 and 1 with a column for each class; a frame with a column ``node``, ``node_id``,
            ``id``, ``name`` or ``vertex`` and a column ``label``, ``labels``, ``class``, ``community``, ``group`` or
            ``y`` (or a single other column); a label file.

        Returns
        -------
        Graph
            The labelled graph.

        Examples
        --------
        >>> as_graph([("Ann", "Bob"), ("Bob", "Cid")]).with_labels({"Ann": 1, "Cid": 2}).labels
        [1, None, 2]
        """
        return self._with_labels(labels, many_classes=True)

    def _with_labels(self, labels: Any, *, many_classes: bool) -> Graph:
        """Adds labels; ``many_classes`` permits label files with almost as many classes as nodes."""
        native, classes = labels_of(labels, self.nodes, many_classes=many_classes)
        return Graph(self._native, self.nodes, name=self.name, labels=native, classes=classes)

    def largest_component(self) -> Graph:
        """Subgraph of the largest connected component.

        Returns
        -------
        Graph
            The subgraph, with the names and labels of its nodes.

        Examples
        --------
        >>> as_graph([(1, 2), (3, 4), (4, 5)]).largest_component().nodes
        array([3, 4, 5])
        """
        return self._induced(self._native.largest_component())

    def subgraph(self, nodes: Sequence[Any]) -> Graph:
        """Induced subgraph of these nodes, in this order.

        Parameters
        ----------
        nodes : sequence
            Distinct nodes of the graph.

        Returns
        -------
        Graph
            The subgraph, with the names and labels of its nodes.

        Examples
        --------
        >>> as_graph([(1, 2), (2, 3), (3, 1)]).subgraph([3, 1])
        <Graph graph: 2 nodes, 1 edges>
        """
        unknown = next((node for node in nodes if node not in self.index), None)
        if unknown is not None:
            raise ValueError(f"{unknown!r} is not a node of the graph")
        return self._induced(np.fromiter((self.index[node] for node in nodes), np.uint32, len(nodes)))

    def _induced(self, rows: npt.NDArray[np.uint32]) -> Graph:
        nodes = self.nodes[rows] if isinstance(self.nodes, np.ndarray) else [self.nodes[row] for row in rows]
        labels = None if self._labels is None else self._labels.subset(rows)
        return Graph(self._native.induced(rows), nodes, name=self.name, labels=labels, classes=self._classes)

    def unweighted(self) -> Graph:
        """Returns the graph without edge weights.

        Returns
        -------
        Graph
            The graph.
        """
        native = self._native.unweighted()
        return Graph(native, self.nodes, name=self.name, labels=self._labels, classes=self._classes)

    def degrees(self) -> npt.NDArray[np.uint64]:
        """Number of neighbours of each node.

        Returns
        -------
        ndarray, shape (node_count,)
            Degrees in the order of :attr:`nodes`.
        """
        return self._native.degrees()

    def edges(self) -> npt.NDArray[np.uint32]:
        """All edges, each listed once.

        Returns
        -------
        ndarray, shape (edge_count, 2)
            Ends of each edge, as indices into :attr:`nodes`.
        """
        return self._native.edges()

    def weights(self) -> npt.NDArray[np.float32] | None:
        """Edge weights.

        Returns
        -------
        ndarray, shape (edge_count,) or None
            Weights in the order of :meth:`edges`; ``None`` if all are one.
        """
        return self._native.weights()

    def to_networkx(self) -> networkx.Graph:
        """Converts to NetworkX, with the node attribute ``label`` and the edge attribute ``weight``.

        Returns
        -------
        networkx.Graph
            The graph.
        """
        import networkx

        graph = networkx.Graph(name=self.name)
        nodes = self.nodes.tolist() if isinstance(self.nodes, np.ndarray) else self.nodes
        labels = self.labels
        graph.add_nodes_from(nodes if labels is None else zip(nodes, ({"label": x} for x in labels), strict=True))
        pairs = [(nodes[u], nodes[v]) for u, v in self.edges()]
        weights = self.weights()
        if weights is None:
            graph.add_edges_from(pairs)
        else:
            graph.add_weighted_edges_from((u, v, float(w)) for (u, v), w in zip(pairs, weights, strict=True))
        return graph

    def to_scipy(self) -> scipy.sparse.csr_array:
        """Converts to a symmetric sparse adjacency matrix.

        Returns
        -------
        scipy.sparse.csr_array
            The matrix, with rows in the order of :attr:`nodes`.
        """
        import scipy.sparse

        edges, weights = self.edges(), self.weights()
        data = np.ones(len(edges), np.float32) if weights is None else weights
        shape = (self.node_count, self.node_count)
        half = scipy.sparse.coo_array((data, (edges[:, 0], edges[:, 1])), shape=shape)
        matrix: scipy.sparse.csr_array = (half + half.T).tocsr()
        return matrix

    def __len__(self) -> int:
        return self.node_count

    def __repr__(self) -> str:
        classes = "" if self.class_count is None else f", {self.class_count} classes"
        return f"<Graph {self.name}: {self.node_count} nodes, {self.edge_count} edges{classes}>"

    def __getstate__(self) -> dict[str, Any]:
        labels = None if self._labels is None else (self._labels.names, *self._labels.arrays())
        edges = self.edges()
        state = {"name": self.name, "nodes": self.nodes, "edges": edges, "weights": self.weights(), "labels": labels}
        return {**state, "classes": self._classes}

    def __setstate__(self, state: dict[str, Any]) -> None:
        edges = state["edges"]
        sources, targets = edges[:, 0].copy(), edges[:, 1].copy()
        native = _hycome.Graph.from_edges(len(state["nodes"]), sources, targets, state["weights"])
        labels = None if state["labels"] is None else _hycome.Labels(*state["labels"])
        classes = state.get("classes")
        self.__init__(native, state["nodes"], name=state["name"], labels=labels, classes=classes)  # type: ignore[misc]

    def __copy__(self) -> Graph:
        return self  # immutable

    def __deepcopy__(self, memo: dict[int, Any]) -> Graph:
        return self


def as_graph(
    graph: Any, *, kind: Kind | None = None, repeated: Repeated | None = None, header: bool | None = None
) -> Graph:
    """Converts an object to a graph.

    Parameters
    ----------
    graph : object
        A NetworkX or igraph graph, NetworkX edges such as ``G.edges(data=True)``, a SciPy sparse matrix, a pandas,
        Polars or Arrow frame, a NumPy array, a list of pairs or triples, a path, the name of a public graph, or a
        result of :mod:`hycome.generate`. The columns of a frame are recognized by name (``source``, ``target``,
        ``weight``), else the first two are used; a pandas frame whose rows and columns have the same names is an
        adjacency matrix.
    kind : {'edges', 'adjacency', 'edge_index'}, optional
        What an array or frame holds: ``"edges"``, rows ``source, target[, weight]``; ``"adjacency"``, a square matrix
        of weights; ``"edge_index"``, a row of sources and a row of targets, as in PyTorch Geometric. By default edges;
        an ambiguous shape is an error.
    repeated : {'sum', 'max', 'first'}, optional
        How weights of repeated edges are combined: ``"sum"``, the default, which counts rows without weights;
        ``"max"``, the default of public graphs; or ``"first"``. An edge listed once per direction is not repeated.
    header : bool, optional
        Whether the first line of an edge list in a file is a header; detected by default.

    Returns
    -------
    Graph
        The undirected simple graph.

    Warns
    -----
    UserWarning
        If edges are directed, repeated, self loops or of weight zero, if weights look like timestamps, or if the
        columns of a table seem to hold different kinds of nodes with overlapping ids.

    Examples
    --------
    >>> as_graph([("Ann", "Bob"), ("Bob", "Cid"), ("Cid", "Ann")])
    <Graph graph: 3 nodes, 3 edges>
    """
    from . import datasets

    if isinstance(graph, Graph):
        return graph
    if isinstance(getattr(graph, "graph", None), Graph):
        return graph.graph  # type: ignore[no-any-return]
    if isinstance(graph, str):
        return datasets.load_or_read(graph, repeated, header)
    if isinstance(graph, os.PathLike):
        return Graph.read(graph, repeated=repeated, header=header)
    return Graph.from_edges(graph, kind=kind, repeated=repeated)


def _warn(native: _hycome.Graph, repeated: Repeated | None) -> None:
    """Warns about assumptions of the reader, and about merged and removed edges."""
    # Headers are logged instead; repeated edges are expected if the caller chose how to combine them.
    warn_of_notes(native.notes, ("header",) if repeated is None else ("header", "repeated_edges"))


def nodes_of(names: _hycome.Names) -> Nodes:
    """Converts names from a file to nodes: integers if all of them are, else strings."""
    numbers = names.numbers()
    if numbers is None:
        return names.texts()
    is_small = len(numbers) == 0 or numbers.max() <= np.iinfo(np.int64).max
    return numbers.view(np.int64) if is_small else numbers
