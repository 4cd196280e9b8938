"""Clustering metrics, from the graph alone or against ground truth.

Functions with a graph match communities and labels with its nodes: by name if they are a mapping or a Series, else by
position. Functions without a graph pair rows by position, as scikit-learn does, and ignore the index of a Series. A
node may have several classes.

No single score shows that communities were found: one giant community and a few tiny ones cut hardly any edge. Check
the community sizes too.
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
from ._labels import by_position, community_ids, native_labels, partition
from ._seed import Seed, seed_of
from ._settings import choice, real, whole
from .graph import Graph, as_graph

__all__ = [
    "Scores",
    "Validation",
    "adjusted_mutual_info_score",
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
    Any graph accepted by :func:`hycome.as_graph`.
communities : mapping, Series, sequence or array
    Community of each node: by name in a mapping or a Series, else in the order of the nodes.
"""

_WEIGHTED = """
weighted : bool, optional
    Whether to use edge weights; by default if the graph has them.
"""

_TWO_PARTITIONS = """
a, b : sequence, array, Series or mapping
    Community of each node: by position, ignoring the index of a Series, or two mappings with the same keys.
"""

Method = Literal["nearest-centroid", "gaussian", "logistic", "svm", "knn", "euclidean-logistic", "majority"]
MultiClass = Literal["multinomial", "one-vs-rest"]


@dataclass(frozen=True)
class Scores:
    """Clustering scores; those against ground truth are ``None`` where undefined."""

    #: Mean conductance of the communities, 0 to 1; smaller is better.
    conductance: float
    #: Modularity: fraction of edges within communities minus its expectation given the degrees, −1/2 to 1.
    modularity: float
    #: Normalized mutual information with the classes, 0 to 1.
    nmi: float | None
    #: The same by the formula of the paper: not bounded by 1 if nodes have several classes, else equal to ``nmi``.
    nmi_paper: float | None = field(repr=False)
    #: Adjusted mutual information, at most 1 and 0 by chance; ``None`` also if a node has several classes.
    ami: float | None
    #: Adjusted Rand index, −1/2 to 1; ``None`` also if a node has several classes.
    ari: float | None
    #: Clustering accuracy (ACC) after optimal (Hungarian) matching of communities and classes.
    accuracy: float | None
    #: The same score, by its name in the paper.
    precision_at_1: float | None = field(repr=False)
    #: Clustering accuracy with communities and classes matched by size.
    precision_at_1_by_size: float | None = field(repr=False)
    #: Whether conductance and modularity use edge weights.
    weighted: bool
    #: Number of nodes of each community.
    sizes: list[int]

    def to_dict(self) -> dict[str, Any]:
        """Converts to a dictionary.

        Returns
        -------
        dict
            Scores by field name.
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
    """Computes all clustering scores.

    Parameters
    ----------
    {on_graph}
    labels : mapping, Series, sequence, array, frame or path, optional
        Ground truth, in any form accepted by :meth:`hycome.Graph.with_labels`; by default that of the graph.
    communities_count : int, optional
        Number of communities, if ``communities`` are ids counted from 0 and some may be empty.
    {weighted}

    Returns
    -------
    Scores
        All scores and the community sizes.

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
        count = whole("communities_count", communities_count)
        ids = community_ids(communities, on.nodes, count)
    known = on._labels if labels is None else native_labels(labels, on.nodes)
    sizes = np.bincount(ids, minlength=count).tolist()
    conductance, modularity, is_weighted, against_truth = _hycome.score(on._native, ids, count, known)
    nmi, nmi_paper, ami, ari, accuracy, by_size = against_truth
    return Scores(conductance, modularity, nmi, nmi_paper, ami, ari, accuracy, accuracy, by_size, is_weighted, sizes)


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
        Cut of each community divided by its volume, or by that of its complement if smaller.

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
        Fraction of edges within communities, minus its expectation given the degrees.

    Examples
    --------
    >>> import hycome
    >>> round(modularity("karate", hycome.datasets.load("karate").labels), 3)
    0.358
    """
    return score(_without_labels(as_graph(graph)), communities, weighted=weighted).modularity


@filled(two_partitions=_TWO_PARTITIONS)
def normalized_mutual_information(a: Sequence[Any] | npt.ArrayLike, b: Sequence[Any] | npt.ArrayLike) -> float:
    """Normalized mutual information of two partitions, 0 to 1.

    Parameters
    ----------
    {two_partitions}

    Returns
    -------
    float
        Mutual information divided by the mean entropy.

    Examples
    --------
    >>> normalized_mutual_information([0, 0, 1, 1], ["x", "x", "y", "y"])
    1.0
    """
    return _agreement(a, b)[0]


@filled(two_partitions=_TWO_PARTITIONS)
def adjusted_mutual_info_score(a: Sequence[Any] | npt.ArrayLike, b: Sequence[Any] | npt.ArrayLike) -> float:
    """Adjusted mutual information of two partitions: 1 if equal, 0 in expectation for random ones.

    Parameters
    ----------
    {two_partitions}

    Returns
    -------
    float
        Mutual information corrected for chance, with the mean entropy as its bound, as scikit-learn's function of this
        name.

    Examples
    --------
    >>> adjusted_mutual_info_score([0, 0, 1, 1], ["x", "x", "y", "y"])
    1.0
    """
    return _agreement(a, b)[1]


@filled(two_partitions=_TWO_PARTITIONS)
def adjusted_rand_index(a: Sequence[Any] | npt.ArrayLike, b: Sequence[Any] | npt.ArrayLike) -> float:
    """Adjusted Rand index of two partitions, −1/2 to 1.

    Parameters
    ----------
    {two_partitions}

    Returns
    -------
    float
        Fraction of node pairs on which the partitions agree, corrected for chance.

    Examples
    --------
    >>> adjusted_rand_index([0, 0, 1, 1], [1, 1, 0, 0])
    1.0
    """
    return _agreement(a, b)[2]


def precision_at_1(communities: Any, labels: Any, *, by_size: bool = False) -> float:
    """Clustering accuracy (precision@1 in the paper): fraction of nodes whose community is matched with their class.

    Parameters
    ----------
    communities : sequence, array, Series or mapping
        Community of each node; a mapping only if ``labels`` is one.
    labels : sequence, array, Series or mapping
        Class or classes of each node in the same order, ignoring the index of a Series.
    by_size : bool, default: False
        Match communities and classes by rank of size instead of optimally.

    Returns
    -------
    float
        Accuracy, 0 to 1.

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
    """Cross-validation scores: mean and standard deviation over all folds of all runs."""

    precision_at_1: tuple[float, float]
    micro_f1: tuple[float, float]
    macro_f1: tuple[float, float]
    #: Precision@3 and @5: of multi-label data with at least as many classes, else ``None``.
    precision_at_3: tuple[float, float] | None
    precision_at_5: tuple[float, float] | None
    #: Folds whose classifier did not converge.
    unconverged: int


