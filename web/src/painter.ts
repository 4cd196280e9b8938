// Frame scheduler: draws a frame when something changed, and keeps frames short while the view moves.

import { Background } from "./draw/background";
import { CanvasRenderer } from "./draw/canvas_renderer";
import { Overlay } from "./draw/overlay";
import { HoverLayer } from "./draw/hover_layer";
import type { Renderer } from "./draw/renderer";
import { WebGlRenderer } from "./draw/webgl_renderer";
import { element } from "./element";
import { createNodeStyles, updateNodeStyles, type NodeStyles } from "./node_style";
import { applyAll } from "./mobius";
import { EdgeBudget } from "./edge_budget";
import type { State } from "./state";
import type { Themes } from "./theme";
import type { View } from "./view";

/** Milliseconds without motion after which the view is at rest. */
const REST_DELAY = 140;

/** Largest device pixel ratio that is used: more shows no visible difference. */
const MAX_DENSITY = 2;

/** Side of the printed image in CSS pixels, and its pixel ratio: 300 dpi on A4. */
const PRINT_SIZE = 720;
const PRINT_DENSITY = 3;

export class Painter {
  readonly overlay: Overlay;
  readonly styles: NodeStyles;
  readonly positions: Float32Array;
  readonly edgeBudget: EdgeBudget;
  renderer: Renderer;
  /** Number of frames drawn, and of redraws of the hover layer alone. */
  frames = 0;
  hoverFrames = 0;
  private readonly background: Background;
  private readonly hoverLayer: HoverLayer;
  private points: Float64Array;
  private density = 1;
  private stylesChanged = true;
  private pending = 0;
  private pendingHover = 0;
  /** Whether a frame is being drawn, and whether another was requested meanwhile. */
  private isDrawing = false;
  private isQueued = false;
  private lastMove = -Infinity;
  private timer = 0;

  constructor(
    readonly stage: HTMLElement,
    private readonly state: State,
    private readonly view: View,
    private readonly themes: Themes,
    private readonly afterFrame: (painter: Painter) => void,
  ) {
    const { scene } = state;
    this.styles = createNodeStyles(scene);
    this.positions = new Float32Array(scene.points.length);
    this.points = scene.points;
    this.edgeBudget = new EdgeBudget(scene.edges ? scene.edges.drawn.length / 2 : 0);
    this.background = new Background(canvas("background"));
    const overlay = canvas("overlay");
    this.renderer = this.createRenderer(overlay);
    this.overlay = new Overlay(overlay);
    this.hoverLayer = new HoverLayer(canvas("hover"));
    stage.prepend(...this.layers(), this.hoverLayer.canvas);
    state.onChange(() => this.restyle());
    state.onHover(() => this.requestHover());
    new ResizeObserver(() => this.resize()).observe(stage);
    this.resize();
  }

  /** WebGL with a hardware GPU, otherwise (or after the context is lost) the software renderer; `#webgl` and `#canvas` in the URL force one. */
  private createRenderer(overlay: HTMLCanvasElement): Renderer {
    const { scene } = this.state;
    if (location.hash !== "#canvas") {
      const surface = canvas("renderer");
      const renderer = WebGlRenderer.create(surface, scene, this.styles, location.hash === "#webgl");
      if (renderer) {
        surface.addEventListener("webglcontextlost", () => {
          surface.remove();
          this.background.canvas.remove();
          this.renderer = new CanvasRenderer(overlay, scene);
          this.resize();
        });
        return renderer;
      }
    }
    return new CanvasRenderer(overlay, scene);
  }

  /** Visible canvases from back to front. The software renderer uses a single one, because each costs a copy per frame. */
  private layers(): HTMLCanvasElement[] {
    const { background, renderer, overlay } = this;
    return renderer.canvas === overlay.canvas ? [overlay.canvas] : [background.canvas, renderer.canvas, overlay.canvas];
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.overlay.canvas;
    this.fit(clientWidth, clientHeight, Math.min(MAX_DENSITY, devicePixelRatio || 1));
    this.restyle();
  }

  /** Resizes all layers to a size in CSS pixels; `density` is the pixel ratio. */
  private fit(width: number, height: number, density: number): void {
    this.density = density;
    this.view.resize(width, height);
    for (const layer of [this.background.canvas, this.overlay.canvas, this.hoverLayer.canvas]) {
      layer.width = Math.max(1, Math.round(width * density));
      layer.height = Math.max(1, Math.round(height * density));
    }
    this.background.invalidate();
    this.renderer.resize(width, height, density);
    this.stylesChanged = true;
  }

