// Decision boundaries of a classifier, by marching squares on a grid.
//
// Between two adjacent grid points with different classes a and b, the boundary is where the scores of a and b are equal; it is
// located by linear interpolation of their difference. Each cell connects the crossings on its sides.

export interface Grid {
  /** Grid points along a side. */
  readonly side: number;
  /** Predicted class of each grid point, row by row; −1 outside of the disc. */
  readonly classes: Int16Array;
  /** Score of a class at a grid point. */
  score(point: number, of: number): number;
}

type Crossing = readonly [number, number];

/** Calls `segment` for each line segment of the boundaries, in grid coordinates. */
export function traceBoundaries(grid: Grid, segment: (from: Crossing, to: Crossing) => void): void {
  const { side } = grid;
  for (let j = 0; j + 1 < side; j++) {
    for (let i = 0; i + 1 < side; i++) {
      const corners = [j * side + i, j * side + i + 1, (j + 1) * side + i + 1, (j + 1) * side + i];
      const found: Crossing[] = [];
      for (let k = 0; k < 4; k++) {
        const crossing = cross(grid, corners[k]!, corners[(k + 1) % 4]!);
        if (crossing) found.push(crossing);
      }
      if (found.length === 2) segment(found[0]!, found[1]!);
      else if (found.length > 2) {
        const middle: Crossing = [mean(found.map((c) => c[0])), mean(found.map((c) => c[1]))];
        for (const crossing of found) segment(crossing, middle);
      }
    }
  }
}

function cross(grid: Grid, p: number, q: number): Crossing | null {
  const [a, b] = [grid.classes[p]!, grid.classes[q]!];
  if (a === b || a < 0 || b < 0) return null;
  const ahead = grid.score(p, a) - grid.score(p, b);
  const behind = grid.score(q, b) - grid.score(q, a);
  const share = ahead + behind > 0 ? ahead / (ahead + behind) : 0.5;
  const at = (point: number): Crossing => [point % grid.side, Math.floor(point / grid.side)];
  const [[px, py], [qx, qy]] = [at(p), at(q)];
  return [px + share * (qx - px), py + share * (qy - py)];
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
