// Background layer: the disc, the decision regions of a classifier and a polar grid.

import { circle } from "../curves";
import { type Point, apply } from "../mobius";
import type { State } from "../state";
import type { Theme } from "../theme";
import type { View } from "../view";
import { DecisionRegions } from "./decision_regions";
import { strokeCircle, strokeGeodesic } from "./strokes";

/** Hyperbolic radii of the circles of the polar grid, and its number of rays. */
const RINGS = [1, 2, 3, 4, 5, 6, 7, 8];
const RAYS = 12;

export class Background {
  readonly context: CanvasRenderingContext2D;
  private regions: DecisionRegions | null = null;
  /** Cache key of the last frame, if it does not depend on the isometry; otherwise empty. */
  private cacheKey = "";
  /** Incremented with every redraw. */
  version = 0;

  constructor(readonly canvas: HTMLCanvasElement) {
    this.context = canvas.getContext("2d")!;
  }

  /** Forces a redraw, as after a resize. */
  invalidate(): void {
    this.cacheKey = "";
  }

  draw(view: View, state: State, theme: Theme, density: number, moving: boolean): void {
    const { context } = this;
    const dependsOnView = state.options.grid || (state.options.regions && state.scene.regions !== null);
    const cacheKey = dependsOnView ? "" : [view.zoom, view.shift, view.width, view.height, this.canvas.width, theme.dark].join();
    if (cacheKey && cacheKey === this.cacheKey) return;
    this.cacheKey = cacheKey;
    this.version++;
    context.setTransform(density, 0, 0, density, 0, 0);
    context.clearRect(0, 0, view.width, view.height);
    const [cx, cy] = view.screenCenter;
    const r = view.scale;
    context.save();
    context.shadowColor = theme.dark ? "rgba(0,0,0,0.55)" : "rgba(30,40,60,0.13)";
    context.shadowBlur = 26 * density;
    context.shadowOffsetY = 6 * density;
    context.fillStyle = theme.disc;
    context.beginPath();
    context.arc(cx, cy, r, 0, 2 * Math.PI);
    context.fill();
    context.restore();
    const glow = context.createRadialGradient(cx, cy, 0.55 * r, cx, cy, r);
    glow.addColorStop(0, theme.dark ? "rgba(10,13,18,0)" : "rgba(233,236,242,0)");
    glow.addColorStop(1, theme.dark ? "rgba(8,10,14,0.75)" : "rgba(228,232,240,0.75)");
    context.fillStyle = glow;
    context.fill();
    if (state.options.regions && state.scene.regions) this.drawRegions(view, state, theme, moving);
    if (state.options.grid) this.drawGrid(view, theme);
    context.lineWidth = 1.25;
    context.strokeStyle = theme.rim;
    context.beginPath();
    context.arc(cx, cy, r, 0, 2 * Math.PI);
    context.stroke();
  }

  private drawRegions(view: View, state: State, theme: Theme, moving: boolean): void {
    const predicted = state.scene.colorings.find((coloring) => coloring.key === "prediction");
    if (!predicted) return;
    this.regions ??= new DecisionRegions(state.scene, predicted);
    this.regions.draw(this.context, view, moving, theme.dark ? 0.16 : 0.15);
  }

  private drawGrid(view: View, theme: Theme): void {
    const { context } = this;
    context.strokeStyle = theme.grid;
    context.lineWidth = 1;
    const home = apply(view.mobius, [0, 0]);
    for (const ring of RINGS) strokeCircle(context, view, circle(home, ring));
    const far = Math.tanh(10 / 2);
    for (let i = 0; i < RAYS / 2; i++) {
      const angle = (2 * Math.PI * i) / RAYS;
      const end: Point = [far * Math.cos(angle), far * Math.sin(angle)];
      strokeGeodesic(context, view, apply(view.mobius, end), apply(view.mobius, [-end[0], -end[1]]));
    }
  }
}
