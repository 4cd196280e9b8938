"""Reference values of log ζ_m(σ) and Φ⁻¹(σ) for crates/hycome/tests/library/reference_values.rs.

Computed with mpmath 1.3.0 at 50 digits by adaptive quadrature of the defining integral:

    python tools/zeta_values.py > crates/hycome/tests/data/zeta_values.csv
"""

import itertools

from mpmath import exp, findroot, gamma, log, mp, mpf, pi, quad, sinh, sqrt, tanh

mp.dps = 50

DIMS = (1, 2, 3, 4, 5, 7, 10, 16, 20, 33, 64, 128, 256)
SCALES = ("0.001", "0.01", "0.05", "0.1", "0.25", "0.5", "1", "2", "5", "20")

print("m,sigma,log_zeta,phi_inv")
for m, text in itertools.product(DIMS, SCALES):
    sigma = mpf(text)
    c = (m - 1) * sigma**2
    mode = findroot(lambda r: r * tanh(r) - c, max(c, sqrt(c))) if m > 1 else mpf(0)
    g = lambda r: -(r**2) / (2 * sigma**2) + ((m - 1) * log(sinh(r)) if m > 1 else 0)
    peak = g(mode)
    cuts = sorted({max(mpf(0), mode + k * sigma) for k in range(-16, 17, 2)})
    moment = lambda p: quad(lambda r: r**p * exp(g(r) - peak) if r > 0 else mpf(0 if m > 1 or p else 1), cuts)
    area = 2 * pi ** (mpf(m) / 2) / gamma(mpf(m) / 2)
    mass = moment(0)
    print(f"{m},{text},{mp.nstr(log(area) + peak + log(mass), 20)},{mp.nstr(moment(2) / mass, 20)}")
