/**
 * From elements of SVG to what is painted, one after the other: paths and lines of text, each with its look, in pixels of the page.
 * It reads what our own pictures are made of (`svg.ts`), no more: rectangles, circles, ellipses, paths of M L H V Q C Z in either case,
 * texts, groups, clips that are rectangles, and transforms of translate, rotate and scale.
 */
import type { SvgElement } from '../svg.ts';

/** The steps of a path, one after the other in `values`: each is its kind, then its coordinates: 2, 2, 6 of a cubic curve, none. */
export const step = { move: 0, line: 1, curve: 2, close: 3 } as const;

export interface Look {
  /** `#rrggbb`; undefined: none. */
  readonly fill: string | undefined;
  readonly fillOpacity: number;
  readonly stroke: string | undefined;
  readonly strokeOpacity: number;
  readonly strokeWidth: number;
  readonly dash: readonly number[];
  readonly isRound: boolean;
}

export interface PaintedPath {
  readonly kind: 'path';
  readonly steps: readonly number[];
  readonly look: Look;
  readonly clip: Clip | undefined;
}

export interface PaintedText {
  readonly kind: 'text';
  readonly text: string;
  /** Of the baseline, where the text begins, has its middle, or ends. */
  readonly x: number;
  readonly y: number;
  readonly anchor: 'start' | 'middle' | 'end';
  readonly size: number;
  readonly isBold: boolean;
  /** Reads upwards. */
  readonly isTurned: boolean;
  /** Its stroke, if any, is painted below its fill. */
  readonly look: Look;
  readonly clip: Clip | undefined;
}

/** Nothing is seen outside. */
export interface Clip {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export type Painted = PaintedPath | PaintedText;

/** a b c d e f: x' = a x + c y + e, y' = b x + d y + f. */
type Matrix = readonly [number, number, number, number, number, number];

interface Inherited {
  readonly matrix: Matrix;
  readonly clip: Clip | undefined;
  readonly opacity: number;
  readonly values: Readonly<Record<string, string | number>>;
}

/** What is painted, from the back to the front. O(elements + steps). */
export function paintedOf(root: SvgElement): readonly Painted[] {
  const painted: Painted[] = [];
  const clips = new Map<string, Clip>();
  const visit = ({ name, attributes, content }: SvgElement, outer: Inherited): void => {
    if (name === 'title' || name === 'desc') return;
    if (name === 'clipPath') {
      const [rectangle] = content as readonly SvgElement[];
      if (rectangle !== undefined) clips.set(`url(#${attributes['id'] ?? ''})`, rectangleBounds(rectangle));
      return;
    }
    const inherited = inherit(outer, attributes, clips);
    if (name === 'svg' || name === 'g') {
      for (const child of content as readonly SvgElement[]) visit(child, inherited);
      return;
    }
    if (name === 'text') painted.push(paintedText(attributes, content as string, inherited));
    else painted.push(paintedPath(name, attributes, inherited));
  };
  visit(root, { matrix: [1, 0, 0, 1, 0, 0], clip: undefined, opacity: 1, values: {} });
  return painted;
}

function inherit(outer: Inherited, attributes: SvgElement['attributes'], clips: ReadonlyMap<string, Clip>): Inherited {
  const { transform, opacity } = attributes;
  const clip = attributes['clip-path'];
  return {
    matrix: transform === undefined ? outer.matrix : transforms(outer.matrix, String(transform)),
    clip: clip === undefined ? outer.clip : clips.get(String(clip)),
    opacity: opacity === undefined ? outer.opacity : outer.opacity * Number(opacity),
    values: { ...outer.values, ...attributes },
  };
}

function transforms(matrix: Matrix, text: string): Matrix {
  let result = matrix;
  for (const [, name, list = ''] of text.matchAll(/(\w+)\(([^)]*)\)/g)) {
    const [first = 0, second] = list.split(/[\s,]+/).map(Number);
    if (name === 'translate') result = matrixProduct(result, [1, 0, 0, 1, first, second ?? 0]);
    else if (name === 'scale') result = matrixProduct(result, [first, 0, 0, second ?? first, 0, 0]);
    else {
      const angle = (first * Math.PI) / 180;
      result = matrixProduct(result, [Math.cos(angle), Math.sin(angle), -Math.sin(angle), Math.cos(angle), 0, 0]);
    }
  }
  return result;
}

