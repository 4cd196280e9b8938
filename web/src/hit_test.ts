// Hit testing: the node or community at a pixel.

import { depthScale, type NodeStyles } from "./node_style";
import { type Point, distance } from "./mobius";
import type { State } from "./state";
import type { View } from "./view";

/** Tolerance around a node in pixels. */
const TOLERANCE = 9;

export function nodeAt(pixel: Point, view: View, styles: NodeStyles, positions: Float32Array): number | null {
  const [x, y] = view.toDisc(pixel);
  const scale = view.scale;
  let best: number | null = null;
  let least = Infinity;
  for (let i = 0; i < styles.sizes.length; i++) {
    if (styles.colors[4 * i + 3] === 0) continue;
    const [px, py] = [positions[2 * i]!, positions[2 * i + 1]!];
    const [dx, dy] = [(px - x) * scale, (py - y) * scale];
    const square = dx * dx + dy * dy;
    if (square > 900 || square >= least) continue;
    const reach = styles.sizes[i]! * depthScale(px, py) * view.nodeScale + TOLERANCE;
    if (square < reach * reach) [best, least] = [i, square];
  }
  return best;
}

/** The community whose 90 % contour contains the pixel; of several, the one with the smallest relative distance. */
export function communityAt(pixel: Point, view: View, state: State): number | null {
  const point = view.toPlane(pixel);
  if (!point) return null;
  let [best, least] = [null as number | null, 1];
  state.gaussians.forEach(({ mean, contours }, k) => {
    const depth = distance(point, mean) / contours[1];
    if (depth < least) [best, least] = [k, depth];
  });
  return best;
}
