// How many edges are drawn while the plane moves, so that it moves smoothly on any machine.
//
// Edges come in random order. While frames take too long, only a beginning of the list is drawn, which is a fair sample;
// at rest all are drawn. The page says so while it happens.
//
// What a frame costs is how long the next one had to be waited for: from when it was asked for, or from the frame before
// it, whichever is later. A hand that rests is not a slow machine.

/** Sixty frames a second, and where it starts to be felt. */
const GOOD = 1000 / 60;
const SLOW = 1.3 * GOOD;

const LEAST_EDGES = 400;

/** Frames in a row that have to be quick before more edges are tried. */
const STEADY = 90;

export class Pace {
  /** Edges drawn in the last frame. */
  drawn = 0;
  private budget: number;
  private last = 0;
  private asked = 0;
  private steady = 0;

  constructor(readonly total: number) {
    this.budget = total;
    this.drawn = total;
  }

  /** A frame is wanted. */
  ask(now: number): void {
    this.asked = now;
  }

  /** Edges of the frame that begins now. */
  edges(now: number, moving: boolean): number {
    if (moving) this.observe(now - Math.max(this.last, this.asked));
    this.last = now;
    this.drawn = moving ? Math.min(this.budget, this.total) : this.total;
    return this.drawn;
  }

  /** The last frame took so many milliseconds. */
  observe(took: number): void {
    if (took > SLOW) {
      const fewer = Math.floor(this.drawn * Math.max(0.02, (0.9 * GOOD) / took));
      this.budget = Math.max(Math.min(LEAST_EDGES, this.total), Math.min(this.budget, fewer));
      this.steady = 0;
    } else if (++this.steady > STEADY) {
      this.budget = Math.min(this.total, Math.floor(this.budget * 1.3));
      this.steady = 0;
    }
  }
}
