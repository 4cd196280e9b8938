// Printing.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { close, difference, hycome, launch, open, settle } from "./browser.mjs";

const SCREENSHOTS = join(dirname(fileURLToPath(import.meta.url)), "shots");

before(async () => {
  // Must precede the run named football, which would shadow the graph of this name.
  hycome("embed", "football", "-k", "90", "--walks", "1", "--restarts", "1", "-o", "ninety", "--quiet");
  hycome("embed", "football", "--dim", "2", "--walks", "2", "--restarts", "1", "--history", "-o", "football", "--quiet");
  await launch();
});

after(close);

/** Number of pages of a PDF. */
function pages(pdf) {
  return pdf.toString("latin1").match(/\/Type\s*\/Page\b/g).length;
}

for (const landscape of [false, true]) {
  const name = landscape ? "landscape" : "portrait";
  for (const hash of ["#canvas", "#webgl"]) {
    test(`A4 ${name} is one page with a round disc, ${hash.slice(1)} renderer`, async () => {
      const { page, problems } = await open("football/disc.html", { colorScheme: "dark", hash });
      await page.keyboard.press("n");
      await settle(page);
      const before = await page.screenshot();
      const pdf = await page.pdf({ format: "A4", landscape, preferCSSPageSize: false });
      mkdirSync(SCREENSHOTS, { recursive: true });
      writeFileSync(join(SCREENSHOTS, `football-${name}-${hash.slice(1)}.pdf`), pdf);
      assert.equal(pages(pdf), 1);
      await settle(page);
      assert.equal(await page.locator(".print-image").count(), 0, "the screen layout is restored");
      assert.ok((await difference(page, before, await page.screenshot())) < 1e-3);
      assert.deepEqual(problems, []);
    });

    test(`A4 ${name} has title, disc, legend and reading guide and no controls, ${hash.slice(1)} renderer`, async () => {
      // The content of A4 within its margins, in pixels.
      const size = landscape ? { width: 1032, height: 703 } : { width: 703, height: 1032 };
      const { page } = await open("football/disc.html", { colorScheme: "dark", hash, viewport: size });
      await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
      await page.emulateMedia({ media: "print" });
      const sheet = await page.evaluate(() => {
        const canvas = document.querySelector(".print-image");
        const box = canvas.getBoundingClientRect();
          const style = getComputedStyle(canvas);
        const context = canvas.getContext("2d");
        const [w, h] = [canvas.width, canvas.height];
        const { data } = context.getImageData(0, h / 2, w, 1);
        const column = context.getImageData(w / 2, 0, 1, h).data;
        const inked = (bytes) => Array.from({ length: bytes.length / 4 }, (_, i) => i).filter((i) => bytes[4 * i] < 215);
        const spread = (bytes) => inked(bytes).at(-1) - inked(bytes)[0];
        return { fit: style.objectFit, w, h, box: [box.left, box.top, box.right, box.bottom], across: spread(data), down: spread(column), corner: [...context.getImageData(5, 5, 1, 1).data] };
      });
      assert.equal(sheet.fit, "contain");
      assert.equal(sheet.w, sheet.h);
      assert.ok(sheet.w >= 2000, "300 dpi");
      assert.ok(Math.abs(sheet.across / sheet.down - 1) < 0.03, `the disc is round: ${sheet.across} by ${sheet.down}`);
      assert.deepEqual(sheet.corner, [255, 255, 255, 255], "the background is white, also in the dark theme");
      assert.ok(Math.min(sheet.box[2] - sheet.box[0], sheet.box[3] - sheet.box[1]) > 0.62 * Math.min(size.width, size.height), `the disc is large: ${sheet.box}`);
      assert.ok(sheet.box[2] <= size.width + 1 && sheet.box[3] <= size.height + 1, `it is on the page: ${sheet.box}`);
      for (const part of ["h1", ".legend", ".guide", ".print-image"]) {
        const box = await page.locator(part).boundingBox();
        assert.ok(box && box.y >= 0 && box.y + box.height <= size.height, `${part}: ${JSON.stringify(box)}`);
      }
      for (const part of ["button", "input", ".animation", ".card", ".search", "canvas.overlay"]) {
        assert.equal(await page.locator(part).filter({ visible: true }).count(), 0, part);
      }
      assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "light");
      assert.equal(await page.locator(".legend .swatch").first().evaluate((swatch) => getComputedStyle(swatch).printColorAdjust), "exact");
      await page.evaluate(() => dispatchEvent(new Event("afterprint")));
      assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
    });
  }
}

for (const landscape of [false, true]) {
  const name = landscape ? "landscape" : "portrait";
  test(`on A4 ${name} a long legend does not overlap the reading guide, and omitted rows are counted`, async () => {
    const size = landscape ? { width: 1032, height: 703 } : { width: 703, height: 1032 };
    const { page } = await open("ninety/disc.html", { hash: "#canvas", viewport: size });
    const all = await page.locator(".legend label").count();
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.locator(".legend label").filter({ visible: true }).count(), 42);
    assert.equal(await page.locator(".legend .printed").innerText(), `and ${all - 42} more`);
    const [legend, key, sheet] = await Promise.all([".legend", ".guide", ".print-image"].map((part) => page.locator(part).boundingBox()));
    const rows = await page.locator(".legend li").filter({ visible: true }).evaluateAll((all) => all.map((one) => one.getBoundingClientRect().bottom));
    assert.ok(Math.max(...rows) <= (landscape ? key.y : size.height), `${Math.max(...rows)}: ${JSON.stringify([legend, key])}`);
    assert.ok(landscape ? legend.x + legend.width <= sheet.x : sheet.y + sheet.height <= legend.y, JSON.stringify([legend, sheet]));
    assert.ok(Math.min(sheet.width, sheet.height) > 0.5 * Math.min(size.width, size.height), JSON.stringify(sheet));
  });
}
