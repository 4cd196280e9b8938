// How many edges are drawn, so that the plane moves smoothly on any machine and no picture takes for ever.
//
// Edges come in random order, so any beginning of the list is a fair sample. While the plane moves, as many are drawn as
// leave sixty frames a second; at rest all, unless that would take longer than half a second. The page says so whenever
// some are missing.
//
// What a frame costs is measured until it is finished, and no frame is begun before. A cost is smoothed over some frames, as
// one may be slow for reasons of the machine's own; a number that is too large falls at once, one that is too small grows slowly,
// so that edges do not flicker.

/** Milliseconds of work in a frame, of 16.7 that there are: the browser has to bring it to the screen in the rest. */
const MOST_WORK = 12;
const LITTLE_WORK = 8.5;

/** The longest that a picture at rest may take, in milliseconds. */
const PATIENCE = 500;

/** Edges of the first picture, which shows what the machine can do. */
const FIRST_EDGES = 20_000;

const LEAST_EDGES = 400;

/** A picture at rest is drawn again if it can have so many times the edges, or all. */
const WORTHWHILE = 1.25;

/** Share of the last frame in the smoothed cost. */
const LATEST = 0.3;

/** Frames that have to be quick, one after the other, before more edges are tried, and how many more. */
const STEADY = 6;
const GROWTH = 1.12;

/** The least that is left of the edges at once. */
const FALL = 0.5;

export class Pace {
  /** Edges drawn in the last frame. */
  drawn = 0;
  moving = false;
  private moves: number;
  private rests: number;
  private known = false;
  private work = 0;
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
    if (this.moving) {
      this.move(time);
      return false;
    }
    if (!this.known) this.moves = this.within(this.drawn * (MOST_WORK / time));
    this.known = true;
    // The first pictures are slower than others will be, as the browser still gets to know the program.
    const affordable = this.within(this.drawn * (PATIENCE / Math.max(time, 1)));
    if (time > PATIENCE) this.rests = this.within(0.8 * affordable);
    const more = this.drawn < this.total && (affordable === this.total || affordable > WORTHWHILE * this.drawn);
    if (more) this.rests = affordable;
    return more;
  }

  private move(time: number): void {
    this.work = this.work === 0 ? Math.min(time, 2 * MOST_WORK) : (1 - LATEST) * this.work + LATEST * time;
    if (this.work > MOST_WORK) {
      const fall = Math.max(FALL, MOST_WORK / this.work);
      this.moves = this.within(this.drawn * fall);
      this.work *= fall; // as it will be
      this.steady = 0;
    } else if (this.work > LITTLE_WORK) {
      this.steady = 0;
    } else if (++this.steady > STEADY) {
      this.moves = this.within(this.moves * GROWTH);
      this.steady = 0;
    }
  }

  private within(edges: number): number {
    return Math.min(this.total, Math.max(Math.min(LEAST_EDGES, this.total), Math.floor(edges)));
  }
}
