/**
 * The communication matrix of a placement as a heat map: who sends how much to whom, by task, node, switch or job. Large ones are
 * added up into cells of several rows and columns.
 */
import { appendAll } from '../../model/lists.ts';
import { countOf, formatBytes, formatNumber, formatShare } from '../../model/quantities.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import { succeed, type Result } from '../../model/result.ts';
import { itemAt, realAt } from '../../numeric/elements.ts';
import {
  spanName,
  trafficMatrix,
  unitsOfCell,
  type MatrixSide,
  type MatrixUnits,
  type PairTest,
  type Span,
  type TrafficAmount,
  type TrafficArrangement,
  type TrafficBlock,
  type TrafficMatrix,
  type TrafficSubject,
} from '../../study/trafficMatrix.ts';
import { loadColors } from '../colors.ts';
import {
  headHeight,
  figureHead,
  loadPaint,
  notesAt,
  pageMargin,
  pageWidth,
  pixel,
  shortenedInside,
  smallSize,
  text,
  textWidth,
  wrapped,
  type Cell,
  type Figure,
  type FigureGrid,
  type Shape,
} from './figure.ts';

export interface TrafficChoice extends TrafficArrangement {
  /** Bytes where it is left out, or where nobody knows the messages. */
  readonly amount?: TrafficAmount;
  readonly scale: 'linear' | 'logarithmic';
  /** All of it where that is left out. */
  readonly block?: TrafficBlock;
  /** Pixels of the page. */
  readonly width?: number;
}

/** What is drawn: a placement, or a job that is placed nowhere. */
export interface DrawnTraffic extends TrafficSubject {
  readonly name: string;
}

/** The figure, and what there is besides. */
export interface TrafficFigure {
  readonly figure: Figure;
  /** Tasks, nodes, switches or jobs in all. */
  readonly count: number;
  /** What is shown of them. */
  readonly rows: Span;
  readonly columns: Span;
  /** Of a cell. */
  readonly perCell: readonly [rows: number, columns: number];
  readonly hasMessages: boolean;
  /** Rows of the table that have pairs that were asked for; absent where nobody asked. */
  readonly marked?: readonly number[];
}

/** Pixels of the whole map at most, and between the names along a side at least. */
const mapSize = 520;
const nameStep = 26;
/** Pixels of a name beside a row at most. */
const longestName = 150;
/** Pixels of the legend at most. */
const legendWidth = 240;

/** The heat map; within a unit as well, where tasks share one. Fails if cancelled. O(pairs + tasks log tasks). */
export function drawTraffic(
  subject: DrawnTraffic,
  choice: TrafficChoice,
  cancellation: Cancellation,
  isMarked?: PairTest,
): Result<TrafficFigure> {
  const found = trafficMatrix(subject, choice, cancellation, isMarked);
  return found.ok ? succeed(drawMatrix(subject, found.value, choice)) : found;
}

