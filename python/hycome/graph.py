"""The graph that everything else works on."""

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

if TYPE_CHECKING:
    import networkx
    import scipy.sparse

logger = logging.getLogger("hycome")


class Graph:
    """An undirected simple graph whose nodes keep the user's own names.

    Made by :func:`as_graph` out of almost anything, by :meth:`read` out of files, by :func:`hycome.datasets.load` and by
    :mod:`hycome.generate`. Self loops, repeats and edges of weight zero are left out, and counted in :attr:`left_out`.
    """

    #: What the graph is called.
    name: str
    #: The nodes, as the user gave them: row ``i`` of every table belongs to ``nodes[i]``.
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
        # The caller's own objects in the place of the library's names.
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
        """Reads an edge list, GML, Matrix Market, MATLAB file, CSV folder or graph file, compressed or not.

        Nodes are numbers if all names in the file are numbers, else text.

        Parameters
        ----------
        path : str or path
            The file or folder.
        labels : mapping, Series, sequence, array, frame or path, optional
            Classes of the nodes, as :meth:`with_labels` takes them; by default those in the file.
        repeated : {'sum', 'max', 'first'}, optional
            How weights of repeated edges are combined, as :func:`as_graph` has it.
        header : bool, optional
            Whether the first line of an edge list is a header, as :func:`as_graph` has it.

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
        """Makes a graph out of edges, as :func:`as_graph` does, with a choice of columns or attributes.

        Parameters
        ----------
        edges : object
            Whatever :func:`as_graph` takes, except paths and names.
        source, target : hashable, optional
            Columns of a frame; by default found by their names, else the first two.
        weight : hashable, optional
            The column of weights, or the edge attribute of a NetworkX or igraph graph; by default ``weight``.
        kind : {'edges', 'adjacency', 'edge_index'}, optional
            What an array or frame holds, as :func:`as_graph` has it.
        repeated : {'sum', 'max', 'first'}, optional
            How weights of repeated edges are combined, as :func:`as_graph` has it.
        name : str, default: 'graph'
            The name of the graph.

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
            warn("the graph is directed; hycome takes its edges without their direction")
        _warn(native, repeated)
        return cls(native, nodes, name=name)

    @property
    def node_count(self) -> int:
        """Number of nodes, isolated ones included."""
        return self._native.node_count

    @property
    def edge_count(self) -> int:
        """Number of undirected edges."""
        return self._native.edge_count

    @property
    def is_weighted(self) -> bool:
        """Whether edges carry weights."""
        return self._native.is_weighted

    @property
    def left_out(self) -> dict[str, int]:
        """What of the edges that were given is not in the graph."""
        return dict(zip(("self_loops", "repeats", "zero_weights"), self._native.left_out, strict=True))

    @cached_property
    def index(self) -> dict[Any, int]:
        """The position of each node."""
        nodes = self.nodes.tolist() if isinstance(self.nodes, np.ndarray) else self.nodes
        return {node: row for row, node in enumerate(nodes)}

    @cached_property
    def fingerprint(self) -> bytes:
        """Digest of the nodes' number, the edges and the weights; names and labels do not enter."""
        digest = hashlib.blake2b(str(self.node_count).encode(), digest_size=16)
        digest.update(self.edges().tobytes())
        weights = self.weights()
        if weights is not None:
            digest.update(weights.tobytes())
        return digest.digest()

    @property
    def labels(self) -> list[Any] | None:
        """The class of each node, ``None`` where it has none; tuples of classes where some node has several.

        Classes are the objects that were given as labels; out of a file they are texts.
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
        """Number of classes that have a node, if classes are known."""
        return None if self._labels is None else self._labels.used_class_count

    def with_labels(self, labels: Any) -> Graph:
        """The same graph with these classes.

        Parameters
        ----------
        labels : mapping, Series, sequence, array, sparse matrix, frame or path
            One of these: a mapping or a Series by name; a sequence in the order of the nodes, with ``None`` or NaN where the class is
            unknown and a tuple, list or set where a node has several classes; an array of one column; an indicator matrix of 0
            and 1 with a column for each class; a frame with a column ``node``, ``node_id``, ``id``, ``name`` or ``vertex`` and
            one called ``label``, ``labels``, ``class``, ``community``, ``group`` or ``y`` (or a single other one); a label file.

        Returns
        -------
        Graph
            The graph with its labels.

        Examples
        --------
        >>> as_graph([("Ann", "Bob"), ("Bob", "Cid")]).with_labels({"Ann": 1, "Cid": 2}).labels
        [1, None, 2]
        """
        return self._with_labels(labels, many_classes=True)

    def _with_labels(self, labels: Any, *, many_classes: bool) -> Graph:
        """The same graph with these classes; a label file may have a class for almost every node only if ``many_classes``."""
        native, classes = labels_of(labels, self.nodes, many_classes=many_classes)
        return Graph(self._native, self.nodes, name=self.name, labels=native, classes=classes)

    def largest_component(self) -> Graph:
        """The subgraph of the largest connected component.

        Returns
        -------
        Graph
            The graph, with the names and classes of its nodes.

        Examples
        --------
        >>> as_graph([(1, 2), (3, 4), (4, 5)]).largest_component().nodes
        array([3, 4, 5])
        """
        return self._induced(self._native.largest_component())

    def subgraph(self, nodes: Sequence[Any]) -> Graph:
        """The induced subgraph of some nodes, in their order.

        Parameters
        ----------
        nodes : sequence
            Nodes of the graph, each once.

        Returns
        -------
        Graph
            The graph, with the names and classes of its nodes.

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
        """The same graph with every edge of weight one.

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
            The degrees in the order of :attr:`nodes`.
        """
        return self._native.degrees()

    def edges(self) -> npt.NDArray[np.uint32]:
        """Each edge once.

        Returns
        -------
        ndarray, shape (edge_count, 2)
            The ends of each edge, as positions in :attr:`nodes`.
        """
        return self._native.edges()

    def weights(self) -> npt.NDArray[np.float32] | None:
        """The weights of :meth:`edges`.

        Returns
        -------
        ndarray, shape (edge_count,) or None
            The weights in the order of :meth:`edges`; ``None`` if all are one.
        """
        return self._native.weights()

    def to_networkx(self) -> networkx.Graph:
        """Converts to NetworkX, with classes as the node attribute ``label`` and weights as the edge attribute ``weight``.

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
        """Converts to a symmetric adjacency matrix.

        Returns
        -------
        scipy.sparse.csr_array
            The matrix, rows in the order of :attr:`nodes`.
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
        return self  # it never changes

    def __deepcopy__(self, memo: dict[int, Any]) -> Graph:
        return self