const matrixProduct = ([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix => [
  a * g + c * h,
  b * g + d * h,
  a * i + c * j,
  b * i + d * j,
  a * k + c * l + e,
  b * k + d * l + f,
];

/** How much a matrix enlarges. */
const enlargement = ([a, b]: Matrix): number => Math.sqrt(a * a + b * b);

function lookOf({ values, opacity, matrix }: Inherited): Look {
  const number = (name: string, otherwise: number): number => Number(values[name] ?? otherwise);
  const color = (name: string, otherwise: string): string | undefined => {
    const value = String(values[name] ?? otherwise);
    return value === 'none' ? undefined : value;
  };
  const scale = enlargement(matrix);
  const dash = values['stroke-dasharray'];
  return {
    fill: color('fill', '#000000'),
    fillOpacity: opacity * number('fill-opacity', 1),
    stroke: color('stroke', 'none'),
    strokeOpacity: opacity * number('stroke-opacity', 1),
    strokeWidth: scale * number('stroke-width', 1),
    dash:
      dash === undefined
        ? []
        : String(dash)
            .split(' ')
            .map((length) => scale * Number(length)),
    isRound: values['stroke-linejoin'] === 'round' || values['stroke-linecap'] === 'round',
  };
}

function paintedText(attributes: SvgElement['attributes'], text: string, inherited: Inherited): PaintedText {
  const { matrix, clip, values } = inherited;
  const [x, y] = transformedPoint(matrix, Number(attributes['x'] ?? 0), Number(attributes['y'] ?? 0));
  const anchor = values['text-anchor'];
  return {
    kind: 'text',
    text,
    x,
    y,
    anchor: anchor === 'middle' || anchor === 'end' ? anchor : 'start',
    size: enlargement(matrix) * Number(values['font-size'] ?? 13),
    isBold: values['font-weight'] === 'bold',
    isTurned: matrix[1] < 0,
    look: lookOf(inherited),
    clip,
  };
}

function paintedPath(name: string, attributes: SvgElement['attributes'], inherited: Inherited): PaintedPath {
  const path = new Path(inherited.matrix);
  const number = (key: string): number => Number(attributes[key] ?? 0);
  switch (name) {
    case 'rect': {
      const { x, y, width, height } = rectangleBounds({ name, attributes, content: [] });
      path.rectangle(x, y, width, height, number('rx'));
      break;
    }
    case 'circle':
      path.ellipse(number('cx'), number('cy'), number('r'), number('r'));
      break;
    case 'ellipse':
      path.ellipse(number('cx'), number('cy'), number('rx'), number('ry'));
      break;
    case 'path':
      path.read(String(attributes['d'] ?? ''));
      break;
    default:
      throw new Error(`A picture has an element ${name}, which nothing paints.`);
  }
  return { kind: 'path', steps: path.steps, look: lookOf(inherited), clip: inherited.clip };
}

const rectangleBounds = ({ attributes }: SvgElement): Clip => ({
  x: Number(attributes['x'] ?? 0),
  y: Number(attributes['y'] ?? 0),
  width: Number(attributes['width'] ?? 0),
  height: Number(attributes['height'] ?? 0),
});

const transformedPoint = ([a, b, c, d, e, f]: Matrix, x: number, y: number): readonly [number, number] => [
  a * x + c * y + e,
  b * x + d * y + f,
];

/** Of a quarter of a circle of radius 1, how far its control points are from its ends. */
const quarter = 0.5522847498;

/** Steps in pixels of the page. */
class Path {
  readonly steps: number[] = [];
  readonly #matrix: Matrix;

  constructor(matrix: Matrix) {
    this.#matrix = matrix;
  }

  rectangle(x: number, y: number, width: number, height: number, corner: number): void {
    const r = Math.min(corner, width / 2, height / 2);
    const [right, bottom] = [x + width, y + height];
    if (r <= 0) {
      this.#add(step.move, x, y);
      this.#add(step.line, right, y);
      this.#add(step.line, right, bottom);
      this.#add(step.line, x, bottom);
    } else {
      const away = r * (1 - quarter);
      this.#add(step.move, x + r, y);
      this.#add(step.line, right - r, y);
      this.#add(step.curve, right - away, y, right, y + away, right, y + r);
      this.#add(step.line, right, bottom - r);
      this.#add(step.curve, right, bottom - away, right - away, bottom, right - r, bottom);
      this.#add(step.line, x + r, bottom);
      this.#add(step.curve, x + away, bottom, x, bottom - away, x, bottom - r);
      this.#add(step.line, x, y + r);
      this.#add(step.curve, x, y + away, x + away, y, x + r, y);
    }
    this.#add(step.close);
  }

  ellipse(x: number, y: number, rx: number, ry: number): void {
    const [kx, ky] = [rx * quarter, ry * quarter];
    this.#add(step.move, x + rx, y);
    this.#add(step.curve, x + rx, y + ky, x + kx, y + ry, x, y + ry);
    this.#add(step.curve, x - kx, y + ry, x - rx, y + ky, x - rx, y);
    this.#add(step.curve, x - rx, y - ky, x - kx, y - ry, x, y - ry);
    this.#add(step.curve, x + kx, y - ry, x + rx, y - ky, x + rx, y);
    this.#add(step.close);
  }

  /** The `d` of a path. O(letters). */
  read(text: string): void {
    let [x, y, startX, startY] = [0, 0, 0, 0];
    for (const [, command = '', list = ''] of text.matchAll(/([MLHVQCZmlhvqcz])([^A-Za-z]*)/g)) {
      const values = (list.match(/-?[\d.]+(?:e-?\d+)?/g) ?? []).map(Number);
      const [fromX, fromY] = command === command.toLowerCase() ? [x, y] : [0, 0];
      const at = (index: number): number => values[index]! + (index % 2 === 0 ? fromX : fromY);
      switch (command.toUpperCase()) {
        case 'M':
        case 'L':
          [x, y] = [at(0), at(1)];
          this.#add(command.toUpperCase() === 'M' ? step.move : step.line, x, y);
          if (command.toUpperCase() === 'M') [startX, startY] = [x, y];
          break;
        case 'H':
          x = values[0]! + fromX;
          this.#add(step.line, x, y);
          break;
        case 'V':
          y = values[0]! + fromY;
          this.#add(step.line, x, y);
          break;
        case 'Q': {
          const [controlX, controlY, endX, endY] = [at(0), at(1), at(2), at(3)];
          // The same curve of the third degree.
          this.#add(
            step.curve,
            x + (2 / 3) * (controlX - x),
            y + (2 / 3) * (controlY - y),
            endX + (2 / 3) * (controlX - endX),
            endY + (2 / 3) * (controlY - endY),
            endX,
            endY,
          );
          [x, y] = [endX, endY];
          break;
        }
        case 'C':
          this.#add(step.curve, at(0), at(1), at(2), at(3), at(4), at(5));
          [x, y] = [at(4), at(5)];
          break;
        default:
          this.#add(step.close);
          [x, y] = [startX, startY];
      }
    }
  }

  #add(kind: number, ...coordinates: readonly number[]): void {
    this.steps.push(kind);
    for (let at = 0; at < coordinates.length; at += 2) {
      const [x, y] = transformedPoint(this.#matrix, coordinates[at]!, coordinates[at + 1]!);
      this.steps.push(x, y);
    }
  }
}
