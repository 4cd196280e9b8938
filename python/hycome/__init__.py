"""Hyperbolic graph embedding with joint community detection.

>>> import hycome
>>> run = hycome.embed("karate", communities=2, seed=1)
>>> run.embedding.shape, run.communities.shape
((34, 32), (34,))

:func:`embed` trains an embedding and returns a :class:`Run`. The other modules are :mod:`hycome.manifold` (geometry of
the Poincaré ball for NumPy arrays), :mod:`hycome.metrics` (clustering metrics), :mod:`hycome.datasets` (public graphs),
:mod:`hycome.generate` (random graphs) and :mod:`hycome.estimators` (scikit-learn estimators).
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from . import datasets, generate, manifold, metrics
from ._embed import embed
from ._hycome import __version__
from ._interrupted import Interrupted
from .graph import Graph, as_graph
from .mixture import Mixture
from .plot import LabelDistribution, Plot
from .run import Run

if TYPE_CHECKING:
    from .estimators import (
        CommunityEmbedding,
        HyperbolicLogisticRegression,
        HyperbolicSVC,
        NearestBarycenter,
        PoincareGaussianMixture,
        PoincareKMeans,
    )

__all__ = [
    "CommunityEmbedding",
    "Graph",
    "HyperbolicLogisticRegression",
    "HyperbolicSVC",
    "Interrupted",
    "LabelDistribution",
    "Mixture",
    "NearestBarycenter",
    "Plot",
    "PoincareGaussianMixture",
    "PoincareKMeans",
    "Run",
    "__version__",
    "as_graph",
    "datasets",
    "embed",
    "generate",
    "manifold",
    "metrics",
]

_ESTIMATORS = {name for name in __all__ if name.startswith(("Community", "Hyperbolic", "Nearest", "Poincare"))}

logging.getLogger("hycome").addHandler(logging.NullHandler())


def __getattr__(name: str) -> Any:
    """Imports the estimators lazily, because only they need scikit-learn."""
    if name in _ESTIMATORS:
        from . import estimators

        return getattr(estimators, name)
    raise AttributeError(f"module 'hycome' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
