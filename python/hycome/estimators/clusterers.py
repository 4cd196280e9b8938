"""Clusters of points of the ball."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassNamePrefixFeaturesOutMixin, ClusterMixin, DensityMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, check_scalar

from .. import _hycome
from .._warnings import warn
from ..mixture import Mixture
from ._points import Coordinates, PointEstimator, seed_of

Array = npt.NDArray[np.float64]


class PoincareKMeans(ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, PointEstimator):
    """K-means with barycenters of hyperbolic space.

    Parameters
    ----------
    n_clusters
        Number of clusters.
    n_init
        Starts from different centres, of which the one of least inertia is kept.
    max_iter
        Iterations after which a search ends in any case.
    random_state
        Seed of the first centres; the same seed gives the same clusters.
    coordinates
        What a row of numbers is: a point of the ``"ball"``, or a ``"tangent"`` vector at the origin.

    Attributes
    ----------
    cluster_centers_
        The barycenter of each cluster, a point of the ball.
    labels_
        The cluster of each point.
    inertia_
        Sum of the squared distances of the points from their centres.
    n_iter_
        Iterations of the start that was kept.
    """

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_init: int = 4,
        max_iter: int = 100,
        random_state: Any = 1,
        coordinates: Coordinates = "ball",
    ) -> None:
        self.n_clusters = n_clusters
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state
        self.coordinates = coordinates

    def fit(self, X: Any, y: Any = None) -> PoincareKMeans:
        """Finds the clusters of these points."""
        for name in ("n_clusters", "n_init", "max_iter"):
            check_scalar(getattr(self, name), name, Integral, min_val=1)
        points = self._points(X, reset=True)
        found = _hycome.kmeans(points, self.n_clusters, self.max_iter, self.n_init, seed_of(self.random_state))
        self.cluster_centers_, labels, self.inertia_, self.n_iter_, converged = found
        self.labels_ = labels.astype(np.int32)
        self._n_features_out = len(self.cluster_centers_)
        if not converged:
            warn(f"K-means was cut off after {self.n_iter_} iterations", ConvergenceWarning)
        return self

    def predict(self, X: Any) -> npt.NDArray[np.int32]:
        """The cluster whose centre is nearest to each point."""
        return np.asarray(self.transform(X).argmin(axis=1), np.int32)

    def transform(self, X: Any) -> Array:
        """The distance of each point from each centre."""
        check_is_fitted(self)
        return _hycome.pairwise_distance(self._points(X, reset=False), self.cluster_centers_)

    def score(self, X: Any, y: Any = None) -> float:
        """Minus the sum of the squared distances of the points from their nearest centres."""
        return -float((self.transform(X).min(axis=1) ** 2).sum())


class PoincareGaussianMixture(DensityMixin, PointEstimator):
    """A mixture of Gaussians of hyperbolic space, fitted by expectation and maximisation.

    Parameters
    ----------
    n_components
        Number of Gaussians.
    tol
        Mean change of a probability below which the search has converged.
    max_iter
        Iterations after which it ends in any case.
    n_init
        Starts from different K-means, of which the most likely is continued.
    scale_floor
        Smallest scale of a Gaussian, above zero.
    pooling
        How strongly scales are drawn to their common value: as if each Gaussian had this many times the average one's points more,
        of average spread. Zero leaves every scale to itself; the communities of a run are fitted with 3.
    random_state
        Seed of the starts; the same seed gives the same mixture.
    coordinates
        What a row of numbers is: a point of the ``"ball"``, or a ``"tangent"`` vector at the origin.

    Attributes
    ----------
    weights_, means_, scales_
        Share, centre and scale of each Gaussian.
    mixture_
        The three together, as a :class:`hycome.Mixture`.
    converged_, n_iter_, lower_bound_
        Whether the search came to rest, its iterations, and the mean log-likelihood of a point.
    """

    def __init__(
        self,
        n_components: int = 1,
        *,
        tol: float = 1e-4,
        max_iter: int = 100,
        n_init: int = 4,
        scale_floor: float = 1e-3,
        pooling: float = 0.0,
        random_state: Any = 1,
        coordinates: Coordinates = "ball",
    ) -> None:
        self.n_components = n_components
        self.tol = tol
        self.max_iter = max_iter
        self.n_init = n_init
        self.scale_floor = scale_floor
        self.pooling = pooling
        self.random_state = random_state
        self.coordinates = coordinates

    def fit(self, X: Any, y: Any = None) -> PoincareGaussianMixture:
        """Finds the mixture that makes these points likely."""
        for name in ("n_components", "n_init", "max_iter"):
            check_scalar(getattr(self, name), name, Integral, min_val=1)
        for name in ("tol", "pooling"):
            check_scalar(getattr(self, name), name, Real, min_val=0)
        check_scalar(self.scale_floor, "scale_floor", Real, min_val=0, include_boundaries="neither")
        found = _hycome.fit_mixture(
            self._points(X, reset=True),
            self.n_components,
            self.max_iter,
            self.tol,
            self.n_init,
            self.scale_floor,
            self.pooling,
            seed_of(self.random_state),
        )
        self.weights_, self.means_, self.scales_, self.n_iter_, self.converged_, self.lower_bound_ = found
        if not self.converged_:
            words = f"the mixture had not come to rest after {self.n_iter_} iterations"
            warn(words, ConvergenceWarning)
        return self

    @property
    def mixture_(self) -> Mixture:
        """Weights, means and scales together."""
        check_is_fitted(self)
        return Mixture(self.weights_, self.means_, self.scales_)

    def predict_proba(self, X: Any) -> Array:
        """For each point the probability of each Gaussian."""
        return self.mixture_.responsibilities(self._points(X, reset=False))

    def predict(self, X: Any) -> npt.NDArray[np.int64]:
        """The most probable Gaussian of each point."""
        return np.asarray(self.predict_proba(X).argmax(axis=1))

    def fit_predict(self, X: Any, y: Any = None) -> npt.NDArray[np.int64]:
        """Fits, and gives the most probable Gaussian of each point."""
        return self.fit(X, y).predict(X)

    def score_samples(self, X: Any) -> Array:
        """The logarithm of the mixture's density at each point, with respect to the hyperbolic volume."""
        return self.mixture_.log_density(self._points(X, reset=False))

    def score(self, X: Any, y: Any = None) -> float:
        """Mean of :meth:`score_samples`."""
        return float(self.score_samples(X).mean())

    def sample(self, n_samples: int = 1) -> tuple[Array, npt.NDArray[np.uint32]]:
        """Points of the ball drawn from the mixture, and the Gaussian that each is of."""
        return self.mixture_.sample(n_samples, seed=seed_of(self.random_state))

    def bic(self, X: Any) -> float:
        """Bayes' information criterion on these points; smaller is better."""
        count = len(X)
        return -2 * self.score(X) * count + self._n_parameters() * float(np.log(count))

    def aic(self, X: Any) -> float:
        """Akaike's information criterion on these points; smaller is better."""
        return -2 * self.score(X) * len(X) + 2 * self._n_parameters()

    def _n_parameters(self) -> int:
        components, dim = self.means_.shape
        return int(components * (dim + 2) - 1)
