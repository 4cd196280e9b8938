// Pixels in memory, and two ways to paint them: lines and stamps.
//
// A browser's canvas without a GPU takes some microseconds for a small circle or arc, whatever is done about batching; this takes tens of
// nanoseconds, because it does less: everything is opaque below, so a pixel is moved towards a colour by a share, red and
// blue together, green alone, in whole numbers.
//
// Whole numbers are rounded up or down by turns (dithering): always to the nearest, many faint layers would move the colour that has the
// farthest to go and leave the others, and blue would turn to cyan.

/** A colour as pixels hold it: opacity, blue, green, red from the highest byte to the lowest. */
export type Paint = number;

export const paint = (r: number, g: number, b: number): Paint => (0xff000000 | (b << 16) | (g << 8) | r) >>> 0;

/** Pixels around a middle, and how much of each a shape covers. */
export interface Stamp {
  /** How far it reaches, each way. */
  readonly reach: number;
  /** Each pixel, right and down from the middle. */
  readonly right: Int16Array;
  readonly down: Int16Array;
  /** The same as one number, for a picture of the width that the stamp was made for. */
  readonly places: Int32Array;
  /** The pixels that are covered in whole, and not by the rim, come first; these are so many. */
  readonly whole: number;
  /** How much of a pixel is covered, 0 to 256, and how much of that is the shape itself and not its rim. */
  readonly cover: Uint16Array;
  readonly inside: Uint16Array;
}

