// Scores of the communities with their descriptions.

import { element } from "../element";
import type { Scene } from "../scene";

export function scores(scene: Scene): HTMLElement | null {
  if (scene.scores.length === 0) return null;
  const rows = scene.scores.map(({ name, value, description }) =>
    element("div", { class: "score", title: description }, element("dt", {}, name), element("dd", {}, value.toFixed(3)), element("dd", { class: "description" }, description)),
  );
  return element("section", { "aria-label": "Scores" }, element("h2", {}, "Scores"), element("dl", { class: "scores" }, ...rows));
}
