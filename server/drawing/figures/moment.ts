/**
 * The machine at a moment of a replication: which job sits on which node, which nodes are free, who waits, and how the free
 * nodes are broken up. Fragmentation is 1 − nodes of the largest free submesh / free nodes: 0 where all that is free is
 * one submesh.
 */
import { appendAll } from '../../model/lists.ts';
import { countOf, formatNumber, formatShare } from '../../model/quantities.ts';
import { formatShape } from '../../model/shape.ts';
import { byteAt, intAt, realAt } from '../../numeric/elements.ts';
import { readableOn } from '../colors.ts';
import {
  headHeight,
  figureHead,
  line,
  pageMargin,
  pageWidth,
  pixel,
  pixelBox,
  smallSize,
  text,
  textSize,
  textWidth,
  type Figure,
  type Paint,
  type Shape,
} from './figure.ts';
import { largestFreeSubmesh, type Submesh } from './freeSubmesh.ts';
import { colorOfJob, jobsAt, nodesOfJob, sizeWords, streamTime, type ReplicationFigure } from './replication.ts';

export interface MomentRequest extends ReplicationFigure {
  /** Sides of a mesh or torus; left out for other networks, whose nodes stand in rows. */
  readonly shape?: readonly number[];
  readonly time: number;
}

/** O(jobs + nodes). */
export function drawMoment(request: MomentRequest): Figure {
  const { name, about, run, time, timeUnit } = request;
  const state = stateAt(request);
  const shape = drawableMesh(request);
  const plan = momentPlan(run.nodeCount, shape);
  const room = Math.min(44, plotSize / plan.columns, plotSize / plan.rows);
  // Whole pixels are sharp.
  const cell = room < 4 ? room : Math.floor(room);
  const grid: Grid = { ...plan, cell, left: pageMargin, top: headHeight };
  const legend = momentLegend(request, state, plan);
  const title = `${name} at ${streamTime(time, timeUnit)}`;
  const bottom = Math.max(grid.top + plan.rows * cell, legend.bottom);
  return {
    title,
    subtitle: about,
    description: describeMoment(request, state),
    width: pageWidth,
    height: Math.ceil(bottom + pageMargin),
    shapes: [...figureHead(title, about), ...nodeSquares(state, grid), ...legend.shapes],
    table: {
      head: ['node', ...(shape ?? []).map((_, axis) => ['x', 'y', 'z'][axis] ?? ''), 'job', 'asked for'],
      rows: Array.from(state.jobOfNode, (job, node) => [
        ...[node, ...(shape === undefined ? [] : coordinates(node, shape))],
        ...(job < 0 ? [null, null] : [job, byteAt(state.isSpare, node) === 1 ? 'no' : 'yes']),
      ]),
    },
  };
}

/** Shapes that can be drawn as layers; nodes of all others stand in rows. */
const drawableMesh = ({ shape, run }: MomentRequest): readonly number[] | undefined =>
  shape !== undefined && shape.length <= 3 && shape.reduce((product, side) => product * side, 1) === run.nodeCount
    ? shape
    : undefined;

function coordinates(node: number, [width = 1, height = 1, ...deeper]: readonly number[]): readonly number[] {
  const [x, y, z] = [node % width, Math.floor(node / width) % height, Math.floor(node / (width * height))];
  return [x, y, z].slice(0, 2 + deeper.length);
}

interface State {
  readonly running: readonly number[];
  readonly waiting: readonly number[];
  /** −1 for free nodes. */
  readonly jobOfNode: Int32Array;
  /** 1 for nodes that a job holds beyond what it asked for. */
  readonly isSpare: Uint8Array;
  readonly freeCount: number;
  readonly spareCount: number;
  readonly largest: Submesh | undefined;
  /** Undefined on what is no mesh, and where no node is free. */
  readonly fragmentation: number | undefined;
}

