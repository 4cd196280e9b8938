// The viewer of a trained run, in a browser.

import assert from "node:assert/strict";
import { writeFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { close, difference, distance, drag, folder, hycome, launch, measure, open, pixels, settle, screenshot } from "./browser.mjs";

before(async () => {
  hycome("embed", "karate", "--dim", "2", "--quiet");
  hycome("classify", "karate-run", "--labels", "karate", "--method", "logistic", "--save-model", "m.safetensors");
  hycome("plot", "karate-run", "--graph", "karate", "--model", "m.safetensors", "-o", "model.html");
  await launch();
});

after(close);

/** Centre of the disc on the page. */
async function middle(page) {
  const box = await page.locator("canvas.overlay").boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

test("the page of embed opens without console messages and draws nodes in their colours", async () => {
  const { page, problems } = await open("karate-run/disc.html");
  assert.match(await page.title(), /karate/);
  const drawn = await page.evaluate(() => window.hycome.renderStats());
  assert.equal(drawn.renderer, "webgl");
  assert.deepEqual([drawn.edges, drawn.allEdges], [78, 78]);
  const [x, y] = await page.evaluate(() => window.hycome.pixel(33));
  const seen = await pixels(page, { x: x - 6, y: y - 1, width: 2, height: 2 });
  const colors = ["#57a2dc", "#e8af43"].map((c) => [1, 3, 5].map((i) => parseInt(c.slice(i, i + 2), 16)));
  const near = colors.some((color) => color.every((part, i) => Math.abs(part - seen[i]) < 40));
  assert.ok(near, `a node is blue or amber, but is ${seen.slice(0, 3)}`);
  await screenshot(page, "karate-light");
  assert.deepEqual(problems, []);
});

test("dragging moves the plane with the pointer and preserves distances", async () => {
  const { page, problems } = await open("karate-run/disc.html");
  const start = await measure(page);
  const [x, y] = await page.evaluate(() => window.hycome.pixel(0));
  // The node under the pointer stays under it; other nodes move too.
  await drag(page, [x, y], [x - 150, y + 120]);
  await settle(page);
  const end = await measure(page);
  const [nx, ny] = await page.evaluate(() => window.hycome.pixel(0));
  // The first pixels of a drag are still a click.
  assert.ok(Math.hypot(nx - (x - 150), ny - (y + 120)) < 20, `${nx - x}, ${ny - y}`);
  assert.ok(end.positions.every((p, i) => Math.hypot(p[0] - start.positions[i][0], p[1] - start.positions[i][1]) > 0.01));
  end.distances.forEach((d, i) => assert.ok(Math.abs(d - start.distances[i]) < 1e-9 * (1 + d), `${d} was ${start.distances[i]}`));
  await screenshot(page, "karate-dragged");
  await page.getByRole("button", { name: "Reset view" }).click();
  await settle(page);
  const home = await measure(page);
  home.positions.forEach((p, i) => assert.ok(Math.hypot(p[0] - start.positions[i][0], p[1] - start.positions[i][1]) < 1e-12));
  assert.deepEqual(problems, []);
});

test("the wheel zooms around the pointer and preserves distances", async () => {
  const { page } = await open("karate-run/disc.html");
  const start = await measure(page);
  const [x, y] = await page.evaluate(() => window.hycome.pixel(2)); // in the middle, where no bound of the view is near
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, -400);
  await settle(page);
  const [nx, ny] = await page.evaluate(() => window.hycome.pixel(2));
  assert.ok(Math.hypot(nx - x, ny - y) < 1, "the place under the pointer stays there");
  assert.ok((await page.evaluate(() => window.hycome.view().zoom)) > 1.6);
  assert.deepEqual((await measure(page)).distances, start.distances);
});

test("a double click centres a node, and its card shows its details", async () => {
  const { page, problems } = await open("karate-run/disc.html");
  const [x, y] = await page.evaluate(() => window.hycome.pixel(33));
  await page.mouse.dblclick(x, y);
  await settle(page);
  assert.ok(Math.hypot(...(await page.evaluate(() => window.hycome.position(33)))) < 1e-9);
  const card = page.getByRole("region", { name: "Node" });
  for (const words of ["34", "ground truth", "degree", "17", "community", "17 neighbours"]) {
    assert.ok((await card.innerText()).includes(words), words);
  }
  await screenshot(page, "karate-node");
  assert.deepEqual(problems, []);
});

test("a double click inside a contour centres the community", async () => {
  const { page } = await open("karate-run/disc.html");
  const place = await page.evaluate(() => {
    const { gaussians } = window.hycome;
    const nodes = Array.from({ length: window.hycome.nodes }, (_, node) => window.hycome.pixel(node));
    const free = ([x, y]) => nodes.every((node) => Math.hypot(node[0] - x, node[1] - y) > 30);
    const pixels = gaussians.map(({ mean }) => window.hycome.toPixel(mean));
    const k = pixels.findIndex(free);
    return { k, at: pixels[k], mean: gaussians[k].mean };
  });
  await page.mouse.dblclick(...place.at);
  await settle(page);
  const [x, y] = await page.evaluate((mean) => window.hycome.toPixel(mean), place.mean);
  const [cx, cy] = await middle(page);
  assert.ok(Math.hypot(x - cx, y - cy) < 1, "its barycenter is in the middle");
  await page.getByRole("button", { name: `centre community ${1 - place.k}` }).click();
  await settle(page);
  const [ox, oy] = await page.evaluate((mean) => window.hycome.toPixel(mean), place.mean);
  assert.ok(Math.hypot(ox - cx, oy - cy) > 100, "and makes room for another");
});

test("search finds a node by name and centres it", async () => {
  const { page, problems } = await open("karate-run/disc.html");
  await page.keyboard.press("/");
  await page.keyboard.type("34");
  assert.equal(await page.getByRole("option").count(), 1);
  await page.keyboard.press("Enter");
  await settle(page);
  assert.ok(Math.hypot(...(await page.evaluate(() => window.hycome.position(33)))) < 1e-9);
  await page.getByRole("combobox").fill("nobody");
  assert.ok(await page.getByText("no matching node").isVisible());
  assert.deepEqual(problems, []);
});

test("the legend counts communities, names their colours and toggles their visibility", async () => {
  const { page, problems } = await open("karate-run/disc.html");
  const boxes = page.getByRole("region", { name: "Colours" }).getByRole("checkbox");
  assert.equal(await boxes.count(), 2);
  const named = page.getByRole("checkbox", { name: /sky blue circle.*nodes/ });
  assert.equal(await named.count(), 1, "colours are named for screen readers");
  const size = Number((await page.locator(".legend .size").first().innerText()).replace(",", ""));
  await boxes.first().uncheck();
  assert.equal(await page.evaluate(() => window.hycome.visibleNodes()), 34 - size);
  await page.getByRole("button", { name: /none of the/ }).click();
  assert.equal(await page.evaluate(() => window.hycome.visibleNodes()), 0);
  await page.getByRole("button", { name: /show all/ }).click();
  assert.equal(await page.evaluate(() => window.hycome.visibleNodes()), 34);
  assert.deepEqual(problems, []);
});

test("the header counts empty communities, which the legend does not list", async () => {
  hycome("embed", "karate", "-k", "20", "--dim", "2", "--walks", "2", "--restarts", "1", "-o", "twenty", "--quiet");
  const { page } = await open("twenty/disc.html");
  const [, empty] = (await page.locator("header").innerText()).match(/20\s+communities \((\d+)\s+empty\)/);
  assert.ok(Number(empty) > 0);
  assert.equal(await page.locator(".legend li").count(), 20 - Number(empty));
});

test("nodes are coloured by ground truth on demand", async () => {
  const { page } = await open("karate-run/disc.html");
  const key = page.getByRole("region", { name: "Reading guide" });
  assert.match(await key.innerText(), /colour: community[^]*solid circle: 50 % of the community’s mass\s+dashed circle: 90 %/);
  await page.getByText("Ground truth", { exact: true }).click();
  assert.ok(await page.getByRole("checkbox", { name: /Officer/ }).isVisible());
  assert.match(await key.innerText(), /colour: ground truth/);
});

test("hovering highlights a node and its neighbours without a full redraw", async () => {
  const { page } = await open("karate-run/disc.html");
  const before = await page.evaluate(() => window.hycome.renderStats());
  const plain = await page.locator(".stage").screenshot();
  const at = await page.evaluate(() => window.hycome.pixel(0));
  await page.mouse.move(...at);
  await settle(page);
  const { frames, hoverFrames } = await page.evaluate(() => window.hycome.renderStats());
  assert.equal(frames, before.frames, "the layers below are not redrawn");
  assert.equal(hoverFrames, before.hoverFrames + 1);
  assert.ok((await difference(page, plain, await page.locator(".stage").screenshot())) > 0.02, "the rest of the disc is veiled");
  assert.ok((await page.getByRole("region", { name: "Node" }).innerText()).includes("16 neighbours"));
  // Moving within the same node redraws nothing; away from all nodes, the image is restored.
  await page.mouse.move(at[0] + 1, at[1]);
  await page.mouse.move(5, 790);
  await settle(page);
  assert.equal(await difference(page, plain, await page.locator(".stage").screenshot()), 0);
  assert.equal((await page.evaluate(() => window.hycome.renderStats())).frames, before.frames);
});

test("a selected node stays highlighted while others are hovered", async () => {
  const { page } = await open("karate-run/disc.html");
  await page.mouse.click(...(await page.evaluate(() => window.hycome.pixel(33))));
  await page.mouse.move(...(await page.evaluate(() => window.hycome.pixel(0))));
  await settle(page);
  const card = page.getByRole("region", { name: "Node" });
  assert.ok((await card.innerText()).includes("16 neighbours"));
  await page.mouse.move(5, 790);
  await settle(page);
  assert.ok((await card.innerText()).includes("17 neighbours"));
});

test("keys work without focus on the disc, but not in text fields", async () => {
  const { page } = await open("karate-run/disc.html");
  const view = () => page.evaluate(() => window.hycome.view());
  const start = await view();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("n");
  const moved = await view();
  assert.notDeepEqual(moved.center, start.center);
  assert.ok((await page.getByRole("region", { name: "Node" }).innerText()).includes("34"));
  await page.keyboard.press("/");
  await page.keyboard.type("0n+");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Home");
  assert.deepEqual(await view(), moved, "the text field received the keys");
  assert.equal(await page.getByRole("combobox").inputValue(), "0n+");
  await page.getByRole("combobox").blur();
  await page.keyboard.press("Home");
  await settle(page);
  assert.deepEqual(await view(), start);
});

test("keys move, zoom, select and reset", async () => {
  const { page, problems } = await open("karate-run/disc.html");
  const start = await measure(page);
  await page.locator("canvas.overlay").focus();
  for (const key of ["ArrowLeft", "ArrowUp", "+", "n", "n", "p"]) await page.keyboard.press(key);
  await settle(page);
  assert.ok(Math.hypot(...(await page.evaluate(() => window.hycome.view().center))) > 0.05);
  assert.ok((await page.getByRole("region", { name: "Node" }).innerText()).includes("34"), "the hub comes first");
  (await measure(page)).distances.forEach((d, i) => assert.ok(Math.abs(d - start.distances[i]) < 1e-9 * (1 + d)));
  await page.keyboard.press("Escape");
  await page.keyboard.press("0");
  await settle(page);
  assert.deepEqual((await page.evaluate(() => window.hycome.view())).shift.map(Math.abs), [0, 0]);
  assert.deepEqual(problems, []);
});

test("touch: drag, pinch and tap", async () => {
  const { page, problems } = await open("karate-run/disc.html", { hasTouch: true, viewport: { width: 390, height: 844 } });
  const start = await measure(page);
  const [cx, cy] = await middle(page);
  const touch = (type, points) =>
    page.evaluate(
      ([type, points]) => {
        const canvas = document.querySelector("canvas.overlay");
        canvas.setPointerCapture = () => {};
        for (const [id, x, y] of points) {
          canvas.dispatchEvent(new PointerEvent(type, { pointerId: id, clientX: x, clientY: y, pointerType: "touch", bubbles: true }));
        }
      },
      [type, points],
    );
  const zoom = () => page.evaluate(() => window.hycome.view().zoom);
  const before = await zoom();
  await touch("pointerdown", [[1, cx - 40, cy], [2, cx + 40, cy]]);
  for (let i = 1; i <= 8; i++) await touch("pointermove", [[1, cx - 40 - 5 * i, cy], [2, cx + 40 + 5 * i, cy]]);
  await touch("pointerup", [[1, cx - 80, cy], [2, cx + 80, cy]]);
  assert.ok(Math.abs((await zoom()) / before - 2) < 0.05, "twice the distance is twice the size");
  await touch("pointerdown", [[1, cx, cy]]);
  for (let i = 1; i <= 8; i++) await touch("pointermove", [[1, cx + 8 * i, cy]]);
  await touch("pointerup", [[1, cx + 64, cy]]);
  await settle(page);
  const end = await measure(page);
  assert.ok(Math.hypot(end.positions[0][0] - start.positions[0][0], end.positions[0][1] - start.positions[0][1]) > 0.02);
  end.distances.forEach((d, i) => assert.ok(Math.abs(d - start.distances[i]) < 1e-9 * (1 + d)));
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 390, `nothing sticks out of a phone: ${wide}`);
  await screenshot(page, "karate-phone");
  assert.deepEqual(problems, []);
});

