// The node under the pointer, on a canvas of its own: a veil over the picture, and what is lit above it.
//
// Pointing then costs what it shows, however many nodes and edges lie below. The canvas is hidden while nothing is pointed at, as each one
// that is seen costs a copy of it in every frame.

import type { Look } from "../look";
import type { State } from "../state";
import type { Theme } from "../theme";
import type { View } from "../view";
import { Lettering } from "./lettering";
import { drawLit } from "./lit";
import { writeNames } from "./names";

/** Opacity of the veil. */
const VEIL = 0.78;

export class Hover {
  private readonly context: CanvasRenderingContext2D;
  private readonly lettering = new Lettering();

  constructor(readonly canvas: HTMLCanvasElement) {
    this.context = canvas.getContext("2d")!;
    canvas.hidden = true;
  }

  draw(view: View, state: State, theme: Theme, look: Look, positions: Float32Array, density: number): void {
    const { canvas, context } = this;
    const node = state.hovered;
    if (canvas.hidden !== (node === null)) canvas.hidden = node === null;
    if (node === null) return;
    context.setTransform(density, 0, 0, density, 0, 0);
    context.clearRect(0, 0, view.width, view.height);
    context.globalAlpha = VEIL;
    context.fillStyle = theme.disc;
    context.beginPath();
    context.arc(...view.middle, view.scale, 0, 2 * Math.PI);
    context.fill();
    context.globalAlpha = 1;
    drawLit(context, view, state, theme, look, positions, node);
    writeNames(context, this.lettering, view, state, theme, look, positions, [], density, node);
  }
}
