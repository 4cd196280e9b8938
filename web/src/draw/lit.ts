// A node in question, its neighbours and the edges between them, above everything else.

import { nearness, type Look } from "../look";
import type { Point } from "../mobius";
import type { State } from "../state";
import type { Theme } from "../theme";
import type { View } from "../view";
import { traceShape } from "./shapes";
import { strokeGeodesic } from "./strokes";

/** Neighbours beyond this many say no more. */
const MOST_LIT = 4000;

/** A node with more neighbours than this has thinner lines to them. */
const MANY = 80;

/** The least radius of a neighbour in pixels: in a crowd, nodes are too small to be seen as lit. */
const LEAST_RADIUS = 2.6;

export function drawLit(context: CanvasRenderingContext2D, view: View, state: State, theme: Theme, look: Look, positions: Float32Array, node: number): void {
  const at = (i: number): Point => [positions[2 * i]!, positions[2 * i + 1]!];
  const color = (i: number) => `rgb(${look.colors[4 * i]},${look.colors[4 * i + 1]},${look.colors[4 * i + 2]})`;
  const size = (i: number) => look.sizes[i]! * nearness(...at(i)) * view.grown;
  const here = at(node);
  const shown = state.neighbors(node).subarray(0, MOST_LIT).filter((i) => look.colors[4 * i + 3] !== 0);
  if (state.on.edges) {
    context.lineWidth = shown.length > MANY ? 1 : 1.4;
    context.globalAlpha = shown.length > MANY ? 0.55 : 0.85;
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
    traceShape(context, look.shapes[i]!, x, y, radius);
    context.lineWidth = 2;
    context.strokeStyle = theme.halo;
    context.stroke();
    context.fillStyle = color(i);
    context.fill();
  };
  for (const other of shown) mark(other, Math.max(LEAST_RADIUS, size(other)));
  const own = Math.max(LEAST_RADIUS, size(node));
  mark(node, own);
  const [x, y] = view.toScreen(here);
  for (const [width, stroke] of [[3.5, theme.halo], [1.8, theme.ink]] as const) {
    context.beginPath();
    traceShape(context, look.shapes[node]!, x, y, own + 3.5);
    context.lineWidth = width;
    context.strokeStyle = stroke;
    context.stroke();
  }
}
