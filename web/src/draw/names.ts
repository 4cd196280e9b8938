// Which names are written, and where: hubs and whatever is in question first, never one over another.

import { baseSize, nearness, type Look } from "../look";
import type { State } from "../state";
import { short } from "../text";
import type { Theme } from "../theme";
import type { View } from "../view";
import type { Lettering } from "./lettering";

export const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif';

/** Left, top, right, bottom. */
export type Box = [number, number, number, number];

interface Placed {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly opacity: number;
}

/** Names written at most, nodes tried at most, letters of a name. */
const MOST_WRITTEN = 40;
const MOST_WRITTEN_IN_CROWDS = 22;
const CROWD = 3000;
const MOST_TRIED = 600;
const LETTERS = 22;

/** Names of nodes farther out than this squared radius are too small to belong to anything. */
const OUTSIDE = 0.93;

/** Writes the names of a node in question and its neighbours, or, if there is none, of the hubs. */
export function writeNames(
  context: CanvasRenderingContext2D,
  lettering: Lettering,
  view: View,
  state: State,
  theme: Theme,
  look: Look,
  positions: Float32Array,
  taken: Box[],
  density: number,
  focus: number | null,
): void {
  const size = Math.max(10, Math.min(13, 7 + baseSize(state.scene.nodes, view.radius)));
  context.font = `500 ${size}px ${FONT}`;
  const measure = (text: string) => lettering.width(context, text);
  for (const { text, x, y, opacity } of placeNames(view, state, look, positions, size, measure, taken, focus)) {
    context.globalAlpha = opacity;
    lettering.write(context, text, x, y, size, theme, density);
  }
  context.globalAlpha = 1;
}

function placeNames(
  view: View,
  state: State,
  look: Look,
  positions: Float32Array,
  size: number,
  measure: (text: string) => number,
  taken: Box[],
  focus: number | null,
): Placed[] {
  const placed: Placed[] = [];
  const place = (node: number, always: boolean): void => {
    const [x, y] = [positions[2 * node]!, positions[2 * node + 1]!];
    if (look.colors[4 * node + 3] === 0 || (!always && x * x + y * y > OUTSIDE)) return;
    const [px, py] = view.toScreen([x, y]);
    if (px < 0 || py < 0 || px > view.width || py > view.height) return;
    const text = `\u2068${short(state.scene.name(node), LETTERS)}\u2069`;
    const width = measure(text);
    const gap = look.sizes[node]! * nearness(x, y) * view.grown + 4;
    const left = px + gap + width > view.width ? px - gap - width : px + gap;
    const box: Box = [left - 2, py - size * 0.62, left + width + 2, py + size * 0.62];
    const overlaps = taken.some((b) => box[0] < b[2] && box[2] > b[0] && box[1] < b[3] && box[3] > b[1]);
    if (overlaps && !always) return;
    taken.push(box);
    placed.push({ text, x: left, y: py, opacity: always ? 1 : 0.92 });
  };
  if (focus !== null) place(focus, true);
  if (!state.on.names) return placed;
  const candidates = focus === null ? fromHubs(look.order) : state.neighbors(focus);
  const most = state.scene.nodes > CROWD ? MOST_WRITTEN_IN_CROWDS : MOST_WRITTEN;
  let tried = 0;
  for (const node of candidates) {
    if (placed.length >= most || ++tried > MOST_TRIED) break;
    if (node !== focus) place(node, false);
  }
  return placed;
}

/** Nodes are drawn with the hubs last; names begin with them. */
function* fromHubs(order: Uint32Array): Generator<number> {
  for (let i = order.length - 1; i >= 0; i--) yield order[i]!;
}