test("in a sandboxed frame of a notebook the viewer works and does not trap the wheel", async () => {
  const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };
  const inner = readFileSync(join(folder, "karate-run/disc.html"), "utf8").replace(/[&<>"']/g, (c) => escapes[c]);
  // As `_repr_html_` of the Python package gives it, among other cells.
  const frame = `<iframe srcdoc="${inner}" sandbox="allow-scripts allow-downloads" style="width: 100%; height: 640px; border: 0"></iframe>`;
  writeFileSync(join(folder, "cell.html"), `<!doctype html><p>In [1]: run.plot()</p>${frame}<p style="height: 2000px">In [2]:</p>`);
  const page = await (await (await launch()).newContext({ viewport: { width: 900, height: 800 } })).newPage();
  const problems = [];
  page.on("pageerror", (error) => problems.push(error.message));
  await page.goto(pathToFileURL(join(folder, "cell.html")).href);
  const cell = page.frames().find((frame) => frame !== page.mainFrame());
  await cell.waitForFunction(() => window.hycome?.renderStats().frames > 0);
  await settle(cell);
  const start = await measure(cell);
  const box = await page.locator("iframe").boundingBox();
  const [x, y] = await cell.evaluate(() => window.hycome.pixel(0));
  await drag(page, [box.x + x, box.y + y], [box.x + x - 80, box.y + y + 60]);
  await settle(cell);
  const end = await measure(cell);
  assert.ok(end.positions.every((p, i) => Math.hypot(p[0] - start.positions[i][0], p[1] - start.positions[i][1]) > 0.01));
  end.distances.forEach((d, i) => assert.ok(Math.abs(d - start.distances[i]) < 1e-9 * (1 + d)));
  // The wheel scrolls the notebook; with Ctrl, or after a click into the disc, it zooms.
  const zoom = () => cell.evaluate(() => window.hycome.view().zoom);
  const scrolled = () => page.evaluate(() => scrollY);
  await page.mouse.click(20, 25); // into another cell
  await page.mouse.move(box.x + 300, box.y + 300);
  const before = await zoom();
  await page.mouse.wheel(0, 60);
  await page.waitForFunction(() => scrollY > 0);
  assert.equal(await zoom(), before);
  assert.ok(await cell.locator(".hint.visible").isVisible());
  assert.match(await cell.locator(".hint").innerText(), /^(Ctrl|⌘) \+ scroll to zoom$/);
  await screenshot(page, "cell");
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -60);
  await page.keyboard.up("Control");
  await cell.waitForFunction((before) => window.hycome.view().zoom > before, before);
  await page.mouse.click(box.x + 300, box.y + 300);
  const [clicked, place] = [await zoom(), await scrolled()];
  await page.mouse.wheel(0, -60);
  await cell.waitForFunction((clicked) => window.hycome.view().zoom > clicked, clicked);
  assert.equal(await scrolled(), place);
  assert.deepEqual(problems, []);
});

