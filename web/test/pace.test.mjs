// How many edges are drawn, on machines that are made up: a frame takes some milliseconds, and some more for each edge.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./module.mjs";

const { Pace } = await load("pace.ts");

const FRAME = 1000 / 60;

/** Draws so many frames in motion; the time of the last ones. */
function move(pace, cost, frames) {
  const times = [];
  for (let i = 0; i < frames; i++) {
    times.push(cost(pace.edges(true)));
    pace.took(times.at(-1));
  }
  return times.slice(-30);
}

/** Draws pictures at rest until there is nothing to add; says how many. */
function rest(pace, cost) {
  for (let pictures = 1; ; pictures++) {
    const edges = pace.edges(false);
    if (!pace.took(cost(edges))) return pictures;
    assert.ok(pictures < 20, "it comes to an end");
  }
}

test("a machine that can draw all edges in time draws all of them", () => {
  const pace = new Pace(50_000);
  const cost = (edges) => 2 + edges / 10_000;
  rest(pace, cost);
  assert.equal(pace.drawn, 50_000);
  move(pace, cost, 300);
  assert.equal(pace.drawn, 50_000);
});

test("in motion so many edges are drawn as leave sixty frames a second, and not far fewer", () => {
  for (const [fixed, each] of [[1, 1e-3], [5, 1e-3], [7, 1e-4], [0.5, 1e-2]]) {
    const pace = new Pace(200_000);
    const cost = (edges) => fixed + each * edges;
    rest(pace, cost);
    const times = move(pace, cost, 600);
    assert.ok(Math.max(...times) < FRAME, `${fixed}, ${each}: ${Math.max(...times)} ms`);
    assert.ok(Math.min(...times) > FRAME / 3, `${fixed}, ${each}: only ${Math.min(...times)} ms are used`);
  }
});

test("a machine that is busy for a while gets its edges back", () => {
  const pace = new Pace(50_000);
  const cost = (edges) => 3 + edges / 2_000;
  rest(pace, cost);
  move(pace, cost, 300);
  const before = pace.drawn;
  move(pace, (edges) => 3 * cost(edges), 120);
  assert.ok(pace.drawn < before / 2);
  move(pace, cost, 600);
  assert.ok(pace.drawn > 0.6 * before, `${pace.drawn} of ${before}`);
});

test("one slow frame takes few edges away", () => {
  const pace = new Pace(8_000);
  const cost = () => 6;
  rest(pace, cost);
  move(pace, cost, 100);
  pace.edges(true);
  pace.took(30);
  assert.ok(pace.edges(true) >= 6_000, `${pace.drawn}`);
});

test("a picture at rest that would take too long has fewer edges, and is not drawn for ever", () => {
  const pace = new Pace(200_000);
  const cost = (edges) => edges / 100;
  assert.ok(rest(pace, cost) <= 3);
  assert.ok(cost(pace.edges(false)) <= 500);
  assert.ok(pace.drawn > 25_000);
});

test("a first picture that was slow by chance does not cost edges at rest", () => {
  const pace = new Pace(50_000);
  let first = true;
  rest(pace, (edges) => {
    const time = first ? 260 : edges / 1_000;
    first = false;
    return time;
  });
  assert.equal(pace.drawn, 50_000);
});

test("a graph without edges has none", () => {
  const pace = new Pace(0);
  assert.equal(rest(pace, () => 1), 1);
  move(pace, () => 100, 10);
  assert.equal(pace.drawn, 0);
});
