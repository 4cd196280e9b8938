// Geodesics and hyperbolic circles of the Poincaré disc as Euclidean curves.
//
// The geodesic through p and q is an arc of a circle orthogonal to the boundary. Its half angle θ between p and q has
// tan θ = (p × q)/(1 − p·q), whose denominator is never zero, so straight lines need no special case: the arc is the rational quadratic
// Bézier curve with endpoints p and q, the control point below, and weight cos θ.

import type { Point } from "./mobius";

export interface Arc {
  readonly control: Point;
  /** tan θ, signed: θ is half of the central angle between the endpoints. */
  readonly tangent: number;
}

export function arc(p: Point, q: Point): Arc {
  const cross = p[0] * q[1] - p[1] * q[0];
  const tangent = cross / (1 - p[0] * q[0] - p[1] * q[1]);
  // The midpoint, moved perpendicular to the chord by half its length times tan θ, towards the centre of the disc.
  const control: Point = [
    (p[0] + q[0] + tangent * (p[1] - q[1])) / 2,
    (p[1] + q[1] + tangent * (q[0] - p[0])) / 2,
  ];
  return { control, tangent };
}

/** Below this the arc deviates from its chord by less than a thousandth of its length. */
const STRAIGHT = 2e-3;

/** Adds the geodesic from p to q to a path; points are in pixels, `tangent` is that of the arc in the disc. */
export function trace(path: CanvasPath, p: Point, control: Point, q: Point, tangent: number): void {
  path.moveTo(p[0], p[1]);
  if (Math.abs(tangent) < STRAIGHT) {
    path.lineTo(q[0], q[1]);
  } else {
    const half = Math.hypot(q[0] - p[0], q[1] - p[1]) / 2;
    const radius = (half * Math.sqrt(1 + tangent * tangent)) / Math.abs(tangent);
    path.arcTo(control[0], control[1], q[0], q[1], radius);
    path.lineTo(q[0], q[1]);
  }
}

export interface Circle {
  readonly center: Point;
  readonly radius: number;
}

/** The Euclidean circle of the points at this hyperbolic distance from `middle`. */
export function circle(middle: Point, distance: number): Circle {
  const t = Math.tanh(distance / 2);
  const square = middle[0] * middle[0] + middle[1] * middle[1];
  // A centre that is rounded beyond the boundary gives radius zero: canvases throw on negative radii.
  const below = Math.max(1 - square * t * t, Number.EPSILON);
  const shift = Math.min(1, (1 - t * t) / below);
  return { center: [middle[0] * shift, middle[1] * shift], radius: (t * Math.max(0, 1 - square)) / below };
}
