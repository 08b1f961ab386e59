import type { WorkloadBuilder } from '../../model/workload.ts';
import { itemAt } from '../../numeric/elements.ts';
import {
  skeletonChoices,
  type PerClass,
  perClass,
  type SkeletonEntry,
  skeletonOptions,
  squareRanks,
  writeIterations,
  writeTasks,
} from './contract.ts';

/**
 * BT and SP: each task of p × p has p cells of a grid of p × p × p cells, one in each plane along each axis, so that in
 * every stage of a sweep every task has a cell to work at. The cells of a task touch those of six tasks, the same six for
 * all of them.
 */

const bytesOfDouble = 8;
/** A cell has at least so many points along each axis. */
const leastPoints = 3;
/** Doubles of a point on a face: two layers of five variables. */
const doublesOfFacePoint = 10;
/** Tags of faces by where they go: up and down along x, y, z. */
const faceTags = [2000, 3000, 4000, 5000, 7000, 6000] as const;

/** From here on tags of sweeps: one for each axis, way and row of cells. */
const firstSweepTag = 8000;

/** In what the two benchmarks differ. */
interface Solver {
  readonly edges: PerClass<number>;
  readonly iterations: PerClass<number>;
  /** Doubles of each line of points that goes through the border of two cells: forward, and back. */
  readonly forward: number;
  readonly back: number;
  /** Lines that a message has room for, which is what is sent, in BT; only the lines inside the grid, in SP. */
  readonly sendsWholeBuffers: boolean;
}

const blockTridiagonal: Solver = {
  edges: perClass(12, 24, 64, 102, 162),
  iterations: perClass(60, 200, 200, 200, 200),
  forward: 30,
  back: 5,
  sendsWholeBuffers: true,
};

const scalarPentadiagonal: Solver = {
  edges: perClass(12, 36, 64, 102, 162),
  iterations: perClass(100, 400, 400, 400, 400),
  forward: 22,
  back: 10,
  sendsWholeBuffers: false,
};

export const bt: SkeletonEntry = {
  name: 'bt',
  summary: 'block tridiagonal solver: faces to six neighbours, then sweeps along three axes and back',
  source: 'NAS Parallel Benchmarks 2 and 3 (MPI), BT/make_set.f, copy_faces.f, x_solve.f, y_solve.f, z_solve.f',
  details:
    'Tasks: a square number. Sends one untimed iteration more, as the benchmark does, and the faces once at the end. S has 60 iterations, the others 200.',
  options: skeletonOptions,
  skeleton: 'bt(class ${1:A})',
  build: (taskCount, options, cancellation) =>
    buildMultiPartition('bt', blockTridiagonal, taskCount, options, cancellation),
};

export const sp: SkeletonEntry = {
  name: 'sp',
  summary: 'scalar pentadiagonal solver: faces to six neighbours, then sweeps along three axes and back',
  source: 'NAS Parallel Benchmarks 2 and 3 (MPI), SP/make_set.f, copy_faces.f, x_solve.f, y_solve.f, z_solve.f',
  details:
    'Tasks: a square number. Sends one untimed iteration more, as the benchmark does, and the faces once at the end. S has 100 iterations, the others 400.',
  options: skeletonOptions,
  skeleton: 'sp(class ${1:A})',
  build: (taskCount, options, cancellation) =>
    buildMultiPartition('sp', scalarPentadiagonal, taskCount, options, cancellation),
};

function buildMultiPartition(
  name: string,
  solver: Solver,
  ...[taskCount, options, cancellation]: Parameters<SkeletonEntry['build']>
): ReturnType<SkeletonEntry['build']> {
  const { problem, iterations, pause } = skeletonChoices(options, solver.iterations);
  const edge = solver.edges[problem];
  const side = squareRanks(`${name}(class ${problem})`, taskCount, Math.floor(edge / leastPoints));
  if (!side.ok) return side;
  return writeTasks(taskCount, cancellation, (builder, task) => {
    if (taskCount === 1) return;
    const rank = new Rank(builder, solver, task, side.value, edge);
    writeIterations(builder, iterations + 1, pause, () => {
      rank.writeFaces();
      for (const axis of [0, 1, 2]) rank.writeSweeps(axis);
    });
    rank.writeFaces();
  });
}

/** Where a cell of the whole grid lies, 0 … p − 1 along each axis. */
type Cell = readonly [number, number, number];

