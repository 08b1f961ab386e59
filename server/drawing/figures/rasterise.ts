/**
 * A figure as pixels, without a browser: every shape as the share of each pixel that it covers, over what is there. Letters
 * are strokes of a font of our own (`letters.ts`).
 */
import { realAt } from '../../numeric/elements.ts';
import { cornersOf, isStroked, onPaper, widthOf, type Figure, type Paint, type Shape } from './figure.ts';
import { baseline, capitalHeight, letterOf } from './letters.ts';

/** Rows of pixels from the top, red, green and blue of each. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** Paints a figure on white paper, so many pixels for each of its own. O(shapes + pixels that they cover). */
export function rasterise(figure: Figure, density: number): Raster {
  const canvas = new Canvas(Math.ceil(figure.width * density), Math.ceil(figure.height * density), density);
  for (const shape of figure.shapes) paintShape(canvas, shape);
  return canvas;
}

function paintShape(canvas: Canvas, shape: Shape): void {
  switch (shape.kind) {
    case 'line':
      for (const dash of dashesOf(shape.points, shape.dash)) canvas.addLine(dash, shape.width);
      canvas.fill(shape.color, 1);
      return;
    case 'strokes':
      for (let at = 0; at + 3 < shape.strokes.length; at += 4) {
        for (const dash of dashesOf(shape.strokes.slice(at, at + 4), shape.dash)) canvas.addLine(dash, shape.width);
      }
      canvas.fill(shape.color, 1);
      return;
    case 'area':
      canvas.addPolygon(shape.points);
      canvas.fill(shape.fill, shape.opacity);
      return;
    case 'boxes':
      eachBox(shape.boxes, (corners) => {
        canvas.addPolygon(corners);
      });
      // All at once: nothing shines through between those that touch.
      canvas.fill(shape.fill, shape.opacity ?? 1);
      if (shape.outline === undefined) return;
      eachBox(shape.boxes, (corners) => {
        canvas.addLine([...corners, ...corners.slice(0, 2)], 0.6);
      });
      canvas.fill(shape.outline, 1);
      return;
    case 'marker': {
      const { marker, x, y, size } = shape;
      const corners = marker === 'circle' ? circle : cornersOf(marker);
      const places = corners.map((value, index) => (index % 2 === 0 ? x : y) + value * size);
      if (isStroked(marker)) {
        canvas.addLine(places.slice(0, 4), 1.8);
        canvas.addLine(places.slice(4), 1.8);
      } else {
        canvas.addPolygon(places);
        canvas.fill(shape.fill, 1);
        canvas.addLine([...places, ...places.slice(0, 2)], 1.3);
      }
      canvas.fill(shape.outline, 1);
      return;
    }
    case 'text':
      addText(canvas, shape);
      canvas.fill(shape.color, 1);
  }
}

function eachBox(boxes: readonly number[], found: (corners: readonly number[]) => void): void {
  for (let at = 0; at + 3 < boxes.length; at += 4) {
    const [x = 0, y = 0, width = 0, height = 0] = boxes.slice(at, at + 4);
    found([x, y, x + width, y, x + width, y + height, x, y + height]);
  }
}

const circle = Array.from({ length: 48 }, (_, index) => {
  const angle = (Math.floor(index / 2) / 24) * 2 * Math.PI;
  return index % 2 === 0 ? Math.cos(angle) : Math.sin(angle);
});

