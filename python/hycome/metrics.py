"""How good communities are: by the graph alone, and against known classes.

Communities are given in the order of the graph's nodes, or by name as a mapping or a Series; so are classes, of which a node may
have several. None of these numbers alone says that communities were found: one giant with a few slivers cuts hardly any edge.
Read them with the sizes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _hycome
from ._arrays import rows
from ._labels import native_labels, partition
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
    precision_at_1_by_size: float | None
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
    """Every score of communities on a graph, against its own classes or those given.

    Conductance and modularity use the edge weights of a weighted graph unless ``weighted`` is ``False``.
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
    """For each community the share of its edge ends that lead out of it, or of the others' where those are fewer.

    Edge weights count where the graph has them, unless ``weighted`` is ``False``.
    """
    on = _weighted(as_graph(graph), weighted)
    ids, values = partition(communities, on.nodes)
    found = _hycome.conductance(on._native, ids, len(values))
    return dict(zip(values, found.tolist(), strict=True))


def modularity(graph: Any, communities: Any, *, weighted: bool | None = None) -> float:
    """Edges inside communities beyond what the degrees of the nodes explain, −1/2 to 1.

    Edge weights count where the graph has them, unless ``weighted`` is ``False``.
    """
    return score(_without_labels(as_graph(graph)), communities, weighted=weighted).modularity


def normalized_mutual_information(a: Sequence[Any] | npt.ArrayLike, b: Sequence[Any] | npt.ArrayLike) -> float:
    """Information that two partitions share, over the mean of what each has: 0 to 1."""
    return _agreement(a, b)[0]


def adjusted_rand_index(a: Sequence[Any] | npt.ArrayLike, b: Sequence[Any] | npt.ArrayLike) -> float:
    """Pairs of nodes that two partitions judge alike, beyond chance: −1/2 to 1."""
    return _agreement(a, b)[1]


def precision_at_1(communities: Any, labels: Any, *, by_size: bool = False) -> float:
    """Share of nodes whose community stands for one of their classes.

    Communities and classes are matched so that the share is largest or, with ``by_size``, the largest with the largest.
    """
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
    seed: int = 1,
) -> Validation:
    """How often a method is right about the classes of points that it has not learnt from."""
    table = rows(points)
    known = native_labels(labels, range(len(table)))
    return Validation(*_hycome.cross_validate(table, known, method, regularization, neighbors, folds, runs, seed))


def folds(labels: Any, count: int = 5, *, seed: int = 1, run: int = 0) -> list[npt.NDArray[np.uint32]]:
    """The rows that :func:`cross_validate` holds out together in one of its runs, for each fold."""
    known = labels if isinstance(labels, _hycome.Labels) else native_labels(labels, range(len(labels)))
    return _hycome.folds(known, count, seed, run)


def _agreement(a: Any, b: Any) -> tuple[float, float]:
    if len(a) != len(b):
        raise ValueError(f"two partitions must have the same nodes, but have {len(a)} and {len(b)}")
    nodes = range(len(a))
    return _hycome.agreement(partition(a, nodes)[0], partition(b, nodes)[0])


def _weighted(graph: Graph, weighted: bool | None) -> Graph:
    return graph.unweighted() if weighted is False else graph


def _without_labels(graph: Graph) -> Graph:
    return Graph(graph._native, graph.nodes, name=graph.name)
