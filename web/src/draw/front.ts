// In front of nodes and edges: contours and centres of communities, what is lit, names.

import { circle } from "../curves";
import { baseSize, colorOf, nearness, shapeOf, type Look } from "../look";
import { type Point, apply } from "../mobius";
import type { State } from "../state";
import { short } from "../text";
import type { Theme } from "../theme";
import type { View } from "../view";
import { Lettering } from "./lettering";
import { placeNames, type Box } from "./names";
import { traceShape } from "./shapes";
import { strokeCircle, strokeGeodesic } from "./strokes";

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif';

/** Contours in multiples of the scale, with their opacity. */
const CONTOURS: readonly [number, number][] = [[1, 0.95], [2, 0.5]];

/** Centres are numbered up to this many communities. */
const MOST_NUMBERED = 40;

/** The shape with the least room for a number, so it is larger and the number lower. */
const TRIANGLE = 2;

/** Lit edges beyond this many say no more. */
const MOST_LIT = 4000;

export class Front {
  readonly context: CanvasRenderingContext2D;
  private readonly lettering = new Lettering();

  constructor(readonly canvas: HTMLCanvasElement) {
    this.context = canvas.getContext("2d")!;
  }

  clear(): void {
    this.context.setTransform(1, 0, 0, 1, 0, 0);
    this.context.clearRect(0, 0, this.canvas.width, this.canvas.height);
  }

  draw(view: View, state: State, theme: Theme, look: Look, positions: Float32Array, density: number): void {
    this.context.setTransform(density, 0, 0, density, 0, 0);
    if (state.on.contours) this.drawContours(view, state);
    if (state.focus !== null) this.drawLit(view, state, theme, look, positions, state.focus);
    const taken = state.on.contours ? this.drawCenters(view, state, theme) : [];
    if (state.on.names || state.focus !== null) this.drawNames(view, state, theme, look, positions, taken, density);
  }

  private communities(state: State): { k: number; color: string; faint: boolean }[] {
    const { classes } = state.scene.colorings[0]!;
    const byCommunity = state.active.key === "community";
    return state.gaussians
      .map((_, k) => ({
        k,
        color: colorOf(state.scene, classes[k]!.rank),
        faint: state.focus !== null,
      }))
      .filter(({ k }) => classes[k]!.size > 0 && (!byCommunity || state.shown[0]![k]!));
  }

  private drawContours(view: View, state: State): void {
    const { context } = this;
    for (const { k, color, faint } of this.communities(state)) {
      const { mean, scale } = state.gaussians[k]!;
      const middle = apply(view.mobius, mean);
      context.strokeStyle = color;
      for (const [times, opacity] of CONTOURS) {
        context.globalAlpha = opacity * (faint ? 0.3 : 1);
        context.lineWidth = times === 1 ? 1.6 : 1.1;
        context.setLineDash(times === 1 ? [] : [5, 4]);
        strokeCircle(context, view, circle(middle, times * scale));
      }
    }
    context.setLineDash([]);
    context.globalAlpha = 1;
  }

  private drawCenters(view: View, state: State, theme: Theme): Box[] {
    const { context } = this;
    const all = this.communities(state);
    const taken: Box[] = [];
    const numbered = all.length <= MOST_NUMBERED;
    context.font = `600 11px ${FONT}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    for (const { k, color, faint } of all) {
      const at = apply(view.mobius, state.gaussians[k]!.mean);
      const [x, y] = view.toScreen(at);
      const rank = state.scene.colorings[0]!.classes[k]!.rank;
      const shape = shapeOf(state.scene, rank);
      const size = (numbered ? 10 : 5) * (0.55 + 0.45 * nearness(...at)) * (shape === TRIANGLE ? 1.3 : 1);
      context.globalAlpha = faint ? 0.45 : 1;
      taken.push([x - size, y - size, x + size, y + size]);
      context.beginPath();
      traceShape(context, shape, x, y, size);
      context.fillStyle = theme.dark ? "#10141a" : "#ffffff";
      context.fill();
      context.lineWidth = 2.2;
      context.strokeStyle = color;
      context.stroke();
      if (numbered && size > 7) {
        context.fillStyle = theme.ink;
        context.fillText(short(state.scene.colorings[0]!.classes[k]!.name, 4), x, y + (shape === TRIANGLE ? 0.2 * size : 0.5));
      }
    }
    context.globalAlpha = 1;
    return taken;
  }

  private drawLit(view: View, state: State, theme: Theme, look: Look, positions: Float32Array, node: number): void {
    const { context } = this;
    const at = (i: number): Point => [positions[2 * i]!, positions[2 * i + 1]!];
    const here = at(node);
    if (state.on.edges) {
      const many = state.neighbors(node).length > 80;
      context.lineWidth = many ? 1 : 1.4;
      for (const other of state.neighbors(node).subarray(0, MOST_LIT)) {
        const opacity = look.colors[4 * other + 3]!;
        if (opacity === 0) continue;
        const [r, g, b] = look.colors.subarray(4 * other, 4 * other + 3);
        context.strokeStyle = `rgb(${r},${g},${b})`;
        context.globalAlpha = many ? 0.55 : 0.85;
        strokeGeodesic(context, view, here, at(other));
      }
    }
    context.globalAlpha = 1;
    const [x, y] = view.toScreen(here);
    const size = Math.max(2, look.sizes[node]! * nearness(...here) * view.grown);
    for (const [extra, width, color] of [[3.5, 3.5, theme.halo], [3.5, 1.8, theme.ink]] as const) {
      context.beginPath();
      traceShape(context, look.shapes[node]!, x, y, size + extra);
      context.lineWidth = width;
      context.strokeStyle = color;
      context.stroke();
    }
  }

  private drawNames(view: View, state: State, theme: Theme, look: Look, positions: Float32Array, taken: Box[], density: number): void {
    const { context, lettering } = this;
    const size = Math.max(10, Math.min(13, 7 + baseSize(state.scene.nodes, view.radius)));
    context.font = `500 ${size}px ${FONT}`;
    const measure = (text: string) => lettering.width(context, text);
    for (const { text, x, y, opacity } of placeNames(view, state, look, positions, size, measure, taken)) {
      context.globalAlpha = opacity;
      lettering.write(context, text, x, y, size, theme, density);
    }
    context.globalAlpha = 1;
  }
}
