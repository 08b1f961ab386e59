import { arrowHead } from '../server/drawing/routerShapes.ts';
import { upFlag, type Scene } from '../server/drawing/scene.ts';
import {
  controlOf,
  isTick,
  laneShift,
  lineOpacity,
  lineWidth,
  strokeCable,
  strokeLanes,
  strokeStyles,
  type AddStroke,
  type StrokeStyle,
} from '../server/drawing/strokes.ts';
import { loadColorsFor, type Theme } from './theme.ts';
import { isInView, nodePixels, showsLanes, type Viewport } from './viewport.ts';

const dashesFrom = 3;
/** From this many pixels of half a node on, cables that go up have arrow heads. */
const arrowsFrom = 6;
/** Lines per stroke() call; one path of all would be slow to fill in. */
const linesPerPath = 400;
/** Both ends and the bend. */
const numbersPerLine = 5;

/** Cables or, in front of the frames of switches, the host links inside them. Lines of one style share a path. */
export function paintLinks(
  context: CanvasRenderingContext2D,
  scene: Scene,
  view: Viewport,
  theme: Theme,
  which: 'cables' | 'ticks',
): void {
  const styles = strokeStyles(scene);
  const lines: number[][] = styles.map(() => []);
  const { width, height, scale, x, y } = view;
  const add: AddStroke = (style, worldX1, worldY1, worldX2, worldY2, worldBend) => {
    const [x1, y1] = [worldX1 * scale + x, worldY1 * scale + y];
    const [x2, y2] = [worldX2 * scale + x, worldY2 * scale + y];
    const out = Math.abs(worldBend * scale);
    if (Math.max(x1, x2) + out < 0 || Math.min(x1, x2) - out > width) return;
    if (Math.max(y1, y2) + out < 0 || Math.min(y1, y2) - out > height) return;
    lines[style]!.push(x1, y1, x2, y2, worldBend * scale);
  };
  const shift = laneShift(scene);
  const lanes = showsLanes(scene, scale);
  const ticks = which === 'ticks';
  for (let link = 0; link < scene.links.from.length; link++) {
    if (isTick(scene, link) !== ticks) continue;
    if (lanes) strokeLanes(scene, link, shift, add);
    else strokeCable(scene, link, add);
  }
  const pixels = nodePixels(scene, scale);
  const colors = loadColorsFor(scene, theme);
  styles.forEach((style, index) => {
    context.strokeStyle = style.step < 0 ? theme.unusedLink : colors[style.step]!;
    context.globalAlpha = lineOpacity(style, pixels);
    strokeLines(context, lines[index]!, style, pixels, lineWidth(scene, pixels));
  });
  context.globalAlpha = 1;
  context.setLineDash([]);
}

function strokeLines(
  context: CanvasRenderingContext2D,
  lines: readonly number[],
  style: StrokeStyle,
  pixels: number,
  ordinary: number,
): void {
  if (lines.length === 0) return;
  const width = Math.min(7, ordinary * (pixels > 18 ? pixels / 18 : 1)) * style.width;
  context.lineWidth = width;
  context.setLineDash(style.dashed && pixels >= dashesFrom ? [width * 1.6, width * 1.2] : []);
  for (let start = 0; start < lines.length; start += numbersPerLine * linesPerPath) {
    context.beginPath();
    const end = Math.min(lines.length, start + numbersPerLine * linesPerPath);
    for (let place = start; place < end; place += numbersPerLine) {
      context.moveTo(lines[place]!, lines[place + 1]!);
      bowTo(context, lines[place]!, lines[place + 1]!, lines[place + 2]!, lines[place + 3]!, lines[place + 4]!);
    }
    context.stroke();
  }
}

/** From the current point, (x1, y1), on: a straight line, or a bow. */
export function bowTo(path: CanvasPath, x1: number, y1: number, x2: number, y2: number, bend: number): void {
  if (bend === 0) {
    path.lineTo(x2, y2);
    return;
  }
  const [x, y] = controlOf(x1, y1, x2, y2, bend);
  path.quadraticCurveTo(x, y, x2, y2);
}

/** Heads of the arrows that point up to the root. */
export function paintArrows(context: CanvasRenderingContext2D, scene: Scene, view: Viewport, theme: Theme): void {
  const { scale, x, y } = view;
  if (scene.routers.root < 0 || nodePixels(scene, scale) < arrowsFrom) return;
  context.beginPath();
  scene.links.flags.forEach((flags, link) => {
    if ((flags & upFlag) === 0) return;
    const [tip, left, right] = arrowHead(scene, link)!.map(([worldX, worldY]) => [
      worldX * scale + x,
      worldY * scale + y,
    ]);
    if (!isInView(view, tip![0]!, tip![1]!, tip![0]!, tip![1]!)) return;
    context.moveTo(tip![0]!, tip![1]!);
    context.lineTo(left![0]!, left![1]!);
    context.lineTo(right![0]!, right![1]!);
  });
  context.fillStyle = theme.arrow;
  context.fill();
}
