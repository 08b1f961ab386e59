/** What the figures of one replication share: which run they are of, its times in words, and the jobs at a moment. */
import { formatNumber } from '../../model/quantities.ts';
import { byteAt, intAt, realAt } from '../../numeric/elements.ts';
import type { StreamRun } from '../../scheduling/streamRun.ts';
import { jobColor } from '../colors.ts';
import { timeUnitOf } from './axes.ts';
import type { Paint } from './figure.ts';

/** One replication of an experiment, with the nodes of its jobs. */
export interface ReplicationFigure {
  /** Of the experiment. */
  readonly name: string;
  /** Which point and which replication: `rbs, arrivals.rate 0.0009, replication 3`. */
  readonly about: string;
  readonly run: StreamRun;
  /** Seconds for jobs of a log, cycles for all others. */
  readonly timeUnit: 'cycles' | 'seconds';
}

/** Start and end of a job; where it did not come to that, NaN for the start and the end of the run for the end. */
export function stayOf(run: StreamRun, job: number): { readonly start: number; readonly end: number } {
  const end = realAt(run.ends, job);
  return { start: realAt(run.starts, job), end: Number.isNaN(end) ? run.endTime : end };
}

/** NodeIds of a job in ascending order; none where it never started, or was only counted. */
export const nodesOfJob = ({ nodes }: StreamRun, job: number): Int32Array => Int32Array.from(nodes[job] ?? []).sort();

/** What happens to jobs at a moment: `start` begins at it, `end` is over at it. */
export interface JobsAt {
  /** In the order of their numbers. */
  readonly running: readonly number[];
  /** In the order of arrival. */
  readonly waiting: readonly number[];
}

/** Jobs that run and that wait at a moment, after all that happens at that instant. O(jobs). */
export function jobsAt(run: StreamRun, time: number): JobsAt {
  const [running, waiting]: [number[], number[]] = [[], []];
  for (let job = 0; job < run.jobs.count; job++) {
    if (byteAt(run.refusedJobs, job) === 1 || realAt(run.jobs.submit, job) > time) continue;
    const { start, end } = stayOf(run, job);
    // What runs at the end of the run is seen there.
    const isOver = end < time || (end === time && !Number.isNaN(realAt(run.ends, job)));
    if (!(start <= time)) waiting.push(job);
    else if (!isOver) running.push(job);
  }
  return { running, waiting };
}

/** The same job has the same colour in every figure; jobs that arrive one after the other have different ones. */
export const colorOfJob = (job: number): Paint => jobColor(job) as Paint;

/** `12,345 cycles`, `3.25 days`. */
export function streamTime(time: number, unit: ReplicationFigure['timeUnit']): string {
  const { name, size } = timeUnitOf(unit, time);
  return `${formatNumber(time / size)} ${name}`;
}

/** `5 × 7` where it asked for sides, else `35`: what a job asks for. */
export function sizeWords({ jobs }: StreamRun, job: number): string {
  const [width, height] = [intAt(jobs.width, job), intAt(jobs.height, job)];
  return height > 0 ? `${width} × ${height}` : formatNumber(intAt(jobs.processors, job));
}

/** The nearest moments before and behind one at which a job starts or ends; a key is absent where there is none. O(jobs). */
export function changesAbout(run: StreamRun, time: number): { readonly previous?: number; readonly next?: number } {
  let [previous, next] = [-Infinity, Infinity];
  for (const changes of [run.starts, run.ends]) {
    for (const change of changes) {
      if (change < time) previous = Math.max(previous, change);
      else if (change > time) next = Math.min(next, change);
    }
  }
  return { ...(previous > -Infinity && { previous }), ...(next < Infinity && { next }) };
}

/**
 * The first moment at which the most jobs run; the begin of the run where none ever starts. Jobs that end at a moment run no
 * more. O(jobs · log jobs).
 */
export function busiestMoment(run: StreamRun): number {
  const changes = Array.from({ length: run.jobs.count }, (_, job) => stayOf(run, job))
    .filter(({ start }) => !Number.isNaN(start))
    .flatMap(({ start, end }) => [
      { at: start, by: 1 },
      { at: end, by: -1 },
    ])
    .sort((a, b) => a.at - b.at || a.by - b.by);
  let [busiest, running, most] = [run.beginTime, 0, 0];
  for (const { at, by } of changes) {
    running += by;
    if (running > most) [busiest, most] = [at, running];
  }
  return busiest;
}
