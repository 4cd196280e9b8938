"""Reference values of log ζ_m(σ) and Φ⁻¹(σ) for crates/hycome/tests/library/reference_values.rs.

Computed with mpmath 1.3.0 at 50 digits by adaptive quadrature of the defining integral:

    python tools/zeta_values.py > crates/hycome/tests/data/zeta_values.csv
"""

from mpmath import exp, findroot, gamma, log, mp, mpf, pi, quad, sinh, sqrt, tanh

mp.dps = 50

CASES = [
    (1, "0.3"), (2, "0.001"), (2, "0.7"), (2, "20"), (3, "0.02"), (4, "1.5"), (7, "0.15"),
    (10, "0.001"), (10, "0.25"), (10, "3"), (33, "0.4"), (64, "0.05"), (128, "2"), (256, "0.01"),
    (256, "20"),
]

print("m,sigma,log_zeta,phi_inv")
for m, text in CASES:
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
