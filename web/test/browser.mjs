// Test fixture: a headless Chromium with a fresh profile, and a record of errors, console messages and requests.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const here = dirname(fileURLToPath(import.meta.url));
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const HYCOME = process.env.HYCOME ?? join(here, "../../target/debug/hycome");
const SCREENSHOTS = join(here, "shots");

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--enable-unsafe-swiftshader",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

for (const [program, hint] of [
  [CHROMIUM, "install Debian's package chromium, or name another in CHROMIUM"],
  [HYCOME, "run `cargo build`, or name another in HYCOME"],
]) {
  if (!existsSync(program)) throw new Error(`${program}: not found, but the browser tests need it; ${hint}`);
}

/** Temporary folder, removed at exit. */
export const folder = mkdtempSync(join(tmpdir(), "hycome-page-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

/** Runs hycome in the temporary folder. */
export function hycome(...args) {
  return execFileSync(HYCOME, args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

let browser = null;

export async function launch() {
  browser ??= await chromium.launch({ executablePath: CHROMIUM, args: FLAGS, headless: true });
  return browser;
}

export async function close() {
  await browser?.close();
  browser = null;
}

/** Opens a page of the temporary folder, by default with WebGL even in software, and waits for its first frame; `problems` records unexpected events. */
export async function open(file, { hash = "#webgl", ...options } = {}) {
  const context = await (await launch()).newContext({ viewport: { width: 1200, height: 800 }, ...options });
  const page = await context.newPage();
  const problems = [];
  page.on("console", (message) => {
    // A performance message of the software renderer, not of the page.
    if (!message.text().includes("GPU stall due to ReadPixels")) problems.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  const address = pathToFileURL(join(folder, file)).href;
  page.on("request", (request) => {
    if (request.url().split("#")[0] !== address && !request.url().startsWith("blob:")) problems.push(`request: ${request.url()}`);
  });
  await page.goto(address + hash);
  await page.waitForFunction(() => window.hycome?.renderStats().frames > 0);
  await settle(page);
  return { page, problems };
}

/** Waits until no more frames are drawn. */
export async function settle(page) {
  await page.evaluate(async () => {
    const next = () => new Promise((done) => setTimeout(done, 200));
    for (let before = -1; before !== window.hycome.renderStats().frames; await next()) before = window.hycome.renderStats().frames;
  });
}

export async function screenshot(page, name) {
  mkdirSync(SCREENSHOTS, { recursive: true });
  return page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
}

/** Presses the mouse at one pixel and releases it at another. */
export async function drag(page, from, to, steps = 12) {
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(...to, { steps });
  await page.mouse.up();
}

/** Positions of nodes, and distances of some pairs. */
export function measure(page) {
  return page.evaluate(() => {
    const n = window.hycome.nodes;
    const pairs = Array.from({ length: 60 }, (_, i) => [(7 * i) % n, (13 * i + 1) % n]);
    return {
      distances: pairs.map(([u, v]) => window.hycome.distance(u, v)),
      positions: Array.from({ length: Math.min(n, 50) }, (_, node) => window.hycome.position(node)),
    };
  });
}

/** RGBA values of a part of the page. */
export async function pixels(page, clip) {
  return decode(page, [await page.screenshot({ clip })], "(one) => Array.from(one)");
}

/** Share of values that differ between two screenshots. */
export function difference(page, one, other) {
  return decode(page, [one, other], "(one, other) => one.filter((value, i) => Math.abs(value - other[i]) > 3).length / one.length");
}

/** Mean absolute difference of two screenshots, 0 to 255. */
export function distance(page, one, other) {
  return decode(page, [one, other], "(one, other) => one.reduce((sum, value, i) => sum + Math.abs(value - other[i]), 0) / one.length");
}

/** Decodes screenshots in the browser and applies a function to their pixels. */
function decode(page, shots, use) {
  const reader = `(async (shots) => {
    const read = async (data) => {
      const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
      context.drawImage(image, 0, 0);
      return context.getImageData(0, 0, image.width, image.height).data;
    };
    return (${use})(...(await Promise.all(shots.map(read))));
  })`;
  return page.evaluate(`${reader}(${JSON.stringify(shots.map((shot) => shot.toString("base64")))})`);
}
