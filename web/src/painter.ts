// Draws a frame when something has changed, and keeps frames short while the plane moves.

import { Backdrop } from "./draw/backdrop";
import { CanvasMarks } from "./draw/canvas";
import { Front } from "./draw/front";
import { Hover } from "./draw/hover";
import type { Marks } from "./draw/marks";
import { WebGlMarks } from "./draw/webgl";
import { element } from "./element";
import { emptyLook, updateLook, type Look } from "./look";
import { applyAll } from "./mobius";
import { Pace } from "./pace";
import type { State } from "./state";
import type { Themes } from "./theme";
import type { View } from "./view";

/** The plane rests when it has not moved for so many milliseconds. */
const REST = 140;

/** Screens with more pixels than this per pixel of the page gain nothing that can be seen. */
const MOST_DENSITY = 2;

/** A picture for paper: pixels of the page along a side, and pixels of paper for each; 300 to the inch on A4. */
const PAPER = 720;
const PAPER_DENSITY = 3;

export class Painter {
  readonly front: Front;
  readonly look: Look;
  readonly positions: Float32Array;
  readonly pace: Pace;
  marks: Marks;
  /** Pictures drawn, and how often only the node under the pointer was. */
  frames = 0;
  hovers = 0;
  private readonly back: Backdrop;
  private readonly hover: Hover;
  private points: Float64Array;
  private density = 1;
  private stale = true;
  private pending = 0;
  private pointing = 0;
  /** A frame is being drawn, and whether another was asked for meanwhile. */
  private busy = false;
  private wanted = false;
  private movedAt = -Infinity;
  private timer = 0;

  constructor(
    readonly stage: HTMLElement,
    private readonly state: State,
    private readonly view: View,
    private readonly themes: Themes,
    private readonly told: (painter: Painter) => void,
  ) {
    const { scene } = state;
    this.look = emptyLook(scene);
    this.positions = new Float32Array(scene.points.length);
    this.points = scene.points;
    this.pace = new Pace(scene.edges ? scene.edges.pairs.length / 2 : 0);
    this.back = new Backdrop(canvas("back"));
    const front = canvas("front");
    this.marks = this.makeMarks(front);
    this.front = new Front(front);
    this.hover = new Hover(canvas("hover"));
    stage.prepend(...this.layers(), this.hover.canvas);
    state.listen(() => this.restyle());
    state.watchHover(() => this.point());
    new ResizeObserver(() => this.resize()).observe(stage);
    this.resize();
  }

  /** The GPU where there is one, else the processor, also when the GPU is lost; `#webgl` and `#canvas` in the address insist. */
  private makeMarks(front: HTMLCanvasElement): Marks {
    const { scene } = this.state;
    if (location.hash !== "#canvas") {
      const place = canvas("marks");
      const marks = WebGlMarks.create(place, scene, this.look, location.hash === "#webgl");
      if (marks) {
        place.addEventListener("webglcontextlost", () => {
          place.remove();
          this.back.canvas.remove();
          this.marks = new CanvasMarks(front, scene);
          this.resize();
        });
        return marks;
      }
    }
    return new CanvasMarks(front, scene);
  }

  /** The canvases that are seen, from back to front. The processor draws all on one: each more costs a copy of it in every frame. */
  private layers(): HTMLCanvasElement[] {
    const { back, marks, front } = this;
    return marks.canvas === front.canvas ? [front.canvas] : [back.canvas, marks.canvas, front.canvas];
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.front.canvas;
    this.fit(clientWidth, clientHeight, Math.min(MOST_DENSITY, devicePixelRatio || 1));
    this.restyle();
  }

  /** Makes room for a picture of so many pixels of the page, each of which has `density` of the screen or of paper. */
  private fit(width: number, height: number, density: number): void {
    this.density = density;
    this.view.resize(width, height);
    for (const layer of [this.back.canvas, this.front.canvas, this.hover.canvas]) {
      layer.width = Math.max(1, Math.round(width * density));
      layer.height = Math.max(1, Math.round(height * density));
    }
    this.back.clear();
    this.marks.resize(width, height, density);
    this.stale = true;
  }

