// Software renderer of nodes and edges for browsers without a GPU: rasterizes to a bitmap over the background.

import { depthScale, rgb, type NodeStyles } from "../node_style";
import type { Scene } from "../scene";
import { Bitmap, paint } from "./bitmap";
import type { Renderer, Frame } from "./renderer";
import { Sprites } from "./sprites";

/** Maximum deviation of a polyline from its arc, in pixels. */
const CURVE_ERROR = 0.3;

/** Maximum number of line segments of an arc; one across the disc at the largest zoom has fewer. */
const MAX_SEGMENTS = 200;

export class CanvasRenderer implements Renderer {
  readonly kind = "canvas";
  private readonly context: CanvasRenderingContext2D;
  private sprites = new Sprites(1, 1);
  private bitmap = new Bitmap(1, 1);
  /** Pixels of the background, and its version. */
  private backgroundPixels = new Uint32Array(1);
  private version = -1;
  /** Opacity of each edge, 0 to 1; negative for edges between classes, which have the theme's edge colour. */
  private edgeOpacities = new Float32Array(0);
  /** Packed colour and opacity of each node, in drawing order. */
  private nodeColors = new Uint32Array(0);

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
    this.sprites = new Sprites(this.canvas.width, density);
    this.version = -1;
  }

  restyle({ colors, order }: NodeStyles): void {
    this.nodeColors = Uint32Array.from(order, (node) => {
      const at = 4 * node;
      return (colors[at]! | (colors[at + 1]! << 8) | (colors[at + 2]! << 16) | (colors[at + 3]! << 24)) >>> 0;
    });
    const pairs = this.scene.edges?.drawn ?? new Uint32Array(0);
    this.edgeOpacities = new Float32Array(pairs.length / 2);
    for (let i = 0; i < this.edgeOpacities.length; i++) {
      const [u, v] = [4 * pairs[2 * i]!, 4 * pairs[2 * i + 1]!];
      const opacity = Math.min(colors[u + 3]!, colors[v + 3]!) / 255;
      const same = colors[u] === colors[v] && colors[u + 1] === colors[v + 1] && colors[u + 2] === colors[v + 2];
      this.edgeOpacities[i] = same ? opacity : -BETWEEN_OPACITY * opacity;
    }
  }

  /** Drawing is synchronous, so it is complete in the next task. */
  whenDone(done: () => void): void {
    setTimeout(done);
  }

  draw(frame: Frame): void {
    this.drawBackground(frame);
    if (frame.edges > 0) this.drawEdges(frame);
    this.drawNodes(frame);
    this.context.putImageData(this.bitmap.image, 0, 0);
  }

  /** Copies the background to the bitmap. */
  private drawBackground({ theme, background }: Frame): void {
    if (background.version !== this.version) {
      const { context, canvas } = this;
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.fillStyle = theme.background;
      context.fillRect(0, 0, canvas.width, canvas.height);
      context.drawImage(background.canvas, 0, 0);
      this.backgroundPixels = new Uint32Array(context.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
      this.version = background.version;
    }
    this.bitmap.reset(this.backgroundPixels);
  }

  private drawEdges({ view, styles, positions, edges, edgeOpacity, theme, density }: Frame): void {
    const { bitmap, edgeOpacities } = this;
    const { colors } = styles;
    const pairs = this.scene.edges!.drawn;
    const scale = view.scale * density;
    const cx = view.screenCenter[0] * density;
    const cy = view.screenCenter[1] * density;
    const thickness = (edges < 2_000 ? 1.3 : 0.9) * density;
    const [inkR, inkG, inkB] = rgb(theme.edge);
    const common = paint(inkR, inkG, inkB);
    const tinted = (part: number, of: number) => Math.round(part + TINT * (of - part));
    for (let i = 0; i < edges; i++) {
      const share = edgeOpacities[i]!;
      if (share === 0) continue;
      const u = pairs[2 * i]!;
      const v = pairs[2 * i + 1]!;
      const color = share < 0 ? common : paint(tinted(inkR, colors[4 * u]!), tinted(inkG, colors[4 * u + 1]!), tinted(inkB, colors[4 * u + 2]!));
      const px = positions[2 * u]!;
      const py = positions[2 * u + 1]!;
      const qx = positions[2 * v]!;
      const qy = positions[2 * v + 1]!;
      // The rational quadratic Bézier curve of curves.ts.
      const tangent = (px * qy - py * qx) / (1 - px * qx - py * qy);
      const mx = (px + qx + tangent * (py - qy)) / 2;
      const my = (py + qy + tangent * (qx - px)) / 2;
      const weight = 1 / Math.sqrt(1 + tangent * tangent);
      const height = (Math.hypot(qx - px, qy - py) / 2) * Math.abs(tangent) * scale; // at most twice the arc's sagitta
      const segments = Math.min(MAX_SEGMENTS, Math.max(1, Math.ceil(Math.sqrt(height / (2 * CURVE_ERROR)))));
      const full = 256 * edgeOpacity * Math.abs(share);
      let ax = px;
      let ay = py;
      for (let segment = 1; segment <= segments; segment++) {
        const t = segment / segments;
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

  private drawNodes({ view, styles, positions, theme, density }: Frame): void {
    const { bitmap, sprites, nodeColors } = this;
    const { sizes, shapes, order } = styles;
    const radiusScale = view.nodeScale * density;
    const least = MIN_RADIUS * density;
    const scale = view.scale * density;
    const cx = view.screenCenter[0] * density;
    const cy = view.screenCenter[1] * density;
    const halo = paint(...rgb(theme.halo));
    for (let k = 0; k < order.length; k++) {
      const color = nodeColors[k]!;
      const opacity = color >>> 24;
      if (opacity === 0) continue;
      const node = order[k]!;
      const x = positions[2 * node]!;
      const y = positions[2 * node + 1]!;
      const radius = Math.max(least, sizes[node]! * depthScale(x, y) * radiusScale);
      const sx = cx + scale * x;
      const sy = cy - scale * y;
      const ix = Math.floor(sx);
      const iy = Math.floor(sy);
      bitmap.drawSprite(sprites.of(shapes[node]!, radius, sx - ix, sy - iy), ix, iy, color, halo, opacity + (opacity >> 7));
    }
  }
}

/** Minimum radius of a node in CSS pixels. */
const MIN_RADIUS = 1.15;

/** Share of the class colour in edges within a class, and relative opacity of edges between classes. */
const TINT = 0.75;
const BETWEEN_OPACITY = 0.6;
