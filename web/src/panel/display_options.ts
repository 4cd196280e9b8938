// Check boxes of the display options.

import { element } from "../element";
import type { DisplayOption, State } from "../state";

const DISPLAY_OPTIONS: readonly [DisplayOption, string, string][] = [
  ["edges", "Edges", "edges as geodesics, the straight lines of the hyperbolic plane"],
  ["contours", "Contours", "communities as circles around their barycenters that contain 50 % and 90 % of the mass"],
  ["names", "Names", "names of hubs, without overlaps"],
  ["degree", "Size by degree", "nodes with more neighbours are larger"],
  ["fade", "Fade uncertain", "nodes with a less probable community are more transparent"],
  ["regions", "Regions", "decision regions: the predicted class of every point"],
  ["grid", "Grid", "circles at hyperbolic distance 1, 2, 3, … from the initial centre"],
];

export function displayOptions(state: State): HTMLElement {
  const { scene } = state;
  const isAvailable: Record<DisplayOption, boolean> = {
    edges: scene.edges !== null,
    contours: true,
    names: true,
    grid: true,
    degree: scene.degrees !== null,
    fade: scene.gaussians.length > 1,
    regions: scene.regions !== null,
  };
  const rows = DISPLAY_OPTIONS.filter(([key]) => isAvailable[key]).map(([key, name, description]) => {
    const input = element("input", { type: "checkbox", checked: state.options[key], "data-option": key });
    input.addEventListener("change", () => {
      state.options[key] = input.checked;
      state.notify();
    });
    return element("label", { title: description }, input, name);
  });
  return element("section", { "aria-label": "Display" }, element("h2", {}, "Display"), element("div", { class: "options" }, ...rows));
}
