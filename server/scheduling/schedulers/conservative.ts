import { byteAt, itemAt, realAt } from '../../numeric/elements.ts';
import type { NodeShapes, SchedulerEntry, SchedulingState } from '../contract.ts';

/**
 * Reservations an event. A queue of a million jobs, as a stream beyond saturation has, would else take hours; the logs KTH-SP2,
 * SDSC-Par-1996 and lublin_256 give the same with 1,000 as with a million, and lublin_256 another waiting time with 200.
 */
const usualDepth = 1000;

export const conservative: SchedulerEntry = {
  name: 'conservative',
  summary: 'backfilling where no job delays one that arrived before it, by estimates',
  source: 'Mu’alem and Feitelson 2001, Utilization, predictability, workloads, and user runtime estimates',
  details:
    'At each event every waiting job is given the earliest reservation that those before it leave, in order of arrival, and those whose reservation is now start. A reservation without length holds nothing, so a job whose estimate is 0 may be delayed. It goes on only while a job is left that could start now. O(reservations · profile) an event, so that they are 1000 at most unless `depth` says otherwise: on the logs of KTH, SDSC-Par-1996 and Lublin that gives what reservations for all give, and 200 do not.',
  options: [
    {
      name: 'depth',
      summary: 'reservations that are made at most; jobs behind them wait',
      kind: 'integer',
      minimum: 1,
      maximum: 1_000_000,
      default: usualDepth,
    },
  ],
  needsEstimates: true,
  make: ({ depth }) => {
    const most = typeof depth === 'number' ? depth : usualDepth;
    return {
      asksForRunning: true,
      schedule: (state) => {
        if (state.shapes === undefined) reserveByCount(state, most);
        else reserveByShape(state, state.shapes, most);
      },
    };
  },
};

/** Processors that are free from each time until the next one; from the last one for ever. */
interface Profile {
  readonly times: number[];
  readonly free: number[];
}

function reserveByCount(state: SchedulingState, depth: number): void {
  const { waiting, jobs, now } = state;
  // Nothing can start: reservations would be made for nothing.
  if (waiting.next(-1, state.freeCount) < 0) return;
  const profile = profileOf(state);
  let reserved = 0;
  for (let job = waiting.first; job >= 0 && reserved < depth && !state.isCancelled(); job = waiting.next(job)) {
    reserved++;
    const processors = state.nodesOf(job);
    const length = realAt(jobs.estimate, job);
    const first = earliestStep(profile, processors, length);
    const start = itemAt(profile.times, first);
    const last = insertTime(profile.times, start + length, (step) =>
      profile.free.splice(step + 1, 0, itemAt(profile.free, step)),
    );
    for (let step = first; step < last; step++) profile.free[step] = itemAt(profile.free, step) - processors;
    if (start === now) state.tryStart(job);
    if (waiting.next(job, state.freeCount) < 0) return;
  }
}

function profileOf({ running, now, freeCount }: SchedulingState): Profile {
  const times = [now];
  const free = [freeCount];
  for (let next = 0; next < running.count; next++) {
    const end = Math.max(now, running.expectedEndAt(next));
    const after = itemAt(free, free.length - 1) + running.nodeCountAt(next);
    if (end > itemAt(times, times.length - 1)) {
      times.push(end);
      free.push(after);
    } else free[free.length - 1] = after;
  }
  return { times, free };
}

/** The first step from which so many processors stay free for so long. O(steps): a step that has too few is passed over for good. */
function earliestStep({ times, free }: Profile, processors: number, length: number): number {
  let first = 0;
  for (let step = 0; step < times.length; step++) {
    if (step > first && itemAt(times, step) >= itemAt(times, first) + length) break;
    if (itemAt(free, step) < processors) first = step + 1;
  }
  return first;
}

/** The step that begins at `time`; made where there is none, and `split` told which step it is cut from. */
function insertTime(times: number[], time: number, split: (step: number) => void): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (itemAt(times, middle) < time) low = middle + 1;
    else high = middle;
  }
  if (times[low] === time) return low;
  split(low - 1);
  times.splice(low, 0, time);
  return low;
}

/** The same with nodes: each step of the profile knows which are busy. */
function reserveByShape(state: SchedulingState, shapes: NodeShapes, depth: number): void {
  const { waiting, running, jobs, now } = state;
  if (waiting.next(-1, state.freeCount) < 0) return;
  const times = [now];
  const busy = [shapes.copyOfBusy()];
  for (let next = 0; next < running.count; next++) {
    const end = Math.max(now, running.expectedEndAt(next));
    if (end > itemAt(times, times.length - 1)) {
      times.push(end);
      busy.push(itemAt(busy, busy.length - 1).slice());
    }
    const free = itemAt(busy, busy.length - 1);
    for (const node of shapes.nodesOf(running.jobAt(next))) free[node] = 0;
  }
  let reserved = 0;
  for (let job = waiting.first; job >= 0 && reserved < depth && !state.isCancelled(); job = waiting.next(job)) {
    reserved++;
    const { start, nodes } = reserveNodes(times, busy, job, realAt(jobs.estimate, job), shapes);
    // Nodes of a job that ends in this very instant are free only in the next round.
    const held = start === now ? shapes.copyOfBusy() : undefined;
    if (held !== undefined && nodes.every((node) => byteAt(held, node) === 0)) shapes.startOn(job, nodes);
    if (waiting.next(job, state.freeCount) < 0) return;
  }
}

/** The earliest nodes that stay free for so long, now marked as busy. In the last step no reservation is left, so there are some. */
function reserveNodes(times: number[], busy: Uint8Array[], job: number, length: number, shapes: NodeShapes) {
  for (const [first, start] of times.entries()) {
    const nodes = shapes.find(busyUntil(times, busy, first, start + length), job);
    if (nodes === undefined) continue;
    const last = insertTime(times, start + length, (step) => busy.splice(step + 1, 0, itemAt(busy, step).slice()));
    for (let step = first; step < last; step++) for (const node of nodes) itemAt(busy, step)[node] = 1;
    return { start, nodes };
  }
  return { start: Infinity, nodes: new Int32Array(0) };
}

/** Nodes that are busy at some time from a step on until `end`. */
function busyUntil(times: readonly number[], busy: readonly Uint8Array[], first: number, end: number): Uint8Array {
  const union = itemAt(busy, first).slice();
  for (let step = first + 1; step < times.length && itemAt(times, step) < end; step++) {
    itemAt(busy, step).forEach((held, node) => (union[node] = byteAt(union, node) | held));
  }
  return union;
}
