import { readableOn } from '../server/drawing/colors.ts';
import { nodeInside, showsCores, tasksOnCores } from '../server/drawing/cores.ts';
import { nodeLabel } from '../server/drawing/labels.ts';
import type { Scene } from '../server/drawing/scene.ts';
import { outlinedFrom } from '../server/drawing/strokes.ts';
import type { Theme } from './theme.ts';
import { isInView, nodePixels, showsFramedNodes, type Viewport } from './viewport.ts';

const roundedFrom = 7;
/** Half a node must have this many pixels to be labelled. */
const labelsFrom = 9;

/** Squares in the colours of their jobs; inside those that are large enough their sockets and cores. */
export function paintNodes(context: CanvasRenderingContext2D, scene: Scene, view: Viewport, theme: Theme): void {
  // Without its outline a free node would be lost on the background.
  const outlined = nodePixels(scene, view.scale) >= outlinedFrom;
  const freeFill = outlined ? theme.freeNode : theme.unusedLink;
  for (let job = -1; job < scene.jobs.length; job++) {
    const fill = job < 0 ? freeFill : scene.jobs[job]!.color;
    forEachVisibleNode(scene, view, (entry, x, y, half) => {
      if (scene.nodes.job[entry] !== job) return;
      if (half >= roundedFrom) paintRoundedNode(context, x, y, half, fill, theme.nodeOutline);
      else paintSmallNode(context, x, y, half, fill, theme);
    });
  }
  paintCores(context, scene, view, theme);
}

function paintCores(context: CanvasRenderingContext2D, scene: Scene, view: Viewport, theme: Theme): void {
  const inside = nodeInside(scene);
  context.lineWidth = 0.75;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  forEachVisibleNode(scene, view, (entry, x, y, half) => {
    if (!showsCores(inside, half)) return;
    context.strokeStyle = theme.nodeOutline;
    for (const { left, top, width, height } of inside.sockets) {
      context.fillStyle = theme.router;
      context.fillRect(x + left * half, y + top * half, width * half, height * half);
      context.strokeRect(x + left * half, y + top * half, width * half, height * half);
    }
    const tasks = tasksOnCores(scene, entry);
    inside.cores.forEach((core, index) => {
      const job = scene.nodes.taskJob[tasks[index]!];
      const size = core.half * half;
      const [coreX, coreY] = [x + core.x * half, y + core.y * half];
      context.fillStyle = job === undefined ? theme.freeNode : scene.jobs[job]!.color;
      context.fillRect(coreX - size, coreY - size, 2 * size, 2 * size);
      if (size >= outlinedFrom) context.strokeRect(coreX - size, coreY - size, 2 * size, 2 * size);
      if (job === undefined) return;
      context.fillStyle = readableOn(scene.jobs[job]!.color);
      paintText(context, theme.font, `${scene.nodes.task[tasks[index]!]!}`, coreX, coreY, size);
    });
  });
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

/** Task numbers in nodes that have room for them and do not show their cores. */
export function paintLabels(context: CanvasRenderingContext2D, scene: Scene, view: Viewport, theme: Theme): void {
  const inside = nodeInside(scene);
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  forEachVisibleNode(scene, view, (entry, x, y, half) => {
    if (half < labelsFrom || scene.nodes.job[entry]! < 0 || showsCores(inside, half)) return;
    context.fillStyle = readableOn(scene.jobs[scene.nodes.job[entry]!]!.color);
    paintText(context, theme.font, nodeLabel(scene.nodes, entry), x, y, half);
  });
}

/** A text in the middle of a square, in the fill colour, as large as fits; nothing where that is too small. */
function paintText(
  context: CanvasRenderingContext2D,
  font: string,
  text: string,
  x: number,
  y: number,
  half: number,
): void {
  const size = Math.min(half * 0.8, (half * 3) / text.length, 28);
  if (text === '' || size < 6) return;
  context.font = `${size}px ${font}`;
  context.fillText(text, x, y + size * 0.06);
}

/** Calls with the centre and half side in pixels of each node that is drawn and in view, far ones first. */
function forEachVisibleNode(
  scene: Scene,
  view: Viewport,
  visit: (entry: number, x: number, y: number, half: number) => void,
): void {
  const { nodes, routers } = scene;
  const framedToo = showsFramedNodes(scene, view.scale) || nodes.router.length === 0;
  for (let entry = 0; entry < nodes.id.length; entry++) {
    if (!framedToo && routers.framed[nodes.router[entry]!] === 1) continue;
    const half = nodes.size[entry]! * view.scale;
    const x = nodes.x[entry]! * view.scale + view.x;
    const y = nodes.y[entry]! * view.scale + view.y;
    if (isInView(view, x - half, y - half, x + half, y + half)) visit(entry, x, y, half);
  }
}
