// Legend: colours and sizes of the classes, with a check box for the visibility of each.

import { element, isolated } from "../element";
import { colorOf, shapeOf } from "../node_style";
import { NONE, type Scene } from "../scene";
import type { State } from "../state";
import { formatCount, pluralize, escapeInvisible, truncate } from "../text";

export const COLORING_NAMES = { community: "Community", label: "Ground truth", prediction: "Prediction" } as const;
const PLURALS = { community: "communities", label: "ground-truth classes", prediction: "predictions" } as const;

/** Printed legend: rows per column, and total in three columns; further rows are counted. */
const PRINTED_ROWS = 14;
const MAX_PRINTED = 3 * PRINTED_ROWS;

export function legend(state: State, center: (community: number) => void): HTMLElement {
  const list = element("ul", { class: "legend" });
  const all = element("button", { type: "button", class: "link" }, "all");
  const none = element("button", { type: "button", class: "link" }, "none");
  const title = element("h2", {});
  const head = element("div", { class: "head" }, title, element("span", { class: "links" }, all, none));
  const colors = coloringSelector(state);
  const box = element("section", { "aria-label": "Colours" }, colors, head, list);
  const setAll = (on: boolean) => {
    state.visible[state.coloring]!.fill(on);
    state.notify();
  };
  all.addEventListener("click", () => setAll(true));
  none.addEventListener("click", () => setAll(false));

  let built = "";
  let boxes: HTMLInputElement[] = [];
  const build = (): void => {
    const coloring = state.active;
    title.textContent = COLORING_NAMES[coloring.key];
    all.setAttribute("aria-label", `show all ${PLURALS[coloring.key]}`);
    none.setAttribute("aria-label", `show none of the ${PLURALS[coloring.key]}`);
    boxes = [];
    const order = coloring.classes.map((_, k) => k).filter((k) => coloring.classes[k]!.size > 0);
    order.sort((a, b) => coloring.classes[b]!.size - coloring.classes[a]!.size);
    const maxSize = Math.max(1, ...order.map((k) => coloring.classes[k]!.size));
    const rows = order.map((k) => row(state, k, maxSize, center, boxes));
    const without = coloring.nodeClasses.reduce((sum, of) => sum + (of === NONE ? 1 : 0), 0);
    if (without > 0) rows.push(row(state, NONE, maxSize, center, boxes, without));
    rows.slice(MAX_PRINTED).forEach((extra) => extra.classList.add("unprinted"));
    if (rows.length > MAX_PRINTED) rows.push(element("li", { class: "printed" }, `and ${formatCount(rows.length - MAX_PRINTED)} more`));
    list.style.setProperty("--columns", String(Math.ceil(Math.min(rows.length, MAX_PRINTED) / PRINTED_ROWS)));
    list.replaceChildren(...rows);
    built = current();
  };
  const current = () => `${state.coloring} ${state.paletteVersion}`;
  const update = (): void => {
    if (built !== current()) build();
    const visible = state.visible[state.coloring]!;
    for (const input of boxes) {
      const at = Number(input.value);
      input.checked = visible[at]!;
      input.closest("li")!.classList.toggle("off", !visible[at]!);
    }
  };
  state.onChange(update);
  update();
  return box;
}

function row(
  state: State,
  k: number,
  maxSize: number,
  center: (community: number) => void,
  boxes: HTMLInputElement[],
  without = 0,
): HTMLElement {
  const coloring = state.active;
  const visible = state.visible[state.coloring]!;
  const index = k === NONE ? visible.length - 1 : k;
  const info = k === NONE ? { name: "no label", size: without, rank: -1 } : coloring.classes[k]!;
  const input = element("input", { type: "checkbox", value: index, "data-class": index });
  input.addEventListener("change", () => {
    visible[index] = input.checked;
    state.notify();
  });
  boxes.push(input);
  const style = k === NONE ? "grey circle" : styleName(state.scene, info.rank);
  const bar = element("span", { class: "bar", "aria-hidden": "true" });
  bar.style.width = `${(100 * info.size) / maxSize}%`;
  bar.style.background = k === NONE ? state.scene.palette.none : colorOf(state.scene, info.rank);
  const label = element(
    "label",
    { title: escapeInvisible(info.name).slice(0, 200) },
    input,
    swatch(state.scene, info.rank),
    isolated(truncate(info.name, 40), "name"),
    element("span", { class: "visually-hidden" }, `, ${style}, `),
    element("span", { class: "size" }, formatCount(info.size)),
    element("span", { class: "visually-hidden" }, info.size === 1 ? " node" : " nodes"),
    bar,
  );
  const only = element("button", { type: "button", class: "link only", "aria-label": `only ${truncate(info.name, 40)}` }, "only");
  only.addEventListener("click", () => {
    visible.fill(false);
    visible[index] = true;
    state.notify();
  });
  const parts: HTMLElement[] = [label, only];
  if (coloring.key === "community" && k !== NONE) {
    const go = element("button", { type: "button", class: "link", "aria-label": `centre community ${truncate(info.name, 40)}`, title: "centre" }, "◎");
    go.addEventListener("click", () => center(k));
    parts.push(go);
  }
  return element("li", {}, ...parts);
}

/** Colour and shape as text. */
export function styleName(scene: Scene, rank: number): string {
  return `${scene.palette.names[rank % scene.palette.names.length]} ${scene.shapes[shapeOf(scene, rank)]}`;
}

export function swatch(scene: Scene, rank: number): HTMLElement {
  const shape = rank < 0 ? "circle" : scene.shapes[shapeOf(scene, rank)]!;
  const made = element("span", { class: `swatch ${shape}`, "aria-hidden": "true" });
  made.style.background = rank < 0 ? scene.palette.none : colorOf(scene, rank);
  return made;
}

/** Selector of the colouring: community, ground truth or prediction. */
function coloringSelector(state: State): HTMLElement | null {
  if (state.scene.colorings.length < 2) return null;
  const choices = state.scene.colorings.map((coloring, at) => {
    const input = element("input", { type: "radio", name: "coloring", value: at, checked: at === state.coloring });
    input.addEventListener("change", () => {
      state.coloring = at;
      state.notify();
    });
    const title = `colour by ${COLORING_NAMES[coloring.key].toLowerCase()}, ${pluralize(coloring.classes.length, "class", "classes")}`;
    return element("label", { title }, input, element("span", {}, COLORING_NAMES[coloring.key]));
  });
  return element("div", { class: "segments", role: "radiogroup", "aria-label": "Colour by" }, ...choices);
}
