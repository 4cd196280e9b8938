// Node shapes as canvas paths, identical to those of the shaders.

export function traceShape(path: CanvasPath, shape: number, x: number, y: number, r: number): void {
  if (shape === 0) {
    path.moveTo(x + r, y);
    path.arc(x, y, r, 0, 2 * Math.PI);
  } else if (shape === 1) {
    path.rect(x - 0.86 * r, y - 0.86 * r, 1.72 * r, 1.72 * r);
  } else if (shape === 2) {
    polygon(path, [[x, y - 1.09 * r], [x + 1.07 * r, y + 0.77 * r], [x - 1.07 * r, y + 0.77 * r]]);
  } else {
    const d = 1.24 * r;
    polygon(path, [[x, y - d], [x + d, y], [x, y + d], [x - d, y]]);
  }
}

function polygon(path: CanvasPath, corners: [number, number][]): void {
  corners.forEach(([x, y], i) => (i === 0 ? path.moveTo(x, y) : path.lineTo(x, y)));
  path.closePath();
}
