import type { Scene } from '../server/drawing/scene.ts';
import { typicalNodeSize } from '../server/drawing/strokes.ts';

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

/** Half the side of an ordinary node in pixels. */
export const nodePixels = (scene: Scene, scale: number): number => typicalNodeSize(scene) * scale;

/** Whether cables are drawn as two lanes: then the side that was clicked tells the direction. */
export const showsLanes = (scene: Scene, scale: number): boolean => nodePixels(scene, scale) >= lanesFrom;

/** Whether the nodes of a framed switch are drawn; else its frame is tinted with their jobs. */
export const showsFramedNodes = (scene: Scene, scale: number): boolean =>
  (scene.nodes.size[0] ?? 0) * scale >= nodesFrom;

/** Whether a rectangle in pixels is in view. */
export const isInView = (view: Viewport, left: number, top: number, right: number, bottom: number): boolean =>
  right >= 0 && left <= view.width && bottom >= 0 && top <= view.height;
