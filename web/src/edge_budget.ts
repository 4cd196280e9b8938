// Edge budget: an adaptive level of detail that keeps frames short on any machine.
//
// Edges come in random order, so every prefix of the list is a uniform sample. While the view moves, the budget is the number of edges
// that allows 60 frames per second; at rest it is all edges, unless a frame would take longer than half a second. The viewer states
// when edges are missing.
//
// Frame times are measured to completion, and frames never overlap. The cost is an exponential moving average, as single frames may be
// slow for external reasons. A budget that is too large shrinks at once; one that is too small grows slowly, so that edges do not flicker.

/** Target range of the frame time in milliseconds: of 16.7 the browser needs the rest for compositing. */
const MAX_FRAME_TIME = 12;
const LOW_FRAME_TIME = 8.5;

/** Maximum time of a frame at rest, in milliseconds. */
const MAX_REST_TIME = 500;

/** Edges of the first frame, which measures the machine. */
const FIRST_EDGES = 20_000;

const MIN_EDGES = 400;

/** A frame at rest is drawn again if the budget grows by this factor, or to all edges. */
const MIN_REST_GROWTH = 1.25;

/** Weight of the last frame in the moving average. */
const SMOOTHING = 0.3;

/** Consecutive fast frames before the budget grows, and the growth factor. */
const FRAMES_BEFORE_GROWTH = 6;
const GROWTH = 1.12;

/** Smallest factor by which the budget shrinks after one frame. */
const MIN_SHRINK = 0.5;

export class EdgeBudget {
  /** Edges drawn in the last frame. */
  drawn = 0;
  moving = false;
  private movingEdges: number;
  private restEdges: number;
  private isCalibrated = false;
  private cost = 0;
  private fastFrames = 0;

  constructor(readonly total: number) {
    this.movingEdges = total;
    this.restEdges = Math.min(total, FIRST_EDGES);
  }

  /** Number of edges of the next frame. */
  next(moving: boolean): number {
    this.moving = moving;
    this.drawn = Math.min(moving ? this.movingEdges : this.restEdges, this.total);
    return this.drawn;
  }

  /** Records the time of the last frame in milliseconds; returns whether a frame with more edges should follow. */
  record(time: number): boolean {
    if (this.moving) {
      this.adapt(time);
      return false;
    }
    if (!this.isCalibrated) this.movingEdges = this.clamp(this.drawn * (MAX_FRAME_TIME / time));
    this.isCalibrated = true;
    // The first frames are slower than later ones, because the browser has not compiled the code yet.
    const affordable = this.clamp(this.drawn * (MAX_REST_TIME / Math.max(time, 1)));
    if (time > MAX_REST_TIME) this.restEdges = this.clamp(0.8 * affordable);
    const more = this.drawn < this.total && (affordable === this.total || affordable > MIN_REST_GROWTH * this.drawn);
    if (more) this.restEdges = affordable;
    return more;
  }

  private adapt(time: number): void {
    this.cost = this.cost === 0 ? Math.min(time, 2 * MAX_FRAME_TIME) : (1 - SMOOTHING) * this.cost + SMOOTHING * time;
    if (this.cost > MAX_FRAME_TIME) {
      const shrink = Math.max(MIN_SHRINK, MAX_FRAME_TIME / this.cost);
      this.movingEdges = this.clamp(this.drawn * shrink);
      this.cost *= shrink; // the expected cost of the next frame
      this.fastFrames = 0;
    } else if (this.cost > LOW_FRAME_TIME) {
      this.fastFrames = 0;
    } else if (++this.fastFrames > FRAMES_BEFORE_GROWTH) {
      this.movingEdges = this.clamp(this.movingEdges * GROWTH);
      this.fastFrames = 0;
    }
  }

  private clamp(edges: number): number {
    return Math.min(this.total, Math.max(Math.min(MIN_EDGES, this.total), Math.floor(edges)));
  }
}