export class Bitmap {
  readonly image: ImageData;
  readonly pixels: Uint32Array;
  /** How far lines reach into the picture: its size without the last row and column. */
  private readonly right: number;
  private readonly bottom: number;
  /** Where rounding is in its turns. */
  private turn = 0;
  private lineTurn = 0;

  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    this.image = new ImageData(width, height);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.right = width - 2;
    this.bottom = height - 2;
  }

  /** Begins a picture with these pixels; the same lines and stamps then give the same picture. */
  begin(pixels: Uint32Array): void {
    this.pixels.set(pixels);
    this.turn = this.lineTurn = 0;
  }

  /** The next threshold of rounding, 0 to 255. */
  private threshold(): number {
    this.turn = (this.turn + TURN) | 0;
    return this.turn >>> 24;
  }

  /** A line of some thickness; `share` is how far it takes a pixel that it covers towards its colour, 0 to 256. */
  line(x0: number, y0: number, x1: number, y1: number, color: Paint, share: number, thickness: number): void {
    const { right, bottom } = this;
    const out0 = x0 < 1 || y0 < 1 || x0 > right || y0 > bottom;
    const out1 = x1 < 1 || y1 < 1 || x1 > right || y1 > bottom;
    if (out0 || out1) {
      // The part within the picture, after Liang and Barsky.
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
    if (steep) this.steps(y0, x0, y1, x1, stretch, 1, color, share, thickness);
    else this.steps(x0, y0, x1, y1, 1, stretch, color, share, thickness);
  }

  /** Goes along the longer side, `u`, pixel by pixel; `along` and `across` are the steps in memory. Of two ends, one is left out. */
  private steps(u0: number, v0: number, u1: number, v1: number, along: number, across: number, color: Paint, share: number, thickness: number): void {
    if (u0 > u1) return this.steps(u1, v1, u0, v0, along, across, color, share, thickness);
    const slope = u1 > u0 ? (v1 - v0) / (u1 - u0) : 0;
    const first = Math.ceil(u0 - 0.5);
    const end = Math.ceil(u1 - 0.5);
    const start = v0 + slope * (first + 0.5 - u0);
    const wide = thickness * Math.sqrt(1 + slope * slope);
    if (wide > MOST_THIN) return this.band(first, end, start, slope, along, across, color, share, wide);
    // Two pixels share the line, after Wu; 16 bits after the point.
    const { pixels } = this;
    // Turns of its own: those of its pixels must not depend on whether it is drawn.
    this.lineTurn = (this.lineTurn + LINE_TURN) | 0;
    const full = Math.min(256, Math.floor(share * wide + (this.lineTurn >>> 24) / 256));
    if (full === 0) return;
    let { turn } = this;
    const redBlue = color & 0xff00ff;
    const green = color & 0xff00;
    let v = Math.round((start - 0.5) * 65536);
    const step = Math.round(slope * 65536);
    for (let at = first * along, last = end * along; at < last; at += along, v += step) {
      turn = (turn + TURN) | 0;
      let noise = turn >>> 24;
      const lower = (full * ((v >> 8) & 255) + noise) >> 8;
      const upper = full - lower;
      turn = (turn + TURN) | 0;
      noise = turn >>> 24;
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
    this.turn = turn;
  }

  /** A line that covers some pixels in whole. */
  private band(first: number, end: number, start: number, slope: number, along: number, across: number, color: Paint, share: number, wide: number): void {
    const most = along === 1 ? this.height : this.width;
    for (let u = first, v = start; u < end; u++, v += slope) {
      const [low, high] = [Math.max(0, v - wide / 2), Math.min(most, v + wide / 2)];
      for (let pixel = Math.floor(low); pixel < high; pixel++) {
        const covered = Math.min(high, pixel + 1) - Math.max(low, pixel);
        this.blend(u * along + pixel * across, color, Math.floor(share * covered + this.threshold() / 256));
      }
    }
  }

  /** Moves a pixel towards a colour by a share, 0 to 256. */
  private blend(i: number, color: Paint, share: number): void {
    const old = this.pixels[i]!;
    const rb = old & 0xff00ff;
    const g = old & 0xff00;
    const noise = this.threshold();
    const redBlue = (rb + ((Math.imul((color & 0xff00ff) - rb, share) + noise * 0x10001) >>> 8)) & 0xff00ff;
    this.pixels[i] = 0xff000000 | redBlue | ((g + ((((color & 0xff00) - g) * share + (noise << 8)) >> 8)) & 0xff00);
  }

  /** A stamp whose middle is in the pixel (x, y), with a rim of another colour. */
  stamp(stamp: Stamp, x: number, y: number, color: Paint, rim: Paint, share: number): void {
    const { reach } = stamp;
    if (x < reach || y < reach || x + reach >= this.width || y + reach >= this.height) return this.stampPart(stamp, x, y, color, rim, share);
    const { pixels } = this;
    const { places, whole, cover, inside } = stamp;
    const middle = y * this.width + x;
    let k = 0;
    if (share === 256) {
      // Most pixels of most nodes: nothing of what is below is left.
      const opaque = (0xff000000 | color) >>> 0;
      for (; k < whole; k++) pixels[middle + places[k]!] = opaque;
    }
    const redBlue = color & 0xff00ff;
    const green = color & 0xff00;
    const rimRedBlue = rim & 0xff00ff;
    const rimGreen = rim & 0xff00;
    let { turn } = this;
    for (; k < places.length; k++) {
      const by = (share * cover[k]! + 128) >> 8;
      const own = inside[k]!;
      const i = middle + places[k]!;
      const old = pixels[i]!;
      let rb = old & 0xff00ff;
      let g = old & 0xff00;
      let newRedBlue = redBlue;
      let newGreen = green;
      if (own < 256) {
        newRedBlue = (rimRedBlue + ((Math.imul(redBlue - rimRedBlue, own) + 0x800080) >>> 8)) & 0xff00ff;
        newGreen = (rimGreen + (((green - rimGreen) * own + 0x8000) >> 8)) & 0xff00;
      }
      turn = (turn + TURN) | 0;
      const noise = turn >>> 24;
      rb = (rb + ((Math.imul(newRedBlue - rb, by) + noise * 0x10001) >>> 8)) & 0xff00ff;
      g = (g + (((newGreen - g) * by + (noise << 8)) >> 8)) & 0xff00;
      pixels[i] = 0xff000000 | rb | g;
    }
    this.turn = turn;
  }

  /** A stamp at the border of the picture. */
  private stampPart({ right, down, cover, inside }: Stamp, x: number, y: number, color: Paint, rim: Paint, share: number): void {
    for (let k = 0; k < right.length; k++) {
      const [i, j] = [x + right[k]!, y + down[k]!];
      if (i < 0 || j < 0 || i >= this.width || j >= this.height) continue;
      this.blend(j * this.width + i, mixed(rim, color, inside[k]!), (share * cover[k]! + 128) >> 8);
    }
  }
}

/** The colour between two, at a share of the way, 0 to 256. */
function mixed(from: Paint, to: Paint, share: number): Paint {
  if (share === 256) return to;
  const rb = from & 0xff00ff;
  const g = from & 0xff00;
  return ((rb + ((Math.imul((to & 0xff00ff) - rb, share) + 0x800080) >>> 8)) & 0xff00ff) | ((g + ((((to & 0xff00) - g) * share + 0x8000) >> 8)) & 0xff00);
}

/** Steps of the turns of rounding: the golden section of all, and the root of two, so that any number of them in a row is spread evenly. */
const TURN = 0x9e3779b9 | 0;
const LINE_TURN = 0x6a09e667 | 0;

/** A line up to this wide is spread over two pixels; a wider one covers some in whole. */
const MOST_THIN = 1.5;
