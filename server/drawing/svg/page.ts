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
const titleHeight = 56;
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

/** Colours on white paper. */
export const paper = '#ffffff';
export const ink = '#1b1f24';
export const faintInk = '#57606a';
export const unusedLink = '#c9ced4';
export const freeNode = '#ffffff';
export const nodeOutline = '#3d444d';
export const routerFill = '#eceff2';
export const routerOutline = '#57606a';
export const areaFill = '#f5f7f9';
export const arrowInk = '#3d444d';

/** Text as XML content or attribute value; characters that XML 1.0 forbids are replaced. */
export function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;');
}

type Attributes = Readonly<Record<string, string | number>>;

const attributeText = (attributes: Attributes): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${typeof value === 'number' ? round(value) : escapeXml(value)}"`)
    .join('');

/** An element round ready-made content. */
export const element = (name: string, attributes: Attributes, content: string): string =>
  `<${name}${attributeText(attributes)}>${content}</${name}>`;

export const emptyElement = (name: string, attributes: Attributes): string => `<${name}${attributeText(attributes)}/>`;

/** An element round text, which is escaped here. */
export const textElement = (name: string, attributes: Attributes, text: string): string =>
  element(name, attributes, escapeXml(text));

/** Pixels to two decimals: enough for print, and half the bytes. */
export const round = (value: number): string => (Math.round(value * 100) / 100).toString();
