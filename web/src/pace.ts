// How many edges are drawn, so that the plane moves smoothly on any machine and no picture takes for ever.
//
// Edges come in random order, so any beginning of the list is a fair sample. While the plane moves, as many are drawn as
// leave sixty frames a second; at rest all, unless that would take longer than half a second. The page says so whenever
// some are missing.
//
// What a frame costs is measured until the GPU has finished it, and no frame is begun before.

/** Sixty frames a second, and where it starts to be felt. */
const GOOD = 1000 / 60;
const SLOW = 1.3 * GOOD;

/** The longest that a picture at rest may take, in milliseconds. */
const PATIENCE = 500;

/** Edges of the first picture, which shows what the machine can do. */
const FIRST_EDGES = 20_000;

const LEAST_EDGES = 400;

/** Frames in a row that have to be quick before more edges are tried. */
const STEADY = 90;

export class Pace {
  /** Edges drawn in the last frame. */
  drawn = 0;
  moving = false;
  private moves: number;
  private rests: number;
  private known = false;
  private steady = 0;

  constructor(readonly total: number) {
    this.moves = total;
    this.rests = Math.min(total, FIRST_EDGES);
  }

  /** Edges of the frame that begins now. */
  edges(moving: boolean): number {
    this.moving = moving;
    this.drawn = Math.min(moving ? this.moves : this.rests, this.total);
    return this.drawn;
  }

  /** The last frame took so many milliseconds; says whether there is time for a picture with more edges. */
  took(time: number): boolean {
    if (this.moving || time > SLOW) this.move(time);
    if (this.moving) return false;
    if (time > PATIENCE) {
      this.rests = this.atLeast(0.8 * PATIENCE * (this.drawn / time));
    } else if (!this.known) {
      this.rests = Math.min(this.total, Math.floor(PATIENCE * (this.drawn / Math.max(time, GOOD))));
    }
    const more = !this.known && this.rests > this.drawn;
    this.known = true;
    return more;
  }

  private move(time: number): void {
    if (time > SLOW) {
      this.moves = Math.min(this.moves, this.atLeast(this.drawn * Math.max(0.02, (0.85 * GOOD) / time)));
      this.steady = 0;
    } else if (++this.steady > STEADY) {
      this.moves = Math.min(this.total, Math.floor(this.moves * 1.3));
      this.steady = 0;
    }
  }

  private atLeast(edges: number): number {
    return Math.max(Math.min(LEAST_EDGES, this.total), Math.floor(edges));
  }
}
