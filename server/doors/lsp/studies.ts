import type { ReportProgress } from '../../model/cancellation.ts';
import type { StudySettings, StudySummary } from '../../study/report.ts';
import { CancelCell } from '../cancelCell.ts';
import type { StudyAnswer } from '../workerMessages.ts';
import type { Analysis } from './analyses.ts';
import { WorkerFault, type WorkerHandle } from './workerHandle.ts';

/** What is known of one document's placements. Texts that have moved on make it stale, never lost. */
export interface StudyState {
  /** The last study that ended by itself; undefined before the first one. */
  readonly summary: StudySummary | undefined;
  /** Texts the summary was made of, by URI. */
  readonly texts: ReadonlyMap<string, string>;
  /** Placements in the summary that its text could not be evaluated for: an older report. */
  readonly kept: ReadonlySet<string>;
  /** Files besides the sources that the summary was made of: tables, mappings, fabrics, nodes. */
  readonly files: ReadonlySet<string>;
  readonly running: boolean;
  /** How many studies of the document ended by themselves. */
  readonly revision: number;
  /** Why the last study did not end, as a sentence. */
  readonly failure: string | undefined;
}

const nothingKnown: StudyState = {
  summary: undefined,
  texts: new Map(),
  kept: new Set(),
  files: new Set(),
  running: false,
  revision: 0,
  failure: undefined,
};

/** What the studies need of the session. */
export interface StudySurroundings {
  readonly analysisOf: (uri: string) => Promise<Analysis | undefined>;
  readonly settings: () => StudySettings;
  readonly allowedRoots: () => readonly string[] | undefined;
  /** Called for each study that starts; the answer is told of progress and of its end. */
  readonly showProgress: (uri: string, cancel: () => void) => { report: ReportProgress; done: () => void };
  /** The state of `uri` changed: publish diagnostics, tell the panel, refresh lenses. */
  readonly changed: (uri: string) => void;
}

/**
 * Orders studies from the worker, one at a time: a new order for a document cancels the one
 * that runs for it, an order for another document waits its turn.
 */
export class Studies {
  readonly #worker: WorkerHandle;
  readonly #surroundings: StudySurroundings;
  readonly #states = new Map<string, StudyState>();
  readonly #wanted = new Set<string>();
  #current: { readonly uri: string; readonly cell: CancelCell } | undefined;

  constructor(worker: WorkerHandle, surroundings: StudySurroundings) {
    this.#worker = worker;
    this.#surroundings = surroundings;
  }

  stateOf(uri: string): StudyState {
    return this.#states.get(uri) ?? nothingKnown;
  }

  /** Whether the state was worked out from exactly these texts. */
  isFresh(analysis: Analysis): boolean {
    const { summary, texts } = this.stateOf(analysis.uri);
    if (summary === undefined || texts.size !== analysis.sources.files.size) return false;
    for (const [uri, file] of analysis.sources.files) {
      if (texts.get(uri) !== file.text) return false;
    }
    return true;
  }

  /** Works out the placements of `uri` as soon as the worker is free. */
  order(uri: string): void {
    this.#wanted.add(uri);
    if (this.#current?.uri === uri) this.#current.cell.cancel();
    this.#change(uri, { running: true });
    void this.#next();
  }

  cancel(uri: string): void {
    this.#wanted.delete(uri);
    if (this.#current?.uri === uri) this.#current.cell.cancel();
    else this.#change(uri, { running: false });
  }

  /** The document was closed. */
  forget(uri: string): void {
    this.#wanted.delete(uri);
    if (this.#current?.uri === uri) this.#current.cell.cancel();
    this.#states.delete(uri);
    this.#worker.send({ kind: 'forget', uri }).catch(() => undefined);
  }

  async #next(): Promise<void> {
    if (this.#current !== undefined) return;
    const [uri] = this.#wanted;
    if (uri === undefined) return;
    this.#wanted.delete(uri);
    const cell = new CancelCell();
    this.#current = { uri, cell };
    await this.#run(uri, cell);
    this.#current = undefined;
    void this.#next();
  }

  async #run(uri: string, cell: CancelCell): Promise<void> {
    const analysis = await this.#surroundings.analysisOf(uri);
    if (analysis === undefined) return;
    const texts = new Map([...analysis.sources.files].map(([file, { text }]) => [file, text]));
    const progress = this.#surroundings.showProgress(uri, () => {
      this.cancel(uri);
    });
    try {
      const answer = await this.#worker.send(this.#studyOrder(uri, texts, cell), progress.report);
      if (this.#states.has(uri)) this.#receive(uri, texts, answer); // else it was closed meanwhile
    } catch (fault) {
      if (!(fault instanceof WorkerFault)) throw fault;
      this.#change(uri, {
        running: this.#wanted.has(uri),
        failure: `The study of this file stopped unexpectedly: ${fault.message}. Save the file to try again.`,
      });
    } finally {
      progress.done();
    }
  }

  #studyOrder(uri: string, openTexts: ReadonlyMap<string, string>, cell: CancelCell) {
    const allowedRoots = this.#surroundings.allowedRoots();
    return {
      kind: 'study' as const,
      uri,
      policy: allowedRoots === undefined ? { openTexts } : { openTexts, allowedRoots },
      settings: this.#surroundings.settings(),
      cancelFlag: cell.buffer,
    };
  }

  #receive(uri: string, texts: ReadonlyMap<string, string>, answer: StudyAnswer): void {
    const running = this.#wanted.has(uri);
    if (answer.kind === 'cancelled') {
      this.#change(uri, { running });
      return;
    }
    this.#change(uri, {
      running,
      revision: this.stateOf(uri).revision + 1,
      texts,
      summary: answer.summary,
      kept: new Set(answer.kept),
      files: new Set(answer.files),
      failure: undefined,
    });
  }

  #change(uri: string, change: Partial<StudyState>): void {
    this.#states.set(uri, { ...this.stateOf(uri), ...change });
    this.#surroundings.changed(uri);
  }
}