def cross_validate(
    points: npt.ArrayLike,
    labels: Any,
    *,
    method: Method = "logistic",
    regularization: float = 0.1,
    neighbors: int = 10,
    multi_class: MultiClass = "multinomial",
    restarts: int = 1,
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
        Class or classes of each row, by position.
    method : str, default: 'logistic'
        Classifier: ``"nearest-centroid"`` (barycenter of each class), ``"gaussian"`` (Riemannian Gaussian of each
        class), ``"logistic"`` (hyperbolic logistic regression), ``"svm"`` (hyperbolic SVM), ``"knn"`` (nearest
        neighbours), ``"euclidean-logistic"`` (logistic regression in the tangent space at the origin) or
        ``"majority"`` (baseline).
    regularization : float, default: 0.1
        L2 regularization strength of ``logistic``, ``svm`` and ``euclidean-logistic``, zero or more.
    neighbors : int, default: 10
        Number of neighbours of ``knn``.
    multi_class : {'multinomial', 'one-vs-rest'}, default: 'multinomial'
        How ``logistic`` and ``euclidean-logistic`` treat several classes: one joint fit, or one per class against the
        rest. Points with several classes are always fitted one-vs-rest.
    restarts : int, default: 1
        Number of random restarts of ``logistic`` and ``svm``; the fit with the lowest loss is kept.
    folds : int, default: 5
        Number of folds, two or more.
    runs : int, default: 5
        Number of repetitions with different folds.
    seed : int, numpy.random.Generator, numpy.random.RandomState or None, default: 1
        Seed of the folds; ``None`` for a random one, or a generator to draw it from.

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
            (
                choice("method", method, get_args(Method)),
                real("regularization", regularization),
                whole("neighbors", neighbors),
                choice("multi_class", multi_class, get_args(MultiClass)),
                whole("restarts", restarts),
            ),
            whole("folds", folds),
            whole("runs", runs),
            seed_of(seed),
        )
    )


def folds(labels: Any, count: int = 5, *, seed: Seed = 1, run: int = 0) -> list[npt.NDArray[np.uint32]]:
    """Folds of one run of :func:`cross_validate`.

    Parameters
    ----------
    labels : sequence, array, Series or frame
        Class or classes of each row, by position.
    count : int, default: 5
        Number of folds, two or more.
    seed : int, numpy.random.Generator, numpy.random.RandomState or None, default: 1
        Seed of the folds; ``None`` for a random one, or a generator to draw it from.
    run : int, default: 0
        Run, counted from 0.

    Returns
    -------
    list of ndarray
        Rows of each fold.

    Examples
    --------
    >>> [len(fold) for fold in folds(["x", "y"] * 5, 2)]
    [5, 5]
    """
    if not isinstance(labels, _hycome.Labels):
        labels = by_position(labels)
        labels = native_labels(labels, range(_length(labels)))
    return _hycome.folds(labels, whole("count", count, 2), seed_of(seed), whole("run", run))


def _agreement(a: Any, b: Any) -> tuple[float, float, float]:
    a, b = _paired(a, b)
    if _length(a) != _length(b):
        raise ValueError(f"two partitions must have the same nodes, but have {_length(a)} and {_length(b)}")
    nodes = range(_length(a))
    return _hycome.agreement(partition(a, nodes)[0], partition(b, nodes)[0])


def _paired(a: Any, b: Any) -> tuple[Any, Any]:
    """Aligns two partitions: mappings by key, everything else by position."""
    if isinstance(a, Mapping) != isinstance(b, Mapping):
        raise ValueError("two partitions must both be mappings or both be sequences, but one is a mapping")
    if not isinstance(a, Mapping):
        return by_position(a), by_position(b)
    odd = next((key for key in [*a, *b] if key not in a or key not in b), None)
    if odd is not None:
        raise ValueError(f"two mappings must have the same keys, but only one has {odd!r}")
    return list(a.values()), [b[key] for key in a]


def _length(values: Any) -> int:
    """Number of rows, including those of a sparse matrix."""
    return int(values.shape[0]) if hasattr(values, "shape") else len(values)


def _weighted(graph: Graph, weighted: bool | None) -> Graph:
    return graph.unweighted() if weighted is False else graph


def _without_labels(graph: Graph) -> Graph:
    return Graph(graph._native, graph.nodes, name=graph.name)