function stateAt(request: MomentRequest): State {
  const { run, time } = request;
  const { running, waiting } = jobsAt(run, time);
  const jobOfNode = new Int32Array(run.nodeCount).fill(-1);
  const isSpare = new Uint8Array(run.nodeCount);
  let spareCount = 0;
  for (const job of running) {
    const asked = intAt(run.jobs.processors, job);
    run.nodes[job]?.forEach((node, position) => {
      jobOfNode[node] = job;
      if (position < asked) return;
      isSpare[node] = 1;
      spareCount++;
    });
  }
  const busy = Uint8Array.from(jobOfNode, (job) => (job < 0 ? 0 : 1));
  const freeCount = busy.reduce((count, held) => count + 1 - held, 0);
  const shape = drawableMesh(request);
  const largest = shape === undefined ? undefined : largestFreeSubmesh(busy, shape);
  const fragmentation = largest === undefined ? undefined : 1 - volume(largest) / freeCount;
  return { running, waiting, jobOfNode, isSpare, freeCount, spareCount, largest, fragmentation };
}

const volume = ({ sides }: Submesh): number => sides.reduce((product, side) => product * side, 1);

/** Pixels of the machine either way. */
const plotSize = 430;
const legendWidth = 216;

interface Plan {
  readonly columns: number;
  readonly rows: number;
  /** Column and row of each node. */
  readonly place: (node: number) => readonly [column: number, row: number];
  /** Whether a submesh is a rectangle on the page. */
  readonly isPlane: boolean;
  /** Layers with their upper left cell, where there are several. */
  readonly layers: readonly { readonly name: string; readonly column: number; readonly row: number }[];
}

interface Grid extends Plan {
  readonly cell: number;
  readonly left: number;
  readonly top: number;
}

/** Cells above each layer for its name. */
const layerHead = 1;

/** Where each node stands: the plane as it is, layers of a space beside and below each other, all else in rows. */
function momentPlan(nodeCount: number, shape: readonly number[] | undefined): Plan {
  const [width = 1, height = 1, depth = 1] = shape ?? [];
  if (shape === undefined || (height === 1 && depth === 1)) {
    const columns = nodeCount <= 32 ? nodeCount : Math.ceil(Math.sqrt(nodeCount));
    const rows = Math.ceil(nodeCount / columns);
    return {
      columns,
      rows,
      place: (node) => [node % columns, Math.floor(node / columns)],
      isPlane: rows === 1,
      layers: [],
    };
  }
  if (depth === 1) {
    return {
      columns: width,
      rows: height,
      place: (node) => [node % width, Math.floor(node / width)],
      isPlane: true,
      layers: [],
    };
  }
  // As many layers beside each other as make the whole nearly a square.
  const across = Math.max(1, Math.round(Math.sqrt((depth * (height + layerHead)) / (width + 1))));
  const cornerOf = (z: number): readonly [number, number] => [
    (z % across) * (width + 1),
    Math.floor(z / across) * (height + layerHead) + layerHead,
  ];
  return {
    columns: Math.min(across, depth) * (width + 1) - 1,
    rows: Math.ceil(depth / across) * (height + layerHead),
    place: (node) => {
      const [column, row] = cornerOf(Math.floor(node / (width * height)));
      return [column + (node % width), row + (Math.floor(node / width) % height)];
    },
    isPlane: false,
    layers: Array.from({ length: depth }, (_, z) => {
      const [column, row] = cornerOf(z);
      return { name: `z = ${z}`, column, row };
    }),
  };
}

/** Lines between free nodes only where there is room for them. */
const outlinedFrom = 6;

/** Squares in the colours of their jobs; lines where a job ends; numbers of jobs where there is room. */
function nodeSquares({ jobOfNode, isSpare, largest }: State, grid: Grid): Shape[] {
  const { cell, columns, rows } = grid;
  // By column and row: −2 where no node stands.
  const jobs = new Int32Array(columns * rows).fill(-2);
  const spare = new Uint8Array(columns * rows);
  jobOfNode.forEach((job, node) => {
    const [column, row] = grid.place(node);
    jobs[row * columns + column] = job;
    spare[row * columns + column] = byteAt(isSpare, node);
  });
  const jobAt = (column: number, row: number): number =>
    column < 0 || row < 0 || column >= columns || row >= rows ? -2 : intAt(jobs, row * columns + column);
  const shapes = [...squares(jobAt, spare, grid), ...borders(jobAt, grid)];
  if (largest !== undefined && grid.isPlane) appendAll(shapes, submeshOutline(largest, grid));
  appendAll(shapes, jobLabels(jobOfNode, grid));
  for (const { name, column, row } of grid.layers) {
    const size = Math.min(smallSize, cell * 0.9);
    if (size < 6) continue;
    shapes.push(
      text(name, grid.left + column * cell, grid.top + row * cell - 3, { size: pixel(size), color: 'faint' }),
    );
  }
  return shapes;
}

