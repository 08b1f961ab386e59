/**
 * A page as pixels, without a browser: every shape as the share of each pixel that it covers, over what is there. Letters
 * are strokes of a font of our own (`letters.ts`).
 */
import { realAt } from '../../numeric/elements.ts';
import { widthOf } from '../figures/figure.ts';
import type { SvgPage } from '../svg.ts';
import { baseline, capitalHeight, letterOf } from './letters.ts';
import { paintedOf, step, type Clip, type PaintedPath, type PaintedText } from './primitives.ts';

/** Rows of pixels from the top, red, green and blue of each. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** Paints a page, so many pixels for each of its own. O(steps + pixels that they cover). */
export function rasterise({ root, width, height }: SvgPage, density: number): Raster {
  const canvas = new Canvas(Math.ceil(width * density), Math.ceil(height * density), density);
  for (const painted of paintedOf(root)) {
    canvas.clip(painted.clip);
    if (painted.kind === 'path') paintPath(canvas, painted);
    else paintText(canvas, painted);
  }
  return canvas;
}

function paintPath(canvas: Canvas, { steps, look }: PaintedPath): void {
  const { fill, stroke, strokeWidth, dash } = look;
  if (fill !== undefined && look.fillOpacity > 0) {
    eachLine(steps, (points) => {
      canvas.addPolygon(points);
    });
    // All at once: nothing shines through between those that touch.
    canvas.fill(fill, look.fillOpacity);
  }
  if (stroke === undefined) return;
  eachLine(steps, (points) => {
    for (const part of dashesOf(points, dash)) canvas.addLine(part, strokeWidth);
  });
  canvas.fill(stroke, look.strokeOpacity);
}

/** Straight parts of a curve. */
const curveParts = 8;

/** The parts of a path between moves, as points; curves become straight parts, and what is closed ends where it began. */
function eachLine(steps: readonly number[], found: (points: readonly number[]) => void): void {
  let points: number[] = [];
  for (let at = 0; at < steps.length;) {
    const kind = steps[at++];
    if (kind === step.move) {
      if (points.length > 2) found(points);
      points = [steps[at++] ?? 0, steps[at++] ?? 0];
    } else if (kind === step.line) points.push(steps[at++] ?? 0, steps[at++] ?? 0);
    else if (kind === step.curve) {
      addCurve(points, steps.slice(at, at + 6));
      at += 6;
    } else points.push(points[0] ?? 0, points[1] ?? 0);
  }
  if (points.length > 2) found(points);
}

function addCurve(points: number[], [x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0]: readonly number[]): void {
  const [x, y] = points.slice(-2);
  for (let part = 1; part <= curveParts; part++) {
    const t = part / curveParts;
    const [a, b, c, d] = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t ** 3];
    points.push(a * (x ?? 0) + b * x1 + c * x2 + d * x3, a * (y ?? 0) + b * y1 + c * y2 + d * y3);
  }
}

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
function paintText(canvas: Canvas, text: PaintedText): void {
  const { look } = text;
  if (look.stroke !== undefined) {
    addText(canvas, text, look.strokeWidth);
    canvas.fill(look.stroke, look.strokeOpacity);
  }
  addText(canvas, text, 0);
  canvas.fill(look.fill ?? '#000000', look.fillOpacity);
}

/** `wider` than letters are. */
function addText(canvas: Canvas, painted: PaintedText, wider: number): void {
  const { text, x, y, size, isBold, isTurned } = painted;
  const letters = Array.from(text, letterOf);
  const scale = (size * capitals) / capitalHeight;
  const natural = letters.reduce((sum, { width }) => sum + width, 0) * scale;
  const width = Math.min(natural, widthOf(text, size) * (isBold ? 1.1 : 0.97));
  const across = natural === 0 ? scale : (scale * width) / natural;
  const start = { start: 0, middle: -width / 2, end: -width }[painted.anchor];
  const thickness = size * (isBold ? 0.115 : 0.085) + wider;
  let left = start;
  for (const { width: own, strokes } of letters) {
    for (const stroke of strokes) {
      const places = stroke.map((value, index) => {
        if (index % 2 === 0) return x + left + value * across;
        return y + (value - baseline) * scale;
      });
      canvas.addLine(isTurned ? turned(places, painted) : places, thickness);
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
  #clip: Clip | undefined;

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

  /** Outside of it nothing is filled from now on. */
  clip(clip: Clip | undefined): void {
    this.#clip = clip;
  }

  /** Whether a pixel is painted. */
  #isInside(column: number, row: number): boolean {
    if (this.#clip === undefined) return true;
    const { x, y, width, height } = this.#clip;
    const [across, down] = [(column + 0.5) / this.#density, (row + 0.5) / this.#density];
    return across >= x && across <= x + width && down >= y && down <= y + height;
  }

  /** Fills what was added since, and begins anew. */
  fill(color: string, opacity: number): void {
    const channels = [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
    for (let row = this.#top; row <= this.#bottom; row++) {
      let cover = 0;
      for (let column = this.#left; column <= this.#right + 1; column++) {
        const at = row * (this.width + 2) + column;
        cover += realAt(this.#cover, at);
        this.#cover[at] = 0;
        const share = Math.min(1, Math.abs(cover)) * opacity;
        if (share < 0.002 || column >= this.width || !this.#isInside(column, row)) continue;
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
