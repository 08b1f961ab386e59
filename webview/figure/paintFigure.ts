/** Paints a figure on a 2D canvas, in the colours of the theme. */
import { loadColors, loadColorsOnDark } from '../../server/drawing/colors.ts';
import { markerCorners, isStroked, type Figure, type Paint, type Shape } from '../../server/drawing/figures/figure.ts';
import type { Theme } from '../page/theme.ts';

const roles = { paper: 'background', ink: 'foreground', faint: 'faint', grid: 'grid' } as const;

const colorOf = (paint: Paint, theme: Theme): string => {
  if (paint.startsWith('load '))
    return (theme.isDark ? loadColorsOnDark : loadColors)[Number(paint.slice(5))] ?? theme.faint;
  const role = roles[paint as keyof typeof roles] as (typeof roles)[keyof typeof roles] | undefined;
  return role === undefined ? paint : theme[role];
};

/** The whole figure on the theme's background, its upper left corner at (0, 0) and a pixel of it one of the context. O(shapes). */
export function paintFigure(context: CanvasRenderingContext2D, figure: Figure, theme: Theme): void {
  context.fillStyle = theme.background;
  context.fillRect(0, 0, figure.width, figure.height);
  for (const shape of figure.shapes) {
    context.save();
    paintShape(context, shape, theme);
    context.restore();
  }
}

function paintShape(context: CanvasRenderingContext2D, shape: Shape, theme: Theme): void {
  switch (shape.kind) {
    case 'line':
      tracePath(context, shape.points);
      context.strokeStyle = colorOf(shape.color, theme);
      context.lineWidth = shape.width;
      context.lineJoin = 'round';
      context.setLineDash([...(shape.dash ?? [])]);
      context.stroke();
      return;
    case 'strokes': {
      const { strokes } = shape;
      context.beginPath();
      for (let at = 0; at + 3 < strokes.length; at += 4) {
        context.moveTo(strokes[at]!, strokes[at + 1]!);
        context.lineTo(strokes[at + 2]!, strokes[at + 3]!);
      }
      context.strokeStyle = colorOf(shape.color, theme);
      context.lineWidth = shape.width;
      context.setLineDash([...(shape.dash ?? [])]);
      context.stroke();
      return;
    }
    case 'area':
      tracePath(context, shape.points);
      context.fillStyle = colorOf(shape.fill, theme);
      context.globalAlpha = shape.opacity;
      context.fill();
      return;
    case 'boxes':
      paintBoxes(context, shape, theme);
      return;
    case 'marker':
      paintMarker(context, shape, theme);
      return;
    case 'text':
      context.translate(shape.x, shape.y);
      if (shape.turned === true) context.rotate(-Math.PI / 2);
      context.font = `${shape.bold === true ? 'bold ' : ''}${shape.size}px ${theme.font}`;
      context.fillStyle = colorOf(shape.color, theme);
      context.textAlign = ({ start: 'left', middle: 'center', end: 'right' } as const)[shape.anchor];
      context.textBaseline = 'alphabetic';
      context.fillText(shape.text, 0, 0);
      return;
  }
}

function tracePath(context: CanvasRenderingContext2D, points: readonly number[]): void {
  context.beginPath();
  for (let at = 0; at + 1 < points.length; at += 2) context.lineTo(points[at]!, points[at + 1]!);
}

function paintBoxes(context: CanvasRenderingContext2D, shape: Extract<Shape, { kind: 'boxes' }>, theme: Theme): void {
  const { boxes, fill, outline, opacity = 1 } = shape;
  context.fillStyle = colorOf(fill, theme);
  context.globalAlpha = opacity;
  for (let at = 0; at + 3 < boxes.length; at += 4) {
    context.fillRect(boxes[at]!, boxes[at + 1]!, boxes[at + 2]!, boxes[at + 3]!);
  }
  if (outline === undefined) return;
  context.globalAlpha = 1;
  context.strokeStyle = colorOf(outline, theme);
  context.lineWidth = 0.6;
  for (let at = 0; at + 3 < boxes.length; at += 4) {
    context.strokeRect(boxes[at]!, boxes[at + 1]!, boxes[at + 2]!, boxes[at + 3]!);
  }
}

function paintMarker(context: CanvasRenderingContext2D, shape: Extract<Shape, { kind: 'marker' }>, theme: Theme): void {
  const { marker, x, y, size, fill, outline } = shape;
  context.fillStyle = colorOf(fill, theme);
  context.strokeStyle = colorOf(outline, theme);
  context.lineWidth = isStroked(marker) ? 1.8 : 1.3;
  const corners = markerCorners(marker).map((value, index) => (index % 2 === 0 ? x : y) + value * size);
  if (isStroked(marker)) {
    for (const stroke of [corners.slice(0, 4), corners.slice(4)]) {
      tracePath(context, stroke);
      context.stroke();
    }
    return;
  }
  if (marker === 'circle') {
    context.beginPath();
    context.arc(x, y, size, 0, 2 * Math.PI);
  } else {
    tracePath(context, corners);
    context.closePath();
  }
  context.fill();
  context.stroke();
}
