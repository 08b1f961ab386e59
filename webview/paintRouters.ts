import type { RouterShares } from '../server/drawing/labels.ts';
import { frameContent, frameCorner, routerLabelOf } from '../server/drawing/routers.ts';
import type { Scene } from '../server/drawing/scene.ts';
import { sharesOf } from './describeThing.ts';
import type { Theme } from './theme.ts';
import { isInView, nodePixels, showsFramedNodes, type Viewport } from './viewport.ts';

/** Half the side in pixels from which frames have rounded corners. */
const roundedFrom = 8;
/** Smaller text than this many pixels is left out. */
const leastText = 5.5;

/** Levels, pods and groups, behind everything. */
export function paintAreas(context: CanvasRenderingContext2D, { areas }: Scene, view: Viewport, theme: Theme): void {
  context.fillStyle = theme.area;
  for (const area of areas) {
    const [left, top] = [area.left * view.scale + view.x, area.top * view.scale + view.y];
    const [width, height] = [(area.right - area.left) * view.scale, (area.bottom - area.top) * view.scale];
    if (!isInView(view, left, top, left + width, top + height)) continue;
    context.beginPath();
    if (area.round) context.ellipse(left + width / 2, top + height / 2, width / 2, height / 2, 0, 0, 2 * Math.PI);
    else context.roundRect(left, top, width, height, 6);
    context.fill();
  }
}

const areaText = 11;

/** Their names, in front of the cables, where the patch is large enough. */
export function paintAreaLabels(
  context: CanvasRenderingContext2D,
  { areas }: Scene,
  view: Viewport,
  theme: Theme,
): void {
  context.font = `${areaText}px ${theme.font}`;
  context.fillStyle = theme.faint;
  context.strokeStyle = theme.area;
  context.lineWidth = 3;
  context.lineJoin = 'round';
  context.textBaseline = 'top';
  for (const { left, top, right, bottom, round, label } of areas) {
    if (label === '' || (bottom - top) * view.scale < 2 * areaText) continue;
    if (round && (right - left) * view.scale < 70) continue;
    context.textAlign = round ? 'center' : 'left';
    const x = (round ? (left + right) / 2 : left) * view.scale + view.x + (round ? 0 : 6);
    const y = top * view.scale + view.y + 4;
    context.strokeText(label, x, y);
    context.fillText(label, x, y);
  }
}

/** Frames and discs; a frame whose nodes are too small to be drawn is tinted with their jobs. */
export function paintRouters(context: CanvasRenderingContext2D, scene: Scene, view: Viewport, theme: Theme): void {
  const { routers } = scene;
  if (routers.id.length === 0) return;
  const tints = showsFramedNodes(scene, view.scale) ? undefined : sharesOf(scene);
  const line = Math.min(1.5, Math.max(0.4, nodePixels(scene, view.scale) * 0.09));
  for (let entry = 0; entry < routers.id.length; entry++) {
    const half = routers.size[entry]! * view.scale;
    const [x, y] = [routers.x[entry]! * view.scale + view.x, routers.y[entry]! * view.scale + view.y];
    if (!isInView(view, x - half, y - half, x + half, y + half)) continue;
    context.beginPath();
    if (routers.framed[entry] === 0) context.arc(x, y, half, 0, 2 * Math.PI);
    else if (half >= roundedFrom) context.roundRect(x - half, y - half, 2 * half, 2 * half, frameCorner * view.scale);
    else context.rect(x - half, y - half, 2 * half, 2 * half);
    context.fillStyle = theme.router;
    context.fill();
    if (tints !== undefined && routers.framed[entry] === 1)
      tintFrame(context, scene, entry, tints[entry]!, view, theme);
    context.strokeStyle = theme.routerOutline;
    context.lineWidth = routers.id[entry] === routers.root ? 3 * line : line;
    context.stroke();
  }
}

/** A stripe for every job, as wide as its share of the nodes. */
function tintFrame(
  context: CanvasRenderingContext2D,
  scene: Scene,
  entry: number,
  shares: RouterShares,
  view: Viewport,
  theme: Theme,
): void {
  const content = frameContent(scene, entry);
  const [left, top] = [content.x * view.scale + view.x, content.y * view.scale + view.y];
  const [width, height] = [content.width * view.scale, content.height * view.scale];
  const nodes = shares.reduce((sum, share) => sum + share.nodes, 0);
  let before = 0;
  for (const { job, nodes: own } of shares) {
    context.fillStyle = job < 0 ? theme.freeNode : scene.jobs[job]!.color;
    context.fillRect(left + (width * before) / nodes, top, (width * own) / nodes, height);
    before += own;
  }
}

/** Numbers or names of the routers, where they are large enough. */
export function paintRouterLabels(context: CanvasRenderingContext2D, scene: Scene, view: Viewport, theme: Theme): void {
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillStyle = theme.foreground;
  context.strokeStyle = theme.router;
  context.lineWidth = 3;
  context.lineJoin = 'round';
  for (let entry = 0; entry < scene.routers.id.length; entry++) {
    const label = routerLabelOf(scene, entry);
    const size = Math.min(24, label.size * view.scale);
    const [x, y] = [label.x * view.scale + view.x, label.y * view.scale + view.y];
    if (size < leastText || !isInView(view, x - 60, y - size, x + 60, y + size)) continue;
    context.font = `${size}px ${theme.font}`;
    // Above a disc it may stand in front of cables.
    if (scene.routers.framed[entry] === 0) context.strokeText(label.text, x, y);
    context.fillText(label.text, x, y);
  }
}
