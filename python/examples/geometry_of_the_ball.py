"""Geometry of the Poincaré ball: distances, geodesics, barycenters and Gaussians.

python geometry_of_the_ball.py
"""

from __future__ import annotations

import numpy as np

import hycome
from hycome import manifold


def main() -> None:
    x, y = np.array([0.5, 0.0]), np.array([0.0, 0.8])
    print("distance", manifold.distance(x, y))

    # The geodesic from x to y, in ten steps of equal length.
    line = manifold.exp(x, np.linspace(0, 1, 11)[:, None] * manifold.log(x, y))
    print("steps", manifold.distance(line[:-1], line[1:]).round(6))

    # Samples of a mixture of two Gaussians, and their barycenter.
    mixture = hycome.Mixture(np.array([0.5, 0.5]), np.stack([x, y]), np.array([0.3, 0.6]))
    points, components = mixture.sample(1000, seed=1)
    print("barycenter", manifold.barycenter(points).round(3), "of", np.bincount(components), "points")
    print("density at x", np.exp(mixture.log_density([x])[0]))


if __name__ == "__main__":
    main()
