// How many edges are drawn while the plane moves, so that it moves smoothly on any machine.
//
// Edges come in random order. While frames take too long, only a beginning of the list is drawn, which is a fair sample;
// at rest all are drawn. The page says so while it happens.

/** Sixty frames a second, and where it starts to be felt. */
const GOOD = 1000 / 60;
const SLOW = 1.25 * GOOD;

const LEAST_EDGES = 400;

export class Pace {
  /** Edges drawn in the last frame. */
  drawn = 0;
  private budget: number;
  private last = 0;
  private steady = 0;

  constructor(readonly total: number) {
    this.budget = total;
  }

  edges(now: number, moving: boolean): number {
    const took = now - this.last;
    this.last = now;
    if (!moving) {
      this.drawn = this.total;
      return this.drawn;
    }
    // A pause between frames is not a slow frame.
    if (took < 400) {
      if (took > SLOW) {
        this.budget = Math.max(Math.min(LEAST_EDGES, this.total), Math.floor(this.budget * Math.max(0.3, (0.9 * GOOD) / took)));
        this.steady = 0;
      } else if (++this.steady > 90) {
        this.budget = Math.min(this.total, Math.floor(this.budget * 1.3));
        this.steady = 0;
      }
    } else if (this.drawn === this.total && took < 3000) {
      this.budget = Math.max(Math.min(LEAST_EDGES, this.total), Math.floor(this.budget * 0.2));
    }
    this.drawn = Math.min(this.budget, this.total);
    return this.drawn;
  }
}