function drawMatrix(
  { name, machine }: DrawnTraffic,
  matrix: TrafficMatrix,
  { amount = 'bytes', scale, order, width = pageWidth }: TrafficChoice,
): TrafficFigure {
  const { units, rows, columns, bytes, pairs, messages, hopBytes, marked } = matrix;
  const counted = amount === 'messages' && messages !== undefined ? messages : bytes;
  const format = counted === bytes ? formatBytes : formatCount;
  const ends = amountEnds(counted);
  const shareOf = trafficScale(ends, scale);
  const rowNames = cellNames(units, rows);
  const columnNames = cellNames(units, columns);
  // By the first unit alone on both sides, so that a row has the same name as its column.
  const [rowLabels, columnLabels] = [firstNamesOf(units, rows), firstNamesOf(units, columns)];
  const labelWidth = Math.min(longestName, width / 4, Math.max(30, widestOf(rowLabels)));
  const left = pageMargin + labelWidth + 10;
  const size = Math.min(mapSize, width - left - pageMargin);
  const top = headHeight + 34;
  const grid = {
    left,
    top,
    cellWidth: size / Math.max(1, columns.cells),
    cellHeight: size / Math.max(1, rows.cells),
    rows: rowNames,
    columns: columnNames,
    cells: [] as number[],
  };
  const steps = nameSteps(columnLabels, grid);
  const boxes: number[] = [];
  const table: Cell[][] = [];
  const markedRows: number[] = [];
  const bySteps: number[][] = loadColors.map(() => []);
  counted.forEach((value, cell) => {
    if (value === 0) return;
    const [row, column] = [Math.floor(cell / columns.cells), cell % columns.cells];
    const box = [left + column * grid.cellWidth, top + row * grid.cellHeight, grid.cellWidth, grid.cellHeight].map(
      pixel,
    );
    appendAll(itemAt(bySteps, paintStep(shareOf(value))), box);
    appendAll(boxes, box);
    grid.cells.push(cell);
    if (marked?.[cell] === 1) markedRows.push(table.length);
    table.push([
      ...[itemAt(rowNames, row), itemAt(columnNames, column), realAt(bytes, cell), realAt(pairs, cell)],
      ...(messages ? [realAt(messages, cell)] : []),
      ...(hopBytes ? [realAt(hopBytes, cell) / realAt(bytes, cell)] : []),
    ]);
  });
  const title = `${name}: traffic by ${units.word}`;
  const subtitle = machine === undefined ? 'Rows send to columns' : `Rows send to columns, on ${machine.name}`;
  const words = trafficWords(matrix, order);
  const below = top + size + 24;
  const notes = notesAt(wrapped(words, width - 2 * pageMargin, smallSize), below + 56);
  const figure: Figure = {
    title,
    subtitle,
    description: `${title}. ${words}`,
    width,
    height: below + 44 + notes.length * 16 + pageMargin,
    shapes: [
      ...figureHead(title, subtitle, width),
      { kind: 'boxes', boxes: [left, top, size, size].map(pixel), fill: 'paper', outline: 'faint' },
      ...bySteps.flatMap((own, step): Shape[] =>
        own.length === 0 ? [] : [{ kind: 'boxes', boxes: own, fill: `load ${step}` }],
      ),
      ...labelsOfRows(rowLabels, { width: labelWidth, every: steps.rows }, grid.cellHeight, left, top),
      ...labelsOfColumns(columnLabels, steps.columns, grid.cellWidth, left, top),
      ...legend({ ...ends, scale, format, word: counted === bytes ? 'bytes' : 'messages' }, left, below, size),
      ...notes,
    ],
    table: {
      head: ['from', 'to', 'bytes', 'pairs', ...(messages ? ['messages'] : []), ...(hopBytes ? ['hops'] : [])],
      rows: table,
      units: ['', '', 'bytes', '', ...(messages ? [''] : []), ...(hopBytes ? [''] : [])],
    },
    marks: { boxes, rows: table.map((_, index) => index) },
    grid,
  };
  return {
    figure,
    count: units.count,
    rows: { first: rows.first, last: rows.last },
    columns: { first: columns.first, last: columns.last },
    perCell: [rows.perCell, columns.perCell],
    hasMessages: messages !== undefined,
    ...(marked && { marked: markedRows }),
  };
}

/** Of messages, which may be parts of one where a stencil has weights. */
const formatCount = (value: number): string => formatNumber(value);

interface Ends {
  /** Of the cells that carry something. */
  readonly least: number;
  readonly largest: number;
}

function amountEnds(values: Float64Array): Ends {
  const largest = values.reduce((most, value) => Math.max(most, value), 0);
  return { largest, least: values.reduce((fewest, value) => (value > 0 ? Math.min(fewest, value) : fewest), largest) };
}

/** The share of the scale at which a value lies, 0 … 1. */
function trafficScale({ least, largest }: Ends, scale: TrafficChoice['scale']): (value: number) => number {
  if (largest === 0) return () => 0;
  if (scale === 'linear' || least === largest) return (value) => value / largest;
  return (value) => Math.log(value / least) / Math.log(largest / least);
}

const paintStep = (share: number): number => Number(loadPaint(share).slice('load '.length));

const cellNames = (units: MatrixUnits, side: MatrixSide): readonly string[] =>
  Array.from({ length: side.cells }, (_, cell) => spanName(units, unitsOfCell(side, cell)));

const firstNamesOf = ({ name }: MatrixUnits, side: MatrixSide): readonly string[] =>
  Array.from({ length: side.cells }, (_, cell) => name(unitsOfCell(side, cell).first));

const widestOf = (names: readonly string[]): number =>
  names.reduce((most, name) => Math.max(most, textWidth(name, smallSize)), 0);

interface Steps {
  readonly rows: number;
  readonly columns: number;
}

/** Every how many rows and columns have a name, as many as there is room for: the same of both where there are as many of both. */
function nameSteps(
  names: readonly string[],
  { cellWidth, cellHeight, rows, columns }: Omit<FigureGrid, 'cells'>,
): Steps {
  const ofRows = Math.max(1, Math.ceil(nameStep / cellHeight));
  const ofColumns = Math.max(1, Math.ceil(Math.min(longestName, widestOf(names) + 8) / cellWidth));
  const both = Math.max(ofRows, ofColumns);
  return rows.length === columns.length ? { rows: both, columns: both } : { rows: ofRows, columns: ofColumns };
}

