"""Random graph generators with known communities, degrees or points.

Graphs are simple and undirected, and node ids are randomly permuted. The same settings and seed give the same graph for
any number of threads.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _hycome
from ._docs import documented
from ._seed import Seed, seed_of
from ._settings import checked, real, whole
from .graph import Graph
from .mixture import Mixture

__all__ = ["Generated", "hyperbolic", "lfr", "power_law", "sbm"]


@dataclass(frozen=True, eq=False)
class Generated:
    """A generated graph and its ground truth. Accepted wherever a graph is."""

    #: The graph, with its communities as labels.
    graph: Graph
    #: Community of each node, counted from 0; ``None`` if the model has none.
    communities: npt.NDArray[np.uint32] | None
    #: The seed that was used, also if ``None`` or a generator was given.
    seed: int
    #: Edge ends dropped because they could not be matched; only :func:`lfr` may drop any.
    dropped_ends: int = 0
    #: Point of each node; only for :func:`hyperbolic`.
    points: npt.NDArray[np.float64] | None = None
    #: The mixture that the points were drawn from; only for :func:`hyperbolic`.
    mixture: Mixture | None = None
    #: Distance at which an edge has probability 1/2; only for :func:`hyperbolic`.
    radius: float | None = None


@documented("lfr")
def lfr(
    nodes: int = 1000,
    *,
    mixing: float = 0.3,
    average_degree: float = 15.0,
    max_degree: int = 50,
    degree_exponent: float = 2.0,
    min_community: int = 20,
    max_community: int = 100,
    community_exponent: float = 1.0,
    seed: Seed = 1,
) -> Generated:
    """LFR benchmark graph: communities of unequal sizes, hubs, and a given mixing (Lancichinetti et al. 2008).

    Parameters
    ----------
    {settings}

    Returns
    -------
    Generated
        The graph and its communities.

    Examples
    --------
    >>> made = lfr(200, mixing=0.1)
    >>> made.graph.node_count, made.communities.shape
    (200, (200,))
    """
    given = checked(locals(), lfr.__annotations__)
    return _generated("lfr", _hycome.lfr(**given), seed=given["seed"])


def sbm(sizes: Sequence[int], p_in: float, p_out: float, *, seed: Seed = 1) -> Generated:
    """Stochastic block model with one edge probability within blocks and one between blocks.

    Parameters
    ----------
    sizes : sequence of int
        Number of nodes of each block.
    p_in : float
        Probability of an edge within a block, 0 to 1.
    p_out : float
        Probability of an edge between two blocks, 0 to 1.
    seed : int, numpy.random.Generator, numpy.random.RandomState or None, default: 1
        Seed; ``None`` for a random one, or a generator to draw it from.

    Returns
    -------
    Generated
        The graph, and its blocks as communities.

    Examples
    --------
    >>> sbm([20, 30], 0.5, 0.05).graph.class_count
    2
    """
    if not isinstance(sizes, Iterable):
        raise TypeError(f"`sizes` must be a sequence of whole numbers, but is {sizes!r}, a {type(sizes).__name__}")
    blocks, drawn = [whole("sizes", size) for size in sizes], seed_of(seed)
    if sum(blocks) < 2:
        raise ValueError(f"`sizes` must add up to two or more nodes, but add up to {sum(blocks)}")
    made = _hycome.sbm(blocks, real("p_in", p_in), real("p_out", p_out), drawn)
    return _generated("sbm", made, seed=drawn)


@documented("power_law")
def power_law(
    nodes: int = 1000,
    *,
    average_degree: float = 10.0,
    exponent: float = 2.5,
    max_degree: int | None = None,
    seed: Seed = 1,
) -> Generated:
    """Random graph with power-law degrees and no communities.

    Parameters
    ----------
    {settings}

    Returns
    -------
    Generated
        The graph; its ``communities`` are ``None``.

    Examples
    --------
    >>> power_law(100).graph.node_count
    100
    """
    given = checked(locals(), power_law.__annotations__)
    return _generated("power law", _hycome.power_law(**given), seed=given["seed"])


@documented("hyperbolic")
def hyperbolic(
    nodes: int = 1000,
    *,
    communities: int = 5,
    dim: int = 2,
    distance: float = 3.0,
    scale: float = 0.7,
    average_degree: float = 10.0,
    temperature: float = 0.2,
    seed: Seed = 1,
) -> Generated:
    """Random geometric graph of hyperbolic space, with points drawn from a Gaussian mixture.

    Parameters
    ----------
    {settings}

    Returns
    -------
    Generated
        The graph, its communities, and the points and mixture they come from.

    Examples
    --------
    >>> made = hyperbolic(100, communities=3)
    >>> made.points.shape, len(made.mixture)
    ((100, 2), 3)
    """
    given = checked(locals(), hyperbolic.__annotations__)
    made, points, mixture, radius = _hycome.hyperbolic(**given)
    more = {"points": points, "mixture": Mixture(*mixture), "radius": radius}
    return _generated("hyperbolic", made, seed=given["seed"], **more)


def _generated(name: str, made: _hycome._Made, *, seed: int, **more: Any) -> Generated:
    native, communities, count, dropped_ends = made
    nodes = np.arange(native.node_count)
    labels = None
    if count:
        starts = np.arange(native.node_count + 1, dtype=np.uint64)
        labels = _hycome.Labels([str(community) for community in range(count)], starts, communities)
    graph = Graph(native, nodes, name=name, labels=labels, classes=range(count) if count else None)
    return Generated(graph, communities if count else None, seed, dropped_ends, **more)
