import type { Cancellation, ReportProgress } from '../model/cancellation.ts';
import type { Crew } from '../mapping/auto/crew.ts';
import type { SolveDistances } from '../network/distances/solveDistances.ts';
import type { StudyCache } from './cache.ts';
import type { MemoryPlan } from './memory.ts';
import { ProblemList } from './problems.ts';
import type { Program, StudyFiles } from './program.ts';
import type { StudySettings } from './report.ts';

/** What a study gets from the doors, besides the program. */
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
  /** Does the stints of searches, on several threads perhaps. */
  readonly crew?: Crew;
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
