// Nodes and edges drawn by the processor, for browsers without a GPU: pixel by pixel, onto what is behind them.

import { nearness, rgb, type Look } from "../look";
import type { Scene } from "../scene";
import { Bitmap, paint } from "./bitmap";
import type { Marks, Shot } from "./marks";
import { Stamps } from "./stamps";

/** Pixels by which a curve may miss its arc. */
const CURVE_ERROR = 0.3;

/** Pieces of a curve at most: an arc across a disc forty times as large as the screen has fewer. */
const MOST_PIECES = 200;

export class CanvasMarks implements Marks {
  readonly kind = "canvas";
  private readonly context: CanvasRenderingContext2D;
  private stamps = new Stamps(1, 1);
  private bitmap = new Bitmap(1, 1);
  /** What is behind, and which version of it. */
  private behind = new Uint32Array(1);
  private version = -1;
  /** How far each edge takes pixels towards its colour, 0 to 1; nothing where it is hidden. The colour is the common one if −. */
  private shares = new Float32Array(0);
  /** The colours and opacities of nodes, in the order in which they are drawn. */
  private paints = new Uint32Array(0);

  constructor(
    readonly canvas: HTMLCanvasElement,
    private readonly scene: Scene,
  ) {
    this.context = canvas.getContext("2d", { alpha: false, willReadFrequently: true })!;
  }

  resize(width: number, height: number, density: number): void {
    this.canvas.width = Math.max(1, Math.round(width * density));
    this.canvas.height = Math.max(1, Math.round(height * density));
    this.bitmap = new Bitmap(this.canvas.width, this.canvas.height);
    this.stamps = new Stamps(this.canvas.width, density);
    this.version = -1;
  }

  restyle({ colors, order }: Look): void {
    this.paints = Uint32Array.from(order, (node) => {
      const at = 4 * node;
      return (colors[at]! | (colors[at + 1]! << 8) | (colors[at + 2]! << 16) | (colors[at + 3]! << 24)) >>> 0;
    });
    const pairs = this.scene.edges?.pairs ?? new Uint32Array(0);
    this.shares = new Float32Array(pairs.length / 2);
    for (let i = 0; i < this.shares.length; i++) {
      const [u, v] = [4 * pairs[2 * i]!, 4 * pairs[2 * i + 1]!];
      const opacity = Math.min(colors[u + 3]!, colors[v + 3]!) / 255;
      const same = colors[u] === colors[v] && colors[u + 1] === colors[v + 1] && colors[u + 2] === colors[v + 2];
      this.shares[i] = same ? opacity : -BETWEEN * opacity;
    }
  }

  /** All is drawn when the browser comes to its next task. */
  whenDone(done: () => void): void {
    setTimeout(done);
  }

  draw(shot: Shot): void {
    this.lay(shot);
    if (shot.edges > 0) this.drawEdges(shot);
    this.drawNodes(shot);
    this.context.putImageData(this.bitmap.image, 0, 0);
  }

  /** Begins with what is behind. */
  private lay({ theme, behind }: Shot): void {
    if (behind.version !== this.version) {
      const { context, canvas } = this;
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.fillStyle = theme.ground;
      context.fillRect(0, 0, canvas.width, canvas.height);
      context.drawImage(behind.canvas, 0, 0);
      this.behind = new Uint32Array(context.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
      this.version = behind.version;
    }
    this.bitmap.begin(this.behind);
  }

  private drawEdges({ view, look, positions, edges, ink, theme, density }: Shot): void {
    const { bitmap, shares } = this;
    const { colors } = look;
    const pairs = this.scene.edges!.pairs;
    const scale = view.scale * density;
    const cx = view.middle[0] * density;
    const cy = view.middle[1] * density;
    const thickness = (edges < 2_000 ? 1.3 : 0.9) * density;
    const [inkR, inkG, inkB] = rgb(theme.edge);
    const common = paint(inkR, inkG, inkB);
    const tinted = (part: number, of: number) => Math.round(part + TINT * (of - part));
    for (let i = 0; i < edges; i++) {
      const share = shares[i]!;
      if (share === 0) continue;
      const u = pairs[2 * i]!;
      const v = pairs[2 * i + 1]!;
      const color = share < 0 ? common : paint(tinted(inkR, colors[4 * u]!), tinted(inkG, colors[4 * u + 1]!), tinted(inkB, colors[4 * u + 2]!));
      const px = positions[2 * u]!;
      const py = positions[2 * u + 1]!;
      const qx = positions[2 * v]!;
      const qy = positions[2 * v + 1]!;
      // The rational quadratic curve of curves.ts.
      const tangent = (px * qy - py * qx) / (1 - px * qx - py * qy);
      const mx = (px + qx + tangent * (py - qy)) / 2;
      const my = (py + qy + tangent * (qx - px)) / 2;
      const weight = 1 / Math.sqrt(1 + tangent * tangent);
      const height = (Math.hypot(qx - px, qy - py) / 2) * Math.abs(tangent) * scale; // twice that of the arc, at most
      const pieces = Math.min(MOST_PIECES, Math.max(1, Math.ceil(Math.sqrt(height / (2 * CURVE_ERROR)))));
      const full = 256 * ink * Math.abs(share);
      let ax = px;
      let ay = py;
      for (let piece = 1; piece <= pieces; piece++) {
        const t = piece / pieces;
        const s = 1 - t;
        const middle = 2 * s * t * weight;
        const below = s * s + middle + t * t;
        const bx = (s * s * px + middle * mx + t * t * qx) / below;
        const by = (s * s * py + middle * my + t * t * qy) / below;
        const near = 0.5 + 0.5 * Math.max(0, 1 - ax * bx - ay * by);
        bitmap.line(cx + scale * ax, cy - scale * ay, cx + scale * bx, cy - scale * by, color, full * (0.35 + 0.65 * near), thickness * near);
        ax = bx;
        ay = by;
      }
    }
  }

  private drawNodes({ view, look, positions, theme, density }: Shot): void {
    const { bitmap, stamps, paints } = this;
    const { sizes, shapes, order } = look;
    const grown = view.grown * density;
    const least = LEAST_RADIUS * density;
    const scale = view.scale * density;
    const cx = view.middle[0] * density;
    const cy = view.middle[1] * density;
    const halo = paint(...rgb(theme.halo));
    for (let k = 0; k < order.length; k++) {
      const color = paints[k]!;
      const opacity = color >>> 24;
      if (opacity === 0) continue;
      const node = order[k]!;
      const x = positions[2 * node]!;
      const y = positions[2 * node + 1]!;
      const radius = Math.max(least, sizes[node]! * nearness(x, y) * grown);
      const sx = cx + scale * x;
      const sy = cy - scale * y;
      const ix = Math.floor(sx);
      const iy = Math.floor(sy);
      bitmap.stamp(stamps.of(shapes[node]!, radius, sx - ix, sy - iy), ix, iy, color, halo, opacity + (opacity >> 7));
    }
  }
}

/** The smallest node, in pixels of the page. */
const LEAST_RADIUS = 1.15;

/** Edges within a class have so much of its colour; those between classes are so much fainter. */
const TINT = 0.75;
const BETWEEN = 0.6;
