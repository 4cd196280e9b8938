// WebGL 2 renderer of nodes and edges.
//
// Positions are computed in double precision on the CPU (2 ms for 100,000 nodes) and uploaded as a texture that both programs sample,
// so the vertex data of an edge are its two endpoints and never change.

import { rgb, type NodeStyles } from "../node_style";
import type { Scene } from "../scene";
import type { Renderer, Frame } from "./renderer";
import { EDGE_FRAGMENT, EDGE_VERTEX, NODE_FRAGMENT, NODE_VERTEX } from "./shaders";

const TEXTURE_WIDTH = 1024;

/** Line segments per edge: fewer where there are many edges. */
const segmentsPerEdge = (edges: number) => (edges > 60_000 ? 8 : edges > 8_000 ? 12 : 24);

type GL = WebGL2RenderingContext;

export class WebGlRenderer implements Renderer {
  readonly kind = "webgl";
  private readonly nodes: Program;
  private readonly edges: Program;
  private readonly nodeArray: WebGLVertexArrayObject;
  private readonly edgeArray: WebGLVertexArrayObject;
  private readonly positions: Texture;
  private readonly colors: Texture;
  private readonly shapes: Texture;
  private readonly count: number;

  private constructor(
    private readonly gl: GL,
    readonly canvas: HTMLCanvasElement,
    scene: Scene,
    styles: NodeStyles,
  ) {
    this.count = scene.nodes;
    this.nodes = new Program(gl, NODE_VERTEX, NODE_FRAGMENT);
    this.edges = new Program(gl, EDGE_VERTEX, EDGE_FRAGMENT);
    this.positions = new Texture(gl, 0, scene.nodes, gl.RG32F, gl.RG, gl.FLOAT, 2);
    this.colors = new Texture(gl, 1, scene.nodes, gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, 4);
    this.shapes = new Texture(gl, 2, scene.nodes, gl.RG32F, gl.RG, gl.FLOAT, 2);
    this.nodeArray = integers(gl, styles.order, 1, 0);
    this.edgeArray = integers(gl, scene.edges?.drawn ?? new Uint32Array(0), 2, 1);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.clearColor(0, 0, 0, 0);
  }

  /** Null without WebGL 2 or, unless `force`, with a software GPU: the software renderer is faster. */
  static create(canvas: HTMLCanvasElement, scene: Scene, styles: NodeStyles, force: boolean): WebGlRenderer | null {
    const options: WebGLContextAttributes = { antialias: false, alpha: true, premultipliedAlpha: true, failIfMajorPerformanceCaveat: !force };
    const gl = canvas.getContext("webgl2", options);
    if (!gl || gl.getParameter(gl.MAX_VERTEX_TEXTURE_IMAGE_UNITS) < 3 || (!force && isSoftware(gl))) return null;
    if (scene.nodes > gl.getParameter(gl.MAX_TEXTURE_SIZE) * TEXTURE_WIDTH) return null;
    try {
      return new WebGlRenderer(gl, canvas, scene, styles);
    } catch {
      return null; // the driver rejects the shaders
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
    const poll = (): void => {
      if (fence && !gl.isContextLost() && gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED) {
        setTimeout(poll, 1);
        return;
      }
      gl.deleteSync(fence);
      done();
    };
    setTimeout(poll);
  }

  restyle(styles: NodeStyles): void {
    this.colors.fill(styles.colors);
    const shapes = new Float32Array(2 * this.count);
    for (let i = 0; i < this.count; i++) shapes.set([styles.sizes[i]!, styles.shapes[i]!], 2 * i);
    this.shapes.fill(shapes);
  }

  draw(frame: Frame): void {
    const { gl } = this;
    const { view, theme, density } = frame;
    gl.clear(gl.COLOR_BUFFER_BIT);
    this.positions.fill(frame.positions);
    const [cx, cy] = view.screenCenter;
    const transform = [
      (2 * view.scale) / view.width,
      (2 * view.scale) / view.height,
      (2 * cx) / view.width - 1,
      1 - (2 * cy) / view.height,
    ] as const;
    if (frame.edges > 0) {
      const use = this.edges.use();
      const segments = segmentsPerEdge(frame.edges);
      gl.uniform4f(use("transform"), ...transform);
      gl.uniform2f(use("pixel"), 2 / gl.canvas.width, 2 / gl.canvas.height);
      gl.uniform1f(use("segments"), segments);
      gl.uniform1f(use("thickness"), (frame.edges < 2_000 ? 1.3 : 0.9) * density);
      gl.uniform1f(use("opacity"), frame.edgeOpacity);
      gl.uniform3f(use("edge_color"), ...unit(theme.edge));
      gl.bindVertexArray(this.edgeArray);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 2 * (segments + 1), frame.edges);
    }
    const use = this.nodes.use();
    gl.uniform4f(use("transform"), ...transform);
    gl.uniform1f(use("density"), density);
    gl.uniform1f(use("node_scale"), view.nodeScale);
    gl.uniform3f(use("halo"), ...unit(theme.halo));
    gl.bindVertexArray(this.nodeArray);
    gl.drawArrays(gl.POINTS, 0, this.count);
    gl.bindVertexArray(null);
  }
}

/** Detects software rendering by the renderer's name: not all browsers report it as a performance caveat. */
function isSoftware(gl: GL): boolean {
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name: unknown = gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER);
  return /swiftshader|llvmpipe|software|basic render/i.test(String(name));
}

function unit(color: string): [number, number, number] {
  const [r, g, b] = rgb(color);
  return [r / 255, g / 255, b / 255];
}

/** Vertex array of `size` integers per vertex or, with a divisor, per instance. */
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

/** Texture with one texel per node, in rows of TEXTURE_WIDTH. */
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
  private readonly locations = new Map<string, WebGLUniformLocation | null>();

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
    ["positions", "colors", "shapes"].forEach((name, slot) => gl.uniform1i(gl.getUniformLocation(this.program, name), slot));
  }

  /** Activates the program; returns a lookup of uniform locations. */
  use(): (name: string) => WebGLUniformLocation | null {
    this.gl.useProgram(this.program);
    return (name) => {
      if (!this.locations.has(name)) this.locations.set(name, this.gl.getUniformLocation(this.program, name));
      return this.locations.get(name) ?? null;
    };
  }
}
