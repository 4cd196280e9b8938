// Interface of the renderers of nodes and edges: WebGL, and software on a 2-D canvas.

import type { NodeStyles } from "../node_style";
import type { Theme } from "../theme";
import type { View } from "../view";

/** Everything that a frame depends on. */
export interface Frame {
  readonly view: View;
  readonly theme: Theme;
  readonly styles: NodeStyles;
  /** Current positions in the disc, x and y in turn. */
  readonly positions: Float32Array;
  /** Number of edges to draw: a prefix of the list, which is in random order. */
  readonly edges: number;
  /** Opacity of an edge, 0 to 1. */
  readonly edgeOpacity: number;
  /** Device pixels per CSS pixel. */
  readonly density: number;
  /** The background layer, and a version that changes with it. */
  readonly background: { readonly canvas: HTMLCanvasElement; readonly version: number };
}

export interface Renderer {
  readonly kind: "webgl" | "canvas";
  /** The canvas that is drawn to. */
  readonly canvas: HTMLCanvasElement;
  resize(width: number, height: number, density: number): void;
  draw(frame: Frame): void;
  /** Calls back when drawing is complete. */
  whenDone(done: () => void): void;
  /** Updates colours, sizes and shapes. */
  restyle(styles: NodeStyles): void;
}
