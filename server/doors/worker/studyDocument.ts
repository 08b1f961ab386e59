import type { Cancellation, ReportProgress } from '../../model/cancellation.ts';
import { checkSources } from '../../language/check.ts';
import { gatherSources } from '../../language/sources.ts';
import type { Program } from '../../study/program.ts';
import type { StudyReport } from '../../study/report.ts';
import { runStudy, type StudyCache, type StudyWatcher } from '../../study/study.ts';
import { readTextFile, type ReadPolicy } from '../files.ts';
import { allThreads } from '../threads/allThreads.ts';
import { readStudyFiles, type FileMemory } from '../studyFiles.ts';
import type { StudyOrder } from '../workerMessages.ts';
import { shareTraffic } from './reportChannel.ts';

export interface StudyOutcome {
  readonly report: StudyReport;
  /** Names of all placements of the document, those with errors included. */
  readonly declared: ReadonlySet<string>;
  /** URIs of the tables, mappings, fabrics and nodes that the report depends on. */
  readonly files: readonly string[];
}

export interface StudySurroundings {
  readonly cancellation: Cancellation;
  readonly progress: ReportProgress;
  readonly now: () => number;
  /** What the files of the document held at its last study. */
  readonly memory: FileMemory;
  readonly cache: StudyCache;
  /** Who is told of results as they come, once it is known what is studied; and how a single search is ended with its best. */
  readonly watch: (program: Program) => {
    readonly watcher: StudyWatcher;
    readonly cancellationOfMapper: (placement: string) => Cancellation;
  };
}

/** Text to report: reads, checks, loads tables, runs the study. Undefined where it was cancelled. */
export async function studyDocument(
  order: StudyOrder,
  { cancellation, progress, now, memory, cache, watch }: StudySurroundings,
): Promise<StudyOutcome | undefined> {
  if (cancellation.isCancelled()) return undefined;
  const policy: ReadPolicy = order.policy;
  const sources = await gatherSources(order.uri, (uri) => readTextFile(uri, policy));
  const checked = checkSources(sources);
  const files = await readStudyFiles(checked.fileUris, policy, memory, cancellation);
  if (cancellation.isCancelled()) return undefined;
  const report = runStudy(checked.program, files, order.settings, {
    cancellation,
    progress,
    now,
    cache,
    shareTraffic,
    ...watch(checked.program),
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
