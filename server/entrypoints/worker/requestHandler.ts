import type { SearchProgress, Cancellation, ReportProgress } from '../../model/cancellation.ts';
import { outlinePlacement } from '../../study/outline.ts';
import type { PlacementOutcome } from '../../study/problems.ts';
import type { Program } from '../../study/program.ts';
import { createStudyCache, type StudyCache, type StudyWatcher, runStudy } from '../../study/study.ts';
import { cancellationOf, cancellationOfOne } from '../cancelCell.ts';
import { createFileMemory, type FileMemory, readStudyFiles } from '../studyFiles.ts';
import type { StudyAnswer, StudyNews, StudyOrder } from '../workerMessages.ts';
import { ReportSender, shareTraffic } from './reportChannel.ts';
import { checkSources } from '../../language/check.ts';
import { gatherSources } from '../../language/sources.ts';
import type { StudyReport } from '../../study/report.ts';
import { readTextFile, type ReadPolicy } from '../files.ts';
import { allThreads } from '../threads/allThreads.ts';

/** The least time between two messages about the progress of one placement, milliseconds. */
const progressInterval = 200;

type Tell = (news: StudyNews) => void;

/** What is kept of one document between its studies; all of it goes when the document is closed. */
interface Kept {
  readonly cache: StudyCache;
  /** What its files held when they were last read. */
  readonly memory: FileMemory;
}

/** Studies documents, tells of results as they come, and sends reports to the reading thread. */
export class RequestHandler {
  readonly sender = new ReportSender();
  readonly #kept = new Map<string, Kept>();

  /** Documents of which something is kept, for tests. */
  get documents(): readonly string[] {
    return [...this.#kept.keys()];
  }

  async study(order: StudyOrder, tell: Tell): Promise<StudyAnswer> {
    const { uri, cancelFlag } = order;
    const kept = this.#kept.get(uri) ?? { cache: createStudyCache(), memory: createFileMemory() };
    this.#kept.set(uri, kept);
    let whole = 0;
    const outcome = await studyDocument(order, {
      ...kept,
      cancellation: cancellationOf(cancelFlag),
      now: () => performance.now(),
      progress: (share) => {
        whole = share;
      },
      watch: (program) => {
        const watch = new Watch(tell, () => whole, this.#endedOf(uri, program, tell));
        return {
          watcher: watch,
          cancellationOfMapper: () => cancellationOfOne(cancelFlag, watch.position),
        };
      },
    });
    if (outcome === undefined) return { kind: 'cancelled' };
    const { report, declared, files } = outcome;
    this.sender.declare(uri, declared);
    return {
      kind: 'studied',
      machines: report.machines,
      jobs: report.jobs,
      problems: report.problems,
      declared,
      files,
    };
  }

  forget(uri: string): void {
    this.#kept.delete(uri);
    this.sender.forget(uri);
  }

  /** Sends the report of a placement that ended, and tells of it afterwards. */
  #endedOf(uri: string, program: Program, tell: Tell): StudyWatcher['ended'] {
    const machineOf = new Map(program.placements.map(({ name, machine }) => [name, program.machines.get(machine)]));
    return (placement, { report, problems }: PlacementOutcome) => {
      const description = machineOf.get(placement);
      if (report === undefined || description === undefined) {
        tell({ kind: 'placement', placement, problems });
        return;
      }
      const isNew = this.sender.send(uri, report, description);
      tell({ kind: 'placement', placement, problems, outline: isNew ? outlinePlacement(report) : 'same' });
    };
  }
}

/** Tells of one study, not too often. */
class Watch implements StudyWatcher {
  /** How many placements have begun. */
  position = 0;
  readonly ended: StudyWatcher['ended'];
  readonly #tell: Tell;
  readonly #whole: () => number;
  #begun = 0;
  #told = 0;

  constructor(tell: Tell, whole: () => number, ended: StudyWatcher['ended']) {
    this.#tell = tell;
    this.#whole = whole;
    this.ended = ended;
  }

  readonly begun = (placement: string): void => {
    this.position++;
    this.#begun = performance.now();
    this.#told = -Infinity;
    this.progressed(placement, 0, 'begins');
  };

  readonly progressed = (placement: string, share: number, message: string, search?: SearchProgress): void => {
    const now = performance.now();
    if (now - this.#told < progressInterval) return;
    this.#told = now;
    // The message of the whole study begins with the name of the placement, which is told beside it here.
    const own = message.startsWith(`${placement}: `) ? message.slice(placement.length + 2) : message;
    this.#tell({
      kind: 'progress',
      placement,
      position: this.position,
      share,
      whole: this.#whole(),
      message: own,
      ...(search === undefined ? {} : { search }),
      milliseconds: now - this.#begun,
    });
  };

  readonly described: StudyWatcher['described'] = (found) => {
    this.#tell({ kind: 'described', ...found });
  };
}

interface StudyOutcome {
  readonly report: StudyReport;
  /** Names of all placements of the document, those with errors included. */
  readonly declared: ReadonlySet<string>;
  /** URIs of the tables, mappings, fabrics and nodes that the report depends on. */
  readonly files: readonly string[];
}

interface StudySurroundings {
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
async function studyDocument(
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