/** Names of rows at the left. */
const labelsOfRows = (
  names: readonly string[],
  { width, every }: { readonly width: number; readonly every: number },
  cell: number,
  left: number,
  top: number,
): Shape[] =>
  names.flatMap((name, index) =>
    index % every === 0
      ? [
          text(shortenedInside(name, width, smallSize), left - 6, top + (index + 0.5) * cell + 4, {
            anchor: 'end',
            size: smallSize,
            color: 'faint',
          }),
        ]
      : [],
  );

/** Names of columns above. */
const labelsOfColumns = (names: readonly string[], every: number, cell: number, left: number, top: number): Shape[] =>
  names.flatMap((name, index) =>
    index % every === 0
      ? [
          text(shortenedInside(name, every * cell + 4, smallSize), left + (index + 0.5) * cell, top - 6, {
            anchor: 'middle',
            size: smallSize,
            color: 'faint',
          }),
        ]
      : [],
  );

interface TrafficLegend extends Ends {
  readonly scale: TrafficChoice['scale'];
  readonly format: (value: number) => string;
  readonly word: TrafficAmount;
}

/** The colours with what they stand for. */
function legend(
  { least, largest, scale, format, word }: TrafficLegend,
  left: number,
  top: number,
  room: number,
): Shape[] {
  const whole = Math.min(legendWidth, room);
  const width = whole / loadColors.length;
  const isLinear = scale === 'linear' || least === largest;
  const low = isLinear ? 0 : least;
  const middle = isLinear ? largest / 2 : Math.sqrt(least * largest);
  const at = (share: number, value: number, anchor: 'start' | 'middle' | 'end'): Shape =>
    text(format(value), left + whole * share, top + 28, { anchor, size: smallSize, color: 'faint' });
  const title = `${word} of a cell, ${scale}`;
  const beside = whole + 14 + textWidth(title, smallSize) <= room;
  return [
    ...loadColors.map((_, step): Shape => ({
      kind: 'boxes',
      boxes: [left + step * width, top, width, 12].map(pixel),
      fill: `load ${step}`,
    })),
    at(0, low, 'start'),
    at(0.5, middle, 'middle'),
    at(1, largest, 'end'),
    text(title, left + (beside ? whole + 14 : 0), top + (beside ? 10 : -6), { size: smallSize, color: 'faint' }),
  ];
}

function trafficWords(matrix: TrafficMatrix, order: TrafficArrangement['order']): string {
  const { units, rows, columns, bytes, pairs } = matrix;
  const sum = (values: Float64Array): number => values.reduce((all, value) => all + value, 0);
  const all = sum(bytes);
  const filled = bytes.reduce((filledCells, value) => filledCells + Number(value > 0), 0);
  const several = units.word === 'switch' ? 'switches' : `${units.word}s`;
  const sorted = units.word === 'task' ? `, ordered by ${order}` : '';
  return (
    `${countOf(units.count, units.word, several)}${sorted}${shownPartWords(matrix, several)}: ${formatBytes(all)} between ${countOf(sum(pairs), 'ordered pair')} of tasks, ` +
    `in ${formatNumber(filled)} of ${countOf(rows.cells * columns.cells, 'cell')}.${cellSizeWords(matrix)}${diagonalWords(matrix, all)}`
  );
}

/** Which rows and columns, where that is not all of them. */
function shownPartWords({ units, rows, columns }: TrafficMatrix, several: string): string {
  const isAll = ({ first, last }: MatrixSide): boolean => first === 0 && last === units.count - 1;
  if (isAll(rows) && isAll(columns)) return '';
  return `, shown are ${several} ${spanName(units, rows)} that send to ${spanName(units, columns)}`;
}

/** Of how many rows and columns a cell is, where it is of several. */
function cellSizeWords({ rows, columns }: TrafficMatrix): string {
  if (rows.perCell === columns.perCell)
    return rows.perCell === 1 ? '' : ` Map cells: ${formatNumber(rows.perCell)} per row and column.`;
  return ` Map cells: ${formatNumber(rows.perCell)} per row, ${formatNumber(columns.perCell)} per column.`;
}

/** Of a part that lies on the diagonal of the whole. */
function diagonalWords({ rows, columns, bytes }: TrafficMatrix, all: number): string {
  if (all === 0 || rows.first !== columns.first || rows.last !== columns.last) return '';
  let within = 0;
  for (let cell = 0; cell < rows.cells; cell++) within += realAt(bytes, cell * columns.cells + cell);
  return ` ${formatShare(within / all)} of the bytes are on the diagonal.`;
}
