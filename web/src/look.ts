// How each node looks: colour, size, shape. Worked out when something was chosen, not for every frame.

import { NONE, type Scene } from "./scene";
import type { State } from "./state";

export interface Look {
  /** Red, green, blue, opacity of each node, 0 to 255; opacity 0 hides it. */
  readonly colors: Uint8Array;
  /** Radius in pixels at the centre of the disc. */
  readonly sizes: Float32Array;
  /** Index of the shape, 0 to 3. */
  readonly shapes: Uint8Array;
  /** Nodes in the order in which they are drawn, hubs last. */
  readonly order: Uint32Array;
}

export function emptyLook(scene: Scene): Look {
  const order = Uint32Array.from({ length: scene.nodes }, (_, i) => i);
  const degrees = scene.degrees;
  if (degrees) order.sort((a, b) => degrees[a]! - degrees[b]! || a - b);
  return {
    colors: new Uint8Array(4 * scene.nodes),
    sizes: new Float32Array(scene.nodes),
    shapes: new Uint8Array(scene.nodes),
    order,
  };
}

export function rgb(color: string): [number, number, number] {
  const n = parseInt(color.slice(1), 16);
  return [n >> 16, (n >> 8) & 255, n & 255];
}

export function colorOf(scene: Scene, rank: number): string {
  return scene.palette.colors[rank % scene.palette.colors.length]!;
}

export function shapeOf(scene: Scene, rank: number): number {
  return Math.floor(rank / scene.palette.colors.length) % scene.shapes.length;
}

/** The least opacity of a node that is not sure of its community, and of nodes beside the point. */
const FAINT = 0.28;
const ASIDE = 0.16;

export function updateLook(look: Look, state: State, radius: number): void {
  const { scene } = state;
  const ranks = state.active.classes.map((info) => info.rank);
  const paints = ranks.map((rank) => rgb(colorOf(scene, rank)));
  const shapes = ranks.map((rank) => shapeOf(scene, rank));
  const none = rgb(scene.palette.none);
  const lit = litNodes(state);
  const base = baseSize(scene.nodes, radius);
  const deepest = Math.log2(2 + largest(scene.degrees));
  for (let i = 0; i < scene.nodes; i++) {
    const of = state.classOf(i);
    const [r, g, b] = of === NONE ? none : paints[of]!;
    let opacity = state.on.fade ? FAINT + (1 - FAINT) * state.probability(i) ** 2 : 1;
    if (lit && !lit.has(i)) opacity *= ASIDE;
    if (!state.isShown(i)) opacity = 0;
    look.colors.set([r, g, b, Math.round(255 * opacity)], 4 * i);
    look.shapes[i] = of === NONE ? 0 : shapes[of]!;
    const degree = scene.degrees && state.on.degree ? Math.log2(2 + scene.degrees[i]!) / deepest : 0.5;
    look.sizes[i] = base * (0.62 + 1.15 * degree * degree);
  }
}

/** The chosen node and its neighbours; null when the picture is about all. A node that is only pointed at changes no other's look. */
function litNodes(state: State): Set<number> | null {
  const { selected } = state;
  return selected === null ? null : new Set([selected, ...state.neighbors(selected)]);
}

/** Radius of an average node: smaller the more there are, larger the larger the disc is. */
export function baseSize(nodes: number, radius: number): number {
  const crowd = Math.pow(60 / Math.max(nodes, 20), 0.2);
  return Math.max(1.7, Math.min(10, 0.0195 * radius * crowd));
}

function largest(degrees: Uint32Array | null): number {
  let most = 1;
  if (degrees) for (const degree of degrees) if (degree > most) most = degree;
  return most;
}

/** Nodes near the boundary are drawn smaller, as everything there is. */
export function nearness(x: number, y: number): number {
  return 0.4 + 0.6 * Math.max(0, 1 - x * x - y * y);
}
