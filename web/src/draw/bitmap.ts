// Software rasterizer with alpha blending: anti-aliased lines (Wu 1991) and sprites.
//
// A 2-D canvas without a GPU takes microseconds for a small circle or arc, with or without batching; this takes tens of nanoseconds.
// The destination is opaque, so blending is one interpolation per pixel in integer arithmetic, red and blue together and green alone.
//
// Blended values are dithered: with rounding to nearest, many faint layers would change only the channel with the largest difference,
// and blue would shift to cyan.

/** Packed pixel: alpha, blue, green, red from the highest byte to the lowest. */
export type Paint = number;

export const paint = (r: number, g: number, b: number): Paint => (0xff000000 | (b << 16) | (g << 8) | r) >>> 0;

/** Coverage mask of a shape around its centre pixel. */
export interface Sprite {
  /** Largest offset of a pixel in either direction. */
  readonly reach: number;
  /** Offset of each pixel from the centre. */
  readonly right: Int16Array;
  readonly down: Int16Array;
  /** The offsets as indices, for a bitmap of the width that the sprite was made for. */
  readonly offsets: Int32Array;
  /** Number of fully covered pixels without rim, which come first. */
  readonly solid: number;
  /** Coverage of each pixel, 0 to 256, and the share of the shape in it, as opposed to its rim. */
  readonly cover: Uint16Array;
  readonly inside: Uint16Array;
}

