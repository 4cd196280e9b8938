// Node card: name, classes, degree, community probabilities and neighbours of a node.

import { element, isolated } from "../element";
import { colorOf } from "../node_style";
import { NONE } from "../scene";
import type { State } from "../state";
import { isTouchDevice } from "../touch";
import { formatCount, formatPercent, escapeInvisible, truncate } from "../text";
import { COLORING_NAMES, swatch } from "./legend";

/** Number of neighbours that are listed initially. */
const MAX_LISTED = 30;

export function nodeCard(state: State, select: (node: number) => void): HTMLElement {
  const box = element("section", { class: "card", "aria-label": "Node" });
  let last = "";
  const update = (): void => {
    const node = state.focus;
    const current = `${node} ${state.paletteVersion}`;
    if (current === last) return;
    last = current;
    box.replaceChildren(...(node === null ? [hint()] : describe(state, node, select)));
    box.classList.toggle("empty", node === null);
  };
  state.onChange(update);
  state.onHover(update);
  update();
  return box;
}

function hint(): HTMLElement {
  const text = isTouchDevice
    ? "Tap a node to show its details. Double tap to centre it."
    : "Hover over a node for details, click to select it, double click to centre it.";
  return element("p", { class: "muted" }, text);
}

function describe(state: State, node: number, select: (node: number) => void): HTMLElement[] {
  const { scene } = state;
  const parts: HTMLElement[] = [isolated(escapeInvisible(scene.name(node)), "title")];
  const details = element("dl", {});
  const detail = (name: string, ...value: (Node | string)[]) =>
    details.append(element("dt", {}, name), element("dd", {}, ...value));
  for (const coloring of scene.colorings.slice(1)) {
    const kind = COLORING_NAMES[coloring.key].toLowerCase();
    const names = classesOf(coloring, node).map((k) => coloring.classes[k]!);
    if (names.length === 0) detail(kind, "none");
    else detail(kind, ...names.flatMap((info) => [swatch(scene, info.rank), isolated(truncate(info.name, 60), "value")]));
  }
  if (scene.degrees) detail("degree", formatCount(scene.degrees[node]!));
  parts.push(details, probabilities(state, node));
  if (scene.edges) parts.push(neighborList(state, node, select));
  return parts;
}

function classesOf(coloring: State["active"], node: number): number[] {
  if (coloring.multiLabels) {
    return Array.from(coloring.multiLabels.classes.subarray(coloring.multiLabels.offsets[node]!, coloring.multiLabels.offsets[node + 1]!));
  }
  const of = coloring.nodeClasses[node]!;
  return of === NONE ? [] : [of];
}

/** Community probabilities as bars with numbers. */
function probabilities(state: State, node: number): HTMLElement {
  const { memberships, colorings } = state.scene;
  const rows: HTMLElement[] = [];
  for (let i = 0; i < memberships.top; i++) {
    const at = node * memberships.top + i;
    const info = colorings[0]!.classes[memberships.communities[at]!]!;
    const share = memberships.probabilities[at]!;
    if (i > 0 && share < 0.0005) break;
    const bar = element("span", { class: "bar", "aria-hidden": "true" });
    bar.style.width = `${100 * share}%`;
    bar.style.background = colorOf(state.scene, info.rank);
    rows.push(
      element("li", {}, swatch(state.scene, info.rank), `community ${info.name}`, element("span", { class: "size" }, formatPercent(share)), bar),
    );
  }
  return element("ul", { class: "probabilities", "aria-label": "Community probabilities" }, ...rows);
}

function neighborList(state: State, node: number, select: (node: number) => void): HTMLElement {
  const neighbors = state.neighbors(node);
  const degree = state.scene.degrees?.[node] ?? neighbors.length;
  const degrees = state.scene.degrees;
  const order = Array.from(neighbors);
  if (degrees) order.sort((a, b) => degrees[b]! - degrees[a]!);
  const chip = (other: number): HTMLElement => {
    const link = element("button", { type: "button", class: "chip" }, isolated(truncate(state.scene.name(other), 18), "name"));
    link.addEventListener("click", () => select(other));
    return link;
  };
  const chips = element("div", { class: "chips" }, ...order.slice(0, MAX_LISTED).map(chip));
  if (order.length > MAX_LISTED) {
    const rest = element("button", { type: "button", class: "link" }, `and ${formatCount(order.length - MAX_LISTED)} more`);
    rest.addEventListener("click", () => rest.replaceWith(...order.slice(MAX_LISTED).map(chip)));
    chips.append(rest);
  }
  const hidden = degree - neighbors.length;
  const note = hidden > 0 ? ` (${formatCount(neighbors.length)} listed: the graph has too many edges to include all)` : "";
  return element(
    "details",
    { open: degree <= 12 },
    element("summary", {}, `${formatCount(degree)} ${degree === 1 ? "neighbour" : "neighbours"}${note}`),
    chips,
  );
}
