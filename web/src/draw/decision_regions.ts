// Decision regions of a classifier: the predicted class at every point of the disc, as a low-resolution image that is scaled up.

import { colorOf, rgb } from "../node_style";
import { type Point, apply, inverse } from "../mobius";
import type { Coloring, Scene } from "../scene";
import type { View } from "../view";
import { traceBoundaries, type Grid } from "./decision_boundaries";
import { createClassifier, type Classifier } from "./classifier";

/** Pixels along a side while the view moves, and at rest. */
const COARSE = 80;
const FINE = 300;

export class DecisionRegions {
  private readonly canvas = document.createElement("canvas");
  private readonly context = this.canvas.getContext("2d")!;
  private readonly classifier: Classifier;

  constructor(
    private readonly scene: Scene,
    private readonly coloring: Coloring,
  ) {
    this.classifier = createClassifier(scene.regions!);
  }

  /** Fills the disc with class colours and draws the decision boundaries. */
  draw(target: CanvasRenderingContext2D, view: View, moving: boolean, opacity: number): void {
    const grid = this.evaluate(moving ? COARSE : FINE, view);
    const colors = this.coloring.classes.map((info) => rgb(colorOf(this.scene, info.rank)));
    const { side, classes } = grid;
    const image = this.context.createImageData(side, side);
    for (let at = 0; at < classes.length; at++) {
      const of = classes[at]!;
      if (of >= 0) image.data.set([...colors[of]!, Math.round(255 * opacity)], 4 * at);
    }
    this.canvas.width = this.canvas.height = side;
    this.context.putImageData(image, 0, 0);
    const [cx, cy] = view.screenCenter;
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
    traceBoundaries(grid, ([x0, y0], [x1, y1]) => {
      target.moveTo(left + (x0 + 0.5) * step, top + (y0 + 0.5) * step);
      target.lineTo(left + (x1 + 0.5) * step, top + (y1 + 0.5) * step);
    });
    target.lineWidth = 1.3;
    target.lineCap = "round";
    target.strokeStyle = this.scene.palette.none;
    target.stroke();
    target.restore();
  }

  /** Evaluates the classifier on a grid with `side` points along a side. */
  private evaluate(side: number, view: View): Grid {
    const back = inverse(view.mobius);
    const { classifier } = this;
    const classes = new Int16Array(side * side).fill(-1);
    const points: Point[] = new Array(side * side);
    for (let j = 0; j < side; j++) {
      for (let i = 0; i < side; i++) {
        const z: Point = [(2 * (i + 0.5)) / side - 1, 1 - (2 * (j + 0.5)) / side];
        if (Math.hypot(...z) >= 1 - 1e-6) continue;
        const at = j * side + i;
        points[at] = apply(back, z);
        classes[at] = classifier.predict(points[at]!);
      }
    }
    return { side, classes, score: (point, of) => classifier.score(points[point]!, of) };
  }
}
