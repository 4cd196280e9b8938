"""Clustering metrics: of the graph alone, and against ground truth.

Functions that take a graph match communities and classes with its nodes: by name if they are a mapping or a Series, else in the
order of the nodes. Functions without a graph pair rows by position, as scikit-learn does, and do not look at the index of a Series.
A node may have several classes. None of these numbers alone says that communities were found: one giant community with a few tiny ones cuts hardly any edge.
Read them with the sizes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from . import _hycome
from ._arrays import rows
from ._docs import filled
from ._labels import by_position, native_labels, partition
from ._seed import Seed, seed_of
from ._settings import choice, real, whole
from .graph import Graph, as_graph

__all__ = [
    "Scores",
    "Validation",
    "adjusted_rand_index",
    "conductance",
    "cross_validate",
    "folds",
    "modularity",
    "normalized_mutual_information",
    "precision_at_1",
    "score",
]

_ON_GRAPH = """
graph : object
    Whatever :func:`hycome.as_graph` takes.
communities : mapping, Series, sequence or array
    The community of each node: a mapping or a Series by name, anything else in the order of the nodes.
"""

_WEIGHTED = """
weighted : bool, optional
    Whether edge weights count; by default where the graph has them.
"""

_TWO_PARTITIONS = """
a, b : sequence, array, Series or mapping
    The community of each node: paired by position whatever the index of a Series, or two mappings with the same keys.
