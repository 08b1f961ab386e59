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
