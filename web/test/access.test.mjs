// Whether everybody can use the page: axe-core finds nothing serious, fingers find their targets, words fit the device.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { close, hycome, launch, open, rest, shot } from "./browser.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const DESKTOP = { viewport: { width: 1200, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

before(async () => {
  hycome("embed", "football", "--walks", "2", "--starts", "1", "--history", "-o", "football", "--quiet");
  await launch();
});

after(close);

/** What axe-core finds, as lines of text; best practices and experimental rules included. */
async function findings(page) {
  await page.evaluate(AXE);
  const results = await page.evaluate(() => window.axe.run(document, { rules: { "label-content-name-mismatch": { enabled: true }, "target-size": { enabled: true } } }));
  return results.violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 150)} ${failureSummary}`));
}

for (const [device, options] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
  for (const colorScheme of ["light", "dark"]) {
    test(`axe-core finds nothing serious, ${device}, ${colorScheme}`, async () => {
      const { page, heard } = await open("football/disc.html", { ...options, colorScheme, bypassCSP: true });
      assert.deepEqual(await findings(page), []);
      await page.keyboard.press("n");
      await page.locator("details").evaluateAll((all) => all.forEach((details) => (details.open = true)));
      await rest(page);
      await shot(page, `football-${device}-${colorScheme}`);
      assert.deepEqual(await findings(page), [], "with a node chosen and everything open");
      assert.deepEqual(heard, []);
    });
  }
}

test("on a phone, targets are 24 pixels or more and the words are about tapping", async () => {
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

test("the slider of the film covers nothing of the disc", async () => {
  for (const options of [DESKTOP, PHONE]) {
    const { page } = await open("football/disc.html", options);
    const [canvas, film] = await Promise.all(["canvas.front", ".film"].map((part) => page.locator(part).boundingBox()));
    assert.ok(canvas.y + canvas.height <= film.y, `${JSON.stringify([canvas, film])}`);
  }
});
