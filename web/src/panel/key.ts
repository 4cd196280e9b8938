// How to read the picture: what a point is, and what its colour, size and opacity and the circles mean.

import { element } from "../element";
import type { Scene } from "../scene";

export function key(scene: Scene): HTMLElement {
  const rows: [string, string][] = [
    ["node", "a point is a node; near points often meet on random walks"],
    ["colours", "colour: community"],
  ];
  if (scene.degrees) rows.push(["sizes", "larger: more neighbours"]);
  if (scene.gaussians.length > 1) rows.push(["pale", "pale: its community is unsure"]);
  rows.push(["half", "solid circle: half of the community’s mass"], ["most", "dashed circle: 90 % of it"]);
  const items = rows.map(([icon, words]) => element("li", {}, element("span", { class: `icon ${icon}`, "aria-hidden": "true" }), words));
  return element("section", { "aria-label": "Key" }, element("h2", {}, "How to read the picture"), element("ul", { class: "key" }, ...items));
}
