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
        The distance of each pair; a number if both are single points.

    Examples
    --------
    >>> round(distance([0.0, 0.0], [0.5, 0.0]), 4)
    1.0986
    """
    first, second, shape = _paired(x, y)
    return _shaped(_hycome.distance(first, second), shape)


def pairwise_distance(x: npt.ArrayLike, y: npt.ArrayLike | None = None) -> Array:
    """Distance of every row of ``x`` from every row of ``y``.

    Parameters
    ----------
    x : array_like, shape (n, dim)
        Points of the ball.
    y : array_like, shape (m, dim), optional
        Points of the ball; by default ``x`` itself.

    Returns
    -------
    ndarray, shape (n, m)
        The distances.

    Examples
    --------
    >>> pairwise_distance([[0.0, 0.0], [0.5, 0.0]]).round(4)
    array([[0.    , 1.0986],
           [1.0986, 0.    ]])
    """
    first = _rows(_points(x))
    return _hycome.pairwise_distance(first, first if y is None else _rows(_points(y)))


def exp(x: npt.ArrayLike, v: npt.ArrayLike) -> Array:
    """Exponential map: the point reached from ``x`` by following the tangent vector ``v`` for unit time.

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
    """Logarithmic map: the tangent vector at ``x`` that leads to ``y`` in unit time.

    Parameters
    ----------
    x, y : array_like, shape (..., dim)
        Points of the ball; the other axes are broadcast.

    Returns
    -------
    ndarray, shape (..., dim)
        Tangent vectors at ``x``, whose lengths in the metric at ``x`` are the distances; the inverse of :func:`exp`.

    Examples
    --------
    >>> exp([0.1, 0.2], log([0.1, 0.2], [0.5, 0.0])).round(4)
    array([0.5, 0. ])
    """
    first, second, shape = _paired(x, y)
    return _hycome.log(first, second).reshape(*shape, first.shape[-1])


def mobius_add(x: npt.ArrayLike, y: npt.ArrayLike) -> Array:
    """Möbius sum ``x ⊕ y``: the point ``y`` after the translation that takes the origin to ``x``.

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
    """Fréchet mean: the point whose weighted sum of squared distances from the points is least.

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
        raise ValueError("a barycenter is one of several points, but there is one only")
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
                f"`weights` must have the shape of `points` without its last axis, {array.shape[:-1]}, but has {given.shape}"
            ) from None
        found = [_hycome.barycenter(stack, np.ascontiguousarray(w)) for stack, w in zip(stacks, broad, strict=True)]
    return np.asarray(found).reshape(*array.shape[:-2], array.shape[-1])


def to_lorentz(x: npt.ArrayLike) -> Array:
    """Points of the hyperboloid −X₀² + X₁² + … = −1 (the Lorentz model) that stand for points of the ball.

    Parameters
    ----------
    x : array_like, shape (..., dim)
        Points of the ball.

    Returns
    -------
    ndarray, shape (..., dim + 1)
        Points of the hyperboloid, time first.

    Examples
    --------
    >>> to_lorentz([0.5, 0.0]).round(4)
    array([1.6667, 1.3333, 0.    ])
    """
    array = _points(x)
    lifted = _hycome.to_lorentz(_rows(array))
    return lifted.reshape(*array.shape[:-1], lifted.shape[-1])


def from_lorentz(lifted: npt.ArrayLike) -> Array:
    """Points of the ball that stand for points of the hyperboloid: the inverse of :func:`to_lorentz`.

    Parameters
    ----------
    lifted : array_like, shape (..., dim + 1)
        Points of the hyperboloid, time first, or positive multiples of such points.

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
    """Logarithm of ζ, the normalising constant of a Gaussian: exp(−d²/2σ²)/ζ has the integral one.

    Parameters
    ----------
    scale : array_like
        Scales σ, above zero.
    dim : int
        Dimension of the ball.

    Returns
    -------
    float or ndarray
        The logarithm for each scale; a number if one was given.

    Examples
    --------
    >>> round(log_zeta(1.0, 2), 4)
    2.182
    """
    return _of_scales(_hycome.log_zeta, scale, dim)


def mean_squared_distance(scale: npt.ArrayLike, dim: int) -> Any:
    """Mean squared distance of a Gaussian's points from its mean.

    Parameters
    ----------
    scale : array_like
        Scales σ, above zero.
    dim : int
        Dimension of the ball.

    Returns
    -------
    float or ndarray
        The mean for each scale; a number if one was given.

    Examples
    --------
    >>> round(mean_squared_distance(1.0, 2), 4)
    2.7089
    """
    return _of_scales(_hycome.mean_squared_distance, scale, dim)


def scale_from_spread(spread: npt.ArrayLike, dim: int) -> Any:
    """Scale of the Gaussian with a given mean squared distance: the inverse of :func:`mean_squared_distance`.

    Parameters
    ----------
    spread : array_like
        Mean squared distances, above zero.
    dim : int
        Dimension of the ball.

    Returns
    -------
    float or ndarray
        The scale for each of them; a number if one was given.

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
