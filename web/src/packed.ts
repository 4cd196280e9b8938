// The data of the page as `hycome` packed it: JSON and lists of numbers, compressed together.

/** Where a list begins among the lists, and how many numbers it has. */
type Place = readonly [number, number];

export class Lists {
  constructor(private readonly bytes: Uint8Array) {}

  /** 32-bit numbers: all their lowest bytes first, all their highest last. */
  whole([start, count]: Place): Uint32Array {
    const numbers = new Uint32Array(count);
    for (let plane = 0; plane < 4; plane++) {
      const at = start + plane * count;
      for (let i = 0; i < count; i++) numbers[i]! |= this.bytes[at + i]! << (8 * plane);
    }
    return numbers;
  }

  single(place: Place): Float32Array {
    return new Float32Array(this.whole(place).buffer);
  }

  raw([start, count]: Place): Uint8Array {
    return this.bytes.subarray(start, start + count);
  }
}

/** A sentence for the reader, where a page cannot be shown. */
export class CannotShow extends Error {}

/** The JSON and the lists inside a text of Base64. */
export async function unpack(text: string): Promise<{ json: unknown; lists: Lists }> {
  if (typeof DecompressionStream === "undefined") {
    throw new CannotShow(
      "This page needs a browser that can decompress data (DecompressionStream): Chrome or Edge 80, Firefox 113, Safari 16.4, or newer.",
    );
  }
  try {
    const packed = Uint8Array.from(atob(text.trim()), (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    const length = new DataView(bytes.buffer).getUint32(0, true);
    const json = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length))) as unknown;
    return { json, lists: new Lists(bytes.subarray(4 + length)) };
  } catch {
    throw new CannotShow("The data in this page is damaged: the file was cut or changed. Write it again with `hycome plot`.");
  }
}

/** The ends of edges, u and v in turn, that are packed as differences in LEB128. */
export function unpackEdges(bytes: Uint8Array, nodes: number): Uint32Array {
  // Every number but the counts is an edge, and every number ends in a byte below 128.
  let numbers = 0;
  for (const byte of bytes) if (byte < 0x80) numbers++;
  const pairs = new Uint32Array(2 * (numbers - nodes));
  let at = 0;
  const number = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++]!;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  };
  for (let u = 0, i = 0; u < nodes; u++) {
    let v = u;
    for (let left = number(); left > 0; left--) {
      v += number();
      pairs[i++] = u;
      pairs[i++] = v;
    }
  }
  return pairs;
}

/** So many of these edges in random order, the same each time: any beginning of them is a fair sample. */
export function sample(pairs: Uint32Array, most: number): Uint32Array {
  const total = pairs.length / 2;
  const order = Uint32Array.from({ length: total }, (_, i) => i);
  const chosen = new Uint32Array(2 * Math.min(most, total));
  let state = 0x2545f491;
  for (let i = 0; i < chosen.length / 2; i++) {
    // xorshift32; its bias over so few numbers is far below one edge.
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
