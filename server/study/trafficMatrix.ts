/**
 * The communication matrix of jobs, by task, node, switch or job: who sends how much to whom. Large ones are added up into
 * cells of several rows and columns, and a block of one can be looked at by itself.
 */
import { WorkMeter, type Cancellation } from '../model/cancellation.ts';
import { asNodeId, asRouterId } from '../model/identifiers.ts';
import type { Job } from '../model/job.ts';
import { hopsBetweenNodes, type Machine } from '../model/machine.ts';
import type { Mapping } from '../model/placement.ts';
import { cancelled, succeed, type Result } from '../model/result.ts';
import { coordinatesOf } from '../model/shape.ts';
import { endsOfSlots, insideHopsOf, nodesOfSlots } from '../model/slots.ts';
import { intAt, itemAt, realAt } from '../numeric/elements.ts';
import { nodeName, routerName } from '../network/names.ts';

/** What a row and a column stand for. */
export const trafficUnits = ['task', 'node', 'switch', 'job'] as const;
export type TrafficUnit = (typeof trafficUnits)[number];

/** The order of tasks: job after job, by the node that they run on, or by their numbers whatever job they are of. */
export const trafficOrders = ['job', 'node', 'task'] as const;
export type TrafficOrder = (typeof trafficOrders)[number];

/** What is counted. */
export const trafficAmounts = ['bytes', 'messages'] as const;
export type TrafficAmount = (typeof trafficAmounts)[number];

/** Neighbouring rows or columns, both ends included. */
export interface Span {
  readonly first: number;
  readonly last: number;
}

/** A part of the matrix. */
export interface TrafficBlock {
  readonly rows: Span;
  readonly columns: Span;
}

/** How rows and columns stand. */
export interface TrafficArrangement {
  readonly by: TrafficUnit;
  /** Of tasks; nodes, switches and jobs stand in their own order. */
  readonly order: TrafficOrder;
}

/** Jobs and what they send. Without a machine they are placed nowhere, and there are tasks and jobs alone. */
export interface TrafficSubject {
  readonly machine?: Machine;
  readonly jobs: readonly { readonly job: Job; readonly mapping?: Mapping }[];
}

/** Whether a pair of tasks of a job counts; tasks by number. */
export type PairTest = (job: number, from: number, to: number) => boolean;

/** Rows, which are columns too, and how tasks belong to them. */
export interface MatrixUnits {
  readonly count: number;
  /** Place of each task, by job and task. */
  readonly placeOf: readonly Int32Array[];
  readonly name: (place: number) => string;
  readonly word: TrafficUnit;
}

/** Rows or columns that are shown, added up into cells. */
export interface MatrixSide extends Span {
  readonly cells: number;
  /** Of each cell but perhaps the last. */
  readonly perCell: number;
}

export interface TrafficMatrix {
  readonly units: MatrixUnits;
  readonly rows: MatrixSide;
  readonly columns: MatrixSide;
  /** By row · columns + column, as all that follow. */
  readonly bytes: Float64Array;
  /** Ordered pairs of tasks. */
  readonly pairs: Float64Array;
  /** Absent where it is not known of every job how its bytes are cut into messages. */
  readonly messages?: Float64Array;
  /** Bytes times hops; absent without a machine. */
  readonly hopBytes?: Float64Array;
  /** Cells that have a pair that was asked for. */
  readonly marked?: Uint8Array;
}

/** Cells along a side at most. */
const mostCells = 64;

/** Work of a pair, in entries of arrays. */
const workOfPair = 8;

/**
 * The matrix, or the block of it, with the traffic within a unit as well where tasks share one. A block that the matrix does
 * not have is all of it. Fails if cancelled. O(pairs + tasks log tasks).
 */
