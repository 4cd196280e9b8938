"""The Poincaré ball for NumPy arrays.

Points are the last axis of an array, and all other axes are broadcast as NumPy does it: a distance between arrays of shapes
``(n, 1, dim)`` and ``(m, dim)`` has the shape ``(n, m)``. Any dimension will do. All of it is computed by the library in double
precision, in forms that keep their digits for close points. Near the boundary coordinates themselves say less and less: at radius
``1 − ε`` a rounding of 1e-16 moves a point by about ``1e-16/ε``. The metric has curvature −1: from the origin to radius
``tanh(1/2)`` it is one unit. A point that is not inside the unit ball is refused with a :class:`ValueError`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _hycome
from ._arrays import doubles

Array = npt.NDArray[np.float64]

__all__ = [
    "barycenter",
    "distance",
    "exp",
    "from_lorentz",
    "log",
    "log_zeta",
    "mean_squared_distance",
    "mobius_add",
    "pairwise_distance",
    "scale_from_spread",
    "to_lorentz",
]


def distance(x: npt.ArrayLike, y: npt.ArrayLike) -> Any:
    """Hyperbolic distance of ``x`` and ``y``."""
    first, second, shape = _paired(x, y)
    return _shaped(_hycome.distance(first, second), shape)


def pairwise_distance(x: npt.ArrayLike, y: npt.ArrayLike | None = None) -> Array:
    """Distance of every row of ``x`` from every row of ``y``, by default of ``x`` itself."""
    first = _rows(_points(x))
    return _hycome.pairwise_distance(first, first if y is None else _rows(_points(y)))


def exp(x: npt.ArrayLike, v: npt.ArrayLike) -> Array:
    """The point reached from ``x`` by following the tangent vector ``v`` for unit time.

    Beyond a distance of about 36 from the origin the coordinates round to a point of the boundary.
    """
    first, second, shape = _paired(x, v)
    return _hycome.exp(first, second).reshape(*shape, first.shape[-1])


def log(x: npt.ArrayLike, y: npt.ArrayLike) -> Array:
    """The tangent vector at ``x`` that leads to ``y`` in unit time; its length, measured at ``x``, is their distance."""
    first, second, shape = _paired(x, y)
    return _hycome.log(first, second).reshape(*shape, first.shape[-1])


def mobius_add(x: npt.ArrayLike, y: npt.ArrayLike) -> Array:
    """Möbius sum ``x ⊕ y``: the point ``y`` after the translation that takes the origin to ``x``."""
    first, second, shape = _paired(x, y)
    return _hycome.mobius_add(first, second).reshape(*shape, first.shape[-1])


def barycenter(points: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> Array:
    """The point whose weighted sum of squared distances from the rows of ``points`` is least.

    ``points`` has the shape ``(…, n, dim)`` and ``weights`` one that broadcasts to ``(…, n)``; the result has ``(…, dim)``.
    """
    array = _points(points)
    if array.ndim < 2:
        raise ValueError("a barycenter is one of several points, but there is one only")
    stacks = array.reshape(-1, *array.shape[-2:])
    if weights is None:
        found = [_hycome.barycenter(stack) for stack in stacks]
    else:
        broad = np.broadcast_to(np.asarray(weights, np.float64), array.shape[:-1]).reshape(len(stacks), -1)
        found = [_hycome.barycenter(stack, np.ascontiguousarray(w)) for stack, w in zip(stacks, broad, strict=True)]
    return np.asarray(found).reshape(*array.shape[:-2], array.shape[-1])


def to_lorentz(x: npt.ArrayLike) -> Array:
    """The points of the hyperboloid −X₀² + X₁² + … = −1 above ``x``: one coordinate more, time first."""
    array = _points(x)
    lifted = _hycome.to_lorentz(_rows(array))
    return lifted.reshape(*array.shape[:-1], lifted.shape[-1])


def from_lorentz(lifted: npt.ArrayLike) -> Array:
    """The points of the ball below ``lifted``, which may be positive multiples of points of the hyperboloid."""
    array = _points(lifted)
    below = _hycome.from_lorentz(_rows(array))
    return below.reshape(*array.shape[:-1], below.shape[-1])


def log_zeta(scale: npt.ArrayLike, dim: int) -> Any:
    """Logarithm of ζ, the normalising constant of the Gaussian of this scale: exp(−d²/2σ²)/ζ has the integral one."""
    return _of_scales(_hycome.log_zeta, scale, dim)


def mean_squared_distance(scale: npt.ArrayLike, dim: int) -> Any:
    """Mean squared distance of a Gaussian's points from its centre."""
    return _of_scales(_hycome.mean_squared_distance, scale, dim)


def scale_from_spread(spread: npt.ArrayLike, dim: int) -> Any:
    """The scale whose Gaussian has this mean squared distance: the inverse of :func:`mean_squared_distance`."""
    return _of_scales(_hycome.scale_from_spread, spread, dim)


def _of_scales(function: Callable[[int, Array], Array], values: npt.ArrayLike, dim: int) -> Any:
    array = np.ascontiguousarray(values, np.float64)
    return _shaped(function(dim, array.ravel()), np.shape(values))


def _points(x: npt.ArrayLike) -> Array:
    array = doubles(x, "points")
    if array.ndim == 0:
        raise ValueError("a point is an array of coordinates, but a single number was given")
    return array


def _rows(array: Array) -> Array:
    """The points of an array, one after the other; a view of it where its memory is in that order."""
    return np.ascontiguousarray(array.reshape(-1, array.shape[-1]))


def _paired(x: npt.ArrayLike, y: npt.ArrayLike) -> tuple[Array, Array, tuple[int, ...]]:
    """Both as rows, as many of one as of the other or a single one, and the shape of their pairs."""
    first, second = _points(x), _points(y)
    if first.shape[-1] != second.shape[-1]:
        raise ValueError(
            f"points must have the same dimension, but have {first.shape[-1]} and {second.shape[-1]} coordinates"
        )
    shape = np.broadcast_shapes(first.shape[:-1], second.shape[:-1])

    def rows(array: Array) -> Array:
        is_one = array.size == array.shape[-1]
        return _rows(array if is_one else np.broadcast_to(array, (*shape, array.shape[-1])))

    return rows(first), rows(second), shape


def _shaped(values: Array, shape: tuple[int, ...]) -> Any:
    """An array, or a number where numbers were given."""
    return values.reshape(shape) if shape else float(values[0])
