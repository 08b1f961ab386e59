/** What comes of a replication of a stream, and what is to be said of how it ended. */
import { countOf, formatNumber } from '../model/quantities.ts';
import type { RefusedLines } from '../model/jobLog.ts';
import type { StreamEnd } from '../model/stream.ts';
import type { Deadlock } from '../simulation/messages.ts';
import type { JobTable } from './jobs.ts';

/** How a replication ended. The last three are no answer to what was asked, and `notices` says so. */
export type RunEnd = 'as-asked' | 'no-more-jobs' | 'too-many-jobs' | 'too-many-waiting' | 'deadlock';

/** What became of every job that arrived. */
export interface StreamRun {
  readonly jobs: JobTable;
  /** Of each job; NaN where it did not come to that. */
  readonly starts: Float64Array;
  readonly ends: Float64Array;
  /** Jobs in the order in which they left. */
  readonly completed: Int32Array;
  /** 1 for jobs that no state of the machine has room for; they never waited. */
  readonly refusedJobs: Uint8Array;
  /** Reasons of these, by the numbers of the jobs. */
  readonly refusals: readonly RefusedLines[];
  /** What the messages of each job that left have done; absent where no network serves the stream. */
  readonly messages: JobMessages | undefined;
  /** NodeIds of each job, where they were to be kept. */
  readonly nodes: readonly (Int32Array | undefined)[];
  readonly nodeCount: number;
  /** Nodes that can run jobs: all but the broken ones. */
  readonly workingCount: number;
  /** Time of the first arrival of a log, 0 for other streams; and of the end of the run. */
  readonly beginTime: number;
  readonly endTime: number;
  /** ∫ jobs in the system dt, counted as time goes on: equal to the sum of their times in it, which is Little's law. */
  readonly jobTime: number;
  readonly end: RunEnd;
  readonly deadlock: Deadlock | undefined;
  /** Jobs that waited or ran at the end. */
  readonly waitingAtEnd: number;
  readonly runningAtEnd: number;
  /** Sentences for the user. */
  readonly notices: readonly string[];
}

/** As `Figures` of a network, of each job; 0 of jobs without messages. */
export interface JobMessages {
  readonly packets: Float64Array;
  readonly hops: Float64Array;
  readonly latency: Float64Array;
}

/** Jobs at the end of a run. */
export interface JobsAtEnd {
  readonly asked: StreamEnd;
  readonly arrived: number;
  readonly completed: number;
  readonly waiting: number;
  readonly running: number;
  /** No further job would have come. */
  readonly isLast: boolean;
  /** Cycle since which the network has stood still, where it does. */
  readonly stuckSince: number;
}

/** What the user should know of how a run ended, a sentence each. */
export function noticesOfRun(
  end: RunEnd,
  { asked, arrived, completed, waiting: queued, running, isLast, stuckSince }: JobsAtEnd,
): string[] {
  const done = `${completed}${asked.kind === 'completed' ? ` of ${asked.jobs}` : ''} were completed`;
  const ended: Readonly<Record<RunEnd, readonly string[]>> = {
    'as-asked': [],
    'no-more-jobs': [`The stream has only ${countOf(arrived, 'job')}: ${done}.`],
    'too-many-jobs': [
      `Stopped after ${countOf(arrived, 'job')} had arrived: ${done} and ${formatNumber(queued)} wait. Let fewer jobs arrive, or ask for fewer.`,
    ],
    'too-many-waiting': [
      `Stopped when ${countOf(queued, 'job')} waited: ${done}. Jobs arrive faster than the machine serves them: lower the rate.`,
    ],
    deadlock: [`The network is deadlocked since cycle ${stuckSince}: ${done}.`],
  };
  const isIdle = queued > 0 && running === 0 && isLast;
  const isBeyond = !isIdle && end !== 'too-many-waiting' && end !== 'deadlock' && queued > 20 && queued * 10 > arrived;
  return [
    ...ended[end],
    ...(isIdle ? [`${countOf(queued, 'job')} never started: the allocator found no nodes although all are free.`] : []),
    ...(isBeyond
      ? [
          `Beyond saturation: ${formatNumber(queued)} of ${countOf(arrived, 'job')} are waiting at the end. Turnaround depends on the run length.`,
        ]
      : []),
  ];
}
