"""Communities as a mixture of Gaussians of hyperbolic space."""

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
    """Weighted Gaussians of the Poincaré ball, one for each community."""

    #: Share of each component, 0 to 1; they add up to one.
    weights: npt.NDArray[np.float64]
    #: Centre of each component, a point of the ball.
    means: npt.NDArray[np.float64]
    #: Scale of each component, above zero.
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
            The probabilities; every row adds up to one.

        Examples
        --------
        >>> import hycome
        >>> mixture = hycome.embed("karate", communities=2).mixture
        >>> mixture.responsibilities(mixture.means).argmax(axis=1)
        array([0, 1])
        """
        return _hycome.responsibilities(self._points(points), *self._arrays())

    def log_density(self, points: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Logarithm of the mixture's density with respect to the hyperbolic volume.

        Parameters
        ----------
        points : array_like, shape (n, dim)
            Points of the ball.

        Returns
        -------
        ndarray, shape (n,)
            The logarithm at each point.
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
            Seed of the draw; ``None`` for a fresh one, or a generator to draw it from.

        Returns
        -------
        points : ndarray, shape (count, dim)
            Points of the ball.
        components : ndarray, shape (count,)
            The component that each point was drawn from.

        Examples
        --------
        >>> import hycome
        >>> points, components = hycome.embed("karate", communities=2).mixture.sample(5)
        >>> points.shape, components.shape
        ((5, 2), (5,))
        """
        return _hycome.sample(*self._arrays(), whole("count", count), seed_of(seed))

    def _points(self, points: npt.ArrayLike) -> npt.NDArray[np.float64]:
        table, dim = rows(points), np.shape(self.means)[-1]
        if table.shape[1] != dim:
            raise ValueError(f"points must have {dim} coordinates, as the means of the mixture, but have {table.shape[1]}")
        return table

    def _arrays(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        return vector(self.weights), rows(self.means), vector(self.scales)
