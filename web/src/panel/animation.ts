// Player of the training animation.

import { element } from "../element";
import type { Painter } from "../painter";
import type { State } from "../state";

/** Milliseconds per epoch. */
const EPOCH_DURATION = 260;

export function animationPlayer(state: State, painter: Painter): HTMLElement | null {
  const frames = state.scene.animation;
  if (frames.length === 0) return null;
  const last = frames.length - 1;
  const slider = element("input", { type: "range", min: 0, max: last, step: 0.01, value: last, "aria-label": "Training epoch" });
  const play = element("button", { type: "button", class: "tool", "aria-label": "Play the training animation" }, "▶");
  const label = element("output", { class: "epoch" });
  const interpolated = new Float64Array(state.scene.points.length);
  let playing = 0;
  let startTime = 0;

  const show = (time: number): void => {
    const at = Math.min(last, Math.floor(time));
    const fraction = Math.min(1, time - at);
    label.textContent = `epoch ${frames[at]!.epoch} of ${frames[last]!.epoch}`;
    slider.setAttribute("aria-valuetext", label.textContent);
    const previous = state.animationFrame;
    state.animationFrame = time >= last ? null : at;
    const [from, to] = [frames[at]!.points, frames[Math.min(last, at + 1)]!.points];
    for (let i = 0; i < interpolated.length; i++) interpolated[i] = from[i]! + fraction * (to[i]! - from[i]!);
    painter.show(time >= last ? state.scene.points : interpolated);
    if (previous !== state.animationFrame) state.notify();
  };
  const stop = (): void => {
    cancelAnimationFrame(playing);
    playing = 0;
    play.textContent = "▶";
    play.setAttribute("aria-label", "Play the training animation");
  };
  const tick = (now: number): void => {
    // The timestamp of a frame may precede the click that started the animation.
    const time = Math.min(last, Math.max(0, (now - startTime) / EPOCH_DURATION));
    slider.value = String(time);
    show(time);
    if (time < last) playing = requestAnimationFrame(tick);
    else stop();
  };
  play.addEventListener("click", () => {
    if (playing) return stop();
    const from = Number(slider.value) >= last ? 0 : Number(slider.value);
    startTime = performance.now() - from * EPOCH_DURATION;
    play.textContent = "❚❚";
    play.setAttribute("aria-label", "Pause the training animation");
    playing = requestAnimationFrame(tick);
  });
  slider.addEventListener("input", () => {
    stop();
    show(Number(slider.value));
  });
  label.textContent = `epoch ${frames[last]!.epoch} of ${frames[last]!.epoch}`;
  return element("div", { class: "animation" }, play, slider, label);
}
