/**
 * The communication matrix of a placement as a heat map: who sends how much to whom, by task, node, switch or job. Large ones are
 * added up into cells of several rows and columns.
 */
import { countOf, formatBytes, formatNumber, formatShare } from '../../model/quantities.ts';
import type { PlacementReport } from '../../model/report.ts';
import { nodeOfSlot } from '../../model/slots.ts';
import { nodeName, routerName } from '../../network/names.ts';
import { asNodeId, asRouterId } from '../../model/identifiers.ts';
import { loadColors } from '../colors.ts';
import {
  headHeight,
  headOf,
  loadPaint,
  pageMargin,
  pageWidth,
  pixel,
  shortened,
  smallSize,
  text,
  widthOf,
  wrapped,
  type Cell,
  type Figure,
  type Shape,
} from './figure.ts';

/** What a row and a column stand for. */
export const trafficUnits = ['task', 'node', 'switch', 'job'] as const;
export type TrafficUnit = (typeof trafficUnits)[number];

/** The order of tasks: job after job, by the node that they run on, or by their numbers whatever job they are of. */
export const trafficOrders = ['job', 'node', 'task'] as const;
export type TrafficOrder = (typeof trafficOrders)[number];

export interface TrafficChoice {
  readonly by: TrafficUnit;
  /** Of tasks; nodes, switches and jobs stand in their own order. */
  readonly order: TrafficOrder;
  readonly scale: 'linear' | 'logarithmic';
}

/** Cells along a side at most. */
const mostCells = 64;
/** Pixels of the whole map, and between the names along a side at least. */
const mapSize = 520;
const nameStep = 26;
const longestName = 96;

/** Rows, which are columns too, and how tasks belong to them. */
interface Units {
  readonly count: number;
  /** Place of each task, by job and task. */
  readonly placeOf: readonly Int32Array[];
  readonly name: (place: number) => string;
  /** `tasks`, for the words. */
  readonly word: string;
}

/** What was added up. */
interface Matrix {
  /** Cells along a side, and units in each of them but perhaps the last. */
  readonly side: number;
  readonly perCell: number;
  /** By row · side + column. */
  readonly bytes: Float64Array;
  readonly pairs: Float64Array;
}

/** The heat map of all traffic of a placement; within a unit as well, where tasks share one. O(pairs + tasks log tasks). */
export function drawTraffic(report: PlacementReport, choice: TrafficChoice): Figure {
  const units = unitsOf(report, choice);
  const matrix = addUp(report, units);
  const { side, bytes } = matrix;
  const largest = bytes.reduce((most, value) => Math.max(most, value), 0);
  const least = bytes.reduce((fewest, value) => (value > 0 ? Math.min(fewest, value) : fewest), largest);
  const shareOf = (value: number): number => {
    if (choice.scale === 'linear' || least === largest) return largest === 0 ? 0 : value / largest;
    return Math.log(value / least) / Math.log(largest / least);
  };
  const names = Array.from({ length: side }, (_, cell) => cellName(units, matrix, cell));
  const cell = mapSize / Math.max(1, side);
  const left = pageMargin + Math.min(longestName, Math.max(30, ...names.map((name) => widthOf(name, smallSize)))) + 10;
  const top = headHeight + 34;
  const boxes: number[] = [];
  const rows: Cell[][] = [];
  const bySteps: number[][] = loadColors.map(() => []);
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const value = bytes[row * side + column]!;
      if (value === 0) continue;
      const box = [left + column * cell, top + row * cell, cell, cell].map(pixel);
      bySteps[stepOf(shareOf(value))]!.push(...box);
      boxes.push(...box);
      rows.push([names[row]!, names[column]!, value, matrix.pairs[row * side + column]!]);
    }
  }
  const title = `${report.name}: traffic by ${choice.by}`;
  const words = wordsOf(units, matrix, bytes, choice);
  const below = top + mapSize + 24;
  const notes = wrapped(words, pageWidth - 2 * pageMargin, smallSize);
  return {
    title,
    subtitle: `Rows send to columns, on ${report.machine.name}`,
    description: `${title}. ${words}`,
    width: pageWidth,
    height: below + 44 + notes.length * 16 + pageMargin,
    shapes: [
      ...headOf(title, `Rows send to columns, on ${report.machine.name}`),
      { kind: 'boxes', boxes: [left, top, mapSize, mapSize].map(pixel), fill: 'paper', outline: 'faint' },
      ...bySteps.flatMap((own, step): Shape[] => (own.length === 0 ? [] : [{ kind: 'boxes', boxes: own, fill: `load ${step}` }])), // prettier-ignore
      ...sideNames(names, cell, left, top),
      ...legend({ least: choice.scale === 'linear' ? 0 : least, largest, scale: choice.scale }, left, below),
      ...notes.map((note, index) =>
        text(note, pageMargin, below + 56 + 16 * index, { color: 'faint', size: smallSize }),
      ),
    ],
    table: { head: ['from', 'to', 'bytes', 'pairs'], rows },
    marks: { boxes, rows: rows.map((_, index) => index) },
  };
}

