/**
 * Message skeletons: what a benchmark sends, without what it computes. All take the same options, of which they read what
 * applies to them.
 */
import { countOf } from '../../model/quantities.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import type { CatalogueEntry, OptionSpecification, OptionValues } from '../../model/catalogue.ts';
import { cancelled, fail, succeed, type Result } from '../../model/result.ts';
import { WorkloadBuilder, type Workload } from '../../model/workload.ts';

export interface SkeletonEntry extends CatalogueEntry {
  /**
   * The program of a number of tasks. Fails with `illegal-ranks` and the counts that are legal where the benchmark has none
   * for so many, whether or not it is cancelled, with `workload-too-large` where it would be. In time and memory linear in the
   * operations as they are written; polls the cancellation before each task, the first one too.
   */
  readonly build: (taskCount: number, options: OptionValues, cancellation: Cancellation) => Result<Workload>;
}

const classes = ['S', 'W', 'A', 'B', 'C'] as const;
export type ProblemClass = (typeof classes)[number];

/** A figure of each problem class. */
export type PerClass<Figure> = Readonly<Record<ProblemClass, Figure>>;

/** `S`, `W`, `A`, `B`, `C` in this order. */
export const perClass = <Figure>(
  ...[S, W, A, B, C]: readonly [Figure, Figure, Figure, Figure, Figure]
): PerClass<Figure> => ({ S, W, A, B, C });

export const skeletonOptions: readonly OptionSpecification[] = [
  {
    name: 'class',
    summary: 'problem size',
    kind: 'choice',
    choices: classes,
    required: true,
    positional: true,
  },
  {
    name: 'iterations',
    summary: 'timed iterations (default: by class)',
    kind: 'integer',
    minimum: 1,
    maximum: 1_000_000,
  },
  {
    name: 'pause',
    summary: 'computation time at the end of each iteration',
    kind: 'time',
    minimum: 0,
    maximum: 86_400,
    default: 0,
  },
];

/** Where the sources of NPB 2 and 3 differ in what is sent. */
export const versionOption: OptionSpecification = {
  name: 'version',
  summary: 'version of the benchmark sources',
  kind: 'choice',
  choices: ['npb3', 'npb2'],
  default: 'npb3',
};

/** The options of a skeleton, read. */
export interface SkeletonChoices {
  readonly problem: ProblemClass;
  readonly iterations: number;
  /** Seconds. */
  readonly pause: number;
  readonly isVersion2: boolean;
}

export function skeletonChoices(options: OptionValues, iterations: PerClass<number>): SkeletonChoices {
  const problem = classes.find((name) => name === options['class']) ?? 'W';
  const { iterations: asked = iterations[problem], pause = 0 } = options;
  return {
    problem,
    iterations: Number(asked),
    pause: Number(pause),
    isVersion2: options['version'] === 'npb2',
  };
}

/** Writes an iteration of one task so many times, each with its pause at the end. */
export function writeIterations(builder: WorkloadBuilder, times: number, pause: number, write: () => void): void {
  builder.repeat(times);
  write();
  builder.compute(pause);
  builder.end();
}

/** The list of each task, one after the other; polls the cancellation before each. */
export function writeTasks(
  taskCount: number,
  cancellation: Cancellation,
  write: (builder: WorkloadBuilder, task: number) => void,
): Result<Workload> {
  const builder = new WorkloadBuilder(taskCount);
  for (let task = 0; task < taskCount; task++) {
    if (cancellation.isCancelled()) return cancelled();
    builder.list(task);
    write(builder, task);
  }
  return builder.finished(cancellation);
}

/** `counts` ends the sentence "… runs on": "1, 4, 9 … 64 tasks". */
export function illegalRanks(name: string, taskCount: number, counts: string): ReturnType<typeof fail> {
  return fail('illegal-ranks', `\`${name}\` does not support ${countOf(taskCount, 'task')}. It supports ${counts}.`);
}

/** The exponent of a power of two up to a largest one; fails with `illegal-ranks` for any other number of tasks. */
export function powerOfTwoRanks(name: string, taskCount: number, largest: number): Result<number> {
  const exponent = Math.log2(taskCount);
  if (taskCount >= 1 && taskCount <= largest && Number.isInteger(exponent)) return succeed(exponent);
  const powers = Array.from({ length: Math.floor(Math.log2(largest)) + 1 }, (_, power) => 2 ** power);
  return illegalRanks(name, taskCount, countsInWords(powers, 'powers of two'));
}

/** The side of a square up to a largest one; fails with `illegal-ranks` for any other number of tasks. */
export function squareRanks(name: string, taskCount: number, largestSide: number): Result<number> {
  const side = Math.sqrt(taskCount);
  if (side >= 1 && side <= largestSide && Number.isInteger(side)) return succeed(side);
  const squares = Array.from({ length: largestSide }, (_, index) => (index + 1) ** 2);
  return illegalRanks(name, taskCount, countsInWords(squares, 'squares'));
}

/** All counts where they are few, else the first and the last with what they are. */
function countsInWords(counts: readonly number[], what: string): string {
  if (counts.length <= mostCountsInWords) return `${counts.join(', ')} tasks`;
  return `${counts.slice(0, mostCountsInWords - 1).join(', ')} … ${counts.at(-1) ?? 0} tasks (${what})`;
}
const mostCountsInWords = 5;
