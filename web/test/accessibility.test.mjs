// Accessibility: axe-core, target sizes, and help texts for touch devices.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { close, hycome, launch, open, settle, screenshot } from "./browser.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const DESKTOP = { viewport: { width: 1200, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

before(async () => {
  hycome("embed", "football", "--walks", "2", "--restarts", "1", "--history", "-o", "football", "--quiet");
  await launch();
});

after(close);

/** Serious findings of axe-core, including best practices and experimental rules. */
async function findings(page) {
  await page.evaluate(AXE);
  const results = await page.evaluate(() => window.axe.run(document, { rules: { "label-content-name-mismatch": { enabled: true }, "target-size": { enabled: true } } }));
  return results.violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 150)} ${failureSummary}`));
}

for (const [device, options] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
  for (const colorScheme of ["light", "dark"]) {
    test(`axe-core has no serious findings, ${device}, ${colorScheme}`, async () => {
      const { page, problems } = await open("football/disc.html", { ...options, colorScheme, bypassCSP: true });
      assert.deepEqual(await findings(page), []);
      await page.keyboard.press("n");
      await page.locator("details").evaluateAll((all) => all.forEach((details) => (details.open = true)));
      await settle(page);
      await screenshot(page, `football-${device}-${colorScheme}`);
      assert.deepEqual(await findings(page), [], "with a selected node and all details open");
      assert.deepEqual(problems, []);
    });
  }
}

test("axe-core has no serious findings while searching", async () => {
  const { page } = await open("football/disc.html", { ...DESKTOP, bypassCSP: true });
  const search = page.getByRole("combobox");
  for (const [query, options, message] of [
    ["Navy", 1, ""],
    ["s", 8, /^and \d+ more$/],
    ["no such node", 0, "no matching node"],
  ]) {
    await search.fill(query);
    assert.equal(await page.getByRole("option").count(), options, query);
    assert.match((await page.locator(".search .message").innerText()).trim(), new RegExp(message), query);
    assert.equal(await search.getAttribute("aria-expanded"), String(options > 0), query);
    assert.deepEqual(await findings(page), [], query);
  }
});

test("on a phone, targets are at least 24 pixels and help texts describe gestures", async () => {
  const { page } = await open("football/disc.html", PHONE);
  await page.locator("details").evaluateAll((all) => all.forEach((details) => (details.open = true)));
  const small = await page.locator("button, input, summary, a").evaluateAll((all) =>
    all
      .map((one) => (one.type === "radio" ? one.closest("label") : one))
      .map((one) => ({ html: one.outerHTML.slice(0, 120), box: one.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && (box.width < 24 || box.height < 24))
      .map(({ html, box }) => `${box.width} x ${box.height}: ${html}`),
  );
  assert.deepEqual(small, []);
  const words = await page.locator(".panel").innerText();
  assert.match(words, /Tap a node/);
  assert.doesNotMatch(words, /click|wheel|Shift \+/i);
});

test("the animation player does not cover the disc", async () => {
  for (const options of [DESKTOP, PHONE]) {
    const { page } = await open("football/disc.html", options);
    const [canvas, animation] = await Promise.all(["canvas.overlay", ".animation"].map((part) => page.locator(part).boundingBox()));
    assert.ok(canvas.y + canvas.height <= animation.y, `${JSON.stringify([canvas, animation])}`);
  }
});