const stepOf = (share: number): number => Number(loadPaint(share).slice('load '.length));

function unitsOf(report: PlacementReport, { by, order }: TrafficChoice): Units {
  const { machine, jobs } = report;
  const nodes = jobs.map(({ mapping }) => Int32Array.from(mapping, (slot) => nodeOfSlot(machine, slot)));
  switch (by) {
    case 'task':
      return taskUnits(report, nodes, order);
    case 'job':
      return {
        count: jobs.length,
        placeOf: nodes.map((own, job) => new Int32Array(own.length).fill(job)),
        name: (place) => jobs[place]!.job.name,
        word: 'job',
      };
    case 'node':
      return groupedUnits(nodes, 'node', (node) => nodeName(machine, asNodeId(node)));
    case 'switch': {
      const { routerOfNode } = machine.topology;
      const routers = nodes.map((own) => own.map((node) => routerOfNode[node]!));
      return groupedUnits(routers, 'switch', (router) => routerName(machine, asRouterId(router)));
    }
  }
}

/** Nodes or switches that run tasks, ascending. */
function groupedUnits(groups: readonly Int32Array[], word: string, nameOf: (group: number) => string): Units {
  const used = [...new Set(groups.flatMap((own) => [...own]))].sort((one, other) => one - other);
  const place = new Map(used.map((group, index) => [group, index]));
  return {
    count: used.length,
    placeOf: groups.map((own) => own.map((group) => place.get(group)!)),
    name: (index) => nameOf(used[index]!),
    word,
  };
}

function taskUnits({ jobs }: PlacementReport, nodes: readonly Int32Array[], order: TrafficOrder): Units {
  const tasks = jobs.flatMap(({ job }, index) => Array.from({ length: job.taskCount }, (_, task) => ({ job: index, task }))); // prettier-ignore
  if (order === 'task') tasks.sort((one, other) => one.task - other.task || one.job - other.job);
  if (order === 'node') tasks.sort((one, other) => nodes[one.job]![one.task]! - nodes[other.job]![other.task]!);
  const placeOf = nodes.map((own) => new Int32Array(own.length));
  tasks.forEach(({ job, task }, place) => (placeOf[job]![task] = place));
  const name = (place: number): string => {
    const { job, task } = tasks[place]!;
    return jobs.length === 1 ? `${task}` : `${jobs[job]!.job.name} ${task}`;
  };
  return { count: tasks.length, placeOf, name, word: 'task' };
}

