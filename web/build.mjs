// Builds the viewer: one HTML file with inlined script and style, and a Content-Security-Policy that allows only these.
//
//   node build.mjs            writes ../crates/hycome/src/plot/page/page.html
//   node build.mjs --check    fails if that file is out of date

import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "../crates/hycome/src/plot/page/page.html");

async function bundle(entry) {
  const result = await build({
    entryPoints: [join(here, "src", entry)],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2021",
    charset: "ascii",
    legalComments: "none",
  });
  return result.outputFiles[0].text.trim();
}

const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

async function page() {
  const [template, script, style] = await Promise.all([
    readFile(join(here, "src/page.html"), "utf8"),
    bundle("main.ts"),
    bundle("page.css"),
  ]);
  const policy = [
    "default-src 'none'",
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
    "img-src data: blob:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const parts = { POLICY: policy, STYLE: style, SCRIPT: script };
  // A replacement function, as `$` is special in replacement strings.
  return template.replace(/\{\{(POLICY|STYLE|SCRIPT)\}\}/g, (_, part) => parts[part]);
}

const built = await page();
if (process.argv.includes("--check")) {
  const committed = await readFile(target, "utf8").catch(() => "");
  if (committed !== built) {
    console.error("web: crates/hycome/src/plot/page/page.html is out of date; run `npm run build` in web/ and commit it");
    process.exit(1);
  }
  console.log(`web: page.html is up to date, ${(built.length / 1024).toFixed(0)} KiB`);
} else {
  await writeFile(target, built);
  console.log(`web: wrote page.html, ${(built.length / 1024).toFixed(0)} KiB`);
}
