// Software rasterizer: lines and sprites.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./module.mjs";

globalThis.ImageData ??= class {
  constructor(width, height) {
    this.data = new Uint8ClampedArray(4 * width * height);
  }
};

const { Bitmap, paint } = await load("draw/bitmap.ts");
const { Sprites } = await load("draw/sprites.ts");

const [BLACK, WHITE, RED] = [paint(0, 0, 0), paint(255, 255, 255), paint(255, 0, 0)];

function white(width, height) {
  const bitmap = new Bitmap(width, height);
  bitmap.pixels.fill(WHITE);
  return bitmap;
}

/** Total darkness of the bitmap in pixels, and its centroid. */
function darkness({ image, width, height }) {
  let [sum, x, y] = [0, 0, 0];
  for (let j = 0; j < height; j++) {
    for (let i = 0; i < width; i++) {
      const dark = 1 - image.data[4 * (j * width + i)] / 255;
      [sum, x, y] = [sum + dark, x + dark * (i + 0.5), y + dark * (j + 0.5)];
    }
  }
  return { sum, centroid: [x / sum, y / sum] };
}

test("the darkness of a line is length times thickness in every direction", () => {
  for (const thickness of [0.7, 1, 2.4]) {
    for (let angle = 0; angle < 6.3; angle += 0.37) {
      const bitmap = white(100, 100);
      const [dx, dy] = [30 * Math.cos(angle), 30 * Math.sin(angle)];
      bitmap.line(50 - dx, 50 - dy, 50 + dx, 50 + dy, BLACK, 128, thickness);
      const { sum, centroid } = darkness(bitmap);
      // Ends are cut along rows or columns, so each may differ by up to a pixel.
      assert.ok(Math.abs(sum / (30 * thickness) - 1) < 0.06, `${thickness}, ${angle}: ${sum}`);
      assert.ok(Math.hypot(centroid[0] - 50, centroid[1] - 50) < 0.6, `${thickness}, ${angle}: ${centroid}`);
    }
  }
});

test("segments of a polyline neither overlap nor leave gaps", () => {
  const [line, segments] = [white(100, 100), white(100, 100)];
  line.line(5, 20, 95, 60, BLACK, 128, 1);
  for (let i = 0; i < 9; i++) segments.line(5 + 10 * i, 20 + (40 * i) / 9, 15 + 10 * i, 20 + (40 * (i + 1)) / 9, BLACK, 128, 1);
  assert.ok(Math.abs(darkness(line).sum - darkness(segments).sum) < 0.5, `${darkness(line).sum}, ${darkness(segments).sum}`);
});

test("lines and sprites are clipped to the bitmap", () => {
  const bitmap = white(40, 30);
  const sprites = new Sprites(40, 1);
  for (const [x0, y0, x1, y1] of [[-50, -50, -10, 90], [60, -5, 45, 80], [-100, 200, 300, 40], [1e6, 1e6, 2e6, -1e6]]) {
    bitmap.line(x0, y0, x1, y1, BLACK, 256, 1);
    bitmap.line(x0, y0, x1, y1, BLACK, 256, 3);
  }
  bitmap.drawSprite(sprites.of(0, 5, 0.5, 0.5), -20, 10, BLACK, WHITE, 256);
  bitmap.drawSprite(sprites.of(0, 5, 0.5, 0.5), 20, 50, BLACK, WHITE, 256);
  assert.equal(darkness(bitmap).sum, 0);
  bitmap.line(-1000, 15, 1000, 15, BLACK, 256, 1);
  assert.ok(Math.abs(darkness(bitmap).sum - 37) <= 1, "all of the width but the border");
  const corner = white(40, 30);
  corner.drawSprite(sprites.of(0, 6, 0.5, 0.5), 0, 0, BLACK, BLACK, 256);
  assert.ok(darkness(corner).sum > (Math.PI * 36) / 4 && darkness(corner).sum < Math.PI * 36, "a part of the sprite");
});

