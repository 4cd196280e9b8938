// Finding a node by its name.

import { element, named } from "../element";
import type { State } from "../state";
import { count, short } from "../text";
import { swatch } from "./legend";
import { NONE } from "../scene";

const MOST_FOUND = 8;

/** Nodes whose names contain the text; those that are or start with it come first, then hubs. */
export function find(state: State, text: string, most: number): { nodes: number[]; total: number } {
  const wanted = text.trim().toLocaleLowerCase();
  if (!wanted) return { nodes: [], total: 0 };
  const { scene } = state;
  const found: { node: number; place: number }[] = [];
  for (let node = 0; node < scene.nodes; node++) {
    const name = scene.name(node).toLocaleLowerCase();
    const at = name.indexOf(wanted);
    if (at >= 0) found.push({ node, place: name === wanted ? 0 : at === 0 ? 1 : 2 });
  }
  const degree = (node: number) => scene.degrees?.[node] ?? 0;
  found.sort((a, b) => a.place - b.place || degree(b.node) - degree(a.node) || a.node - b.node);
  return { nodes: found.slice(0, most).map(({ node }) => node), total: found.length };
}

export function search(state: State, go: (node: number) => void): HTMLElement {
  const input = element("input", {
    type: "search",
    placeholder: "Find a node",
    "aria-label": "Find a node by name",
    role: "combobox",
    "aria-expanded": "false",
    "aria-controls": "found",
    "aria-autocomplete": "list",
    autocomplete: "off",
    spellcheck: "false",
  });
  const list = element("ul", { id: "found", role: "listbox", "aria-label": "Nodes found", hidden: true });
  const said = element("p", { class: "unseen", "aria-live": "polite" });
  let nodes: number[] = [];
  let chosen = -1;

  const close = (): void => {
    list.hidden = true;
    chosen = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const take = (node: number): void => {
    input.value = short(state.scene.name(node), 60);
    close();
    go(node);
  };
  const mark = (): void => {
    [...list.children].forEach((item, i) => item.setAttribute("aria-selected", String(i === chosen)));
    if (chosen >= 0) input.setAttribute("aria-activedescendant", `found-${chosen}`);
  };
  const update = (): void => {
    const found = find(state, input.value, MOST_FOUND);
    nodes = found.nodes;
    const items: HTMLElement[] = nodes.map((node, i) => {
      const of = state.classOf(node);
      const rank = of === NONE ? -1 : state.active.classes[of]!.rank;
      const item = element("li", { role: "option", id: `found-${i}`, "aria-selected": "false" }, swatch(state.scene, rank), named(short(state.scene.name(node), 60), "name"));
      item.addEventListener("pointerdown", (event) => {
        event.preventDefault();
        take(node);
      });
      return item;
    });
    if (found.total > nodes.length) items.push(element("li", { class: "faint" }, `and ${count(found.total - nodes.length)} more`));
    if (found.total === 0 && input.value.trim()) items.push(element("li", { class: "faint" }, "no node has this in its name"));
    list.replaceChildren(...items);
    list.hidden = items.length === 0;
    chosen = nodes.length > 0 ? 0 : -1;
    input.setAttribute("aria-expanded", String(!list.hidden));
    said.textContent = input.value.trim() ? `${found.total} found` : "";
    mark();
  };

  input.addEventListener("input", update);
  input.addEventListener("focus", () => input.select());
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      input.value = "";
      close();
    } else if (event.key === "Enter" && chosen >= 0) {
      take(nodes[chosen]!);
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && nodes.length > 0) {
      chosen = (chosen + (event.key === "ArrowDown" ? 1 : nodes.length - 1)) % nodes.length;
      mark();
      event.preventDefault();
    }
  });
  document.addEventListener("keydown", (event) => {
    const typing = document.activeElement instanceof HTMLInputElement && document.activeElement.type !== "checkbox";
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      input.focus();
    }
  });
  return element("div", { class: "search", role: "search" }, input, list, said);
}
