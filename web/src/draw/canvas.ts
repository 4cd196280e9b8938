// Nodes and edges drawn on a plain canvas, for browsers without WebGL.
//
// Strokes of one colour are collected in one path each: a canvas is slow for each stroke, not for each curve.

import { arc, trace } from "../curves";
import { nearness, type Look } from "../look";
import type { Point } from "../mobius";
import type { Scene } from "../scene";
import type { Marks, Shot } from "./marks";
import { traceShape } from "./shapes";

export class CanvasMarks implements Marks {
  readonly kind = "canvas";
  private readonly context: CanvasRenderingContext2D;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly scene: Scene,
  ) {
    this.context = canvas.getContext("2d")!;
  }

  resize(width: number, height: number, density: number): void {
    this.canvas.width = Math.max(1, Math.round(width * density));
    this.canvas.height = Math.max(1, Math.round(height * density));
  }

  restyle(): void {}

  /** A canvas draws when the frame ends; the next frame comes after that. */
  whenDone(done: () => void): void {
    requestAnimationFrame(() => setTimeout(done));
  }

  draw(shot: Shot): void {
    const { context } = this;
    context.setTransform(shot.density, 0, 0, shot.density, 0, 0);
    context.clearRect(0, 0, shot.view.width, shot.view.height);
    if (shot.edges > 0) this.drawEdges(shot);
    this.drawNodes(shot);
    context.globalAlpha = 1;
  }

  private drawEdges({ view, look, positions, edges, ink, theme }: Shot): void {
    const paths = new Map<string, Path2D>();
    const pairs = this.scene.edges!.pairs;
    const at = (node: number): Point => [positions[2 * node]!, positions[2 * node + 1]!];
    for (let i = 0; i < 2 * edges; i += 2) {
      const [u, v] = [pairs[i]!, pairs[i + 1]!];
      const opacity = Math.min(look.colors[4 * u + 3]!, look.colors[4 * v + 3]!);
      if (opacity === 0) continue;
      const key = `${sameColor(look, u, v) ? paint(look, u) : theme.edge} ${Math.round(opacity / 51)}`;
      const path = paths.get(key) ?? new Path2D();
      paths.set(key, path);
      const [p, q] = [at(u), at(v)];
      const { control, tangent } = arc(p, q);
      trace(path, view.toScreen(p), view.toScreen(control), view.toScreen(q), tangent);
    }
    this.context.lineWidth = edges < 2_000 ? 1.2 : 0.8;
    for (const [key, path] of paths) {
      const [color, level] = key.split(" ");
      this.context.strokeStyle = color!;
      this.context.globalAlpha = ink * (Number(level) / 5);
      this.context.stroke(path);
    }
  }

  private drawNodes(shot: Shot): void {
    if (shot.look.order.length > CROWD) return this.drawCrowd(shot);
    const { view, look, positions, theme } = shot;
    const { context } = this;
    context.lineWidth = 2;
    context.strokeStyle = theme.halo;
    const scale = view.scale;
    const [cx, cy] = view.middle;
    for (const node of look.order) {
      const opacity = look.colors[4 * node + 3]!;
      if (opacity === 0) continue;
      const [x, y] = [positions[2 * node]!, positions[2 * node + 1]!];
      const radius = Math.max(1.15, look.sizes[node]! * nearness(x, y) * view.grown);
      context.beginPath();
      traceShape(context, look.shapes[node]!, cx + x * scale, cy - y * scale, radius);
      context.globalAlpha = opacity / 255;
      if (radius > 2.5) context.stroke();
      context.fillStyle = paint(look, node);
      context.fill();
    }
  }

  private drawCrowd({ view, look, positions }: Shot): void {
    const { context } = this;
    const paths = new Map<number, Path2D>();
    const scale = view.scale;
    const [cx, cy] = view.middle;
    for (const node of look.order) {
      const level = (look.colors[4 * node + 3]! + 50) >> 6;
      if (look.colors[4 * node + 3] === 0) continue;
      const [r, g, b] = look.colors.subarray(4 * node, 4 * node + 3);
      const key = (((r! << 8) | g!) << 8) | b! | (level << 24);
      let path = paths.get(key);
      if (!path) paths.set(key, (path = new Path2D()));
      const [x, y] = [positions[2 * node]!, positions[2 * node + 1]!];
      const radius = Math.max(1, look.sizes[node]! * nearness(x, y) * view.grown);
      if (radius < 2) path.rect(cx + x * scale - radius, cy - y * scale - radius, 2 * radius, 2 * radius);
      else traceShape(path, look.shapes[node]!, cx + x * scale, cy - y * scale, radius);
    }
    for (const [key, path] of paths) {
      context.globalAlpha = Math.max(0.12, (key >> 24) / 4.5);
      context.fillStyle = `#${(key & 0xffffff).toString(16).padStart(6, "0")}`;
      context.fill(path);
    }
  }
}

/** Beyond this many nodes, those of one colour are drawn as one path, which is quick but cannot keep hubs in front. */
const CROWD = 3000;

function paint({ colors }: Look, node: number): string {
  return `rgb(${colors[4 * node]},${colors[4 * node + 1]},${colors[4 * node + 2]})`;
}

function sameColor({ colors }: Look, u: number, v: number): boolean {
  return [0, 1, 2].every((part) => colors[4 * u + part] === colors[4 * v + part]);
}
