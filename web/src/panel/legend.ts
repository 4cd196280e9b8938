// The legend: what colours mean, how many nodes wear them, and a switch for each.

import { element, named } from "../element";
import { colorOf, shapeOf } from "../look";
import { NONE, type Scene } from "../scene";
import type { State } from "../state";
import { count, counted, printable, short } from "../text";

const KINDS = { community: "Community", label: "Label", prediction: "Prediction" } as const;
const PLURALS = { community: "communities", label: "labels", prediction: "predictions" } as const;

export function legend(state: State, center: (community: number) => void): HTMLElement {
  const list = element("ul", { class: "legend" });
  const all = element("button", { type: "button", class: "link" }, "all");
  const none = element("button", { type: "button", class: "link" }, "none");
  const title = element("h2", {});
  const head = element("div", { class: "head" }, title, element("span", { class: "links" }, all, none));
  const colors = switcher(state);
  const box = element("section", { "aria-label": "Colours" }, colors, head, list);
  const setAll = (on: boolean) => {
    state.shown[state.coloring]!.fill(on);
    state.changed();
  };
  all.addEventListener("click", () => setAll(true));
  none.addEventListener("click", () => setAll(false));

  let built = "";
  let boxes: HTMLInputElement[] = [];
  const build = (): void => {
    const coloring = state.active;
    title.textContent = KINDS[coloring.key];
    all.setAttribute("aria-label", `show all ${PLURALS[coloring.key]}`);
    none.setAttribute("aria-label", `none of the ${PLURALS[coloring.key]}`);
    boxes = [];
    const order = coloring.classes.map((_, k) => k).filter((k) => coloring.classes[k]!.size > 0);
    order.sort((a, b) => coloring.classes[b]!.size - coloring.classes[a]!.size);
    const most = Math.max(1, ...order.map((k) => coloring.classes[k]!.size));
    const rows = order.map((k) => row(state, k, most, center, boxes));
    const without = coloring.ofNodes.reduce((sum, of) => sum + (of === NONE ? 1 : 0), 0);
    if (without > 0) rows.push(row(state, NONE, most, center, boxes, without));
    list.replaceChildren(...rows);
    built = current();
  };
  const current = () => `${state.coloring} ${state.repaints}`;
  const update = (): void => {
    if (built !== current()) build();
    const shown = state.shown[state.coloring]!;
    for (const input of boxes) {
      const at = Number(input.value);
      input.checked = shown[at]!;
      input.closest("li")!.classList.toggle("off", !shown[at]!);
    }
  };
  state.listen(update);
  update();
  return box;
}

function row(
  state: State,
  k: number,
  most: number,
  center: (community: number) => void,
  boxes: HTMLInputElement[],
  without = 0,
): HTMLElement {
  const coloring = state.active;
  const shown = state.shown[state.coloring]!;
  const place = k === NONE ? shown.length - 1 : k;
  const info = k === NONE ? { name: "no label", size: without, rank: -1 } : coloring.classes[k]!;
  const input = element("input", { type: "checkbox", value: place, "data-class": place });
  input.addEventListener("change", () => {
    shown[place] = input.checked;
    state.changed();
  });
  boxes.push(input);
  const look = k === NONE ? "grey circle" : lookName(state.scene, info.rank);
  const bar = element("span", { class: "bar", "aria-hidden": "true" });
  bar.style.width = `${(100 * info.size) / most}%`;
  bar.style.background = k === NONE ? state.scene.palette.none : colorOf(state.scene, info.rank);
  const label = element(
    "label",
    { title: printable(info.name).slice(0, 200) },
    input,
    swatch(state.scene, info.rank),
    named(short(info.name, 40), "name"),
    element("span", { class: "unseen" }, `, ${look}, `),
    element("span", { class: "size" }, count(info.size)),
    element("span", { class: "unseen" }, info.size === 1 ? " node" : " nodes"),
    bar,
  );
  const only = element("button", { type: "button", class: "link only", "aria-label": `only ${short(info.name, 40)}` }, "only");
  only.addEventListener("click", () => {
    shown.fill(false);
    shown[place] = true;
    state.changed();
  });
  const parts: HTMLElement[] = [label, only];
  if (coloring.key === "community" && k !== NONE) {
    const go = element("button", { type: "button", class: "link", "aria-label": `bring community ${short(info.name, 40)} to the centre`, title: "to the centre" }, "◎");
    go.addEventListener("click", () => center(k));
    parts.push(go);
  }
  return element("li", {}, ...parts);
}

/** A colour and shape in words. */
export function lookName(scene: Scene, rank: number): string {
  return `${scene.palette.names[rank % scene.palette.names.length]} ${scene.shapes[shapeOf(scene, rank)]}`;
}

export function swatch(scene: Scene, rank: number): HTMLElement {
  const shape = rank < 0 ? "circle" : scene.shapes[shapeOf(scene, rank)]!;
  const made = element("span", { class: `swatch ${shape}`, "aria-hidden": "true" });
  made.style.background = rank < 0 ? scene.palette.none : colorOf(scene, rank);
  return made;
}

/** Colour by community, label or prediction. */
function switcher(state: State): HTMLElement | null {
  if (state.scene.colorings.length < 2) return null;
  const choices = state.scene.colorings.map((coloring, at) => {
    const input = element("input", { type: "radio", name: "coloring", value: at, checked: at === state.coloring });
    input.addEventListener("change", () => {
      state.coloring = at;
      state.changed();
    });
    const title = `colour by ${coloring.key}, ${counted(coloring.classes.length, coloring.key, PLURALS[coloring.key])}`;
    return element("label", { title }, input, element("span", {}, KINDS[coloring.key]));
  });
  return element("div", { class: "segments", role: "radiogroup", "aria-label": "Colour by" }, ...choices);
}
