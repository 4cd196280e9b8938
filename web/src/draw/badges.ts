// Placement of the numbered badges of communities: at the barycenter, or beside it where a badge would hide a node.

import type { Point } from "../mobius";
import { depthScale, type NodeStyles } from "../node_style";
import type { View } from "../view";
import type { Box } from "./node_names";

/** Directions in which a badge may be moved, and distances in radii of the badge. */
const DIRECTIONS = 8;
const DISTANCES = [1.9, 2.9, 4];

/** Above this number of nodes there is no free space, so badges stay at the barycenter and are translucent. */
const MAX_NODES = 3000;

export interface Badge {
  /** Position in pixels, and whether it covers nodes. */
  readonly at: Point;
  readonly covers: boolean;
}

export class Badges {
  /** The last candidate of each badge, which is kept while the view moves, so that badges do not jump. */
  private readonly last = new Map<number, number>();

  /** Places the badge of a community, of radius `size`, with its barycenter at `center`; `taken` are the bounds of other badges. */
  place(community: number, center: Point, size: number, view: View, styles: NodeStyles, positions: Float32Array, taken: readonly Box[], moving: boolean): Badge {
    if (styles.sizes.length > MAX_NODES) return { at: center, covers: true };
    const nodes = near(center, (DISTANCES[DISTANCES.length - 1]! + 1) * size + 12, view, styles, positions);
    const options = candidates(center, size);
    const order = [(moving && this.last.get(community)) || 0, ...options.keys()];
    let [best, least] = [0, Infinity];
    for (const candidate of order) {
      const at = options[candidate]!;
      const box: Box = [at[0] - size, at[1] - size, at[0] + size, at[1] + size];
      const outside = box[0] < 0 || box[1] < 0 || box[2] > view.width || box[3] > view.height;
      const crowded = taken.some((b) => box[0] < b[2] && box[2] > b[0] && box[1] < b[3] && box[3] > b[1]);
      const hidden = nodes.filter(([x, y, r]) => Math.hypot(x - at[0], y - at[1]) < size + r).length;
      const cost = hidden + (crowded ? 2 : 0) + (outside && candidate > 0 ? 100 : 0);
      if (cost < least) [best, least] = [candidate, cost];
      if (cost === 0) break;
    }
    this.last.set(community, best);
    return { at: options[best]!, covers: least > 0 };
  }
}

function candidates([x, y]: Point, size: number): Point[] {
  const places: Point[] = [[x, y]];
  for (const distance of DISTANCES) {
    for (let i = 0; i < DIRECTIONS; i++) {
      const angle = (2 * Math.PI * (i + 0.5)) / DIRECTIONS;
      places.push([x + distance * size * Math.cos(angle), y - distance * size * Math.sin(angle)]);
    }
  }
  return places;
}

/** Position and radius of the nodes within `reach` pixels. */
function near([x, y]: Point, reach: number, view: View, styles: NodeStyles, positions: Float32Array): [number, number, number][] {
  const found: [number, number, number][] = [];
  for (let i = 0; i < styles.sizes.length; i++) {
    if (styles.colors[4 * i + 3] === 0) continue;
    const [px, py] = view.toScreen([positions[2 * i]!, positions[2 * i + 1]!]);
    if (Math.abs(px - x) < reach && Math.abs(py - y) < reach) {
      found.push([px, py, styles.sizes[i]! * depthScale(positions[2 * i]!, positions[2 * i + 1]!) * view.nodeScale]);
    }
  }
  return found;
}
