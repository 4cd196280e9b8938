// Entry point of the viewer: an interactive disc and a panel beside it.

import { bindInput, pointOf } from "./input";
import type { EdgeBudget } from "./edge_budget";
import { ViewerError } from "./decode";
import { button, element, isolated } from "./element";
import { type Point, apply, distanceAfter } from "./mobius";
import { Painter } from "./painter";
import { about } from "./panel/about";
import { animationPlayer } from "./panel/animation";
import { displayOptions } from "./panel/display_options";
import { legend, styleName } from "./panel/legend";
import { nodeCard } from "./panel/node_card";
import { readingGuide } from "./panel/reading_guide";
import { scores } from "./panel/scores";
import { search } from "./panel/search";
import { setUpPrinting } from "./print";
import { readScene, type Scene } from "./scene";
import { State } from "./state";
import { escapeInvisible, formatCount, pluralize, truncate } from "./text";
import { Themes } from "./theme";
import { View } from "./view";
import { ViewTransition } from "./view_transition";

/** Maximum number of communities in the text description of the disc. */
const MAX_DESCRIBED = 12;

function start(scene: Scene): void {
  const state = new State(scene);
  const view = new View();
  view.fit(scene.points);
  const stage = element("div", { class: "stage" });
  const status = element("p", { class: "status", role: "status" });
  const updatePalette = (): void => void (scene.palette = themes.current.dark ? scene.palettes.dark : scene.palettes.light);
  const applyTheme = (): void => {
    updatePalette();
    state.paletteChanged();
  };
  const themes = new Themes(applyTheme);
  updatePalette();
  if (scene.animation.length > 0) stage.classList.add("animated"); // leaves room for the player
  document.body.append(element("main", { class: "page" }, stage));
  const painter = new Painter(stage, state, view, themes, ({ edgeBudget }) => {
    const text = edgeStatus(edgeBudget, state.options.edges);
    if (status.textContent !== text) status.textContent = text;
  });
  const transition = new ViewTransition(view, painter);
  const select = (node: number): void => {
    state.hover(null);
    state.selected = node;
    transition.center(pointOf(state, node));
    state.notify();
  };

  const canvas = painter.overlay.canvas;
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "application");
  canvas.setAttribute("aria-label", `${escapeInvisible(scene.title)} in the Poincaré disc`);
  canvas.setAttribute("aria-describedby", "description");
  stage.append(
    toolbar(scene, view, painter, transition, () => {
      themes.toggle();
      applyTheme();
    }),
    element("p", { id: "description", class: "visually-hidden" }, description(scene)),
    selectionAnnouncer(state),
  );
  const player = animationPlayer(state, painter);
  if (player) stage.append(player);
  stage.append(status);
  document.querySelector(".page")!.append(
    element(
      "aside",
      { class: "panel", "aria-label": "Details" },
      element("header", {}, element("h1", {}, isolated(escapeInvisible(scene.title), "name")), projectionNote(scene), element("p", { class: "muted" }, summary(scene).replace(/(\d) /g, "$1\u00a0"))),
      search(state, select),
      nodeCard(state, select),
      legend(state, (community) => transition.center(state.gaussians[community]!.mean)),
      readingGuide(state),
      displayOptions(state),
      scores(scene),
      about(scene),
    ),
  );
  bindInput(view, state, painter, transition);
  setUpPrinting(painter, themes, applyTheme);
  expose(state, view, painter);
}

function toolbar(scene: Scene, view: View, painter: Painter, transition: ViewTransition, toggleTheme: () => void): HTMLElement {
  const zoom = (factor: number) => () => {
    view.zoomAt([view.width / 2, view.height / 2], factor);
    painter.moved();
  };
  return element(
    "div",
    { class: "tools", role: "toolbar", "aria-label": "View" },
    button("Reset view", "⌂", () => transition.reset()),
    button("Zoom in", "+", zoom(1.3)),
    button("Zoom out", "−", zoom(1 / 1.3)),
    button("Toggle light and dark theme", "◐", toggleTheme),
    button("Save as PNG", "⤓", () => savePng(painter, scene)),
  );
}

/** Status text on edges that are not drawn. In motion the number is rounded, so that it does not flicker. */
function edgeStatus({ drawn, total, moving }: EdgeBudget, isOn: boolean): string {
  if (!isOn || drawn >= total) return "";
  if (!moving) return `${formatCount(drawn)} of ${formatCount(total)} edges drawn: all would take too long on this device`;
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(drawn)) - 1);
  return `moving: about ${formatCount(Math.round(drawn / unit) * unit)} of ${formatCount(total)} edges drawn`;
}

