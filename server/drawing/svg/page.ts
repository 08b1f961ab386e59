import type { LegendLayout } from '../legendLayout.ts';
import type { Scene } from '../scene.ts';
import { typicalNodeSize } from '../strokes.ts';

/** Where things stand on the page, in pixels. */
export interface Page {
  readonly width: number;
  readonly height: number;
  /** Pixels per world unit. */
  readonly unit: number;
  /** Half the side of an ordinary node. */
  readonly nodePixels: number;
  /** Pixel of world (0, 0). */
  readonly originX: number;
  readonly originY: number;
  readonly legendX: number;
  readonly legendY: number;
}

export const margin = 28;
export const titleHeight = 56;
/** Half the side of a node is at most this: small machines are not blown up. */
const largestNode = 19;
const pictureWidth = 900;
const pictureHeight = 760;

/** Fits the picture into its part of the page. */
export function pageOf(scene: Scene, legend: LegendLayout): Page {
  const { left, top, right, bottom } = scene.bounds;
  const [width, height] = [Math.max(right - left, 1e-6), Math.max(bottom - top, 1e-6)];
  const nodeSize = typicalNodeSize(scene);
  const unit = Math.min(largestNode / nodeSize, pictureWidth / width, pictureHeight / height);
  const contentHeight = Math.max(height * unit, legend.height);
  return {
    width: margin + width * unit + margin + legend.width + margin,
    height: margin + titleHeight + contentHeight + margin,
    unit,
    nodePixels: nodeSize * unit,
    originX: margin - left * unit,
    originY: margin + titleHeight - top * unit,
    legendX: margin + width * unit + margin,
    legendY: margin + titleHeight,
  };
}
