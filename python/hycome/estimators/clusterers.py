"""Clustering of points: K-means and Gaussian mixtures."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassNamePrefixFeaturesOutMixin, ClusterMixin, DensityMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, check_scalar

from .. import _hycome
from .._settings import real
from .._warnings import warn
from ..mixture import Mixture
from ._points import Coordinates, PointEstimator, seed_of

Array = npt.NDArray[np.float64]


class PoincareKMeans(ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, PointEstimator):
    """Hyperbolic K-means; centroids are Fréchet means (barycenters).

    Parameters
    ----------
    n_clusters : int, default: 8
        Number of clusters.
    n_init : int, default: 4
        Number of random restarts; the one with the lowest inertia is kept.
    max_iter : int, default: 100
        Maximum number of iterations of a restart.
    random_state : int, numpy.random.Generator, numpy.random.RandomState or None, default: 1
        Seed of the initial centres; the same seed gives the same clusters.
    coordinates : {'ball', 'tangent'}, default: 'ball'
        Whether rows are points of the ball or tangent vectors at the origin.

    Attributes
    ----------
    cluster_centers_ : ndarray, shape (n_clusters, dim)
        Barycenter of each cluster, a point of the ball.
    labels_ : ndarray, shape (n,)
        Cluster of each point.
    inertia_ : float
        Sum of squared distances of the points from their nearest centres.
    n_iter_ : int
        Number of iterations of the best restart.

    Examples
    --------
    >>> import hycome
    >>> run = hycome.embed("karate", communities=2)
    >>> hycome.PoincareKMeans(2).fit(run.embedding).cluster_centers_.shape
    (2, 32)
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
        """Fits the clusters.

        Parameters
        ----------
        X : array_like, shape (n, dim)
            Points, in the coordinates given by ``coordinates``.
        y : ignored
            Not used, present for API consistency.

        Returns
        -------
        self : PoincareKMeans
            The fitted estimator.
        """
        for name in ("n_clusters", "n_init", "max_iter"):
            check_scalar(getattr(self, name), name, Integral, min_val=1)
        points = self._points(X, reset=True)
        _check_count("n_clusters", self.n_clusters, points)
        found = _hycome.kmeans(points, self.n_clusters, self.max_iter, self.n_init, seed_of(self.random_state))
        self.cluster_centers_, labels, self.inertia_, self.n_iter_, converged = found
        self.labels_ = labels.astype(np.int32)
        self._n_features_out = len(self.cluster_centers_)
        if not converged:
            warn(f"K-means did not converge in {self.n_iter_} iterations", ConvergenceWarning)
        return self

    def predict(self, X: Any) -> npt.NDArray[np.int32]:
        """Nearest cluster of each point.

        Parameters
        ----------
        X : array_like, shape (n, dim)
            Points, in the coordinates given by ``coordinates``.

        Returns
        -------
        ndarray, shape (n,)
            The clusters, counted from 0.
        """
        return np.asarray(self.transform(X).argmin(axis=1), np.int32)

    def transform(self, X: Any) -> Array:
        """Distances of the points from the cluster centres.

        Parameters
        ----------
        X : array_like, shape (n, dim)
            Points, in the coordinates given by ``coordinates``.

        Returns
        -------
        ndarray, shape (n, n_clusters)
            Hyperbolic distances.
        """
        check_is_fitted(self)
        return _hycome.pairwise_distance(self._points(X, reset=False), self.cluster_centers_)

    def score(self, X: Any, y: Any = None) -> float:
        """Negative sum of squared distances of the points from their nearest centres.

        Parameters
        ----------
        X : array_like, shape (n, dim)
            Points, in the coordinates given by ``coordinates``.
        y : ignored
            Not used, present for API consistency.

        Returns
        -------
        float
            The score; higher is better.
        """
        return -float((self.transform(X).min(axis=1) ** 2).sum())


