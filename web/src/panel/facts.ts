// What is shown, how good it is, and what one should know about it.

import { element } from "../element";
import type { Scene } from "../scene";
import type { State, Switch } from "../state";
import { count } from "../text";
import { touch } from "../touch";

const SWITCHES: readonly [Switch, string, string][] = [
  ["edges", "Edges", "edges as geodesics, the straight lines of this plane"],
  ["contours", "Contours", "communities as circles around their barycenters that hold half and nine tenths of their mass"],
  ["names", "Names", "names of hubs, as many as have room"],
  ["degree", "Size by degree", "nodes with more neighbours are larger"],
  ["fade", "Fade unsure", "nodes whose community is less probable are fainter"],
  ["regions", "Regions", "the class that the model gives to every place"],
  ["grid", "Grid", "circles at distance 1, 2, 3, … from the middle of the graph"],
];

export function switches(state: State): HTMLElement {
  const { scene } = state;
  const possible: Record<Switch, boolean> = {
    edges: scene.edges !== null,
    contours: true,
    names: true,
    grid: true,
    degree: scene.degrees !== null,
    fade: scene.gaussians.length > 1,
    regions: scene.regions !== null,
  };
  const rows = SWITCHES.filter(([key]) => possible[key]).map(([key, name, words]) => {
    const input = element("input", { type: "checkbox", checked: state.on[key], "data-switch": key });
    input.addEventListener("change", () => {
      state.on[key] = input.checked;
      state.changed();
    });
    return element("label", { title: words }, input, name);
  });
  return element("section", { "aria-label": "Shown" }, element("h2", {}, "Show"), element("div", { class: "switches" }, ...rows));
}

export function scores(scene: Scene): HTMLElement | null {
  if (scene.scores.length === 0) return null;
  const rows = scene.scores.map(({ name, value, words }) =>
    element("div", { class: "score", title: words }, element("dt", {}, name), element("dd", {}, value.toFixed(3)), element("dd", { class: "meaning" }, words)),
  );
  return element("section", { "aria-label": "Scores" }, element("h2", {}, "Scores"), element("dl", { class: "scores" }, ...rows));
}

const KEYS: readonly [string, string][] = [
  ["drag, arrow keys", "move the plane"],
  ["wheel, + −", "zoom"],
  ["double click, Enter", "bring to the centre"],
  ["n, p", "next and previous hub"],
  ["0, Home", "go home"],
  ["/", "find a node"],
  ["Shift + drag", "shift the picture"],
];

const GESTURES: readonly [string, string][] = [
  ["drag", "move the plane"],
  ["pinch", "zoom"],
  ["tap", "choose a node"],
  ["double tap", "bring to the centre"],
  ["two fingers", "shift the picture"],
];

export function about(scene: Scene): HTMLElement {
  const rows = scene.facts.map(([name, value]) =>
    element("div", {}, element("dt", {}, name), element("dd", {}, /^\d{4,15}$/.test(value) ? count(Number(value)) : value)),
  );
  const notes = scene.notes.map((note) => element("li", {}, note[0]!.toUpperCase() + note.slice(1) + "."));
  return element(
    "section",
    { "aria-label": "About" },
    notes.length > 0 ? element("ul", { class: "notes" }, ...notes) : null,
    element("details", {}, element("summary", {}, "About this run"), element("dl", { class: "facts" }, ...rows)),
    element(
      "details",
      {},
      element("summary", {}, touch ? "Gestures" : "Mouse and keys"),
      element("dl", { class: "facts" }, ...(touch ? GESTURES : KEYS).map(([key, act]) => element("div", {}, element("dt", {}, key), element("dd", {}, act)))),
    ),
    element("p", { class: "faint made" }, `Distances in the disc are hyperbolic: they grow without bound towards its rim. Made by ${scene.program}.`),
  );
}
