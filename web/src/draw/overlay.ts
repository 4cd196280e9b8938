// Overlay: contours and badges of communities, the highlighted node, node names.

import { circle } from "../curves";
import { colorOf, depthScale, shapeOf, type NodeStyles } from "../node_style";
import { apply } from "../mobius";
import type { State } from "../state";
import { truncate } from "../text";
import type { Theme } from "../theme";
import type { View } from "../view";
import { Badges } from "./badges";
import { TextCache } from "./text_cache";
import { drawHighlight } from "./highlight";
import { FONT, drawNodeNames, type Box } from "./node_names";
import { traceShape } from "./shapes";
import { strokeCircle } from "./strokes";

/** Line styles of the 50 % and 90 % contours. */
const CONTOURS = [
  { opacity: 0.95, width: 1.6, dash: [] },
  { opacity: 0.5, width: 1.1, dash: [5, 4] },
];

/** Maximum number of communities with numbers in their badges. */
const MAX_NUMBERED = 40;

/** Opacity of a badge that covers nodes. */
const TRANSLUCENT = 0.72;

/** The shape with the least room for a number: it is larger, and the number lower. */
const TRIANGLE = 2;

export class Overlay {
  readonly context: CanvasRenderingContext2D;
  private readonly textCache = new TextCache();
  private readonly badges = new Badges();

  constructor(readonly canvas: HTMLCanvasElement) {
    this.context = canvas.getContext("2d")!;
  }

  clear(): void {
    this.context.setTransform(1, 0, 0, 1, 0, 0);
    this.context.clearRect(0, 0, this.canvas.width, this.canvas.height);
  }

  draw(view: View, state: State, theme: Theme, styles: NodeStyles, positions: Float32Array, density: number, moving: boolean): void {
    this.context.setTransform(density, 0, 0, density, 0, 0);
    if (state.options.contours) this.drawContours(view, state);
    const { selected } = state;
    if (selected !== null) drawHighlight(this.context, view, state, theme, styles, positions, selected);
    const taken = state.options.contours ? this.drawBadges(view, state, theme, styles, positions, moving) : [];
    if (state.options.names || selected !== null) drawNodeNames(this.context, this.textCache, view, state, theme, styles, positions, taken, density, selected);
  }

  private communities(state: State): { k: number; color: string; dimmed: boolean }[] {
    const { classes } = state.scene.colorings[0]!;
    const byCommunity = state.active.key === "community";
    return state.gaussians
      .map((_, k) => ({
        k,
        color: colorOf(state.scene, classes[k]!.rank),
        dimmed: state.selected !== null,
      }))
      .filter(({ k }) => classes[k]!.size > 0 && (!byCommunity || state.visible[0]![k]!));
  }

  private drawContours(view: View, state: State): void {
    const { context } = this;
    for (const { k, color, dimmed } of this.communities(state)) {
      const { mean, contours } = state.gaussians[k]!;
      const middle = apply(view.mobius, mean);
      context.strokeStyle = color;
      CONTOURS.forEach(({ opacity, width, dash }, i) => {
        context.globalAlpha = opacity * (dimmed ? 0.3 : 1);
        context.lineWidth = width;
        context.setLineDash(dash);
        strokeCircle(context, view, circle(middle, contours[i]!));
      });
    }
    context.setLineDash([]);
    context.globalAlpha = 1;
  }

  private drawBadges(view: View, state: State, theme: Theme, styles: NodeStyles, positions: Float32Array, moving: boolean): Box[] {
    const { context } = this;
    const all = this.communities(state);
    const taken: Box[] = [];
    const numbered = all.length <= MAX_NUMBERED;
    for (const { k, color, dimmed } of all) {
      const mean = apply(view.mobius, state.gaussians[k]!.mean);
      const center = view.toScreen(mean);
      const { rank, name } = state.scene.colorings[0]!.classes[k]!;
      const shape = shapeOf(state.scene, rank);
      const size = (numbered ? 10 : 5) * (0.55 + 0.45 * depthScale(...mean)) * (shape === TRIANGLE ? 1.3 : 1);
      const { at, covers } = this.badges.place(k, center, size, view, styles, positions, taken, moving);
      const [x, y] = at;
      taken.push([x - size, y - size, x + size, y + size]);
      const opacity = dimmed ? 0.45 : 1;
      context.globalAlpha = opacity;
      context.strokeStyle = color;
      if (x !== center[0] || y !== center[1]) {
        // Leader line from the barycenter to its badge.
        context.lineWidth = 1.2;
        context.beginPath();
        context.moveTo(...center);
        context.lineTo(x, y);
        context.stroke();
      }
      context.beginPath();
      traceShape(context, shape, x, y, size);
      context.fillStyle = theme.dark ? "#10141a" : "#ffffff";
      context.globalAlpha = opacity * (covers ? TRANSLUCENT : 1);
      context.fill();
      context.globalAlpha = opacity;
      context.lineWidth = 2.2;
      context.stroke();
      if (numbered && size > 7) {
        context.font = `600 11px ${FONT}`;
        context.textAlign = "center";
        context.textBaseline = "middle";
        context.fillStyle = theme.ink;
        context.fillText(truncate(name, 4), x, y + (shape === TRIANGLE ? 0.2 * size : 0.5));
      }
    }
    context.globalAlpha = 1;
    return taken;
  }
}
