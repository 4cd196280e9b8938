// Display of names.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./module.mjs";

const { escapeInvisible, truncate } = await load("text.ts");

test("joiners that are part of the spelling are kept", () => {
  const names = [
    "می\u200cخواهم", // Persian
    "क्\u200dष", // Hindi
    "അവന്\u200d", // Malayalam, at the end of a word
    "ශ්\u200dරී", // Sinhala
    "👨\u200d💻",
    "👩🏽\u200d🚀",
    "👩\u200d❤️\u200d👨",
    "🏳️\u200d🌈",
  ];
  for (const name of names) assert.equal(escapeInvisible(name), name);
});

test("other joiners, and direction marks, are escaped", () => {
  for (const [name, words] of [
    ["\u200dx", "\\u{200d}x"],
    ["x\u200c", "x\\u{200c}"],
    ["1\u200d2", "1\\u{200d}2"],
    ["a\u200d\u200db", "a\\u{200d}\\u{200d}b"],
    ["a\u200bb", "a\\u{200b}b"],
    ["a\u200eb\u200f", "a\\u{200e}b\\u{200f}"],
    ["\u202aa\u202b\u202c\u202d\u202e", "\\u{202a}a\\u{202b}\\u{202c}\\u{202d}\\u{202e}"],
    ["\u2066\u2067\u2068\u2069", "\\u{2066}\\u{2067}\\u{2068}\\u{2069}"],
    ["\u0007\u001b[31m", "\\u{7}\\u{1b}[31m"],
  ]) {
    assert.equal(escapeInvisible(name), words);
  }
});

test("names are truncated between graphemes", () => {
  const family = "👩\u200d👩\u200d👧\u200d👦";
  assert.equal(truncate(family.repeat(4), 3), `${family}${family}…`);
  assert.equal(truncate("Katharina", 9), "Katharina");
  assert.equal(truncate("Katharina", 5), "Kath…");
  assert.equal(truncate("a" + "\u0301".repeat(500), 5).length <= 10, true, "stacked marks are limited");
  assert.ok(truncate("x".repeat(10_000), 22).endsWith("…"));
});
