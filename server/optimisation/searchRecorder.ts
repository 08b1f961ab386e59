import { formatNumber } from '../model/quantities.ts';
import type { Cancellation, ReportProgress } from '../model/cancellation.ts';
import {
  convergencePoints,
  tracePoints,
  type ConvergencePoint,
  type SearchEnd,
  type SearchRecord,
  type TracePoint,
} from '../model/searchRecord.ts';

/** What a recorder takes from the context of a mapper. */
interface RecorderContext {
  readonly now: () => number;
  readonly progress: ReportProgress;
}

/** Ticks between two reports of progress. */
const ticksPerReport = 64;

/** Milliseconds from one report to the next while a work item is done. */
const heartbeat = 500;

/**
 * Writes down how a search goes: the best value so far, how it fell, and how much was tried for it.
 * Values come in the whole units of the search and leave in the unit of the criterion.
 */
export class SearchRecorder {
  /** Exchanges whose effect was worked out; searches count them up. */
  evaluations = 0;
  /** In whole units; Infinity before the first. */
  best = Infinity;
  /** Of the first answer. */
  #first = Infinity;

  /** Name in the catalogue of criteria. */
  readonly criterion: string;
  readonly #unit: number;
  readonly #context: RecorderContext;
  readonly #started: number;
  readonly #points: ConvergencePoint[] = [];
  #trace: TracePoint[] = [];
  #traced = 0;
  #traceStride = 1;
  #improvements = 0;
  #ticks = 0;
  #share = 0;
  /** Every so many improvements one is written down. */
  #stride = 1;

  /** `unit` is `weightUnit · costs.unit` of a core, or that of an objective. */
  constructor(criterion: string, unit: number, context: RecorderContext) {
    this.criterion = criterion;
    this.#unit = unit;
    this.#context = context;
    this.#started = context.now();
  }

  /** Whether `value` is better than all before; writes it down if so. */
  improves(value: number): boolean {
    if (value >= this.best) return false;
    if (!Number.isFinite(this.best)) this.#first = value;
    this.best = value;
    if (this.#improvements++ % this.#stride === 0) this.#write();
    return true;
  }

  /** The value that the search is at, the best or not. */
  trace(value: number): void {
    if (this.#traced++ % this.#traceStride !== 0) return;
    this.#trace.push({ evaluations: this.evaluations, value: value * this.#unit });
    if (this.#trace.length < tracePoints) return;
    this.#trace = this.#trace.filter((_, index) => index % 2 === 0);
    this.#traceStride *= 2;
  }

  /** Some work was done: tells of it now and then. `report` says how far the search is. */
  tick(): void {
    if (++this.#ticks % ticksPerReport === 0) this.report(this.#share);
  }

  /** Tells whoever waits how far the search is, with the best value so far. */
  report(share: number): void {
    this.#share = share;
    if (!Number.isFinite(this.best)) {
      this.#context.progress(share, this.criterion);
      return;
    }
    const value = this.best * this.#unit;
    const search = { criterion: this.criterion, value, first: this.#first * this.#unit };
    this.#context.progress(share, `best ${formatNumber(value, 3)} ${this.criterion}`, search);
  }

  /**
   * The same word to stop; whoever asks for it reports twice a second how far the search is: work items may take
   * long.
   */
  reporting(stop: Cancellation, share: () => number): Cancellation {
    let reported = this.#context.now();
    return {
      isCancelled: () => {
        const now = this.#context.now();
        if (now - reported >= heartbeat) {
          reported = now;
          this.report(share());
        }
        return stop.isCancelled();
      },
    };
  }

  /** `value` of the mapping that is kept, recomputed from nothing, in whole units. */
  finish(value: number, end: SearchEnd): SearchRecord {
    this.best = value;
    const last = this.#point();
    const before = this.#points.filter((point) => point.value > last.value);
    return {
      criterion: this.criterion,
      value: last.value,
      evaluations: this.evaluations,
      convergence: [...before, this.#points.find((point) => point.value === last.value) ?? last],
      ...(this.#trace.length > 0 && { trace: this.#trace }),
      end,
      milliseconds: last.milliseconds,
    };
  }

  #point(): ConvergencePoint {
    const { evaluations, best } = this;
    return { evaluations, milliseconds: this.#context.now() - this.#started, value: best * this.#unit };
  }

  /** Keeps one place for the last point, and half of the others when all are taken. */
  #write(): void {
    this.#points.push(this.#point());
    if (this.#points.length < convergencePoints) return;
    const kept = this.#points.filter((_, index) => index % 2 === 0);
    this.#points.splice(0, Infinity, ...kept);
    this.#stride *= 2;
  }
}
