// What is known of one node.

import { element, named } from "../element";
import { colorOf } from "../look";
import { NONE } from "../scene";
import type { State } from "../state";
import { touch } from "../touch";
import { count, percent, printable, short } from "../text";
import { swatch } from "./legend";

/** Neighbours listed by name at first. */
const MOST_LISTED = 30;

export function card(state: State, go: (node: number) => void): HTMLElement {
  const box = element("section", { class: "card", "aria-label": "Node" });
  let last = "";
  const update = (): void => {
    const node = state.focus;
    const current = `${node} ${state.repaints}`;
    if (current === last) return;
    last = current;
    box.replaceChildren(...(node === null ? [hint()] : describe(state, node, go)));
    box.classList.toggle("empty", node === null);
  };
  state.listen(update);
  state.watchHover(update);
  update();
  return box;
}

function hint(): HTMLElement {
  const words = touch
    ? "Tap a node to see what is known about it. A double tap brings it to the centre."
    : "Point at a node, or click it to keep it. Double click brings it to the centre.";
  return element("p", { class: "faint" }, words);
}

function describe(state: State, node: number, go: (node: number) => void): HTMLElement[] {
  const { scene } = state;
  const parts: HTMLElement[] = [named(printable(scene.name(node)), "title")];
  const facts = element("dl", {});
  const fact = (name: string, ...value: (Node | string)[]) =>
    facts.append(element("dt", {}, name), element("dd", {}, ...value));
  for (const coloring of scene.colorings.slice(1)) {
    const names = classesOf(coloring, node).map((k) => coloring.classes[k]!);
    if (names.length === 0) fact(coloring.key, "none");
    else fact(coloring.key, ...names.flatMap((info) => [swatch(scene, info.rank), named(short(info.name, 60), "value")]));
  }
  if (scene.degrees) fact("degree", count(scene.degrees[node]!));
  parts.push(facts, chances(state, node));
  if (scene.edges) parts.push(neighborList(state, node, go));
  return parts;
}

function classesOf(coloring: State["active"], node: number): number[] {
  if (coloring.lists) {
    return Array.from(coloring.lists.classes.subarray(coloring.lists.starts[node]!, coloring.lists.starts[node + 1]!));
  }
  const of = coloring.ofNodes[node]!;
  return of === NONE ? [] : [of];
}

/** The probabilities of the communities, as bars with numbers. */
function chances(state: State, node: number): HTMLElement {
  const { members, colorings } = state.scene;
  const rows: HTMLElement[] = [];
  for (let i = 0; i < members.top; i++) {
    const at = node * members.top + i;
    const info = colorings[0]!.classes[members.communities[at]!]!;
    const share = members.probabilities[at]!;
    if (i > 0 && share < 0.0005) break;
    const bar = element("span", { class: "bar", "aria-hidden": "true" });
    bar.style.width = `${100 * share}%`;
    bar.style.background = colorOf(state.scene, info.rank);
    rows.push(
      element("li", {}, swatch(state.scene, info.rank), `community ${info.name}`, element("span", { class: "size" }, percent(share)), bar),
    );
  }
  return element("ul", { class: "chances", "aria-label": "Probabilities of communities" }, ...rows);
}

function neighborList(state: State, node: number, go: (node: number) => void): HTMLElement {
  const neighbors = state.neighbors(node);
  const degree = state.scene.degrees?.[node] ?? neighbors.length;
  const degrees = state.scene.degrees;
  const order = Array.from(neighbors);
  if (degrees) order.sort((a, b) => degrees[b]! - degrees[a]!);
  const chip = (other: number): HTMLElement => {
    const link = element("button", { type: "button", class: "chip" }, named(short(state.scene.name(other), 18), "name"));
    link.addEventListener("click", () => go(other));
    return link;
  };
  const chips = element("div", { class: "chips" }, ...order.slice(0, MOST_LISTED).map(chip));
  if (order.length > MOST_LISTED) {
    const rest = element("button", { type: "button", class: "link" }, `and ${count(order.length - MOST_LISTED)} more`);
    rest.addEventListener("click", () => rest.replaceWith(...order.slice(MOST_LISTED).map(chip)));
    chips.append(rest);
  }
  const hidden = degree - neighbors.length;
  const note = hidden > 0 ? ` (the page knows ${count(neighbors.length)} of them: the graph has too many edges for a page)` : "";
  return element(
    "details",
    { open: degree <= 12 },
    element("summary", {}, `${count(degree)} ${degree === 1 ? "neighbour" : "neighbours"}${note}`),
    chips,
  );
}
