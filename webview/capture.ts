/** The picture as a PNG file: what the canvas shows, all of it, with its title and its legend. */
import { layoutLegend, type LegendItem } from '../server/drawing/legendLayout.ts';
import type { Scene } from '../server/drawing/scene.ts';
import { typicalNodeSize } from '../server/drawing/strokes.ts';
import { toBase64 } from '../server/protocol/encoding.ts';
import { paintScene } from './paint.ts';
import { loadColorsFor, type Theme } from './theme.ts';

/** Pixels of the file per CSS pixel: sharp on a slide. */
const density = 2;
const pictureWidth = 960;
const pictureHeight = 800;
const margin = 28;
const titleHeight = 56;
/** Half the side of a node is at most this many pixels. */
const largestNode = 20;

/** The whole picture with title and legend on the theme's background, as a PNG in base64. */
export async function capturePng(scene: Scene, theme: Theme): Promise<string> {
  const legend = layoutLegend(scene, loadColorsFor(scene, theme));
  const { left, top, right, bottom } = scene.bounds;
  const [worldWidth, worldHeight] = [Math.max(right - left, 1e-6), Math.max(bottom - top, 1e-6)];
  const scale = Math.min(largestNode / typicalNodeSize(scene), pictureWidth / worldWidth, pictureHeight / worldHeight);
  const legendX = margin + worldWidth * scale + margin;
  const width = Math.ceil(legendX + legend.width + margin);
  const height = Math.ceil(margin + titleHeight + Math.max(worldHeight * scale, legend.height) + margin);

  const canvas = document.createElement('canvas');
  canvas.width = width * density;
  canvas.height = height * density;
  const context = canvas.getContext('2d')!;
  context.scale(density, density);
  const origin = { x: margin - left * scale, y: margin + titleHeight - top * scale };
  paintScene(context, scene, { width, height, scale, ...origin }, theme);
  paintTitle(context, scene, theme);
  context.translate(legendX, margin + titleHeight);
  for (const item of legend.items) paintItem(context, item, theme);
  const blob = await toBlob(canvas);
  return toBase64(new Uint8Array(await blob.arrayBuffer()));
}

function paintTitle(context: CanvasRenderingContext2D, scene: Scene, theme: Theme): void {
  context.textAlign = 'start';
  context.textBaseline = 'alphabetic';
  context.fillStyle = theme.foreground;
  context.font = `bold 20px ${theme.font}`;
  context.fillText(scene.placement, margin, margin + 16);
  context.fillStyle = theme.faint;
  context.font = `13px ${theme.font}`;
  context.fillText(`on ${scene.machine}`, margin, margin + 36);
}

const alignment = { start: 'left', middle: 'center', end: 'right' } as const;

function paintItem(context: CanvasRenderingContext2D, item: LegendItem, theme: Theme): void {
  if (item.kind === 'text') {
    context.textAlign = alignment[item.anchor];
    context.fillStyle = item.weight === 'faint' ? theme.faint : theme.foreground;
    context.font = `${item.weight === 'heading' ? 'bold ' : ''}${item.size}px ${theme.font}`;
    context.fillText(item.text, item.x, item.y);
    return;
  }
  context.fillStyle = item.fill ?? theme.freeNode;
  context.fillRect(item.x, item.y, item.width, item.height);
  if (!item.outlined) return;
  context.strokeStyle = theme.faint;
  context.lineWidth = 1;
  context.strokeRect(item.x, item.y, item.width, item.height);
}

function toBlob(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob === null) reject(new Error('The browser could not make a PNG of this size.'));
      else resolve(blob);
    }, 'image/png');
  });
}
