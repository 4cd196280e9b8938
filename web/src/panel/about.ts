// Notes on the visualization, metadata of the run, and help on mouse, keyboard and gestures.

import { element } from "../element";
import type { Scene } from "../scene";
import { formatCount } from "../text";
import { isTouchDevice } from "../touch";

const KEYS: readonly [string, string][] = [
  ["drag, arrow keys", "move the plane"],
  ["wheel, + −", "zoom"],
  ["double click, Enter", "centre"],
  ["n, p", "next and previous hub"],
  ["0, Home", "reset the view"],
  ["/", "search for a node"],
  ["Shift + drag", "pan"],
];

const GESTURES: readonly [string, string][] = [
  ["drag", "move the plane"],
  ["pinch", "zoom"],
  ["tap", "select a node"],
  ["double tap", "centre"],
  ["two fingers", "pan"],
];

export function about(scene: Scene): HTMLElement {
  const format = (value: string) => (/^\d{4,15}$/.test(value) ? formatCount(Number(value)) : value);
  const notes = scene.notes.map((note) => element("li", {}, note[0]!.toUpperCase() + note.slice(1) + "."));
  return element(
    "section",
    { "aria-label": "About" },
    notes.length > 0 ? element("ul", { class: "notes" }, ...notes) : null,
    collapsible("About this run", scene.metadata.map(([name, value]) => [name, format(value)])),
    isTouchDevice ? collapsible("Gestures", GESTURES) : collapsible("Mouse and keyboard", KEYS),
    element("p", { class: "muted program" }, `Distances are hyperbolic: they grow without bound towards the boundary of the disc. Created by ${scene.program}.`),
  );
}

function collapsible(title: string, rows: readonly (readonly [string, string])[]): HTMLElement {
  const list = rows.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value)));
  return element("details", {}, element("summary", {}, title), element("dl", { class: "metadata" }, ...list));
}
