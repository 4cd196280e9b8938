// Bounds of the view: its centre stays within a margin around the convex hull of the nodes, so the graph is always visible.
//
// The hull is computed in the Beltrami-Klein model, where geodesics are straight lines and hyperbolic convexity is Euclidean convexity.

import { type Point, interpolate, apply, clampNorm, distance, inverse, translation } from "./mobius";

/** Hyperbolic distance from the hull up to which the view moves freely, and maximum distance. */
const FREE_DISTANCE = 1;
const MAX_DISTANCE = 2;

/** Norm to which points are clamped: beyond it, Klein coordinates lose precision. */
const MAX_HULL_NORM = 1 - 1e-7;

export interface Nearest {
  /** The nearest point of the hull, and its hyperbolic distance; zero inside. */
  readonly foot: Point;
  readonly distance: number;
}

export class ViewBounds {
  /** Vertices of the hull, counterclockwise, in the Klein and in the Poincaré disc. */
  private readonly klein: readonly Point[];
  private readonly corners: readonly Point[];

  /** `points` holds x and y in turn. */
  constructor(points: Float64Array) {
    const klein: Point[] = [];
    for (let i = 0; i + 1 < points.length; i += 2) klein.push(toKlein(clampNorm([points[i]!, points[i + 1]!], MAX_HULL_NORM)));
    this.klein = hull(klein.length > 0 ? klein : [[0, 0]]);
    this.corners = this.klein.map(fromKlein);
  }

  nearest(point: Point): Nearest {
    if (this.contains(point)) return { foot: point, distance: 0 };
    let best: Nearest = { foot: this.corners[0]!, distance: Infinity };
    this.corners.forEach((corner, i) => {
      const foot = nearestOnSegment(corner, this.corners[(i + 1) % this.corners.length]!, point);
      const separation = distance(foot, point);
      if (separation < best.distance) best = { foot, distance: separation };
    });
    return best;
  }

  /** Clamps a move of the view's centre: the margin is a soft stop with increasing resistance. */
  clamp(from: Point, to: Point): Point {
    const after = this.nearest(to);
    if (after.distance <= FREE_DISTANCE) return to;
    const before = this.nearest(from).distance;
    if (after.distance <= before) return to;
    const start = Math.max(before, FREE_DISTANCE);
    // Exponential approach to the limit, independent of the number of steps.
    const allowed = start >= MAX_DISTANCE ? start : MAX_DISTANCE - (MAX_DISTANCE - start) * Math.exp((start - after.distance) / (MAX_DISTANCE - FREE_DISTANCE));
    const fromOrigin = translation(after.foot);
    return apply(fromOrigin, interpolate(apply(inverse(fromOrigin), to), allowed / after.distance));
  }

  private contains(point: Point): boolean {
    if (this.klein.length < 3) return false;
    const p = toKlein(point);
    return this.klein.every((a, i) => orientation(a, this.klein[(i + 1) % this.klein.length]!, p) >= 0);
  }
}

/** The point of the geodesic segment from p to q nearest to `point` (the foot of the perpendicular, or an endpoint). */
function nearestOnSegment(p: Point, q: Point, point: Point): Point {
  // With p at the origin the segment is part of a ray, and in the Klein disc the foot is the Euclidean one.
  const fromOrigin = translation(p);
  const toOrigin = inverse(fromOrigin);
  const end = toKlein(apply(toOrigin, q));
  const seen = toKlein(apply(toOrigin, point));
  const length = Math.hypot(...end);
  if (length === 0) return p;
  const t = Math.min(length, Math.max(0, (seen[0] * end[0] + seen[1] * end[1]) / length));
  return apply(fromOrigin, fromKlein([(end[0] * t) / length, (end[1] * t) / length]));
}

function toKlein([x, y]: Point): Point {
  const scale = 2 / (1 + x * x + y * y);
  return [scale * x, scale * y];
}

function fromKlein([x, y]: Point): Point {
  const scale = 1 / (1 + Math.sqrt(Math.max(0, 1 - x * x - y * y)));
  return [scale * x, scale * y];
}

/** Orientation of the triangle a, b, c: positive if counterclockwise. */
function orientation(a: Point, b: Point, c: Point): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/** The Euclidean convex hull, counterclockwise (Andrew's monotone chain). */
function hull(points: Point[]): Point[] {
  const sorted = points.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (from: Point[]): Point[] => {
    const chain: Point[] = [];
    for (const point of from) {
      while (chain.length > 1 && orientation(chain[chain.length - 2]!, chain[chain.length - 1]!, point) <= 0) chain.pop();
      chain.push(point);
    }
    return chain;
  };
  const [lower, upper] = [half(sorted), half(sorted.slice().reverse())];
  const vertices = [...lower.slice(0, -1), ...upper.slice(0, -1)];
  return vertices.length > 0 ? vertices : [sorted[0]!];
}
