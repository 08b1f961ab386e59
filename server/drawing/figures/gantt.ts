/**
 * The jobs of one replication over the nodes of the machine: a row for each node, time to the right, a rectangle for each
 * job on neighbouring rows. What is smaller than a pixel is put together, so that thousands of jobs are a picture too.
 */
import { appendAll } from '../../model/lists.ts';
import { countOf, formatNumber, formatShare } from '../../model/quantities.ts';
import { byteAt, intAt, realAt } from '../../numeric/elements.ts';
import type { StreamRun } from '../../scheduling/streamRun.ts';
import { readableOn } from '../colors.ts';
import { formatRanges } from '../labels.ts';
import {
  bottomMargin,
  drawAxes,
  leftMarginOf,
  makeAxis,
  numberedAxis,
  timeUnitOf,
  type Axis,
  type Frame,
} from './axes.ts';
import {
  headHeight,
  figureHead,
  pageMargin,
  pageWidth,
  pixel,
  pixelBox,
  smallSize,
  text,
  textWidth,
  type Figure,
  type FigureMarks,
  type FigureTable,
  type Paint,
  type Shape,
} from './figure.ts';
import { colorOfJob, nodesOfJob, stayOf, streamTime, type ReplicationFigure } from './replication.ts';

export interface GanttRequest extends ReplicationFigure {
  /** Only what happens between these times; all where it is left out. */
  readonly between?: { readonly from: number; readonly to: number };
}

/** Pixels of the rows of all nodes: of few nodes `rowHeight` each. */
const plotHeight = 420;
const mostRowHeight = 22;

/** O(jobs · nodes of a job) and at most some ten thousand rectangles. */
export function drawGantt(request: GanttRequest): Figure {
  const { name, about, run, timeUnit } = request;
  const { from, to } = windowOf(request);
  const rowHeight = Math.min(mostRowHeight, plotHeight / Math.max(1, run.nodeCount));
  const top = headHeight;
  const bottom = top + rowHeight * run.nodeCount;
  const unit = timeUnitOf(timeUnit, to - from);
  const y = nodeAxis(run.nodeCount, rowHeight, top);
  const frame: Frame = { left: pageMargin + leftMarginOf(y), top, right: pageWidth - pageMargin - 8, bottom };
  const time = makeAxis({
    ...{ name: 'Time', unit: unit.name, low: from / unit.size, high: to / unit.size },
    ...{ from: frame.left, to: frame.right, spacing: 80, nice: false },
  });
  const at = (moment: number): number => time.at(moment / unit.size);
  const { pieces, shown } = ganttPieces(run, { from, to });
  const { exact, small } = sorted(pieces, { at, rowHeight });
  const table = ganttTable(run, { from, to }, timeUnit);
  const shapes = [
    ...drawAxes(frame, time, y),
    ...aggregated(small, { frame, at, rowHeight, nodeCount: run.nodeCount }),
    ...rectangles(exact, { top, at, rowHeight }),
    ...labels(exact, { top, at, rowHeight }),
  ];
  const notes = [
    shown === 0 ? 'No job uses these nodes.' : 'One colour per job (21 colours, repeated).',
    ...(small.length === 0 ? [] : ['Grey: several jobs per pixel; darker is fuller.']),
  ];
  let below = bottom + bottomMargin - 12;
  for (const note of notes) {
    below += 16;
    shapes.push(text(note, pageMargin, below, { size: smallSize, color: 'faint' }));
  }
  const title = `${name}: jobs by node`;
  return {
    title,
    subtitle: about,
    description: describeGantt(request, { from, to }, shown),
    width: pageWidth,
    height: Math.ceil(below + pageMargin - 4),
    shapes: [...figureHead(title, about), ...shapes],
    table,
    marks: ganttMarks([...small, ...exact], table, { top, at, rowHeight }),
  };
}

interface Window {
  readonly from: number;
  readonly to: number;
}

/** What is asked for, within the run; never empty. */
function windowOf({ run, between }: GanttRequest): Window {
  const { beginTime, endTime } = run;
  const from = Math.min(Math.max(between?.from ?? beginTime, beginTime), endTime);
  const to = Math.max(Math.min(between?.to ?? endTime, endTime), beginTime);
  return to > from ? { from, to } : { from: beginTime, to: Math.max(endTime, beginTime + 1) };
}

/** Node 0 is on top; a tick stands at the middle of its row. */
const nodeAxis = (nodeCount: number, rowHeight: number, top: number): Axis =>
  numberedAxis({ name: 'Node', from: top, to: top + nodeCount * rowHeight, spacing: 30 }, nodeCount);

/** A job on neighbouring nodes: rows `first` … `last`. */
interface Piece {
  readonly job: number;
  readonly first: number;
  readonly last: number;
  readonly start: number;
  readonly end: number;
}