function summary(scene: Scene): string {
  const parts = [pluralize(scene.nodes, "node", "nodes")];
  if (scene.edges) parts.push(pluralize(scene.edges.total, "edge", "edges"));
  const empty = scene.colorings[0]!.classes.filter((info) => info.size === 0).length;
  parts.push(pluralize(scene.gaussians.length, "community", "communities") + (empty > 0 ? ` (${formatCount(empty)} empty)` : ""));
  return parts.join(" · ");
}

/** States how much of the variance the projection retains; null in two dimensions. */
function projectionNote(scene: Scene): HTMLElement | null {
  if (scene.viewNote === null) return null;
  return element("p", { class: "projection-note" }, scene.viewNote);
}

/** Text alternative of the disc for screen readers. */
function description(scene: Scene): string {
  const { classes } = scene.colorings[0]!;
  const communities = classes
    .filter((info) => info.size > 0)
    .sort((a, b) => b.size - a.size)
    .slice(0, MAX_DESCRIBED)
    .map((info) => `community ${info.name}, ${styleName(scene, info.rank)}, ${pluralize(info.size, "node", "nodes")}`);
  return (
    `${summary(scene)}. Nodes are points of the hyperbolic plane; nearby nodes co-occur on random walks. ` +
    `${communities.join("; ")}${classes.length > MAX_DESCRIBED ? "; and smaller ones" : ""}. ` +
    "Arrow keys move the plane, plus and minus zoom, n and p select the next and previous hub, Enter centres the selected node."
  );
}

/** Live region that announces the selected node to screen readers. */
function selectionAnnouncer(state: State): HTMLElement {
  const box = element("p", { class: "visually-hidden", "aria-live": "polite" });
  state.onChange(() => {
    const { selected, scene } = state;
    const text = selected === null ? "" : announcement(state, scene, selected);
    if (box.textContent !== text) box.textContent = text;
  });
  return box;
}

function announcement(state: State, scene: Scene, node: number): string {
  const { classes, nodeClasses } = scene.colorings[0]!;
  const degree = scene.degrees ? `, ${pluralize(scene.degrees[node]!, "neighbour", "neighbours")}` : "";
  const community = `community ${classes[nodeClasses[node]!]!.name}, probability ${Math.round(100 * state.probability(node))} percent`;
  return `${truncate(scene.name(node), 100)}, ${community}${degree}`;
}

function savePng(painter: Painter, scene: Scene): void {
  painter.snapshot().toBlob((blob) => {
    if (!blob) return;
    const url = URL.createObjectURL(blob);
    element("a", { href: url, download: `${scene.title.replace(/[^\p{L}\p{N}._-]+/gu, "_") || "disc"}.png` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  });
}

/** Scripting interface of the page, `window.hycome`. */
function expose(state: State, view: View, painter: Painter): void {
  const toPixel = (point: Point): Point => {
    const box = painter.overlay.canvas.getBoundingClientRect();
    const [x, y] = view.toScreen(apply(view.mobius, point));
    return [box.left + x, box.top + y];
  };
  Object.assign(window, {
    hycome: Object.freeze({
      nodes: state.scene.nodes,
      /** The Gaussians of the communities. */
      gaussians: state.scene.gaussians,
      neighbors: (node: number) => Array.from(state.neighbors(node)),
      /** Current position of a node in the disc. */
      position: (node: number) => apply(view.mobius, pointOf(state, node)),
      /** Current position of a node on the page, in CSS pixels. */
      pixel: (node: number) => toPixel(pointOf(state, node)),
      /** Current position of a point of the plane on the page, in CSS pixels. */
      toPixel,
      /** Hyperbolic distance of two nodes in the current view. */
      distance: (u: number, v: number) => distanceAfter(view.mobius, pointOf(state, u), pointOf(state, v)),
      renderStats: () => ({
        renderer: painter.renderer.kind,
        frames: painter.frames,
        hoverFrames: painter.hoverFrames,
        edges: painter.edgeBudget.drawn,
        allEdges: painter.edgeBudget.total,
      }),
      visibleNodes: () => Array.from({ length: state.scene.nodes }, (_, node) => node).filter((node) => state.isVisible(node)).length,
      view: () => ({ zoom: view.zoom, shift: view.shift, center: apply(view.mobius, [0, 0]), ...view.mobius }),
    }),
  });
}

readScene(document.getElementById("scene")!.textContent!)
  .then(start)
  .catch((error: unknown) => {
    if (error instanceof ViewerError) document.body.append(element("p", { class: "error", role: "alert" }, error.message));
    else throw error;
  });
