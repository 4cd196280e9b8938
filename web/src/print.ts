// Printing: a light, high-resolution image of the disc, with title, legend and reading guide beside it.
//
// Browsers do not expose the size of the print layout to scripts, so the canvases of the screen would be stretched. A square image is drawn
// before printing instead, which keeps its proportions on any paper.

import type { Painter } from "./painter";
import type { Themes } from "./theme";

export function setUpPrinting(painter: Painter, themes: Themes, repaint: () => void): void {
  let image: HTMLCanvasElement | null = null;
  const begin = (): void => {
    if (image) return;
    themes.setPrinting(true);
    repaint();
    image = painter.printImage();
    image.className = "print-image";
    painter.stage.append(image);
  };
  const end = (): void => {
    if (!image) return;
    image.remove();
    image = null;
    themes.setPrinting(false);
    repaint();
  };
  window.addEventListener("beforeprint", begin);
  window.addEventListener("afterprint", end);
}
