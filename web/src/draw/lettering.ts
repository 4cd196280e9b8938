// Names as small pictures, drawn once each: letters with an outline are slow to draw, and the same names are written in every frame.

import type { Theme } from "../theme";

/** Pixels of the outline on each side, and of the ground around it. */
const OUTLINE = 1.5;
const MARGIN = 3;

/** Names that are kept; beyond them, all are drawn again. */
const MOST_KEPT = 2000;

export class Lettering {
  private readonly kept = new Map<string, HTMLCanvasElement>();
  private readonly widths = new Map<string, number>();
  private style = "";

  /** How wide a text of this font is, in pixels of the page. */
  width(context: CanvasRenderingContext2D, text: string): number {
    const key = `${context.font} ${text}`;
    let width = this.widths.get(key);
    if (width === undefined) {
      if (this.widths.size > MOST_KEPT) this.widths.clear();
      this.widths.set(key, (width = context.measureText(text).width));
    }
    return width;
  }

  /** Writes a text from its left end; `y` is its middle. */
  write(context: CanvasRenderingContext2D, text: string, x: number, y: number, size: number, theme: Theme, density: number): void {
    const style = `${context.font} ${theme.ink} ${density}`;
    if (style !== this.style || this.kept.size > MOST_KEPT) this.kept.clear();
    this.style = style;
    let picture = this.kept.get(text);
    if (!picture) this.kept.set(text, (picture = this.draw(context, text, size, theme, density)));
    // Whole pixels: a picture between two of them is blurred.
    const [left, top] = [(x - MARGIN) * density, y * density - picture.height / 2];
    context.drawImage(picture, Math.round(left) / density, Math.round(top) / density, picture.width / density, picture.height / density);
  }

  private draw(like: CanvasRenderingContext2D, text: string, size: number, theme: Theme, density: number): HTMLCanvasElement {
    const picture = document.createElement("canvas");
    picture.width = Math.ceil((this.width(like, text) + 2 * MARGIN) * density);
    picture.height = Math.ceil((1.6 * size + 2 * MARGIN) * density);
    const context = picture.getContext("2d")!;
    context.scale(density, density);
    context.font = like.font;
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.lineWidth = 2 * OUTLINE;
    context.strokeStyle = theme.halo;
    context.fillStyle = theme.ink;
    const middle = picture.height / density / 2;
    context.strokeText(text, MARGIN, middle);
    context.fillText(text, MARGIN, middle);
    return picture;
  }
}
