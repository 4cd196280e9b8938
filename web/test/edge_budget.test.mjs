// Edge budget on simulated machines, with frame times linear in the number of edges.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./module.mjs";

const { EdgeBudget } = await load("edge_budget.ts");

const FRAME = 1000 / 60;

/** Simulates frames in motion; returns the times of the last ones. */
function move(budget, cost, frames) {
  const times = [];
  for (let i = 0; i < frames; i++) {
    times.push(cost(budget.next(true)));
    budget.record(times.at(-1));
  }
  return times.slice(-30);
}

/** Simulates frames at rest until all edges of the budget are drawn; returns their number. */
function rest(budget, cost) {
  for (let frames = 1; ; frames++) {
    const edges = budget.next(false);
    if (!budget.record(cost(edges))) return frames;
    assert.ok(frames < 20, "it terminates");
  }
}

test("a fast machine draws all edges", () => {
  const budget = new EdgeBudget(50_000);
  const cost = (edges) => 2 + edges / 10_000;
  rest(budget, cost);
  assert.equal(budget.drawn, 50_000);
  move(budget, cost, 300);
  assert.equal(budget.drawn, 50_000);
});

test("in motion the budget allows 60 frames per second and uses at least a third of a frame", () => {
  for (const [fixed, each] of [[1, 1e-3], [5, 1e-3], [7, 1e-4], [0.5, 1e-2]]) {
    const budget = new EdgeBudget(200_000);
    const cost = (edges) => fixed + each * edges;
    rest(budget, cost);
    const times = move(budget, cost, 600);
    assert.ok(Math.max(...times) < FRAME, `${fixed}, ${each}: ${Math.max(...times)} ms`);
    assert.ok(Math.min(...times) > FRAME / 3, `${fixed}, ${each}: only ${Math.min(...times)} ms are used`);
  }
});

test("the budget recovers after a load", () => {
  const budget = new EdgeBudget(50_000);
  const cost = (edges) => 3 + edges / 2_000;
  rest(budget, cost);
  move(budget, cost, 300);
  const before = budget.drawn;
  move(budget, (edges) => 3 * cost(edges), 120);
  assert.ok(budget.drawn < before / 2);
  move(budget, cost, 600);
  assert.ok(budget.drawn > 0.6 * before, `${budget.drawn} of ${before}`);
});

test("one slow frame hardly shrinks the budget", () => {
  const budget = new EdgeBudget(8_000);
  const cost = () => 6;
  rest(budget, cost);
  move(budget, cost, 100);
  budget.next(true);
  budget.record(30);
  assert.ok(budget.next(true) >= 6_000, `${budget.drawn}`);
});

test("the frame at rest is bounded in time and reached in few steps", () => {
  const budget = new EdgeBudget(200_000);
  const cost = (edges) => edges / 100;
  assert.ok(rest(budget, cost) <= 3);
  assert.ok(cost(budget.next(false)) <= 500);
  assert.ok(budget.drawn > 25_000);
});

test("a slow first frame does not cost edges at rest", () => {
  const budget = new EdgeBudget(50_000);
  let first = true;
  rest(budget, (edges) => {
    const time = first ? 260 : edges / 1_000;
    first = false;
    return time;
  });
  assert.equal(budget.drawn, 50_000);
});

test("a graph without edges", () => {
  const budget = new EdgeBudget(0);
  assert.equal(rest(budget, () => 1), 1);
  move(budget, () => 100, 10);
  assert.equal(budget.drawn, 0);
});