test("decision regions and predictions of a classifier are drawn", async () => {
  const { page, problems } = await open("model.html", { colorScheme: "dark" });
  await page.getByText("Prediction", { exact: true }).click();
  await settle(page);
  const [cx, cy] = await middle(page);
  const clip = { x: cx - 200, y: cy - 300, width: 400, height: 600 };
  const withRegions = await page.screenshot({ clip });
  await page.getByLabel("Regions").uncheck();
  await settle(page);
  const changed = await difference(page, withRegions, await page.screenshot({ clip }));
  assert.ok(changed > 0.3, `regions cover the disc, but ${changed} of it changed`);
  await screenshot(page, "karate-dark-model");
  assert.deepEqual(problems, []);
});

test("decision regions from a raster are noted and move with the plane", async () => {
  hycome("classify", "karate-run", "--labels", "karate", "--method", "knn", "--save-model", "knn.safetensors");
  hycome("plot", "karate-run", "--graph", "karate", "--model", "knn.safetensors", "-o", "knn.html");
  const { page, problems } = await open("knn.html");
  assert.match(await page.locator(".notes").innerText(), /evaluated on a raster of \d+ × \d+ points/);
  await page.getByText("Prediction", { exact: true }).click();
  for (const name of ["Edges", "Contours", "Names"]) await page.getByLabel(name).uncheck();
  // Next to a node the background has the colour of its class, also after a drag.
  const hues = () =>
    page.evaluate(() => [0, 33].map((node) => window.hycome.pixel(node))).then((places) =>
      Promise.all(places.map(async ([x, y]) => warm(await pixels(page, { x: x - 1, y: y - 26, width: 2, height: 2 })))),
    );
  const warm = ([red, , blue]) => red > blue;
  await settle(page);
  const before = await hues();
  assert.notEqual(before[0], before[1], "the two leaders have their own ground");
  const [cx, cy] = await middle(page);
  await drag(page, [cx, cy], [cx + 60, cy + 150]);
  await settle(page);
  assert.deepEqual(await hues(), before);
  await screenshot(page, "karate-knn");
  assert.deepEqual(problems, []);
});

