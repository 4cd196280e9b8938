"""Reference distances and logarithmic maps for crates/hycome/tests/library/far_points.rs.

Computed with mpmath 1.3.0 at 80 digits from the printed doubles, by the definition of the distance:

    python tools/distance_values.py > crates/hycome/tests/data/distance_values.csv

Columns are the dimension, x, y, d(x, y) and log_x(y); coordinates are separated by spaces. Norms go up to 1 - 1e-15.
"""

import random
import sys

from mpmath import acosh, atanh, mp, mpf, sqrt

mp.dps = 80


def dot(a, b):
    return sum((p * q for p, q in zip(a, b)), mpf(0))


def add(x, y):
    """Mobius addition."""
    xy, xx, yy = dot(x, y), dot(x, x), dot(y, y)
    below = 1 + 2 * xy + xx * yy
    return [((1 + 2 * xy + yy) * p + (1 - xx) * q) / below for p, q in zip(x, y)]


def row(x, y):
    u, v = [mpf(c) for c in x], [mpf(c) for c in y]
    apart = [p - q for p, q in zip(u, v)]
    slack = 1 - dot(u, u)
    distance = acosh(1 + 2 * dot(apart, apart) / (slack * (1 - dot(v, v))))
    moved = add([-c for c in u], v)
    length = sqrt(dot(moved, moved))
    log = [slack * atanh(length) * c / length for c in moved]
    texts = [" ".join(map(repr, x)), " ".join(map(repr, y)), mp.nstr(distance, 20)]
    texts.append(" ".join(mp.nstr(c, 20) for c in log))
    return f"{len(x)}," + ",".join(texts)


def point(generator, dim, gap):
    direction = [generator.gauss(0, 1) for _ in range(dim)]
    length = sum(c * c for c in direction) ** 0.5
    while True:
        x = [c / length * (1 - gap) for c in direction]
        if sum(mpf(c) ** 2 for c in x) < 1:
            return x
        length *= 1 + 1e-16


generator = random.Random(1)
print("m,x,y,distance,log")
for dim in (1, 2, 3, 10, 64):
    for gap in (0.5, 1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12, 1e-14, 1e-15):
        x, y = point(generator, dim, gap), point(generator, dim, gap)
        if x != y:  # in one dimension, only two points have a given norm
            print(row(x, y))
        print(row(x, point(generator, dim, 0.3)))
        # a nearby point, at a distance comparable to its slack
        near = [c * (1 - 0.3 * gap) for c in x]
        if near != x:
            print(row(x, near))
sys.stdout.flush()