export class Bitmap {
  readonly image: ImageData;
  readonly pixels: Uint32Array;
  /** Clipping bounds of lines: the size without the last row and column. */
  private readonly right: number;
  private readonly bottom: number;
  /** State of the dithering of pixels and of line opacities. */
  private dither = 0;
  private lineDither = 0;

  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    this.image = new ImageData(width, height);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.right = width - 2;
    this.bottom = height - 2;
  }

  /** Resets to these pixels; the same draw calls then give the same result. */
  reset(pixels: Uint32Array): void {
    this.pixels.set(pixels);
    this.dither = this.lineDither = 0;
  }

  /** Next dithering threshold, 0 to 255. */
  private threshold(): number {
    this.dither = (this.dither + DITHER_STEP) | 0;
    return this.dither >>> 24;
  }

  /** Draws a line; `share` is its opacity, 0 to 256. */
  line(x0: number, y0: number, x1: number, y1: number, color: Paint, share: number, thickness: number): void {
    const { right, bottom } = this;
    const out0 = x0 < 1 || y0 < 1 || x0 > right || y0 > bottom;
    const out1 = x1 < 1 || y1 < 1 || x1 > right || y1 > bottom;
    if (out0 || out1) {
      // Liang-Barsky clipping.
      const [dx, dy] = [x1 - x0, y1 - y0];
      let [from, to] = [0, 1];
      for (let side = 0; side < 4; side++) {
        const across = side === 0 ? -dx : side === 1 ? dx : side === 2 ? -dy : dy;
        const room = side === 0 ? x0 - 1 : side === 1 ? right - x0 : side === 2 ? y0 - 1 : bottom - y0;
        if (across === 0) {
          if (room < 0) return;
        } else if (across < 0) from = Math.max(from, room / across);
        else to = Math.min(to, room / across);
      }
      if (!(from < to)) return;
      [x0, y0, x1, y1] = [x0 + from * dx, y0 + from * dy, x0 + to * dx, y0 + to * dy];
    }
    const steep = Math.abs(y1 - y0) > Math.abs(x1 - x0);
    const stretch = this.width;
    if (steep) this.drawSpan(y0, x0, y1, x1, stretch, 1, color, share, thickness);
    else this.drawSpan(x0, y0, x1, y1, 1, stretch, color, share, thickness);
  }

  /** Rasterizes along the major axis `u`; `along` and `across` are the strides of both axes. The last pixel is excluded. */
  private drawSpan(u0: number, v0: number, u1: number, v1: number, along: number, across: number, color: Paint, share: number, thickness: number): void {
    if (u0 > u1) return this.drawSpan(u1, v1, u0, v0, along, across, color, share, thickness);
    const slope = u1 > u0 ? (v1 - v0) / (u1 - u0) : 0;
    const first = Math.ceil(u0 - 0.5);
    const end = Math.ceil(u1 - 0.5);
    const start = v0 + slope * (first + 0.5 - u0);
    const wide = thickness * Math.sqrt(1 + slope * slope);
    if (wide > MAX_THIN_WIDTH) return this.drawWideSpan(first, end, start, slope, along, across, color, share, wide);
    // Two pixels per step, after Wu, in 16.16 fixed point.
    const { pixels } = this;
    // A separate dither state: that of pixels must not depend on whether the line is drawn.
    this.lineDither = (this.lineDither + LINE_DITHER_STEP) | 0;
    const full = Math.min(256, Math.floor(share * wide + (this.lineDither >>> 24) / 256));
    if (full === 0) return;
    let { dither } = this;
    const redBlue = color & 0xff00ff;
    const green = color & 0xff00;
    let v = Math.round((start - 0.5) * 65536);
    const step = Math.round(slope * 65536);
    for (let at = first * along, last = end * along; at < last; at += along, v += step) {
      dither = (dither + DITHER_STEP) | 0;
      let noise = dither >>> 24;
      const lower = (full * ((v >> 8) & 255) + noise) >> 8;
      const upper = full - lower;
      dither = (dither + DITHER_STEP) | 0;
      noise = dither >>> 24;
      const i = at + (v >> 16) * across;
      let old = pixels[i]!;
      let rb = old & 0xff00ff;
      let g = old & 0xff00;
      pixels[i] = 0xff000000 | ((rb + ((Math.imul(redBlue - rb, upper) + noise * 0x10001) >>> 8)) & 0xff00ff) | ((g + (((green - g) * upper + (noise << 8)) >> 8)) & 0xff00);
      const j = i + across;
      old = pixels[j]!;
      rb = old & 0xff00ff;
      g = old & 0xff00;
      pixels[j] = 0xff000000 | ((rb + ((Math.imul(redBlue - rb, lower) + noise * 0x10001) >>> 8)) & 0xff00ff) | ((g + (((green - g) * lower + (noise << 8)) >> 8)) & 0xff00);
    }
    this.dither = dither;
  }

  /** Rasterizes a wide line. */
  private drawWideSpan(first: number, end: number, start: number, slope: number, along: number, across: number, color: Paint, share: number, wide: number): void {
    const most = along === 1 ? this.height : this.width;
    for (let u = first, v = start; u < end; u++, v += slope) {
      const [low, high] = [Math.max(0, v - wide / 2), Math.min(most, v + wide / 2)];
      for (let pixel = Math.floor(low); pixel < high; pixel++) {
        const covered = Math.min(high, pixel + 1) - Math.max(low, pixel);
        this.blend(u * along + pixel * across, color, Math.floor(share * covered + this.threshold() / 256));
      }
    }
  }

  /** Blends a colour into a pixel with opacity `share`, 0 to 256. */
  private blend(i: number, color: Paint, share: number): void {
    const old = this.pixels[i]!;
    const rb = old & 0xff00ff;
    const g = old & 0xff00;
    const noise = this.threshold();
    const redBlue = (rb + ((Math.imul((color & 0xff00ff) - rb, share) + noise * 0x10001) >>> 8)) & 0xff00ff;
    this.pixels[i] = 0xff000000 | redBlue | ((g + ((((color & 0xff00) - g) * share + (noise << 8)) >> 8)) & 0xff00);
  }

  /** Draws a sprite centred at pixel (x, y), with a rim of another colour. */
  drawSprite(sprite: Sprite, x: number, y: number, color: Paint, rim: Paint, share: number): void {
    const { reach } = sprite;
    if (x < reach || y < reach || x + reach >= this.width || y + reach >= this.height) return this.drawClipped(sprite, x, y, color, rim, share);
    const { pixels } = this;
    const { offsets, solid, cover, inside } = sprite;
    const middle = y * this.width + x;
    let k = 0;
    if (share === 256) {
      // Fast path: most pixels of most nodes are opaque.
      const opaque = (0xff000000 | color) >>> 0;
      for (; k < solid; k++) pixels[middle + offsets[k]!] = opaque;
    }
    const redBlue = color & 0xff00ff;
    const green = color & 0xff00;
    const rimRedBlue = rim & 0xff00ff;
    const rimGreen = rim & 0xff00;
    let { dither } = this;
    for (; k < offsets.length; k++) {
      const by = (share * cover[k]! + 128) >> 8;
      const own = inside[k]!;
      const i = middle + offsets[k]!;
      const old = pixels[i]!;
      let rb = old & 0xff00ff;
      let g = old & 0xff00;
      let newRedBlue = redBlue;
      let newGreen = green;
      if (own < 256) {
        newRedBlue = (rimRedBlue + ((Math.imul(redBlue - rimRedBlue, own) + 0x800080) >>> 8)) & 0xff00ff;
        newGreen = (rimGreen + (((green - rimGreen) * own + 0x8000) >> 8)) & 0xff00;
      }
      dither = (dither + DITHER_STEP) | 0;
      const noise = dither >>> 24;
      rb = (rb + ((Math.imul(newRedBlue - rb, by) + noise * 0x10001) >>> 8)) & 0xff00ff;
      g = (g + (((newGreen - g) * by + (noise << 8)) >> 8)) & 0xff00;
      pixels[i] = 0xff000000 | rb | g;
    }
    this.dither = dither;
  }

  /** Draws the part of a sprite inside of the bitmap. */
  private drawClipped({ right, down, cover, inside }: Sprite, x: number, y: number, color: Paint, rim: Paint, share: number): void {
    for (let k = 0; k < right.length; k++) {
      const [i, j] = [x + right[k]!, y + down[k]!];
      if (i < 0 || j < 0 || i >= this.width || j >= this.height) continue;
      this.blend(j * this.width + i, mix(rim, color, inside[k]!), (share * cover[k]! + 128) >> 8);
    }
  }
}

/** Interpolates two colours; `share` of the second, 0 to 256. */
function mix(from: Paint, to: Paint, share: number): Paint {
  if (share === 256) return to;
  const rb = from & 0xff00ff;
  const g = from & 0xff00;
  return ((rb + ((Math.imul((to & 0xff00ff) - rb, share) + 0x800080) >>> 8)) & 0xff00ff) | ((g + ((((to & 0xff00) - g) * share + 0x8000) >> 8)) & 0xff00);
}

/** Dither increments (golden ratio and square root of two): additive recurrences with low discrepancy. */
const DITHER_STEP = 0x9e3779b9 | 0;
const LINE_DITHER_STEP = 0x6a09e667 | 0;

/** Largest width of a line that is drawn with two pixels per step. */
const MAX_THIN_WIDTH = 1.5;
