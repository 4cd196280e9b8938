// The scene: everything that the viewer can show, as `hycome` wrote it into the page.

import { type ArrayReader, decode, decodeEdges, sample } from "./decode";

export interface ClassInfo {
  readonly name: string;
  readonly size: number;
  /** Rank in the palette, which gives colour and shape. */
  readonly rank: number;
}

export interface Coloring {
  readonly key: "community" | "label" | "prediction";
  readonly classes: readonly ClassInfo[];
  /** The class of each node, or NONE. */
  readonly nodeClasses: Uint32Array;
  /** All classes of each node in CSR format, where some nodes have several labels. */
  readonly multiLabels: { readonly offsets: Uint32Array; readonly classes: Uint32Array } | null;
}

export interface Gaussian {
  readonly mean: readonly [number, number];
  readonly scale: number;
  readonly weight: number;
  /** Hyperbolic radii of the circles that contain 50 % and 90 % of the mass. */
  readonly contours: readonly [number, number];
}

export interface Palette {
  readonly colors: readonly string[];
  readonly names: readonly string[];
  /** Colour of nodes without a class. */
  readonly none: string;
}

/** The embedding after an epoch of training. */
export interface AnimationFrame {
  readonly epoch: number;
  readonly points: Float64Array;
  readonly gaussians: readonly Gaussian[];
}

/** A classifier as formulas, or as a raster of its predictions. */
export type DecisionRegions =
  | { kind: "gaussians"; means: [number, number][]; scales: number[]; logCoefficients: number[] }
  | { kind: "raster"; side: number; runs: Uint32Array }
  | { kind: "hyperplanes"; hyperbolic: boolean; normals: [number, number, number][]; slopes: number[]; intercepts: number[] };

export interface Scene {
  readonly program: string;
  readonly title: string;
  readonly nodes: number;
  name(node: number): string;
  readonly points: Float64Array;
  readonly degrees: Uint32Array | null;
  /** Endpoints of edges, two for each edge: those to draw in random order, and all edges in the page; `total` counts the edges of the graph. */
  readonly edges: { readonly total: number; readonly drawn: Uint32Array; readonly all: Uint32Array } | null;
  /** The `top` most probable communities of each node. */
  readonly memberships: { readonly top: number; readonly communities: Uint32Array; readonly probabilities: Float32Array };
  readonly colorings: readonly Coloring[];
  readonly gaussians: readonly Gaussian[];
  readonly regions: DecisionRegions | null;
  /** The palette of the current theme. */
  palette: Palette;
  readonly palettes: { readonly light: Palette; readonly dark: Palette };
  readonly shapes: readonly string[];
  /** How more than two dimensions are drawn, and how faithfully; null in two dimensions. */
  readonly viewNote: string | null;
  readonly scores: readonly { name: string; value: number; description: string }[];
  readonly metadata: readonly [string, string][];
  readonly notes: readonly string[];
  /** Training epoch by epoch; empty without a history. */
  readonly animation: readonly AnimationFrame[];
}

/** Class of a node without one. */
export const NONE = 0xffffffff;

/** Largest norm of a point: single precision may round points to the boundary. */
const MAX_NORM = 1 - 1e-9;

const VERSION = 3;

/** Decodes 32-bit integers from Base64 inside the JSON. */
function base64(text: string): Uint32Array {
  return new Uint32Array(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
}

/** Interleaves all x and all y to x, y pairs inside the disc. */
function coordinates(columns: Float32Array): Float64Array {
  const count = columns.length / 2;
  const points = Float64Array.from({ length: columns.length }, (_, i) => columns[(i & 1) * count + (i >> 1)]!);
  for (let i = 0; i < points.length; i += 2) {
    const norm = Math.hypot(points[i]!, points[i + 1]!);
    if (norm > MAX_NORM) {
      points[i]! *= MAX_NORM / norm;
      points[i + 1]! *= MAX_NORM / norm;
    }
  }
  return points;
}

function readEdges(raw: any, arrays: ArrayReader, nodes: number): Scene["edges"] {
  const all = decodeEdges(arrays.bytes(raw.encoded), nodes);
  return { total: raw.total, drawn: sample(all, raw.drawn), all };
}

// The JSON is written by the same version of hycome, so only its version is checked.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export async function readScene(text: string): Promise<Scene> {
  const { json, arrays } = await decode(text);
  const raw = json as any;
  if (raw.version !== VERSION) throw new Error(`expected a scene of version ${VERSION}, found version ${raw.version}`);
  const first = raw.names.first === undefined ? null : BigInt(raw.names.first);
  return {
    ...raw,
    palette: raw.palettes.light,
    name: (node: number) => (first === null ? raw.names.list[node] : (first + BigInt(node)).toString()),
    points: coordinates(arrays.f32(raw.points)),
    degrees: raw.degrees && arrays.u32(raw.degrees),
    edges: raw.edges && readEdges(raw.edges, arrays, raw.nodes),
    memberships: {
      top: raw.memberships.top,
      communities: arrays.u32(raw.memberships.communities),
      probabilities: arrays.f32(raw.memberships.probabilities),
    },
    regions: raw.regions?.kind === "raster" ? { ...raw.regions, runs: base64(raw.regions.runs) } : raw.regions,
    colorings: raw.colorings.map((coloring: any) => ({
      ...coloring,
      nodeClasses: arrays.u32(coloring.nodeClasses),
      multiLabels: coloring.multiLabels && { offsets: arrays.u32(coloring.multiLabels.offsets), classes: arrays.u32(coloring.multiLabels.classes) },
    })),
    animation: raw.animation.map((frame: any) => ({ ...frame, points: coordinates(arrays.f32(frame.points)) })),
  };
}