class PoincareGaussianMixture(DensityMixin, PointEstimator):
    """Mixture of Riemannian Gaussians of hyperbolic space (Said et al. 2018), fitted by EM.

    Parameters
    ----------
    n_components : int, default: 1
        Number of Gaussians.
    tol : float, default: 1e-4
        Convergence threshold on the mean change of responsibilities.
    max_iter : int, default: 100
        Maximum number of iterations.
    n_init : int, default: 4
        Number of random restarts of the initial K-means; EM continues from the most likely one.
    scale_floor : float, default: 1e-3
        Lower bound of the scales, above zero.
    scale_shrinkage : float, default: 0.0
        Shrinkage of the scales towards their common value: each Gaussian gets pseudo-points of average spread, this
        many times the average number of points per Gaussian. Zero fits the scales independently; training uses 3.
    random_state : int, numpy.random.Generator, numpy.random.RandomState or None, default: 1
        Seed of the restarts; the same seed gives the same mixture.
    coordinates : {'ball', 'tangent'}, default: 'ball'
        Whether rows are points of the ball or tangent vectors at the origin.

    Attributes
    ----------
    weights_, means_, scales_ : ndarray
        Weight, mean and scale of each Gaussian.
    mixture_ : hycome.Mixture
        The fitted mixture.
    converged_ : bool
        Whether the fit converged.
    n_iter_ : int
        Number of iterations.
    lower_bound_ : float
        Mean log-likelihood of the points.

    Examples
    --------
    >>> import hycome
    >>> run = hycome.embed("karate", communities=2)
    >>> hycome.PoincareGaussianMixture(2).fit(run.embedding).predict_proba(run.embedding).shape
    (34, 2)
    """

    def __init__(
        self,
        n_components: int = 1,
        *,
        tol: float = 1e-4,
        max_iter: int = 100,
        n_init: int = 4,
        scale_floor: float = 1e-3,
        scale_shrinkage: float = 0.0,
        random_state: Any = 1,
        coordinates: Coordinates = "ball",
    ) -> None:
        self.n_components = n_components
        self.tol = tol
        self.max_iter = max_iter
        self.n_init = n_init
        self.scale_floor = scale_floor
        self.scale_shrinkage = scale_shrinkage
        self.random_state = random_state
        self.coordinates = coordinates

    def fit(self, X: Any, y: Any = None) -> PoincareGaussianMixture:
        """Fits the mixture by EM.

        Parameters
        ----------
        X : array_like, shape (n, dim)
            Points, in the coordinates given by ``coordinates``.
        y : ignored
            Not used, present for API consistency.

        Returns
        -------
        self : PoincareGaussianMixture
            The fitted estimator.
        """
        for name in ("n_components", "n_init", "max_iter"):
            check_scalar(getattr(self, name), name, Integral, min_val=1)
        for name in ("tol", "scale_shrinkage"):
            check_scalar(real(name, getattr(self, name)), name, Real, min_val=0)
        check_scalar(
            real("scale_floor", self.scale_floor), "scale_floor", Real, min_val=0, include_boundaries="neither"
        )
        points = self._points(X, reset=True)
        _check_count("n_components", self.n_components, points)
        found = _hycome.fit_mixture(
            points,
            self.n_components,
            self.max_iter,
            self.tol,
            self.n_init,
            self.scale_floor,
            self.scale_shrinkage,
            seed_of(self.random_state),
        )
        self.weights_, self.means_, self.scales_, self.n_iter_, self.converged_, self.lower_bound_ = found
        if not self.converged_:
            warn(f"the mixture did not converge in {self.n_iter_} iterations", ConvergenceWarning)
        return self

    @property
    def mixture_(self) -> Mixture:
        """The fitted mixture."""
        check_is_fitted(self)
        return Mixture(self.weights_, self.means_, self.scales_)

    def predict_proba(self, X: Any) -> Array:
        """Posterior probability of each Gaussian for each point.

        Parameters
        ----------
        X : array_like, shape (n, dim)
            Points, in the coordinates given by ``coordinates``.

        Returns
        -------
        ndarray, shape (n, n_components)
            Probabilities; every row sums to one.
        """
        return self.mixture_.responsibilities(self._points(X, reset=False))

    def predict(self, X: Any) -> npt.NDArray[np.int64]:
        """Most probable Gaussian of each point.

        Parameters
        ----------
        X : array_like, shape (n, dim)
            Points, in the coordinates given by ``coordinates``.

        Returns
        -------
        ndarray, shape (n,)
            The Gaussians, counted from 0.
        """
        return np.asarray(self.predict_proba(X).argmax(axis=1))

    def fit_predict(self, X: Any, y: Any = None) -> npt.NDArray[np.int64]:
        """Fits the mixture and returns the most probable Gaussian of each point.

        Parameters
        ----------
        X : array_like, shape (n, dim)
            Points, in the coordinates given by ``coordinates``.
        y : ignored
            Not used, present for API consistency.

        Returns
        -------
        ndarray, shape (n,)
            The Gaussians, counted from 0.
        """
        return self.fit(X, y).predict(X)

    def score_samples(self, X: Any) -> Array:
        """Log-density of the mixture at each point, with respect to the hyperbolic volume.

        Parameters
        ----------
        X : array_like, shape (n, dim)
            Points, in the coordinates given by ``coordinates``.

        Returns
        -------
        ndarray, shape (n,)
            Log-densities.
        """
        return self.mixture_.log_density(self._points(X, reset=False))

    def score(self, X: Any, y: Any = None) -> float:
        """Mean log-likelihood of the points.

        Parameters
        ----------
        X : array_like, shape (n, dim)
            Points, in the coordinates given by ``coordinates``.
        y : ignored
            Not used, present for API consistency.

        Returns
        -------
        float
            Mean of :meth:`score_samples`.
        """
        return float(self.score_samples(X).mean())

    def sample(self, n_samples: int = 1) -> tuple[Array, npt.NDArray[np.uint32]]:
        """Draws points from the mixture.

        Parameters
        ----------
        n_samples : int, default: 1
            Number of points.

        Returns
        -------
        points : ndarray, shape (n_samples, dim)
            The points.
        components : ndarray, shape (n_samples,)
            Gaussian that each point was drawn from.
        """
        return self.mixture_.sample(n_samples, seed=seed_of(self.random_state))

    def bic(self, X: Any) -> float:
        """Bayesian information criterion; lower is better.

        Parameters
        ----------
        X : array_like, shape (n, dim)
            Points, in the coordinates given by ``coordinates``.

        Returns
        -------
        float
            The criterion.
        """
        count = len(X)
        return -2 * self.score(X) * count + self._n_parameters() * float(np.log(count))

    def aic(self, X: Any) -> float:
        """Akaike information criterion; lower is better.

        Parameters
        ----------
        X : array_like, shape (n, dim)
            Points, in the coordinates given by ``coordinates``.

        Returns
        -------
        float
            The criterion.
        """
        return -2 * self.score(X) * len(X) + 2 * self._n_parameters()

    def _n_parameters(self) -> int:
        components, dim = self.means_.shape
        return int(components * (dim + 2) - 1)


def _check_count(name: str, count: int, points: Array) -> None:
    if count > len(points):
        raise ValueError(f"{name} == {count}, must be <= the number of points, {len(points)}.")
