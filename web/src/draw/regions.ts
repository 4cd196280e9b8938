// The class that a classifier gives to every place of the disc, as a picture of few pixels that is scaled up.

import { colorOf, rgb } from "../look";
import { type Point, apply, inverse } from "../mobius";
import type { Coloring, Scene } from "../scene";
import type { View } from "../view";
import { traceBorders, type Net } from "./borders";
import { judge, type Judge } from "./judge";

/** Pixels along a side while the plane moves, and at rest. */
const COARSE = 80;
const FINE = 300;

export class RegionPainter {
  private readonly canvas = document.createElement("canvas");
  private readonly context = this.canvas.getContext("2d")!;
  private readonly judge: Judge;

  constructor(
    private readonly scene: Scene,
    private readonly coloring: Coloring,
  ) {
    this.judge = judge(scene.regions!);
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
    const { judge } = this;
    const winners = new Int16Array(side * side).fill(-1);
    const places: Point[] = new Array(side * side);
    for (let j = 0; j < side; j++) {
      for (let i = 0; i < side; i++) {
        const z: Point = [(2 * (i + 0.5)) / side - 1, 1 - (2 * (j + 0.5)) / side];
        if (Math.hypot(...z) >= 1 - 1e-6) continue;
        const at = j * side + i;
        places[at] = apply(back, z);
        winners[at] = judge.winner(places[at]!);
      }
    }
    return { side, winners, score: (place, of) => judge.score(places[place]!, of) };
  }
}
