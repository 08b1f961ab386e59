import type { WorkloadBuilder } from '../../model/workload.ts';
import {
  skeletonChoices,
  perClass,
  powerOfTwoRanks,
  type SkeletonEntry,
  skeletonOptions,
  writeIterations,
  writeTasks,
} from './contract.ts';

const bytesOfDouble = 8;
/** Order of the matrix. */
const orders = perClass(1400, 7000, 14_000, 75_000, 150_000);
const iterationsOf = perClass(15, 15, 15, 75, 75);
/** Steps of conjugate gradients in an iteration. */
const steps = 25;
const largestRanks = 1024;

/**
 * Conjugate gradients. Tasks stand in rows and columns; sums of a row go round by halves of the row's length, then halves of
 * halves, and products of matrix and vector the other way, and then to the transposed task.
 */
export const cg: SkeletonEntry = {
  name: 'cg',
  summary: 'conjugate gradients: exchanges within rows of tasks, and with the transposed task',
  source: 'NAS Parallel Benchmarks 2 and 3 (MPI), CG/cg.f',
  details:
    'Tasks: a power of two, in 2^⌊log₂ P / 2⌋ rows. Sends one untimed iteration more, as the benchmark does. Classes have 15 iterations, B and C 75.',
  options: skeletonOptions,
  skeleton: 'cg(class ${1:A})',
  build(taskCount, options, cancellation) {
    const exponent = powerOfTwoRanks('cg', taskCount, largestRanks);
    if (!exponent.ok) return exponent;
    const { problem, iterations, pause } = skeletonChoices(options, iterationsOf);
    const rows = 2 ** Math.floor(exponent.value / 2);
    const grid = { order: orders[problem], rows, columns: taskCount / rows };
    return writeTasks(taskCount, cancellation, (builder, task) => {
      const rank = new Rank(builder, task, grid);
      writeIterations(builder, iterations + 1, pause, () => {
        rank.writeIteration();
      });
    });
  },
};

interface Grid {
  readonly order: number;
  readonly rows: number;
  readonly columns: number;
}

class Rank {
  readonly #builder: WorkloadBuilder;
  readonly #task: number;
  readonly #grid: Grid;
  /** The partners of sums in their order: half the row away, a quarter … next to it. */
  readonly #partners: readonly number[];

  constructor(builder: WorkloadBuilder, task: number, grid: Grid) {
    this.#builder = builder;
    this.#task = task;
    this.#grid = grid;
    const { columns } = grid;
    const column = task % columns;
    const partners: number[] = [];
    for (let length = columns; length > 1; length /= 2) {
      const partner = ((column + length / 2) % length) + Math.floor(column / length) * length;
      partners.push(task - column + partner);
    }
    this.#partners = partners;
  }

  writeIteration(): void {
    const builder = this.#builder;
    this.#sum(1);
    builder.repeat(steps);
    this.#multiply();
    this.#sum(1);
    this.#sum(1);
    builder.end();
    this.#multiply();
    this.#sum(1);
    this.#sum(2);
  }

  #sum(doubles: number): void {
    for (const [index, partner] of this.#partners.entries()) {
      this.#builder.send(partner, doubles * bytesOfDouble, index + 1);
      this.#builder.receive(partner, doubles * bytesOfDouble, index + 1);
    }
  }

  /**
   * The sums of a matrix product, nearest partner first. Where there are twice as many columns as rows, two neighbours share
   * a part: each sends the other its half first and keeps to its own half from then on.
   */
  #multiply(): void {
    const { rows, columns } = this.#grid;
    const builder = this.#builder;
    for (let index = this.#partners.length; index > 0; index--) {
      const partner = this.#partners[index - 1] ?? 0;
      const isHalving = rows !== columns && index === this.#partners.length;
      const [sent, received] = isHalving ? [partner, this.#task] : [this.#task, partner];
      builder.send(partner, this.#part(sent) * bytesOfDouble, index);
      builder.receive(partner, this.#part(received) * bytesOfDouble, index);
    }
    if (columns === 1) return;
    const transposed = this.#transposed();
    builder.send(transposed, this.#part(this.#task) * bytesOfDouble, 1);
    builder.receive(transposed, this.#part(transposed) * bytesOfDouble, 1);
  }

  /** Elements of the vector that a task keeps: those of its row, or its half of them. */
  #part(task: number): number {
    const { order, rows, columns } = this.#grid;
    const row = Math.floor(task / columns);
    const elements = Math.floor(order / rows) + (row < order % rows ? 1 : 0);
    if (rows === columns) return elements;
    return task % 2 === 0 ? Math.ceil(elements / 2) : Math.floor(elements / 2);
  }

  #transposed(): number {
    const { rows, columns } = this.#grid;
    const task = this.#task;
    if (rows === columns) return (task % rows) * rows + Math.floor(task / rows);
    const pair = Math.floor(task / 2);
    return 2 * ((pair % rows) * rows + Math.floor(pair / rows)) + (task % 2);
  }
}
