import { csvText } from '../../model/csv.ts';
import { loadColors, loadColorsOnDark } from '../colors.ts';
import { pageThemes, type ThemeName } from '../themes.ts';

/**
 * A diagram of an experiment, independent of what paints it: shapes on a page, and the numbers that they show as a
 * table. The panel's canvas and the SVG writer read the same shapes. Pixels, y downwards; plain JSON.
 */
export interface Figure {
  readonly title: string;
  readonly subtitle: string;
  /** Describes the figure for a reader who cannot see it: a few sentences. */
  readonly description: string;
  readonly width: number;
  readonly height: number;
  /** From the back to the front. */
  readonly shapes: readonly Shape[];
  readonly table: FigureTable;
  readonly marks?: FigureMarks;
  readonly grid?: FigureGrid;
}

/** Of a heat map: all its cells, those included in which there is nothing. */
export interface FigureGrid {
  readonly left: number;
  readonly top: number;
  readonly cellWidth: number;
  readonly cellHeight: number;
  /** Their names. */
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  /** By row of the table, which is a mark: row · columns + column. Ascending. */
  readonly cells: readonly number[];
}

/** What can be pointed at: rectangles of the page, each of which shows a row of the table. Later ones lie in front. */
export interface FigureMarks {
  /** x, y, width and height of each, one after the other. */
  readonly boxes: readonly number[];
  readonly rows: readonly number[];
}

/** The numbers of a figure, not rounded; null where there is none. */
export interface FigureTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Of the numbers of each column, where it has one that the head does not say. */
  readonly units?: readonly string[];
}

export type Cell = string | number | null;

/** A colour by its part in the figure, which a theme chooses, or `#rrggbb`. */
export type Paint = 'paper' | 'ink' | 'faint' | 'grid' | LoadPaint | `#${string}`;

/** A step of the scale of loads, light to heavy, which looks otherwise on dark backgrounds: see `colors.ts`. */
export type LoadPaint = `load ${number}`;

/** The paint of a share of 0 … 1. */
export const loadPaint = (share: number): LoadPaint =>
  `load ${Math.min(loadColors.length - 1, Math.max(0, Math.floor(share * loadColors.length)))}`;

/** What a paint is in a file, `#rrggbb`. */
export function paintOn(paint: Paint, name: ThemeName): string {
  const theme = pageThemes[name];
  switch (paint) {
    case 'paper':
    case 'ink':
    case 'faint':
    case 'grid':
      return theme[paint];
    default:
      if (paint.startsWith('#')) return paint;
      return (theme.isDark ? loadColorsOnDark : loadColors)[Number(paint.slice('load '.length))] ?? theme.faint;
  }
}

export type Shape =
  | {
      readonly kind: 'line';
      /** x and y of each point, one after the other. */
      readonly points: readonly number[];
      readonly color: Paint;
      readonly width: number;
      /** Lengths of dashes and gaps. */
      readonly dash?: readonly number[];
    }
  /** Lines of one look: x1, y1, x2 and y2 of each, one after the other. */
  | {
      readonly kind: 'strokes';
      readonly strokes: readonly number[];
      readonly color: Paint;
      readonly width: number;
      readonly dash?: readonly number[];
    }
  /** Filled below a line, without an outline. */
  | { readonly kind: 'area'; readonly points: readonly number[]; readonly fill: Paint; readonly opacity: number }
  | {
      readonly kind: 'boxes';
      /** x, y, width and height of each rectangle, one after the other. */
      readonly boxes: readonly number[];
      readonly fill: Paint;
      readonly outline?: Paint;
      /** 1 where it is left out. */
      readonly opacity?: number;
    }
  | {
      readonly kind: 'marker';
      readonly marker: Marker;
      readonly x: number;
      readonly y: number;
      /** Half its width. */
      readonly size: number;
      readonly fill: Paint;
      readonly outline: Paint;
    }
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly x: number;
      /** Of the baseline. */
      readonly y: number;
      readonly size: number;
      readonly color: Paint;
      readonly anchor: 'start' | 'middle' | 'end';
      readonly bold?: true;
      /** Reads upwards. */
      readonly turned?: true;
    };

