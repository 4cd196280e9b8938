// Reading guide: the meaning of points, colours, sizes, opacity and contours.

import { element } from "../element";
import type { State } from "../state";
import { COLORING_NAMES } from "./legend";

export function readingGuide(state: State): HTMLElement {
  const { scene } = state;
  const colors = document.createTextNode("");
  const rows: [string, string | Text][] = [
    ["node", "a point is a node; nearby nodes co-occur on random walks"],
    ["colors", colors],
  ];
  if (scene.degrees) rows.push(["sizes", "size: number of neighbours"]);
  if (scene.gaussians.length > 1) rows.push(["opacity", "opacity: probability of the community"]);
  rows.push(["half", "solid circle: 50 % of the community’s mass"], ["most", "dashed circle: 90 % of it"]);
  const items = rows.map(([icon, text]) => element("li", {}, element("span", { class: `icon ${icon}`, "aria-hidden": "true" }), text));
  const update = (): void => void (colors.data = `colour: ${COLORING_NAMES[state.active.key].toLowerCase()}`);
  state.onChange(update);
  update();
  return element("section", { "aria-label": "Reading guide" }, element("h2", {}, "Reading guide"), element("ul", { class: "guide" }, ...items));
}
