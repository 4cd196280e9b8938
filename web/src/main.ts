// The page: a disc to move, a panel beside it.

import { button, element, named } from "./element";
import { listen, pointOf } from "./input";
import { type Point, apply, distanceAfter } from "./mobius";
import { Motion } from "./motion";
import type { Pace } from "./pace";
import { CannotShow } from "./packed";
import { Painter } from "./painter";
import { card } from "./panel/card";
import { about, scores, switches } from "./panel/facts";
import { key } from "./panel/key";
import { film } from "./panel/film";
import { legend, lookName } from "./panel/legend";
import { search } from "./panel/search";
import { listenToPrinter } from "./print";
import { readScene, type Scene } from "./scene";
import { State } from "./state";
import { count, counted, printable, short } from "./text";
import { Themes } from "./theme";
import { View } from "./view";

function start(scene: Scene): void {
  const state = new State(scene);
  const view = new View();
  view.fit(scene.points);
  const stage = element("div", { class: "stage" });
  const status = element("p", { class: "status", role: "status" });
  const themes = new Themes(() => repaint());
  scene.palette = themes.current.dark ? scene.palettes.dark : scene.palettes.light;
  const repaint = (): void => {
    scene.palette = themes.current.dark ? scene.palettes.dark : scene.palettes.light;
    state.repainted();
  };
  if (scene.film.length > 0) stage.classList.add("filmed"); // the disc leaves room for the slider
  document.body.append(element("main", { class: "page" }, stage));
  const painter = new Painter(stage, state, view, themes, ({ pace }) => {
    const words = said(pace, state.on.edges);
    if (status.textContent !== words) status.textContent = words;
  });
  const motion = new Motion(view, painter);
  const choose = (node: number): void => {
    state.hover(null);
    state.selected = node;
    motion.center(pointOf(state, node));
    state.changed();
  };

  const canvas = painter.front.canvas;
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "application");
  canvas.setAttribute("aria-label", `${printable(scene.title)} in the Poincaré disc`);
  canvas.setAttribute("aria-describedby", "described");
  const middle = () => [view.width / 2, view.height / 2] as const;
  const zoom = (factor: number) => () => {
    view.zoomAt(middle(), factor);
    painter.moved();
  };
  stage.append(
    element(
      "div",
      { class: "tools", role: "toolbar", "aria-label": "View" },
      button("Go home", "⌂", () => motion.home()),
      button("Zoom in", "+", zoom(1.3)),
      button("Zoom out", "−", zoom(1 / 1.3)),
      button("Light or dark", "◐", () => {
        themes.toggle();
        repaint();
      }),
      button("Save as PNG", "⤓", () => save(painter, scene)),
    ),
    element("p", { id: "described", class: "unseen" }, description(scene)),
    spoken(state),
  );
  const player = film(state, painter);
  if (player) stage.append(player);
  stage.append(status);
  document.querySelector(".page")!.append(
    element(
      "aside",
      { class: "panel", "aria-label": "About the picture" },
      element("header", {}, element("h1", {}, named(printable(scene.title), "name")), kept(scene), element("p", { class: "faint" }, summary(scene).replace(/(\d) /g, "$1\u00a0"))),
      search(state, choose),
      card(state, choose),
      legend(state, (community) => motion.center(state.gaussians[community]!.mean)),
      key(state),
      switches(state),
      ...[scores(scene)].filter((part) => part !== null),
      about(scene),
    ),
  );
  listen(view, state, painter, motion);
  listenToPrinter(painter, themes, repaint);
  expose(state, view, painter);
}

/** What the page says of edges that are not drawn. In motion their number is rounded, so that it does not flicker. */
function said({ drawn, total, moving }: Pace, on: boolean): string {
  if (!on || drawn >= total) return "";
  if (!moving) return `${count(drawn)} of ${count(total)} edges drawn, all would take too long here`;
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(drawn)) - 1);
  return `moving: about ${count(Math.round(drawn / unit) * unit)} of ${count(total)} edges drawn`;
}

