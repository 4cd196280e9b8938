// Frame rate benchmark: drags and hovers over viewer pages in a browser and measures the frames that are drawn.
//
//   npm run frames -- -o ../docs/benchmarks/frames.md      writes the report; without -o prints it
//
// HYCOME is the command, HYCOME_DATA the data folder with DBLP (`hycome datasets get dblp` downloads it). Not a test, since results
// depend on the machine and its load.

import { writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { close, hycome, launch, open } from "../test/browser.mjs";

/** Duration of a drag, and report rate of the mouse in Hz, as of most mice. */
const SECONDS = 6;
const REPORTS_PER_SECOND = 125;

/** The mouse moves on a circle: radius in pixels, and revolutions per second. */
const RADIUS = 150;
const REVOLUTIONS_PER_SECOND = 0.8;

/** Repetitions of each measurement. */
const REPETITIONS = 5;

const VIEWPORT = { width: 1200, height: 800 };

/** The first is tiny: its frame rate is the limit of browser and machine. */
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

/** Drags or hovers for some seconds; returns the time of each frame and its number of edges. */
async function move(page, pressed) {
  const box = await page.locator("canvas.overlay").boundingBox();
  const center = [box.x + box.width / 2, box.y + box.height / 2];
  const position = (seconds) => {
    const angle = 2 * Math.PI * REVOLUTIONS_PER_SECOND * seconds;
    return [center[0] + RADIUS * Math.sin(angle), center[1] + RADIUS * (1 - Math.cos(angle)) - RADIUS];
  };
  await page.mouse.move(...position(0));
  if (pressed) await page.mouse.down();
  await page.evaluate(() => {
    const record = (window.record = { times: [], edges: [], going: true });
    let before = -1;
    const tick = (now) => {
      const { frames, hoverFrames, edges } = window.hycome.renderStats();
      const drawn = frames + hoverFrames;
      if (drawn !== before) {
        record.times.push(now);
        record.edges.push(edges);
      }
      before = drawn;
      if (record.going) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  // Reports are sent at a fixed rate without waiting, directly by the DevTools protocol, which has the least overhead.
  const session = await page.context().newCDPSession(page);
  const start = performance.now();
  const reports = [];
  for (let i = 1; i <= SECONDS * REPORTS_PER_SECOND; i++) {
    const due = (1000 * i) / REPORTS_PER_SECOND;
    await new Promise((done) => setTimeout(done, Math.max(0, start + due - performance.now())));
    const [x, y] = position(due / 1000);
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

/** CPU seconds used by all processes of the browser. */
async function cpuTime() {
  const session = await (await launch()).newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

const quantile = (values, share) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))];

async function measure({ name, file }, kind, act) {
  const { page, problems } = await open(file, { hash: `#${kind}`, viewport: VIEWPORT });
  const { renderer, allEdges } = await page.evaluate(() => window.hycome.renderStats());
  const nodes = await page.evaluate(() => window.hycome.nodes);
  const load = loadavg()[0];
  const before = await cpuTime();
  const { times, edges } = await move(page, act === "dragging");
  const used = (await cpuTime()) - before;
  const intervals = times.slice(1).map((time, i) => time - times[i]);
  const moved = intervals.reduce((sum, interval) => sum + interval, 0) / 1000;
  await page.context().close();
  if (problems.length > 0) throw new Error(`${name}: ${problems}`);
  const milliseconds = (value) => value.toFixed(1);
  return [
    name,
    nodes.toLocaleString("en"),
    allEdges.toLocaleString("en"),
    renderer,
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

/** The repetition with the median frame rate, and the range of frame rates. */
async function median(graph, kind, act) {
  const runs = [];
  for (let i = 0; i < REPETITIONS; i++) runs.push(await measure(graph, kind, act));
  const speed = (cells) => Number(cells[5]);
  runs.sort((a, b) => speed(a) - speed(b));
  return [...runs[(REPETITIONS - 1) / 2], `${runs[0][5]} to ${runs.at(-1)[5]}`];
}

async function report() {
  const rows = [];
  for (const graph of GRAPHS) {
    graph.make();
    for (const kind of graph === GRAPHS[0] ? ["canvas"] : ["canvas", "webgl"]) {
      for (const act of ["dragging", "hovering"]) rows.push(await median(graph, kind, act));
    }
  }
  const browser = (await launch()).version();
  const head = ["graph", "nodes", "edges", "renderer", "mouse", "fps", "median, ms", "p95, ms", "p99, ms", "CPU per frame, ms", "edges while moving", "load", `fps, range of ${REPETITIONS}`];
  const line = (cells) => `| ${cells.join(" | ")} |`;
  const table = [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
  return `# Frame rate of the interactive viewer

${hycome("--version").trim()}, Chromium ${browser} without a GPU, ${cpus().length} cores, ${cpus()[0].model.trim()}. Printed by

\`\`\`sh
cd web && npm run frames -- -o ../docs/benchmarks/frames.md
\`\`\`

A mouse with a report rate of ${REPORTS_PER_SECOND} Hz drags the plane, or hovers over nodes, in circles for ${SECONDS} seconds on a
page of ${VIEWPORT.width} × ${VIEWPORT.height} pixels, ${REPETITIONS} times; a row is the repetition with the median frame rate, and its last column the
range. While hovering, a frame is drawn only when another node comes under the pointer. The browser offers 60 frames per
second (fps).

- \`median\`, \`p95\`, \`p99\`: quantiles of the time between frames.
- \`CPU per frame\`: CPU time of all browser processes, including input and measurement; less sensitive to the load of the
  machine.
- \`edges while moving\`: median number of edges per frame. In motion the viewer draws a uniform sample of the edges if all
  would take too long, and states how many.
- \`load\`: load average of the machine before the measurement, on ${cpus().length} cores.
- Karate is tiny, so its row is the limit of browser and machine.

Everything is rendered on the CPU: \`canvas\` is the software renderer, which the viewer selects on such a machine; \`webgl\`
is the GPU code in software emulation, which tests that it works, not its speed on a GPU.

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
