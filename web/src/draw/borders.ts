// Where the classes of a classifier meet: curves found on a net of places.
//
// Between two neighbouring places with different classes a and b, the border is where the scores of a and b are equal;
// it is placed by linear interpolation of their difference. Each square of the net joins the crossings of its sides.

export interface Net {
  /** Places along a side. */
  readonly side: number;
  /** Class of each place, row by row; −1 outside of the disc. */
  readonly winners: Int16Array;
  /** The score of a class at a place. */
  score(place: number, of: number): number;
}

type Crossing = readonly [number, number];

/** Calls `segment` for each piece of the borders, in units of the net. */
export function traceBorders(net: Net, segment: (from: Crossing, to: Crossing) => void): void {
  const { side } = net;
  for (let j = 0; j + 1 < side; j++) {
    for (let i = 0; i + 1 < side; i++) {
      const corners = [j * side + i, j * side + i + 1, (j + 1) * side + i + 1, (j + 1) * side + i];
      const found: Crossing[] = [];
      for (let k = 0; k < 4; k++) {
        const crossing = cross(net, corners[k]!, corners[(k + 1) % 4]!);
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

function cross(net: Net, p: number, q: number): Crossing | null {
  const [a, b] = [net.winners[p]!, net.winners[q]!];
  if (a === b || a < 0 || b < 0) return null;
  const ahead = net.score(p, a) - net.score(p, b);
  const behind = net.score(q, b) - net.score(q, a);
  const share = ahead + behind > 0 ? ahead / (ahead + behind) : 0.5;
  const at = (place: number): Crossing => [place % net.side, Math.floor(place / net.side)];
  const [[px, py], [qx, qy]] = [at(p), at(q)];
  return [px + share * (qx - px), py + share * (qy - py)];
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
