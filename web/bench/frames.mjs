// How smoothly pages move: a mouse drags them in a real browser, or points at their nodes, and the pictures that are drawn are counted.
//
//   npm run frames -- -o ../docs/frames.md      measures and writes the report; without -o it is printed
//
// HYCOME names the command, HYCOME_DATA where the graph DBLP lies (`hycome datasets get dblp` fetches it). A test asks whether the
// page is right; this asks how quick it is, and is nobody's test, for it depends on the machine and on who else uses it.

import { writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { close, hycome, launch, open } from "../test/browser.mjs";

/** How long the mouse drags, and how often it reports where it is, as most mice do. */
const SECONDS = 6;
const REPORTS_PER_SECOND = 125;

/** The mouse goes round in circles of this radius in pixels, so many times a second, which is brisk. */
const RADIUS = 150;
const TURNS_PER_SECOND = 0.8;

/** Drags of each page; one alone may be lucky. */
const DRAGS = 5;

const VIEWPORT = { width: 1200, height: 800 };

/** The first has next to nothing to draw: what it reaches is what browser and machine can do. */
const GRAPHS = [
  { name: "karate", file: "karate/disc.html", make: () => hycome("embed", "karate", "-o", "karate", "--quiet") },
  { name: "DBLP", file: "dblp/disc.html", make: () => hycome("embed", "dblp", "-o", "dblp", "--walks", "2", "--quiet") },
  { name: "LFR, generated", file: "lfr/disc.html", make: makeLarge },
];

const LARGE = 100_000;

function makeLarge() {
  const sizes = ["--min-community", "2000", "--max-community", "10000"];
  hycome("generate", "lfr", "-n", String(LARGE), ...sizes, "-o", "lfr.edges");
  hycome("embed", "lfr.edges", "-k", "20", "--walks", "1", "--walk-length", "10", "-o", "lfr", "--quiet");
}

/** Drags, or only points, for some seconds; the time of each picture that was drawn, and the edges in it. */
async function move(page, pressed) {
  const box = await page.locator("canvas.front").boundingBox();
  const middle = [box.x + box.width / 2, box.y + box.height / 2];
  const place = (seconds) => {
    const angle = 2 * Math.PI * TURNS_PER_SECOND * seconds;
    return [middle[0] + RADIUS * Math.sin(angle), middle[1] + RADIUS * (1 - Math.cos(angle)) - RADIUS];
  };
  await page.mouse.move(...place(0));
  if (pressed) await page.mouse.down();
  await page.evaluate(() => {
    const record = (window.record = { times: [], edges: [], going: true });
    let before = -1;
    const tick = (now) => {
      const { frames, hovers, edges } = window.hycome.drawn();
      const pictures = frames + hovers;
      if (pictures !== before) {
        record.times.push(now);
        record.edges.push(edges);
      }
      before = pictures;
      if (record.going) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  // The mouse waits for nobody: a page that is slow gets its reports together. They are sent the shortest way, as sending costs time too.
  const session = await page.context().newCDPSession(page);
  const start = performance.now();
  const reports = [];
  for (let i = 1; i <= SECONDS * REPORTS_PER_SECOND; i++) {
    const due = (1000 * i) / REPORTS_PER_SECOND;
    await new Promise((done) => setTimeout(done, Math.max(0, start + due - performance.now())));
    const [x, y] = place(due / 1000);
    reports.push(session.send("Input.dispatchMouseEvent", { type: "mouseMoved", x, y, ...(pressed ? { button: "left", buttons: 1 } : {}) }));
  }
  await Promise.all(reports);
  const record = await page.evaluate(() => {
    window.record.going = false;
    return window.record;
  });
  if (pressed) await page.mouse.up();
  return record;
}

/** Seconds of processor that the browser has used so far, all its processes together. */
async function processor() {
  const session = await (await launch()).newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

const quantile = (values, share) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))];

async function measure({ name, file }, kind, act) {
  const { page, heard } = await open(file, { hash: `#${kind}`, viewport: VIEWPORT });
  const { kind: drawnBy, allEdges } = await page.evaluate(() => window.hycome.drawn());
  const nodes = await page.evaluate(() => window.hycome.nodes);
  const load = loadavg()[0];
  const before = await processor();
  const { times, edges } = await move(page, act === "dragging");
  const used = (await processor()) - before;
  const intervals = times.slice(1).map((time, i) => time - times[i]);
  const moved = intervals.reduce((sum, interval) => sum + interval, 0) / 1000;
  await page.context().close();
  if (heard.length > 0) throw new Error(`${name}: ${heard}`);
  const milliseconds = (value) => value.toFixed(1);
  return [
    name,
    nodes.toLocaleString("en"),
    allEdges.toLocaleString("en"),
    drawnBy,
    act,
    (intervals.length / moved).toFixed(1),
    milliseconds(quantile(intervals, 0.5)),
    milliseconds(quantile(intervals, 0.95)),
    milliseconds(quantile(intervals, 0.99)),
    milliseconds((1000 * used) / times.length),
    quantile(edges, 0.5).toLocaleString("en"),
    load.toFixed(2),
  ];
}

/** The middle one of several drags by pictures per second, and from where to where these went. */
async function median(graph, kind, act) {
  const drags = [];
  for (let i = 0; i < DRAGS; i++) drags.push(await measure(graph, kind, act));
  const speed = (cells) => Number(cells[5]);
  drags.sort((a, b) => speed(a) - speed(b));
  return [...drags[(DRAGS - 1) / 2], `${drags[0][5]} to ${drags.at(-1)[5]}`];
}

async function report() {
  const rows = [];
  for (const graph of GRAPHS) {
    graph.make();
    for (const kind of graph === GRAPHS[0] ? ["canvas"] : ["canvas", "webgl"]) {
      for (const act of ["dragging", "pointing"]) rows.push(await median(graph, kind, act));
    }
  }
  const browser = (await launch()).version();
  const head = ["graph", "nodes", "edges", "drawn by", "mouse", "pictures per second", "median, ms", "95 %, ms", "99 %, ms", "processor, ms", "edges while moving", "load before", `of ${DRAGS} drags`];
  const line = (cells) => `| ${cells.join(" | ")} |`;
  const table = [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
  return `# How smoothly pages move

${hycome("--version").trim()}, Chromium ${browser} without a GPU, ${cpus().length} cores, ${cpus()[0].model.trim()}. Printed by

\`\`\`sh
cd web && npm run frames -- -o ../docs/frames.md
\`\`\`

A mouse that reports its place ${REPORTS_PER_SECOND} times a second drags the plane, or points at nodes, in circles for ${SECONDS} seconds, on a page of ${VIEWPORT.width} × ${VIEWPORT.height} pixels, ${DRAGS} times; a row is
the drag with the middle number of pictures per second, and its last column has the least and the most. While it only points, a picture is drawn when another node comes under it, so there may be few to draw. The browser offers
60 pictures a second; counted are those that were drawn, with the time from each to the next, its median and what 95 and 99 of a
hundred stay within. \`processor\` is the processor's time for a picture, of all the browser's processes and threads together, mouse and measurement
included; it depends less than the rest on who else uses the machine. \`edges while moving\` is the median number of edges in a picture, of those in the page: where
all would take too long, a picture in motion has fewer, a fair sample, and the page says how many. \`load before\` is the system's load when
the drag began, here on ${cpus().length} cores: other work on the machine makes pages slower. Karate has next to nothing to draw, so its row is what browser and machine reach at
most.

Everything here is drawn by the processor: \`canvas\` is what the page chooses by itself on such a machine, \`webgl\` is the code for GPUs, played by a
processor, which shows that it works and not how quick it is on a GPU.

${table}
`;
}

const at = process.argv.indexOf("-o");
try {
  const text = await report();
  if (at < 0) process.stdout.write(text);
  else writeFileSync(process.argv[at + 1], text);
} finally {
  await close();
}