test("without WebGL the software renderer is used", async () => {
  const { page, problems } = await open("karate-run/disc.html", { hash: "#canvas" });
  assert.equal(await page.evaluate(() => window.hycome.renderStats().renderer), "canvas");
  const start = await measure(page);
  const [cx, cy] = await middle(page);
  await drag(page, [cx, cy], [cx + 120, cy + 60]);
  await settle(page);
  (await measure(page)).distances.forEach((d, i) => assert.ok(Math.abs(d - start.distances[i]) < 1e-9 * (1 + d)));
  await screenshot(page, "karate-canvas");
  assert.deepEqual(problems, []);
  const left = await open("karate-run/disc.html", { hash: "" });
  assert.ok(["webgl", "canvas"].includes(await left.page.evaluate(() => window.hycome.renderStats().renderer)), "the renderer is selected automatically");
  assert.deepEqual(left.problems, []);
});

test("after the loss of the WebGL context the software renderer takes over", async () => {
  const { page, problems } = await open("karate-run/disc.html");
  const before = await page.locator(".stage").screenshot();
  await page.evaluate(() => document.querySelector("canvas.renderer").getContext("webgl2").getExtension("WEBGL_lose_context").loseContext());
  await page.waitForFunction(() => window.hycome.renderStats().renderer === "canvas");
  await settle(page);
  assert.ok((await distance(page, before, await page.locator(".stage").screenshot())) < 1, "the picture stays");
  const start = await measure(page);
  const [cx, cy] = await middle(page);
  await drag(page, [cx, cy], [cx + 90, cy]);
  await settle(page);
  assert.notDeepEqual((await measure(page)).positions, start.positions);
  assert.deepEqual(problems.filter((words) => !words.includes("WebGL")), []);
});

