// Journeys of the view: to a place, and home.

import type { Point } from "./mobius";
import type { Painter } from "./painter";
import type { View } from "./view";

const DURATION = 420;

export class Motion {
  private running = 0;

  constructor(
    private readonly view: View,
    private readonly painter: Painter,
  ) {}

  stop(): void {
    cancelAnimationFrame(this.running);
    this.running = 0;
  }

  /** Brings a place of the plane to the centre, along the geodesic. */
  center(wanted: Point): void {
    const { view } = this;
    const place = view.reachable(wanted);
    const from = view.mobius;
    const shift = view.shift;
    this.run((share) => {
      view.mobius = view.towards(place, from, share);
      view.shift = [shift[0] * (1 - share), shift[1] * (1 - share)];
    });
  }

  /** Back to where the view began, turned as it was. */
  home(): void {
    const { view } = this;
    const { mobius: from, shift, zoom } = view;
    const turned = 2 * Math.atan2(from.ai, from.ar);
    const turn = Math.atan2(Math.sin(turned), Math.cos(turned)); // the short way round
    this.run((share) => {
      // The centre goes back along a geodesic while the plane turns back around it.
      const moved = view.towards([0, 0], from, share);
      const angle = (-turn * share) / 2;
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      view.mobius = {
        ar: moved.ar * c - moved.ai * s,
        ai: moved.ar * s + moved.ai * c,
        br: moved.br * c - moved.bi * s,
        bi: moved.br * s + moved.bi * c,
      };
      view.shift = [shift[0] * (1 - share), shift[1] * (1 - share)];
      view.zoom = zoom * Math.pow(view.homeZoom / zoom, share);
      if (share === 1) view.goHome();
    });
  }

  private run(step: (share: number) => void): void {
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