  /** Shows other points, as of an animation frame. */
  show(points: Float64Array): void {
    this.points = points;
    this.moved();
  }

  restyle(): void {
    this.stylesChanged = true;
    this.request();
  }

  /** Draws after a change of the view, with the edge budget of motion. */
  moved(): void {
    this.lastMove = performance.now();
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.request(), REST_DELAY + 10);
    this.request();
  }

  request(): void {
    if (this.isDrawing) this.isQueued = true;
    else this.pending ||= requestAnimationFrame(() => this.frame());
  }

  /** Redraws the hover layer alone, unless a full frame is pending. */
  private requestHover(): void {
    this.pendingHover ||= requestAnimationFrame(() => {
      this.pendingHover = 0;
      if (this.pending || this.stylesChanged) return;
      try {
        this.drawHover();
        this.hoverFrames++;
      } catch (error) {
        report(error);
      }
    });
  }

  private drawHover(): void {
    this.hoverLayer.draw(this.view, this.state, this.themes.current, this.styles, this.positions, this.density);
  }

  /** Draws a frame and waits for its completion, so frames never queue up. An exception is reported and does not stop the frame loop. */
  private frame(): void {
    this.pending = 0;
    this.isQueued = false;
    this.isDrawing = true;
    const start = performance.now();
    let drawn = false;
    try {
      this.draw();
      drawn = true;
    } catch (error) {
      report(error);
    } finally {
      this.renderer.whenDone(() => {
        this.isDrawing = false;
        const more = drawn && this.state.options.edges && this.edgeBudget.record(performance.now() - start);
        if (more || this.isQueued) this.request();
      });
    }
  }

  draw(allEdges = false): void {
    const { state, view, styles, positions, density } = this;
    const theme = this.themes.current;
    // The current time, not the frame's timestamp: on a busy machine that may precede the timer that requested a frame at rest.
    const moving = performance.now() - this.lastMove < REST_DELAY;
    if (this.stylesChanged) {
      updateNodeStyles(styles, state, view.radius);
      this.renderer.restyle(styles);
      this.stylesChanged = false;
    }
    applyAll(view.mobius, this.points, positions);
    const edges = !state.options.edges ? 0 : allEdges ? this.edgeBudget.total : this.edgeBudget.next(moving);
    this.background.draw(view, state, theme, density, moving);
    this.renderer.draw({ view, theme, styles, positions, edges, edgeOpacity: edgeOpacity(edges, theme.dark), density, background: this.background });
    if (this.renderer.canvas !== this.overlay.canvas) this.overlay.clear();
    this.overlay.draw(view, state, theme, styles, positions, density, moving);
    this.drawHover();
    this.frames++;
    this.afterFrame(this);
  }

  /** The current view on one canvas. */
  snapshot(): HTMLCanvasElement {
    this.draw();
    return this.composite();
  }

  /** The current view as a square image for print, with all edges, independent of the window's size. */
  printImage(): HTMLCanvasElement {
    const { view } = this;
    const { shift, radius } = view;
    this.fit(PRINT_SIZE, PRINT_SIZE, PRINT_DENSITY);
    view.shift = [(shift[0] * view.radius) / radius, (shift[1] * view.radius) / radius];
    try {
      this.draw(true);
      return this.composite();
    } finally {
      view.shift = shift;
      this.resize();
    }
  }

  /** Composites all layers to one canvas. */
  private composite(): HTMLCanvasElement {
    const image = document.createElement("canvas");
    image.width = this.background.canvas.width;
    image.height = this.background.canvas.height;
    const context = image.getContext("2d")!;
    context.fillStyle = this.themes.current.background;
    context.fillRect(0, 0, image.width, image.height);
    for (const layer of this.layers()) context.drawImage(layer, 0, 0);
    return image;
  }
}

const reported = new Set<string>();

/** Logs an error to the console, each message once: a frame may fail sixty times per second. */
function report(error: unknown): void {
  const message = String(error);
  if (reported.has(message)) return;
  reported.add(message);
  console.error(error);
}

/** Opacity of an edge: lower the more edges there are, so that they do not add up to a black disc. */
function edgeOpacity(edges: number, dark: boolean): number {
  return (dark ? 0.62 : 0.55) * Math.min(1, Math.pow(350 / Math.max(edges, 1), 0.42));
}

function canvas(name: string): HTMLCanvasElement {
  return element("canvas", { class: name });
}
