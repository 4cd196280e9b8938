"""scikit-learn estimators.

The samples are points of the Poincaré ball, or a graph for :class:`CommunityEmbedding`. Estimators work in pipelines,
grid searches and cross-validation, and can be cloned and pickled.
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