  /** Other points, as a frame of the film. */
  show(points: Float64Array): void {
    this.points = points;
    this.moved();
  }

  restyle(): void {
    this.stale = true;
    this.request();
  }

  /** The plane has moved: draw, quickly. */
  moved(): void {
    this.movedAt = performance.now();
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.request(), REST + 10);
    this.request();
  }

  request(): void {
    if (this.busy) this.wanted = true;
    else this.pending ||= requestAnimationFrame(() => this.frame());
  }

  /** Another node is pointed at: draws it with the next frame, or as one. */
  private point(): void {
    this.pointing ||= requestAnimationFrame(() => {
      this.pointing = 0;
      if (this.pending || this.stale) return;
      try {
        this.drawHover();
        this.hovers++;
      } catch (error) {
        report(error);
      }
    });
  }

  private drawHover(): void {
    this.hover.draw(this.view, this.state, this.themes.current, this.look, this.positions, this.density);
  }

  /** Draws, and waits until it is done: frames never queue up. A frame that fails is reported, and the next one is drawn all the same. */
  private frame(): void {
    this.pending = 0;
    this.wanted = false;
    this.busy = true;
    const start = performance.now();
    let drawn = false;
    try {
      this.draw();
      drawn = true;
    } catch (error) {
      report(error);
    } finally {
      this.marks.whenDone(() => {
        this.busy = false;
        const more = drawn && this.state.on.edges && this.pace.took(performance.now() - start);
        if (more || this.wanted) this.request();
      });
    }
  }

  draw(allEdges = false): void {
    const { state, view, look, positions, density } = this;
    const theme = this.themes.current;
    // The time of now, not that of the frame: on a busy machine a frame may begin before the timer that asked for a picture at rest.
    const moving = performance.now() - this.movedAt < REST;
    if (this.stale) {
      updateLook(look, state, view.radius);
      this.marks.restyle(look);
      this.stale = false;
    }
    applyAll(view.mobius, this.points, positions);
    const edges = !state.on.edges ? 0 : allEdges ? this.pace.total : this.pace.edges(moving);
    this.back.draw(view, state, theme, density, moving);
    this.marks.draw({ view, theme, look, positions, edges, ink: ink(edges, theme.dark), density, behind: this.back });
    if (this.marks.canvas !== this.front.canvas) this.front.clear();
    this.front.draw(view, state, theme, look, positions, density, moving);
    this.drawHover();
    this.frames++;
    this.told(this);
  }

  /** The picture as it is now, on one canvas. */
  picture(): HTMLCanvasElement {
    this.draw();
    return this.flat();
  }

  /** The picture as a square for paper, with all its edges, whatever the window is like. */
  sheet(): HTMLCanvasElement {
    const { view } = this;
    const { shift, radius } = view;
    this.fit(PAPER, PAPER, PAPER_DENSITY);
    view.shift = [(shift[0] * view.radius) / radius, (shift[1] * view.radius) / radius];
    try {
      this.draw(true);
      return this.flat();
    } finally {
      view.shift = shift;
      this.resize();
    }
  }

  /** All layers on one canvas. */
  private flat(): HTMLCanvasElement {
    const whole = document.createElement("canvas");
    whole.width = this.back.canvas.width;
    whole.height = this.back.canvas.height;
    const context = whole.getContext("2d")!;
    context.fillStyle = this.themes.current.ground;
    context.fillRect(0, 0, whole.width, whole.height);
    for (const layer of this.layers()) context.drawImage(layer, 0, 0);
    return whole;
  }
}

const reported = new Set<string>();

/** Writes an error to the console, each once: a frame may fail sixty times a second. */
function report(error: unknown): void {
  const words = String(error);
  if (reported.has(words)) return;
  reported.add(words);
  console.error(error);
}

/** Opacity of an edge: many edges are fainter, so that their sum is not a black disc. */
function ink(edges: number, dark: boolean): number {
  return (dark ? 0.62 : 0.55) * Math.min(1, Math.pow(350 / Math.max(edges, 1), 0.42));
}

function canvas(name: string): HTMLCanvasElement {
  return element("canvas", { class: name });
}
