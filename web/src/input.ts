// Pointer, wheel and keyboard input.

import { element } from "./element";
import type { Point } from "./mobius";
import type { ViewTransition } from "./view_transition";
import type { Painter } from "./painter";
import { communityAt, nodeAt } from "./hit_test";
import type { State } from "./state";
import type { View } from "./view";

/** Maximum movement of a click in pixels. */
const CLICK_TOLERANCE = 5;

/** Hyperbolic length of a step with an arrow key. */
const STEP = 0.18;

/** Milliseconds after a click or the last wheel event during which the wheel zooms without Ctrl. */
const WHEEL_CAPTURE_TIME = 5000;

/** Milliseconds for which the hint on zooming is shown. */
const HINT_TIME = 1500;

/** Maximum interval in milliseconds and distance in pixels of the taps of a double tap. */
const DOUBLE_TAP_TIME = 350;
const DOUBLE_TAP_DISTANCE = 30;

export function bindInput(view: View, state: State, painter: Painter, transition: ViewTransition): void {
  const canvas = painter.overlay.canvas;
  const pointers = new Map<number, Point>();
  let distanceMoved = 0;
  let tap: { at: Point; time: number } | null = null;

  const pixel = (event: MouseEvent): Point => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const nodeUnder = (at: Point) => nodeAt(at, view, painter.styles, painter.positions);
  // Mice may report more often than frames are drawn; only the last position before each frame is looked up.
  let pointerPosition: Point | null = null;
  let pendingLookup = 0;
  const requestHover = (at: Point): void => {
    pointerPosition = at;
    pendingLookup ||= requestAnimationFrame(() => {
      pendingLookup = 0;
      if (pointerPosition) state.hover(nodeUnder(pointerPosition));
    });
  };
  const leave = (): void => {
    pointerPosition = null;
    state.hover(null);
  };

  // In a frame, as in a notebook, the wheel scrolls the surrounding page, unless the disc was clicked or Ctrl is held.
  let lastEngaged = -Infinity;
  const isEngaged = () => performance.now() - lastEngaged < WHEEL_CAPTURE_TIME;
  const disengage = (): void => void (lastEngaged = -Infinity);
  window.addEventListener("blur", disengage);
  const hint = element("p", { class: "hint", "aria-hidden": "true" }, `${/Mac|iP(hone|ad|od)/.test(navigator.platform) ? "⌘" : "Ctrl"} + scroll to zoom`);
  let hintTimer = 0;
  painter.stage.append(hint);
  const showHint = (): void => {
    clearTimeout(hintTimer);
    hint.classList.add("visible");
    hintTimer = window.setTimeout(() => hint.classList.remove("visible"), HINT_TIME);
  };
  const scrolls = () => document.documentElement.scrollHeight > innerHeight + 1;

  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    lastEngaged = performance.now();
    pointers.set(event.pointerId, pixel(event));
    if (pointers.size === 1) distanceMoved = 0;
    transition.stop();
  });

  canvas.addEventListener("pointermove", (event) => {
    const to = pixel(event);
    const from = pointers.get(event.pointerId);
    if (!from) {
      if (event.pointerType === "mouse") requestHover(to);
      return;
    }
    distanceMoved += Math.hypot(to[0] - from[0], to[1] - from[1]);
    if (pointers.size === 1 && distanceMoved > CLICK_TOLERANCE) {
      leave();
      canvas.classList.add("dragged");
      if (event.shiftKey) view.pan(to[0] - from[0], to[1] - from[1]);
      else view.drag(from, to);
      painter.moved();
    } else if (pointers.size === 2) {
      pinch(event.pointerId, from, to);
    }
    pointers.set(event.pointerId, to);
  });

  /** Two pointers: their midpoint pans, their distance zooms. */
  function pinch(moving: number, from: Point, to: Point): void {
    const other = [...pointers].find(([id]) => id !== moving)![1];
    const before = Math.hypot(from[0] - other[0], from[1] - other[1]);
    const after = Math.hypot(to[0] - other[0], to[1] - other[1]);
    view.pan((to[0] - from[0]) / 2, (to[1] - from[1]) / 2);
    if (before > 0) view.zoomAt([(to[0] + other[0]) / 2, (to[1] + other[1]) / 2], after / before);
    painter.moved();
  }

  function click(at: Point): void {
    const now = performance.now();
    const double = tap && now - tap.time < DOUBLE_TAP_TIME && Math.hypot(at[0] - tap.at[0], at[1] - tap.at[1]) < DOUBLE_TAP_DISTANCE;
    if (double) {
      tap = null;
      centerAt(at);
    } else {
      tap = { at, time: now };
      state.selected = nodeUnder(at);
      state.notify();
    }
  }

  /** Double click: centres the node at a pixel, otherwise the community, otherwise the point. */
  function centerAt(at: Point): void {
    const node = nodeUnder(at);
    const community = communityAt(at, view, state);
    const point = view.toPlane(at);
    if (node !== null) {
      state.selected = node;
      transition.center(pointOf(state, node));
    } else if (community !== null) {
      transition.center(state.gaussians[community]!.mean);
    } else if (point) {
      transition.center(point);
    }
    state.notify();
  }

  const onRelease = (event: PointerEvent): void => {
    const at = pointers.get(event.pointerId);
    pointers.delete(event.pointerId);
    canvas.classList.remove("dragged");
    if (at && event.type === "pointerup" && pointers.size === 0 && distanceMoved <= CLICK_TOLERANCE) click(pixel(event));
  };
  canvas.addEventListener("pointerup", onRelease);
  canvas.addEventListener("pointercancel", onRelease);
  canvas.addEventListener("pointerleave", () => {
    leave();
    disengage();
  });

  canvas.addEventListener(
    "wheel",
    (event) => {
      if (isEngaged()) lastEngaged = performance.now();
      else if (!event.ctrlKey && !event.metaKey && (window.parent !== window || scrolls())) return showHint();
      event.preventDefault();
      transition.stop();
      const lines = event.deltaMode === 1 ? 18 : 1;
      view.zoomAt(pixel(event), Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.0016)));
      painter.moved();
    },
    { passive: false },
  );

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || !isForDisc(event.key)) return;
    if (key(event.key, event.shiftKey ? 4 * STEP : STEP)) event.preventDefault();
  });

  /** Whether a key controls the disc: not in text fields, and not where it has another function. */
  function isForDisc(name: string): boolean {
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
    else if (name === "0" || name === "Home") transition.reset();
    else if (name === "n" || name === "p") stepNode(name === "n" ? 1 : -1);
    else if (name === "Enter" && state.selected !== null) transition.center(pointOf(state, state.selected));
    else if (name === "Escape") select(null);
    else return false;
    painter.moved();
    return true;
  }

  function select(node: number | null): void {
    state.selected = node;
    state.notify();
  }

  /** Selects the next visible node by descending degree. */
  function stepNode(by: 1 | -1): void {
    const { order } = painter.styles;
    const last = order.length - 1;
    let index = state.selected === null ? (by > 0 ? order.length : -1) : order.indexOf(state.selected);
    for (let tries = 0; tries <= last; tries++) {
      index = (index - by + order.length) % order.length;
      if (state.isVisible(order[index]!)) return select(order[index]!);
    }
  }
}

export function pointOf(state: State, node: number): Point {
  const points = state.animationFrame === null ? state.scene.points : state.scene.animation[state.animationFrame]!.points;
  return [points[2 * node]!, points[2 * node + 1]!];
}