def as_graph(graph: Any, *, kind: Kind | None = None, repeated: Repeated | None = None, header: bool | None = None) -> Graph:
    """The graph that an object holds.

    Parameters
    ----------
    graph : object
        A graph of NetworkX or igraph, edges of NetworkX such as ``G.edges(data=True)``, a SciPy sparse matrix, a pandas, Polars or
        Arrow frame, a NumPy array, a list of pairs or triples, a path, the name of a public graph, or what :mod:`hycome.generate`
        made. The columns of a frame are found by their names (``source``, ``target``, ``weight``), else its first two are
        taken; a pandas frame whose columns are called what its rows are is an adjacency matrix.
    kind : {'edges', 'adjacency', 'edge_index'}, optional
        What an array or frame holds: ``"edges"``, a row ``source, target[, weight]`` for each; ``"adjacency"``, a square matrix of
        weights; ``"edge_index"``, a row of sources and a row of targets, as PyTorch Geometric has it. By default edges,
        unless the shape could be that of something else, which is refused.
    repeated : {'sum', 'max', 'first'}, optional
        How weights of repeated edges are combined: ``"sum"``, the default, which counts rows without weights; ``"max"``, the
        default of public graphs by name; or ``"first"``. An edge that is listed once per direction is no repeat.
    header : bool, optional
        Whether the first line of an edge list in a file is a header; detected by default.

    Returns
    -------
    Graph
        The undirected simple graph.

    Warns
    -----
    UserWarning
        If edges are directed, repeated, self loops or of weight zero, if weights look like times, or if the columns of a table
        seem to hold different kinds of nodes that share ids.

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
    """What the library guessed, merged or left out."""
    # A header is told by the log, and repeated edges are no surprise if the caller says how to combine them.
    warn_of_notes(native.notes, ("header",) if repeated is None else ("header", "repeated_edges"))


def nodes_of(names: _hycome.Names) -> Nodes:
    """Names of a file as nodes: numbers if all of them are, else texts."""
    numbers = names.numbers()
    if numbers is None:
        return names.texts()
    is_small = len(numbers) == 0 or numbers.max() <= np.iinfo(np.int64).max
    return numbers.view(np.int64) if is_small else numbers
