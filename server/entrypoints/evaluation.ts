/**
 * The second half of the way from a text to its reports, for the editor and the command line: the files that a checked
 * program names are read, and its placements worked out. It needs no parser, so the thread that does it loads none.
 */
import type { CheckedProgram } from '../language/check.ts';
import type { StudyReport, StudySettings } from '../study/report.ts';
import { runStudy, type StudyContext } from '../study/study.ts';
import type { ReadPolicy } from './files.ts';
import { readStudyFiles, type FileMemory } from './studyFiles.ts';
import { allThreads } from './threads/allThreads.ts';

/** What a study needs of a checked program. Plain data. */
export type StudyInput = Pick<CheckedProgram, 'program' | 'fileUris'>;

export interface EvaluationSurroundings {
  readonly policy: ReadPolicy;
  /** What the files held when they were read before; none where it is left out. */
  readonly memory?: FileMemory;
  /** A clock and all threads of the machine are added. */
  readonly context: Omit<StudyContext, 'now' | 'solveDistances' | 'workerPool'>;
}

/** Reads the files that a program names and runs its study. Where that was cancelled, the report has what there is. */
export async function evaluate(
  { program, fileUris }: StudyInput,
  settings: StudySettings,
  { policy, memory, context }: EvaluationSurroundings,
): Promise<StudyReport> {
  const files = await readStudyFiles(fileUris, policy, memory, context.cancellation);
  if (context.cancellation.isCancelled()) return { placements: [], machines: [], jobs: [], problems: [] };
  return runStudy(program, files, settings, { ...clockAndThreads, ...context });
}

/** What every study is given, whoever asks for it. */
export const clockAndThreads = { now: () => performance.now(), ...allThreads };