const markers = ['circle', 'square', 'triangle', 'diamond', 'down', 'cross', 'plus', 'hexagon'] as const;
export type Marker = (typeof markers)[number];

/** Corners of a marker of half width 1 about (0, 0); of `cross` and `plus` the ends of strokes; of a circle none. */
export function markerCorners(marker: Marker): readonly number[] {
  switch (marker) {
    case 'circle':
      return [];
    case 'square':
      return [-0.88, -0.88, 0.88, -0.88, 0.88, 0.88, -0.88, 0.88];
    case 'triangle':
      return [0, -1.15, 1.1, 0.8, -1.1, 0.8];
    case 'down':
      return [0, 1.15, -1.1, -0.8, 1.1, -0.8];
    case 'diamond':
      return [0, -1.3, 1.15, 0, 0, 1.3, -1.15, 0];
    case 'hexagon':
      return [-0.55, -1, 0.55, -1, 1.15, 0, 0.55, 1, -0.55, 1, -1.15, 0];
    case 'cross':
      return [-0.95, -0.95, 0.95, 0.95, -0.95, 0.95, 0.95, -0.95];
    case 'plus':
      return [-1.15, 0, 1.15, 0, 0, -1.15, 0, 1.15];
  }
}

/** Markers that are strokes and have no inside. */
export const isStroked = (marker: Marker): boolean => marker === 'cross' || marker === 'plus';

/** Pixels to two decimals: enough for print. */
export const pixel = (value: number): number => Math.round(value * 100) / 100;

/** A box of `Shape.boxes`, at whole hundredths of pixels at both ends, so that boxes that touch still do. */
export function pixelBox(left: number, top: number, right: number, bottom: number): readonly number[] {
  const [x, y] = [pixel(left), pixel(top)];
  return [x, y, pixel(pixel(right) - x), pixel(pixel(bottom) - y)];
}

export type Line = Extract<Shape, { kind: 'line' }>;
export type Text = Extract<Shape, { kind: 'text' }>;

/** A line through points. */
export const line = (points: readonly number[], color: Paint, width: number, dash?: readonly number[]): Line => ({
  kind: 'line',
  points: points.map(pixel),
  color,
  width,
  ...(dash === undefined || dash.length === 0 ? {} : { dash }),
});

/** A text; ordinary where nothing else is said. */
export const text = (content: string, x: number, y: number, other: Partial<Text> = {}): Text => ({
  kind: 'text',
  text: content,
  x: pixel(x),
  y: pixel(y),
  size: textSize,
  color: 'ink',
  anchor: 'start',
  ...other,
});

/** Pixels of ordinary and of small text. */
export const textSize = 13;
export const smallSize = 11.5;

/** The width of a page; readable when it is printed or shown at 600 pixels. */
export const pageWidth = 720;
export const pageMargin = 20;
/** What title and subtitle take of the top. */
export const headHeight = 74;

/** Title and subtitle in the upper left corner. */
export const figureHead = (title: string, subtitle: string, width = pageWidth): Text[] => [
  text(shortenedToWidth(title, width - 2 * pageMargin, 16), pageMargin, pageMargin + 14, { size: 16, bold: true }),
  text(shortenedToWidth(subtitle, width - 2 * pageMargin, textSize), pageMargin, pageMargin + 34, { color: 'faint' }),
];

/** Lines of small text below a diagram, from the baseline of the first. */
export const notesAt = (lines: readonly string[], top: number): Text[] =>
  lines.map((note, index) => text(note, pageMargin, top + 16 * index, { color: 'faint', size: smallSize }));

