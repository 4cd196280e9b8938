// UI state of the viewer: selection, visible classes and display options, with change listeners.

import { NONE, type Coloring, type Gaussian, type Scene } from "./scene";

export type DisplayOption = "edges" | "contours" | "names" | "grid" | "degree" | "fade" | "regions";

export class State {
  /** Index of the active colouring. */
  coloring = 0;
  /** For each colouring, the visibility of each class; the last entry is for nodes without a class. */
  readonly visible: boolean[][];
  readonly options: Record<DisplayOption, boolean>;
  hovered: number | null = null;
  selected: number | null = null;
  /** Index of the animation frame; null for the final embedding. */
  animationFrame: number | null = null;
  /** Incremented when the palette changes, as from light to dark. */
  paletteVersion = 0;
  private readonly listeners: (() => void)[] = [];
  private readonly hoverListeners: (() => void)[] = [];
  private adjacency: Adjacency | null = null;

  constructor(readonly scene: Scene) {
    this.visible = scene.colorings.map((coloring) => new Array(coloring.classes.length + 1).fill(true));
    this.options = {
      edges: true,
      contours: true,
      names: true,
      grid: false,
      degree: scene.degrees !== null,
      fade: true,
      regions: scene.regions !== null,
    };
  }

  get active(): Coloring {
    return this.scene.colorings[this.coloring]!;
  }

  get gaussians(): readonly Gaussian[] {
    return this.animationFrame === null ? this.scene.gaussians : this.scene.animation[this.animationFrame]!.gaussians;
  }

  /** The node that the node card describes. */
  get focus(): number | null {
    return this.hovered ?? this.selected;
  }

  classOf(node: number): number {
    return this.active.nodeClasses[node]!;
  }

  isVisible(node: number): boolean {
    const of = this.classOf(node);
    const visible = this.visible[this.coloring]!;
    return visible[of === NONE ? visible.length - 1 : of]!;
  }

  /** Probability of a node's community. */
  probability(node: number): number {
    return this.scene.memberships.probabilities[node * this.scene.memberships.top] ?? 1;
  }

  /** The neighbours of a node, including those whose edges are not drawn. */
  neighbors(node: number): Uint32Array {
    const { offsets, targets } = (this.adjacency ??= adjacencyOf(this.scene));
    return targets.subarray(offsets[node]!, offsets[node + 1]!);
  }

  /** Sets the hovered node. Only hover listeners are notified: everything else stays as it is. */
  hover(node: number | null): void {
    if (node === this.hovered) return;
    this.hovered = node;
    for (const listener of this.hoverListeners) listener();
  }

  onHover(listener: () => void): void {
    this.hoverListeners.push(listener);
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  paletteChanged(): void {
    this.paletteVersion++;
    this.notify();
  }

  /** Calls all change listeners. */
  notify(): void {
    for (const listener of this.listeners) listener();
  }
}

/** Neighbour lists in compressed sparse row (CSR) format. */
interface Adjacency {
  readonly offsets: Uint32Array;
  readonly targets: Uint32Array;
}

function adjacencyOf(scene: Scene): Adjacency {
  const pairs = scene.edges?.all ?? new Uint32Array(0);
  const offsets = new Uint32Array(scene.nodes + 1);
  for (const node of pairs) offsets[node + 1]!++;
  for (let i = 0; i < scene.nodes; i++) offsets[i + 1]! += offsets[i]!;
  const next = offsets.slice();
  const targets = new Uint32Array(pairs.length);
  for (let i = 0; i < pairs.length; i += 2) {
    const [u, v] = [pairs[i]!, pairs[i + 1]!];
    targets[next[u]!++] = v;
    targets[next[v]!++] = u;
  }
  return { offsets, targets };
}