class Rank {
  readonly #builder: WorkloadBuilder;
  readonly #solver: Solver;
  readonly #side: number;
  readonly #edge: number;
  readonly #cells: readonly Cell[];
  /** The tasks with the next and the last cells along each axis. */
  readonly #after: readonly number[];
  readonly #before: readonly number[];

  constructor(builder: WorkloadBuilder, solver: Solver, task: number, side: number, edge: number) {
    const [i, j] = [task % side, Math.floor(task / side)];
    const at = (x: number, y: number): number => ((x + side) % side) + side * ((y + side) % side);
    this.#builder = builder;
    this.#solver = solver;
    this.#side = side;
    this.#edge = edge;
    this.#cells = Array.from({ length: side }, (_, k): Cell => [(i + k) % side, (j - k + side) % side, k]);
    this.#after = [at(i + 1, j), at(i, j + 1), at(i - 1, j + 1)];
    this.#before = [at(i - 1, j), at(i, j - 1), at(i + 1, j - 1)];
  }

  /** To all six neighbours at once, then from all. */
  writeFaces(): void {
    const sent: number[] = [];
    const received: number[] = [];
    for (const axis of [0, 1, 2]) {
      const inner = (border: number): number => {
        const cells = this.#cells.filter((cell) => cell[axis] !== border);
        return cells.reduce((sum, cell) => sum + this.#points(cell, axis), 0) * doublesOfFacePoint;
      };
      sent.push(inner(this.#side - 1), inner(0));
      received.push(inner(this.#side - 1), inner(0));
    }
    for (const [way, doubles] of sent.entries())
      this.#builder.send(this.#neighbour(way), doubles * bytesOfDouble, itemAt(faceTags, way));
    // What comes from the next task along an axis was sent down it, and the other way round.
    for (const [way, doubles] of received.entries())
      this.#builder.receive(this.#neighbour(way), doubles * bytesOfDouble, itemAt(faceTags, way ^ 1));
  }

  /** From the first cell along an axis to the last, and back. */
  writeSweeps(axis: number): void {
    const [after, before] = [itemAt(this.#after, axis), itemAt(this.#before, axis)];
    const last = this.#side - 1;
    const { forward, back } = this.#solver;
    for (let stage = 0; stage <= last; stage++) {
      const [lines, tag] = this.#sweep(axis, stage);
      if (stage > 0) this.#builder.receive(before, lines * forward * bytesOfDouble, tag);
      if (stage < last) this.#builder.send(after, lines * forward * bytesOfDouble, tag);
    }
    for (let stage = last; stage >= 0; stage--) {
      const [lines, tag] = this.#sweep(axis, stage);
      if (stage < last) this.#builder.receive(after, lines * back * bytesOfDouble, tag + 1);
      if (stage > 0) this.#builder.send(before, lines * back * bytesOfDouble, tag + 1);
    }
  }

  /** Lines of a stage, and a tag of the row of cells that they run through. */
  #sweep(axis: number, stage: number): readonly [number, number] {
    const cell = itemAt(
      this.#cells.filter((candidate) => candidate[axis] === stage),
      0,
    );
    const others = [0, 1, 2].filter((other) => other !== axis);
    const tag =
      firstSweepTag + 6 * others.reduce((code, other) => code * this.#side + (cell[other] ?? 0), 0) + 2 * axis;
    if (this.#solver.sendsWholeBuffers) return [(Math.floor(this.#edge / this.#side) + 1) ** 2, tag];
    const lines = others.reduce((product, other) => product * this.#inside(cell[other] ?? 0), 1);
    return [lines, tag];
  }

  #neighbour(way: number): number {
    return itemAt(way % 2 === 0 ? this.#after : this.#before, way >> 1);
  }

  /** Points of a cell on a face across an axis. */
  #points(cell: Cell, axis: number): number {
    return cell.reduce<number>(
      (product, place, other) => (other === axis ? product : product * this.#length(place)),
      1,
    );
  }

  /** Points along an axis. */
  #length(place: number): number {
    return Math.floor(this.#edge / this.#side) + (place < this.#edge % this.#side ? 1 : 0);
  }

  /** Points along an axis that are not on the border of the grid. */
  #inside(place: number): number {
    return this.#length(place) - (place === 0 ? 1 : 0) - (place === this.#side - 1 ? 1 : 0);
  }
}
