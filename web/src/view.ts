// From the plane to the screen: an isometry of the disc, then a zoom and a shift of the picture.

import { IDENTITY, type Mobius, type Point, along, apply, centeredOn, clamped, compose, inverse, isFinite, translation, transvection } from "./mobius";
import { Reach } from "./reach";

const MOST_ZOOM = 40;
const LEAST_ZOOM = 0.6;

/** At home, nodes fill this part of the view, but the disc is not brought nearer than this. */
const FILLED = 0.84;
const MOST_HOME_ZOOM = 1.6;

/** The picture can be shifted by this part of the disc's radius. */
const MOST_SHIFT = 0.95;

/** Fingers beyond this part of the disc pull as if they were here: near the boundary a pixel is a long way. */
const GRIP = 0.97;

export class View {
  mobius: Mobius = IDENTITY;
  zoom = 1;
  shift: Point = [0, 0];
  width = 1;
  height = 1;
  /** The zoom at home: nodes that keep to the middle of the disc are brought nearer. */
  homeZoom = 1;
  /** Pixels from the centre of the disc to its boundary, before the zoom. */
  radius = 1;
  private reach = new Reach(new Float64Array(0));

  resize(width: number, height: number): void {
    this.width = width;
    this.height = height;
    const margin = Math.min(28, 8 + Math.min(width, height) * 0.03);
    this.radius = Math.max(10, Math.min(width, height) / 2 - margin);
  }

  /** Sets the zoom at home so that nearly all of these points fill the view, and how far the view may go from them. */
  fit(points: Float64Array): void {
    this.reach = new Reach(points);
    const radii = Float64Array.from({ length: points.length / 2 }, (_, i) => Math.hypot(points[2 * i]!, points[2 * i + 1]!)).sort();
    const wide = radii[Math.floor(0.98 * (radii.length - 1))] ?? 1;
    this.homeZoom = Math.min(MOST_HOME_ZOOM, Math.max(1, FILLED / Math.max(wide, 0.01)));
    this.zoom = this.homeZoom;
  }

  /** The view as it was at first, to the last bit. */
  goHome(): void {
    this.mobius = IDENTITY;
    this.shift = [0, 0];
    this.zoom = this.homeZoom;
  }

  get scale(): number {
    return this.radius * this.zoom;
  }

  /** How much larger nodes are drawn than at zoom one. */
  get grown(): number {
    return Math.pow(this.zoom, 0.35);
  }

  get middle(): Point {
    return [this.width / 2 + this.shift[0], this.height / 2 + this.shift[1]];
  }

  toScreen([x, y]: Point): Point {
    const [cx, cy] = this.middle;
    return [cx + x * this.scale, cy - y * this.scale];
  }

  toDisc([x, y]: Point): Point {
    const [cx, cy] = this.middle;
    return [(x - cx) / this.scale, (cy - y) / this.scale];
  }

  /** The place of the plane that is seen at a pixel; null outside of the disc. */
  toPlane(pixel: Point): Point | null {
    const seen = this.toDisc(pixel);
    return Math.hypot(...seen) < 1 ? apply(inverse(this.mobius), seen) : null;
  }

  /** The place of the plane that is at the centre of the disc. */
  get center(): Point {
    return apply(inverse(this.mobius), [0, 0]);
  }

  /** The place nearest to this one that the view may be centred on. */
  reachable(place: Point): Point {
    return this.reach.bounded(this.center, place);
  }

  /** Moves the plane by an isometry, as far as the graph stays in sight. */
  private move(by: Mobius): void {
    const next = compose(by, this.mobius);
    if (!isFinite(next)) return;
    const wanted = apply(inverse(next), [0, 0]);
    const allowed = this.reachable(wanted);
    this.mobius = allowed === wanted ? next : this.towards(allowed, next, 1);
  }

  /** Moves the plane so that what is under one pixel comes under the other. */
  drag(from: Point, to: Point): void {
    const [p, q] = [clamped(this.toDisc(from), GRIP), clamped(this.toDisc(to), GRIP)];
    this.move(transvection(p, q));
  }

  /** Moves the plane by a step of this hyperbolic length. */
  nudge(dx: number, dy: number): void {
    const length = Math.hypot(dx, dy);
    if (length === 0) return;
    const by = Math.tanh(length / 2) / length;
    this.move(translation([dx * by, dy * by]));
  }

  zoomAt(pixel: Point, factor: number): void {
    const zoom = Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, this.zoom * factor));
    const ratio = zoom / this.zoom;
    const [cx, cy] = this.middle;
    if (!Number.isFinite(ratio)) return;
    const shift: Point = [this.shift[0] + (pixel[0] - cx) * (1 - ratio), this.shift[1] + (pixel[1] - cy) * (1 - ratio)];
    this.zoom = zoom;
    const rest = zoom <= 1 ? zoom ** 4 : 1; // a small disc comes to rest in the middle
    this.shiftTo([shift[0] * rest, shift[1] * rest]);
  }

  pan(dx: number, dy: number): void {
    this.shiftTo([this.shift[0] + dx, this.shift[1] + dy]);
  }

  /** Shifts the picture, as far as the disc stays under the middle of the view. */
  private shiftTo(shift: Point): void {
    if (Number.isFinite(shift[0] + shift[1])) this.shift = clamped(shift, MOST_SHIFT * this.scale);
  }

  /** The view after a share of the way that brings a place of the plane to the centre. */
  towards(place: Point, from: Mobius, share: number): Mobius {
    const seen = apply(from, place);
    const [x, y] = along(seen, share);
    const there = compose(translation([-x, -y]), from);
    return share === 1 ? centeredOn(place, there) : there;
  }
}
