/** What a mapper is given, and what it answers. */
import { defaultOptions, type ArgumentValue, type OptionValues, type CatalogueEntry } from '../model/catalogue.ts';
import type { GivenPart, GivenSource } from '../model/given.ts';
import type { Cancellation, ReportProgress } from '../model/cancellation.ts';
import type { Machine } from '../model/machine.ts';
import type { Mapping } from '../model/placement.ts';
import type { RandomSource } from '../model/random.ts';
import type { Result } from '../model/result.ts';
import type { KnownDistances } from '../network/distances/knownDistances.ts';
import type { WorkerPool } from '../optimisation/workerPool.ts';
import type { MappingProblem } from '../optimisation/problem/searchProblem.ts';
import type { SearchRecord } from '../model/searchRecord.ts';

export type { MappingProblem };

export interface MappingContext {
  readonly argument: ArgumentValue | undefined;
  readonly options: OptionValues;
  readonly random: RandomSource;
  readonly cancellation: Cancellation;
  readonly progress: ReportProgress;
  /** What the file of `given "FILE"`, which the entrypoints have read, says of the job. */
  readonly givenFile: (source: GivenSource) => Result<GivenPart>;
  /** Milliseconds of some clock: for budgets in time and for records, never for choosing. */
  readonly now: () => number;
  /** Does the work items of searches; the calling thread alone where it is left out. */
  readonly workerPool?: WorkerPool;
  /** Equivalent distances of a machine that earlier placements have worked out; fresh ones where it is left out. */
  readonly equivalentDistances?: (machine: Machine) => KnownDistances | undefined;
}

export interface MappingAnswer {
  readonly mapping: Mapping;
  /** What the user should know: which mapper `auto` chose and what the others cost. */
  readonly notes: readonly string[];
  /** Of a mapper that searches. */
  readonly search?: SearchRecord;
}

/** What came of jobs that were mapped together. */
export interface TogetherAnswer {
  /** One per problem, in their order. */
  readonly answers: readonly MappingAnswer[];
  /** About all jobs; what concerns one of them stands in its own answer. */
  readonly notes: readonly string[];
}

export interface MapperEntry extends CatalogueEntry {
  /** One slot of `problem.slots` per task, all different. Fails with a sentence that helps. */
  readonly map: (problem: MappingProblem, context: MappingContext) => Result<MappingAnswer>;
  /**
   * For mappers that must see all jobs of a placement at once, beside `map`. The problems are on one
   * machine; they may offer the same slots (then all those of a node), and no slot is given twice.
   * Fails with a sentence that names the job. A mapper without it maps jobs one after another.
   */
  readonly mapTogether?: (problems: readonly MappingProblem[], context: MappingContext) => Result<TogetherAnswer>;
  /**
   * Memory that it takes while it runs, per ordered pair of the job's traffic, measured; absent where that is
   * nothing. A program that would take too much is refused before its mapper begins.
   */
  readonly bytesPerPair?: number;
  /** Worst-case time in words, for hovers: "O(n log² n)". */
  readonly complexity: string;
  /** How that grows with the number of tasks, logarithms and numbers of neighbours left out: how large a job may be. */
  readonly scaling: 'linear' | 'quadratic' | 'cubic';
  /**
   * Processor seconds for a job of so many tasks, each of which talks to a few others, on a usual machine: what estimates of
   * experiments count with. Absent: {@link usualSecondsPerTask} times tasks.
   */
  readonly seconds?: (taskCount: number, machine: Machine, options: OptionValues) => number;
  /**
   * The user says the slots. The mapper gets all free slots of the nodes, also where a file limits how many of a node may be used: which ones
   * is the choice of the user, and the number is checked afterwards.
   */
  readonly takesGivenSlots?: true;
  /** Tries mappings until its options say that it is enough, which may take seconds: such placements are made last. */
  readonly isSearch?: true;
}

/** Measured with a stencil of 64 to 8,192 tasks on a mesh of 96 x 96, which gave most mappers 0.1 to 3 µs a task. */
const usualSecondsPerTask = 2e-6;

/** Processor seconds that a mapper takes with these options, about. */
export const secondsOfMapping = (
  entry: MapperEntry,
  options: OptionValues,
  taskCount: number,
  machine: Machine,
): number =>
  entry.seconds?.(taskCount, machine, { ...defaultOptions(entry), ...options }) ?? usualSecondsPerTask * taskCount;
