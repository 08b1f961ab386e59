import type { WorkloadBuilder } from '../../model/workload.ts';
import {
  skeletonChoices,
  perClass,
  powerOfTwoRanks,
  type SkeletonEntry,
  skeletonOptions,
  versionOption,
  writeIterations,
  writeTasks,
} from './contract.ts';

const bytesOfDouble = 8;
const edges = perClass(12, 33, 64, 102, 162);
const iterationsOf = perClass(50, 300, 250, 250, 250);
/** Variables at a point of the grid. */
const variables = 5;
/** A task has at least so many points along each axis. */
const leastPoints = 4;
/** Tags by where a message comes from, as the sources have them. */
const [fromSouth, fromNorth, fromEast, fromWest] = [1, 2, 3, 4];

/**
 * The solver by lower and upper triangles: a wave goes from plane to plane over the tasks from one corner to the opposite
 * one, and back.
 */
export const lu: SkeletonEntry = {
  name: 'lu',
  summary: 'triangular sweeps: many small messages across a task grid and back',
  source: 'NAS Parallel Benchmarks 2 and 3 (MPI), LU/ssor.f, exchange_1.f, exchange_3.f to exchange_6.f',
  details:
    'Tasks: a power of two; task = row + rows · column, with rows = columns or rows = 2 · columns. Includes faces and the surface integral before and after the iterations. `version npb2` omits the untimed first sweep of NPB 3.',
  options: [...skeletonOptions, versionOption],
  skeleton: 'lu(class ${1:A})',
  build(taskCount, options, cancellation) {
    const { problem, iterations, pause, isVersion2 } = skeletonChoices(options, iterationsOf);
    const edge = edges[problem];
    const most = 2 ** Math.floor(Math.log2(edge / leastPoints));
    const exponent = powerOfTwoRanks(`lu(class ${problem})`, taskCount, most * most);
    if (!exponent.ok) return exponent;
    const columns = 2 ** Math.floor(exponent.value / 2);
    return writeTasks(taskCount, cancellation, (builder, task) => {
      const rank = new Rank(builder, task, taskCount / columns, columns, edge);
      rank.writeFaces(); // of the forcing term
      for (const times of isVersion2 ? [iterations] : [1, iterations]) {
        rank.writeFaces();
        writeIterations(builder, times, pause, () => {
          rank.writeIteration();
        });
      }
      rank.writeSurfaceIntegral();
    });
  },
};

/** Points of an axis that one of several tasks in a row has. */
class Interval {
  readonly count: number;
  /** Points of the tasks before it. */
  readonly offset: number;
  readonly isFirst: boolean;
  readonly isLast: boolean;

  constructor(points: number, tasks: number, index: number) {
    const rest = points % tasks;
    this.count = Math.floor(points / tasks) + (index < rest ? 1 : 0);
    this.offset = index * Math.floor(points / tasks) + Math.min(index, rest);
    this.isFirst = index === 0;
    this.isLast = index === tasks - 1;
  }

  /** Points that are not on the border of the whole grid. */
  get inside(): number {
    return this.count - (this.isFirst ? 1 : 0) - (this.isLast ? 1 : 0);
  }

  /** Which of its points, counted from 1, an integral from one point of the whole axis to another begins and ends with. */
  within(first: number, last: number): { readonly begin: number; readonly end: number; readonly inner: number } {
    const { count, offset } = this;
    const [low, high] = [offset + 1, offset + count];
    let begin = low >= first && high < last + count ? 1 : count + 1;
    let end = low > first - count && high <= last ? count : 0;
    if (first >= low && first <= high) begin = first - offset;
    if (last >= low && last <= high) end = last - offset;
    return { begin, end, inner: offset + end === last ? end - 1 : end };
  }
}

class Rank {
  readonly #builder: WorkloadBuilder;
  readonly #edge: number;
  /** North and south of each other are rows, west and east columns; −1 where there is no task. */
  readonly #north: number;
  readonly #south: number;
  readonly #west: number;
  readonly #east: number;
  readonly #rows: Interval;
  readonly #columns: Interval;

