"""How good communities are: by the graph alone, and against known classes.

Functions that take a graph match communities and classes with its nodes: by name if they are a mapping or a Series, else in the
order of the nodes. Functions without a graph pair rows by position, as scikit-learn does, and do not look at the index of a Series.
A node may have several classes. None of these numbers alone says that communities were found: one giant with a few slivers cuts hardly any edge.
Read them with the sizes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _hycome
from ._arrays import rows
from ._labels import by_position, native_labels, partition
from ._seed import Seed, seed_of
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

Method = Literal["kmeans", "gaussian", "logistic", "svm", "knn", "euclidean-logistic", "majority"]


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
    #: Share of nodes whose community stands for their class, in the best matching.
    precision_at_1: float | None
    #: The same with communities and classes matched by size.
    precision_at_1_by_size: float | None = field(repr=False)
    #: Whether conductance and modularity use edge weights.
    weighted: bool
    #: Nodes of each community.
    sizes: list[int]

    def to_dict(self) -> dict[str, Any]:
        """The scores by name."""
        return asdict(self)


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
    graph
        Whatever :func:`hycome.as_graph` takes.
    communities
        The community of each node: a mapping or a Series by name, or a sequence in the order of the nodes.
    labels
        Classes to score against, in the same forms; by default those of the graph.
    communities_count
        Number of communities, if ``communities`` are numbers from 0 and some may have no node.
    weighted
        Whether weights of edges count; by default where the graph has them.

    Returns
    -------
    Scores
        All scores, and the sizes of the communities.
    """
    on = _weighted(as_graph(graph), weighted)
    if communities_count is None:
        ids, values = partition(communities, on.nodes)
        count = len(values)
    else:
        ids, count = np.ascontiguousarray(communities, np.uint32), communities_count
    known = on._labels if labels is None else native_labels(labels, on.nodes)
    sizes = np.bincount(ids, minlength=count).tolist()
    return Scores(*_hycome.score(on._native, ids, count, known), sizes)


def conductance(graph: Any, communities: Any, *, weighted: bool | None = None) -> dict[Any, float]:
    """Conductance of each community.

    Parameters
    ----------
    graph
        Whatever :func:`hycome.as_graph` takes.
    communities
        The community of each node, as :func:`score` takes them.
    weighted
        Whether weights of edges count; by default where the graph has them.

    Returns
    -------
    dict
        For each community the share of its edge ends that lead out of it, or of the others' where those are fewer.
    """
    on = _weighted(as_graph(graph), weighted)
    ids, values = partition(communities, on.nodes)
    found = _hycome.conductance(on._native, ids, len(values))
    return dict(zip(values, found.tolist(), strict=True))


def modularity(graph: Any, communities: Any, *, weighted: bool | None = None) -> float:
    """Modularity of a partition, −1/2 to 1.

    Parameters
    ----------
    graph
        Whatever :func:`hycome.as_graph` takes.
    communities
        The community of each node, as :func:`score` takes them.
    weighted
        Whether weights of edges count; by default where the graph has them.

    Returns
    -------
    float
        The share of edges inside communities, less what the degrees of the nodes explain.
    """
    return score(_without_labels(as_graph(graph)), communities, weighted=weighted).modularity


def normalized_mutual_information(a: Sequence[Any] | npt.ArrayLike, b: Sequence[Any] | npt.ArrayLike) -> float:
    """Normalised mutual information of two partitions, 0 to 1.

    Parameters
    ----------
    a, b
        The community of each node: two sequences, arrays or Series, paired by position whatever their index, or two mappings
        with the same keys.

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


def adjusted_rand_index(a: Sequence[Any] | npt.ArrayLike, b: Sequence[Any] | npt.ArrayLike) -> float:
    """Adjusted Rand index of two partitions, −1/2 to 1.

    Parameters
    ----------
    a, b
        The community of each node, as :func:`normalized_mutual_information` takes them.

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
    """Share of nodes whose community is matched with one of their classes.

    Parameters
    ----------
    communities
        The community of each node: a sequence, an array, a Series, or a mapping if ``labels`` is one.
    labels
        The classes of each node in the same order, whatever the index of a Series.
    by_size
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
    nodes = np.arange(len(communities))
    ids, values = partition(communities, nodes)
    _, best, sized = _hycome.against_labels(ids, len(values), native_labels(labels, nodes))
    return sized if by_size else best


@dataclass(frozen=True)
class Validation:
    """What a cross-validation found: mean and standard deviation over all folds of all runs."""

    precision_at_1: tuple[float, float]
    micro_f1: tuple[float, float]
    macro_f1: tuple[float, float]
    #: Folds whose search was cut off before it came to rest.
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
    """Cross-validated accuracy of a classifier on points.

    Parameters
    ----------
    points
        Points of the ball, a row for each.
    labels
        The class or classes of each row, by position.
    method
        The classifier; see the command ``hycome classify``.
    regularization
        Weight of the penalty, zero or more; of ``logistic``, ``svm`` and ``euclidean-logistic``.
    neighbors
        Neighbours that vote; of ``knn``.
    folds, runs
        Folds of a run, and runs with different folds.
    seed
        Seed of the folds: a whole number, ``None`` for a fresh one, or a generator of NumPy to draw it from.

    Returns
    -------
    Validation
        Mean and standard deviation of each score over all folds of all runs.
    """
    table = rows(points)
    known = native_labels(by_position(labels), range(len(table)))
    drawn = seed_of(seed)
    return Validation(*_hycome.cross_validate(table, known, method, regularization, neighbors, folds, runs, drawn))


def folds(labels: Any, count: int = 5, *, seed: Seed = 1, run: int = 0) -> list[npt.NDArray[np.uint32]]:
    """The rows that :func:`cross_validate` holds out together in one of its runs.

    Parameters
    ----------
    labels
        The class or classes of each row, by position.
    count
        Number of folds, two or more.
    seed, run
        Seed of the folds, and the run, counted from 0.

    Returns
    -------
    list of ndarray
        The rows of each fold.
    """
    if not isinstance(labels, _hycome.Labels):
        labels = native_labels(by_position(labels), range(len(labels)))
    return _hycome.folds(labels, count, seed_of(seed), run)


def _agreement(a: Any, b: Any) -> tuple[float, float]:
    a, b = _paired(a, b)
    if len(a) != len(b):
        raise ValueError(f"two partitions must have the same nodes, but have {len(a)} and {len(b)}")
    nodes = range(len(a))
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


def _weighted(graph: Graph, weighted: bool | None) -> Graph:
    return graph.unweighted() if weighted is False else graph


def _without_labels(graph: Graph) -> Graph:
    return Graph(graph._native, graph.nodes, name=graph.name)
