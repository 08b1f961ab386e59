/** What the terminal, the editor and pictures word alike: links, tasks, changes, progress, and what ended a search. */
import { formatNumber, formatShare, roughTime } from './quantities.ts';
import type { SearchEnd } from './searchRecord.ts';

/** `3 → 4`, `a → b → a`: the ends of a link or a flow, what was and what is, the members of a circle. */
export const arrowText = (...ends: readonly (string | number)[]): string => ends.join(' → ');

export type TasksOfJobs = readonly { readonly job: { readonly name: string; readonly taskCount: number } }[];

/** A task, counted over all jobs: `task 3`, and `task 3 of cg` if there are several jobs. O(jobs). */
export function taskText(jobs: TasksOfJobs, task: number): string {
  let first = 0;
  for (const { job } of jobs) {
    if (jobs.length > 1 && task < first + job.taskCount) return `task ${task - first} of ${job.name}`;
    first += job.taskCount;
  }
  return `task ${task}`;
}

/** A change as a share of what was before: `−38 %`, `+0.4 %`; `0 %` below 0.05 %. */
export function changeText(change: number): string {
  const share = Math.abs(change);
  // A small change is not written as none.
  const size = share < 0.01 ? `${formatNumber(100 * share, 1)} %` : formatShare(share);
  if (size === '0 %') return size;
  return `${change < 0 ? '−' : '+'}${size}`;
}

/** The same in a sentence: `as before` for `0 %`. */
export function changeOrAsBefore(change: number): string {
  const text = changeText(change);
  return text === '0 %' ? 'as before' : text;
}

/** Seconds left of work whose first share took so many; undefined while too little is done to tell. */
export const secondsLeftAfter = (share: number, seconds: number): number | undefined =>
  share > 0.01 && seconds > 1 ? (seconds / share) * (1 - share) : undefined;

/** What is done, then the time left if it is known: `1,200,000 cycles, 40 %, 12 s left`. */
export const progressText = (done: readonly string[], secondsLeft: number | undefined): string =>
  [...done, ...(secondsLeft === undefined ? [] : [`${roughTime(secondsLeft)} left`])].join(', ');

/** What ended a search, for hovers and summaries. */
export const searchEndTexts: Readonly<Record<SearchEnd, string>> = {
  steps: 'all its steps were done',
  time: 'the clock ended it, another run may differ',
  bound: 'nothing is left to gain: proven optimal',
  converged: 'nothing it tried was better any more',
  stopped: 'stopped by hand: the best until then',
};