export function trafficMatrix(
  subject: TrafficSubject,
  arrangement: TrafficArrangement & { readonly block?: TrafficBlock },
  cancellation: Cancellation,
  isMarked?: PairTest,
): Result<TrafficMatrix> {
  const units = matrixUnits(subject, arrangement);
  const rows = sideOf(units.count, arrangement.block?.rows);
  const columns = sideOf(units.count, arrangement.block?.columns);
  const size = rows.cells * columns.cells;
  const { jobs, machine } = subject;
  const hasMessages = jobs.length > 0 && jobs.every(({ job }) => messageCounter(job) !== undefined);
  const sums: Sums = {
    bytes: new Float64Array(size),
    pairs: new Float64Array(size),
    ...(hasMessages && { messages: new Float64Array(size) }),
    ...(machine && { hopBytes: new Float64Array(size) }),
    ...(isMarked && { marked: new Uint8Array(size) }),
  };
  const meter = new WorkMeter(cancellation);
  for (const [index, { job }] of jobs.entries()) {
    const { traffic, taskCount } = job;
    const place = itemAt(units.placeOf, index);
    const counters = countersOf(subject, index, sums, isMarked);
    for (let task = 0; task < taskCount; task++) {
      const [start, end] = [intAt(traffic.rowStart, task), intAt(traffic.rowStart, task + 1)];
      if (meter.isCancelledAfter(1 + workOfPair * (end - start))) return cancelled();
      const row = matrixCell(rows, intAt(place, task));
      if (row < 0) continue;
      for (let pair = start; pair < end; pair++) {
        const other = intAt(traffic.partner, pair);
        const column = matrixCell(columns, intAt(place, other));
        if (column < 0) continue;
        for (const count of counters) count(row * columns.cells + column, pair, task, other);
      }
    }
  }
  return succeed({ units, rows, columns, ...sums });
}

type Sums = Pick<TrafficMatrix, 'bytes' | 'pairs' | 'messages' | 'hopBytes' | 'marked'>;

/** Adds a pair to a cell. */
type Counter = (cell: number, pair: number, task: number, other: number) => void;

/** What there is to be added up of the pairs of a job. */
function countersOf(
  { machine, jobs }: TrafficSubject,
  index: number,
  { bytes, pairs, messages, hopBytes, marked }: Sums,
  isMarked: PairTest | undefined,
): readonly Counter[] {
  const { job, mapping } = itemAt(jobs, index);
  const amounts = job.traffic.bytes;
  const counters: Counter[] = [
    (cell, pair) => {
      bytes[cell]! += realAt(amounts, pair);
      pairs[cell]!++;
    },
  ];
  const messagesOfPair = messageCounter(job);
  if (messages !== undefined && messagesOfPair !== undefined) {
    counters.push((cell, pair) => {
      messages[cell]! += messagesOfPair(pair);
    });
  }
  if (hopBytes !== undefined && machine !== undefined && mapping !== undefined) {
    const end = endsOfSlots(machine, mapping);
    const inside = insideHopsOf(machine) ?? (() => 0);
    counters.push((cell, pair, task, other) => {
      const added = inside(intAt(mapping, task), intAt(mapping, other));
      const hops = hopsBetweenNodes(machine, intAt(end, task), intAt(end, other)) + added;
      hopBytes[cell]! += realAt(amounts, pair) * hops;
    });
  }
  if (marked !== undefined && isMarked !== undefined) {
    counters.push((cell, _pair, task, other) => {
      if (marked[cell] === 0 && isMarked(index, task, other)) marked[cell] = 1;
    });
  }
  return counters;
}

/** The pairs of a block: their senders are of its rows, and their receivers of its columns. O(tasks log tasks). */
export function pairsOfBlock(subject: TrafficSubject, arrangement: TrafficArrangement, block: TrafficBlock): PairTest {
  const { placeOf, count } = matrixUnits(subject, arrangement);
  const [rows, columns] = [sideOf(count, block.rows), sideOf(count, block.columns)];
  return (job, from, to) => {
    const place = itemAt(placeOf, job);
    return matrixCell(rows, intAt(place, from)) >= 0 && matrixCell(columns, intAt(place, to)) >= 0;
  };
}

/** The units of a cell, which are one or several neighbours. */
export const unitsOfCell = ({ first, last, perCell }: MatrixSide, cell: number): Span => ({
  first: first + cell * perCell,
  last: Math.min(last, first + (cell + 1) * perCell - 1),
});

/** `12`, `12 to 15`, `host-3 to host-5`. */
export const spanName = ({ name }: Pick<MatrixUnits, 'name'>, { first, last }: Span): string =>
  first === last ? name(first) : `${name(first)} to ${name(last)}`;