function summary(scene: Scene): string {
  const parts = [counted(scene.nodes, "node", "nodes")];
  if (scene.edges) parts.push(counted(scene.edges.total, "edge", "edges"));
  parts.push(counted(scene.gaussians.length, "community", "communities"));
  return parts.join(" · ");
}

/** How much of the points a picture of more than two dimensions can show. */
function kept(scene: Scene): HTMLElement | null {
  if (scene.dim <= 2) return null;
  return element("p", { class: "kept" }, `2-D view keeps ${Math.round(100 * scene.kept)} % of the spread in ${scene.dim} dimensions`);
}

/** The picture in words, for those who hear it. */
function description(scene: Scene): string {
  const { classes } = scene.colorings[0]!;
  const communities = classes
    .filter((info) => info.size > 0)
    .sort((a, b) => b.size - a.size)
    .slice(0, 12)
    .map((info) => `community ${info.name}, ${lookName(scene, info.rank)}, ${counted(info.size, "node", "nodes")}`);
  return (
    `${summary(scene)}. Nodes are points of the hyperbolic plane; near points are often together on random walks. ` +
    `${communities.join("; ")}${classes.length > 12 ? "; and smaller ones" : ""}. ` +
    "Arrow keys move the plane, plus and minus zoom, n and p go from node to node, Enter brings a node to the centre."
  );
}

/** Says which node was chosen. */
function spoken(state: State): HTMLElement {
  const box = element("p", { class: "unseen", "aria-live": "polite" });
  state.listen(() => {
    const node = state.selected;
    const community = node === null ? null : state.scene.colorings[0]!.ofNodes[node]!;
    const words =
      node === null || community === null
        ? ""
        : `${short(state.scene.name(node), 100)}, community ${state.scene.colorings[0]!.classes[community]!.name}, ` +
          `probability ${Math.round(100 * state.probability(node))} percent` +
          (state.scene.degrees ? `, ${counted(state.scene.degrees[node]!, "neighbour", "neighbours")}` : "");
    if (box.textContent !== words) box.textContent = words;
  });
  return box;
}

function save(painter: Painter, scene: Scene): void {
  painter.picture().toBlob((blob) => {
    if (!blob) return;
    const address = URL.createObjectURL(blob);
    element("a", { href: address, download: `${scene.title.replace(/[^\p{L}\p{N}._-]+/gu, "_") || "disc"}.png` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  });
}

/** What scripts and tests may ask the page. */
function expose(state: State, view: View, painter: Painter): void {
  const pixelOf = (place: Point): Point => {
    const box = painter.front.canvas.getBoundingClientRect();
    const [x, y] = view.toScreen(apply(view.mobius, place));
    return [box.left + x, box.top + y];
  };
  Object.assign(window, {
    hycome: Object.freeze({
      nodes: state.scene.nodes,
      /** The communities' Gaussians. */
      gaussians: state.scene.gaussians,
      /** The neighbours of a node. */
      neighbors: (node: number) => Array.from(state.neighbors(node)),
      /** Where a node is in the disc now. */
      position: (node: number) => apply(view.mobius, pointOf(state, node)),
      /** Where a node is on the page now. */
      pixel: (node: number) => pixelOf(pointOf(state, node)),
      /** Where a place of the plane is on the page now. */
      pixelOf,
      /** Hyperbolic distance of two nodes as they are drawn now. */
      distance: (u: number, v: number) => distanceAfter(view.mobius, pointOf(state, u), pointOf(state, v)),
      drawn: () => ({ kind: painter.marks.kind, frames: painter.frames, hovers: painter.hovers, edges: painter.pace.drawn, allEdges: painter.pace.total }),
      shown: () => Array.from({ length: state.scene.nodes }, (_, node) => node).filter((node) => state.isShown(node)).length,
      view: () => ({ zoom: view.zoom, shift: view.shift, center: apply(view.mobius, [0, 0]), ...view.mobius }),
    }),
  });
}

readScene(document.getElementById("scene")!.textContent!)
  .then(start)
  .catch((error: unknown) => {
    if (error instanceof CannotShow) document.body.append(element("p", { class: "failed", role: "alert" }, error.message));
    else throw error;
  });
