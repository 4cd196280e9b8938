// Cache of rendered text: outlined text is slow to draw, and the same names appear in every frame.

import type { Theme } from "../theme";

/** Width of the outline, and margin around the text, in pixels. */
const OUTLINE = 1.5;
const MARGIN = 3;

/** Maximum number of cached texts; the cache is cleared beyond it. */
const MAX_CACHED = 2000;

export class TextCache {
  private readonly images = new Map<string, HTMLCanvasElement>();
  private readonly widths = new Map<string, number>();
  private style = "";

  /** Width of a text in the current font, in CSS pixels. */
  width(context: CanvasRenderingContext2D, text: string): number {
    const key = `${context.font} ${text}`;
    let width = this.widths.get(key);
    if (width === undefined) {
      if (this.widths.size > MAX_CACHED) this.widths.clear();
      this.widths.set(key, (width = context.measureText(text).width));
    }
    return width;
  }

  /** Draws text left-aligned at `x` and vertically centred at `y`. */
  draw(context: CanvasRenderingContext2D, text: string, x: number, y: number, size: number, theme: Theme, density: number): void {
    const style = `${context.font} ${theme.ink} ${density}`;
    if (style !== this.style || this.images.size > MAX_CACHED) this.images.clear();
    this.style = style;
    let image = this.images.get(text);
    if (!image) this.images.set(text, (image = this.render(context, text, size, theme, density)));
    // Whole device pixels, as images between them are blurred.
    const [left, top] = [(x - MARGIN) * density, y * density - image.height / 2];
    context.drawImage(image, Math.round(left) / density, Math.round(top) / density, image.width / density, image.height / density);
  }

  private render(like: CanvasRenderingContext2D, text: string, size: number, theme: Theme, density: number): HTMLCanvasElement {
    const image = document.createElement("canvas");
    image.width = Math.ceil((this.width(like, text) + 2 * MARGIN) * density);
    image.height = Math.ceil((1.6 * size + 2 * MARGIN) * density);
    const context = image.getContext("2d")!;
    context.scale(density, density);
    context.font = like.font;
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.lineWidth = 2 * OUTLINE;
    context.strokeStyle = theme.halo;
    context.fillStyle = theme.ink;
    const middle = image.height / density / 2;
    context.strokeText(text, MARGIN, middle);
    context.fillText(text, MARGIN, middle);
    return image;
  }
}
