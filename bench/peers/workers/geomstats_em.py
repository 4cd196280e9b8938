"""EM iteration of geomstats: FILE POINTS DIM COMMUNITIES; the file holds points, then means, as doubles."""

import json
import logging
import os
import sys

os.environ.setdefault("GEOMSTATS_BACKEND", "numpy")

import numpy
from clock import timed
from geomstats.geometry.poincare_ball import PoincareBall
from geomstats.learning.expectation_maximization import RiemannianEM

# The smallest scale in the table of geomstats; those of hycome are smaller.
SCALE = 0.5

logging.disable(logging.WARNING)
path, count, dim, communities = sys.argv[1], *map(int, sys.argv[2:5])
rows = numpy.fromfile(path, dtype="<f8").reshape(-1, dim)
points, means = rows[:count], rows[count:]
assert len(means) == communities, f"{len(means)} means of {communities} communities"
em = RiemannianEM(PoincareBall(dim), n_gaussians=communities)
em._model.means, em._model.variances = means, numpy.full(communities, SCALE)
em.mixture_coefficients_ = numpy.full(communities, 1 / communities)
times = {}
with timed(times, "iteration"):
    em._maximization(points, em._expectation(points))
print(json.dumps(times))
