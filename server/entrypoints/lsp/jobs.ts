/**
 * Background jobs of the language server: studies, simulations, experiments, comparisons of mappers. A queue has the jobs that wait
 * and those that run, and cancels them. Records hold what is known of the things that jobs are about.
 */
import type { MachineDescription } from '../../network/contract.ts';
import type { PlacementDescription } from '../../study/program.ts';
import { CancelCell } from '../cancelCell.ts';
import { platform, type Port } from '../platform.ts';
import type { Analysis } from './analyses.ts';
import type { WorkerHandle } from './workerHandle.ts';

/** `cancel` is called when the user presses the button of the bar. */
export type ShowProgress = (title: string, cancel: () => void) => ProgressBar;

export interface ProgressBar {
  /** `share`: 0 … 1. */
  readonly report: (words: string, share: number) => void;
  readonly done: () => void;
}

/** `held`: until its document is studied. */
type JobState = 'held' | 'waiting' | 'running';

export interface Job<Request> {
  readonly uri: string;
  /** Of the placement or experiment that it is about; empty for the whole document. */
  readonly name: string;
  request: Request;
  state: JobState;
  /** The same for two texts only if the job would give the same for both; known once it runs. */
  key?: string;
  readonly cell: CancelCell;
  /** The thread that it runs in, if it has one of its own. The queue ends it with the job. */
  thread?: WorkerHandle;
  /** How far it is, if that is known. */
  words?: string;
  /** It was interrupted: nobody waits for its end. */
  isCancelled: boolean;
}

/** What the jobs of a queue do. */
interface JobKind<Request> {
  readonly run: (job: Job<Request>, report: ProgressBar['report']) => Promise<void>;
  /** An exception has ended it. */
  readonly failed: (job: Job<Request>, why: string) => void;
  /** It has run, whatever came of it. */
  readonly ended?: (job: Job<Request>) => void;
  /** Ends a running job, which counts as ended at once. If absent, a job ends by its cell, and counts as running until then. */
  readonly interrupt?: (job: Job<Request>) => void;
  /** Shows its progress; absent or undefined for a job that nobody waits for. */
  readonly bar?: (job: Job<Request>) => ProgressBar | undefined;
}

/** Jobs of one kind, which run in the order in which they were wanted, so many at a time. */
export class JobQueue<Request> {
  readonly #kind: JobKind<Request>;
  readonly #atOnce: number;
  readonly #jobs = new Set<Job<Request>>();
  #isStopped = false;

  constructor(kind: JobKind<Request>, atOnce = 1) {
    this.#kind = kind;
    this.#atOnce = atOnce;
  }

  /** Whether the server is about to end, so that no job runs any more. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** The job about something, in this state or in any. */
  find(uri: string, name: string, state?: JobState): Job<Request> | undefined {
    return [...this.#jobs].find(
      (job) => job.uri === uri && job.name === name && !job.isCancelled && (state === undefined || job.state === state),
    );
  }

  add(uri: string, name: string, request: Request, state: 'held' | 'waiting' = 'waiting'): void {
    if (this.#isStopped) return;
    this.#jobs.add({ uri, name, request, state, cell: new CancelCell(), isCancelled: false });
    this.#next();
  }

  /** Runs a job that waits for no other, and that the others do not wait for. */
  runBeside(uri: string, name: string, request: Request): Promise<void> {
    return this.#perform({ uri, name, request, state: 'running', cell: new CancelCell(), isCancelled: false });
  }

  /** A document is studied: removes the jobs that were held until then. */
  release(uri: string): readonly Job<Request>[] {
    const released = [...this.#jobs].filter((job) => job.uri === uri && job.state === 'held');
    for (const job of released) this.#jobs.delete(job);
    return released;
  }

  /** Removes a job that does not run yet, and interrupts one that does. */
  cancel(job: Job<Request> | undefined): void {
    if (job === undefined) return;
    job.cell.cancel();
    if (job.state !== 'running') {
      this.#jobs.delete(job);
      return;
    }
    if (this.#kind.interrupt === undefined) return;
    job.isCancelled = true;
    this.#kind.interrupt(job);
  }

  /** Jobs about a document that wait or run. */
  ofDocument(uri: string): readonly Job<Request>[] {
    return [...this.#jobs].filter((job) => job.uri === uri && !job.isCancelled);
  }

  /** The server is about to end. Answers once the threads of interrupted jobs have ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const job of this.#jobs) this.cancel(job);
    const threads = [...this.#jobs].flatMap(({ thread, isCancelled }) => (isCancelled ? (thread ?? []) : []));
    await Promise.all(threads.map((thread) => thread.stop()));
  }

  #next(): void {
    for (const job of this.#jobs) {
      const running = [...this.#jobs].filter(({ state }) => state === 'running').length;
      if (running >= this.#atOnce) return;
      if (job.state === 'waiting') void this.#run(job);
    }
  }

  async #run(job: Job<Request>): Promise<void> {
    job.state = 'running';
    await this.#perform(job);
    this.#jobs.delete(job);
    this.#kind.ended?.(job);
    this.#next();
  }

  async #perform(job: Job<Request>): Promise<void> {
    const bar = this.#kind.bar?.(job);
    try {
      await this.#kind.run(job, (words, share) => {
        job.words = words;
        bar?.report(words, share);
      });
    } catch (fault) {
      if (!job.isCancelled) this.#kind.failed(job, fault instanceof Error ? fault.message : String(fault));
    } finally {
      bar?.done();
      await job.thread?.stop();
    }
  }
}

/** What is known of each named thing of each open document. */
export class Records<Value> {
  readonly #create: (uri: string, name: string) => Value;
  readonly #values = new Map<string, Map<string, Value>>();

  constructor(create: (uri: string, name: string) => Value) {
    this.#create = create;
  }

  find(uri: string, name: string): Value | undefined {
    return this.#values.get(uri)?.get(name);
  }

  set(uri: string, name: string, value: Value): void {
    const all = this.#values.get(uri) ?? new Map<string, Value>();
    this.#values.set(uri, all.set(name, value));
  }

  /** Creates the record if there is none. */
  of(uri: string, name: string): Value {
    const value = this.find(uri, name) ?? this.#create(uri, name);
    this.set(uri, name, value);
    return value;
  }

  ofDocument(uri: string): readonly Value[] {
    return [...(this.#values.get(uri)?.values() ?? [])];
  }

  /** The document was closed. */
  forget(uri: string): void {
    this.#values.delete(uri);
  }
}

export const placementIn = ({ checked }: Analysis, placement: string): PlacementDescription | undefined =>
  checked.program.placements.find(({ name }) => name === placement);

/** The machine of a placement; undefined if the text has an error there. */
export function machineOfPlacement(analysis: Analysis, placement: string): MachineDescription | undefined {
  const machine = placementIn(analysis, placement)?.machine;
  return machine === undefined ? undefined : analysis.checked.program.machines.get(machine);
}

/** The end of a channel through which another thread receives the report of a placement. */
export async function openReportChannel(
  reading: Pick<WorkerHandle, 'send'>,
  report: { readonly uri: string; readonly placement: string; readonly description: MachineDescription },
): Promise<Port> {
  const { port1, port2 } = platform().threads.channel();
  await reading.send({ kind: 'open-report-channel', ...report, port: port1 }, undefined, [port1]);
  return port2;
}
