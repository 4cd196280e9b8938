// Untrusted input: hostile names, damaged pages and foreign scripts.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { close, folder, hycome, launch, open, screenshot, settle } from "./browser.mjs";

before(async () => {
  hycome("embed", "karate", "-o", "karate-run", "--quiet");
  await launch();
});

after(close);

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
  const { page, problems } = await open("bad/disc.html");
  await page.locator("canvas.overlay").focus();
  for (let i = 0; i < hostile.length; i++) await page.keyboard.press("n");
  await page.getByRole("combobox").fill("script");
  await page.getByRole("combobox").press("Enter");
  await settle(page);
  assert.ok((await page.getByRole("region", { name: "Node" }).innerText()).includes("<"), "the name is shown as it is");
  assert.equal(await page.evaluate(() => window.pwned), undefined);
  assert.equal(await page.locator("img, svg, b").count(), 0);
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 1200);
  await screenshot(page, "hostile");
  assert.deepEqual(problems, []);
});

test("names with joiners are shown unchanged", async () => {
  // In a browser, because its regular expressions may differ from those of Node.
  const names = ["می\u200cخواهم", "क्\u200dष", "👨\u200d💻", "👩🏽\u200d🚀", "👩\u200d❤️\u200d👨", "🏳️\u200d🌈"];
  writeFileSync(join(folder, "joined.edges"), names.map((name, i) => `${name} ${names[(i + 1) % names.length]}\n`).join(""));
  hycome("embed", "joined.edges", "-k", "2", "--walks", "1", "--restarts", "1", "-o", "joined", "--quiet");
  const { page, problems } = await open("joined/disc.html");
  const shown = [];
  for (const _ of names) {
    await page.keyboard.press("n");
    shown.push(await page.locator(".card .title").innerText());
  }
  assert.deepEqual(shown.sort(), names.sort());
  assert.deepEqual(problems, []);
});

test("old browsers and damaged data get an error message", async () => {
  const html = readFileSync(join(folder, "karate-run/disc.html"), "utf8");
  writeFileSync(join(folder, "cut.html"), html.replace(/(id="scene">.{200})[^<]*/, "$1"));
  for (const [file, old, words] of [["karate-run/disc.html", true, /needs a browser that supports DecompressionStream/], ["cut.html", false, /is damaged/]]) {
    const page = await (await (await launch()).newContext()).newPage();
    const problems = [];
    page.on("pageerror", (error) => problems.push(error.message));
    if (old) await page.addInitScript(() => delete window.DecompressionStream);
    await page.goto(pathToFileURL(join(folder, file)).href);
    assert.match(await page.getByRole("alert").innerText(), words);
    assert.deepEqual(problems, []);
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
