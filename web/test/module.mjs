// Loads a module of the viewer in Node, for tests without a browser.

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const sources = join(dirname(fileURLToPath(import.meta.url)), "../src");

export async function load(file) {
  const { outputFiles } = await build({ entryPoints: [join(sources, file)], bundle: true, write: false, format: "esm" });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}
