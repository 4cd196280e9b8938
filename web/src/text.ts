// Names are data: whatever they hold is shown as text and stays in its place.

/** Control characters, and marks that change the direction or the lines of the text around them. */
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** A name in which nothing is invisible. */
export function printable(name: string): string {
  return name.replace(UNSAFE, (c) => `\\u{${c.codePointAt(0)!.toString(16)}}`);
}

/** The beginning of a name, for places with little room. */
export function short(name: string, length: number): string {
  const letters = Array.from(printable(name.slice(0, 4 * length + 4)));
  return letters.length > length ? `${letters.slice(0, length - 1).join("")}…` : letters.join("");
}

const NUMBERS = new Intl.NumberFormat("en-US");

export function count(n: number): string {
  return NUMBERS.format(n);
}

export function counted(n: number, one: string, many: string): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(share > 0.9995 || share < 0.0005 ? 0 : 1)} %`;
}
