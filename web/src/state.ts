// What the person has chosen, and who wants to know.

import { NONE, type Coloring, type Gaussian, type Scene } from "./scene";

export type Switch = "edges" | "contours" | "names" | "grid" | "degree" | "fade" | "regions";

export class State {
  coloring = 0;
  /** For each colouring, whether each class is shown; the last entry is for nodes without a class. */
  readonly shown: boolean[][];
  readonly on: Record<Switch, boolean>;
  hovered: number | null = null;
  selected: number | null = null;
  /** The frame of the film; null for the result. */
  frame: number | null = null;
  /** Grows when colours themselves change, as from light to dark. */
  repaints = 0;
  private listeners: (() => void)[] = [];
  private watchers: (() => void)[] = [];
  private adjacency: { starts: Uint32Array; targets: Uint32Array } | null = null;

  constructor(readonly scene: Scene) {
    this.shown = scene.colorings.map((coloring) => new Array(coloring.classes.length + 1).fill(true));
    this.on = {
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
    return this.frame === null ? this.scene.gaussians : this.scene.film[this.frame]!.gaussians;
  }

  /** The node that the page tells about at the moment. */
  get focus(): number | null {
    return this.hovered ?? this.selected;
  }

  classOf(node: number): number {
    return this.active.ofNodes[node]!;
  }

  isShown(node: number): boolean {
    const of = this.classOf(node);
    const shown = this.shown[this.coloring]!;
    return shown[of === NONE ? shown.length - 1 : of]!;
  }

  probability(node: number): number {
    return this.scene.members.probabilities[node * this.scene.members.top] ?? 1;
  }

  /** The neighbours of a node, whether their edges are drawn or not. */
  neighbors(node: number): Uint32Array {
    const adjacency = (this.adjacency ??= lists(this.scene));
    return adjacency.targets.subarray(adjacency.starts[node]!, adjacency.starts[node + 1]!);
  }

  /** Points at a node, or at none. Nothing else changes, so only those who show it are told. */
  hover(node: number | null): void {
    if (node === this.hovered) return;
    this.hovered = node;
    for (const watcher of this.watchers) watcher();
  }

  watchHover(watcher: () => void): void {
    this.watchers.push(watcher);
  }

  listen(listener: () => void): void {
    this.listeners.push(listener);
  }

  repainted(): void {
    this.repaints++;
    this.changed();
  }

  changed(): void {
    for (const listener of this.listeners) listener();
  }
}

function lists(scene: Scene): { starts: Uint32Array; targets: Uint32Array } {
  const pairs = scene.edges?.known ?? new Uint32Array(0);
  const starts = new Uint32Array(scene.nodes + 1);
  for (const node of pairs) starts[node + 1]!++;
  for (let i = 0; i < scene.nodes; i++) starts[i + 1]! += starts[i]!;
  const next = starts.slice();
  const targets = new Uint32Array(pairs.length);
  for (let i = 0; i < pairs.length; i += 2) {
    const [u, v] = [pairs[i]!, pairs[i + 1]!];
    targets[next[u]!++] = v;
    targets[next[v]!++] = u;
  }
  return { starts, targets };
}