type JobAt = (column: number, row: number) => number;

const cellBox = ({ left, top, cell }: Grid, column: number, row: number, columns: number): readonly number[] =>
  pixelBox(left + column * cell, top + row * cell, left + (column + columns) * cell, top + (row + 1) * cell);

/** One rectangle for nodes of a job beside each other. */
function squares(jobAt: JobAt, spare: Uint8Array, grid: Grid): Shape[] {
  const { columns, rows, cell } = grid;
  const free: number[] = [];
  const boxes = new Map<string, number[]>();
  const keyAt = (column: number, row: number): string => {
    const job = jobAt(column, row);
    return job < 0 ? '' : `${colorOfJob(job)} ${byteAt(spare, row * columns + column) === 1 ? 0.4 : 1}`;
  };
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns;) {
      const start = column;
      const key = keyAt(start, row);
      do column++;
      while (key !== '' && column < columns && keyAt(column, row) === key);
      if (key === '') {
        if (jobAt(start, row) === -1) appendAll(free, cellBox(grid, start, row, 1));
        continue;
      }
      const list = boxes.get(key) ?? [];
      boxes.set(key, list);
      appendAll(list, cellBox(grid, start, row, column - start));
    }
  }
  const outlined = cell >= outlinedFrom ? { outline: 'grid' as const } : {};
  return [
    { kind: 'boxes', boxes: free, fill: 'paper', ...outlined },
    ...[...boxes].map(([key, list]): Shape => {
      const [fill = 'ink', opacity = '1'] = key.split(' ');
      return { kind: 'boxes', boxes: list, fill: fill as Paint, opacity: Number(opacity) };
    }),
  ];
}

/** Lines about jobs and about the machine, as narrow rectangles as long as they go straight on. */
function borders(jobAt: JobAt, { columns, rows, cell, left, top }: Grid): Shape[] {
  const width = cell >= 8 ? 1.6 : 0.7;
  const boxes: number[] = [];
  const half = width / 2;
  for (let row = 0; row <= rows; row++) {
    const isBorder = (column: number): boolean => jobAt(column, row - 1) !== jobAt(column, row);
    eachStretch(columns, isBorder, (from, to) => {
      boxes.push(left + from * cell - half, top + row * cell - half, (to - from) * cell + width, width);
    });
  }
  for (let column = 0; column <= columns; column++) {
    const isBorder = (row: number): boolean => jobAt(column - 1, row) !== jobAt(column, row);
    eachStretch(rows, isBorder, (from, to) => {
      boxes.push(left + column * cell - half, top + from * cell - half, width, (to - from) * cell + width);
    });
  }
  return [{ kind: 'boxes', boxes: boxes.map(pixel), fill: 'ink' }];
}

/** Calls back for each longest stretch of indices that hold. */
function eachStretch(
  count: number,
  holds: (index: number) => boolean,
  found: (from: number, to: number) => void,
): void {
  for (let index = 0; index < count; index++) {
    if (!holds(index)) continue;
    const from = index;
    while (index < count && holds(index)) index++;
    found(from, index);
  }
}

/** The largest free submesh of a plane, dashed. */
function submeshOutline({ corner: [x = 0, y = 0], sides: [wide = 1, high = 1] }: Submesh, grid: Grid): Shape[] {
  const inset = Math.min(2.5, grid.cell / 5);
  const [left, top] = [grid.left + x * grid.cell + inset, grid.top + y * grid.cell + inset];
  const [right, bottom] = [left + wide * grid.cell - 2 * inset, top + high * grid.cell - 2 * inset];
  return [line([left, top, right, top, right, bottom, left, bottom, left, top], 'faint', 1.3, [4, 3])];
}

