// Printing: a light picture of its own, as large and fine as paper allows, with title, legend and key beside it.
//
// A browser lays the page out for paper without telling its script how large that is, so the canvases of the screen would be stretched. Instead
// a square picture is drawn before, which keeps its proportions on any paper.

import type { Painter } from "./painter";
import type { Themes } from "./theme";

export function listenToPrinter(painter: Painter, themes: Themes, repaint: () => void): void {
  let sheet: HTMLCanvasElement | null = null;
  const begin = (): void => {
    if (sheet) return;
    themes.print(true);
    repaint();
    sheet = painter.sheet();
    sheet.className = "sheet";
    painter.stage.append(sheet);
  };
  const end = (): void => {
    if (!sheet) return;
    sheet.remove();
    sheet = null;
    themes.print(false);
    repaint();
  };
  window.addEventListener("beforeprint", begin);
  window.addEventListener("afterprint", end);
}
