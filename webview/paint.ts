import { readableOn } from '../server/drawing/colors.ts';
import { nodeLabel } from '../server/drawing/labels.ts';
import type { Scene } from '../server/drawing/scene.ts';
import {
  laneShift,
  lineOpacity,
  lineWidth,
  outlinedFrom,
  strokeCable,
  strokeLanes,
  strokeStyles,
  typicalNodeSize,
  type StrokeStyle,
} from '../server/drawing/strokes.ts';
import { loadColorsFor, type Theme } from './theme.ts';

/**
 * Paints a scene on a 2D canvas. What cannot be seen is not painted: things outside the view,
 * and below a few pixels the lanes, outlines, dashes and labels. Lines of one style share a path.
 */
export interface Viewport {
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Pixels per world unit, and the pixel of world (0, 0). */
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

/** From this many pixels of half a node on, a cable shows its two directions. */
const lanesFrom = 7;
const dashesFrom = 3;
const roundedFrom = 7;
/** Half a node must have this many pixels to be labelled. */
const labelsFrom = 9;
/** Lines per stroke() call; one path of all would be slow to fill in. */
const linesPerPath = 400;

/** Whether cables are drawn as two lanes: then the side that was clicked tells the direction. */
export const showsLanes = (scene: Scene, view: Viewport): boolean => typicalNodeSize(scene) * view.scale >= lanesFrom;

/** The whole picture on the theme's background. O(nodes + links). */
export function paintScene(context: CanvasRenderingContext2D, scene: Scene, view: Viewport, theme: Theme): void {
  context.fillStyle = theme.background;
  context.fillRect(0, 0, view.width, view.height);
  paintLinks(context, scene, view, theme);
  paintNodes(context, scene, view, theme);
  if (typicalNodeSize(scene) * view.scale >= labelsFrom) paintLabels(context, scene, view, theme);
}

function paintLinks(context: CanvasRenderingContext2D, scene: Scene, view: Viewport, theme: Theme): void {
  const styles = strokeStyles(scene);
  const lines: number[][] = styles.map(() => []);
  const { width, height, scale, x, y } = view;
  const add = (style: number, worldX1: number, worldY1: number, worldX2: number, worldY2: number): void => {
    const [x1, y1] = [worldX1 * scale + x, worldY1 * scale + y];
    const [x2, y2] = [worldX2 * scale + x, worldY2 * scale + y];
    if (Math.max(x1, x2) < 0 || Math.min(x1, x2) > width) return;
    if (Math.max(y1, y2) < 0 || Math.min(y1, y2) > height) return;
    lines[style]!.push(x1, y1, x2, y2);
  };
  const shift = laneShift(scene);
  const lanes = showsLanes(scene, view);
  for (let link = 0; link < scene.links.from.length; link++) {
    if (lanes) strokeLanes(scene, link, shift, add);
    else strokeCable(scene, link, add);
  }
  const nodePixels = typicalNodeSize(scene) * scale;
  const colors = loadColorsFor(scene, theme);
  styles.forEach((style, index) => {
    context.strokeStyle = style.step < 0 ? theme.unusedLink : colors[style.step]!;
    context.globalAlpha = lineOpacity(style, nodePixels);
    strokeLines(context, lines[index]!, style, nodePixels);
  });
  context.globalAlpha = 1;
  context.setLineDash([]);
}

function strokeLines(
  context: CanvasRenderingContext2D,
  lines: readonly number[],
  style: StrokeStyle,
  nodePixels: number,
): void {
  if (lines.length === 0) return;
  const width = Math.min(7, lineWidth(nodePixels) * (nodePixels > 18 ? nodePixels / 18 : 1)) * style.width;
  context.lineWidth = width;
  context.setLineDash(style.dashed && nodePixels >= dashesFrom ? [width * 1.6, width * 1.2] : []);
  for (let start = 0; start < lines.length; start += 4 * linesPerPath) {
    context.beginPath();
    const end = Math.min(lines.length, start + 4 * linesPerPath);
    for (let place = start; place < end; place += 4) {
      context.moveTo(lines[place]!, lines[place + 1]!);
      context.lineTo(lines[place + 2]!, lines[place + 3]!);
    }
    context.stroke();
  }
}

function paintNodes(context: CanvasRenderingContext2D, scene: Scene, view: Viewport, theme: Theme): void {
  // Without its outline a free node would be lost on the background.
  const outlined = typicalNodeSize(scene) * view.scale >= outlinedFrom;
  const freeFill = outlined ? theme.freeNode : theme.unusedLink;
  for (let job = -1; job < scene.jobs.length; job++) {
    const fill = job < 0 ? freeFill : scene.jobs[job]!.color;
    forEachVisibleNode(scene, view, (entry, x, y, half) => {
      if (scene.nodes.job[entry] !== job) return;
      if (half >= roundedFrom) paintRoundedNode(context, x, y, half, fill, theme.nodeOutline);
      else paintSmallNode(context, x, y, half, fill, theme);
    });
  }
}

/** Filled squares only: thousands of them are quick. */
function paintSmallNode(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  half: number,
  fill: string,
  theme: Theme,
): void {
  let inner = half;
  if (half >= outlinedFrom) {
    context.fillStyle = theme.nodeOutline;
    context.fillRect(x - half, y - half, 2 * half, 2 * half);
    inner = half - 0.75;
  }
  context.fillStyle = fill;
  context.fillRect(x - inner, y - inner, 2 * inner, 2 * inner);
}

function paintRoundedNode(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  half: number,
  fill: string,
  outline: string,
): void {
  context.beginPath();
  context.roundRect(x - half, y - half, 2 * half, 2 * half, half * 0.2);
  context.fillStyle = fill;
  context.fill();
  context.strokeStyle = outline;
  context.lineWidth = 1;
  context.stroke();
}

function paintLabels(context: CanvasRenderingContext2D, scene: Scene, view: Viewport, theme: Theme): void {
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  forEachVisibleNode(scene, view, (entry, x, y, half) => {
    const label = nodeLabel(scene.nodes, entry);
    const size = Math.min(half * 0.8, (half * 3) / label.length, 28);
    if (label === '' || size < 6) return;
    context.font = `${size}px ${theme.font}`;
    context.fillStyle = readableOn(scene.jobs[scene.nodes.job[entry]!]!.color);
    context.fillText(label, x, y + size * 0.06);
  });
}

/** Calls with the centre and half side in pixels of each node that is in view, far ones first. */
function forEachVisibleNode(
  { nodes }: Scene,
  view: Viewport,
  visit: (entry: number, x: number, y: number, half: number) => void,
): void {
  for (let entry = 0; entry < nodes.id.length; entry++) {
    const half = nodes.size[entry]! * view.scale;
    const x = nodes.x[entry]! * view.scale + view.x;
    const y = nodes.y[entry]! * view.scale + view.y;
    if (x + half < 0 || x - half > view.width || y + half < 0 || y - half > view.height) continue;
    visit(entry, x, y, half);
  }
}
