/** Which part of a scene is in sight, and how much detail its scale allows. Painting and picking both ask here. */
import type { Scene } from '../../server/drawing/scene.ts';
import { typicalNodeSize } from '../../server/drawing/strokes.ts';

/** Which part of the world the canvas shows. */
export interface Viewport {
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Pixels per world unit, and the pixel of world (0, 0). */
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

/** Part of a canvas. */
interface Part {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Of a pixel of the screen: nearer than this a move is by whole ones. */
const wholePixels = 1e-6;

/**
 * By how many pixels of the screen, `ratio` to a CSS pixel, the second view is the first one moved to the right and down: then
 * what is painted can be moved along. Undefined where it is not, or by parts of pixels.
 */
export function moveBetween(before: Viewport, after: Viewport, ratio: number): readonly [number, number] | undefined {
  if (before.scale !== after.scale || before.width !== after.width || before.height !== after.height) return undefined;
  const [right, down] = [(after.x - before.x) * ratio, (after.y - before.y) * ratio];
  const [wholeRight, wholeDown] = [Math.round(right), Math.round(down)];
  const isWhole = Math.abs(right - wholeRight) < wholePixels && Math.abs(down - wholeDown) < wholePixels;
  return isWhole ? [wholeRight, wholeDown] : undefined;
}

/** What a canvas lacks once its content has been moved to the right and down: at most two parts, which do not overlap. */
export function uncoveredBy(
  { width, height }: { readonly width: number; readonly height: number },
  right: number,
  down: number,
): readonly Part[] {
  const [columns, rows] = [Math.min(width, Math.abs(right)), Math.min(height, Math.abs(down))];
  return [
    { left: right > 0 ? 0 : width - columns, top: 0, width: columns, height },
    { left: right > 0 ? columns : 0, top: down > 0 ? 0 : height - rows, width: width - columns, height: rows },
  ].filter((part) => part.width > 0 && part.height > 0);
}

/** What a part of the canvas shows, in CSS pixels, with so many more around it. */
export const viewportPart = (
  { scale, x, y }: Viewport,
  { left, top, width, height }: Part,
  around: number,
): Viewport => ({
  width: width + 2 * around,
  height: height + 2 * around,
  scale,
  x: x - left + around,
  y: y - top + around,
});

/** From this many pixels of half a node on, a cable shows its two directions. */
const lanesFrom = 7;
/** Nodes inside the frame of their switch are drawn from this many pixels of their half side on. */
const nodesFrom = 1.2;
/** And their host links. */
const ticksFrom = 2.5;

/** Half the side of an ordinary node in pixels. */
export const nodePixels = (scene: Scene, scale: number): number => typicalNodeSize(scene) * scale;

/**
 * Whether cables are drawn as two lanes: then the side that was clicked tells the direction. In a dense network later.
 */
export const showsLanes = (scene: Scene, scale: number): boolean =>
  nodePixels(scene, scale) * scene.lineScale ** 2 >= lanesFrom;

/** Whether the nodes of a framed switch are drawn; else its frame is tinted with their jobs. */
export const showsFramedNodes = (scene: Scene, scale: number): boolean =>
  (scene.nodes.size[0] ?? 0) * scale >= nodesFrom;

/** Whether the host links inside frames are drawn. */
export const showsTicks = (scene: Scene, scale: number): boolean => (scene.nodes.size[0] ?? 0) * scale >= ticksFrom;

/** Whether a rectangle in pixels is in view. */
export const isInView = (view: Viewport, left: number, top: number, right: number, bottom: number): boolean =>
  right >= 0 && left <= view.width && bottom >= 0 && top <= view.height;

/** Whether a line in pixels, with all that is drawn so far from it, may be in view. */
export const isLineInView = (view: Viewport, x1: number, y1: number, x2: number, y2: number, reach: number): boolean =>
  isInView(
    view,
    Math.min(x1, x2) - reach,
    Math.min(y1, y2) - reach,
    Math.max(x1, x2) + reach,
    Math.max(y1, y2) + reach,
  );

/** Pixels that a thick line reaches beyond its middle. */
const lineMargin = 8;

/**
 * The part of a line that may be seen, as shares of its length (Liang and Barsky 1984); undefined
 * where none may. Long cables of a large network mostly pass a zoomed view by, and painting
 * what lies outside takes as long as painting what does not.
 */
export function visiblePart(
  { width, height }: Viewport,
  x1: number,
  y1: number,
  x2: number,
  y2: number,
): readonly [number, number] | undefined {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const first = Math.max(0, shareAt(x1, dx, width, false), shareAt(y1, dy, height, false));
  const last = Math.min(1, shareAt(x1, dx, width, true), shareAt(y1, dy, height, true));
  return first <= last ? [first, last] : undefined;
}

/**
 * The share of its length at which a line that starts at `start` and goes `step` far comes into the room from 0 to `size`, or at which it
 * leaves that. Infinite where it goes along it: there it is all in, or comes in never.
 */
function shareAt(start: number, step: number, size: number, leaves: boolean): number {
  const [least, most] = [-lineMargin, size + lineMargin];
  if (step === 0) return leaves === (start >= least && start <= most) ? Infinity : -Infinity;
  const [one, other] = [(least - start) / step, (most - start) / step];
  return leaves ? Math.max(one, other) : Math.min(one, other);
}
