import type { Cancellation, ReportProgress } from '../../model/cancellation.ts';
import { checkSources } from '../../language/check.ts';
import { gatherSources } from '../../language/sources.ts';
import type { StudyReport } from '../../study/report.ts';
import { runStudy, type StudyCache } from '../../study/study.ts';
import { readTextFile, type ReadPolicy } from '../files.ts';
import { allThreads } from '../threads/allThreads.ts';
import { readStudyFiles, type FileMemory } from '../studyFiles.ts';
import type { StudyOrder } from '../workerMessages.ts';

export interface StudyOutcome {
  readonly report: StudyReport;
  /** Names of all placements of the document, those with errors included. */
  readonly declared: ReadonlySet<string>;
  /** URIs of the tables, mappings, fabrics and nodes that the report depends on. */
  readonly files: readonly string[];
}

export interface StudyContext {
  readonly cancellation: Cancellation;
  readonly progress: ReportProgress;
  readonly now: () => number;
  /** What the files of the document held at its last study. */
  readonly memory: FileMemory;
}

/** Text to report: reads, checks, loads tables, runs the study. Undefined where it was cancelled. */
export async function studyDocument(
  order: StudyOrder,
  cache: StudyCache,
  context: StudyContext,
): Promise<StudyOutcome | undefined> {
  const { cancellation, progress, now } = context;
  if (cancellation.isCancelled()) return undefined;
  const policy: ReadPolicy = order.policy;
  const sources = await gatherSources(order.uri, (uri) => readTextFile(uri, policy));
  const checked = checkSources(sources);
  const files = await readStudyFiles(checked.fileUris, policy, context.memory);
  if (cancellation.isCancelled()) return undefined;
  const report = runStudy(checked.program, files, order.settings, {
    cancellation,
    progress,
    now,
    cache,
    ...allThreads,
  });
  if (cancellation.isCancelled()) return undefined;
  const declarations = [...sources.files.values()].flatMap(({ tree }) => tree.declarations);
  const placements = declarations.filter(({ kind }) => kind === 'placement');
  return {
    report,
    declared: new Set(placements.flatMap(({ name }) => (name === undefined ? [] : [name.text]))),
    files: checked.fileUris.map(({ uri }) => uri),
  };
}
