"""Geometry, compared with geomstats and SciPy."""

from __future__ import annotations

import os
from itertools import pairwise

os.environ["GEOMSTATS_BACKEND"] = "numpy"

import numpy as np
import pytest
from conftest import cloud
from geomstats.geometry.hyperboloid import Hyperboloid
from geomstats.geometry.poincare_ball import PoincareBall
from geomstats.learning.frechet_mean import FrechetMean
from scipy.integrate import quad
from scipy.special import gamma

from hycome import manifold

DIMENSIONS = [2, 3, 10]


@pytest.mark.parametrize("dim", DIMENSIONS)
def test_distance_matches_geomstats(dim: int) -> None:
    x, y = cloud(50, dim, seed=1), cloud(50, dim, seed=2)
    expected = PoincareBall(dim).metric.dist(x, y)
    np.testing.assert_allclose(manifold.distance(x, y), expected, rtol=1e-9)


@pytest.mark.parametrize("dim", DIMENSIONS)
def test_log_matches_geomstats(dim: int) -> None:
    x, y = cloud(50, dim, seed=1), cloud(50, dim, seed=2)
    expected = PoincareBall(dim).metric.log(y, base_point=x)
    np.testing.assert_allclose(manifold.log(x, y), expected, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("dim", DIMENSIONS)
def test_exp_matches_geomstats(dim: int) -> None:
    x, v = cloud(50, dim, seed=1), 0.3 * cloud(50, dim, seed=2)
    expected = PoincareBall(dim).metric.exp(v, base_point=x)
    np.testing.assert_allclose(manifold.exp(x, v), expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("dim", DIMENSIONS)
def test_mobius_add_matches_geomstats(dim: int) -> None:
    x, y = cloud(50, dim, seed=1), cloud(50, dim, seed=2)
    expected = PoincareBall(dim).metric.mobius_add(x, y)
    np.testing.assert_allclose(manifold.mobius_add(x, y), expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("dim", [2, 3])
def test_barycenter_matches_geomstats(dim: int) -> None:
    points, weights = cloud(20, dim, radius=0.7), np.linspace(0.5, 2.0, 20)
    mean = FrechetMean(PoincareBall(dim))
    mean.set(epsilon=1e-20, max_iter=500)  # on the squared distance
    expected = mean.fit(points, weights=weights).estimate_
    np.testing.assert_allclose(manifold.barycenter(points, weights), expected, atol=1e-7)


@pytest.mark.parametrize("dim", DIMENSIONS)
def test_to_lorentz_matches_geomstats(dim: int) -> None:
    x = cloud(50, dim)
    lifted = manifold.to_lorentz(x)
    space = Hyperboloid(dim)
    assert space.belongs(lifted).all()
    np.testing.assert_allclose(lifted, PoincareBall(dim).to_coordinates(x, "extrinsic"), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(manifold.from_lorentz(lifted), x, atol=1e-12)


@pytest.mark.parametrize("dim", [1, 2, 3, 5, 10])
@pytest.mark.parametrize("scale", [0.05, 0.4, 1.0, 2.5])
def test_log_zeta_matches_scipy_quadrature(dim: int, scale: float) -> None:
    area = 2 * np.pi ** (dim / 2) / gamma(dim / 2)
    peak = (dim - 1) * scale**2  # approximate mode of the integrand, for accuracy

    def exponent(r: float) -> float:
        log_sinh = r + np.log1p(-np.exp(-2 * r)) - np.log(2)
        return -((r / scale) ** 2) / 2 + (dim - 1) * log_sinh

    height = exponent(max(peak, scale))
    ends = (0, max(peak, scale), peak + 12 * scale)
    parts = [quad(lambda r: np.exp(exponent(r) - height), a, b, epsabs=0, epsrel=1e-12)[0] for a, b in pairwise(ends)]
    expected = np.log(area) + height + np.log(sum(parts))
    assert manifold.log_zeta(scale, dim) == pytest.approx(expected, abs=1e-9)


def test_scale_from_spread_inverts_mean_squared_distance() -> None:
    scales = np.geomspace(0.01, 3.0, 12).reshape(3, 4)
    spreads = manifold.mean_squared_distance(scales, 4)
    np.testing.assert_allclose(manifold.scale_from_spread(spreads, 4), scales, rtol=1e-10)


def test_exp_inverts_log_near_the_boundary() -> None:
    x, y = cloud(100, 4, radius=0.99999, seed=1), cloud(100, 4, radius=0.99999, seed=2)
    np.testing.assert_allclose(manifold.exp(x, manifold.log(x, y)), y, atol=1e-9)


def test_arrays_are_broadcast() -> None:
    x, y = cloud(6, 3, seed=1), cloud(4, 3, seed=2)
    table = manifold.distance(x[:, None], y)
    assert table.shape == (6, 4)
    np.testing.assert_allclose(table, manifold.pairwise_distance(x, y))
    one_by_one = [[manifold.distance(a, b) for b in y] for a in x]
    np.testing.assert_allclose(table, one_by_one)
    assert isinstance(one_by_one[0][0], float)
    assert manifold.mobius_add(x.reshape(2, 3, 3), y[0]).shape == (2, 3, 3)
    assert manifold.log_zeta([[0.5, 1.0]], 2).shape == (1, 2)


def test_barycenter_of_stacked_points() -> None:
    stacks = cloud(24, 2).reshape(3, 8, 2)
    weights = np.arange(1.0, 9.0)
    found = manifold.barycenter(stacks, weights)
    assert found.shape == (3, 2)
    np.testing.assert_array_equal(found[1], manifold.barycenter(stacks[1], weights))


def test_parallel_results_match_sequential_ones() -> None:
    x, y = cloud(10_000, 3, seed=1), cloud(10_000, 3, seed=2)
    whole = manifold.exp(x, manifold.log(x, y))
    np.testing.assert_array_equal(
        whole[4000:4100], manifold.exp(x[4000:4100], manifold.log(x[4000:4100], y[4000:4100]))
    )


def test_arrays_of_any_layout_and_type_are_accepted() -> None:
    x = cloud(10, 4).astype(np.float32)
    expected = manifold.distance(x.astype(np.float64), np.zeros(4))
    np.testing.assert_array_equal(manifold.distance(x, np.zeros(4)), expected)
    np.testing.assert_array_equal(manifold.distance(np.asfortranarray(x), [0, 0, 0, 0]), expected)
    every_second = manifold.distance(x[::2], np.zeros(4))
    np.testing.assert_array_equal(every_second, expected[::2])


@pytest.mark.parametrize("function", [manifold.distance, manifold.log, manifold.mobius_add])
def test_points_outside_the_ball_are_rejected(function) -> None:
    with pytest.raises(ValueError, match="`y` must be finite and inside the unit ball, but row 1 is not"):
        function([0.0, 0.0], [[0.5, 0.0], [1.0, 0.0]])
    with pytest.raises(ValueError, match="`x` must be finite"):
        function([np.nan, 0.0], [0.0, 0.0])


def test_invalid_arguments_are_rejected() -> None:
    with pytest.raises(ValueError, match="same dimension"):
        manifold.distance([0.0, 0.0], [0.0, 0.0, 0.0])
    with pytest.raises(ValueError, match="weight is above zero"):
        manifold.barycenter([[0.1, 0.0]], [0.0])
    with pytest.raises(ValueError, match="`scale` must be above zero and finite, but is -1"):
        manifold.log_zeta(-1.0, 2)
    with pytest.raises(ValueError, match="time, the first coordinate"):
        manifold.from_lorentz([1.0, 2.0])
    with pytest.raises(ValueError, match="`v` must be finite"):
        manifold.exp([0.0, 0.0], [np.inf, 0.0])
    with pytest.raises(ValueError, match="shape"):
        manifold.distance(np.zeros((2, 2)), np.zeros((3, 2)))
