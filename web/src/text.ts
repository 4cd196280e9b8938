// Names are data: whatever they hold is shown as text and stays in its place.

/** Control characters, and marks that change the direction or the lines of the text around them. */
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu;

/** A joiner is part of the spelling between letters or emoji, and after a vowel sign such as a virama. */
const JOINERS = "\u200c\u200d";
const SIGN_BEFORE = /\p{M}$/u;
const JOINED_BEFORE = /[\p{L}\p{Extended_Pictographic}\p{Emoji_Modifier}]$/u;
const JOINED_AFTER = /^[\p{L}\p{M}\p{Extended_Pictographic}]/u;

function spells(name: string, at: number): boolean {
  const before = name.slice(Math.max(0, at - 2), at);
  return SIGN_BEFORE.test(before) || (JOINED_BEFORE.test(before) && JOINED_AFTER.test(name.slice(at + 1, at + 3)));
}

/** A name in which nothing is hidden: what is invisible and does not shape the letters beside it is spelled out. */
export function printable(name: string): string {
  return name.replace(UNSAFE, (c, at: number) =>
    JOINERS.includes(c) && spells(name, at) ? c : `\\u{${c.codePointAt(0)!.toString(16)}}`,
  );
}

/** Splits text into what readers take for letters, so that a cut never leaves half of a joined emoji; null where browsers cannot. */
const SEGMENTER = "Segmenter" in Intl ? new Intl.Segmenter("en", { granularity: "grapheme" }) : null;

function letters(text: string): string[] {
  if (!SEGMENTER) return Array.from(text);
  // A letter under a heap of marks keeps some of them: they would cover the lines above and below.
  return Array.from(SEGMENTER.segment(text), ({ segment }) => (segment.length > MOST_MARKS ? Array.from(segment).slice(0, 4).join("") : segment));
}

/** The longest letter of its own is an emoji of joined people, with 11 code units; some flags have 14. */
const MOST_MARKS = 16;

/** The beginning of a name, for places with little room. */
export function short(name: string, length: number): string {
  const most = 8 * length + 8;
  const text = printable(name.slice(0, most));
  if (text.length <= length && name.length <= most) return text;
  const all = letters(text);
  return all.length > length || name.length > most ? `${all.slice(0, length - 1).join("")}…` : all.join("");
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
