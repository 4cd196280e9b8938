// How far the view may go: the convex hull of the nodes and a margin around it, so that the graph is always in sight.
//
// The hull is computed in the Klein disc, where geodesics are straight lines and a hyperbolic hull is a Euclidean one.

import { type Point, along, apply, clamped, distance, inverse, translation } from "./mobius";

/** Hyperbolic distance from the hull up to which the view moves freely, and which it never exceeds. */
const FREE = 1;
const MOST = 2;

/** Nodes farther out than this count as if they were here: beyond it, Klein coordinates lose their precision. */
const PRECISE = 1 - 1e-7;

export interface Nearest {
  /** The nearest point of the hull, and its hyperbolic distance; zero within the hull. */
  readonly foot: Point;
  readonly distance: number;
}

export class Reach {
  /** The corners of the hull, counterclockwise, in the Klein disc and in the Poincaré disc. */
  private readonly klein: readonly Point[];
  private readonly corners: readonly Point[];

  /** `points` holds x and y in turn. */
  constructor(points: Float64Array) {
    const klein: Point[] = [];
    for (let i = 0; i + 1 < points.length; i += 2) klein.push(toKlein(clamped([points[i]!, points[i + 1]!], PRECISE)));
    this.klein = hull(klein.length > 0 ? klein : [[0, 0]]);
    this.corners = this.klein.map(fromKlein);
  }

  nearest(place: Point): Nearest {
    if (this.holds(place)) return { foot: place, distance: 0 };
    let best: Nearest = { foot: this.corners[0]!, distance: Infinity };
    this.corners.forEach((corner, i) => {
      const foot = footOn(corner, this.corners[(i + 1) % this.corners.length]!, place);
      const away = distance(foot, place);
      if (away < best.distance) best = { foot, distance: away };
    });
    return best;
  }

  /** Where the centre of the view comes to when it is moved from one place to another: the margin resists more and more. */
  bounded(from: Point, to: Point): Point {
    const after = this.nearest(to);
    if (after.distance <= FREE) return to;
    const before = this.nearest(from).distance;
    if (after.distance <= before) return to;
    const start = Math.max(before, FREE);
    // Each step counts by the share of the margin that is left, however the way is cut into steps.
    const allowed = start >= MOST ? start : MOST - (MOST - start) * Math.exp((start - after.distance) / (MOST - FREE));
    const there = translation(after.foot);
    return apply(there, along(apply(inverse(there), to), allowed / after.distance));
  }

  private holds(place: Point): boolean {
    if (this.klein.length < 3) return false;
    const p = toKlein(place);
    return this.klein.every((a, i) => turn(a, this.klein[(i + 1) % this.klein.length]!, p) >= 0);
  }
}

/** The point of the geodesic segment from p to q that is nearest to a place. */
function footOn(p: Point, q: Point, place: Point): Point {
  // With p at the centre, the segment is a part of a ray, and in the Klein disc the foot is the Euclidean one.
  const there = translation(p);
  const back = inverse(there);
  const end = toKlein(apply(back, q));
  const seen = toKlein(apply(back, place));
  const length = Math.hypot(...end);
  if (length === 0) return p;
  const t = Math.min(length, Math.max(0, (seen[0] * end[0] + seen[1] * end[1]) / length));
  return apply(there, fromKlein([(end[0] * t) / length, (end[1] * t) / length]));
}

function toKlein([x, y]: Point): Point {
  const scale = 2 / (1 + x * x + y * y);
  return [scale * x, scale * y];
}

function fromKlein([x, y]: Point): Point {
  const scale = 1 / (1 + Math.sqrt(Math.max(0, 1 - x * x - y * y)));
  return [scale * x, scale * y];
}

/** Positive where the way from a by b to c turns left. */
function turn(a: Point, b: Point, c: Point): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/** The Euclidean convex hull, counterclockwise (Andrew's monotone chain). */
function hull(points: Point[]): Point[] {
  const sorted = points.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (from: Point[]): Point[] => {
    const chain: Point[] = [];
    for (const point of from) {
      while (chain.length > 1 && turn(chain[chain.length - 2]!, chain[chain.length - 1]!, point) <= 0) chain.pop();
      chain.push(point);
    }
    return chain;
  };
  const [lower, upper] = [half(sorted), half(sorted.slice().reverse())];
  const around = [...lower.slice(0, -1), ...upper.slice(0, -1)];
  return around.length > 0 ? around : [sorted[0]!];
}
