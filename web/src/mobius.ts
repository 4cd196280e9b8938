// Orientation-preserving isometries of the Poincaré disc: z ↦ (a·z + b)/(b̄·z + ā) with |a|² − |b|² = 1.
//
// In double precision. The view is moved by composing isometries, which preserve hyperbolic distances.

export interface Mobius {
  readonly ar: number;
  readonly ai: number;
  readonly br: number;
  readonly bi: number;
}

export type Point = readonly [number, number];

export const IDENTITY: Mobius = { ar: 1, ai: 0, br: 0, bi: 0 };

/** Largest norm of a point: keeps points that are rounded to the boundary inside of the disc. */
export const MAX_NORM = 1 - 1e-12;

/** Composition `second ∘ first`, renormalized so that rounding errors do not accumulate. */
export function compose(second: Mobius, first: Mobius): Mobius {
  const ar = second.ar * first.ar - second.ai * first.ai + second.br * first.br + second.bi * first.bi;
  const ai = second.ar * first.ai + second.ai * first.ar + second.bi * first.br - second.br * first.bi;
  const br = second.ar * first.br - second.ai * first.bi + second.br * first.ar + second.bi * first.ai;
  const bi = second.ar * first.bi + second.ai * first.br + second.bi * first.ar - second.br * first.ai;
  const size = Math.sqrt(Math.max(ar * ar + ai * ai - br * br - bi * bi, 1e-300));
  return { ar: ar / size, ai: ai / size, br: br / size, bi: bi / size };
}

/** The translation that maps the origin to `to`. */
export function translation(to: Point): Mobius {
  const [x, y] = clampNorm(to, MAX_NORM);
  const size = Math.sqrt(1 - x * x - y * y);
  return { ar: 1 / size, ai: 0, br: x / size, bi: y / size };
}

export function inverse(m: Mobius): Mobius {
  return { ar: m.ar, ai: -m.ai, br: -m.br, bi: -m.bi };
}

export function apply(m: Mobius, [x, y]: Point): Point {
  const nr = m.ar * x - m.ai * y + m.br;
  const ni = m.ar * y + m.ai * x + m.bi;
  const dr = m.br * x + m.bi * y + m.ar;
  const di = m.br * y - m.bi * x - m.ai;
  const square = dr * dr + di * di;
  return [(nr * dr + ni * di) / square, (ni * dr - nr * di) / square];
}

/** Applies an isometry to all points; arrays hold x and y in turn. */
export function applyAll(m: Mobius, from: Float64Array, to: Float32Array): void {
  const { ar, ai, br, bi } = m;
  for (let i = 0; i < from.length; i += 2) {
    const x = from[i]!;
    const y = from[i + 1]!;
    const nr = ar * x - ai * y + br;
    const ni = ar * y + ai * x + bi;
    const dr = br * x + bi * y + ar;
    const di = br * y - bi * x - ai;
    const scale = 1 / (dr * dr + di * di);
    to[i] = (nr * dr + ni * di) * scale;
    to[i + 1] = (ni * dr - nr * di) * scale;
  }
}

/** The point at a fraction of the geodesic from the origin to `to`. */
export function interpolate([x, y]: Point, fraction: number): Point {
  const norm = Math.hypot(x, y);
  if (norm === 0) return [0, 0];
  const scale = Math.tanh(fraction * Math.atanh(Math.min(norm, MAX_NORM))) / norm;
  return [x * scale, y * scale];
}

/** The translation along the geodesic through `from` and `to` that maps one to the other. */
export function transvection(from: Point, to: Point): Mobius {
  const there = translation(from);
  const step = apply(inverse(there), to);
  return compose(there, compose(translation(step), inverse(there)));
}

/** Hyperbolic distance; finite also for points that are rounded to the boundary. */
export function distance(p: Point, q: Point): number {
  const s = (p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2;
  return 2 * Math.asinh(Math.sqrt(s / (slack(p) * slack(q))));
}

function slack([x, y]: Point): number {
  return Math.max(1 - x * x - y * y, Number.EPSILON / 2);
}

/** Hyperbolic distance of the images of two points: unlike the distance of the rounded images, it is accurate near the boundary. */
export function distanceAfter(m: Mobius, p: Point, q: Point): number {
  const [a, b] = [apply(m, p), apply(m, q)];
  const size = m.ar * m.ar + m.ai * m.ai - m.br * m.br - m.bi * m.bi;
  // 1 − |m(z)|² = (|a|² − |b|²)(1 − |z|²)/|b̄·z + ā|²
  const imageSlack = ([x, y]: Point) => {
    const [dr, di] = [m.br * x + m.bi * y + m.ar, m.br * y - m.bi * x - m.ai];
    return (size * slack([x, y])) / (dr * dr + di * di);
  };
  return 2 * Math.asinh(Math.sqrt(((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) / (imageSlack(p) * imageSlack(q))));
}

/** The isometry that maps `point` to the origin with the rotation of `like`. */
export function centeredOn(point: Point, like: Mobius): Mobius {
  const size = Math.hypot(like.ar, like.ai);
  return compose({ ar: like.ar / size, ai: like.ai / size, br: 0, bi: 0 }, inverse(translation(point)));
}

export function isFinite(m: Mobius): boolean {
  return Number.isFinite(m.ar + m.ai + m.br + m.bi);
}

/** The nearest point in the Euclidean disc of this radius. */
export function clampNorm([x, y]: Point, radius: number): Point {
  const norm = Math.hypot(x, y);
  return norm <= radius ? [x, y] : [(x / norm) * radius, (y / norm) * radius];
}
