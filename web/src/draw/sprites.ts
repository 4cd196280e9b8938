// Cache of node sprites: pixel coverage of each shape, radius and subpixel offset, computed once.

import type { Sprite } from "./bitmap";

/** Quantization of the radius in pixels, and number of subpixel offsets along a side; finer steps are not visible. */
const RADIUS_STEP = 0.25;
const OFFSETS = 4;

/** Sprites beyond this radius in pixels have no subpixel offsets: such nodes are few, and their sprites large. */
const LARGE = 14;

const SHAPES = 4;

export class Sprites {
  private readonly small: (Sprite | undefined)[] = new Array((LARGE / RADIUS_STEP + 1) * OFFSETS * OFFSETS * SHAPES).fill(undefined);
  private readonly large = new Map<number, Sprite>();

  /** Sprites for a bitmap of this width; `density` is the pixel ratio. */
  constructor(
    private readonly width: number,
    private readonly density: number,
  ) {}

  /** The sprite of a shape with this radius and subpixel offset of its centre, 0 to 1 each way, in device pixels. */
  of(shape: number, radius: number, x: number, y: number): Sprite {
    if (radius > LARGE) return this.largeOf(shape, Math.round(radius));
    const size = Math.round(radius / RADIUS_STEP);
    const i = Math.floor(OFFSETS * x);
    const j = Math.floor(OFFSETS * y);
    const key = ((size * OFFSETS + i) * OFFSETS + j) * SHAPES + shape;
    return (this.small[key] ??= this.rasterize(shape, size * RADIUS_STEP, (i + 0.5) / OFFSETS, (j + 0.5) / OFFSETS));
  }

  private largeOf(shape: number, radius: number): Sprite {
    const key = radius * SHAPES + shape;
    const sprite = this.large.get(key) ?? this.rasterize(shape, radius, 0.5, 0.5);
    this.large.set(key, sprite);
    return sprite;
  }

  private rasterize(shape: number, radius: number, x: number, y: number): Sprite {
    // Large nodes have a rim, so that adjacent nodes can be distinguished.
    const rim = Math.max(0, Math.min(1, radius / this.density - 2)) * this.density;
    const extent = Math.ceil(1.5 * radius + rim + 1);
    const coverage = (distance: number) => Math.round(256 * Math.max(0, Math.min(1, 0.5 - distance)));
    const found: { right: number; down: number; cover: number; inside: number }[] = [];
    for (let down = -extent; down <= extent; down++) {
      for (let right = -extent; right <= extent; right++) {
        const distance = signedDistance(shape, radius, right + 0.5 - x, down + 0.5 - y);
        const cover = coverage(distance - rim);
        if (cover > 0) found.push({ right, down, cover, inside: coverage(distance) });
      }
    }
    const isSolid = ({ cover, inside }: { cover: number; inside: number }) => cover === 256 && inside === 256;
    found.sort((a, b) => Number(isSolid(b)) - Number(isSolid(a)));
    return {
      solid: found.filter(isSolid).length,
      reach: Math.max(0, ...found.map(({ right, down }) => Math.max(Math.abs(right), Math.abs(down)))),
      right: Int16Array.from(found, ({ right }) => right),
      down: Int16Array.from(found, ({ down }) => down),
      offsets: Int32Array.from(found, ({ right, down }) => down * this.width + right),
      cover: Uint16Array.from(found, ({ cover }) => cover),
      inside: Uint16Array.from(found, ({ inside }) => inside),
    };
  }
}

/** Signed distance from a shape around the origin, as in the fragment shader. */
function signedDistance(shape: number, radius: number, x: number, y: number): number {
  if (shape === 0) return Math.hypot(x, y) - radius;
  if (shape === 1) return Math.max(Math.abs(x), Math.abs(y)) - 0.86 * radius;
  if (shape === 2) {
    const down = y - 0.15 * radius;
    return Math.max(Math.abs(x) * 0.866 - down * 0.5, down) - 0.62 * radius;
  }
  return (Math.abs(x) + Math.abs(y)) * 0.7071 - 0.88 * radius;
}
