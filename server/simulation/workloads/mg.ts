import type { WorkloadBuilder } from '../../model/workload.ts';
import { itemAt } from '../../numeric/elements.ts';
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
const edges = perClass(32, 128, 256, 256, 512);
const iterationsOf = perClass(4, 4, 4, 20, 20);
/** Class W was smaller and ran longer in NPB 2. */
const olderW = { edge: 64, iterations: 40 };
const largestRanks = 16_384;

/**
 * V-cycles over grids of half the edge each. The points of a level are shared out over all tasks; where a level has fewer
 * along an axis than there are tasks, some have none and fall silent until the way back up, when a neighbour hands them what
 * they need.
 */
export const mg: SkeletonEntry = {
  name: 'mg',
  summary: 'multigrid V-cycles: border exchanges with near and far neighbours, large to tiny messages',
  source: 'NAS Parallel Benchmarks 2 and 3 (MPI), MG/mg.f: setup, mg3P, comm3, comm3_ex',
  details:
    'Tasks: a power of two in a box, longest in z. Sends one untimed V-cycle more, as the benchmark does; omits the norm reductions. S, W and A have 4 iterations, B and C 20. In `version npb2`, class W has 64³ points and 40 iterations instead of 128³ and 4.',
  options: [...skeletonOptions, versionOption],
  skeleton: 'mg(class ${1:A})',
  build(taskCount, options, cancellation) {
    const isOlderW = options['class'] === 'W' && options['version'] === 'npb2';
    const counts = isOlderW ? { ...iterationsOf, W: olderW.iterations } : iterationsOf;
    const { problem, iterations, pause } = skeletonChoices(options, counts);
    const edge = isOlderW ? olderW.edge : edges[problem];
    const exponents = powerOfTwoRanks(`mg(class ${problem})`, taskCount, Math.min(largestRanks, (edge / 2) ** 3));
    if (!exponents.ok) return exponents;
    const { value: exponent } = exponents;
    const alongX = 2 ** Math.floor(exponent / 3);
    const alongY = 2 ** Math.floor((exponent - Math.floor(exponent / 3)) / 2);
    const box = [alongX, alongY, taskCount / (alongX * alongY)] as const;
    return writeTasks(taskCount, cancellation, (builder, task) => {
      if (taskCount === 1) return;
      const rank = new Rank(builder, task, box, edge);
      // Before the iterations, untimed and timed: the right side, and the residual.
      for (const times of [1, iterations]) {
        rank.writeBorders(rank.finest);
        rank.writeBorders(rank.finest);
        writeIterations(builder, times, pause, () => {
          rank.writeCycle();
        });
      }
    });
  },
};

/** What a task has of a level, and with whom. Axes x, y, z. */
interface Level {
  /** Points along each axis, with a halo of two. */
  readonly lengths: number[];
  /** The next task up and down each axis that has points. */
  readonly above: number[];
  readonly below: number[];
  /** The task has points here and none on the next coarser level along that axis, or is the one that helps such a task. */
  readonly takes: boolean[];
  readonly gives: boolean[];
}

class Rank {
  readonly #builder: WorkloadBuilder;
  /** From the coarsest level, 1, on. */
  readonly #levels: readonly Level[];
  readonly finest: number;

  constructor(builder: WorkloadBuilder, task: number, box: readonly [number, number, number], edge: number) {
    this.#builder = builder;
    this.finest = Math.log2(edge);
    this.#levels = gridLevels(task, box, this.finest);
  }

  /** A V-cycle, and the residual after it. */
  writeCycle(): void {
    for (let level = this.finest - 1; level >= 1; level--) this.writeBorders(level);
    this.writeBorders(1);
    for (let level = 2; level <= this.finest; level++) {
      this.#writeExpansion(level);
      this.writeBorders(level);
      this.writeBorders(level);
    }
    this.writeBorders(this.finest);
  }

  /** Axis after axis, so that what comes along one goes on along the next. */
  writeBorders(number: number): void {
    const level = itemAt(this.#levels, number);
    if (level.lengths.includes(2)) return;
    const [x, y, z] = level.lengths;
    const sizes = [((y ?? 0) - 2) * ((z ?? 0) - 2), (x ?? 0) * ((z ?? 0) - 2), (x ?? 0) * (y ?? 0)];
    for (const [axis, points] of sizes.entries()) {
      this.#send(level, axis, 1, points);
      this.#send(level, axis, -1, points);
      this.#receive(level, axis, -1, points);
      this.#receive(level, axis, 1, points);
    }
  }

  /** On the way to a finer level: borders for the tasks that had no points on the coarser one. */
  #writeExpansion(number: number): void {
    const level = itemAt(this.#levels, number);
    const [x, y, z] = level.lengths;
    const sizes = [(y ?? 0) * (z ?? 0), (x ?? 0) * (z ?? 0), (x ?? 0) * (y ?? 0)];
    for (const [axis, points] of sizes.entries()) {
      if (level.takes[axis] === true) {
        this.#receive(level, axis, -1, points);
        this.#receive(level, axis, 1, 2 * points);
      }
      if (level.gives[axis] === true) {
        this.#send(level, axis, 1, 2 * points);
        this.#send(level, axis, -1, points);
      }
    }
  }

  #send(level: Level, axis: number, way: 1 | -1, doubles: number): void {
    const to = itemAt(way === 1 ? level.above : level.below, axis);
    this.#builder.send(to, doubles * bytesOfDouble, tagOf(axis, way));
  }

  /** What was sent that way comes from the other side. */
  #receive(level: Level, axis: number, way: 1 | -1, doubles: number): void {
    const from = itemAt(way === 1 ? level.below : level.above, axis);
    this.#builder.receive(from, doubles * bytesOfDouble, tagOf(axis, way));
  }
}

const tagOf = (axis: number, way: 1 | -1): number => 100 * (way + 2 + 10 * (axis + 1));

/** The levels of a task, from the coarsest on; level 0 stands for none. */
function gridLevels(task: number, box: readonly [number, number, number], finest: number): Level[] {
  const [alongX, alongY] = box;
  const place = [task % alongX, Math.floor(task / alongX) % alongY, Math.floor(task / (alongX * alongY))] as const;
  const strides = [1, alongX, alongX * alongY] as const;
  const empty = (): Level => ({ lengths: [], above: [], below: [], takes: [], gives: [] });
  const levels = Array.from({ length: finest + 1 }, empty);
  for (const axis of [0, 1, 2] as const) {
    const tasks = box[axis];
    const own = place[axis];
    /** How far the next task is that has points. */
    let next = 1;
    for (let number = finest; number >= 1; number--) {
      const points = 2 ** number;
      const share = (index: number): number =>
        2 + Math.floor(((index + 1) * points) / tasks) - Math.floor((index * points) / tasks);
      const length = share(own);
      const lengthOfNext = share(own + next);
      if (length === 2 || lengthOfNext === 2) next *= 2;
      const finer = levels[number + 1];
      finer?.gives.push(lengthOfNext === 2 && length === 3);
      finer?.takes.push(lengthOfNext === 3 && length === 2);
      const level = itemAt(levels, number);
      const stride = strides[axis];
      level.lengths.push(length);
      level.above.push(task + (((own + next) % tasks) - own) * stride);
      level.below.push(task + (((((own - next) % tasks) + tasks) % tasks) - own) * stride);
    }
  }
  return levels;
}