/** Widths of letters in sizes of the font, as of Arial, rounded up a little: other fonts may be wider. */
const narrow = /[ijlI|.,:;'!()[\] ft-]/;
const wide = /[mwMW%@—×]/;
const capital = /[A-Z0-9_…–±]/;

/** About how wide a text is. O(letters). */
export function textWidth(content: string, size: number = textSize): number {
  let width = 0;
  for (const letter of content)
    width += narrow.test(letter) ? 0.38 : wide.test(letter) ? 0.96 : capital.test(letter) ? 0.67 : 0.61;
  return width * size;
}

/** The text, with its end left out where it is wider than that. */
export function shortenedToWidth(content: string, width: number, size: number = textSize): string {
  if (textWidth(content, size) <= width) return content;
  const letters = Array.from(content);
  while (letters.length > 1 && textWidth(`${letters.join('')}…`, size) > width) letters.pop();
  return `${letters.join('').trimEnd()}…`;
}

/** The text, with its middle left out where it is wider than that: names of a kind differ in the number at their end. */
export function shortenedInside(content: string, width: number, size: number = textSize): string {
  if (textWidth(content, size) <= width) return content;
  const letters = Array.from(content);
  for (let kept = letters.length - 1; kept > 1; kept--) {
    const behind = Math.floor(kept / 2);
    const name = `${letters
      .slice(0, kept - behind)
      .join('')
      .trimEnd()}…${letters.slice(-behind).join('').trimStart()}`;
    if (textWidth(name, size) <= width) return name;
  }
  return '…';
}

/** The row of the nearest mark to a point, in front where several are as near; undefined where none is within `reach` pixels. O(marks). */
export function markedRow({ boxes, rows }: FigureMarks, x: number, y: number, reach: number): number | undefined {
  let [found, least] = [undefined as number | undefined, reach];
  rows.forEach((row, mark) => {
    const [left = 0, top = 0, width = 0, height = 0] = boxes.slice(4 * mark, 4 * mark + 4);
    const away = Math.hypot(Math.max(left - x, 0, x - left - width), Math.max(top - y, 0, y - top - height));
    if (away <= least) [found, least] = [row, away];
  });
  return found;
}

/** A text in lines of at most that width, broken between words. */
export function wrapped(content: string, width: number, size: number = textSize): readonly string[] {
  const lines: string[] = [];
  let current = '';
  for (const word of content.split(' ')) {
    const longer = current === '' ? word : `${current} ${word}`;
    if (current !== '' && textWidth(longer, size) > width) {
      lines.push(current);
      current = word;
    } else current = longer;
  }
  return [...lines, current].map((one) => shortenedToWidth(one, width, size));
}

/** For spreadsheets: a head, then the rows; numbers as they are, nothing where there is none. */
export const figureToCsv = ({ table: { head, rows } }: Figure): string => csvText([head, ...rows]);

/** Colours of curves: told apart under the common kinds of colour blindness (Okabe and Ito 2008), on light and dark. */
export const curveColors = [
  '#0072b2',
  '#d55e00',
  '#009e73',
  '#cc79a7',
  '#e69f00',
  '#56b4e9',
  '#7b5fc7',
  '#7f7f7f',
] as const satisfies readonly Paint[];

const dashes: readonly (readonly number[])[] = [[], [7, 4], [2, 3]];

export interface CurveStyle {
  readonly color: Paint;
  readonly marker: Marker;
  readonly dash: readonly number[];
  readonly isHollow: boolean;
}

/**
 * How a curve looks: those of one `group` differ in colour and in marker, the first eight of them at least; curves at the same
 * position of different groups have dashes of their own, and every second group has hollow markers.
 */
export function curveStyle(position: number, group: number): CurveStyle {
  const round = Math.floor(position / curveColors.length);
  return {
    color: curveColors[position % curveColors.length] ?? 'ink',
    marker: markers[(position + round) % markers.length] ?? 'circle',
    dash: dashes[(group + round) % dashes.length] ?? [],
    isHollow: group % 2 === 1,
  };
}
