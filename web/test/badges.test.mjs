// Placement of community badges.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./module.mjs";

const { Badges } = await load("draw/badges.ts");
const { View } = await load("view.ts");

const view = new View();
view.resize(400, 400);
const styles = (n) => ({ sizes: new Float32Array(n).fill(4), colors: new Uint8Array(4 * n).fill(255) });
const SIZE = 10;

function placed(badges, positions, center = [0, 0], taken = [], moving = false) {
  return badges.place(0, view.toScreen(center), SIZE, view, styles(positions.length / 2), Float32Array.from(positions), taken, moving);
}

test("a badge is at its barycenter where it covers no node", () => {
  const { at, covers } = placed(new Badges(), [0.5, 0.5]);
  assert.deepEqual([...at], [200, 200]);
  assert.equal(covers, false);
});

test("a badge is placed beside a node", () => {
  for (const node of [[0, 0], [0.02, 0.01], [-0.03, 0]]) {
    const { at, covers } = placed(new Badges(), node);
    const [x, y] = view.toScreen(node);
    assert.ok(Math.hypot(at[0] - x, at[1] - y) >= SIZE + 3, "the node is visible");
    assert.ok(Math.hypot(at[0] - 200, at[1] - 200) < 5 * SIZE);
    assert.equal(covers, false);
  }
});

test("a badge keeps its free position in motion and takes the best at rest", () => {
  const badges = new Badges();
  const aside = placed(badges, [0, 0]).at;
  assert.deepEqual(placed(badges, [0.9, 0], [0, 0], [], true).at, aside);
  assert.deepEqual([...placed(badges, [0.9, 0]).at], [200, 200]);
});

test("two badges do not overlap", () => {
  const { at } = placed(new Badges(), [0.9, 0], [0, 0], [[195, 195, 215, 215]]);
  assert.ok(Math.hypot(at[0] - 205, at[1] - 205) > SIZE);
});

test("a badge that covers nodes is marked as such", () => {
  const crowd = [];
  for (let i = -20; i <= 20; i++) for (let j = -20; j <= 20; j++) crowd.push(i / 60, j / 60);
  assert.equal(placed(new Badges(), crowd).covers, true);
});
