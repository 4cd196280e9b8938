// In front of nodes and edges: contours and centres of communities, what is lit, names.

import { circle } from "../curves";
import { colorOf, nearness, shapeOf, type Look } from "../look";
import { apply } from "../mobius";
import type { State } from "../state";
import { short } from "../text";
import type { Theme } from "../theme";
import type { View } from "../view";
import { Badges } from "./badges";
import { Lettering } from "./lettering";
import { drawLit } from "./lit";
import { FONT, writeNames, type Box } from "./names";
import { traceShape } from "./shapes";
import { strokeCircle } from "./strokes";

/** How the circles of half and of nine tenths of the mass are drawn. */
const CONTOURS = [
  { opacity: 0.95, width: 1.6, dash: [] },
  { opacity: 0.5, width: 1.1, dash: [5, 4] },
];

/** Centres are numbered up to this many communities. */
const MOST_NUMBERED = 40;

/** Opacity of a badge that has nodes under it. */
const SEE_THROUGH = 0.72;

/** The shape with the least room for a number, so it is larger and the number lower. */
const TRIANGLE = 2;

export class Front {
  readonly context: CanvasRenderingContext2D;
  private readonly lettering = new Lettering();
  private readonly badges = new Badges();

  constructor(readonly canvas: HTMLCanvasElement) {
    this.context = canvas.getContext("2d")!;
  }

  clear(): void {
    this.context.setTransform(1, 0, 0, 1, 0, 0);
    this.context.clearRect(0, 0, this.canvas.width, this.canvas.height);
  }

  draw(view: View, state: State, theme: Theme, look: Look, positions: Float32Array, density: number, moving: boolean): void {
    this.context.setTransform(density, 0, 0, density, 0, 0);
    if (state.on.contours) this.drawContours(view, state);
    const { selected } = state;
    if (selected !== null) drawLit(this.context, view, state, theme, look, positions, selected);
    const taken = state.on.contours ? this.drawCenters(view, state, theme, look, positions, moving) : [];
    if (state.on.names || selected !== null) writeNames(this.context, this.lettering, view, state, theme, look, positions, taken, density, selected);
  }

  private communities(state: State): { k: number; color: string; faint: boolean }[] {
    const { classes } = state.scene.colorings[0]!;
    const byCommunity = state.active.key === "community";
    return state.gaussians
      .map((_, k) => ({
        k,
        color: colorOf(state.scene, classes[k]!.rank),
        faint: state.selected !== null,
      }))
      .filter(({ k }) => classes[k]!.size > 0 && (!byCommunity || state.shown[0]![k]!));
  }

  private drawContours(view: View, state: State): void {
    const { context } = this;
    for (const { k, color, faint } of this.communities(state)) {
      const { mean, contours } = state.gaussians[k]!;
      const middle = apply(view.mobius, mean);
      context.strokeStyle = color;
      CONTOURS.forEach(({ opacity, width, dash }, i) => {
        context.globalAlpha = opacity * (faint ? 0.3 : 1);
        context.lineWidth = width;
        context.setLineDash(dash);
        strokeCircle(context, view, circle(middle, contours[i]!));
      });
    }
    context.setLineDash([]);
    context.globalAlpha = 1;
  }

  private drawCenters(view: View, state: State, theme: Theme, look: Look, positions: Float32Array, moving: boolean): Box[] {
    const { context } = this;
    const all = this.communities(state);
    const taken: Box[] = [];
    const numbered = all.length <= MOST_NUMBERED;
    for (const { k, color, faint } of all) {
      const mean = apply(view.mobius, state.gaussians[k]!.mean);
      const center = view.toScreen(mean);
      const { rank, name } = state.scene.colorings[0]!.classes[k]!;
      const shape = shapeOf(state.scene, rank);
      const size = (numbered ? 10 : 5) * (0.55 + 0.45 * nearness(...mean)) * (shape === TRIANGLE ? 1.3 : 1);
      const { at, covers } = this.badges.place(k, center, size, view, look, positions, taken, moving);
      const [x, y] = at;
      taken.push([x - size, y - size, x + size, y + size]);
      const opacity = faint ? 0.45 : 1;
      context.globalAlpha = opacity;
      context.strokeStyle = color;
      if (x !== center[0] || y !== center[1]) {
        // A line leads from the barycenter to its badge.
        context.lineWidth = 1.2;
        context.beginPath();
        context.moveTo(...center);
        context.lineTo(x, y);
        context.stroke();
      }
      context.beginPath();
      traceShape(context, shape, x, y, size);
      context.fillStyle = theme.dark ? "#10141a" : "#ffffff";
      context.globalAlpha = opacity * (covers ? SEE_THROUGH : 1);
      context.fill();
      context.globalAlpha = opacity;
      context.lineWidth = 2.2;
      context.stroke();
      if (numbered && size > 7) {
        context.font = `600 11px ${FONT}`;
        context.textAlign = "center";
        context.textBaseline = "middle";
        context.fillStyle = theme.ink;
        context.fillText(short(name, 4), x, y + (shape === TRIANGLE ? 0.2 * size : 0.5));
      }
    }
    context.globalAlpha = 1;
    return taken;
  }
}