  constructor(builder: WorkloadBuilder, task: number, rows: number, columns: number, edge: number) {
    const row = task % rows;
    const column = Math.floor(task / rows);
    this.#builder = builder;
    this.#edge = edge;
    this.#north = row > 0 ? task - 1 : -1;
    this.#south = row < rows - 1 ? task + 1 : -1;
    this.#west = column > 0 ? task - rows : -1;
    this.#east = column < columns - 1 ? task + rows : -1;
    this.#rows = new Interval(edge, rows, row);
    this.#columns = new Interval(edge, columns, column);
  }

  writeIteration(): void {
    const builder = this.#builder;
    const alongColumns = this.#columns.inside * variables;
    const alongRows = this.#rows.inside * variables;
    builder.repeat(this.#edge - 2);
    this.#receive(this.#north, alongColumns, fromNorth);
    this.#receive(this.#west, alongRows, fromWest);
    this.#send(this.#south, alongColumns, fromNorth);
    this.#send(this.#east, alongRows, fromWest);
    builder.end();
    builder.repeat(this.#edge - 2);
    this.#receive(this.#south, alongColumns, fromSouth);
    this.#receive(this.#east, alongRows, fromEast);
    this.#send(this.#north, alongColumns, fromSouth);
    this.#send(this.#west, alongRows, fromEast);
    builder.end();
    this.writeFaces();
  }

  /** Two layers of points to each neighbour. */
  writeFaces(): void {
    const alongColumns = 2 * variables * this.#columns.count * this.#edge;
    const alongRows = 2 * variables * this.#rows.count * this.#edge;
    this.#send(this.#south, alongColumns, fromNorth);
    this.#receive(this.#north, alongColumns, fromNorth);
    this.#send(this.#north, alongColumns, fromSouth);
    this.#receive(this.#south, alongColumns, fromSouth);
    this.#send(this.#east, alongRows, fromWest);
    this.#receive(this.#west, alongRows, fromWest);
    this.#send(this.#west, alongRows, fromEast);
    this.#receive(this.#east, alongRows, fromEast);
  }

  /** Pressure at the borders of tasks, for the integral over the surface of a box inside the grid. */
  writeSurfaceIntegral(): void {
    const [rows, columns, edge] = [this.#rows, this.#columns, this.#edge];
    const across = rows.within(2, edge - 1);
    const along = columns.within(2, edge - 2);
    const [fromNext, toPrevious] = [along.inner === columns.count, along.begin === 1];
    const [fromBelow, toAbove] = [across.inner === rows.count, across.begin === 1];
    if (fromNext) this.#receive(this.#east, 2 * rows.count, fromEast);
    if (toPrevious) this.#send(this.#west, 2 * rows.count, fromEast);
    if (fromBelow) this.#receive(this.#south, 2 * (columns.count + 2), fromSouth);
    if (toAbove) this.#send(this.#north, 2 * (columns.count + 2), fromSouth);
    for (const isSide of [columns.offset + along.begin === 2, columns.offset + along.end === edge - 2]) {
      if (isSide && fromBelow) this.#receive(this.#south, edge, fromSouth);
      if (isSide && toAbove) this.#send(this.#north, edge, fromSouth);
    }
    for (const isSide of [rows.offset + across.begin === 2, rows.offset + across.end === edge - 1]) {
      if (isSide && fromNext) this.#receive(this.#east, edge, fromEast);
      if (isSide && toPrevious) this.#send(this.#west, edge, fromEast);
    }
  }

  #send(to: number, doubles: number, tag: number): void {
    if (to >= 0) this.#builder.send(to, doubles * bytesOfDouble, tag);
  }

  #receive(from: number, doubles: number, tag: number): void {
    if (from >= 0) this.#builder.receive(from, doubles * bytesOfDouble, tag);
  }
}
