/** What a replication measured: means over its jobs, and what the machine did meanwhile. */
import type { WarmUp } from '../model/stream.ts';
import { byteAt, intAt, realAt } from '../numeric/elements.ts';
import type { StreamRun } from './streamRun.ts';

/** Times in the unit of the stream: cycles, or seconds of a log. Means over no jobs are NaN. */
export interface StreamMetrics {
  /** Mean of departure − arrival. */
  readonly turnaround: number;
  /** Mean of start − arrival, of the same jobs. */
  readonly waiting: number;
  readonly longestWaiting: number;
  /** Mean of turnaround / max(time of service, `shortestService`); jobs where both are 0 are left out. */
  readonly slowdown: number;
  /** ∫ processors asked for by running jobs dt / (nodes · time). */
  readonly utilisation: number;
  /** From the first arrival of a log, else from time 0, to the end of the run. */
  readonly makespan: number;
  /** Jobs that left per unit of time. */
  readonly throughput: number;
  /** Mean number of jobs that waited. */
  readonly queueLength: number;
  /** Jobs behind the means of turnaround, waiting and slowdown. */
  readonly measuredJobs: number;
  /** Jobs that left before measuring began. */
  readonly warmUpJobs: number;
}

/** What happened in equal stretches of time. */
export interface Timeline {
  /** The first stretch begins with the run; each is so long. */
  readonly begin: number;
  readonly length: number;
  /** Mean number of jobs that waited, and of processors that running jobs asked for, in each stretch. */
  readonly queueLength: Float64Array;
  readonly busyProcessors: Float64Array;
}

/**
 * Measures a run. With a warm-up, time begins when the last of its jobs has left, and jobs that left by then are not measured.
 * `shortestService` keeps jobs of no length from having a slowdown without bound. O(jobs).
 */
export function measureStream(run: StreamRun, warmUp: WarmUp, shortestService = 0): StreamMetrics {
  const { jobs, starts, ends, completed } = run;
  const dropped = jobsOfWarmUp(run, warmUp);
  const begin = dropped === 0 ? run.beginTime : realAt(ends, intAt(completed, dropped - 1));
  const time = run.endTime - begin;
  let [measured, turnaround, waiting, longest, slowdown, slowed] = [0, 0, 0, 0, 0, 0];
  for (const job of completed.subarray(dropped)) {
    if (byteAt(jobs.measured, job) === 0) continue;
    const whole = realAt(ends, job) - realAt(jobs.submit, job);
    const waited = realAt(starts, job) - realAt(jobs.submit, job);
    measured++;
    turnaround += whole;
    waiting += waited;
    longest = Math.max(longest, waited);
    const service = Math.max(whole - waited, shortestService);
    if (service > 0) {
      slowdown += whole / service;
      slowed++;
    }
  }
  let [busy, queued] = [0, 0];
  for (let job = 0; job < jobs.count; job++) {
    if (byteAt(run.refusedJobs, job) === 1) continue;
    const { start, end } = jobTimes(run, job);
    busy += intAt(jobs.processors, job) * Math.max(0, end - Math.max(start, begin));
    queued += Math.max(0, start - Math.max(realAt(jobs.submit, job), begin));
  }
  return {
    turnaround: turnaround / measured,
    waiting: waiting / measured,
    longestWaiting: measured === 0 ? Number.NaN : longest,
    slowdown: slowdown / slowed,
    utilisation: busy / (run.workingCount * time),
    makespan: run.endTime - run.beginTime,
    throughput: (completed.length - dropped) / time,
    queueLength: queued / time,
    measuredJobs: measured,
    warmUpJobs: dropped,
  };
}

/** Times of each job that is behind a mean, in the order in which they left, without the first `dropped` to leave. O(jobs). */
export function seriesOf(
  { jobs, starts, ends, completed }: StreamRun,
  dropped: number,
  shortestService = 0,
): Readonly<Record<'turnaround' | 'waiting' | 'slowdown', Float64Array>> {
  const measured = completed.subarray(dropped).filter((job) => byteAt(jobs.measured, job) === 1);
  const waiting = Float64Array.from(measured, (job) => realAt(starts, job) - realAt(jobs.submit, job));
  const turnaround = Float64Array.from(measured, (job) => realAt(ends, job) - realAt(jobs.submit, job));
  const service = turnaround.map((whole, at) => Math.max(whole - realAt(waiting, at), shortestService));
  const slowdown = turnaround
    .map((whole, at) => whole / realAt(service, at))
    .filter((_, at) => realAt(service, at) > 0);
  return { turnaround, waiting, slowdown };
}

