// The class that a classifier gives to every place of the disc, as a picture of few pixels that is scaled up.

import { colorOf, rgb } from "../look";
import { type Point, apply, distance, inverse } from "../mobius";
import type { Coloring, Regions, Scene } from "../scene";
import type { View } from "../view";
import { traceBorders, type Net } from "./borders";

/** Pixels along a side while the plane moves, and at rest. */
const COARSE = 80;
const FINE = 300;

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

  constructor(
    private readonly scene: Scene,
    private readonly coloring: Coloring,
  ) {
    this.all = scores(scene.regions!);
  }

  /** Fills the disc with the colours of its classes, and draws where they meet. */
  draw(target: CanvasRenderingContext2D, view: View, moving: boolean, opacity: number): void {
    const net = this.net(moving ? COARSE : FINE, view);
    const colors = this.coloring.classes.map((info) => rgb(colorOf(this.scene, info.rank)));
    const { side, winners } = net;
    const image = this.context.createImageData(side, side);
    for (let at = 0; at < winners.length; at++) {
      const of = winners[at]!;
      if (of >= 0) image.data.set([...colors[of]!, Math.round(255 * opacity)], 4 * at);
    }
    this.canvas.width = this.canvas.height = side;
    this.context.putImageData(image, 0, 0);
    const [cx, cy] = view.middle;
    const step = (2 * view.scale) / side;
    const [left, top] = [cx - view.scale, cy - view.scale];
    target.save();
    target.beginPath();
    target.arc(cx, cy, view.scale, 0, 2 * Math.PI);
    target.clip();
    target.imageSmoothingEnabled = true;
    target.imageSmoothingQuality = "high";
    target.drawImage(this.canvas, left, top, 2 * view.scale, 2 * view.scale);
    target.beginPath();
    traceBorders(net, ([x0, y0], [x1, y1]) => {
      target.moveTo(left + (x0 + 0.5) * step, top + (y0 + 0.5) * step);
      target.lineTo(left + (x1 + 0.5) * step, top + (y1 + 0.5) * step);
    });
    target.lineWidth = 1.3;
    target.lineCap = "round";
    target.strokeStyle = this.scene.palette.none;
    target.stroke();
    target.restore();
  }

  /** Classes and scores on a net of so many places along a side of the disc. */
  private net(side: number, view: View): Net {
    const back = inverse(view.mobius);
    const { all } = this;
    const winners = new Int16Array(side * side).fill(-1);
    const places: Point[] = new Array(side * side);
    for (let j = 0; j < side; j++) {
      for (let i = 0; i < side; i++) {
        const z: Point = [(2 * (i + 0.5)) / side - 1, 1 - (2 * (j + 0.5)) / side];
        if (Math.hypot(...z) >= 1 - 1e-6) continue;
        const at = j * side + i;
        places[at] = apply(back, z);
        winners[at] = winner(all, places[at]!);
      }
    }
    return { side, winners, score: (place, of) => all[of]!(places[place]!) };
  }
}
