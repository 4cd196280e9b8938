// Bounds of the view around the convex hull of the nodes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./module.mjs";

const { ViewBounds } = await load("view_bounds.ts");
const { distance } = await load("mobius.ts");

const far = (angle, radius) => [Math.tanh(radius / 2) * Math.cos(angle), Math.tanh(radius / 2) * Math.sin(angle)];
const ring = Float64Array.from(Array.from({ length: 12 }, (_, i) => far((2 * Math.PI * i) / 12, 4)).flat());

test("the hull contains its nodes and the points between them", () => {
  const bounds = new ViewBounds(ring);
  for (let i = 0; i < 12; i++) {
    const node = far((2 * Math.PI * i) / 12, 4);
    assert.ok(bounds.nearest(node).distance < 1e-6);
    assert.equal(bounds.nearest(far((2 * Math.PI * i) / 12 + 0.1, 1)).distance, 0);
    assert.ok(Math.abs(bounds.nearest(far((2 * Math.PI * i) / 12, 7)).distance - 3) < 1e-6, "beyond a vertex, the vertex is nearest");
  }
});

test("beside a side of the hull, the foot of the perpendicular is nearest", () => {
  const bounds = new ViewBounds(Float64Array.from([...far(0, 3), ...far(Math.PI, 3), ...far(Math.PI / 2, 3)]));
  const { foot, distance: away } = bounds.nearest([0, -Math.tanh(0.5)]);
  assert.ok(Math.hypot(...foot) < 1e-9 && Math.abs(away - 1) < 1e-9, `${foot}, ${away}`);
});

test("the margin is a soft stop, independent of the number of steps, and is never exceeded", () => {
  const bounds = new ViewBounds(ring);
  const walk = (steps) => {
    let at = far(0, 4);
    for (let i = 0; i < steps; i++) at = bounds.clamp(at, far(0, distance([0, 0], at) + 3 / steps));
    return bounds.nearest(at).distance;
  };
  const [once, often] = [walk(1), walk(300)];
  assert.ok(Math.abs(once - often) < 1e-3, `${once}, ${often}`);
  assert.ok(once > 1.5 && once < 2);
  let at = far(0, 4);
  for (let i = 0; i < 1000; i++) at = bounds.clamp(at, far(0, distance([0, 0], at) + 5));
  assert.ok(bounds.nearest(at).distance <= 2.001);
  const back = far(0, distance([0, 0], at) - 0.3);
  assert.deepEqual(bounds.clamp(at, back), back, "moving back is unrestricted");
});

test("one node, collinear nodes and nodes at the boundary have a hull", () => {
  for (const points of [[], [0.3, 0.1], [0.3, 0.1, 0.3, 0.1], [-0.5, 0, 0.1, 0, 0.7, 0], [1 - 1e-9, 0, -(1 - 1e-9), 0, 0, 1 - 1e-9]]) {
    const bounds = new ViewBounds(Float64Array.from(points));
    let at = [0, 0];
    for (let i = 0; i < 100; i++) at = bounds.clamp(at, far(0.3, distance([0, 0], at) + 5));
    assert.ok(Math.hypot(...at) < 1, `${points}: ${at}`);
    assert.ok(bounds.nearest(at).distance <= 2.001, `${points}: ${bounds.nearest(at).distance}`);
  }
});
