// How to read the picture: what a point is, and what its colour, size and opacity and the circles mean.

import { element } from "../element";
import type { State } from "../state";

export function key(state: State): HTMLElement {
  const { scene } = state;
  const rows: [string, string][] = [
    ["node", "a point is a node; near points often meet on random walks"],
    ["colours", ""],
  ];
  if (scene.degrees) rows.push(["sizes", "larger: more neighbours"]);
  if (scene.gaussians.length > 1) rows.push(["pale", "pale: its community is unsure"]);
  rows.push(["half", "solid circle: half of the community’s mass"], ["most", "dashed circle: 90 % of it"]);
  const items = rows.map(([icon, words]) => element("li", {}, element("span", { class: `icon ${icon}`, "aria-hidden": "true" }), words));
  const colors = items[1]!.appendChild(document.createTextNode(""));
  const update = (): void => void (colors.data = `colour: ${state.active.key}`);
  state.listen(update);
  update();
  return element("section", { "aria-label": "Key" }, element("h2", {}, "How to read the picture"), element("ul", { class: "key" }, ...items));
}
