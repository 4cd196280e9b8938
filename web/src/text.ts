// Safe display of text: names are untrusted data.

/** Control characters, and characters that change the direction or the line breaks of the surrounding text. */
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu;

/** Joiners are part of the spelling between letters or emoji, and after a combining mark such as a virama. */
const JOINERS = "\u200c\u200d";
const SIGN_BEFORE = /\p{M}/u;
const JOINED_BEFORE = /[\p{L}\p{Extended_Pictographic}\p{Emoji_Modifier}]/u;
const JOINED_AFTER = /[\p{L}\p{M}\p{Extended_Pictographic}]/u;

/** Whether the joiner at this index is part of the spelling. */
function isOrthographic(name: string, at: number): boolean {
  // Single characters are tested: Chromium 156 does not match emoji before the end of a text with [\p{L}\p{Extended_Pictographic}]$.
  const before = Array.from(name.slice(Math.max(0, at - 2), at)).pop() ?? "";
  const after = Array.from(name.slice(at + 1, at + 3))[0] ?? "";
  return SIGN_BEFORE.test(before) || (JOINED_BEFORE.test(before) && JOINED_AFTER.test(after));
}

/** Escapes invisible characters, except joiners that are part of the spelling. */
export function escapeInvisible(name: string): string {
  return name.replace(UNSAFE, (c, at: number) =>
    JOINERS.includes(c) && isOrthographic(name, at) ? c : `\\u{${c.codePointAt(0)!.toString(16)}}`,
  );
}

/** Splits text into grapheme clusters, so that truncation never splits a joined emoji; null where browsers lack it. */
const SEGMENTER = "Segmenter" in Intl ? new Intl.Segmenter("en", { granularity: "grapheme" }) : null;

function graphemes(text: string): string[] {
  if (!SEGMENTER) return Array.from(text);
  // Stacked combining marks would cover the lines above and below, so only some are kept.
  return Array.from(SEGMENTER.segment(text), ({ segment }) => (segment.length > MAX_GRAPHEME_LENGTH ? Array.from(segment).slice(0, 4).join("") : segment));
}

/** In UTF-16 code units; the longest legitimate graphemes are emoji of families (11) and some flags (14). */
const MAX_GRAPHEME_LENGTH = 16;

/** Truncates a name to a number of graphemes, with an ellipsis. */
export function truncate(name: string, length: number): string {
  const most = 8 * length + 8;
  const text = escapeInvisible(name.slice(0, most));
  if (text.length <= length && name.length <= most) return text;
  const all = graphemes(text);
  return all.length > length || name.length > most ? `${all.slice(0, length - 1).join("")}…` : all.join("");
}

const NUMBERS = new Intl.NumberFormat("en-US");

export function formatCount(n: number): string {
  return NUMBERS.format(n);
}

export function pluralize(n: number, one: string, many: string): string {
  return `${formatCount(n)} ${n === 1 ? one : many}`;
}

export function formatPercent(share: number): string {
  return `${(100 * share).toFixed(share > 0.9995 || share < 0.0005 ? 0 : 1)} %`;
}