function ganttPieces(
  run: StreamRun,
  { from, to }: Window,
): { readonly pieces: readonly Piece[]; readonly shown: number } {
  const pieces: Piece[] = [];
  let shown = 0;
  for (let job = 0; job < run.jobs.count; job++) {
    const stay = stayOf(run, job);
    if (!(stay.start < to && stay.end > from)) continue;
    const [start, end] = [Math.max(from, stay.start), Math.min(to, stay.end)];
    const nodes = nodesOfJob(run, job);
    if (nodes.length > 0) shown++;
    for (let index = 0; index < nodes.length;) {
      const first = intAt(nodes, index);
      let last = first;
      while (++index < nodes.length && intAt(nodes, index) === last + 1) last++;
      pieces.push({ job, first, last, start, end });
    }
  }
  return { pieces, shown };
}

interface Placing {
  readonly at: (moment: number) => number;
  readonly rowHeight: number;
}

/** More rectangles than this would make a file that is slow to show: then also larger pieces are put together. */
const mostRectangles = 12_000;

/** Pieces of a pixel or more either way, and those that are smaller. */
function sorted(pieces: readonly Piece[], { at, rowHeight }: Placing): { exact: Piece[]; small: Piece[] } {
  for (let least = 1; ; least *= 1.5) {
    const isExact = ({ first, last, start, end }: Piece): boolean =>
      at(end) - at(start) >= least && (last - first + 1) * rowHeight >= Math.min(least, 1);
    const exact = pieces.filter(isExact);
    if (exact.length <= mostRectangles) return { exact, small: pieces.filter((piece) => !isExact(piece)) };
  }
}

function rectangles(pieces: readonly Piece[], { top, at, rowHeight }: Placing & { readonly top: number }): Shape[] {
  const boxes = new Map<Paint, number[]>();
  for (const { job, first, last, start, end } of pieces) {
    const color = colorOfJob(job);
    const own = boxes.get(color) ?? [];
    boxes.set(color, own);
    appendAll(own, pixelBox(at(start), top + first * rowHeight, at(end), top + (last + 1) * rowHeight));
  }
  const outlined = pieces.length < mostRectangles / 4 ? { outline: 'paper' as const } : {};
  return [...boxes].map(([fill, own]) => ({ kind: 'boxes', boxes: own, fill, ...outlined }));
}

/** Numbers of jobs in rectangles with room for them. */
function labels(pieces: readonly Piece[], { top, at, rowHeight }: Placing & { readonly top: number }): Shape[] {
  return pieces.flatMap(({ job, first, last, start, end }): Shape[] => {
    const [left, right] = [at(start), at(end)];
    const height = (last - first + 1) * rowHeight;
    const label = formatNumber(job);
    if (height < smallSize + 3 || right - left < textWidth(label, smallSize) + 8) return [];
    const middle = top + first * rowHeight + height / 2 + smallSize * 0.35;
    const color = readableOn(colorOfJob(job)) as Paint;
    return [text(label, (left + right) / 2, middle, { size: smallSize, anchor: 'middle', color })];
  });
}

/** More marks would make an answer that is slow to send: the smallest pieces have none then. */
const mostMarks = 20_000;

/** Where each job can be pointed at. */
function ganttMarks(
  pieces: readonly Piece[],
  table: FigureTable,
  { top, at, rowHeight }: Placing & { readonly top: number },
): FigureMarks {
  const rowOfJob = new Map(table.rows.map(([job], row) => [job, row]));
  const shown = pieces.slice(Math.max(0, pieces.length - mostMarks)).flatMap((piece) => {
    const row = rowOfJob.get(piece.job);
    return row === undefined ? [] : [{ piece, row }];
  });
  return {
    boxes: shown.flatMap(({ piece: { first, last, start, end } }) =>
      pixelBox(at(start), top + first * rowHeight, at(end), top + (last + 1) * rowHeight),
    ),
    rows: shown.map(({ row }) => row),
  };
}

interface Raster extends Placing {
  readonly frame: Frame;
  readonly nodeCount: number;
}

/** Pixels of a cell; of high rows the height of the row. */
const cellSize = 2;
/** A cell is its job's colour from this share of what is busy in it. */
const ownShare = 0.6;
const shades = [0.3, 0.55, 0.8, 1] as const;
/** Grey is paler, so that colours stand out. */
const greyness = 0.6;

