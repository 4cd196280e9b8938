// The shapes of nodes as stamps: how much of each pixel they cover, worked out once for each shape, size and place within a pixel.

import type { Stamp } from "./bitmap";

/** Steps of the radius in pixels, and places within a pixel along a side: nobody sees finer ones. */
const RADIUS_STEP = 0.25;
const PLACES = 4;

/** Stamps beyond this radius in pixels are kept for whole pixels alone: there are few such nodes, and their stamps are large. */
const LARGE = 14;

const SHAPES = 4;

export class Stamps {
  private readonly small: (Stamp | undefined)[] = new Array((LARGE / RADIUS_STEP + 1) * PLACES * PLACES * SHAPES).fill(undefined);
  private readonly large = new Map<number, Stamp>();

  /** Stamps for pictures so many pixels wide, of which `density` are a pixel of the page. */
  constructor(
    private readonly width: number,
    private readonly density: number,
  ) {}

  /** The stamp of a shape of this radius whose middle is this far into its pixel, 0 to 1 each way; all in pixels of the picture. */
  of(shape: number, radius: number, x: number, y: number): Stamp {
    if (radius > LARGE) return this.largeOf(shape, Math.round(radius));
    const size = Math.round(radius / RADIUS_STEP);
    const i = Math.floor(PLACES * x);
    const j = Math.floor(PLACES * y);
    const key = ((size * PLACES + i) * PLACES + j) * SHAPES + shape;
    return (this.small[key] ??= this.cut(shape, size * RADIUS_STEP, (i + 0.5) / PLACES, (j + 0.5) / PLACES));
  }

  private largeOf(shape: number, radius: number): Stamp {
    const key = radius * SHAPES + shape;
    const stamp = this.large.get(key) ?? this.cut(shape, radius, 0.5, 0.5);
    this.large.set(key, stamp);
    return stamp;
  }

  private cut(shape: number, radius: number, x: number, y: number): Stamp {
    // Nodes that are large enough have a rim, so that neighbours can be told apart.
    const rim = Math.max(0, Math.min(1, radius / this.density - 2)) * this.density;
    const most = Math.ceil(1.5 * radius + rim + 1);
    const share = (beyond: number) => Math.round(256 * Math.max(0, Math.min(1, 0.5 - beyond)));
    const found: { right: number; down: number; cover: number; inside: number }[] = [];
    for (let down = -most; down <= most; down++) {
      for (let right = -most; right <= most; right++) {
        const out = beyond(shape, radius, right + 0.5 - x, down + 0.5 - y);
        const cover = share(out - rim);
        if (cover > 0) found.push({ right, down, cover, inside: share(out) });
      }
    }
    const isWhole = ({ cover, inside }: { cover: number; inside: number }) => cover === 256 && inside === 256;
    found.sort((a, b) => Number(isWhole(b)) - Number(isWhole(a)));
    return {
      whole: found.filter(isWhole).length,
      reach: Math.max(0, ...found.map(({ right, down }) => Math.max(Math.abs(right), Math.abs(down)))),
      right: Int16Array.from(found, ({ right }) => right),
      down: Int16Array.from(found, ({ down }) => down),
      places: Int32Array.from(found, ({ right, down }) => down * this.width + right),
      cover: Uint16Array.from(found, ({ cover }) => cover),
      inside: Uint16Array.from(found, ({ inside }) => inside),
    };
  }
}

/** How far a place is outside of a shape around the origin, as the GPU has it. */
function beyond(shape: number, radius: number, x: number, y: number): number {
  if (shape === 0) return Math.hypot(x, y) - radius;
  if (shape === 1) return Math.max(Math.abs(x), Math.abs(y)) - 0.86 * radius;
  if (shape === 2) {
    const down = y - 0.15 * radius;
    return Math.max(Math.abs(x) * 0.866 - down * 0.5, down) - 0.62 * radius;
  }
  return (Math.abs(x) + Math.abs(y)) * 0.7071 - 0.88 * radius;
}