/** The parts of a line that are drawn. */
function dashesOf(points: readonly number[], dash: readonly number[] = []): readonly (readonly number[])[] {
  if (dash.length === 0) return [points];
  const parts: number[][] = [];
  let [index, rest, current] = [0, dash[0] ?? 1, points.slice(0, 2)];
  const turn = (): void => {
    if (index % 2 === 0) parts.push(current);
    index++;
    rest = dash[index % dash.length] ?? 1;
  };
  for (let at = 2; at + 1 < points.length; at += 2) {
    let [x, y] = [points[at - 2] ?? 0, points[at - 1] ?? 0];
    const [toX, toY] = [points[at] ?? 0, points[at + 1] ?? 0];
    for (let length = Math.sqrt((toX - x) ** 2 + (toY - y) ** 2); length > 0;) {
      const step = Math.min(rest, length);
      [x, y] = [x + ((toX - x) * step) / length, y + ((toY - y) * step) / length];
      length -= step;
      rest -= step;
      current.push(x, y);
      if (rest > 0) continue;
      turn();
      current = [x, y];
    }
  }
  if (index % 2 === 0 && current.length > 2) parts.push(current);
  return parts;
}

/** Of the height of a font, its capitals. */
const capitals = 0.72;

/** Strokes of all letters; as wide as the layout takes the text to be at most. */
function addText(canvas: Canvas, shape: Extract<Shape, { kind: 'text' }>): void {
  const letters = Array.from(shape.text, letterOf);
  const scale = (shape.size * capitals) / capitalHeight;
  const natural = letters.reduce((sum, { width }) => sum + width, 0) * scale;
  const width = Math.min(natural, widthOf(shape.text, shape.size) * (shape.bold === true ? 1.1 : 0.97));
  const across = natural === 0 ? scale : (scale * width) / natural;
  const start = { start: 0, middle: -width / 2, end: -width }[shape.anchor];
  const thickness = shape.size * (shape.bold === true ? 0.115 : 0.085);
  let left = start;
  for (const { width: own, strokes } of letters) {
    for (const stroke of strokes) {
      const places = stroke.map((value, index) => {
        if (index % 2 === 0) return shape.x + left + value * across;
        return shape.y + (value - baseline) * scale;
      });
      canvas.addLine(shape.turned === true ? turned(places, shape) : places, thickness);
    }
    left += own * across;
  }
}

/** A quarter to the left about the place of the text. */
function turned(places: readonly number[], { x, y }: { readonly x: number; readonly y: number }): readonly number[] {
  const result: number[] = [];
  for (let at = 0; at + 1 < places.length; at += 2) {
    result.push(x + (places[at + 1] ?? 0) - y, y - ((places[at] ?? 0) - x));
  }
  return result;
}

/** Corners of the round end of a line. */
const capCorners = 10;

/** Pixels of a picture, and the shape that is being put together: what it covers of each pixel, added up by its edges. */
class Canvas implements Raster {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
  readonly #density: number;
  /** For each pixel what the edges in it add to the cover of it and of all to its right. */
  readonly #cover: Float64Array;
  #top = Infinity;
  #bottom = -1;
  #left = Infinity;
  #right = -1;

  constructor(width: number, height: number, density: number) {
    this.width = width;
    this.height = height;
    this.pixels = new Uint8Array(width * height * 3).fill(255);
    this.#density = density;
    this.#cover = new Float64Array((width + 2) * height);
  }

  /** Adds a polygon, whichever way round. Those that are filled together must not be the one inside of the other. */
  addPolygon(points: readonly number[]): void {
    let area = 0;
    const count = points.length / 2;
    const x = (index: number): number => (points[2 * (index % count)] ?? 0) * this.#density;
    const y = (index: number): number => (points[2 * (index % count) + 1] ?? 0) * this.#density;
    for (let index = 0; index < count; index++) area += x(index) * y(index + 1) - x(index + 1) * y(index);
    for (let index = 0; index < count; index++) {
      if (area > 0) this.#addEdge(x(index), y(index), x(index + 1), y(index + 1));
      else this.#addEdge(x(index + 1), y(index + 1), x(index), y(index));
    }
  }

