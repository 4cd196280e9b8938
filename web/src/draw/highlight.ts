// Highlight of a node, its neighbours and the edges between them.

import { depthScale, type NodeStyles } from "../node_style";
import type { Point } from "../mobius";
import type { State } from "../state";
import type { Theme } from "../theme";
import type { View } from "../view";
import { traceShape } from "./shapes";
import { strokeGeodesic } from "./strokes";

/** Maximum number of highlighted neighbours. */
const MAX_HIGHLIGHTED = 4000;

/** A node with more neighbours than this has thinner edges. */
const MANY_NEIGHBORS = 80;

/** Minimum radius of a highlighted node in pixels: in large graphs nodes are too small to stand out. */
const MIN_RADIUS = 2.6;

/** Pixels between a highlighted node and the ring around it. */
export const RING = 3.5;

export function drawHighlight(context: CanvasRenderingContext2D, view: View, state: State, theme: Theme, styles: NodeStyles, positions: Float32Array, node: number): void {
  const at = (i: number): Point => [positions[2 * i]!, positions[2 * i + 1]!];
  const color = (i: number) => `rgb(${styles.colors[4 * i]},${styles.colors[4 * i + 1]},${styles.colors[4 * i + 2]})`;
  const size = (i: number) => styles.sizes[i]! * depthScale(...at(i)) * view.nodeScale;
  const here = at(node);
  const shown = state.neighbors(node).subarray(0, MAX_HIGHLIGHTED).filter((i) => styles.colors[4 * i + 3] !== 0);
  if (state.options.edges) {
    context.lineWidth = shown.length > MANY_NEIGHBORS ? 1 : 1.4;
    context.globalAlpha = shown.length > MANY_NEIGHBORS ? 0.55 : 0.85;
    for (const other of shown) {
      context.strokeStyle = color(other);
      strokeGeodesic(context, view, here, at(other));
    }
  }
  context.globalAlpha = 1;
  const mark = (i: number, radius: number): void => {
    const [x, y] = view.toScreen(at(i));
    if (x < -radius || y < -radius || x > view.width + radius || y > view.height + radius) return;
    context.beginPath();
    traceShape(context, styles.shapes[i]!, x, y, radius);
    context.lineWidth = 2;
    context.strokeStyle = theme.halo;
    context.stroke();
    context.fillStyle = color(i);
    context.fill();
  };
  for (const other of shown) mark(other, Math.max(MIN_RADIUS, size(other)));
  const own = Math.max(MIN_RADIUS, size(node));
  mark(node, own);
  const [x, y] = view.toScreen(here);
  for (const [width, stroke] of [[3.5, theme.halo], [1.8, theme.ink]] as const) {
    context.beginPath();
    traceShape(context, styles.shapes[node]!, x, y, own + RING);
    context.lineWidth = width;
    context.strokeStyle = stroke;
    context.stroke();
  }
}
