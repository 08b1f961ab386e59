/**
 * Simulations of placements that the user or a save asks for, one at a time, each in a thread of its own, which draws what came of it
 * as long as it is one of the last. It is kept beside the file as well, and is read there if its thread is gone.
 */
import { kindsOfSimulation } from '../../drawing/figures/catalogue.ts';
import type { SimulationStanding } from '../../language/service/input.ts';
import { isOfServers } from '../../model/simulation.ts';
import { type SimulationChanged, type SimulationChoice, type SimulationFigureAnswer } from '../../protocol/figures.ts';
import type { CancelCell } from '../cancelCell.ts';
import type { SimulationMode, SimulationWords } from '../workerMessages.ts';
import type { Analysis } from './analyses.ts';
import { JobQueue, openReportChannel, machineOfPlacement, Records, type Job } from './jobs.ts';
import type { JobEnvironment } from './studies.ts';
import type { WorkerHandle } from './workerHandle.ts';

/** What the simulations need of the session. */
export interface SimulationEnvironment extends JobEnvironment {
  /** Where what comes of a simulation is kept; undefined where it is not. */
  readonly keptAt: (uri: string, placement: string) => string | undefined;
  readonly isThere: (path: string) => boolean;
  /** What is known of the simulations of a document has changed. */
  readonly changed: (uri: string) => void;
  readonly tell: (change: SimulationChanged) => void;
}

/** Threads that stay to draw what they have simulated. */
const mostThreads = 4;

/** What is known of the simulations of a placement. */
interface Known {
  readonly uri: string;
  readonly placement: string;
  /** What came of the last one. The key says all that it depends on; it is empty if what was kept is of something else. */
  result?: (SimulationWords & { readonly key: string }) | undefined;
  /** Draws the result. */
  thread?: WorkerHandle | undefined;
  /** Reads the result again. */
  opening?: Promise<void> | undefined;
  /** Why the last one failed, and its key. */
  fault?: { readonly key: string; readonly message: string } | undefined;
  /** The key of the last one that a save has tried. */
  tried?: string;
  /** Whether it was looked for beside the file. */
  isLookedFor?: true;
  /** The file beside is not as it was written. */
  isDamaged?: boolean;
  /** The user has cancelled the last one. */
  isCancelled?: boolean;
}

export class SimulationRuns {
  readonly #environment: SimulationEnvironment;
  readonly #known = new Records<Known>((uri, placement) => ({ uri, placement }));
  /** Those with a thread; the one that was looked at last at the end. */
  readonly #drawn = new Set<Known>();
  /** Documents that were saved. */
  readonly #saved = new Set<string>();
  readonly #queue: JobQueue<SimulationMode>;

