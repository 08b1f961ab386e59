/**
 * Simulations of placements that the user asks for, one at a time, each in a thread of its own, which keeps what came of it and
 * draws that. The last few are kept; nothing of them is written to files.
 */
import { MessageChannel } from 'node:worker_threads';
import type { SimulationStanding } from '../../language/service/input.ts';
import type { SimulationChanged, SimulationChoice, SimulationFigureAnswer } from '../../protocol/messages.ts';
import { CancelCell } from '../cancelCell.ts';
import type { ReadPolicyMessage } from '../workerMessages.ts';
import type { Analysis } from './analyses.ts';
import type { Studies, StudyProgressBar } from './studies.ts';
import type { WorkerHandle } from './workerHandle.ts';

/** What the simulations need of the session. */
export interface SimulationSurroundings {
  readonly analysisOf: (uri: string) => Promise<Analysis | undefined>;
  readonly studies: Pick<Studies, 'reportOf' | 'revisionOf'>;
  readonly policy: (uri: string) => ReadPolicyMessage;
  /** The thread that has the finished reports. */
  readonly reading: WorkerHandle;
  /** A thread for one task; whoever asks for it ends it. */
  readonly separateThread: () => WorkerHandle;
  readonly showProgress: (title: string, cancel: () => void) => StudyProgressBar;
  /** What is known of the simulations of a document has changed. */
  readonly changed: (uri: string) => void;
  readonly tell: (change: SimulationChanged) => void;
}

/** Results that are kept, each in its thread. */
const mostKept = 4;

interface Kept {
  readonly thread: WorkerHandle;
  /** Of all that it depends on. */
  readonly key: string;
  readonly words: string;
  readonly notices: readonly string[];
}

interface Run {
  readonly uri: string;
  readonly placement: string;
  readonly cell: CancelCell;
  /** That it is simulated in, while it is. */
  thread?: WorkerHandle;
  isCancelled: boolean;
  words: string | undefined;
}

export class SimulationRuns {
  readonly #surroundings: SimulationSurroundings;
  /** By document and placement, the one that was looked at last at the end. */
  readonly #kept = new Map<string, Kept>();
  readonly #faults = new Map<string, { readonly key: string; readonly message: string }>();
  readonly #waiting: Run[] = [];
  #current: Run | undefined;
  #isStopped = false;

  constructor(surroundings: SimulationSurroundings) {
    this.#surroundings = surroundings;
  }

