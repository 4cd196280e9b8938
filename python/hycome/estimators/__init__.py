"""hycome for scikit-learn.

Estimators that take points of the Poincaré ball where scikit-learn's take rows of numbers, and :class:`CommunityEmbedding`, which
takes a graph. They work in pipelines, grids and cross-validations, and can be cloned and pickled.
"""

from __future__ import annotations

try:
    import sklearn  # noqa: F401
except ImportError as error:
    raise ImportError("hycome's estimators need scikit-learn; install it with: pip install hycome[sklearn]") from error

from .classifiers import HyperbolicLogisticRegression, HyperbolicSVC, NearestBarycenter
from .clusterers import PoincareGaussianMixture, PoincareKMeans
from .embedding import CommunityEmbedding

__all__ = [
    "CommunityEmbedding",
    "HyperbolicLogisticRegression",
    "HyperbolicSVC",
    "NearestBarycenter",
    "PoincareGaussianMixture",
    "PoincareKMeans",
]
