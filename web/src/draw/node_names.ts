// Labels with node names: hubs or the highlighted node and its neighbours, without overlaps.

import { baseRadius, depthScale, type NodeStyles } from "../node_style";
import type { State } from "../state";
import { truncate } from "../text";
import type { Theme } from "../theme";
import type { View } from "../view";
import type { TextCache } from "./text_cache";
import { RING } from "./highlight";

export const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif';

/** Left, top, right, bottom. */
export type Box = [number, number, number, number];

interface Placed {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly opacity: number;
}

/** Maximum number of names (and in large graphs), of candidates, and of graphemes per name. */
const MAX_NAMES = 40;
const MAX_NAMES_LARGE_GRAPH = 22;
const LARGE_GRAPH = 3000;
const MAX_CANDIDATES = 600;
const MAX_LENGTH = 22;

/** Squared norm beyond which nodes are too small and crowded for names. */
const MAX_SQUARED_NORM = 0.93;

/** Draws the names of `focus` and its neighbours or, without a focus, of the hubs. */
export function drawNodeNames(
  context: CanvasRenderingContext2D,
  textCache: TextCache,
  view: View,
  state: State,
  theme: Theme,
  styles: NodeStyles,
  positions: Float32Array,
  taken: Box[],
  density: number,
  focus: number | null,
): void {
  const size = Math.max(10, Math.min(13, 7 + baseRadius(state.scene.nodes, view.radius)));
  context.font = `500 ${size}px ${FONT}`;
  const measure = (text: string) => textCache.width(context, text);
  for (const { text, x, y, opacity } of placeNames(view, state, styles, positions, size, measure, taken, focus)) {
    context.globalAlpha = opacity;
    textCache.draw(context, text, x, y, size, theme, density);
  }
  context.globalAlpha = 1;
}

function placeNames(
  view: View,
  state: State,
  styles: NodeStyles,
  positions: Float32Array,
  size: number,
  measure: (text: string) => number,
  taken: Box[],
  focus: number | null,
): Placed[] {
  const placed: Placed[] = [];
  const place = (node: number, always: boolean): void => {
    const [x, y] = [positions[2 * node]!, positions[2 * node + 1]!];
    if (styles.colors[4 * node + 3] === 0 || (!always && x * x + y * y > MAX_SQUARED_NORM)) return;
    const [px, py] = view.toScreen([x, y]);
    if (px < 0 || py < 0 || px > view.width || py > view.height) return;
    const text = `\u2068${truncate(state.scene.name(node), MAX_LENGTH)}\u2069`;
    const width = measure(text);
    const gap = styles.sizes[node]! * depthScale(x, y) * view.nodeScale + (node === focus ? RING + 4 : 4);
    const left = px + gap + width > view.width ? px - gap - width : px + gap;
    const box: Box = [left - 2, py - size * 0.62, left + width + 2, py + size * 0.62];
    const overlaps = taken.some((b) => box[0] < b[2] && box[2] > b[0] && box[1] < b[3] && box[3] > b[1]);
    if (overlaps && !always) return;
    taken.push(box);
    placed.push({ text, x: left, y: py, opacity: always ? 1 : 0.92 });
  };
  if (focus !== null) place(focus, true);
  if (!state.options.names) return placed;
  const candidates = focus === null ? fromHubs(styles.order) : state.neighbors(focus);
  const limit = state.scene.nodes > LARGE_GRAPH ? MAX_NAMES_LARGE_GRAPH : MAX_NAMES;
  let candidatesSeen = 0;
  for (const node of candidates) {
    if (placed.length >= limit || ++candidatesSeen > MAX_CANDIDATES) break;
    if (node !== focus) place(node, false);
  }
  return placed;
}

/** Nodes by descending degree: the drawing order reversed. */
function* fromHubs(order: Uint32Array): Generator<number> {
  for (let i = order.length - 1; i >= 0; i--) yield order[i]!;
}
