// Mouse, fingers and keys.

import { element } from "./element";
import type { Point } from "./mobius";
import type { Motion } from "./motion";
import type { Painter } from "./painter";
import { communityAt, nodeAt } from "./pick";
import type { State } from "./state";
import type { View } from "./view";

/** A press that moves less than this many pixels is a click. */
const CLICK = 5;

/** Hyperbolic length of a step by an arrow key. */
const STEP = 0.18;

/** How long after a press into the disc, or after the last turn of the wheel, the wheel zooms without Ctrl, in milliseconds. */
const ENGAGED_TIME = 5000;

/** How long the page says how to zoom, in milliseconds. */
const HINT_TIME = 1500;

/** Two taps within this time and distance are a double tap. */
const DOUBLE_TIME = 350;
const DOUBLE_REACH = 30;

export function listen(view: View, state: State, painter: Painter, motion: Motion): void {
  const canvas = painter.front.canvas;
  const fingers = new Map<number, Point>();
  let travelled = 0;
  let tap: { at: Point; time: number } | null = null;

  const pixel = (event: MouseEvent): Point => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const nodeUnder = (at: Point) => nodeAt(at, view, painter.look, painter.positions);
  // A mouse may report its place more often than pictures are drawn; only the last place before each is looked up.
  let pointed: Point | null = null;
  let looking = 0;
  const point = (at: Point): void => {
    pointed = at;
    looking ||= requestAnimationFrame(() => {
      looking = 0;
      if (pointed) state.hover(nodeUnder(pointed));
    });
  };
  const leave = (): void => {
    pointed = null;
    state.hover(null);
  };

  // A page among others, as in a notebook, leaves the wheel to them, unless the disc was clicked or Ctrl is held.
  let engaged = -Infinity;
  const isEngaged = () => performance.now() - engaged < ENGAGED_TIME;
  const disengage = (): void => void (engaged = -Infinity);
  window.addEventListener("blur", disengage);
  const hint = element("p", { class: "hint", "aria-hidden": "true" }, `${/Mac|iP(hone|ad|od)/.test(navigator.platform) ? "⌘" : "Ctrl"} + scroll to zoom`);
  let hinted = 0;
  painter.stage.append(hint);
  const showHint = (): void => {
    clearTimeout(hinted);
    hint.classList.add("seen");
    hinted = window.setTimeout(() => hint.classList.remove("seen"), HINT_TIME);
  };
  const scrolls = () => document.documentElement.scrollHeight > innerHeight + 1;

  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    engaged = performance.now();
    fingers.set(event.pointerId, pixel(event));
    if (fingers.size === 1) travelled = 0;
    motion.stop();
  });

  canvas.addEventListener("pointermove", (event) => {
    const to = pixel(event);
    const from = fingers.get(event.pointerId);
    if (!from) {
      if (event.pointerType === "mouse") point(to);
      return;
    }
    travelled += Math.hypot(to[0] - from[0], to[1] - from[1]);
    if (fingers.size === 1 && travelled > CLICK) {
      leave();
      canvas.classList.add("dragged");
      if (event.shiftKey) view.pan(to[0] - from[0], to[1] - from[1]);
      else view.drag(from, to);
      painter.moved();
    } else if (fingers.size === 2) {
      pinch(event.pointerId, from, to);
    }
    fingers.set(event.pointerId, to);
  });

  /** Two fingers: their middle drags the picture, their distance zooms it. */
  function pinch(moving: number, from: Point, to: Point): void {
    const other = [...fingers].find(([id]) => id !== moving)![1];
    const before = Math.hypot(from[0] - other[0], from[1] - other[1]);
    const after = Math.hypot(to[0] - other[0], to[1] - other[1]);
    view.pan((to[0] - from[0]) / 2, (to[1] - from[1]) / 2);
    if (before > 0) view.zoomAt([(to[0] + other[0]) / 2, (to[1] + other[1]) / 2], after / before);
    painter.moved();
  }

  function press(at: Point): void {
    const now = performance.now();
    const double = tap && now - tap.time < DOUBLE_TIME && Math.hypot(at[0] - tap.at[0], at[1] - tap.at[1]) < DOUBLE_REACH;
    if (double) {
      tap = null;
      goTo(at);
    } else {
      tap = { at, time: now };
      state.selected = nodeUnder(at);
      state.changed();
    }
  }

  /** A double click: the node there comes to the centre, else the community, else the place itself. */
  function goTo(at: Point): void {
    const node = nodeUnder(at);
    const community = communityAt(at, view, state);
    const place = view.toPlane(at);
    if (node !== null) {
      state.selected = node;
      motion.center(pointOf(state, node));
    } else if (community !== null) {
      motion.center(state.gaussians[community]!.mean);
    } else if (place) {
      motion.center(place);
    }
    state.changed();
  }

  const released = (event: PointerEvent): void => {
    const at = fingers.get(event.pointerId);
    fingers.delete(event.pointerId);
    canvas.classList.remove("dragged");
    if (at && event.type === "pointerup" && fingers.size === 0 && travelled <= CLICK) press(pixel(event));
  };
  canvas.addEventListener("pointerup", released);
  canvas.addEventListener("pointercancel", released);
  canvas.addEventListener("pointerleave", () => {
    leave();
    disengage();
  });

  canvas.addEventListener(
    "wheel",
    (event) => {
      if (isEngaged()) engaged = performance.now();
      else if (!event.ctrlKey && !event.metaKey && (window.parent !== window || scrolls())) return showHint();
      event.preventDefault();
      motion.stop();
      const lines = event.deltaMode === 1 ? 18 : 1;
      view.zoomAt(pixel(event), Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.0016)));
      painter.moved();
    },
    { passive: false },
  );

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || !isOurs(event.key)) return;
    if (key(event.key, event.shiftKey ? 4 * STEP : STEP)) event.preventDefault();
  });

  /** Whether a key is meant for the disc: not while somebody types, and not where it means something else. */
  function isOurs(name: string): boolean {
    const focused = document.activeElement;
    if (focused === canvas) return true;
    if (focused instanceof HTMLInputElement && focused.type !== "checkbox") return false;
    const free = focused === null || focused === document.body;
    if (name === "Enter") return free;
    if (name === "Home" || name.startsWith("Arrow")) return (free || painter.stage.contains(focused)) && !scrolls();
    return true;
  }

  function key(name: string, step: number): boolean {
    const arrows: Record<string, Point> = {
      ArrowLeft: [step, 0],
      ArrowRight: [-step, 0],
      ArrowUp: [0, -step],
      ArrowDown: [0, step],
    };
    const middle: Point = [view.width / 2, view.height / 2];
    if (arrows[name]) view.nudge(...arrows[name]);
    else if (name === "+" || name === "=") view.zoomAt(middle, 1.25);
    else if (name === "-" || name === "_") view.zoomAt(middle, 0.8);
    else if (name === "0" || name === "Home") motion.home();
    else if (name === "n" || name === "p") step_node(name === "n" ? 1 : -1);
    else if (name === "Enter" && state.selected !== null) motion.center(pointOf(state, state.selected));
    else if (name === "Escape") choose(null);
    else return false;
    painter.moved();
    return true;
  }

  function choose(node: number | null): void {
    state.selected = node;
    state.changed();
  }

  /** The next node in the order of degrees, the hub first; hidden ones are passed over. */
  function step_node(by: 1 | -1): void {
    const { order } = painter.look;
    const last = order.length - 1;
    let place = state.selected === null ? (by > 0 ? order.length : -1) : order.indexOf(state.selected);
    for (let tries = 0; tries <= last; tries++) {
      place = (place - by + order.length) % order.length;
      if (state.isShown(order[place]!)) return choose(order[place]!);
    }
  }
}

export function pointOf(state: State, node: number): Point {
  const points = state.frame === null ? state.scene.points : state.scene.film[state.frame]!.points;
  return [points[2 * node]!, points[2 * node + 1]!];
}