test("both renderers draw the same image", async () => {
  const shots = {};
  for (const kind of ["webgl", "canvas"]) {
    const { page } = await open("karate-run/disc.html", { hash: `#${kind}` });
    shots[kind] = await page.locator(".stage").screenshot();
    await page.getByLabel("Edges").uncheck();
    await settle(page);
    shots[`${kind} without edges`] = await page.locator(".stage").screenshot();
  }
  const { page } = await open("karate-run/disc.html");
  const apart = await distance(page, shots["webgl"], shots["canvas"]);
  const edges = await distance(page, shots["webgl"], shots["webgl without edges"]);
  assert.ok(apart < 0.4 * edges, `they differ by ${apart}, and edges alone make ${edges}`);
  assert.ok((await distance(page, shots["webgl without edges"], shots["canvas without edges"])) < 0.1 * edges, "nodes are the same");
});

test("the software renderer draws every frame of a drag", async () => {
  const { page } = await open("karate-run/disc.html", { hash: "#canvas" });
  const [cx, cy] = await middle(page);
  await page.mouse.move(cx, cy);
  await page.mouse.down();
  const drawn = await page.evaluate(async () => {
    const canvas = document.querySelector("canvas.overlay");
    const box = canvas.getBoundingClientRect();
    const counts = [];
    for (let i = 1; i <= 12; i++) {
      const before = window.hycome.renderStats().frames;
      const [clientX, clientY] = [box.left + box.width / 2 + 9 * i, box.top + box.height / 2];
      canvas.dispatchEvent(new PointerEvent("pointermove", { pointerId: 1, clientX, clientY, pointerType: "mouse", bubbles: true }));
      await new Promise(requestAnimationFrame);
      counts.push(window.hycome.renderStats().frames - before);
      await new Promise((done) => setTimeout(done));
    }
    return counts;
  });
  assert.deepEqual(drawn, new Array(12).fill(1));
});

