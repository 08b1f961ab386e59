/**
 * Message skeletons: what a benchmark sends, without what it computes. All take the same options, of which they read what
 * applies to them.
 */
import type { Cancellation } from '../../model/cancellation.ts';
import type { CatalogueEntry, OptionSpecification, OptionValues } from '../../model/catalogue.ts';
import { fail, type Result } from '../../model/result.ts';
import type { Workload, WorkloadBuilder } from '../../model/workload.ts';

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
export const perClass = <Figure>(...[S, W, A, B, C]: readonly [Figure, Figure, Figure, Figure, Figure]): PerClass<Figure> => ({ S, W, A, B, C }); // prettier-ignore

export const skeletonOptions: readonly OptionSpecification[] = [
  {
    name: 'class',
    summary: 'the size of the problem',
    kind: 'choice',
    choices: classes,
    required: true,
    positional: true,
  },
  {
    name: 'iterations',
    summary: 'timed iterations; those of the class where absent',
    kind: 'integer',
    minimum: 1,
    maximum: 1_000_000,
  },
  {
    name: 'pause',
    summary: 'computing at the end of each iteration',
    kind: 'time',
    minimum: 0,
    maximum: 86_400,
    default: 0,
  },
];

/** Where the sources of NPB 2 and 3 differ in what is sent. */
export const versionOption: OptionSpecification = {
  name: 'version',
  summary: 'the sources that the messages are those of',
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

export function choicesOf(options: OptionValues, iterations: PerClass<number>): SkeletonChoices {
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

/** `counts` ends the sentence "… runs on": "1, 4, 9 … 64 tasks". */
export function illegalRanks(name: string, taskCount: number, counts: string): ReturnType<typeof fail> {
  return fail('illegal-ranks', `\`${name}\` does not run on ${taskCount} tasks: it runs on ${counts}.`);
}

/** The exponent where a count is a power of two, else undefined. */
export function exactLog2(count: number): number | undefined {
  const exponent = Math.log2(count);
  return count >= 1 && Number.isInteger(exponent) ? exponent : undefined;
}

/** The legal counts in words: 1, 2, 4 … up to the largest. */
export const powersOfTwoUpTo = (largest: number): string =>
  largest < 8
    ? `${[1, 2, 4].filter((count) => count <= largest).join(', ')} tasks`
    : `1, 2, 4, 8 … ${largest} tasks (powers of two)`;
