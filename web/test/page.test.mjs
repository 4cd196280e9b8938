// The page of a trained run, in a real browser.

import assert from "node:assert/strict";
import { writeFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { close, difference, distance, drag, folder, hycome, launch, measure, open, pixels, rest, shot } from "./browser.mjs";

before(async () => {
  hycome("embed", "karate", "--quiet");
  hycome("classify", "karate-run", "--labels", "karate", "--method", "logistic", "--save-model", "m.safetensors");
  hycome("plot", "karate-run", "--graph", "karate", "--model", "m.safetensors", "-o", "model.html");
  await launch();
});

after(close);

/** The middle of the disc on the page. */
async function middle(page) {
  const box = await page.locator("canvas.front").boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

test("embed writes a page that opens without a word in the console and draws nodes in their colours", async () => {
  const { page, heard } = await open("karate-run/disc.html");
  assert.match(await page.title(), /karate/);
  const drawn = await page.evaluate(() => window.hycome.drawn());
  assert.equal(drawn.kind, "webgl");
  assert.deepEqual([drawn.edges, drawn.allEdges], [78, 78]);
  const [x, y] = await page.evaluate(() => window.hycome.pixel(33));
  const seen = await pixels(page, { x: x - 6, y: y - 1, width: 2, height: 2 });
  const colors = ["#57a2dc", "#e8af43"].map((c) => [1, 3, 5].map((i) => parseInt(c.slice(i, i + 2), 16)));
  const near = colors.some((color) => color.every((part, i) => Math.abs(part - seen[i]) < 40));
  assert.ok(near, `a node is blue or amber, but is ${seen.slice(0, 3)}`);
  await shot(page, "karate-light");
  assert.deepEqual(heard, []);
});

test("dragging moves the plane with the pointer and leaves every distance as it was", async () => {
  const { page, heard } = await open("karate-run/disc.html");
  const start = await measure(page);
  const [x, y] = await page.evaluate(() => window.hycome.pixel(0));
  // What was under the pointer stays under it; other nodes move too.
  await drag(page, [x, y], [x - 150, y + 120]);
  await rest(page);
  const end = await measure(page);
  const [nx, ny] = await page.evaluate(() => window.hycome.pixel(0));
  // The first pixels of a drag are still a click.
  assert.ok(Math.hypot(nx - (x - 150), ny - (y + 120)) < 20, `${nx - x}, ${ny - y}`);
  assert.ok(end.positions.every((p, i) => Math.hypot(p[0] - start.positions[i][0], p[1] - start.positions[i][1]) > 0.01));
  end.distances.forEach((d, i) => assert.ok(Math.abs(d - start.distances[i]) < 1e-9 * (1 + d), `${d} was ${start.distances[i]}`));
  await shot(page, "karate-dragged");
  await page.getByRole("button", { name: "Go home" }).click();
  await rest(page);
  const home = await measure(page);
  home.positions.forEach((p, i) => assert.ok(Math.hypot(p[0] - start.positions[i][0], p[1] - start.positions[i][1]) < 1e-12));
  assert.deepEqual(heard, []);
});

test("the wheel zooms around the pointer, and distances stay", async () => {
  const { page } = await open("karate-run/disc.html");
  const start = await measure(page);
  const [x, y] = await page.evaluate(() => window.hycome.pixel(5));
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, -400);
  await rest(page);
  const [nx, ny] = await page.evaluate(() => window.hycome.pixel(5));
  assert.ok(Math.hypot(nx - x, ny - y) < 1, "the place under the pointer stays there");
  assert.ok((await page.evaluate(() => window.hycome.view().zoom)) > 1.6);
  assert.deepEqual((await measure(page)).distances, start.distances);
});

test("a double click brings a node to the centre, and its card tells what is known", async () => {
  const { page, heard } = await open("karate-run/disc.html");
  const [x, y] = await page.evaluate(() => window.hycome.pixel(33));
  await page.mouse.dblclick(x, y);
  await rest(page);
  assert.ok(Math.hypot(...(await page.evaluate(() => window.hycome.position(33)))) < 1e-9);
  const card = page.getByRole("region", { name: "Node" });
  for (const words of ["34", "label", "degree", "17", "community", "17 neighbours"]) {
    assert.ok((await card.innerText()).includes(words), words);
  }
  await shot(page, "karate-node");
  assert.deepEqual(heard, []);
});

test("a double click on a community's ground brings the community to the centre", async () => {
  const { page } = await open("karate-run/disc.html");
  const place = await page.evaluate(() => {
    const { gaussians } = window.hycome;
    const nodes = Array.from({ length: window.hycome.nodes }, (_, node) => window.hycome.pixel(node));
    const free = ([x, y]) => nodes.every((node) => Math.hypot(node[0] - x, node[1] - y) > 30);
    const pixels = gaussians.map(({ mean }) => window.hycome.pixelOf(mean));
    const k = pixels.findIndex(free);
    return { k, at: pixels[k], mean: gaussians[k].mean };
  });
  await page.mouse.dblclick(...place.at);
  await rest(page);
  const [x, y] = await page.evaluate((mean) => window.hycome.pixelOf(mean), place.mean);
  const [cx, cy] = await middle(page);
  assert.ok(Math.hypot(x - cx, y - cy) < 1, "its barycenter is in the middle");
  await page.getByRole("button", { name: `bring community ${1 - place.k} to the centre` }).click();
  await rest(page);
  const [ox, oy] = await page.evaluate((mean) => window.hycome.pixelOf(mean), place.mean);
  assert.ok(Math.hypot(ox - cx, oy - cy) > 100, "and makes room for another");
});

test("a node is found by name and brought to the centre", async () => {
  const { page, heard } = await open("karate-run/disc.html");
  await page.keyboard.press("/");
  await page.keyboard.type("34");
  assert.equal(await page.getByRole("option").count(), 1);
  await page.keyboard.press("Enter");
  await rest(page);
  assert.ok(Math.hypot(...(await page.evaluate(() => window.hycome.position(33)))) < 1e-9);
  await page.getByRole("combobox").fill("nobody");
  assert.ok(await page.getByText("no node has this in its name").isVisible());
  assert.deepEqual(heard, []);
});

test("the legend counts communities, names their colours and shows or hides them", async () => {
  const { page, heard } = await open("karate-run/disc.html");
  const boxes = page.getByRole("region", { name: "Colours" }).getByRole("checkbox");
  assert.equal(await boxes.count(), 2);
  const named = page.getByRole("checkbox", { name: /sky blue circle.*nodes/ });
  assert.equal(await named.count(), 1, "the colour key can be heard");
  const size = Number((await page.locator(".legend .size").first().innerText()).replace(",", ""));
  await boxes.first().uncheck();
  assert.equal(await page.evaluate(() => window.hycome.shown()), 34 - size);
  await page.getByRole("button", { name: /none of the/ }).click();
  assert.equal(await page.evaluate(() => window.hycome.shown()), 0);
  await page.getByRole("button", { name: /show all/ }).click();
  assert.equal(await page.evaluate(() => window.hycome.shown()), 34);
  assert.deepEqual(heard, []);
});

test("nodes are coloured by label on demand", async () => {
  const { page } = await open("karate-run/disc.html");
  const key = page.getByRole("region", { name: "Key" });
  assert.match(await key.innerText(), /colour: community[^]*solid circle: half of the community’s mass\s+dashed circle: 90 %/);
  await page.getByText("Label", { exact: true }).click();
  assert.ok(await page.getByRole("checkbox", { name: /Officer/ }).isVisible());
  assert.match(await key.innerText(), /colour: label/);
});

test("pointing at a node lights its neighbours and tells its name", async () => {
  const { page } = await open("karate-run/disc.html");
  const before = await page.evaluate(() => window.hycome.drawn());
  const plain = await page.locator(".stage").screenshot();
  const at = await page.evaluate(() => window.hycome.pixel(0));
  await page.mouse.move(...at);
  await rest(page);
  const { frames, hovers } = await page.evaluate(() => window.hycome.drawn());
  assert.equal(frames, before.frames, "the picture below is not drawn again");
  assert.equal(hovers, before.hovers + 1);
  assert.ok((await difference(page, plain, await page.locator(".stage").screenshot())) > 0.02, "the rest of the picture is veiled");
  assert.ok((await page.getByRole("region", { name: "Node" }).innerText()).includes("16 neighbours"));
  // Another place of the same node is nothing new; away from all nodes, the picture is as it was.
  await page.mouse.move(at[0] + 1, at[1]);
  await page.mouse.move(5, 790);
  await rest(page);
  assert.equal(await difference(page, plain, await page.locator(".stage").screenshot()), 0);
  assert.equal((await page.evaluate(() => window.hycome.drawn())).frames, before.frames);
});

test("a node that was clicked stays lit while others are pointed at", async () => {
  const { page } = await open("karate-run/disc.html");
  await page.mouse.click(...(await page.evaluate(() => window.hycome.pixel(33))));
  await page.mouse.move(...(await page.evaluate(() => window.hycome.pixel(0))));
  await rest(page);
  const card = page.getByRole("region", { name: "Node" });
  assert.ok((await card.innerText()).includes("16 neighbours"));
  await page.mouse.move(5, 790);
  await rest(page);
  assert.ok((await card.innerText()).includes("17 neighbours"));
});

test("keys work without a click into the disc first, but not while somebody types", async () => {
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
  assert.deepEqual(await view(), moved, "these went to the field");
  assert.equal(await page.getByRole("combobox").inputValue(), "0n+");
  await page.getByRole("combobox").blur();
  await page.keyboard.press("Home");
  await rest(page);
  assert.deepEqual(await view(), start);
});

test("keys move, zoom, choose and go home", async () => {
  const { page, heard } = await open("karate-run/disc.html");
  const start = await measure(page);
  await page.locator("canvas.front").focus();
  for (const key of ["ArrowLeft", "ArrowUp", "+", "n", "n", "p"]) await page.keyboard.press(key);
  await rest(page);
  assert.ok(Math.hypot(...(await page.evaluate(() => window.hycome.view().center))) > 0.05);
  assert.ok((await page.getByRole("region", { name: "Node" }).innerText()).includes("34"), "the hub comes first");
  (await measure(page)).distances.forEach((d, i) => assert.ok(Math.abs(d - start.distances[i]) < 1e-9 * (1 + d)));
  await page.keyboard.press("Escape");
  await page.keyboard.press("0");
  await rest(page);
  assert.deepEqual((await page.evaluate(() => window.hycome.view())).shift.map(Math.abs), [0, 0]);
  assert.deepEqual(heard, []);
});

test("fingers drag, pinch and tap", async () => {
  const { page, heard } = await open("karate-run/disc.html", { hasTouch: true, viewport: { width: 390, height: 844 } });
  const start = await measure(page);
  const [cx, cy] = await middle(page);
  const touch = (type, points) =>
    page.evaluate(
      ([type, points]) => {
        const canvas = document.querySelector("canvas.front");
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
  await rest(page);
  const end = await measure(page);
  assert.ok(Math.hypot(end.positions[0][0] - start.positions[0][0], end.positions[0][1] - start.positions[0][1]) > 0.02);
  end.distances.forEach((d, i) => assert.ok(Math.abs(d - start.distances[i]) < 1e-9 * (1 + d)));
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 390, `nothing sticks out of a phone: ${wide}`);
  await shot(page, "karate-phone");
  assert.deepEqual(heard, []);
});

test("in a cell of a notebook, locked into a frame, the page is drawn and can be dragged", async () => {
  const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };
  const inner = readFileSync(join(folder, "karate-run/disc.html"), "utf8").replace(/[&<>"']/g, (c) => escapes[c]);
  // As `_repr_html_` of the Python package gives it, among other cells.
  const frame = `<iframe srcdoc="${inner}" sandbox="allow-scripts allow-downloads" style="width: 100%; height: 640px; border: 0"></iframe>`;
  writeFileSync(join(folder, "cell.html"), `<!doctype html><p>In [1]: run.plot()</p>${frame}<p style="height: 2000px">In [2]:</p>`);
  const page = await (await (await launch()).newContext({ viewport: { width: 900, height: 800 } })).newPage();
  const heard = [];
  page.on("pageerror", (error) => heard.push(error.message));
  await page.goto(pathToFileURL(join(folder, "cell.html")).href);
  const cell = page.frames().find((frame) => frame !== page.mainFrame());
  await cell.waitForFunction(() => window.hycome?.drawn().frames > 0);
  await rest(cell);
  const start = await measure(cell);
  const box = await page.locator("iframe").boundingBox();
  const [x, y] = await cell.evaluate(() => window.hycome.pixel(0));
  await drag(page, [box.x + x, box.y + y], [box.x + x - 80, box.y + y + 60]);
  await rest(cell);
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
  assert.ok(await cell.locator(".hint.seen").isVisible());
  assert.match(await cell.locator(".hint").innerText(), /^(Ctrl|⌘) \+ scroll to zoom$/);
  await shot(page, "cell");
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -60);
  await page.keyboard.up("Control");
  await cell.waitForFunction((before) => window.hycome.view().zoom > before, before);
  await page.mouse.click(box.x + 300, box.y + 300);
  const [clicked, place] = [await zoom(), await scrolled()];
  await page.mouse.wheel(0, -60);
  await cell.waitForFunction((clicked) => window.hycome.view().zoom > clicked, clicked);
  assert.equal(await scrolled(), place);
  assert.deepEqual(heard, []);
});

test("a classifier's regions are drawn and its predictions are colours", async () => {
  const { page, heard } = await open("model.html", { colorScheme: "dark" });
  await page.getByText("Prediction", { exact: true }).click();
  await rest(page);
  const [cx, cy] = await middle(page);
  const clip = { x: cx - 200, y: cy - 300, width: 400, height: 600 };
  const withRegions = await page.screenshot({ clip });
  await page.getByLabel("Regions").uncheck();
  await rest(page);
  const changed = await difference(page, withRegions, await page.screenshot({ clip }));
  assert.ok(changed > 0.3, `regions cover the disc, but ${changed} of it changed`);
  await shot(page, "karate-dark-model");
  assert.deepEqual(heard, []);
});

test("regions of a classifier without formula are drawn from a raster, which is stated, and move with the plane", async () => {
  hycome("classify", "karate-run", "--labels", "karate", "--method", "knn", "--save-model", "knn.safetensors");
  hycome("plot", "karate-run", "--graph", "karate", "--model", "knn.safetensors", "-o", "knn.html");
  const { page, heard } = await open("knn.html");
  assert.match(await page.locator(".notes").innerText(), /asked on a raster of \d+ × \d+ places/);
  await page.getByText("Prediction", { exact: true }).click();
  for (const name of ["Edges", "Contours", "Names"]) await page.getByLabel(name).uncheck();
  // Beside a node the ground has its colour, also after a drag.
  const hues = () =>
    page.evaluate(() => [0, 33].map((node) => window.hycome.pixel(node))).then((places) =>
      Promise.all(places.map(async ([x, y]) => warm(await pixels(page, { x: x - 1, y: y - 26, width: 2, height: 2 })))),
    );
  const warm = ([red, , blue]) => red > blue;
  await rest(page);
  const before = await hues();
  assert.notEqual(before[0], before[1], "the two leaders have their own ground");
  const [cx, cy] = await middle(page);
  await drag(page, [cx, cy], [cx + 60, cy + 150]);
  await rest(page);
  assert.deepEqual(await hues(), before);
  await shot(page, "karate-knn");
  assert.deepEqual(heard, []);
});

test("a browser without WebGL gets the same picture on a canvas", async () => {
  const { page, heard } = await open("karate-run/disc.html", { hash: "#canvas" });
  assert.equal(await page.evaluate(() => window.hycome.drawn().kind), "canvas");
  const start = await measure(page);
  const [cx, cy] = await middle(page);
  await drag(page, [cx, cy], [cx + 120, cy + 60]);
  await rest(page);
  (await measure(page)).distances.forEach((d, i) => assert.ok(Math.abs(d - start.distances[i]) < 1e-9 * (1 + d)));
  await shot(page, "karate-canvas");
  assert.deepEqual(heard, []);
  const left = await open("karate-run/disc.html", { hash: "" });
  assert.ok(["webgl", "canvas"].includes(await left.page.evaluate(() => window.hycome.drawn().kind)), "it finds out by itself");
  assert.deepEqual(left.heard, []);
});

test("when the GPU is lost, the processor goes on", async () => {
  const { page, heard } = await open("karate-run/disc.html");
  const before = await page.locator(".stage").screenshot();
  await page.evaluate(() => document.querySelector("canvas.marks").getContext("webgl2").getExtension("WEBGL_lose_context").loseContext());
  await page.waitForFunction(() => window.hycome.drawn().kind === "canvas");
  await rest(page);
  assert.ok((await distance(page, before, await page.locator(".stage").screenshot())) < 1, "the picture stays");
  const start = await measure(page);
  const [cx, cy] = await middle(page);
  await drag(page, [cx, cy], [cx + 90, cy]);
  await rest(page);
  assert.notDeepEqual((await measure(page)).positions, start.positions);
  assert.deepEqual(heard.filter((words) => !words.includes("WebGL")), []);
});

test("the processor draws the picture that the GPU would draw", async () => {
  const shots = {};
  for (const kind of ["webgl", "canvas"]) {
    const { page } = await open("karate-run/disc.html", { hash: `#${kind}` });
    shots[kind] = await page.locator(".stage").screenshot();
    await page.getByLabel("Edges").uncheck();
    await rest(page);
    shots[`${kind} without edges`] = await page.locator(".stage").screenshot();
  }
  const { page } = await open("karate-run/disc.html");
  const apart = await distance(page, shots["webgl"], shots["canvas"]);
  const edges = await distance(page, shots["webgl"], shots["webgl without edges"]);
  assert.ok(apart < 0.4 * edges, `they differ by ${apart}, and edges alone make ${edges}`);
  assert.ok((await distance(page, shots["webgl without edges"], shots["canvas without edges"])) < 0.1 * edges, "nodes are the same");
});

test("on a canvas, every frame of the browser has a picture of where the plane is", async () => {
  const { page } = await open("karate-run/disc.html", { hash: "#canvas" });
  const [cx, cy] = await middle(page);
  await page.mouse.move(cx, cy);
  await page.mouse.down();
  const drawn = await page.evaluate(async () => {
    const canvas = document.querySelector("canvas.front");
    const box = canvas.getBoundingClientRect();
    const counts = [];
    for (let i = 1; i <= 12; i++) {
      const before = window.hycome.drawn().frames;
      const [clientX, clientY] = [box.left + box.width / 2 + 9 * i, box.top + box.height / 2];
      canvas.dispatchEvent(new PointerEvent("pointermove", { pointerId: 1, clientX, clientY, pointerType: "mouse", bubbles: true }));
      await new Promise(requestAnimationFrame);
      counts.push(window.hycome.drawn().frames - before);
      await new Promise((done) => setTimeout(done));
    }
    return counts;
  });
  assert.deepEqual(drawn, new Array(12).fill(1));
});

test("more than two dimensions are projected, and the page says how much it keeps", async () => {
  hycome("embed", "karate", "--dim", "5", "--walks", "2", "-o", "five", "--quiet");
  const { page, heard } = await open("five/disc.html");
  const notes = await page.locator(".notes").innerText();
  assert.match(await page.locator("header").innerText(), /^karate\n+2-D view keeps \d+ % of the spread in 5 dimensions\n/);
  assert.match(notes, /Projected from 5 dimensions to the two principal geodesics, which keep \d+ % of the spread/);
  assert.deepEqual(heard, []);
});

test("edges beyond the limit are left out by a rule that the page states", async () => {
  hycome("plot", "karate-run", "--graph", "karate", "--edges", "20", "-o", "thin.html");
  const { page } = await open("thin.html");
  assert.equal(await page.evaluate(() => window.hycome.drawn().allEdges), 20);
  assert.ok((await page.locator(".notes").innerText()).includes("20 of 78 edges are shown, drawn at random"));
  // Also neighbours whose edges are not drawn are known.
  assert.deepEqual(await page.evaluate(() => [window.hycome.neighbors(0).length, window.hycome.neighbors(33).length]), [16, 17]);
  await page.keyboard.press("n");
  assert.match(await page.getByRole("region", { name: "Node" }).innerText(), /17 neighbours$/);
  await page.locator(".card summary").click();
  assert.equal(await page.locator(".card .chip").count(), 17);
  hycome("plot", "karate-run", "-o", "bare.html");
  const bare = await open("bare.html");
  assert.equal(await bare.page.evaluate(() => window.hycome.drawn().allEdges), 0);
  assert.deepEqual(bare.heard, []);
});

test("a training that was kept is a film", async () => {
  hycome("embed", "karate", "--history", "--walks", "2", "-o", "film", "--quiet");
  const { page, heard } = await open("film/disc.html");
  const end = await measure(page);
  const slider = page.getByRole("slider", { name: "Epoch of the training" });
  await slider.fill("0");
  await rest(page);
  const begin = await measure(page);
  const moved = begin.positions.filter((p, i) => Math.hypot(p[0] - end.positions[i][0], p[1] - end.positions[i][1]) > 0.01);
  assert.ok(moved.length > 10, "points were elsewhere at the start");
  await page.getByRole("button", { name: "Play the training" }).click();
  await page.waitForFunction(() => /epoch (\d+) of \1$/.test(document.querySelector(".epoch").textContent));
  await rest(page);
  assert.deepEqual((await measure(page)).positions, end.positions, "the film ends with the result");
  assert.deepEqual(heard, []);
});

test("the film covers nothing that the page says", async () => {
  for (const viewport of [{ width: 1200, height: 800 }, { width: 390, height: 844 }]) {
    const { page } = await open("film/disc.html", { viewport });
    await page.evaluate(() => (document.querySelector(".status").textContent = "moving: about 400 of 1,000 edges drawn"));
    const [status, film, tools] = await Promise.all([".status", ".film", ".tools"].map((part) => page.locator(part).boundingBox()));
    for (const other of [film, tools]) {
      const apart = status.y + status.height <= other.y || other.y + other.height <= status.y || status.x >= other.x + other.width;
      assert.ok(apart, `${viewport.width}: ${JSON.stringify([status, other])}`);
    }
  }
});

test("hostile names are shown as text and run nothing", async () => {
  const hostile = [
    "</script><script>window.pwned=1</script>",
    "<img/src=x/onerror=window.pwned=2>",
    "\"'><svg/onload=window.pwned=3>",
    "<!--<script>",
    "]]>&lt;b&gt;&amp;",
    "javascript:window.pwned=4",
    "👩‍👩‍👧‍👦🏳️‍🌈",
    "\u202eevil\u2066gnp.exe",
    "عربي‏עברית",
    "x".repeat(10_000),
    "\u2028\u2029\u0007\u001b[31m",
    "${window.pwned=5}{{constructor}}",
  ].map((name) => name.replace(/\s/gu, "\u00a0"));
  const lines = hostile.map((name, i) => `${name} ${hostile[(i + 1) % hostile.length]}`);
  lines.push(`${hostile[0]} ${hostile[5]}`);
  writeFileSync(join(folder, "</title><b>bad.txt".replace("/", "")), lines.join("\n"));
  hycome("embed", "<title><b>bad.txt", "-k", "2", "--walks", "2", "-o", "bad", "--quiet");
  const html = readFileSync(join(folder, "bad/disc.html"), "utf8");
  assert.match(html, /Content-Security-Policy/);
  assert.equal(html.match(/<script/g).length, 2, "the scene and the page's own script");
  const { page, heard } = await open("bad/disc.html");
  await page.locator("canvas.front").focus();
  for (let i = 0; i < hostile.length; i++) await page.keyboard.press("n");
  await page.getByRole("combobox").fill("script");
  await page.getByRole("combobox").press("Enter");
  await rest(page);
  assert.ok((await page.getByRole("region", { name: "Node" }).innerText()).includes("<"), "the name is shown as it is");
  assert.equal(await page.evaluate(() => window.pwned), undefined);
  assert.equal(await page.locator("img, svg, b").count(), 0);
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 1200);
  await shot(page, "hostile");
  assert.deepEqual(heard, []);
});

test("a browser that cannot decompress the data, and data that was cut, get a sentence", async () => {
  const html = readFileSync(join(folder, "karate-run/disc.html"), "utf8");
  writeFileSync(join(folder, "cut.html"), html.replace(/(id="scene">.{200})[^<]*/, "$1"));
  for (const [file, old, words] of [["karate-run/disc.html", true, /needs a browser that can decompress/], ["cut.html", false, /is damaged/]]) {
    const page = await (await (await launch()).newContext()).newPage();
    const heard = [];
    page.on("pageerror", (error) => heard.push(error.message));
    if (old) await page.addInitScript(() => delete window.DecompressionStream);
    await page.goto(pathToFileURL(join(folder, file)).href);
    assert.match(await page.getByRole("alert").innerText(), words);
    assert.deepEqual(heard, []);
  }
});

test("the policy of the page lets no other script run", async () => {
  const { page } = await open("karate-run/disc.html");
  const ran = await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "window.pwned = 1";
    document.body.append(script);
    return window.pwned;
  });
  assert.equal(ran, undefined);
});