test("more than two dimensions have a layout, whose faithfulness is stated", async () => {
  hycome("embed", "karate", "--dim", "5", "--walks", "2", "-o", "five", "--quiet");
  const { page, problems } = await open("five/disc.html");
  const notes = await page.locator(".notes").innerText();
  assert.match(await page.locator("header").innerText(), /^karate\n+2-D layout of 5 dimensions: \d+ % of nodes in their community, \d+ % of nearest neighbours kept\n/);
  assert.match(notes, /communities and probabilities are of 5 dimensions/);
  assert.deepEqual(problems, []);
});

test("edges beyond the limit are sampled, with a note", async () => {
  hycome("plot", "karate-run", "--graph", "karate", "--edges", "20", "-o", "thin.html");
  const { page } = await open("thin.html");
  assert.equal(await page.evaluate(() => window.hycome.renderStats().allEdges), 20);
  assert.ok((await page.locator(".notes").innerText()).includes("20 of 78 edges are drawn, a uniform random sample"));
  // Neighbour lists include edges that are not drawn.
  assert.deepEqual(await page.evaluate(() => [window.hycome.neighbors(0).length, window.hycome.neighbors(33).length]), [16, 17]);
  await page.keyboard.press("n");
  assert.match(await page.getByRole("region", { name: "Node" }).innerText(), /17 neighbours$/);
  await page.locator(".card summary").click();
  assert.equal(await page.locator(".card .chip").count(), 17);
  hycome("plot", "karate-run", "-o", "bare.html");
  const bare = await open("bare.html");
  assert.equal(await bare.page.evaluate(() => window.hycome.renderStats().allEdges), 0);
  assert.deepEqual(bare.problems, []);
});

test("all neighbours of a hub are listed on demand", async () => {
  const edges = Array.from({ length: 80 }, (_, i) => `hub leaf${i}\nleaf${i} leaf${(i + 1) % 80}\n`);
  writeFileSync(join(folder, "wheel.edges"), edges.join(""));
  hycome("embed", "wheel.edges", "-k", "2", "--walks", "1", "--restarts", "1", "-o", "wheel", "--quiet");
  const { page, problems } = await open("wheel/disc.html");
  await page.keyboard.press("n");
  await page.locator(".card summary").click();
  assert.match(await page.locator(".card summary").innerText(), /^80 neighbours$/);
  const before = await page.locator(".card .chip").count();
  await page.locator(".card").getByRole("button", { name: `and ${80 - before} more` }).click();
  const names = await page.locator(".card .chip").allInnerTexts();
  assert.equal(new Set(names).size, 80);
  assert.ok(names.every((name) => name.startsWith("leaf")));
  assert.deepEqual(problems, []);
});

test("a history becomes a training animation", async () => {
  hycome("embed", "karate", "--history", "--walks", "2", "-o", "animation", "--quiet");
  const { page, problems } = await open("animation/disc.html");
  const end = await measure(page);
  const slider = page.getByRole("slider", { name: "Training epoch" });
  await slider.fill("0");
  await settle(page);
  const begin = await measure(page);
  const moved = begin.positions.filter((p, i) => Math.hypot(p[0] - end.positions[i][0], p[1] - end.positions[i][1]) > 0.01);
  assert.ok(moved.length > 10, "points were elsewhere at the start");
  await page.getByRole("button", { name: "Play the training animation" }).click();
  await page.waitForFunction(() => /epoch (\d+) of \1$/.test(document.querySelector(".epoch").textContent));
  await settle(page);
  assert.deepEqual((await measure(page)).positions, end.positions, "the animation ends with the result");
  assert.deepEqual(problems, []);
});

test("the animation player does not cover the status", async () => {
  for (const viewport of [{ width: 1200, height: 800 }, { width: 390, height: 844 }]) {
    const { page } = await open("animation/disc.html", { viewport });
    await page.evaluate(() => (document.querySelector(".status").textContent = "moving: about 400 of 1,000 edges drawn"));
    const [status, player, tools] = await Promise.all([".status", ".animation", ".tools"].map((part) => page.locator(part).boundingBox()));
    for (const other of [player, tools]) {
      const apart = status.y + status.height <= other.y || other.y + other.height <= status.y || status.x >= other.x + other.width;
      assert.ok(apart, `${viewport.width}: ${JSON.stringify([status, other])}`);
    }
  }
});
