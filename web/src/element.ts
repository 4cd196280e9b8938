// Creation of DOM elements. Strings become text nodes and are never parsed as HTML.

type Attributes = Record<string, string | number | boolean | null | undefined>;

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string | null)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, String(value));
  }
  made.append(...children.filter((child): child is Node | string => child !== null));
  return made;
}

export function button(label: string, symbol: string, act: () => void): HTMLButtonElement {
  const made = element("button", { type: "button", "aria-label": label, title: label, class: "tool" }, symbol);
  made.addEventListener("click", act);
  return made;
}

/** A name, isolated from the direction of the surrounding text. */
export function isolated(text: string, kind: string): HTMLElement {
  return element("bdi", { class: kind }, text);
}