/** Cells of a grid over the plot: each in the colour of the job that has most of it, or grey, as dark as it is busy. */
function aggregated(pieces: readonly Piece[], { frame, at, rowHeight, nodeCount }: Raster): Shape[] {
  if (pieces.length === 0) return [];
  const columns = Math.ceil((frame.right - frame.left) / cellSize);
  const nodesPerCell = Math.max(1, Math.round(cellSize / rowHeight));
  const rows = Math.ceil(nodeCount / nodesPerCell);
  const [total, most] = [new Float64Array(columns * rows), new Float64Array(columns * rows)];
  const owner = new Int32Array(columns * rows).fill(-1);
  const own = new Map<number, number>();
  const finish = (job: number): void => {
    for (const [cell, share] of own) {
      total[cell] = realAt(total, cell) + share;
      if (share > realAt(most, cell)) [most[cell], owner[cell]] = [share, job];
    }
    own.clear();
  };
  let before = -1;
  for (const { job, first, last, start, end } of pieces) {
    if (job !== before) finish(before);
    before = job;
    const [left, right] = [(at(start) - frame.left) / cellSize, (at(end) - frame.left) / cellSize];
    for (let row = Math.floor(first / nodesPerCell); row <= Math.floor(last / nodesPerCell); row++) {
      const nodes = Math.min(last + 1, (row + 1) * nodesPerCell) - Math.max(first, row * nodesPerCell);
      const inRow = Math.min(nodeCount, (row + 1) * nodesPerCell) - row * nodesPerCell;
      for (let column = Math.max(0, Math.floor(left)); column < Math.min(columns, right); column++) {
        const width = Math.min(right, column + 1) - Math.max(left, column);
        const cell = row * columns + column;
        own.set(cell, (own.get(cell) ?? 0) + (width * nodes) / inRow);
      }
    }
  }
  finish(before);
  const styleOf = (cell: number): string => {
    const busy = realAt(total, cell);
    if (busy < 0.01) return '';
    const shade = shades[Math.min(shades.length - 1, Math.floor(busy * shades.length))] ?? 1;
    if (realAt(most, cell) >= ownShare * busy) return `${colorOfJob(intAt(owner, cell))} ${shade}`;
    return `ink ${pixel(shade * greyness)}`;
  };
  const boxes = new Map<string, number[]>();
  const height = nodesPerCell * rowHeight;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns;) {
      const style = styleOf(row * columns + column);
      const start = column;
      do column++;
      while (column < columns && styleOf(row * columns + column) === style);
      if (style === '') continue;
      const [left, upper] = [frame.left + start * cellSize, frame.top + row * height];
      const right = Math.min(frame.right, frame.left + column * cellSize);
      const list = boxes.get(style) ?? [];
      boxes.set(style, list);
      appendAll(list, pixelBox(left, upper, right, Math.min(frame.bottom, upper + height)));
    }
  }
  return [...boxes].map(([style, list]) => {
    const [fill = 'ink', opacity = '1'] = style.split(' ');
    return { kind: 'boxes', boxes: list, fill: fill as Paint, opacity: Number(opacity) };
  });
}

function describeGantt({ name, about, run, timeUnit }: GanttRequest, { from, to }: Window, shown: number): string {
  const busy = busyShare(run, { from, to });
  return `Jobs on ${countOf(run.nodeCount, 'node')} in experiment ${name}, ${about}, from ${streamTime(from, timeUnit)} to ${streamTime(to, timeUnit)}: ${countOf(shown, 'job')}, ${formatShare(busy)} of node time in use.`;
}

/** Of nodes times time, what jobs hold. */
function busyShare(run: StreamRun, { from, to }: Window): number {
  let held = 0;
  for (let job = 0; job < run.jobs.count; job++) {
    const { start, end } = stayOf(run, job);
    const time = Math.min(end, to) - Math.max(start, from);
    if (time > 0) held += time * (run.nodes[job]?.length ?? 0);
  }
  return held / (run.nodeCount * (to - from));
}

/** A line for each job that ran in the window. */
function ganttTable(run: StreamRun, { from, to }: Window, timeUnit: ReplicationFigure['timeUnit']): FigureTable {
  const rows: FigureTable['rows'][number][] = [];
  for (let job = 0; job < run.jobs.count; job++) {
    const { start, end } = stayOf(run, job);
    if (!(start < to && end > from) || byteAt(run.refusedJobs, job) === 1) continue;
    const hasEnded = !Number.isNaN(realAt(run.ends, job));
    const nodes = formatRanges([...nodesOfJob(run, job)])
      .replaceAll('–', '-')
      .replaceAll(', ', ' ');
    rows.push([
      job,
      realAt(run.jobs.submit, job),
      start,
      hasEnded ? end : null,
      intAt(run.jobs.processors, job),
      nodes,
    ]);
  }
  const head = ['job', 'submit', 'start', 'end', 'processors', 'nodes'];
  return { head, rows, units: ['', timeUnit, timeUnit, timeUnit, '', ''] };
}
