import {
  element,
  emptyElement,
  fittedPage,
  round,
  textElement,
  writeSvg,
  type PrintSize,
  type SvgElement,
  type SvgPage,
} from '../svg.ts';
import type { ThemeName } from '../themes.ts';
import { markerCorners, isStroked, paintOn, type Figure, type Paint, type Shape } from './figure.ts';

/**
 * A figure as a standalone SVG file, with title and description for screen readers. No scripts, styles or
 * references to elsewhere. The same figure gives the same bytes. O(shapes).
 */
export const renderFigure = (figure: Figure, theme: ThemeName = 'light'): string => writeSvg(figurePage(figure, theme));

/** A figure as a page, of which any kind of file can be made. O(shapes). */
export function figurePage(
  { title, description, width, height, shapes }: Figure,
  theme: ThemeName = 'light',
  size: PrintSize = {},
): SvgPage {
  const colored = (paint: Paint): string => paintOn(paint, theme);
  const content = shapes.map((shape) => svgShape(shape, colored));
  return fittedPage({ width, height, title, description }, colored('paper'), content, size);
}

type Colored = (paint: Paint) => string;

function svgShape(shape: Shape, colored: Colored): SvgElement {
  switch (shape.kind) {
    case 'line':
      return emptyElement('path', {
        d: linePath(shape.points),
        fill: 'none',
        stroke: colored(shape.color),
        'stroke-width': shape.width,
        'stroke-linejoin': 'round',
        ...(shape.dash === undefined ? {} : { 'stroke-dasharray': shape.dash.join(' ') }),
      });
    case 'strokes':
      return emptyElement('path', {
        d: strokesOf(shape.strokes),
        fill: 'none',
        stroke: colored(shape.color),
        'stroke-width': shape.width,
        ...(shape.dash === undefined ? {} : { 'stroke-dasharray': shape.dash.join(' ') }),
      });
    case 'area':
      return emptyElement('path', {
        d: `${linePath(shape.points)}Z`,
        fill: colored(shape.fill),
        'fill-opacity': shape.opacity,
      });
    case 'boxes':
      return svgBoxes(shape, colored);
    case 'marker':
      return svgMarker(shape, colored);
    case 'text': {
      const { x, y, text, size, color, anchor, bold, turned } = shape;
      const attributes = {
        ...(turned === true ? { transform: `translate(${round(x)} ${round(y)}) rotate(-90)` } : { x, y }),
        'font-size': size,
        fill: colored(color),
        ...(anchor === 'start' ? {} : { 'text-anchor': anchor }),
        ...(bold === true ? { 'font-weight': 'bold' } : {}),
      };
      return textElement('text', attributes, text);
    }
  }
}

const linePath = (points: readonly number[]): string => {
  let path = '';
  for (let at = 0; at + 1 < points.length; at += 2) {
    path += `${at === 0 ? 'M' : 'L'}${round(points[at] ?? 0)} ${round(points[at + 1] ?? 0)}`;
  }
  return path;
};

/** All in one path, as of {@link svgBoxes}. */
function strokesOf(strokes: readonly number[]): string {
  let path = '';
  for (let at = 0; at + 3 < strokes.length; at += 4) {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = strokes.slice(at, at + 4).map(round);
    path += `M${x1} ${y1}L${x2} ${y2}`;
  }
  return path;
}

/** All in one path: a picture of thousands of jobs stays small. */
function svgBoxes({ boxes, fill, outline, opacity }: Extract<Shape, { kind: 'boxes' }>, colored: Colored): SvgElement {
  let path = '';
  for (let at = 0; at + 3 < boxes.length; at += 4) {
    const [x = 0, y = 0, width = 0, height = 0] = boxes.slice(at, at + 4);
    path += `M${round(x)} ${round(y)}h${round(width)}v${round(height)}h${round(-width)}z`;
  }
  return emptyElement('path', {
    d: path,
    fill: colored(fill),
    ...(opacity === undefined ? {} : { 'fill-opacity': opacity }),
    ...(outline === undefined ? {} : { stroke: colored(outline), 'stroke-width': 0.6 }),
  });
}

function svgMarker(
  { marker, x, y, size, fill, outline }: Extract<Shape, { kind: 'marker' }>,
  colored: Colored,
): SvgElement {
  const colors = { fill: colored(fill), stroke: colored(outline), 'stroke-width': isStroked(marker) ? 1.8 : 1.3 };
  if (marker === 'circle') return emptyElement('circle', { cx: x, cy: y, r: size, ...colors });
  const corners = markerCorners(marker).map((value, index) => (index % 2 === 0 ? x : y) + value * size);
  if (!isStroked(marker)) return emptyElement('path', { d: `${linePath(corners)}Z`, ...colors });
  const strokes = [corners.slice(0, 4), corners.slice(4)].map(linePath).join('');
  return element('g', { fill: 'none' }, [emptyElement('path', { d: strokes, ...colors, fill: 'none' })]);
}