/** −1 outside. */
const matrixCell = ({ first, last, perCell }: MatrixSide, place: number): number =>
  place < first || place > last ? -1 : Math.floor((place - first) / perCell);

function sideOf(count: number, wanted: Span | undefined): MatrixSide {
  const isThere = wanted !== undefined && wanted.first >= 0 && wanted.first <= wanted.last && wanted.first < count;
  const [first, last] = isThere ? [wanted.first, Math.min(wanted.last, count - 1)] : [0, count - 1];
  const perCell = Math.max(1, Math.ceil((last - first + 1) / mostCells));
  return { first, last, perCell, cells: Math.ceil((last - first + 1) / perCell) };
}

/** How many messages a pair sends, by its position in the traffic; undefined where nobody says. */
function messageCounter({ traffic, messageBytes, messages, program }: Job): ((pair: number) => number) | undefined {
  if (program !== undefined) return (pair) => realAt(program.counts, pair);
  if (messageBytes !== undefined) return (pair) => realAt(traffic.bytes, pair) / messageBytes;
  return messages === undefined ? undefined : () => messages;
}

function matrixUnits({ machine, jobs }: TrafficSubject, { by, order }: TrafficArrangement): MatrixUnits {
  if (by === 'job') {
    return {
      count: jobs.length,
      placeOf: jobs.map(({ job }, index) => new Int32Array(job.taskCount).fill(index)),
      name: (place) => itemAt(jobs, place).job.name,
      word: 'job',
    };
  }
  const nodes = jobs.map(({ job, mapping }) =>
    machine === undefined || mapping === undefined ? new Int32Array(job.taskCount) : nodesOfSlots(machine, mapping),
  );
  // Who is placed nowhere has no nodes to be told by.
  if (by === 'task' || machine === undefined) return taskUnits(jobs, nodes, order);
  if (by === 'node') return groupedUnits(nodes, 'node', (node) => nodeName(machine, asNodeId(node)));
  const { routerOfNode } = machine.topology;
  const routers = nodes.map((own) => own.map((node) => intAt(routerOfNode, node)));
  return groupedUnits(routers, 'switch', (router) => routerName(machine, asRouterId(router)));
}

/** Nodes or switches that run tasks, ascending. */
function groupedUnits(
  groups: readonly Int32Array[],
  word: TrafficUnit,
  nameOf: (group: number) => string,
): MatrixUnits {
  const used = [...new Set(groups.flatMap((own) => [...own]))].sort((one, other) => one - other);
  const place = new Map(used.map((group, index) => [group, index]));
  return {
    count: used.length,
    placeOf: groups.map((own) => own.map((group) => place.get(group) ?? 0)),
    name: (index) => nameOf(itemAt(used, index)),
    word,
  };
}

function taskUnits(jobs: TrafficSubject['jobs'], nodes: readonly Int32Array[], order: TrafficOrder): MatrixUnits {
  const tasks = jobs.flatMap(({ job }, index) =>
    Array.from({ length: job.taskCount }, (_, task) => ({ job: index, task })),
  );
  const nodeOf = ({ job, task }: { readonly job: number; readonly task: number }): number =>
    intAt(itemAt(nodes, job), task);
  if (order === 'task') tasks.sort((one, other) => one.task - other.task || one.job - other.job);
  if (order === 'node') tasks.sort((one, other) => nodeOf(one) - nodeOf(other));
  const placeOf = nodes.map((own) => new Int32Array(own.length));
  tasks.forEach(({ job, task }, place) => {
    itemAt(placeOf, job)[task] = place;
  });
  const name = (place: number): string => {
    const { job, task } = itemAt(tasks, place);
    return jobs.length === 1 ? gridTaskName(itemAt(jobs, 0), task) : `${itemAt(jobs, job).job.name} ${task}`;
  };
  return { count: tasks.length, placeOf, name, word: 'task' };
}

/** Of a job that is placed nowhere its place in the job's own grid tells more than its number: `5 (1, 1)`. */
function gridTaskName({ job: { grid }, mapping }: TrafficSubject['jobs'][number], task: number): string {
  if (mapping !== undefined || grid === undefined || grid.length < 2) return `${task}`;
  const at: number[] = [];
  coordinatesOf(grid, task, at);
  return `${task} (${at.join(', ')})`;
}
