"""What all estimators on points share: rows of numbers that are points of the ball, or become such."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import validate_data

from .. import _hycome
from .._arrays import refuse_masked
from .._seed import seed_of as library_seed
from .._warnings import warn

Coordinates = Literal["ball", "tangent"]


class PointEstimator(BaseEstimator):
    """An estimator whose samples are points of hyperbolic space.

    With ``coordinates="ball"`` a row holds the coordinates of a point of the Poincaré ball, as in ``run.embedding``; one that
    is not inside the ball is refused. With ``coordinates="tangent"`` a row is any vector, taken as a tangent vector at the
    origin and followed from there: so rows of other origin can be used, and scaled by whatever stands before in a pipeline.
    """

    coordinates: Coordinates

    def _points(self, X: Any, *, reset: bool) -> npt.NDArray[np.float64]:
        refuse_masked(X, "X")  # scikit-learn would take what lies under the mask
        return self._inside(validate_data(self, X, reset=reset, dtype=np.float64, order="C"))

    def _inside(self, X: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        if self.coordinates == "tangent":
            points, shortened = _hycome.from_tangent(X)
            if shortened:
                warn(
                    f"{shortened} tangent vectors lead so far out that the ball has no digits for their ends, and were "
                    "shortened; scale the data down",
                    RuntimeWarning,
                )
            return points
        if self.coordinates != "ball":
            raise ValueError(f"`coordinates` must be 'ball' or 'tangent', but is {self.coordinates!r}")
        outside = np.flatnonzero(np.einsum("ij,ij->i", X, X) >= 1)
        if len(outside):
            raise ValueError(
                f"points must be inside the unit ball, but row {outside[0]} is not; rows of any numbers are taken with "
                "coordinates='tangent'"
            )
        return X


def seed_of(random_state: Any) -> int:
    """A seed of the library out of what scikit-learn calls a random state."""
    if random_state is None or isinstance(random_state, np.random.RandomState):
        return int(check_random_state(random_state).randint(2**31))
    return library_seed(random_state, "random_state")