  /** What lenses say of the placements of a document that can be simulated. */
  standingsOf(analysis: Analysis): ReadonlyMap<string, SimulationStanding> {
    const standings = new Map<string, SimulationStanding>();
    for (const placement of analysis.checked.experiments.simulations.keys()) {
      const id = idOf(analysis.uri, placement);
      const key = this.#keyOf(analysis, placement);
      const [kept, fault, run] = [this.#kept.get(id), this.#faults.get(id), this.#runOf(analysis.uri, placement)];
      standings.set(placement, {
        ...(kept !== undefined && { result: kept.words, notices: kept.notices }),
        isStale: kept !== undefined && kept.key !== key,
        ...(fault?.key === key && { fault: fault.message }),
        ...(run !== undefined && { running: run.words ?? (run === this.#current ? 'begins' : 'others go first') }),
      });
    }
    return standings;
  }

  /** Simulates a placement as soon as those before it are done. */
  async order(uri: string, placement: string): Promise<void> {
    const { analysisOf, changed } = this.#surroundings;
    const analysis = await analysisOf(uri);
    if (analysis === undefined || this.#isStopped || this.#runOf(uri, placement) !== undefined) return;
    const reason = this.#obstacleOf(analysis, placement);
    if (reason !== undefined) {
      this.#fail(analysis, placement, reason);
      return;
    }
    this.#faults.delete(idOf(uri, placement));
    this.#waiting.push({ uri, placement, cell: new CancelCell(), isCancelled: false, words: undefined });
    changed(uri);
    void this.#next();
  }

  cancel(uri: string, placement: string): void {
    const position = this.#waiting.findIndex((run) => run.uri === uri && run.placement === placement);
    if (position >= 0) this.#waiting.splice(position, 1);
    else if (this.#runOf(uri, placement) !== undefined) this.#endCurrent();
    this.#surroundings.tell({ uri, placement });
    this.#surroundings.changed(uri);
  }

  /** A figure of the last result; a sentence where there is none. Ends early where the cell says so. */
  async figure(
    uri: string,
    placement: string,
    choice: SimulationChoice,
    cell: CancelCell,
  ): Promise<SimulationFigureAnswer> {
    const analysis = await this.#surroundings.analysisOf(uri);
    const kept = this.#kept.get(idOf(uri, placement));
    if (analysis === undefined || kept === undefined) {
      const fault = this.#faults.get(idOf(uri, placement))?.message;
      const reason = analysis === undefined ? 'The file of this placement is not open.' : (fault ?? `Placement "${placement}" has not been simulated yet.`); // prettier-ignore
      return { kind: 'nothing', reason };
    }
    this.#kept.delete(idOf(uri, placement));
    this.#kept.set(idOf(uri, placement), kept);
    const answer = await kept.thread.send({ kind: 'simulation-figure', choice, cancelFlag: cell.buffer });
    return answer.kind === 'figure' ? { ...answer, stale: kept.key !== this.#keyOf(analysis, placement) } : answer;
  }

  /** The document was closed. */
  forget(uri: string): void {
    for (const [id, { thread }] of this.#kept) {
      if (!id.startsWith(`${uri}#`)) continue;
      this.#kept.delete(id);
      void thread.stop();
    }
    for (const run of [...this.#waiting, this.#current]) if (run?.uri === uri) this.cancel(uri, run.placement);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#waiting.length = 0;
    this.#endCurrent();
    await Promise.all([...this.#kept.values()].map(({ thread }) => thread.stop()));
  }

  /** Nothing is kept of it, so that its thread need not come to a place where it looks at the flag. */
  #endCurrent(): void {
    if (this.#current === undefined) return;
    this.#current.isCancelled = true;
    void this.#current.thread?.stop();
  }

  #runOf(uri: string, placement: string): Run | undefined {
    const isIt = (run: Run | undefined): boolean => run?.uri === uri && run.placement === placement;
    return isIt(this.#current) ? this.#current : this.#waiting.find(isIt);
  }

  /** Why it cannot be simulated now. */
  #obstacleOf(analysis: Analysis, placement: string): string | undefined {
    if (!analysis.checked.experiments.simulations.has(placement)) {
      return `Placement "${placement}" does not say how it is simulated, or it or what it names has errors: write \`simulate\` with a network in it.`;
    }
    if (this.#surroundings.studies.reportOf(analysis, placement).state === 'fresh') return undefined;
    return `Placement "${placement}" is not worked out as its text is now: save the file, and simulate it then.`;
  }

  #fail(analysis: Analysis, placement: string, message: string): void {
    const { uri } = analysis;
    this.#faults.set(idOf(uri, placement), { key: this.#keyOf(analysis, placement), message });
    this.#surroundings.tell({ uri, placement, fault: message });
    this.#surroundings.changed(uri);
  }

  async #next(): Promise<void> {
    while (this.#current === undefined) {
      this.#current = this.#waiting.shift();
      if (this.#current === undefined) return;
      const { uri, placement } = this.#current;
      try {
        await this.#run(this.#current);
      } finally {
        this.#current = undefined;
      }
      const fault = this.#faults.get(idOf(uri, placement))?.message;
      this.#surroundings.tell({ uri, placement, ...(fault !== undefined && { fault }) });
      this.#surroundings.changed(uri);
    }
  }

  async #run(run: Run): Promise<void> {
    const { uri, placement, cell } = run;
    const { analysisOf, separateThread, showProgress, reading, policy, tell, changed } = this.#surroundings;
    const analysis = await analysisOf(uri);
    const machine = analysis?.checked.program.placements.find(({ name }) => name === placement)?.machine;
    const description = analysis?.checked.program.machines.get(machine ?? '');
    if (analysis === undefined || description === undefined) return;
    const key = this.#keyOf(analysis, placement);
    const bar = showProgress(`Simulating ${placement}`, () => {
      this.cancel(uri, placement);
    });
    const thread = separateThread();
    const { port1, port2 } = new MessageChannel();
    try {
      await reading.send({ kind: 'lend-report', uri, placement, description, port: port1 }, undefined, [port1]);
      if (run.isCancelled) return;
      run.thread = thread;
      const { program, experiments, fileUris } = analysis.checked;
      const checked = { program, experiments, fileUris };
      const order = { uri, placement, checked, policy: policy(uri), port: port2, cancelFlag: cell.buffer };
      const news = ({ share, words }: { readonly share: number; readonly words: string }): void => {
        run.words = words;
        bar.reportWords(words, share);
        tell({ uri, placement, progress: words });
        changed(uri);
      };
      const outcome = await thread.send({ kind: 'simulate', ...order }, news, [port2]);
      if (outcome.ok) this.#keep(idOf(uri, placement), { thread, key, words: outcome.words, notices: outcome.notices });
      else if (outcome.message !== undefined) this.#fail(analysis, placement, outcome.message);
    } catch (fault) {
      if (run.isCancelled) return;
      const why = fault instanceof Error ? fault.message : String(fault);
      this.#fail(analysis, placement, `The simulation stopped unexpectedly: ${why}.`);
    } finally {
      bar.done();
      if (this.#kept.get(idOf(uri, placement))?.thread !== thread) await thread.stop();
    }
  }

  #keep(id: string, kept: Kept): void {
    void this.#kept.get(id)?.thread.stop();
    this.#kept.delete(id);
    this.#kept.set(id, kept);
    for (const [oldest, { thread }] of this.#kept) {
      if (this.#kept.size <= mostKept) break;
      this.#kept.delete(oldest);
      void thread.stop();
    }
  }

  /** The same for two texts only where a simulation of the placement would be the same. */
  #keyOf(analysis: Analysis, placement: string): string {
    const { studies } = this.#surroundings;
    const { state } = studies.reportOf(analysis, placement);
    const revision = state === 'fresh' ? studies.revisionOf(analysis.uri, placement) : 'old';
    return JSON.stringify([revision, analysis.checked.experiments.simulations.get(placement)]);
  }
}

const idOf = (uri: string, placement: string): string => `${uri}#${placement}`;
