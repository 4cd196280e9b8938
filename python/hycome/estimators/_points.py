"""Base class of the estimators whose samples are points."""

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
    """Base class of estimators whose samples are points of hyperbolic space.

    With ``coordinates="ball"`` a row is a point of the Poincaré ball, as in ``run.embedding``; points outside the ball
    are an error. With ``coordinates="tangent"`` a row is a tangent vector at the origin and is mapped to the ball by
    the exponential map, so arbitrary features can be used, for example scaled by an earlier step of a pipeline.
    """

    coordinates: Coordinates

    def _points(self, X: Any, *, reset: bool) -> npt.NDArray[np.float64]:
        refuse_masked(X, "X")  # scikit-learn would use the values under the mask
        return self._inside(validate_data(self, X, reset=reset, dtype=np.float64, order="C"))

    def _inside(self, X: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        if self.coordinates == "tangent":
            points, clipped = _hycome.from_tangent(X)
            if clipped:
                warn(
                    f"{clipped} tangent vectors lead so far out that the ball has no digits for their ends, and were "
                    "clipped; scale the data down",
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
    """Converts scikit-learn's ``random_state`` to an integer seed."""
    if random_state is None or isinstance(random_state, np.random.RandomState):
        return int(check_random_state(random_state).randint(2**31))
    return library_seed(random_state, "random_state")
