// Decoding and sampling of edges.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./module.mjs";

const { sample, decodeEdges } = await load("decode.ts");

test("edges are decoded", () => {
  // 0: 1 and 301; 1: 2; 2: none; then none.
  const bytes = Uint8Array.from([2, 1, 0xac, 2, 1, 1, ...new Array(300).fill(0)]);
  assert.deepEqual([...decodeEdges(bytes, 302)], [0, 1, 0, 301, 1, 2]);
  assert.deepEqual([...decodeEdges(Uint8Array.from([0, 0]), 2)], []);
});

test("a sample and all its prefixes are uniform and without replacement", () => {
  const pairs = Uint32Array.from({ length: 20_000 }, (_, i) => i);
  const chosen = sample(pairs, 4_000);
  assert.equal(chosen.length, 8_000);
  const firsts = Array.from({ length: 4_000 }, (_, i) => chosen[2 * i]);
  assert.equal(new Set(firsts).size, 4_000);
  assert.ok(firsts.every((u, i) => u % 2 === 0 && chosen[2 * i + 1] === u + 1));
  for (const part of [firsts, firsts.slice(0, 1_000)]) {
    const mean = part.reduce((sum, u) => sum + u, 0) / part.length;
    assert.ok(Math.abs(mean - 10_000) < 4 * (5_774 / Math.sqrt(part.length)), `${mean}`);
  }
  assert.deepEqual(sample(pairs, 4_000), chosen, "deterministic");
  assert.equal(sample(pairs, 1e9).length, 20_000);
});
