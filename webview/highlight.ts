import type { Scene } from '../server/drawing/scene.ts';
import { typicalNodeSize } from '../server/drawing/strokes.ts';
import { bowTo } from './paintLinks.ts';
import type { Thing } from './pick.ts';
import type { Theme } from './theme.ts';
import type { Viewport } from './viewport.ts';

/** An outline round what the pointer is on, on a canvas of its own: the scene is not painted again. */
export function paintHighlight(
  context: CanvasRenderingContext2D,
  scene: Scene,
  thing: Thing | undefined,
  view: Viewport,
  theme: Theme,
): void {
  context.clearRect(0, 0, view.width, view.height);
  if (thing === undefined) return;
  context.strokeStyle = theme.focus;
  context.lineWidth = 2;
  context.beginPath();
  if (thing.kind === 'link') outlineLink(context, scene, thing.link, view);
  else {
    const { x, y, size } = thing.kind === 'node' ? scene.nodes : scene.routers;
    const half = size[thing.entry]! * view.scale + 2.5;
    const [left, top] = [x[thing.entry]! * view.scale + view.x, y[thing.entry]! * view.scale + view.y];
    if (thing.kind === 'router' && scene.routers.framed[thing.entry] === 0)
      context.arc(left, top, half, 0, 2 * Math.PI);
    else context.rect(left - half, top - half, 2 * half, 2 * half);
  }
  context.stroke();
}

/** Both sides of the cable, along its bow where it has one. */
function outlineLink(context: CanvasRenderingContext2D, scene: Scene, link: number, view: Viewport): void {
  const { links } = scene;
  const [x1, y1] = [links.x1[link]! * view.scale + view.x, links.y1[link]! * view.scale + view.y];
  const [x2, y2] = [links.x2[link]! * view.scale + view.x, links.y2[link]! * view.scale + view.y];
  const bend = links.bend[link]! * view.scale;
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const away = Math.max(4, typicalNodeSize(scene) * view.scale * 0.45);
  const [right, down] = [(-(y2 - y1) / length) * away, ((x2 - x1) / length) * away];
  context.moveTo(x1 + right, y1 + down);
  bowTo(context, x1 + right, y1 + down, x2 + right, y2 + down, bend);
  context.lineTo(x2 - right, y2 - down);
  bowTo(context, x2 - right, y2 - down, x1 - right, y1 - down, -bend);
  context.closePath();
}

export function sameThing(first: Thing | undefined, second: Thing | undefined): boolean {
  if (first === undefined || second === undefined) return first === second;
  if (first.kind === 'link') return second.kind === 'link' && first.link === second.link;
  return second.kind === first.kind && first.entry === second.entry;
}
