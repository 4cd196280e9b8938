// Search for nodes by name.

import { element, isolated } from "../element";
import type { State } from "../state";
import { formatCount, truncate } from "../text";
import { swatch } from "./legend";
import { NONE } from "../scene";

const MAX_FOUND = 8;

/** Nodes whose names contain the text: exact matches first, then prefixes, then others, each by descending degree. */
export function find(state: State, text: string, limit: number): { nodes: number[]; total: number } {
  const query = text.trim().toLocaleLowerCase();
  if (!query) return { nodes: [], total: 0 };
  const { scene } = state;
  const found: { node: number; rank: number }[] = [];
  for (let node = 0; node < scene.nodes; node++) {
    const name = scene.name(node).toLocaleLowerCase();
    const at = name.indexOf(query);
    if (at >= 0) found.push({ node, rank: name === query ? 0 : at === 0 ? 1 : 2 });
  }
  const degree = (node: number) => scene.degrees?.[node] ?? 0;
  found.sort((a, b) => a.rank - b.rank || degree(b.node) - degree(a.node) || a.node - b.node);
  return { nodes: found.slice(0, limit).map(({ node }) => node), total: found.length };
}

export function search(state: State, select: (node: number) => void): HTMLElement {
  const input = element("input", {
    type: "search",
    placeholder: "Search nodes",
    "aria-label": "Search nodes by name",
    role: "combobox",
    "aria-expanded": "false",
    "aria-controls": "found",
    "aria-autocomplete": "list",
    autocomplete: "off",
    spellcheck: "false",
  });
  const list = element("ul", { id: "found", role: "listbox", "aria-label": "Nodes found" });
  // Beside the list, because a listbox may contain options only.
  const message = element("p", { class: "message muted" });
  const popup = element("div", { class: "popup", hidden: true }, list, message);
  const announcement = element("p", { class: "visually-hidden", "aria-live": "polite" });
  let nodes: number[] = [];
  let active = -1;

  const close = (): void => {
    popup.hidden = true;
    active = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const choose = (node: number): void => {
    input.value = truncate(state.scene.name(node), 60);
    close();
    select(node);
  };
  const markActive = (): void => {
    [...list.children].forEach((item, i) => item.setAttribute("aria-selected", String(i === active)));
    if (active >= 0) input.setAttribute("aria-activedescendant", `found-${active}`);
    else input.removeAttribute("aria-activedescendant");
  };
  const update = (): void => {
    const found = find(state, input.value, MAX_FOUND);
    nodes = found.nodes;
    const items: HTMLElement[] = nodes.map((node, i) => {
      const of = state.classOf(node);
      const rank = of === NONE ? -1 : state.active.classes[of]!.rank;
      const item = element("li", { role: "option", id: `found-${i}`, "aria-selected": "false" }, swatch(state.scene, rank), isolated(truncate(state.scene.name(node), 60), "name"));
      item.addEventListener("pointerdown", (event) => {
        event.preventDefault();
        choose(node);
      });
      return item;
    });
    list.replaceChildren(...items);
    list.hidden = items.length === 0;
    const query = input.value.trim();
    const omitted = found.total - nodes.length;
    message.textContent = omitted > 0 ? `and ${formatCount(omitted)} more` : nodes.length > 0 ? "" : "no matching node";
    popup.hidden = !query;
    active = nodes.length > 0 ? 0 : -1;
    input.setAttribute("aria-expanded", String(!list.hidden));
    announcement.textContent = query ? `${found.total} found` : "";
    markActive();
  };

  input.addEventListener("input", update);
  input.addEventListener("focus", () => input.select());
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      input.value = "";
      close();
    } else if (event.key === "Enter" && active >= 0) {
      choose(nodes[active]!);
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && nodes.length > 0) {
      active = (active + (event.key === "ArrowDown" ? 1 : nodes.length - 1)) % nodes.length;
      markActive();
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
  return element("div", { class: "search", role: "search" }, input, popup, announcement);
}
