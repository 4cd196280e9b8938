// Nodes and edges drawn by the GPU.
//
// Positions are worked out in double precision by the processor (a hundred thousand take two milliseconds) and sent as a
// texture, from which both programs read: an edge is then two numbers, its ends, and never changes.

import { rgb, type Look } from "../look";
import type { Scene } from "../scene";
import type { Marks, Shot } from "./marks";
import { EDGE_FRAGMENT, EDGE_VERTEX, NODE_FRAGMENT, NODE_VERTEX } from "./shaders";

const TEXTURE_WIDTH = 1024;

/** Pieces of the curve of an edge: fewer where there are many edges and each is faint. */
const pieces = (edges: number) => (edges > 60_000 ? 8 : edges > 8_000 ? 12 : 24);

type GL = WebGL2RenderingContext;

export class WebGlMarks implements Marks {
  readonly kind = "webgl";
  private readonly nodes: Program;
  private readonly edges: Program;
  private readonly nodeArray: WebGLVertexArrayObject;
  private readonly edgeArray: WebGLVertexArrayObject;
  private readonly positions: Texture;
  private readonly colors: Texture;
  private readonly marks: Texture;
  private readonly count: number;

  private constructor(
    private readonly gl: GL,
    readonly canvas: HTMLCanvasElement,
    scene: Scene,
    look: Look,
  ) {
    this.count = scene.nodes;
    this.nodes = new Program(gl, NODE_VERTEX, NODE_FRAGMENT);
    this.edges = new Program(gl, EDGE_VERTEX, EDGE_FRAGMENT);
    this.positions = new Texture(gl, 0, scene.nodes, gl.RG32F, gl.RG, gl.FLOAT, 2);
    this.colors = new Texture(gl, 1, scene.nodes, gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, 4);
    this.marks = new Texture(gl, 2, scene.nodes, gl.RG32F, gl.RG, gl.FLOAT, 2);
    this.nodeArray = integers(gl, look.order, 1, 0);
    this.edgeArray = integers(gl, scene.edges?.pairs ?? new Uint32Array(0), 2, 1);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.clearColor(0, 0, 0, 0);
  }

  /** Nothing where the browser has no WebGL 2 or, unless `anyhow`, where the processor plays the GPU: a canvas is quicker. */
  static create(canvas: HTMLCanvasElement, scene: Scene, look: Look, anyhow: boolean): WebGlMarks | null {
    const options: WebGLContextAttributes = { antialias: false, alpha: true, premultipliedAlpha: true, failIfMajorPerformanceCaveat: !anyhow };
    const gl = canvas.getContext("webgl2", options);
    if (!gl || gl.getParameter(gl.MAX_VERTEX_TEXTURE_IMAGE_UNITS) < 3 || (!anyhow && isSoftware(gl))) return null;
    if (scene.nodes > gl.getParameter(gl.MAX_TEXTURE_SIZE) * TEXTURE_WIDTH) return null;
    try {
      return new WebGlMarks(gl, canvas, scene, look);
    } catch {
      return null; // a driver that does not take the programs
    }
  }

  resize(width: number, height: number, density: number): void {
    const { canvas } = this;
    canvas.width = Math.max(1, Math.round(width * density));
    canvas.height = Math.max(1, Math.round(height * density));
    this.gl.viewport(0, 0, canvas.width, canvas.height);
  }

  whenDone(done: () => void): void {
    const { gl } = this;
    const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    const ask = (): void => {
      if (fence && !gl.isContextLost() && gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED) {
        setTimeout(ask, 1);
        return;
      }
      gl.deleteSync(fence);
      done();
    };
    setTimeout(ask);
  }

  restyle(look: Look): void {
    this.colors.fill(look.colors);
    const marks = new Float32Array(2 * this.count);
    for (let i = 0; i < this.count; i++) marks.set([look.sizes[i]!, look.shapes[i]!], 2 * i);
    this.marks.fill(marks);
  }

