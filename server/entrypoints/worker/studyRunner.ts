/**
 * The computing thread: runs the studies that it is ordered to, tells how far they are, and sends each report to the
 * reading thread as soon as there is one. This folder holds that thread, the reading one (`reader.ts`) and the channel
 * between them; `worker.ts` above it takes the orders for either.
 */
import type { SearchProgress } from '../../model/cancellation.ts';
import { outlinePlacement } from '../../study/outline.ts';
import type { PlacementOutcome } from '../../study/report.ts';
import type { Program } from '../../study/program.ts';
import { createStudyCache, type StudyCache, type StudyWatcher } from '../../study/study.ts';
import { cancellationOf, cancellationOfOne } from '../cancelCell.ts';
import { evaluateStudy, type FileMemory } from '../evaluation.ts';
import type { Order, StudyAnswer, StudyNews } from '../workerMessages.ts';
import { ReportSender, shareTraffic } from './reportChannel.ts';

/** The least time between two messages about the progress of one placement, milliseconds. */
const progressInterval = 200;

type Tell = (news: StudyNews) => void;

/** Studies documents, tells of results as they come, and sends reports to the reading thread. */
export class StudyRunner {
  readonly sender = new ReportSender();
  readonly #memory: FileMemory;
  /** Of each document; it goes when the document is closed. */
  readonly #caches = new Map<string, StudyCache>();

  constructor(memory: FileMemory) {
    this.#memory = memory;
  }

  /** Documents of which something is kept, for tests. */
  get documents(): readonly string[] {
    return [...this.#caches.keys()];
  }

  async study(order: Order<'study'>, tell: Tell): Promise<StudyAnswer> {
    const { uri, cancelFlag } = order;
    const cache = this.#caches.get(uri) ?? createStudyCache();
    this.#caches.set(uri, cache);
    this.#memory.need(`study ${uri}`, order.fileUris);
    const cancellation = cancellationOf(cancelFlag);
    let whole = 0;
    const watch = new Watch(tell, () => whole, this.#endedOf(uri, order.program, tell));
    const report = await evaluateStudy(order, order.settings, {
      policy: order.allowedRoots === undefined ? {} : { allowedRoots: order.allowedRoots },
      memory: this.#memory,
      context: {
        cancellation,
        cancellationOfMapper: () => cancellationOfOne(cancelFlag, watch.position),
        cache,
        again: order.again,
        progress: (share) => {
          whole = share;
        },
        shareTraffic,
        watcher: watch,
      },
    });
    if (cancellation.isCancelled()) return { kind: 'cancelled' };
    this.sender.declare(uri, order.declared);
    const { machines, jobs, streams, problems } = report;
    return { kind: 'studied', machines, jobs, streams, problems };
  }

  forget(uri: string): void {
    this.#caches.delete(uri);
    this.#memory.need(`study ${uri}`, []);
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
  #reported = 0;

  constructor(tell: Tell, whole: () => number, ended: StudyWatcher['ended']) {
    this.#tell = tell;
    this.#whole = whole;
    this.ended = ended;
  }

  readonly begun = (placement: string): void => {
    this.position++;
    this.#begun = performance.now();
    this.#reported = -Infinity;
    this.progressed(placement, 0, 'begins');
  };

  readonly progressed = (placement: string, share: number, message: string, search?: SearchProgress): void => {
    const now = performance.now();
    if (now - this.#reported < progressInterval) return;
    this.#reported = now;
    this.#tell({
      kind: 'progress',
      placement,
      position: this.position,
      share,
      whole: this.#whole(),
      message,
      ...(search === undefined ? {} : { search }),
      milliseconds: now - this.#begun,
    });
  };

  readonly described: StudyWatcher['described'] = (found) => {
    this.#tell({ kind: 'described', ...found });
  };
}
