/**
 * Simulations of placements that the user or a save asks for, one at a time, each in a thread of its own, which draws what came of it
 * as long as it is one of the last. It lies beside the file as well, and is read there where its thread is gone.
 */
import type { SimulationStanding } from '../../language/service/input.ts';
import type { MachineDescription } from '../../network/contract.ts';
import { isOfServers } from '../../model/simulation.ts';
import {
  kindsOfSimulation,
  type SimulationChanged,
  type SimulationChoice,
  type SimulationFigureAnswer,
} from '../../protocol/figures.ts';
import { CancelCell } from '../cancelCell.ts';
import { platform, type Port } from '../platform.ts';
import type { Order, ReadPolicyMessage, SimulationManner, SimulationWords } from '../workerMessages.ts';
import type { Analysis } from './analyses.ts';
import type { Studies, StudyProgressBar } from './studies.ts';
import type { WorkerHandle } from './workerHandle.ts';

/** What the simulations need of the session. */
export interface SimulationSurroundings {
  readonly analysisOf: (uri: string) => Promise<Analysis | undefined>;
  readonly studies: Pick<Studies, 'reportOf' | 'revisionOf' | 'statusOf'>;
  /** The error that a placement has, or what it names. */
  readonly problemOf: (analysis: Analysis, placement: string) => string | undefined;
  readonly policy: (uri: string) => ReadPolicyMessage;
  /** The thread that has the finished reports. */
  readonly reading: WorkerHandle;
  /** A thread for one task; whoever asks for it ends it. */
  readonly separateThread: () => WorkerHandle;
  /** Where what comes of a simulation is kept; undefined where it is not. */
  readonly keptAt: (uri: string, placement: string) => string | undefined;
  readonly isThere: (path: string) => boolean;
  readonly showProgress: (title: string, cancel: () => void) => StudyProgressBar;
  /** What is known of the simulations of a document has changed. */
  readonly changed: (uri: string) => void;
  readonly tell: (change: SimulationChanged) => void;
}

/** Threads that stay to draw what they have simulated. */
const mostThreads = 4;

/** What came of the last simulation of a placement; of what is no longer so the key is empty. */
interface Known extends SimulationWords {
  /** Of all that it depends on. */
  readonly key: string;
}

interface Run {
  readonly uri: string;
  readonly placement: string;
  manner: SimulationManner;
  /** That it is simulated in, while it is. */
  thread?: WorkerHandle;
  isCancelled: boolean;
  words: string | undefined;
}

export class SimulationRuns {
  readonly #surroundings: SimulationSurroundings;
  /** By document and placement. */
  readonly #known = new Map<string, Known>();
  /** The one that was looked at last at the end. */
  readonly #threads = new Map<string, WorkerHandle>();
  /** Placements of which it was looked whether something is kept beside the file. */
  readonly #looked = new Set<string>();
  /** Documents that were saved, and the keys of what a save has tried to simulate. */
  readonly #saved = new Set<string>();
  readonly #tried = new Map<string, string>();
  readonly #faults = new Map<string, { readonly key: string; readonly message: string }>();
  /** Something else is in the place of what was kept of them. */
  readonly #damaged = new Set<string>();
  /** The user has ended the last simulation. */
  readonly #ended = new Set<string>();
  readonly #opening = new Map<string, Promise<void>>();
  /** Asked for while their placements are being worked out. */
  readonly #ordered = new Set<string>();
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
      const [known, fault] = [this.#known.get(id), this.#faults.get(id)];
      const running = this.#progressOf(analysis.uri, placement);
      standings.set(placement, {
        ...(known !== undefined && { result: known.words, notices: known.notices, facts: known.facts }),
        isStale: known !== undefined && known.key !== key,
        ...(fault?.key === key && { fault: fault.message }),
        ...(this.#damaged.has(id) && { isDamaged: true }),
        ...(running !== undefined && { running }),
      });
    }
    return standings;
  }