  draw(shot: Shot): void {
    const { gl } = this;
    const { view, theme, density } = shot;
    gl.clear(gl.COLOR_BUFFER_BIT);
    this.positions.fill(shot.positions);
    const [cx, cy] = view.middle;
    const frame = [
      (2 * view.scale) / view.width,
      (2 * view.scale) / view.height,
      (2 * cx) / view.width - 1,
      1 - (2 * cy) / view.height,
    ] as const;
    if (shot.edges > 0) {
      const use = this.edges.use();
      const segments = pieces(shot.edges);
      gl.uniform4f(use("frame"), ...frame);
      gl.uniform2f(use("pixel"), 2 / gl.canvas.width, 2 / gl.canvas.height);
      gl.uniform1f(use("segments"), segments);
      gl.uniform1f(use("thickness"), (shot.edges < 2_000 ? 1.3 : 0.9) * density);
      gl.uniform1f(use("opacity"), shot.ink);
      gl.uniform3f(use("ink"), ...unit(theme.edge));
      gl.bindVertexArray(this.edgeArray);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 2 * (segments + 1), shot.edges);
    }
    const use = this.nodes.use();
    gl.uniform4f(use("frame"), ...frame);
    gl.uniform1f(use("density"), density);
    gl.uniform1f(use("grown"), view.grown);
    gl.uniform3f(use("halo"), ...unit(theme.halo));
    gl.bindVertexArray(this.nodeArray);
    gl.drawArrays(gl.POINTS, 0, this.count);
    gl.bindVertexArray(null);
  }
}

/** Browsers that draw in software do not always admit it as a caveat, but name the renderer. */
function isSoftware(gl: GL): boolean {
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name: unknown = gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER);
  return /swiftshader|llvmpipe|software|basic render/i.test(String(name));
}

function unit(color: string): [number, number, number] {
  const [r, g, b] = rgb(color);
  return [r / 255, g / 255, b / 255];
}

/** Whole numbers for a program, so many for each vertex or, with a divisor, for each instance. */
function integers(gl: GL, data: Uint32Array, size: number, divisor: number): WebGLVertexArrayObject {
  const array = gl.createVertexArray();
  gl.bindVertexArray(array);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribIPointer(0, size, gl.UNSIGNED_INT, 0, 0);
  gl.vertexAttribDivisor(0, divisor);
  gl.bindVertexArray(null);
  return array;
}

/** A texel for each node, rows of TEXTURE_WIDTH. */
class Texture {
  private readonly height: number;

  constructor(
    private readonly gl: GL,
    private readonly slot: number,
    private readonly count: number,
    inside: number,
    private readonly format: number,
    private readonly type: number,
    private readonly parts: number,
  ) {
    this.height = Math.max(1, Math.ceil(count / TEXTURE_WIDTH));
    gl.activeTexture(gl.TEXTURE0 + slot);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.texStorage2D(gl.TEXTURE_2D, 1, inside, TEXTURE_WIDTH, this.height);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  }

  fill(data: Float32Array | Uint8Array): void {
    const { gl, format, type, parts } = this;
    gl.activeTexture(gl.TEXTURE0 + this.slot);
    const full = Math.floor(this.count / TEXTURE_WIDTH);
    if (full > 0) gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, TEXTURE_WIDTH, full, format, type, data);
    const rest = this.count - full * TEXTURE_WIDTH;
    if (rest > 0) {
      const tail = data.subarray(full * TEXTURE_WIDTH * parts);
      gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, full, rest, 1, format, type, tail);
    }
  }
}

class Program {
  private readonly program: WebGLProgram;
  private readonly places = new Map<string, WebGLUniformLocation | null>();

  constructor(
    private readonly gl: GL,
    vertex: string,
    fragment: string,
  ) {
    this.program = gl.createProgram();
    const width = `const int WIDTH = ${TEXTURE_WIDTH};`;
    for (const [type, source] of [
      [gl.VERTEX_SHADER, vertex.replace("precision highp int;", `precision highp int;\n${width}`)],
      [gl.FRAGMENT_SHADER, fragment],
    ] as const) {
      const shader = gl.createShader(type)!;
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader) ?? "shader");
      gl.attachShader(this.program, shader);
    }
    gl.linkProgram(this.program);
    if (!gl.getProgramParameter(this.program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(this.program) ?? "link");
    gl.useProgram(this.program);
    ["positions", "colors", "marks"].forEach((name, slot) => gl.uniform1i(gl.getUniformLocation(this.program, name), slot));
  }

  /** Makes the program current; the answer finds its settings. */
  use(): (name: string) => WebGLUniformLocation | null {
    this.gl.useProgram(this.program);
    return (name) => {
      if (!this.places.has(name)) this.places.set(name, this.gl.getUniformLocation(this.program, name));
      return this.places.get(name) ?? null;
    };
  }
}