/** The number of each job in the first of its nodes with room. */
function jobLabels(jobOfNode: Int32Array, { cell, left, top, place }: Grid): Shape[] {
  const seen = new Set<number>([-1]);
  const shapes: Shape[] = [];
  jobOfNode.forEach((job, node) => {
    if (seen.has(job)) return;
    seen.add(job);
    const label = String(job);
    const size = Math.min(smallSize, (cell - 3) / Math.max(1, textWidth(label, 1)));
    if (size < 6.5) return;
    const [column, row] = place(node);
    const [x, y] = [left + (column + 0.5) * cell, top + (row + 0.5) * cell];
    const color = readableOn(colorOfJob(job)) as Paint;
    shapes.push(text(label, x, y + size * 0.35, { size: pixel(size), anchor: 'middle', color }));
  });
  return shapes;
}

/** Waiting jobs that are listed; the others are counted. */
const listedJobs = 8;

function momentLegend(
  { run, time, timeUnit }: MomentRequest,
  { running, waiting, freeCount, spareCount, largest, fragmentation }: State,
  { isPlane }: Plan,
): { readonly shapes: readonly Shape[]; readonly bottom: number } {
  const shapes: Shape[] = [];
  const left = pageWidth - pageMargin - legendWidth;
  let y = headHeight + 10;
  const heading = (content: string): void => {
    shapes.push(text(content, left, y, { bold: true }));
    y += 20;
  };
  const row = (name: string, value: string, color: Paint = 'faint'): void => {
    shapes.push(text(name, left, y, { color, size: smallSize }));
    shapes.push(text(value, left + legendWidth, y, { anchor: 'end', size: smallSize }));
    y += 19;
  };
  heading('Machine');
  row('running jobs', formatNumber(running.length));
  row('nodes in use', `${formatNumber(run.nodeCount - freeCount)} of ${formatNumber(run.nodeCount)}`);
  if (spareCount > 0) row('in use, not requested (pale)', formatNumber(spareCount));
  row('free nodes', formatNumber(freeCount));
  if (largest !== undefined) {
    row('largest free submesh', formatShape(largest.sides).replaceAll('x', '×'));
    row('fragmentation', formatShare(fragmentation ?? 0));
  }
  y += 12;
  heading(`Waiting jobs: ${formatNumber(waiting.length)}`);
  if (waiting.length > 0) row('job, request', 'wait time');
  for (const job of waiting.slice(0, listedJobs)) {
    row(`${job}: ${sizeWords(run, job)}`, streamTime(time - realAt(run.jobs.submit, job), timeUnit), 'ink');
  }
  if (waiting.length > listedJobs) row(`and ${formatNumber(waiting.length - listedJobs)} more`, '');
  if (largest !== undefined) {
    y += 10;
    const dashed = isPlane ? ['Dashed: the largest free submesh.'] : [];
    for (const part of [...dashed, 'Fragmentation: 1 − nodes of the largest', 'free submesh / free nodes.']) {
      shapes.push(text(part, left, y, { size: smallSize - 1, color: 'faint' }));
      y += 15;
    }
  }
  return { shapes, bottom: y - textSize };
}

function describeMoment({ name, about, run, time, timeUnit }: MomentRequest, state: State): string {
  const { running, waiting, freeCount, largest, fragmentation } = state;
  const pieces =
    largest === undefined
      ? ''
      : ` The largest free submesh is ${formatShape(largest.sides)}: fragmentation ${formatShare(fragmentation ?? 0)}.`;
  const listed = running.slice(0, 20).map((job) => `${job} on ${countOf(nodesOfJob(run, job).length, 'node')}`);
  const jobs = listed.length === 0 ? '' : ` Running: ${listed.join(', ')}${running.length > 20 ? ', …' : ''}.`;
  return `Machine in experiment ${name}, ${about}, at ${streamTime(time, timeUnit)}: ${countOf(running.length, 'job')} on ${run.nodeCount - freeCount} of ${countOf(run.nodeCount, 'node')}, ${countOf(waiting.length, 'job')} waiting.${pieces}${jobs}`;
}