function addUp({ jobs }: PlacementReport, { count, placeOf }: Units): Matrix {
  const perCell = Math.max(1, Math.ceil(count / mostCells));
  const side = Math.ceil(count / perCell);
  const bytes = new Float64Array(side * side);
  const pairs = new Float64Array(side * side);
  jobs.forEach(({ job: { traffic, taskCount } }, job) => {
    const cellOf = placeOf[job]!.map((place) => Math.floor(place / perCell));
    for (let task = 0; task < taskCount; task++) {
      for (let pair = traffic.rowStart[task]!; pair < traffic.rowStart[task + 1]!; pair++) {
        const cell = cellOf[task]! * side + cellOf[traffic.partner[pair]!]!;
        bytes[cell]! += traffic.bytes[pair]!;
        pairs[cell]!++;
      }
    }
  });
  return { side, perCell, bytes, pairs };
}

/** `12`, `12 to 15`, `host-3 to host-5`. */
function cellName({ count, name }: Units, { perCell }: Matrix, cell: number): string {
  const [first, last] = [cell * perCell, Math.min(count, (cell + 1) * perCell) - 1];
  return first === last ? name(first) : `${name(first)} to ${name(last)}`;
}

/** Names of rows at the left and of columns above, as many as there is room for. */
function sideNames(names: readonly string[], cell: number, left: number, top: number): Shape[] {
  const every = Math.max(1, Math.ceil(nameStep / cell));
  return names.flatMap((name, index) => {
    if (index % every !== 0) return [];
    const middle = (index + 0.5) * cell;
    const short = shortened(name, longestName, smallSize);
    const above = shortened(name, every * cell + 4, smallSize);
    return [
      text(short, left - 6, top + middle + 4, { anchor: 'end', size: smallSize, color: 'faint' }),
      text(above, left + middle, top - 6, { anchor: 'middle', size: smallSize, color: 'faint' }),
    ];
  });
}

/** The colours with what they stand for. */
function legend(
  {
    least,
    largest,
    scale,
  }: { readonly least: number; readonly largest: number; readonly scale: TrafficChoice['scale'] },
  left: number,
  top: number,
): Shape[] {
  const width = 240 / loadColors.length;
  const middle = scale === 'linear' || least === 0 ? (least + largest) / 2 : Math.sqrt(least * largest);
  const at = (share: number, value: number, anchor: 'start' | 'middle' | 'end'): Shape =>
    text(formatBytes(value), left + 240 * share, top + 28, { anchor, size: smallSize, color: 'faint' });
  return [
    ...loadColors.map((_, step): Shape => ({ kind: 'boxes', boxes: [left + step * width, top, width, 12].map(pixel), fill: `load ${step}` })), // prettier-ignore
    at(0, least, 'start'),
    at(0.5, middle, 'middle'),
    at(1, largest, 'end'),
    text(`bytes of a cell, ${scale}`, left + 254, top + 10, { size: smallSize, color: 'faint' }),
  ];
}

function wordsOf(
  { count, word }: Units,
  { side, perCell, pairs }: Matrix,
  bytes: Float64Array,
  { order, by }: TrafficChoice,
): string {
  const sum = (values: Float64Array): number => values.reduce((all, value) => all + value, 0);
  const all = sum(bytes);
  const filled = bytes.reduce((filledCells, value) => filledCells + Number(value > 0), 0);
  let within = 0;
  for (let cell = 0; cell < side; cell++) within += bytes[cell * side + cell]!;
  const sorted = by === 'task' ? `, ordered by ${order}` : '';
  const binned = perCell === 1 ? '' : ` Each row and column of the map is ${formatNumber(perCell)} of them.`;
  const diagonal = all === 0 ? '' : ` ${formatShare(within / all)} of the bytes stay on the diagonal.`;
  return (
    `${countOf(count, word, word === 'switch' ? 'switches' : `${word}s`)}${sorted}: ${formatBytes(all)} between ${countOf(sum(pairs), 'ordered pair')} of tasks, ` +
    `in ${formatNumber(filled)} of ${countOf(side * side, 'cell')}.${binned}${diagonal}`
  );
}
