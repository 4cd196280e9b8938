// Classifier of points of the disc: by its formulas, or from a raster of its predictions.

import { type Point, distance } from "../mobius";
import { NONE, type DecisionRegions } from "../scene";

export interface Classifier {
  /** Predicted class of a point. */
  predict(point: Point): number;
  /** Score of a class; only differences between scores are meaningful. */
  score(point: Point, of: number): number;
}

export function createClassifier(regions: DecisionRegions): Classifier {
  if (regions.kind === "raster") return fromRaster(regions.side, regions.runs);
  const all = scores(regions);
  return {
    predict(point) {
      let [best, top] = [0, -Infinity];
      for (let k = 0; k < all.length; k++) {
        const score = all[k]!(point);
        if (score > top) [best, top] = [k, score];
      }
      return best;
    },
    score: (point, of) => all[of]!(point),
  };
}

type Score = (point: Point) => number;

/** Score function of each class; the largest score is the prediction. */
function scores(regions: Exclude<DecisionRegions, { kind: "raster" }>): Score[] {
  if (regions.kind === "gaussians") {
    return regions.means.map((mean, k) => (z) => {
      const scaled = distance(z, mean) / regions.scales[k]!;
      return regions.logCoefficients[k]! - 0.5 * scaled * scaled;
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

/** Looks up a raster over the square around the disc; cells outside of the disc take the nearest class inside. */
function fromRaster(side: number, runs: Uint32Array): Classifier {
  const classes = new Uint32Array(side * side);
  for (let i = 0, at = 0; i < runs.length; at += runs[i + 1]!, i += 2) classes.fill(runs[i]!, at, at + runs[i + 1]!);
  const cell = (share: number) => Math.min(side - 1, Math.max(0, Math.floor(side * share)));
  const at = (x: number, y: number) => classes[cell((1 - y) / 2) * side + cell((1 + x) / 2)]!;
  return {
    predict([x, y]) {
      const norm = Math.hypot(x, y);
      const maxNorm = 1 - 2 / side;
      const found = at(x, y);
      return found !== NONE || norm === 0 ? found : at((x * maxNorm) / norm, (y * maxNorm) / norm);
    },
    score: () => 0,
  };
}
