// What the page shows, as `hycome` wrote it into the page.

import { type Lists, sample, unpack, unpackEdges } from "./packed";

export interface ClassInfo {
  readonly name: string;
  readonly size: number;
  /** Place in the order of looks: colour and shape follow from it. */
  readonly rank: number;
}

export interface Coloring {
  readonly key: "community" | "label" | "prediction";
  readonly classes: readonly ClassInfo[];
  /** The class of each node, NONE where it has none. */
  readonly ofNodes: Uint32Array;
  /** All classes of each node, where some have several. */
  readonly lists: { readonly starts: Uint32Array; readonly classes: Uint32Array } | null;
}

export interface Gaussian {
  readonly mean: readonly [number, number];
  readonly scale: number;
  readonly weight: number;
  /** Hyperbolic radii of the circles that hold half and nine tenths of its mass. */
  readonly contours: readonly [number, number];
}

export interface Palette {
  readonly colors: readonly string[];
  readonly names: readonly string[];
  readonly none: string;
}

export interface Frame {
  readonly epoch: number;
  readonly points: Float64Array;
  readonly gaussians: readonly Gaussian[];
}

export type Regions =
  | { kind: "gaussians"; means: [number, number][]; scales: number[]; heights: number[] }
  | { kind: "cells"; side: number; runs: Uint32Array }
  | { kind: "surfaces"; hyperbolic: boolean; normals: [number, number, number][]; slopes: number[]; intercepts: number[] };

export interface Scene {
  readonly program: string;
  readonly title: string;
  readonly nodes: number;
  name(node: number): string;
  readonly points: Float64Array;
  readonly degrees: Uint32Array | null;
  /** Edges of the graph: those to draw, in random order, and all that the page knows; ends in turn. */
  readonly edges: { readonly total: number; readonly pairs: Uint32Array; readonly known: Uint32Array } | null;
  readonly members: { readonly top: number; readonly communities: Uint32Array; readonly probabilities: Float32Array };
  readonly colorings: readonly Coloring[];
  readonly gaussians: readonly Gaussian[];
  readonly regions: Regions | null;
  /** The colours for the ground that is shown. */
  palette: Palette;
  readonly palettes: { readonly light: Palette; readonly dark: Palette };
  readonly shapes: readonly string[];
  readonly dim: number;
  readonly kept: number;
  readonly scores: readonly { name: string; value: number; words: string }[];
  readonly facts: readonly [string, string][];
  readonly notes: readonly string[];
  readonly film: readonly Frame[];
}

/** The class of a node that has none. */
export const NONE = 0xffffffff;

/** Points come in single precision and may have rounded to the boundary. */
const INSIDE = 1 - 1e-9;

const VERSION = 2;

/** Whole numbers inside the JSON, in Base64. */
function base64(text: string): Uint32Array {
  return new Uint32Array(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
}

/** Points, x and y in turn, from a list of all x and then all y. */
function coordinates(columns: Float32Array): Float64Array {
  const count = columns.length / 2;
  const points = Float64Array.from({ length: columns.length }, (_, i) => columns[(i & 1) * count + (i >> 1)]!);
  for (let i = 0; i < points.length; i += 2) {
    const norm = Math.hypot(points[i]!, points[i + 1]!);
    if (norm > INSIDE) {
      points[i]! *= INSIDE / norm;
      points[i + 1]! *= INSIDE / norm;
    }
  }
  return points;
}

function edges(raw: any, lists: Lists, nodes: number): Scene["edges"] {
  const known = unpackEdges(lists.raw(raw.packed), nodes);
  return { total: raw.total, pairs: sample(known, raw.shown), known };
}

// The JSON is our own program's; its shape is checked by the version.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export async function readScene(text: string): Promise<Scene> {
  const { json, lists } = await unpack(text);
  const raw = json as any;
  if (raw.version !== VERSION) throw new Error(`the page reads scenes of version ${VERSION}, found ${raw.version}`);
  const first = raw.names.first === undefined ? null : BigInt(raw.names.first);
  return {
    ...raw,
    palette: raw.palettes.light,
    name: (node: number) => (first === null ? raw.names.list[node] : (first + BigInt(node)).toString()),
    points: coordinates(lists.single(raw.points)),
    degrees: raw.degrees && lists.whole(raw.degrees),
    edges: raw.edges && edges(raw.edges, lists, raw.nodes),
    members: {
      top: raw.members.top,
      communities: lists.whole(raw.members.communities),
      probabilities: lists.single(raw.members.probabilities),
    },
    regions: raw.regions?.kind === "cells" ? { ...raw.regions, runs: base64(raw.regions.runs) } : raw.regions,
    colorings: raw.colorings.map((coloring: any) => ({
      ...coloring,
      ofNodes: lists.whole(coloring.ofNodes),
      lists: coloring.lists && { starts: lists.whole(coloring.lists.starts), classes: lists.whole(coloring.lists.classes) },
    })),
    film: raw.film.map((frame: any) => ({ ...frame, points: coordinates(lists.single(frame.points)) })),
  };
}