  constructor(environment: SimulationEnvironment) {
    this.#environment = environment;
    this.#queue = new JobQueue<SimulationMode>({
      run: (job, report) => this.#run(job, report),
      bar: ({ uri, name, request }) =>
        request === 'asked'
          ? environment.showProgress(`Simulating ${name}`, () => {
              this.cancel(uri, name);
            })
          : undefined,
      // Nothing is kept of it, so that its thread need not come to a place where it looks at the cell.
      interrupt: ({ thread }) => void thread?.stop(),
      failed: ({ uri, name, key = '' }, why) => {
        this.#fail(uri, name, key, `The simulation stopped unexpectedly: ${why}.`);
      },
      ended: ({ uri, name }) => {
        const fault = this.#known.find(uri, name)?.fault?.message;
        this.#tell({ uri, placement: name, ...(fault !== undefined && { fault }) });
        void this.studied(uri);
      },
    });
  }

  /** What lenses say of the placements of a document that can be simulated. */
  standingsOf(analysis: Analysis): ReadonlyMap<string, SimulationStanding> {
    const standings = new Map<string, SimulationStanding>();
    for (const placement of analysis.checked.experiments.simulations.keys()) {
      const key = this.#keyOf(analysis, placement);
      const { result, fault, isDamaged } = this.#known.of(analysis.uri, placement);
      const running = this.#progressOf(analysis.uri, placement);
      standings.set(placement, {
        ...(result !== undefined && { result: result.words, notices: result.notices, facts: result.facts }),
        isStale: result !== undefined && result.key !== key,
        ...(fault?.key === key && { fault: fault.message }),
        ...(isDamaged === true && { isDamaged }),
        ...(running !== undefined && { running }),
      });
    }
    return standings;
  }

  /** How far a simulation is that was asked for, or that a save has begun; undefined where there is none. */
  #progressOf(uri: string, placement: string): string | undefined {
    const job = this.#queue.find(uri, placement);
    if (job?.state === 'held') return 'after the evaluation of the placement';
    if (job?.state === 'running' && job.request !== 'kept') return job.words ?? 'begins';
    return job?.request === 'asked' ? 'queued' : undefined;
  }

  /** Simulates a placement as soon as it is worked out, where that is going on, and those before it are done. */
  async order(uri: string, placement: string): Promise<void> {
    const { analysisOf, studies } = this.#environment;
    const analysis = await analysisOf(uri);
    if (analysis === undefined || this.#queue.isStopped) return;
    const known = this.#known.of(uri, placement);
    known.isCancelled = false;
    const reason = this.#obstacleOf(analysis, placement);
    const isEarly = reason !== undefined && studies.isBeingPlaced(analysis, placement);
    if (reason !== undefined && !isEarly) {
      this.#fail(uri, placement, this.#keyOf(analysis, placement), reason);
      return;
    }
    const job = this.#queue.find(uri, placement);
    if (!isEarly) known.fault = undefined;
    if (job?.state === 'waiting' && !isEarly) job.request = 'asked';
    else if (job?.request !== 'asked') this.#queue.add(uri, placement, 'asked', isEarly ? 'held' : 'waiting');
    this.#tell({ uri, placement, progress: this.#progressOf(uri, placement) ?? 'begins' });
  }

  /** A document was saved: what is quick is simulated as soon as it is placed. */
  saved(uri: string): void {
    this.#saved.add(uri);
  }

  /** The placements of a document are worked out: what is kept of their simulations is shown, and what a save asks for is run. */
  async studied(uri: string): Promise<void> {
    const { analysisOf, isThere, keptAt } = this.#environment;
    const analysis = await analysisOf(uri);
    if (analysis === undefined || this.#queue.isStopped) return;
    for (const { name } of this.#queue.release(uri)) await this.order(uri, name);
    for (const placement of analysis.checked.experiments.simulations.keys()) {
      if (this.#queue.find(uri, placement) !== undefined) continue;
      if (this.#obstacleOf(analysis, placement) !== undefined) continue;
      const known = this.#known.of(uri, placement);
      const path = keptAt(uri, placement);
      if (path !== undefined && known.isLookedFor === undefined) {
        known.isLookedFor = true;
        if (known.result === undefined && isThere(path)) {
          this.#queue.add(uri, placement, 'kept');
          continue;
        }
      }
      const key = this.#keyOf(analysis, placement);
      const isDone = [known.result?.key, known.fault?.key, known.tried].includes(key);
      if (isDone || !this.#saved.has(uri)) continue;
      known.tried = key;
      this.#queue.add(uri, placement, 'quick');
    }
  }

  cancel(uri: string, placement: string): void {
    this.#known.of(uri, placement).isCancelled = true;
    for (const job of this.#queue.ofDocument(uri)) if (job.name === placement) this.#queue.cancel(job);
    this.#tell({ uri, placement });
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
    const analysis = await this.#environment.analysisOf(uri);
    if (analysis === undefined) return { kind: 'nothing', reason: 'The file of this placement is not open.' };
    const description = analysis.checked.experiments.simulations.get(placement);
    const known = this.#known.of(uri, placement);
    if (known.result !== undefined && known.thread === undefined) await this.#reopen(known);
    if (known.result === undefined || known.thread === undefined) {
      if (description === undefined) return { kind: 'nothing', reason: this.#whyNot(analysis, placement) };
      const about = {
        kinds: kindsOfSimulation(isOfServers(description.network)),
        intervals: 0,
        results: 'missing',
      } as const;
      return { kind: 'nothing', reason: this.#reasonOfNothing(known), about };
    }
    this.#use(known, known.thread);
    const answer = await known.thread.send({ kind: 'simulation-figure', choice, cancelFlag: cell.buffer });
    const { result } = this.#known.of(uri, placement);
    if (answer.kind === 'nothing' || result?.key === this.#keyOf(analysis, placement)) return answer;
    return { ...answer, about: { ...answer.about, stale: description === undefined ? 'gone' : 'changed' } };
  }

  /** Why there is no figure of a placement that can be simulated. */
  #reasonOfNothing({ uri, placement, fault, isDamaged, isCancelled }: Known): string {
    if (this.#progressOf(uri, placement) !== undefined) return `Placement "${placement}" is being simulated.`;
    if (fault !== undefined) return fault.message;
    if (isDamaged === true) return `The saved simulation of placement "${placement}" is damaged. Simulate it again.`;
    if (isCancelled === true) return `The simulation of placement "${placement}" was cancelled.`;
    return `Placement "${placement}" has not been simulated yet.`;
  }

  /** A thread again that draws what is kept beside the file. It waits for no other simulation. */
  async #reopen(known: Known): Promise<void> {
    const { uri, placement } = known;
    known.opening ??= this.#queue.runBeside(uri, placement, 'kept').finally(() => {
      known.opening = undefined;
    });
    await known.opening;
  }

  /** The document was closed. */
  forget(uri: string): void {
    for (const { name } of this.#queue.ofDocument(uri)) this.cancel(uri, name);
    for (const known of this.#known.ofDocument(uri)) {
      this.#drawn.delete(known);
      void known.thread?.stop();
    }
    this.#known.forget(uri);
    this.#saved.delete(uri);
  }

  async stop(): Promise<void> {
    await Promise.all([this.#queue.stop(), ...[...this.#drawn].map(({ thread }) => thread?.stop())]);
  }

  /** Why it cannot be simulated now. */
  #obstacleOf(analysis: Analysis, placement: string): string | undefined {
    if (!analysis.checked.experiments.simulations.has(placement)) {
      return this.#whyNot(analysis, placement);
    }
    if (this.#environment.studies.reportOf(analysis, placement).state === 'fresh') return undefined;
    const problem = this.#environment.problemOf(analysis, placement);
    if (problem !== undefined) return `Placement "${placement}" cannot be evaluated: ${problem}`;
    return `Placement "${placement}" is out of date. Save the file, then simulate.`;
  }

  /** Why a placement is not among those that can be simulated. */
  #whyNot(analysis: Analysis, placement: string): string {
    const node = analysis.checked.symbols.lookup('placement', placement)?.node;
    if (node === undefined) return `Placement "${placement}" does not exist in the file.`;
    if (!node.properties.some(({ word }) => word.text === 'simulate')) {
      return `Placement "${placement}" has no \`simulate\`. Add \`simulate NETWORK\`.`;
    }
    const problem = this.#environment.problemOf(analysis, placement);
    return `Placement "${placement}" cannot be simulated: ${problem ?? 'its simulation has errors. See Problems.'}`;
  }

  #fail(uri: string, placement: string, key: string, message: string): void {
    this.#known.of(uri, placement).fault = { key, message };
    this.#tell({ uri, placement, fault: message });
  }

  #tell(change: SimulationChanged): void {
    this.#environment.tell(change);
    this.#environment.changed(change.uri);
  }

  async #run(job: Job<SimulationMode>, report: (words: string, share: number) => void): Promise<void> {
    const { uri, name: placement, request: mode } = job;
    const { analysisOf, separateThread, reading, policy, keptAt: pathOf } = this.#environment;
    const analysis = await analysisOf(uri);
    const description = analysis && machineOfPlacement(analysis, placement);
    if (analysis === undefined || description === undefined) return;
    const known = this.#known.of(uri, placement);
    const key = (job.key = this.#keyOf(analysis, placement));
    const port = await openReportChannel(reading, { uri, placement, description });
    if (job.isCancelled) return;
    const thread = (job.thread = separateThread());
    const { program, experiments, fileUris } = analysis.checked;
    const keptAt = pathOf(uri, placement);
    const checked = { program, experiments, fileUris };
    const order = { uri, placement, checked, policy: policy(uri), mode, port };
    const outcome = await thread.send(
      { kind: 'simulate', ...order, ...(keptAt !== undefined && { keptAt }) },
      ({ words, share }) => {
        report(words, share);
        this.#tell({ uri, placement, progress: words });
      },
      [port],
    );
    if (outcome.ok) {
      const { words, notices, facts, stale } = outcome;
      known.isDamaged = false;
      known.result = { words, notices, facts, key: stale ? '' : key };
      delete job.thread;
      this.#use(known, thread);
    } else if (outcome.damaged === true) known.isDamaged = true;
    else if (outcome.message !== undefined) this.#fail(uri, placement, key, outcome.message);
  }

  /** The thread draws a placement from now on, in the place of another; that of the one that was looked at longest ago ends. */
  #use(known: Known, thread: WorkerHandle): void {
    const { keptAt, isThere } = this.#environment;
    if (known.thread !== thread) void known.thread?.stop();
    known.thread = thread;
    this.#drawn.delete(known);
    this.#drawn.add(known);
    for (const oldest of this.#drawn) {
      if (this.#drawn.size <= mostThreads) break;
      this.#drawn.delete(oldest);
      void oldest.thread?.stop();
      oldest.thread = undefined;
      const path = keptAt(oldest.uri, oldest.placement);
      if (path === undefined || !isThere(path)) oldest.result = undefined;
    }
  }

  /** The same for two texts only where a simulation of the placement would be the same. */
  #keyOf(analysis: Analysis, placement: string): string {
    const { studies } = this.#environment;
    const { state, revision } = studies.reportOf(analysis, placement);
    const description = analysis.checked.experiments.simulations.get(placement);
    return JSON.stringify([state === 'fresh' ? revision : 'old', description]);
  }
}