test("a sprite has the area and the position of its shape", () => {
  const area = [Math.PI, 4 * 0.86 ** 2, 3 * Math.sqrt(3) * 0.62 ** 2, 2 * (0.88 / 0.7071) ** 2];
  for (let shape = 0; shape < 4; shape++) {
    for (const radius of [1.25, 3, 9, 20]) {
      const bitmap = white(80, 80);
      bitmap.drawSprite(new Sprites(80, 1).of(shape, radius, 0.5, 0.5), 40, 40, BLACK, WHITE, 256);
      const { sum, centroid } = darkness(bitmap);
      const wanted = area[shape] * radius * radius;
      assert.ok(Math.abs(sum - wanted) < 0.16 * wanted + 1, `shape ${shape}, ${radius}: ${sum}, not ${wanted}`);
      assert.ok(Math.hypot(centroid[0] - 40.5, centroid[1] - 40.5) < 0.2 * radius + 0.15);
    }
  }
  const right = white(40, 40);
  right.drawSprite(new Sprites(40, 1).of(0, 3, 0.9, 0.1), 20, 20, BLACK, WHITE, 256);
  const { centroid } = darkness(right);
  assert.ok(centroid[0] > 20.7 && centroid[1] < 20.3, "with subpixel offsets");
});

test("large nodes have a rim, small ones none", () => {
  const sprites = new Sprites(80, 1);
  const rim = (radius) => {
    const bitmap = new Bitmap(80, 80);
    bitmap.pixels.fill(BLACK);
    bitmap.drawSprite(sprites.of(0, radius, 0.5, 0.5), 40, 40, RED, WHITE, 256);
    return bitmap.image.data.filter((value, i) => i % 4 === 1 && value > 100).length; // red and black have no green
  };
  assert.ok(rim(8) > 40, `${rim(8)}`);
  assert.equal(rim(1.5), 0);
});

test("opacity blends colours", () => {
  const bitmap = white(10, 10);
  bitmap.drawSprite(new Sprites(10, 1).of(1, 3, 0.5, 0.5), 5, 5, RED, WHITE, 128);
  const at = 4 * (5 * 10 + 5);
  const [red, green, blue, opacity] = bitmap.image.data.subarray(at, at + 4);
  assert.deepEqual([red, opacity], [255, 255]);
  assert.ok([green, blue].every((part) => Math.abs(part - 127) <= 1), `${green}, ${blue}`);
});

/** Hue in degrees. */
function hue([r, g, b]) {
  const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)];
  const sector = most === r ? ((g - b) / (most - least) + 6) % 6 : most === g ? (b - r) / (most - least) + 2 : (r - g) / (most - least) + 4;
  return 60 * sector;
}

test("many faint layers preserve the hue", () => {
  const colors = [[0x57, 0xa2, 0xdc], [0xe8, 0xaf, 0x43], [0x8c, 0x2d, 0x4f], [0x2f, 0x8f, 0x5b]];
  for (const color of colors) {
    for (const share of [0.4, 1, 2, 5, 11, 40]) {
      const [lines, sprites] = [white(64, 64), white(64, 64)];
      const dot = new Sprites(64, 1).of(0, 12, 0.5, 0.5);
      const layers = Math.round(300 / share);
      for (let i = 0; i < layers; i++) {
        for (let y = 8; y < 56; y++) lines.line(4, y + 0.5, 60, y + 0.5, paint(...color), share, 1);
        if (share >= 1) sprites.drawSprite(dot, 32, 32, paint(...color), WHITE, share);
      }
      for (const bitmap of share >= 1 ? [lines, sprites] : [lines]) {
        const mean = [0, 0, 0];
        for (let y = 28; y < 36; y++) for (let x = 28; x < 36; x++) for (let c = 0; c < 3; c++) mean[c] += bitmap.image.data[4 * (64 * y + x) + c] / 64;
        assert.ok(Math.max(...mean) - Math.min(...mean) > 20, `${color}, ${share}: ${mean} is visible`);
        assert.ok(Math.abs(hue(mean) - hue(color)) < 3, `${color} at ${share}: the hue ${hue(color)} became ${hue(mean)}, ${mean}`);
      }
    }
  }
});
