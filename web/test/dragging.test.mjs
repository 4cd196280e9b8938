// Dragging and arrow keys: the viewer keeps drawing, the graph stays visible, and reset restores the initial view.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { close, difference, hycome, launch, measure, open, settle } from "./browser.mjs";

const GRAPHS = ["karate", "books", "football", "polblogs"];

before(async () => {
  for (const graph of GRAPHS) hycome("embed", graph, "--walks", "2", "--restarts", "1", "-o", graph, "--quiet");
  await launch();
});

after(close);

/** Drags, or presses Shift and arrow keys, 200 times in each of eight directions; returns statistics of the view. */
function roam(page, kind) {
  return page.evaluate(async (kind) => {
    const canvas = document.querySelector("canvas.overlay");
    canvas.setPointerCapture = () => {}; // there is no real pointer
    const box = canvas.getBoundingClientRect();
    const [cx, cy] = [box.left + box.width / 2, box.top + box.height / 2];
    const reach = 0.42 * Math.min(box.width, box.height);
    const send = (type, x, y) =>
      canvas.dispatchEvent(new PointerEvent(type, { pointerId: 1, clientX: x, clientY: y, pointerType: "mouse", bubbles: true }));
    const press = (key) => canvas.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey: true, bubbles: true }));
    const stats = { finite: true, least: 1, farthest: 0, frames: [] };
    for (let direction = 0; direction < 8; direction++) {
      const [dx, dy] = [Math.round(Math.cos((direction * Math.PI) / 4)), Math.round(Math.sin((direction * Math.PI) / 4))];
      for (let i = 0; i < 200; i++) {
        if (kind === "keys") {
          if (dx) press(dx > 0 ? "ArrowRight" : "ArrowLeft");
          if (dy) press(dy > 0 ? "ArrowDown" : "ArrowUp");
        } else {
          send("pointerdown", cx - dx * reach, cy - dy * reach);
          for (const share of [-0.5, 0.3, 1]) send("pointermove", cx + share * dx * reach, cy + share * dy * reach);
          send("pointerup", cx + dx * reach, cy + dy * reach);
        }
        const { zoom, shift, center, ar, ai, br, bi } = window.hycome.view();
        stats.finite &&= [zoom, ...shift, ...center, ar, ai, br, bi].every(Number.isFinite);
        if (i % 25 === 24) {
          await new Promise(requestAnimationFrame);
          stats.frames.push(window.hycome.renderStats().frames);
          let nearest = 1;
          for (let node = 0; node < window.hycome.nodes; node++) nearest = Math.min(nearest, Math.hypot(...window.hycome.position(node)));
          stats.farthest = Math.max(stats.farthest, nearest);
        }
      }
    }
    return stats;
  }, kind);
}

for (const renderer of ["canvas", "webgl"]) {
  for (const graph of renderer === "canvas" ? GRAPHS : ["football"]) {
    test(`${graph} survives 200 drags in eight directions, ${renderer} renderer`, async () => {
      const { page, problems } = await open(`${graph}/disc.html`, { hash: `#${renderer}` });
      const start = await measure(page);
      const first = await page.locator(".stage").screenshot();
      for (const kind of ["drags", "keys"]) {
        const { finite, farthest, frames } = await roam(page, kind);
        assert.ok(finite, `${kind}: the view is finite`);
        assert.ok(frames.at(-1) > frames[0] + 20, `${kind}: frames are drawn until the end: ${frames}`);
        assert.ok(farthest < 0.97, `${kind}: some node is always visible, but the nearest was at ${farthest}`);
        const there = await measure(page);
        there.distances.forEach((d, i) => assert.ok(Math.abs(d - start.distances[i]) < 1e-3 * (1 + d), `${kind}: ${d} was ${start.distances[i]}`));
        if (kind === "keys") await page.keyboard.press("Home");
        else await page.getByRole("button", { name: "Reset view" }).click();
        await page.mouse.move(5, 5);
        await page.evaluate(() => document.activeElement.blur());
        await settle(page);
        assert.deepEqual(await measure(page), start, `${kind}: reset restores all positions`);
        assert.equal(await difference(page, first, await page.locator(".stage").screenshot()), 0, `${kind}: reset restores the first frame`);
      }
      assert.deepEqual(problems, []);
    });
  }
}

test("Shift and drag cannot lose the disc", async () => {
  const { page } = await open("karate/disc.html", { hash: "#canvas" });
  const box = await page.locator("canvas.overlay").boundingBox();
  const [cx, cy] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.keyboard.down("Shift");
  for (let i = 0; i < 5; i++) {
    await page.mouse.move(cx - 350, cy);
    await page.mouse.down();
    await page.mouse.move(cx + 350, cy, { steps: 3 });
    await page.mouse.up();
  }
  await page.keyboard.up("Shift");
  const [x] = await page.evaluate(() => window.hycome.toPixel([-0.9, 0]));
  assert.ok(x < box.x + box.width, "the disc still covers the centre of the view");
});

test("an error while drawing is reported once, and the next frame is drawn", async () => {
  const { page, problems } = await open("karate/disc.html", { hash: "#canvas" });
  const frames = () => page.evaluate(() => window.hycome.renderStats().frames);
  await page.evaluate(() => {
    window.arc = CanvasRenderingContext2D.prototype.arc;
    CanvasRenderingContext2D.prototype.arc = () => {
      throw new Error("broken on purpose");
    };
  });
  await page.locator("canvas.overlay").focus();
  for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowLeft");
  await settle(page);
  assert.deepEqual(problems.filter((words) => words.includes("broken on purpose")).length, 1, `${problems}`);
  const before = await frames();
  await page.evaluate(() => (CanvasRenderingContext2D.prototype.arc = window.arc));
  await page.keyboard.press("ArrowRight");
  await settle(page);
  assert.ok((await frames()) > before, "drawing resumes");
});
