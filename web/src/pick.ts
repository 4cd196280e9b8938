// The node or community at a pixel.

import { nearness, type Look } from "./look";
import { type Point, distance } from "./mobius";
import type { State } from "./state";
import type { View } from "./view";

/** Pixels beyond a node's own radius in which it can still be meant. */
const REACH = 9;

export function nodeAt(pixel: Point, view: View, look: Look, positions: Float32Array): number | null {
  const [x, y] = view.toDisc(pixel);
  const scale = view.scale;
  let best: number | null = null;
  let least = Infinity;
  for (let i = 0; i < look.sizes.length; i++) {
    if (look.colors[4 * i + 3] === 0) continue;
    const [px, py] = [positions[2 * i]!, positions[2 * i + 1]!];
    const [dx, dy] = [(px - x) * scale, (py - y) * scale];
    const square = dx * dx + dy * dy;
    if (square > 900 || square >= least) continue;
    const reach = look.sizes[i]! * nearness(px, py) * view.grown + REACH;
    if (square < reach * reach) [best, least] = [i, square];
  }
  return best;
}

/** The community whose outer contour holds the pixel; of several the one that is deepest inside. */
export function communityAt(pixel: Point, view: View, state: State): number | null {
  const place = view.toPlane(pixel);
  if (!place) return null;
  let [best, least] = [null as number | null, 1];
  state.gaussians.forEach(({ mean, contours }, k) => {
    const depth = distance(place, mean) / contours[1];
    if (depth < least) [best, least] = [k, depth];
  });
  return best;
}
