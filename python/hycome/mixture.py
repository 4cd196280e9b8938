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
        """For each point the probability of each component; every row adds up to one."""
        return _hycome.responsibilities(rows(points), *self._arrays())

    def log_density(self, points: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """The logarithm of the mixture's density at each point, with respect to the hyperbolic volume."""
        by_component = _hycome.log_densities(rows(points), *self._arrays())
        return np.asarray(np.logaddexp.reduce(by_component, axis=1))

    def sample(self, count: int, *, seed: Seed = 1) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.uint32]]:
        """Draws ``count`` points from the mixture, and gives the component that each is of."""
        return _hycome.sample(*self._arrays(), whole("count", count), seed_of(seed))

    def _arrays(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        return vector(self.weights), rows(self.means), vector(self.scales)
