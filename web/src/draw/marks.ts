// Nodes and edges, whoever draws them: the GPU where there is one, else a canvas.

import type { Look } from "../look";
import type { Theme } from "../theme";
import type { View } from "../view";

export interface Shot {
  readonly view: View;
  readonly theme: Theme;
  readonly look: Look;
  /** Where nodes are in the disc now: x and y in turn. */
  readonly positions: Float32Array;
  /** Edges to draw: a beginning of the list, which is in random order. */
  readonly edges: number;
  /** Opacity of an edge, 0 to 1. */
  readonly ink: number;
  /** Pixels of the screen for each pixel of the page. */
  readonly density: number;
  /** What lies behind, and a number that grows whenever it changes. */
  readonly behind: { readonly canvas: HTMLCanvasElement; readonly version: number };
}

export interface Marks {
  readonly kind: "webgl" | "canvas";
  /** Where they are drawn. */
  readonly canvas: HTMLCanvasElement;
  resize(width: number, height: number, density: number): void;
  draw(shot: Shot): void;
  /** Calls back when all that was drawn is finished. */
  whenDone(done: () => void): void;
  /** Colours, sizes or shapes have changed. */
  restyle(look: Look): void;
}