"""

Method = Literal["nearest-centroid", "gaussian", "logistic", "svm", "knn", "euclidean-logistic", "majority"]


@dataclass(frozen=True)
class Scores:
    """Every number about a partition; those against classes are ``None`` where they are not defined."""

    #: Share of a community's connections that leave it, mean over communities, 0 to 1; smaller is better.
    conductance: float
    #: Edges inside beyond what the degrees explain, −1/2 to 1.
    modularity: float
    #: Normalised mutual information with the classes, 0 to 1.
    nmi: float | None
    #: Adjusted Rand index, −1/2 to 1; ``None`` also where a node has several classes.
    ari: float | None
    #: Clustering accuracy (ACC): share of nodes whose community is matched with their class, by the Hungarian method.
    accuracy: float | None
    #: The same number under its name in the paper.
    precision_at_1: float | None = field(repr=False)
    #: Accuracy with communities and classes matched by size.
    precision_at_1_by_size: float | None = field(repr=False)
    #: Whether conductance and modularity use edge weights.
    weighted: bool
    #: Nodes of each community.
    sizes: list[int]

    def to_dict(self) -> dict[str, Any]:
        """The scores by name.

        Returns
        -------
        dict
            A key for each field.
        """
        return asdict(self)


@filled(on_graph=_ON_GRAPH, weighted=_WEIGHTED)
def score(
    graph: Any,
    communities: Any,
    labels: Any = None,
    *,
    communities_count: int | None = None,
    weighted: bool | None = None,
) -> Scores:
    """Every score of communities on a graph.

    Parameters
    ----------
    {on_graph}
    labels : mapping, Series, sequence, array, frame or path, optional
        Ground-truth classes, as :meth:`hycome.Graph.with_labels` takes them; by default those of the graph.
    communities_count : int, optional
        Number of communities, if ``communities`` are numbers from 0 and some may have no node.
    {weighted}

    Returns
    -------
    Scores
        All scores, and the sizes of the communities.

    Examples
    --------
    >>> import hycome
    >>> run = hycome.embed("karate", communities=2)
    >>> scores = score("karate", run.communities)
    >>> sum(scores.sizes), scores.nmi > 0.5
    (34, True)
    """
    on = _weighted(as_graph(graph), weighted)
    if communities_count is None:
        ids, values = partition(communities, on.nodes)
        count = len(values)
    else:
        ids, count = np.ascontiguousarray(communities, np.uint32), communities_count
    known = on._labels if labels is None else native_labels(labels, on.nodes)
    sizes = np.bincount(ids, minlength=count).tolist()
    conductance, modularity, nmi, ari, accuracy, by_size, is_weighted = _hycome.score(on._native, ids, count, known)
    return Scores(conductance, modularity, nmi, ari, accuracy, accuracy, by_size, is_weighted, sizes)


@filled(on_graph=_ON_GRAPH, weighted=_WEIGHTED)
def conductance(graph: Any, communities: Any, *, weighted: bool | None = None) -> dict[Any, float]:
    """Conductance of each community, 0 to 1; smaller is better.

    Parameters
    ----------
    {on_graph}
    {weighted}

    Returns
    -------
    dict
        For each community the share of its edge ends that lead out of it, or of the others' where those are fewer.

    Examples
    --------
    >>> conductance([(0, 1), (1, 2), (2, 3)], [0, 0, 1, 1])
    {0: 0.3333333333333333, 1: 0.3333333333333333}
    """
    on = _weighted(as_graph(graph), weighted)
    ids, values = partition(communities, on.nodes)
    found = _hycome.conductance(on._native, ids, len(values))
    return dict(zip(values, found.tolist(), strict=True))


@filled(on_graph=_ON_GRAPH, weighted=_WEIGHTED)
def modularity(graph: Any, communities: Any, *, weighted: bool | None = None) -> float:
    """Modularity of a partition, −1/2 to 1.

    Parameters
    ----------
    {on_graph}
    {weighted}

    Returns
    -------
    float
        The share of edges inside communities, less what the degrees of the nodes explain.

    Examples
    --------
    >>> import hycome
    >>> round(modularity("karate", hycome.datasets.load("karate").labels), 3)
    0.358
    """
    return score(_without_labels(as_graph(graph)), communities, weighted=weighted).modularity


@filled(two_partitions=_TWO_PARTITIONS)
def normalized_mutual_information(a: Sequence[Any] | npt.ArrayLike, b: Sequence[Any] | npt.ArrayLike) -> float:
    """Normalised mutual information of two partitions, 0 to 1.

    Parameters
    ----------
    {two_partitions}

    Returns
    -------
    float
        Mutual information over the mean of the two entropies.

    Examples
    --------
    >>> normalized_mutual_information([0, 0, 1, 1], ["x", "x", "y", "y"])
    1.0
    """
    return _agreement(a, b)[0]


@filled(two_partitions=_TWO_PARTITIONS)
def adjusted_rand_index(a: Sequence[Any] | npt.ArrayLike, b: Sequence[Any] | npt.ArrayLike) -> float:
    """Adjusted Rand index of two partitions, −1/2 to 1.

    Parameters
    ----------
    {two_partitions}

    Returns
    -------
    float
        The share of pairs of nodes that both partitions join or both separate, corrected for chance.

    Examples
    --------
    >>> adjusted_rand_index([0, 0, 1, 1], [1, 1, 0, 0])
    1.0
    """
    return _agreement(a, b)[1]


def precision_at_1(communities: Any, labels: Any, *, by_size: bool = False) -> float:
    """Clustering accuracy: share of nodes whose community is matched with one of their classes (precision@1 in the paper).

    Parameters
    ----------
    communities : sequence, array, Series or mapping
        The community of each node; a mapping only if ``labels`` is one.
    labels : sequence, array, Series or mapping
        The classes of each node in the same order, whatever the index of a Series.
    by_size : bool, default: False
        Match the largest community with the largest class, and so on, instead of the matching with the largest share.

    Returns
    -------
    float
        The share, 0 to 1.

    Examples
    --------
    >>> precision_at_1([0, 0, 1, 1], ["x", "x", "y", "x"])
    0.75
    """
    communities, labels = _paired(communities, labels)
    nodes = np.arange(_length(communities))
    ids, values = partition(communities, nodes)
    _, best, sized = _hycome.against_labels(ids, len(values), native_labels(labels, nodes))
    return sized if by_size else best


@dataclass(frozen=True)
class Validation:
    """What a cross-validation found: mean and standard deviation over all folds of all runs."""

    precision_at_1: tuple[float, float]
    micro_f1: tuple[float, float]
    macro_f1: tuple[float, float]
    #: Folds whose classifier did not converge.
    unconverged: int


def cross_validate(
    points: npt.ArrayLike,
    labels: Any,
    *,
    method: Method = "logistic",
    regularization: float = 0.1,
    neighbors: int = 10,
    folds: int = 5,
    runs: int = 5,
    seed: Seed = 1,
) -> Validation:
    """Cross-validated scores of a classifier on points.

    Parameters
    ----------
    points : array_like, shape (n, dim)
        Points of the ball.
    labels : sequence, array, Series or frame
        The class or classes of each row, by position.
    method : {'nearest-centroid', 'gaussian', 'logistic', 'svm', 'knn', 'euclidean-logistic', 'majority'}, default: 'logistic'
        The classifier; see the command ``hycome classify``.
    regularization : float, default: 0.1
        L2 regularisation strength of ``logistic``, ``svm`` and ``euclidean-logistic``, zero or more.
    neighbors : int, default: 10
        Neighbours that vote in ``knn``.
    folds : int, default: 5
        Folds of a run, two or more.
    runs : int, default: 5
        Runs with different folds.
    seed : int, numpy.random.Generator, numpy.random.RandomState or None, default: 1
        Seed of the folds; ``None`` for a fresh one, or a generator to draw it from.

    Returns
    -------
    Validation
        Mean and standard deviation of each score over all folds of all runs.

    Examples
    --------
    >>> import hycome
    >>> run = hycome.embed("karate", communities=2)
    >>> cross_validate(run.embedding, run.graph.labels, runs=1).precision_at_1[0] > 0.8
    True
    """
    table = rows(points)
    known = native_labels(by_position(labels), range(len(table)))
    return Validation(
        *_hycome.cross_validate(
            table,
            known,
            choice("method", method, get_args(Method)),
            real("regularization", regularization),
            whole("neighbors", neighbors),
            whole("folds", folds),
            whole("runs", runs),
            seed_of(seed),
        )
    )


def folds(labels: Any, count: int = 5, *, seed: Seed = 1, run: int = 0) -> list[npt.NDArray[np.uint32]]:
    """The rows that :func:`cross_validate` holds out together in one of its runs.

    Parameters
    ----------
    labels : sequence, array, Series or frame
        The class or classes of each row, by position.
    count : int, default: 5
        Number of folds, two or more.
    seed : int, numpy.random.Generator, numpy.random.RandomState or None, default: 1
        Seed of the folds; ``None`` for a fresh one, or a generator to draw it from.
    run : int, default: 0
        The run, counted from 0.

    Returns
    -------
    list of ndarray
        The rows of each fold.

    Examples
    --------
    >>> [len(fold) for fold in folds(["x", "y"] * 5, 2)]
    [5, 5]
    """
    if not isinstance(labels, _hycome.Labels):
        labels = by_position(labels)
        labels = native_labels(labels, range(_length(labels)))
    return _hycome.folds(labels, whole("count", count, 2), seed_of(seed), whole("run", run))


def _agreement(a: Any, b: Any) -> tuple[float, float]:
    a, b = _paired(a, b)
    if _length(a) != _length(b):
        raise ValueError(f"two partitions must have the same nodes, but have {_length(a)} and {_length(b)}")
    nodes = range(_length(a))
    return _hycome.agreement(partition(a, nodes)[0], partition(b, nodes)[0])


def _paired(a: Any, b: Any) -> tuple[Any, Any]:
    """Both in one order: mappings by their keys, everything else by position."""
    if isinstance(a, Mapping) != isinstance(b, Mapping):
        raise ValueError("two partitions must both be mappings or both be sequences, but one is a mapping")
    if not isinstance(a, Mapping):
        return by_position(a), by_position(b)
    odd = next((key for key in [*a, *b] if key not in a or key not in b), None)
    if odd is not None:
        raise ValueError(f"two mappings must have the same keys, but only one has {odd!r}")
    return list(a.values()), [b[key] for key in a]


def _length(values: Any) -> int:
    """Number of rows, also of a sparse matrix."""
    return int(values.shape[0]) if hasattr(values, "shape") else len(values)


def _weighted(graph: Graph, weighted: bool | None) -> Graph:
    return graph.unweighted() if weighted is False else graph


def _without_labels(graph: Graph) -> Graph:
    return Graph(graph._native, graph.nodes, name=graph.name)
