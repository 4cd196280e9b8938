// The training as a film.

import { element } from "../element";
import type { Painter } from "../painter";
import type { State } from "../state";

/** Milliseconds from one epoch to the next. */
const FRAME = 260;

export function film(state: State, painter: Painter): HTMLElement | null {
  const frames = state.scene.film;
  if (frames.length === 0) return null;
  const last = frames.length - 1;
  const slider = element("input", { type: "range", min: 0, max: last, step: 0.01, value: last, "aria-label": "Epoch of the training" });
  const play = element("button", { type: "button", class: "tool", "aria-label": "Play the training" }, "▶");
  const words = element("output", { class: "epoch" });
  const between = new Float64Array(state.scene.points.length);
  let playing = 0;
  let began = 0;

  const show = (time: number): void => {
    const at = Math.min(last, Math.floor(time));
    const share = Math.min(1, time - at);
    words.textContent = `epoch ${frames[at]!.epoch} of ${frames[last]!.epoch}`;
    slider.setAttribute("aria-valuetext", words.textContent);
    const whole = state.frame;
    state.frame = time >= last ? null : at;
    const [from, to] = [frames[at]!.points, frames[Math.min(last, at + 1)]!.points];
    for (let i = 0; i < between.length; i++) between[i] = from[i]! + share * (to[i]! - from[i]!);
    painter.show(time >= last ? state.scene.points : between);
    if (whole !== state.frame) state.changed();
  };
  const stop = (): void => {
    cancelAnimationFrame(playing);
    playing = 0;
    play.textContent = "▶";
    play.setAttribute("aria-label", "Play the training");
  };
  const tick = (now: number): void => {
    // A frame's time may lie a little before the click that it follows.
    const time = Math.min(last, Math.max(0, (now - began) / FRAME));
    slider.value = String(time);
    show(time);
    if (time < last) playing = requestAnimationFrame(tick);
    else stop();
  };
  play.addEventListener("click", () => {
    if (playing) return stop();
    const from = Number(slider.value) >= last ? 0 : Number(slider.value);
    began = performance.now() - from * FRAME;
    play.textContent = "❚❚";
    play.setAttribute("aria-label", "Pause the film");
    playing = requestAnimationFrame(tick);
  });
  slider.addEventListener("input", () => {
    stop();
    show(Number(slider.value));
  });
  words.textContent = `epoch ${frames[last]!.epoch} of ${frames[last]!.epoch}`;
  return element("div", { class: "film" }, play, slider, words);
}
