// Hover layer: a translucent veil over the other layers, with the hovered node and its neighbours above it.
//
// The cost of hovering thus does not depend on the size of the graph. The canvas is hidden without a hovered node, as each visible canvas
// costs a copy per frame.

import type { NodeStyles } from "../node_style";
import type { State } from "../state";
import type { Theme } from "../theme";
import type { View } from "../view";
import { TextCache } from "./text_cache";
import { drawHighlight } from "./highlight";
import { drawNodeNames } from "./node_names";

/** Opacity of the veil. */
const VEIL_OPACITY = 0.78;

export class HoverLayer {
  private readonly context: CanvasRenderingContext2D;
  private readonly textCache = new TextCache();

  constructor(readonly canvas: HTMLCanvasElement) {
    this.context = canvas.getContext("2d")!;
    canvas.hidden = true;
  }

  draw(view: View, state: State, theme: Theme, styles: NodeStyles, positions: Float32Array, density: number): void {
    const { canvas, context } = this;
    const node = state.hovered;
    if (canvas.hidden !== (node === null)) canvas.hidden = node === null;
    if (node === null) return;
    context.setTransform(density, 0, 0, density, 0, 0);
    context.clearRect(0, 0, view.width, view.height);
    context.globalAlpha = VEIL_OPACITY;
    context.fillStyle = theme.disc;
    context.beginPath();
    context.arc(...view.screenCenter, view.scale, 0, 2 * Math.PI);
    context.fill();
    context.globalAlpha = 1;
    drawHighlight(context, view, state, theme, styles, positions, node);
    drawNodeNames(context, this.textCache, view, state, theme, styles, positions, [], density, node);
  }
}
