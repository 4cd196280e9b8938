// Animated transitions of the view: to a point, and back to the initial view.

import type { Point } from "./mobius";
import type { Painter } from "./painter";
import type { View } from "./view";

/** Duration in milliseconds. */
const DURATION = 420;

export class ViewTransition {
  private running = 0;

  constructor(
    private readonly view: View,
    private readonly painter: Painter,
  ) {}

  stop(): void {
    cancelAnimationFrame(this.running);
    this.running = 0;
  }

  /** Brings a point of the plane to the centre, along the geodesic. */
  center(target: Point): void {
    const { view } = this;
    const point = view.clampCenter(target);
    const from = view.mobius;
    const shift = view.shift;
    this.run((fraction) => {
      view.mobius = view.towards(point, from, fraction);
      view.shift = [shift[0] * (1 - fraction), shift[1] * (1 - fraction)];
    });
  }

  /** Restores the initial view, including its rotation. */
  reset(): void {
    const { view } = this;
    const { mobius: from, shift, zoom } = view;
    const turned = 2 * Math.atan2(from.ai, from.ar);
    const turn = Math.atan2(Math.sin(turned), Math.cos(turned)); // the shorter rotation
    this.run((fraction) => {
      // The centre returns along a geodesic while the rotation is undone.
      const moved = view.towards([0, 0], from, fraction);
      const angle = (-turn * fraction) / 2;
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      view.mobius = {
        ar: moved.ar * c - moved.ai * s,
        ai: moved.ar * s + moved.ai * c,
        br: moved.br * c - moved.bi * s,
        bi: moved.br * s + moved.bi * c,
      };
      view.shift = [shift[0] * (1 - fraction), shift[1] * (1 - fraction)];
      view.zoom = zoom * Math.pow(view.initialZoom / zoom, fraction);
      if (fraction === 1) view.reset();
    });
  }

  private run(step: (fraction: number) => void): void {
    this.stop();
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      step(1);
      this.painter.moved();
      return;
    }
    const start = performance.now();
    const tick = (now: number): void => {
      const t = Math.min(1, Math.max(0, (now - start) / DURATION));
      step(t < 0.5 ? 4 * t ** 3 : 1 - (2 - 2 * t) ** 3 / 2);
      this.painter.moved();
      this.running = t < 1 ? requestAnimationFrame(tick) : 0;
    };
    this.running = requestAnimationFrame(tick);
  }
}
