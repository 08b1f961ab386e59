import type { Cancellation, ReportProgress } from '../model/cancellation.ts';
import type { Traffic } from '../model/traffic.ts';
import type { WorkerPool } from '../optimisation/workerPool.ts';
import type { SearchRecord } from '../model/searchRecord.ts';
import type { StreamFacts } from '../model/stream.ts';
import type { SolveDistances } from '../network/distances/contract.ts';
import type { StudyCache } from './cache.ts';
import type { MemoryPlan } from './memory.ts';
import { ProblemList, type Program, type StudyFiles, type StudyProblem } from './program.ts';
import type { PlacementOutcome, JobFacts, MachineFacts, StudySettings } from './report.ts';

/** Told of results as they come, so that they can be shown before the whole study is done. */
export interface StudyWatcher {
  /** The evaluation of a placement begins; one that was worked out before only ends. */
  readonly begun: (placement: string) => void;
  /** How far one placement is; the arguments of {@link ReportProgress}, for it alone. */
  readonly progressed: (placement: string, ...progress: Parameters<ReportProgress>) => void;
  /** What came of a placement; of one that was cancelled, nothing. */
  readonly ended: (placement: string, outcome: PlacementOutcome) => void;
  /** Facts and problems of machines and jobs: before the placements that take long. */
  readonly described: (found: {
    readonly machines: readonly MachineFacts[];
    readonly jobs: readonly JobFacts[];
    readonly streams?: readonly StreamFacts[];
    readonly problems: readonly StudyProblem[];
  }) => void;
}

/** A job as it was placed; the numbers may be of any text, they are checked. */
export interface PlacedBefore {
  readonly name: string;
  readonly nodes: readonly number[];
  readonly mapping: readonly number[];
  readonly search?: SearchRecord;
}

/** What a study gets from the entrypoints, besides the program. */
export interface StudyContext {
  readonly cancellation: Cancellation;
  readonly progress: ReportProgress;
  /** Stops the mapper of one placement alone: that placement gets no report, the study goes on. */
  readonly cancellationOfMapper?: (placement: string) => Cancellation;
  /** Milliseconds of some clock. */
  readonly now: () => number;
  readonly cache: StudyCache;
  /** Works out equivalent distances, on several threads perhaps; in the calling one where it is left out. */
  readonly solveDistances?: SolveDistances;
  /** Does the work items of searches, on several threads perhaps. */
  readonly workerPool?: WorkerPool;
  readonly watcher?: StudyWatcher;
  /**
   * Reports go to the watcher alone, each as soon as it is there, and nothing keeps them: of many placements of a large machine only one
   * is in memory at a time.
   */
  readonly keepsNoReports?: true;
  /**
   * Moves the traffic of a job that was built to memory that several threads can read; it stays where it is where this
   * is left out. Leaves off where cancelled.
   */
  readonly shareTraffic?: (traffic: Traffic, cancellation: Cancellation) => Traffic;
  /**
   * Nodes and slots of the jobs of a placement as an earlier study of the same program found them: it is measured anew,
   * not placed.
   */
  readonly placedBefore?: (placement: string) => readonly PlacedBefore[] | undefined;
  /**
   * Placements whose searches the user ended before and wants to go on: they are searched anew. Everything else that the
   * cache knows is taken from it.
   */
  readonly again?: ReadonlySet<string>;
}

/** One run of a study: what every step may look at. */
export interface Run {
  readonly program: Program;
  readonly files: StudyFiles;
  readonly settings: StudySettings;
  readonly context: StudyContext;
  readonly problems: ProblemList;
  /** What the program takes, before it is taken. */
  readonly memory: MemoryPlan;
}