/** Start and end of a job, or the end of the run where it did not come to that. */
function jobTimes(run: StreamRun, job: number): { readonly start: number; readonly end: number } {
  const [start, end] = [realAt(run.starts, job), realAt(run.ends, job)];
  return { start: Number.isNaN(start) ? run.endTime : start, end: Number.isNaN(end) ? run.endTime : end };
}

function jobsOfWarmUp(run: StreamRun, warmUp: WarmUp): number {
  const { length } = run.completed;
  if (warmUp.kind === 'mser-5') return truncationPoint(run);
  const wanted = warmUp.kind === 'jobs' ? warmUp.jobs : Math.floor(warmUp.share * length);
  return Math.min(wanted, Math.max(0, length - 1));
}

const batchLength = 5;

/**
 * MSER-5 (White, Cobb and Spratt 2000): drops so many batches of five turnarounds, at most half of them, that the standard
 * error of the mean of the others is least.
 */
function truncationPoint({ jobs, ends, completed }: StreamRun): number {
  const batches = Math.floor(completed.length / batchLength);
  let best = { dropped: 0, error: Infinity };
  let [sum, squares] = [0, 0];
  for (let dropped = batches - 1; dropped >= 0; dropped--) {
    let batch = 0;
    for (const job of completed.subarray(dropped * batchLength, (dropped + 1) * batchLength)) {
      batch += (realAt(ends, job) - realAt(jobs.submit, job)) / batchLength;
    }
    sum += batch;
    squares += batch * batch;
    const kept = batches - dropped;
    const error = (squares - (sum * sum) / kept) / (kept * kept);
    if (dropped <= batches / 2 && error <= best.error) best = { dropped, error };
  }
  return best.dropped * batchLength;
}

/** Queue length and busy processors over the whole run. O(jobs + stretches). */
export function timelineOf(run: StreamRun, stretches: number): Timeline {
  const length = (run.endTime - run.beginTime) / stretches;
  const queue = new StretchSums(run.beginTime, length, stretches);
  const busy = new StretchSums(run.beginTime, length, stretches);
  for (let job = 0; job < run.jobs.count; job++) {
    if (byteAt(run.refusedJobs, job) === 1) continue;
    const { start, end } = jobTimes(run, job);
    queue.add(realAt(run.jobs.submit, job), start, 1);
    busy.add(start, end, intAt(run.jobs.processors, job));
  }
  return { begin: run.beginTime, length, queueLength: queue.means(), busyProcessors: busy.means() };
}

/** Sums of what lasts from one time to another, by stretches: the ends are added there, what lies between as differences. */
class StretchSums {
  readonly #begin: number;
  readonly #length: number;
  readonly #parts: Float64Array;
  readonly #steps: Float64Array;

  constructor(begin: number, length: number, stretches: number) {
    this.#begin = begin;
    this.#length = length;
    this.#parts = new Float64Array(stretches);
    this.#steps = new Float64Array(stretches + 1);
  }

  add(from: number, to: number, weight: number): void {
    if (!(this.#length > 0) || !(to > from)) return;
    const last = this.#parts.length;
    const [first, end] = [from, to].map((time) => Math.min(last, Math.max(0, (time - this.#begin) / this.#length)));
    const [low, high] = [first ?? 0, end ?? 0];
    const [inner, outer] = [Math.ceil(low), Math.floor(high)];
    if (outer < inner) {
      this.#parts[outer] = realAt(this.#parts, outer) + (high - low) * weight;
      return;
    }
    if (inner > low) this.#parts[inner - 1] = realAt(this.#parts, inner - 1) + (inner - low) * weight;
    if (high > outer) this.#parts[outer] = realAt(this.#parts, outer) + (high - outer) * weight;
    this.#steps[inner] = realAt(this.#steps, inner) + weight;
    this.#steps[outer] = realAt(this.#steps, outer) - weight;
  }

  means(): Float64Array {
    let level = 0;
    return this.#parts.map((part, stretch) => part + (level += realAt(this.#steps, stretch)));
  }
}
