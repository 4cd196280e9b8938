"""Geometry of the Poincaré ball for NumPy arrays.

Coordinates are the last axis of an array; the other axes are broadcast: the distance between arrays of shapes ``(n, 1,
dim)`` and ``(m, dim)`` has the shape ``(n, m)``. Any dimension is supported. The curvature is −1, so the distance from
the origin to a point of norm ``tanh(1/2)`` is 1. A point outside the unit ball raises :class:`ValueError`.

Everything is computed in double precision with formulas that are accurate for nearby points. Near the boundary the
precision is limited by the coordinates themselves: at radius ``1 − ε`` a rounding error of 1e-16 moves a point by about
``1e-16/ε``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _hycome
from ._arrays import doubles
from ._settings import whole

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
    """Hyperbolic distance.

    Parameters
    ----------
    x, y : array_like, shape (..., dim)
        Points of the ball; the other axes are broadcast.

    Returns
    -------
    float or ndarray
        Distance of each pair; a float if both are single points.

    Examples
    --------
    >>> round(distance([0.0, 0.0], [0.5, 0.0]), 4)
    1.0986
    """
    first, second, shape = _paired(x, y)
    return _shaped(_hycome.distance(first, second), shape)


def pairwise_distance(x: npt.ArrayLike, y: npt.ArrayLike | None = None) -> Array:
    """Distance matrix between the rows of ``x`` and of ``y``.

    Parameters
    ----------
    x : array_like, shape (n, dim)
        Points of the ball.
    y : array_like, shape (m, dim), optional
        Points of the ball; by default ``x`` itself.

    Returns
    -------
    ndarray, shape (n, m)
        Distances.

    Examples
    --------
    >>> pairwise_distance([[0.0, 0.0], [0.5, 0.0]]).round(4)
    array([[0.    , 1.0986],
           [1.0986, 0.    ]])
    """
    first = _rows(_points(x))
    return _hycome.pairwise_distance(first, first if y is None else _rows(_points(y)))


def exp(x: npt.ArrayLike, v: npt.ArrayLike) -> Array:
    """Exponential map: the end of the geodesic from ``x`` with initial velocity ``v`` after unit time.

    Beyond a distance of about 36 from the origin the coordinates round to a point of the boundary.

    Parameters
    ----------
    x : array_like, shape (..., dim)
        Points of the ball.
    v : array_like, shape (..., dim)
        Tangent vectors at ``x``; the other axes are broadcast.

    Returns
    -------
    ndarray, shape (..., dim)
        Points of the ball.

    Examples
    --------
    >>> exp([0.0, 0.0], [0.5, 0.0]).round(4)
    array([0.4621, 0.    ])
    """
    first, second, shape = _paired(x, v)
    return _hycome.exp(first, second).reshape(*shape, first.shape[-1])


def log(x: npt.ArrayLike, y: npt.ArrayLike) -> Array:
    """Logarithmic map: the tangent vector at ``x`` of the geodesic that reaches ``y`` in unit time.

    Parameters
    ----------
    x, y : array_like, shape (..., dim)
        Points of the ball; the other axes are broadcast.

    Returns
    -------
    ndarray, shape (..., dim)
        Tangent vectors at ``x``, whose Riemannian norms are the distances; the inverse of :func:`exp`.

    Examples
    --------
    >>> exp([0.1, 0.2], log([0.1, 0.2], [0.5, 0.0])).round(4)
    array([0.5, 0. ])
    """
    first, second, shape = _paired(x, y)
    return _hycome.log(first, second).reshape(*shape, first.shape[-1])


def mobius_add(x: npt.ArrayLike, y: npt.ArrayLike) -> Array:
    """Möbius addition ``x ⊕ y``: translates ``y`` by the isometry that maps the origin to ``x``.

    Parameters
    ----------
    x, y : array_like, shape (..., dim)
        Points of the ball; the other axes are broadcast.

    Returns
    -------
    ndarray, shape (..., dim)
        Points of the ball.

    Examples
    --------
    >>> mobius_add([0.5, 0.0], [-0.5, 0.0])
    array([0., 0.])
    """
    first, second, shape = _paired(x, y)
    return _hycome.mobius_add(first, second).reshape(*shape, first.shape[-1])


def barycenter(points: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> Array:
    """Weighted Fréchet mean: the point that minimizes the weighted sum of squared distances.

    Parameters
    ----------
    points : array_like, shape (..., n, dim)
        Points of the ball.
    weights : array_like, broadcastable to (..., n), optional
        Weights of the points, zero or more; by default all are equal.

    Returns
    -------
    ndarray, shape (..., dim)
        The barycenter of each set of ``n`` points.

    Examples
    --------
    >>> barycenter([[0.5, 0.0], [-0.5, 0.0]])
    array([0., 0.])
    >>> barycenter([[0.5, 0.0], [-0.5, 0.0]], weights=[1, 0])
    array([0.5, 0. ])
    """
    array = _points(points)
    if array.ndim < 2:
        raise ValueError("a barycenter needs an array of points, but a single point was given")
    if array.shape[-2] == 0:
        raise ValueError("a barycenter needs a point, but there is none")
    stacks = array.reshape(-1, *array.shape[-2:])
    if weights is None:
        found = [_hycome.barycenter(stack) for stack in stacks]
    else:
        given = doubles(weights, "weights")
        try:
            broad = np.broadcast_to(given, array.shape[:-1]).reshape(len(stacks), -1)
        except ValueError:
            raise ValueError(
                f"`weights` must have the shape of `points` without its last axis, {array.shape[:-1]}, but has "
                f"{given.shape}"
            ) from None
        found = [_hycome.barycenter(stack, np.ascontiguousarray(w)) for stack, w in zip(stacks, broad, strict=True)]
    return np.asarray(found).reshape(*array.shape[:-2], array.shape[-1])


def to_lorentz(x: npt.ArrayLike) -> Array:
    """Maps the ball to the hyperboloid −X₀² + X₁² + … = −1 (Lorentz model).

    Parameters
    ----------
    x : array_like, shape (..., dim)
        Points of the ball.

    Returns
    -------
    ndarray, shape (..., dim + 1)
        Points of the hyperboloid, time coordinate first.

    Examples
    --------
    >>> to_lorentz([0.5, 0.0]).round(4)
    array([1.6667, 1.3333, 0.    ])
    """
    array = _points(x)
    lifted = _hycome.to_lorentz(_rows(array))
    return lifted.reshape(*array.shape[:-1], lifted.shape[-1])


def from_lorentz(lifted: npt.ArrayLike) -> Array:
    """Maps the hyperboloid (Lorentz model) to the ball: the inverse of :func:`to_lorentz`.

    Parameters
    ----------
    lifted : array_like, shape (..., dim + 1)
        Points of the hyperboloid, time coordinate first, or positive multiples of such points.

    Returns
    -------
    ndarray, shape (..., dim)
        Points of the ball.

    Examples
    --------
    >>> from_lorentz(to_lorentz([0.5, 0.25])).round(12)
    array([0.5 , 0.25])
    """
    array = _points(lifted)
    below = _hycome.from_lorentz(_rows(array))
    return below.reshape(*array.shape[:-1], below.shape[-1])


def log_zeta(scale: npt.ArrayLike, dim: int) -> Any:
    """Log-normalizing constant ln ζ of a Riemannian Gaussian, whose density is exp(−d²/2σ²)/ζ.

    Parameters
    ----------
    scale : array_like
        Positive scales σ.
    dim : int
        Dimension of the ball.

    Returns
    -------
    float or ndarray
        ln ζ for each scale; a float if ``scale`` is one.

    Examples
    --------
    >>> round(log_zeta(1.0, 2), 4)
    2.182
    """
    return _of_scales(_hycome.log_zeta, scale, dim)


def mean_squared_distance(scale: npt.ArrayLike, dim: int) -> Any:
    """Mean squared distance of a Riemannian Gaussian from its centre.

    Parameters
    ----------
    scale : array_like
        Positive scales σ.
    dim : int
        Dimension of the ball.

    Returns
    -------
    float or ndarray
        Mean squared distance for each scale; a float if ``scale`` is one.

    Examples
    --------
    >>> round(mean_squared_distance(1.0, 2), 4)
    2.7089
    """
    return _of_scales(_hycome.mean_squared_distance, scale, dim)


def scale_from_spread(spread: npt.ArrayLike, dim: int) -> Any:
    """Scale of the Gaussian with this mean squared distance: the inverse of :func:`mean_squared_distance`.

    Parameters
    ----------
    spread : array_like
        Positive mean squared distances.
    dim : int
        Dimension of the ball.

    Returns
    -------
    float or ndarray
        Scales; a float if ``spread`` is one.

    Examples
    --------
    >>> round(scale_from_spread(mean_squared_distance(0.5, 2), 2), 12)
    0.5
    """
    return _of_scales(_hycome.scale_from_spread, spread, dim)


def _of_scales(function: Callable[[int, Array], Array], values: npt.ArrayLike, dim: int) -> Any:
    array = doubles(values, "scale")
    return _shaped(function(whole("dim", dim, 1), np.ascontiguousarray(array.ravel())), array.shape)


def _points(x: npt.ArrayLike) -> Array:
    array = doubles(x, "points")
    if array.ndim == 0:
        raise ValueError("a point is an array of coordinates, but a single number was given")
    return array


def _rows(array: Array) -> Array:
    """Flattens an array to a matrix of points, without a copy if possible."""
    return np.ascontiguousarray(array.reshape(-1, array.shape[-1]))


def _paired(x: npt.ArrayLike, y: npt.ArrayLike) -> tuple[Array, Array, tuple[int, ...]]:
    """Broadcasts two arrays to matrices of points (a single point stays one row), and their common shape."""
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
    """Reshapes values to ``shape``; a float if the shape is ()."""
    return values.reshape(shape) if shape else float(values[0])
