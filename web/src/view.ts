// View transform: an isometry of the hyperbolic plane, then zoom and pan on the screen.

import { IDENTITY, type Mobius, type Point, interpolate, apply, centeredOn, clampNorm, compose, inverse, isFinite, translation, transvection } from "./mobius";
import { ViewBounds } from "./view_bounds";

const MAX_ZOOM = 40;
const MIN_ZOOM = 0.6;

/** Share of the view that the nodes fill initially, and maximum initial zoom. */
const INITIAL_FILL = 0.84;
const MAX_INITIAL_ZOOM = 1.6;

/** Maximum pan as a share of the disc's radius. */
const MAX_PAN = 0.95;

/** Norm to which drag positions are clamped: near the boundary a pixel is a large distance. */
const MAX_DRAG_NORM = 0.97;

export class View {
  mobius: Mobius = IDENTITY;
  zoom = 1;
  shift: Point = [0, 0];
  width = 1;
  height = 1;
  /** The initial zoom: above one if the nodes fill only the centre of the disc. */
  initialZoom = 1;
  /** Radius of the disc in pixels at zoom one. */
  radius = 1;
  private bounds = new ViewBounds(new Float64Array(0));

  resize(width: number, height: number): void {
    this.width = width;
    this.height = height;
    const margin = Math.min(28, 8 + Math.min(width, height) * 0.03);
    this.radius = Math.max(10, Math.min(width, height) / 2 - margin);
  }

  /** Fits the initial zoom to nearly all points, and bounds the view by their convex hull. */
  fit(points: Float64Array): void {
    this.bounds = new ViewBounds(points);
    const radii = Float64Array.from({ length: points.length / 2 }, (_, i) => Math.hypot(points[2 * i]!, points[2 * i + 1]!)).sort();
    const wide = radii[Math.floor(0.98 * (radii.length - 1))] ?? 1;
    this.initialZoom = Math.min(MAX_INITIAL_ZOOM, Math.max(1, INITIAL_FILL / Math.max(wide, 0.01)));
    this.zoom = this.initialZoom;
  }

  /** Restores the initial view exactly. */
  reset(): void {
    this.mobius = IDENTITY;
    this.shift = [0, 0];
    this.zoom = this.initialZoom;
  }

  get scale(): number {
    return this.radius * this.zoom;
  }

  /** Scale of node radii relative to zoom one. */
  get nodeScale(): number {
    return Math.pow(this.zoom, 0.35);
  }

  get screenCenter(): Point {
    return [this.width / 2 + this.shift[0], this.height / 2 + this.shift[1]];
  }

  toScreen([x, y]: Point): Point {
    const [cx, cy] = this.screenCenter;
    return [cx + x * this.scale, cy - y * this.scale];
  }

  toDisc([x, y]: Point): Point {
    const [cx, cy] = this.screenCenter;
    return [(x - cx) / this.scale, (cy - y) / this.scale];
  }

  /** The point of the plane at a pixel; null outside of the disc. */
  toPlane(pixel: Point): Point | null {
    const seen = this.toDisc(pixel);
    return Math.hypot(...seen) < 1 ? apply(inverse(this.mobius), seen) : null;
  }

  /** The point of the plane at the centre of the disc. */
  get center(): Point {
    return apply(inverse(this.mobius), [0, 0]);
  }

  /** The nearest permitted centre of the view. */
  clampCenter(point: Point): Point {
    return this.bounds.clamp(this.center, point);
  }

  /** Applies an isometry within the bounds of the view. */
  private move(by: Mobius): void {
    const next = compose(by, this.mobius);
    if (!isFinite(next)) return;
    const target = apply(inverse(next), [0, 0]);
    const allowed = this.clampCenter(target);
    this.mobius = allowed === target ? next : this.towards(allowed, next, 1);
  }

  /** Moves the plane so that the point at one pixel comes to another. */
  drag(from: Point, to: Point): void {
    const [p, q] = [clampNorm(this.toDisc(from), MAX_DRAG_NORM), clampNorm(this.toDisc(to), MAX_DRAG_NORM)];
    this.move(transvection(p, q));
  }

  /** Moves the plane by a hyperbolic vector. */
  nudge(dx: number, dy: number): void {
    const length = Math.hypot(dx, dy);
    if (length === 0) return;
    const by = Math.tanh(length / 2) / length;
    this.move(translation([dx * by, dy * by]));
  }

  zoomAt(pixel: Point, factor: number): void {
    const zoom = Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, this.zoom * factor));
    const ratio = zoom / this.zoom;
    const [cx, cy] = this.screenCenter;
    if (!Number.isFinite(ratio)) return;
    const shift: Point = [this.shift[0] + (pixel[0] - cx) * (1 - ratio), this.shift[1] + (pixel[1] - cy) * (1 - ratio)];
    this.zoom = zoom;
    const centering = zoom <= 1 ? zoom ** 4 : 1; // a small disc returns to the centre
    this.panTo([shift[0] * centering, shift[1] * centering]);
  }

  pan(dx: number, dy: number): void {
    this.panTo([this.shift[0] + dx, this.shift[1] + dy]);
  }

  /** Sets the pan, so that the disc keeps covering the centre of the view. */
  private panTo(shift: Point): void {
    if (Number.isFinite(shift[0] + shift[1])) this.shift = clampNorm(shift, MAX_PAN * this.scale);
  }

  /** The isometry at a fraction of the transition that brings a point to the centre. */
  towards(point: Point, from: Mobius, fraction: number): Mobius {
    const seen = apply(from, point);
    const [x, y] = interpolate(seen, fraction);
    const there = compose(translation([-x, -y]), from);
    return fraction === 1 ? centeredOn(point, there) : there;
  }
}
