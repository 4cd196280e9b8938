// Decoder of the scene: JSON and binary arrays, compressed with zlib and encoded in Base64.

/** Byte offset and number of elements of an array. */
type Slice = readonly [number, number];

export class ArrayReader {
  constructor(private readonly buffer: Uint8Array) {}

  /** 32-bit integers, stored as four byte planes, the least significant first. */
  u32([start, count]: Slice): Uint32Array {
    const numbers = new Uint32Array(count);
    for (let plane = 0; plane < 4; plane++) {
      const at = start + plane * count;
      for (let i = 0; i < count; i++) numbers[i]! |= this.buffer[at + i]! << (8 * plane);
    }
    return numbers;
  }

  f32(slice: Slice): Float32Array {
    return new Float32Array(this.u32(slice).buffer);
  }

  bytes([start, count]: Slice): Uint8Array {
    return this.buffer.subarray(start, start + count);
  }
}

/** An error whose message is shown to the user. */
export class ViewerError extends Error {}

/** Decodes the JSON and the arrays of a scene. */
export async function decode(text: string): Promise<{ json: unknown; arrays: ArrayReader }> {
  if (typeof DecompressionStream === "undefined") {
    throw new ViewerError(
      "This page needs a browser that supports DecompressionStream: Chrome or Edge 80, Firefox 113, Safari 16.4, or newer.",
    );
  }
  try {
    const compressed = Uint8Array.from(atob(text.trim()), (c) => c.charCodeAt(0));
    const stream = new Blob([compressed]).stream().pipeThrough(new DecompressionStream("deflate"));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    const length = new DataView(bytes.buffer).getUint32(0, true);
    const json = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length))) as unknown;
    return { json, arrays: new ArrayReader(bytes.subarray(4 + length)) };
  } catch {
    throw new ViewerError("The data in this page is damaged: the file was truncated or modified. Write it again with `hycome plot`.");
  }
}

/** Decodes edges from delta-encoded LEB128 neighbour lists; returns u and v of each edge in turn. */
export function decodeEdges(bytes: Uint8Array, nodes: number): Uint32Array {
  // The stream has one count per node and one number per edge, and each number ends in a byte below 128.
  let numbers = 0;
  for (const byte of bytes) if (byte < 0x80) numbers++;
  const pairs = new Uint32Array(2 * (numbers - nodes));
  let at = 0;
  const next = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++]!;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  };
  for (let u = 0, i = 0; u < nodes; u++) {
    let v = u;
    for (let remaining = next(); remaining > 0; remaining--) {
      v += next();
      pairs[i++] = u;
      pairs[i++] = v;
    }
  }
  return pairs;
}

/** Uniform random sample without replacement of at most `max` edges (partial Fisher-Yates shuffle, fixed seed); every prefix is a uniform sample too. */
export function sample(pairs: Uint32Array, max: number): Uint32Array {
  const total = pairs.length / 2;
  const order = Uint32Array.from({ length: total }, (_, i) => i);
  const chosen = new Uint32Array(2 * Math.min(max, total));
  let state = 0x2545f491;
  for (let i = 0; i < chosen.length / 2; i++) {
    // xorshift32; the bias of scaling is far below one edge.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    const j = i + Math.floor(((state >>> 0) / 2 ** 32) * (total - i));
    [order[i], order[j]] = [order[j]!, order[i]!];
    chosen[2 * i] = pairs[2 * order[i]!]!;
    chosen[2 * i + 1] = pairs[2 * order[i]! + 1]!;
  }
  return chosen;
}