  /** Adds a line with round ends and corners: a rectangle for each part, and a disc at each point. */
  addLine(points: readonly number[], width: number): void {
    const half = width / 2;
    for (let at = 0; at + 1 < points.length; at += 2) {
      const [x, y] = [points[at] ?? 0, points[at + 1] ?? 0];
      if (width * this.#density > 2 && points.length > 4) this.#addDisc(x, y, half);
      const [toX, toY] = [points[at + 2], points[at + 3]];
      if (toX === undefined || toY === undefined) break;
      const length = Math.sqrt((toX - x) ** 2 + (toY - y) ** 2);
      if (length === 0) continue;
      const [dx, dy] = [((toY - y) / length) * half, (-(toX - x) / length) * half];
      this.addPolygon([x + dx, y + dy, toX + dx, toY + dy, toX - dx, toY - dy, x - dx, y - dy]);
    }
  }

  #addDisc(x: number, y: number, radius: number): void {
    const points: number[] = [];
    for (let corner = 0; corner < capCorners; corner++) {
      const angle = (corner / capCorners) * 2 * Math.PI;
      points.push(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
    }
    this.addPolygon(points);
  }

  /** An edge downwards covers what is to its right, one upwards uncovers it: row by row, pixel by pixel exactly. */
  #addEdge(x1: number, y1: number, x2: number, y2: number): void {
    if (y1 === y2) return;
    const direction = y1 < y2 ? -1 : 1;
    const [fromX, fromY, toX, toY] = y1 < y2 ? [x1, y1, x2, y2] : [x2, y2, x1, y1];
    const slope = (toX - fromX) / (toY - fromY);
    const last = Math.min(this.height - 1, Math.ceil(toY) - 1);
    for (let row = Math.max(0, Math.floor(fromY)); row <= last; row++) {
      const [upper, lower] = [Math.max(fromY, row), Math.min(toY, row + 1)];
      if (lower <= upper) continue;
      const [start, end] = [fromX + (upper - fromY) * slope, fromX + (lower - fromY) * slope];
      this.#addSpan(row, Math.min(start, end), Math.max(start, end), direction * (lower - upper));
    }
  }

  /** An edge within one row, from `left` to `right`, that covers so much of the height of it. */
  #addSpan(row: number, left: number, right: number, cover: number): void {
    const clamp = (value: number): number => Math.min(this.width, Math.max(0, value));
    const [from, to] = [clamp(left), clamp(right)];
    const base = row * (this.width + 2);
    this.#top = Math.min(this.#top, row);
    this.#bottom = Math.max(this.#bottom, row);
    const first = Math.floor(from);
    this.#left = Math.min(this.#left, first);
    this.#right = Math.max(this.#right, Math.min(this.width - 1, Math.floor(to)));
    const width = to - from;
    for (let column = first; column <= Math.floor(to); column++) {
      const [start, end] = [Math.max(from, column), Math.min(to, column + 1)];
      const part = width === 0 ? cover : (cover * (end - start)) / width;
      if (width > 0 && end <= start) continue;
      // What lies right of the edge within the pixel; the rest of it is covered from the next pixel on.
      const inside = column + 1 - (start + end) / 2;
      this.#add(base + column, part * inside);
      this.#add(base + column + 1, part * (1 - inside));
    }
  }

  #add(at: number, value: number): void {
    this.#cover[at] = realAt(this.#cover, at) + value;
  }

  /** Fills what was added since, and begins anew. */
  fill(paint: Paint, opacity: number): void {
    const color = onPaper(paint);
    const channels = [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
    for (let row = this.#top; row <= this.#bottom; row++) {
      let cover = 0;
      for (let column = this.#left; column <= this.#right + 1; column++) {
        const at = row * (this.width + 2) + column;
        cover += realAt(this.#cover, at);
        this.#cover[at] = 0;
        const share = Math.min(1, Math.abs(cover)) * opacity;
        if (share < 0.002 || column >= this.width) continue;
        channels.forEach((channel, index) => {
          const pixel = (row * this.width + column) * 3 + index;
          const before = this.pixels[pixel] ?? 255;
          this.pixels[pixel] = Math.round(before + (channel - before) * share);
        });
      }
    }
    [this.#top, this.#bottom, this.#left, this.#right] = [Infinity, -1, Infinity, -1];
  }
}
