"""Gaussian mixtures of hyperbolic space."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from . import _hycome
from ._arrays import rows, vector
from ._seed import Seed, seed_of
from ._settings import whole


@dataclass(frozen=True, eq=False)
class Mixture:
    """Mixture of isotropic Riemannian Gaussians in the Poincaré ball, one component per community."""

    #: Weight of each component; they sum to one.
    weights: npt.NDArray[np.float64]
    #: Mean of each component, a point of the ball.
    means: npt.NDArray[np.float64]
    #: Positive scale of each component.
    scales: npt.NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.weights)

    def responsibilities(self, points: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Posterior probability of each component for each point.

        Parameters
        ----------
        points : array_like, shape (n, dim)
            Points of the ball.

        Returns
        -------
        ndarray, shape (n, components)
            Probabilities; every row sums to one.

        Examples
        --------
        >>> import hycome
        >>> mixture = hycome.embed("karate", communities=2).mixture
        >>> mixture.responsibilities(mixture.means).argmax(axis=1)
        array([0, 1])
        """
        return _hycome.responsibilities(self._points(points), *self._arrays())

    def log_density(self, points: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Log-density of the mixture with respect to the hyperbolic volume.

        Parameters
        ----------
        points : array_like, shape (n, dim)
            Points of the ball.

        Returns
        -------
        ndarray, shape (n,)
            Log-density at each point.
        """
        by_component = _hycome.log_densities(self._points(points), *self._arrays())
        return np.asarray(np.logaddexp.reduce(by_component, axis=1))

    def sample(self, count: int, *, seed: Seed = 1) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.uint32]]:
        """Draws points from the mixture.

        Parameters
        ----------
        count : int
            Number of points.
        seed : int, numpy.random.Generator, numpy.random.RandomState or None, default: 1
            Seed; ``None`` for a random one, or a generator to draw it from.

        Returns
        -------
        points : ndarray, shape (count, dim)
            Points of the ball.
        components : ndarray, shape (count,)
            Component that each point was drawn from.

        Examples
        --------
        >>> import hycome
        >>> points, components = hycome.embed("karate", communities=2).mixture.sample(5)
        >>> points.shape, components.shape
        ((5, 32), (5,))
        """
        return _hycome.sample(*self._arrays(), whole("count", count), seed_of(seed))

    def _points(self, points: npt.ArrayLike) -> npt.NDArray[np.float64]:
        table, dim = rows(points), np.shape(self.means)[-1]
        if table.shape[1] != dim:
            raise ValueError(
                f"points must have {dim} coordinates, like the means of the mixture, but have {table.shape[1]}"
            )
        return table

    def _arrays(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        return vector(self.weights), rows(self.means), vector(self.scales)
