// Strokes of hyperbolic circles and geodesics on a 2-D canvas.

import { arc, trace, type Circle } from "../curves";
import type { Point } from "../mobius";
import type { View } from "../view";

export function strokeCircle(context: CanvasRenderingContext2D, view: View, { center, radius }: Circle): void {
  const [x, y] = view.toScreen(center);
  context.beginPath();
  context.arc(x, y, radius * view.scale, 0, 2 * Math.PI);
  context.stroke();
}

export function strokeGeodesic(context: CanvasRenderingContext2D, view: View, p: Point, q: Point): void {
  const { control, tangent } = arc(p, q);
  context.beginPath();
  trace(context, view.toScreen(p), view.toScreen(control), view.toScreen(q), tangent);
  context.stroke();
}
