// The class that a classifier gives to every place of the disc, as a picture of few pixels that is scaled up.

import { colorOf, rgb } from "../look";
import { type Point, apply, distance, inverse } from "../mobius";
import type { Coloring, Regions, Scene } from "../scene";
import type { View } from "../view";

/** Pixels along a side while the plane moves, and at rest. */
const COARSE = 90;
const FINE = 420;

export type Score = (place: Point) => number;

/** The score of each class as a function of the place; the largest wins. */
export function scores(regions: Regions): Score[] {
  if (regions.kind === "gaussians") {
    return regions.means.map((mean, k) => (z) => {
      const scaled = distance(z, mean) / regions.scales[k]!;
      return regions.heights[k]! - 0.5 * scaled * scaled;
    });
  }
  return regions.normals.map((n, k) => (z) => {
    const square = Math.min(z[0] * z[0] + z[1] * z[1], 1 - 1e-12);
    const norm = Math.sqrt(square);
    let value: number;
    if (regions.hyperbolic) {
      value = Math.asinh((n[0] * (1 + square) + 2 * (n[1] * z[0] + n[2] * z[1])) / (1 - square));
    } else {
      const stretch = norm > 0 ? (2 * Math.atanh(norm)) / norm : 2;
      value = n[0] + stretch * (n[1] * z[0] + n[2] * z[1]);
    }
    return regions.slopes[k]! * value + regions.intercepts[k]!;
  });
}

/** The class with the largest score. */
export function winner(all: readonly Score[], place: Point): number {
  let [best, top] = [0, -Infinity];
  for (let k = 0; k < all.length; k++) {
    const score = all[k]!(place);
    if (score > top) [best, top] = [k, score];
  }
  return best;
}

export class RegionPainter {
  private readonly canvas = document.createElement("canvas");
  private readonly context = this.canvas.getContext("2d")!;
  private readonly all: Score[];
  private readonly colors: [number, number, number][];

  constructor(scene: Scene, coloring: Coloring) {
    this.all = scores(scene.regions!);
    this.colors = coloring.classes.map((info) => rgb(colorOf(scene, info.rank)));
  }

  /** Fills the disc of the context's picture; borders are drawn at rest only. */
  draw(target: CanvasRenderingContext2D, view: View, moving: boolean, opacity: number): void {
    const side = moving ? COARSE : FINE;
    const back = inverse(view.mobius);
    const image = this.context.createImageData(side, side);
    const classes = new Int16Array(side * side).fill(-1);
    for (let j = 0; j < side; j++) {
      for (let i = 0; i < side; i++) {
        const z: Point = [(2 * (i + 0.5)) / side - 1, 1 - (2 * (j + 0.5)) / side];
        if (Math.hypot(...z) < 1 - 1e-6) classes[j * side + i] = winner(this.all, apply(back, z));
      }
    }
    for (let at = 0; at < classes.length; at++) {
      const of = classes[at]!;
      if (of < 0) continue;
      const [r, g, b] = this.colors[of]!;
      const beside = [classes[at + 1], classes[at + side]];
      const border = !moving && beside.some((other) => other !== undefined && other >= 0 && other !== of);
      image.data.set([r, g, b, Math.round(255 * (border ? Math.min(1, opacity * 4) : opacity))], 4 * at);
    }
    this.canvas.width = this.canvas.height = side;
    this.context.putImageData(image, 0, 0);
    const [cx, cy] = view.middle;
    target.save();
    target.beginPath();
    target.arc(cx, cy, view.scale, 0, 2 * Math.PI);
    target.clip();
    target.imageSmoothingEnabled = true;
    target.imageSmoothingQuality = "high";
    target.drawImage(this.canvas, cx - view.scale, cy - view.scale, 2 * view.scale, 2 * view.scale);
    target.restore();
  }
}
