// How far the view may go from the nodes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./module.mjs";

const { Reach } = await load("reach.ts");
const { distance } = await load("mobius.ts");

const far = (angle, radius) => [Math.tanh(radius / 2) * Math.cos(angle), Math.tanh(radius / 2) * Math.sin(angle)];
const ring = Float64Array.from(Array.from({ length: 12 }, (_, i) => far((2 * Math.PI * i) / 12, 4)).flat());

test("the hull holds its nodes and what lies between them", () => {
  const reach = new Reach(ring);
  for (let i = 0; i < 12; i++) {
    const node = far((2 * Math.PI * i) / 12, 4);
    assert.ok(reach.nearest(node).distance < 1e-6);
    assert.equal(reach.nearest(far((2 * Math.PI * i) / 12 + 0.1, 1)).distance, 0);
    assert.ok(Math.abs(reach.nearest(far((2 * Math.PI * i) / 12, 7)).distance - 3) < 1e-6, "beyond a corner, the corner is nearest");
  }
});

test("beside an edge of the hull, its foot is nearer than the corners", () => {
  const reach = new Reach(Float64Array.from([...far(0, 3), ...far(Math.PI, 3), ...far(Math.PI / 2, 3)]));
  const { foot, distance: away } = reach.nearest([0, -Math.tanh(0.5)]);
  assert.ok(Math.hypot(...foot) < 1e-9 && Math.abs(away - 1) < 1e-9, `${foot}, ${away}`);
});

test("the margin resists more and more, however the way is cut into steps, and is never passed", () => {
  const reach = new Reach(ring);
  const walk = (steps) => {
    let at = far(0, 4);
    for (let i = 0; i < steps; i++) at = reach.bounded(at, far(0, distance([0, 0], at) + 3 / steps));
    return reach.nearest(at).distance;
  };
  const [once, often] = [walk(1), walk(300)];
  assert.ok(Math.abs(once - often) < 1e-3, `${once}, ${often}`);
  assert.ok(once > 1.5 && once < 2);
  let at = far(0, 4);
  for (let i = 0; i < 1000; i++) at = reach.bounded(at, far(0, distance([0, 0], at) + 5));
  assert.ok(reach.nearest(at).distance <= 2.001);
  const back = far(0, distance([0, 0], at) - 0.3);
  assert.deepEqual(reach.bounded(at, back), back, "and back it is free");
});

test("one node, nodes in a line, and nodes on the boundary have a hull too", () => {
  for (const points of [[], [0.3, 0.1], [0.3, 0.1, 0.3, 0.1], [-0.5, 0, 0.1, 0, 0.7, 0], [1 - 1e-9, 0, -(1 - 1e-9), 0, 0, 1 - 1e-9]]) {
    const reach = new Reach(Float64Array.from(points));
    let at = [0, 0];
    for (let i = 0; i < 100; i++) at = reach.bounded(at, far(0.3, distance([0, 0], at) + 5));
    assert.ok(Math.hypot(...at) < 1, `${points}: ${at}`);
    assert.ok(reach.nearest(at).distance <= 2.001, `${points}: ${reach.nearest(at).distance}`);
  }
});
