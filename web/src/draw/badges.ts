// The numbers of communities: at their barycenters, or beside them where a node would be hidden.

import type { Point } from "../mobius";
import { nearness, type Look } from "../look";
import type { View } from "../view";
import type { Box } from "./names";

/** Directions in which a badge may stand aside, and how far, in its own radii. */
const DIRECTIONS = 8;
const AWAY = [1.9, 2.9, 4];

/** Among more nodes than this there is no free place to be found, so badges stay where they are and let nodes shine through. */
const MOST_NODES = 3000;

export interface Badge {
  /** Where it is, in pixels, and whether nodes lie under it all the same. */
  readonly at: Point;
  readonly covers: boolean;
}

export class Badges {
  /** The place that each badge had last, to be kept while the plane moves and it is free: badges do not jump. */
  private readonly last = new Map<number, number>();

  /** A place for the badge of a community, of this radius in pixels, whose barycenter is at a pixel; `taken` has the badges that stand already. */
  place(community: number, center: Point, size: number, view: View, look: Look, positions: Float32Array, taken: readonly Box[], moving: boolean): Badge {
    if (look.sizes.length > MOST_NODES) return { at: center, covers: true };
    const nodes = near(center, (AWAY[AWAY.length - 1]! + 1) * size + 12, view, look, positions);
    const places = candidates(center, size);
    const order = [(moving && this.last.get(community)) || 0, ...places.keys()];
    let [best, least] = [0, Infinity];
    for (const candidate of order) {
      const at = places[candidate]!;
      const box: Box = [at[0] - size, at[1] - size, at[0] + size, at[1] + size];
      const outside = box[0] < 0 || box[1] < 0 || box[2] > view.width || box[3] > view.height;
      const crowded = taken.some((b) => box[0] < b[2] && box[2] > b[0] && box[1] < b[3] && box[3] > b[1]);
      const hidden = nodes.filter(([x, y, r]) => Math.hypot(x - at[0], y - at[1]) < size + r).length;
      const cost = hidden + (crowded ? 2 : 0) + (outside && candidate > 0 ? 100 : 0);
      if (cost < least) [best, least] = [candidate, cost];
      if (cost === 0) break;
    }
    this.last.set(community, best);
    return { at: places[best]!, covers: least > 0 };
  }
}

function candidates([x, y]: Point, size: number): Point[] {
  const places: Point[] = [[x, y]];
  for (const away of AWAY) {
    for (let i = 0; i < DIRECTIONS; i++) {
      const angle = (2 * Math.PI * (i + 0.5)) / DIRECTIONS;
      places.push([x + away * size * Math.cos(angle), y - away * size * Math.sin(angle)]);
    }
  }
  return places;
}

/** The nodes within some pixels of a place: where they are, and their radius. */
function near([x, y]: Point, reach: number, view: View, look: Look, positions: Float32Array): [number, number, number][] {
  const found: [number, number, number][] = [];
  for (let i = 0; i < look.sizes.length; i++) {
    if (look.colors[4 * i + 3] === 0) continue;
    const [px, py] = view.toScreen([positions[2 * i]!, positions[2 * i + 1]!]);
    if (Math.abs(px - x) < reach && Math.abs(py - y) < reach) {
      found.push([px, py, look.sizes[i]! * nearness(positions[2 * i]!, positions[2 * i + 1]!) * view.grown]);
    }
  }
  return found;
}