  /** How far a simulation is that was asked for, or that a save has begun; undefined where there is none. */
  #progressOf(uri: string, placement: string): string | undefined {
    if (this.#ordered.has(idOf(uri, placement))) return 'as soon as it is placed';
    const run = this.#runOf(uri, placement);
    if (run === undefined) return undefined;
    if (run === this.#current && run.manner !== 'kept') return run.words ?? 'begins';
    return run.manner === 'asked' ? 'others go first' : undefined;
  }

  /** Lenses and panels are told how far a simulation is. */
  #tellProgress(uri: string, placement: string): void {
    const { tell, changed } = this.#surroundings;
    const progress = this.#progressOf(uri, placement);
    if (progress !== undefined) tell({ uri, placement, progress });
    changed(uri);
  }

  /** Simulates a placement as soon as it is worked out, where that is going on, and those before it are done. */
  async order(uri: string, placement: string): Promise<void> {
    const analysis = await this.#surroundings.analysisOf(uri);
    if (analysis === undefined || this.#isStopped) return;
    this.#ended.delete(idOf(uri, placement));
    const reason = this.#obstacleOf(analysis, placement);
    if (reason !== undefined && this.#isBeingPlaced(analysis, placement)) {
      this.#ordered.add(idOf(uri, placement));
      this.#tellProgress(uri, placement);
      return;
    }
    if (reason !== undefined) {
      this.#fail(analysis, placement, reason);
      return;
    }
    this.#faults.delete(idOf(uri, placement));
    const waiting = this.#waiting.find((run) => run.uri === uri && run.placement === placement);
    if (waiting !== undefined) waiting.manner = 'asked';
    else if (this.#runOf(uri, placement)?.manner !== 'asked') this.#line(uri, placement, 'asked');
    this.#tellProgress(uri, placement);
  }

  /** A document was saved: what is quick is simulated as soon as it is placed. */
  saved(uri: string): void {
    this.#saved.add(uri);
  }

  /** The placements of a document are worked out: what is kept of their simulations is shown, and what a save asks for is run. */
  async studied(uri: string): Promise<void> {
    const analysis = await this.#surroundings.analysisOf(uri);
    if (analysis === undefined || this.#isStopped) return;
    for (const placement of analysis.checked.experiments.simulations.keys()) {
      const id = idOf(uri, placement);
      if (this.#ordered.delete(id)) {
        await this.order(uri, placement);
        continue;
      }
      const path = this.#keptAt(uri, placement);
      if (this.#runOf(uri, placement) !== undefined || this.#obstacleOf(analysis, placement) !== undefined) continue;
      if (path !== undefined && !this.#looked.has(id)) {
        this.#looked.add(id);
        if (!this.#known.has(id) && this.#surroundings.isThere(path)) {
          this.#line(uri, placement, 'kept');
          continue;
        }
      }
      const key = this.#keyOf(analysis, placement);
      const isDone = [this.#known.get(id)?.key, this.#faults.get(id)?.key, this.#tried.get(id)].includes(key);
      if (isDone || !this.#saved.has(uri)) continue;
      this.#tried.set(id, key);
      this.#line(uri, placement, 'quick');
    }
  }

  #line(uri: string, placement: string, manner: SimulationManner): void {
    this.#waiting.push({ uri, placement, manner, isCancelled: false, words: undefined });
    void this.#next();
  }

  /** Where what comes of it is kept; undefined where it is not. */
  #keptAt(uri: string, placement: string): string | undefined {
    return this.#surroundings.keptAt(uri, placement);
  }

  cancel(uri: string, placement: string): void {
    this.#ordered.delete(idOf(uri, placement));
    this.#ended.add(idOf(uri, placement));
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
    const answer = await this.#figureOf(uri, placement, choice, cell);
    const progress = this.#progressOf(uri, placement);
    return { ...answer, ...(progress !== undefined && { progress }) };
  }

  async #figureOf(
    uri: string,
    placement: string,
    choice: SimulationChoice,
    cell: CancelCell,
  ): Promise<SimulationFigureAnswer> {
    const analysis = await this.#surroundings.analysisOf(uri);
    const id = idOf(uri, placement);
    if (analysis === undefined) return { kind: 'nothing', reason: 'The file of this placement is not open.' };
    const description = analysis.checked.experiments.simulations.get(placement);
    const known = this.#known.get(id);
    if (known !== undefined && !this.#threads.has(id)) await this.#reopen(uri, placement);
    const thread = this.#threads.get(id);
    if (known === undefined || thread === undefined) {
      if (description === undefined) return { kind: 'nothing', reason: this.#whyNot(analysis, placement) };
      const about = {
        kinds: kindsOfSimulation(isOfServers(description.network)),
        intervals: 0,
        results: 'missing',
      } as const;
      return { kind: 'nothing', reason: this.#reasonOfNothing(uri, placement), about };
    }
    this.#use(id, thread);
    const answer = await thread.send({ kind: 'simulation-figure', choice, cancelFlag: cell.buffer });
    if (answer.kind === 'nothing') return answer;
    const isStale = this.#known.get(id)?.key !== this.#keyOf(analysis, placement);
    return isStale
      ? { ...answer, about: { ...answer.about, stale: description === undefined ? 'gone' : 'changed' } }
      : answer;
  }

  /** Why there is no figure of a placement that can be simulated. */
  #reasonOfNothing(uri: string, placement: string): string {
    const id = idOf(uri, placement);
    const fault = this.#faults.get(id);
    if (this.#progressOf(uri, placement) !== undefined)
      return `Placement "${placement}" is being simulated: its figures come when that has ended.`;
    if (fault !== undefined) return fault.message;
    if (this.#damaged.has(id))
      return `What was kept of the simulation of placement "${placement}" is not as it was written: simulate it again.`;
    if (this.#ended.has(id)) return `The simulation of placement "${placement}" was cancelled: there is nothing of it.`;
    return `Placement "${placement}" has not been simulated yet.`;
  }

  /** A thread again that draws what is kept beside the file. */
  #reopen(uri: string, placement: string): Promise<void> {
    const id = idOf(uri, placement);
    const opening =
      this.#opening.get(id) ??
      this.#run({ uri, placement, manner: 'kept', isCancelled: false, words: undefined }).finally(() => {
        this.#opening.delete(id);
      });
    this.#opening.set(id, opening);
    return opening;
  }

  /** The document was closed. */
  forget(uri: string): void {
    const isOfIt = (id: string): boolean => id.startsWith(`${uri}#`);
    for (const [id, thread] of this.#threads) {
      if (!isOfIt(id)) continue;
      this.#threads.delete(id);
      void thread.stop();
    }
    for (const all of [
      this.#known,
      this.#looked,
      this.#faults,
      this.#tried,
      this.#ordered,
      this.#damaged,
      this.#ended,
    ]) {
      for (const id of all.keys()) if (isOfIt(id)) all.delete(id);
    }
    this.#saved.delete(uri);
    for (const run of [...this.#waiting, this.#current]) if (run?.uri === uri) this.cancel(uri, run.placement);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#waiting.length = 0;
    this.#endCurrent();
    await Promise.all([...this.#threads.values()].map((thread) => thread.stop()));
  }

  /** Nothing is kept of it, so that its thread need not come to a place where it looks at the flag. */
  #endCurrent(): void {
    if (this.#current === undefined) return;
    this.#current.isCancelled = true;
    void this.#current.thread?.stop();
  }

  /** Being run or waiting; one that was cancelled has ended, though its thread may take a moment. */
  #runOf(uri: string, placement: string): Run | undefined {
    const isIt = (run: Run | undefined): boolean => run?.uri === uri && run.placement === placement && !run.isCancelled;
    return isIt(this.#current) ? this.#current : this.#waiting.find(isIt);
  }

  /** Why it cannot be simulated now. */
  #obstacleOf(analysis: Analysis, placement: string): string | undefined {
    if (!analysis.checked.experiments.simulations.has(placement)) {
      return this.#whyNot(analysis, placement);
    }
    if (this.#surroundings.studies.reportOf(analysis, placement).state === 'fresh') return undefined;
    const problem = this.#surroundings.problemOf(analysis, placement);
    if (problem !== undefined) return `Placement "${placement}" cannot be worked out: ${problem}`;
    return `Placement "${placement}" is not worked out as its text is now: save the file, and simulate it then.`;
  }

  /** Why a placement is not among those that can be simulated. */
  #whyNot(analysis: Analysis, placement: string): string {
    const node = analysis.checked.symbols.lookup('placement', placement)?.node;
    if (node === undefined) return `There is no placement "${placement}" in the file.`;
    if (!node.properties.some(({ word }) => word.text === 'simulate')) {
      return `Placement "${placement}" does not say how it is simulated: write \`simulate\` with a network in it.`;
    }
    const problem = this.#surroundings.problemOf(analysis, placement);
    return `Placement "${placement}" cannot be simulated: ${problem ?? 'what it says of that has errors, which are listed among the problems.'}`;
  }

  #isBeingPlaced(analysis: Analysis, placement: string): boolean {
    const { kind } = this.#surroundings.studies.statusOf(analysis, placement);
    return kind === 'waiting' || kind === 'working';
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
      void this.studied(uri);
    }
  }

  async #run(run: Run): Promise<void> {
    const { uri, placement, manner } = run;
    const { analysisOf, separateThread, reading, tell, changed } = this.#surroundings;
    const analysis = await analysisOf(uri);
    const description = analysis && machineOf(analysis, placement);
    if (analysis === undefined || description === undefined) return;
    const id = idOf(uri, placement);
    const key = this.#keyOf(analysis, placement);
    const bar = manner === 'asked' ? this.#showProgress(run) : undefined;
    const thread = separateThread();
    const { port1, port2 } = platform().threads.channel();
    try {
      await reading.send({ kind: 'lend-report', uri, placement, description, port: port1 }, undefined, [port1]);
      if (run.isCancelled) return;
      run.thread = thread;
      const news = ({ share, words }: { readonly share: number; readonly words: string }): void => {
        run.words = words;
        bar?.reportWords(words, share);
        tell({ uri, placement, progress: words });
        changed(uri);
      };
      const order = this.#orderOf(run, analysis, port2);
      const outcome = await thread.send(order, news, [port2]);
      if (outcome.ok) {
        const { words, notices, facts, stale } = outcome;
        this.#damaged.delete(id);
        this.#known.set(id, { words, notices, facts, key: stale ? '' : key });
        this.#use(id, thread);
      } else if (outcome.damaged === true) this.#damaged.add(id);
      else if (outcome.message !== undefined) this.#fail(analysis, placement, outcome.message);
    } catch (fault) {
      if (!run.isCancelled)
        this.#fail(analysis, placement, `The simulation stopped unexpectedly: ${sentenceOf(fault)}.`);
    } finally {
      bar?.done();
      if (this.#threads.get(id) !== thread) await thread.stop();
    }
  }

  #orderOf({ uri, placement, manner }: Run, { checked }: Analysis, port: Port): Order<'simulate'> {
    const { program, experiments, fileUris } = checked;
    const keptAt = this.#keptAt(uri, placement);
    return {
      ...{ kind: 'simulate', uri, placement, checked: { program, experiments, fileUris }, manner, port },
      policy: this.#surroundings.policy(uri),
      ...(keptAt !== undefined && { keptAt }),
    };
  }

  #showProgress({ uri, placement }: Run): StudyProgressBar {
    return this.#surroundings.showProgress(`Simulating ${placement}`, () => {
      this.cancel(uri, placement);
    });
  }

  /** The thread draws a placement from now on, in the place of another; that of the one that was looked at longest ago ends. */
  #use(id: string, thread: WorkerHandle): void {
    const before = this.#threads.get(id);
    if (before !== undefined && before !== thread) void before.stop();
    this.#threads.delete(id);
    this.#threads.set(id, thread);
    for (const [oldest, one] of this.#threads) {
      if (this.#threads.size <= mostThreads) break;
      this.#threads.delete(oldest);
      void one.stop();
      const end = oldest.lastIndexOf('#');
      const path = this.#keptAt(oldest.slice(0, end), oldest.slice(end + 1));
      if (path === undefined || !this.#surroundings.isThere(path)) this.#known.delete(oldest);
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

const sentenceOf = (fault: unknown): string => (fault instanceof Error ? fault.message : String(fault));

function machineOf({ checked: { program } }: Analysis, placement: string): MachineDescription | undefined {
  const placed = program.placements.find(({ name }) => name === placement);
  return placed && program.machines.get(placed.machine);
}
