// Node styles: colour, size and shape of each node. Updated when the selection or an option changes, not in every frame.

import { NONE, type Scene } from "./scene";
import type { State } from "./state";

export interface NodeStyles {
  /** RGBA of each node, 0 to 255; alpha 0 hides it. */
  readonly colors: Uint8Array;
  /** Radius in pixels at the centre of the disc. */
  readonly sizes: Float32Array;
  /** Index of the shape, 0 to 3. */
  readonly shapes: Uint8Array;
  /** Drawing order by ascending degree, so that hubs are on top. */
  readonly order: Uint32Array;
}

export function createNodeStyles(scene: Scene): NodeStyles {
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

/** Minimum opacity of a node with an uncertain community, and opacity factor of nodes that are not highlighted. */
const MIN_OPACITY = 0.28;
const DIMMED = 0.16;

export function updateNodeStyles(styles: NodeStyles, state: State, radius: number): void {
  const { scene } = state;
  const ranks = state.active.classes.map((info) => info.rank);
  const paints = ranks.map((rank) => rgb(colorOf(scene, rank)));
  const shapes = ranks.map((rank) => shapeOf(scene, rank));
  const none = rgb(scene.palette.none);
  const highlighted = highlightedNodes(state);
  const base = baseRadius(scene.nodes, radius);
  const maxDegreeLog = Math.log2(2 + maxDegree(scene.degrees));
  for (let i = 0; i < scene.nodes; i++) {
    const of = state.classOf(i);
    const [r, g, b] = of === NONE ? none : paints[of]!;
    let opacity = state.options.fade ? MIN_OPACITY + (1 - MIN_OPACITY) * state.probability(i) ** 2 : 1;
    if (highlighted && !highlighted.has(i)) opacity *= DIMMED;
    if (!state.isVisible(i)) opacity = 0;
    styles.colors.set([r, g, b, Math.round(255 * opacity)], 4 * i);
    styles.shapes[i] = of === NONE ? 0 : shapes[of]!;
    const degree = scene.degrees && state.options.degree ? Math.log2(2 + scene.degrees[i]!) / maxDegreeLog : 0.5;
    styles.sizes[i] = base * (0.62 + 1.15 * degree * degree);
  }
}

/** The selected node and its neighbours; null without a selection. Hovering changes no styles. */
function highlightedNodes(state: State): Set<number> | null {
  const { selected } = state;
  return selected === null ? null : new Set([selected, ...state.neighbors(selected)]);
}

/** Radius of an average node in pixels, by the number of nodes and the radius of the disc. */
export function baseRadius(nodes: number, radius: number): number {
  const density = Math.pow(60 / Math.max(nodes, 20), 0.2);
  return Math.max(1.7, Math.min(10, 0.0195 * radius * density));
}

function maxDegree(degrees: Uint32Array | null): number {
  let most = 1;
  if (degrees) for (const degree of degrees) if (degree > most) most = degree;
  return most;
}

/** Factor of the radius of a node: nodes near the boundary are drawn smaller. */
export function depthScale(x: number, y: number): number {
  return 0.4 + 0.6 * Math.max(0, 1 - x * x - y * y);
}
