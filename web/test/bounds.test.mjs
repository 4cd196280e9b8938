// However the plane is dragged, the page stays alive, the graph stays in sight, and home is where it was.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { close, difference, hycome, launch, measure, open, rest } from "./browser.mjs";

const GRAPHS = ["karate", "books", "football", "polblogs"];

before(async () => {
  for (const graph of GRAPHS) hycome("embed", graph, "--walks", "2", "--starts", "1", "-o", graph, "--quiet");
  await launch();
});

after(close);

/** Drags, or presses Shift and arrows, 200 times in each of eight directions; what was seen of the view meanwhile. */
function roam(page, kind) {
  return page.evaluate(async (kind) => {
    const canvas = document.querySelector("canvas.front");
    canvas.setPointerCapture = () => {}; // there is no real pointer
    const box = canvas.getBoundingClientRect();
    const [cx, cy] = [box.left + box.width / 2, box.top + box.height / 2];
    const reach = 0.42 * Math.min(box.width, box.height);
    const send = (type, x, y) =>
      canvas.dispatchEvent(new PointerEvent(type, { pointerId: 1, clientX: x, clientY: y, pointerType: "mouse", bubbles: true }));
    const press = (key) => canvas.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey: true, bubbles: true }));
    const seen = { finite: true, least: 1, farthest: 0, frames: [] };
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
        seen.finite &&= [zoom, ...shift, ...center, ar, ai, br, bi].every(Number.isFinite);
        if (i % 25 === 24) {
          await new Promise(requestAnimationFrame);
          seen.frames.push(window.hycome.drawn().frames);
          let nearest = 1;
          for (let node = 0; node < window.hycome.nodes; node++) nearest = Math.min(nearest, Math.hypot(...window.hycome.position(node)));
          seen.farthest = Math.max(seen.farthest, nearest);
        }
      }
    }
    return seen;
  }, kind);
}

for (const painter of ["canvas", "webgl"]) {
  for (const graph of painter === "canvas" ? GRAPHS : ["football"]) {
    test(`${graph} can be dragged for ever, drawn by ${painter}`, async () => {
      const { page, heard } = await open(`${graph}/disc.html`, { hash: `#${painter}` });
      const start = await measure(page);
      const first = await page.locator(".stage").screenshot();
      for (const kind of ["drags", "keys"]) {
        const { finite, farthest, frames } = await roam(page, kind);
        assert.ok(finite, `${kind}: the view is made of numbers`);
        assert.ok(frames.at(-1) > frames[0] + 20, `${kind}: frames are drawn to the end: ${frames}`);
        assert.ok(farthest < 0.97, `${kind}: some node is always in sight, but the nearest was at ${farthest}`);
        const there = await measure(page);
        there.distances.forEach((d, i) => assert.ok(Math.abs(d - start.distances[i]) < 1e-3 * (1 + d), `${kind}: ${d} was ${start.distances[i]}`));
        await page.getByRole("button", { name: "Go home" }).click();
        await page.mouse.move(5, 5);
        await page.evaluate(() => document.activeElement.blur());
        await rest(page);
        assert.deepEqual(await measure(page), start, `${kind}: at home, all is where it was`);
        assert.equal(await difference(page, first, await page.locator(".stage").screenshot()), 0, `${kind}: the first picture comes back`);
      }
      assert.deepEqual(heard, []);
    });
  }
}

test("Shift and drag cannot lose the disc", async () => {
  const { page } = await open("karate/disc.html", { hash: "#canvas" });
  const box = await page.locator("canvas.front").boundingBox();
  const [cx, cy] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.keyboard.down("Shift");
  for (let i = 0; i < 5; i++) {
    await page.mouse.move(cx - 350, cy);
    await page.mouse.down();
    await page.mouse.move(cx + 350, cy, { steps: 3 });
    await page.mouse.up();
  }
  await page.keyboard.up("Shift");
  const [x] = await page.evaluate(() => window.hycome.pixelOf([-0.9, 0]));
  assert.ok(x < box.x + box.width, "the disc is still under the middle of the view");
});

test("an error while drawing is reported once, and the next frame is drawn", async () => {
  const { page, heard } = await open("karate/disc.html", { hash: "#canvas" });
  const frames = () => page.evaluate(() => window.hycome.drawn().frames);
  await page.evaluate(() => {
    window.arc = CanvasRenderingContext2D.prototype.arc;
    CanvasRenderingContext2D.prototype.arc = () => {
      throw new Error("broken on purpose");
    };
  });
  await page.locator("canvas.front").focus();
  for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowLeft");
  await rest(page);
  assert.deepEqual(heard.filter((words) => words.includes("broken on purpose")).length, 1, `${heard}`);
  const before = await frames();
  await page.evaluate(() => (CanvasRenderingContext2D.prototype.arc = window.arc));
  await page.keyboard.press("ArrowRight");
  await rest(page);
  assert.ok((await frames()) > before, "the page draws again");
});
