// What a classifier says of a place: by the formulas that came with the page, or from a raster of its answers.

import { type Point, distance } from "../mobius";
import { NONE, type Regions } from "../scene";

export interface Judge {
  /** The class of a place. */
  winner(place: Point): number;
  /** How a class scores there; only differences of scores mean something. */
  score(place: Point, of: number): number;
}

export function judge(regions: Regions): Judge {
  if (regions.kind === "cells") return fromCells(regions.side, regions.runs);
  const all = scores(regions);
  return {
    winner(place) {
      let [best, top] = [0, -Infinity];
      for (let k = 0; k < all.length; k++) {
        const score = all[k]!(place);
        if (score > top) [best, top] = [k, score];
      }
      return best;
    },
    score: (place, of) => all[of]!(place),
  };
}

type Score = (place: Point) => number;

/** The score of each class as a function of the place; the largest wins. */
function scores(regions: Exclude<Regions, { kind: "cells" }>): Score[] {
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

/** The raster covers a square around the disc; where a cell's middle is outside of it, the nearest inside is asked. */
function fromCells(side: number, runs: Uint32Array): Judge {
  const classes = new Uint32Array(side * side);
  for (let i = 0, at = 0; i < runs.length; at += runs[i + 1]!, i += 2) classes.fill(runs[i]!, at, at + runs[i + 1]!);
  const cell = (share: number) => Math.min(side - 1, Math.max(0, Math.floor(side * share)));
  const at = (x: number, y: number) => classes[cell((1 - y) / 2) * side + cell((1 + x) / 2)]!;
  return {
    winner([x, y]) {
      const norm = Math.hypot(x, y);
      const most = 1 - 2 / side;
      const found = at(x, y);
      return found !== NONE || norm === 0 ? found : at((x * most) / norm, (y * most) / norm);
    },
    score: () => 0,
  };
}
