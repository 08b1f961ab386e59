import { byteAt, intAt, itemAt, realAt } from '../../numeric/elements.ts';
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
    'At each event waiting jobs get their earliest reservations, in order of arrival. Jobs whose reservation is ' +
    'now start. A reservation of length 0 reserves nothing, so a job with estimate 0 may be delayed. The pass ' +
    'ends when no remaining job could start now beside the reservations. O(reservations · profile) per event; ' +
    '`depth` limits reservations (default: 1000). On the KTH, SDSC-Par-1996 and Lublin logs, 1000 gives the same ' +
    'result as no limit; 200 does not.',
  options: [
    {
      name: 'depth',
      summary: 'maximum number of reservations; later jobs wait',
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
        else while (startOneReserved(state, state.shapes, most));
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
  const queue = waiting.firstJobs(depth);
  let last = lastThatFits(state, queue, queue.length - 1);
  // Nothing can start: reservations would be made for nothing.
  if (last < 0) return;
  const profile = profileOf(state);
  const known = new KnownStarts();
  for (let place = 0; place <= last && !state.isCancelled(); place++) {
    const job = intAt(queue, place);
    const processors = state.nodesOf(job);
    const length = realAt(jobs.estimate, job);
    const first = earliestStep(
      profile,
      processors,
      length,
      stepFrom(profile.times, known.earliest(processors, length)),
    );
    const start = itemAt(profile.times, first);
    known.add(processors, length, start);
    const end = insertTime(profile.times, start + length, (step) =>
      profile.free.splice(step + 1, 0, itemAt(profile.free, step)),
    );
    for (let step = first; step < end; step++) profile.free[step] = itemAt(profile.free, step) - processors;
    if (start === now) state.tryStart(job);
    // Reservations only take away: who cannot start now cannot do so later in this event.
    while (last > place && !couldStart(state, profile, intAt(queue, last))) last = lastThatFits(state, queue, last - 1);
  }
}

/** The last of the first jobs of the queue that asks for no more than what is free now; −1 where none does. */
function lastThatFits({ jobs, freeCount }: SchedulingState, queue: Int32Array, from: number): number {
  let last = from;
  while (last >= 0 && intAt(jobs.processors, intAt(queue, last)) > freeCount) last--;
  return last;
}

/** Whether a job starts now if nobody else is given a reservation before it. */
function couldStart(state: SchedulingState, { times, free }: Profile, job: number): boolean {
  const { jobs, now, freeCount } = state;
  if (intAt(jobs.processors, job) > freeCount) return false;
  const end = now + realAt(jobs.estimate, job);
  const processors = state.nodesOf(job);
  for (let step = 0; step === 0 || (step < times.length && itemAt(times, step) < end); step++)
    if (itemAt(free, step) < processors) return false;
  return true;
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

/**
 * Where reservations of this event were found. A job that asks for no fewer processors and no shorter a time than an earlier one
 * cannot begin before it, since reservations only take away: most jobs are looked for from there on.
 */
class KnownStarts {
  readonly #processors = new Float64Array(mostKnown);
  readonly #lengths = new Float64Array(mostKnown);
  readonly #starts = new Float64Array(mostKnown);
  #count = 0;

  /** No earlier can such a job begin; −Infinity where nothing is known of it. */
  earliest(processors: number, length: number): number {
    let start = -Infinity;
    for (let at = 0; at < this.#count; at++) {
      const isLess = realAt(this.#processors, at) <= processors && realAt(this.#lengths, at) <= length;
      if (isLess && realAt(this.#starts, at) > start) start = realAt(this.#starts, at);
    }
    return start;
  }

  /** In the place of one that says no more, else of the earliest where there is no room left. */
  add(processors: number, length: number, start: number): void {
    let place = this.#count < mostKnown ? this.#count : 0;
    for (let at = 0; at < this.#count; at++) {
      const saysNoMore =
        realAt(this.#processors, at) >= processors &&
        realAt(this.#lengths, at) >= length &&
        realAt(this.#starts, at) <= start;
      if (saysNoMore) {
        place = at;
        break;
      }
      if (this.#count === mostKnown && realAt(this.#starts, at) < realAt(this.#starts, place)) place = at;
    }
    if (place === this.#count) this.#count++;
    this.#processors[place] = processors;
    this.#lengths[place] = length;
    this.#starts[place] = start;
  }
}

/** More would take longer to look through than they save. */
const mostKnown = 16;

/**
 * The first step from `from` on from which so many processors stay free for so long. O(steps): a step that has too few is passed over
 * for good.
 */
function earliestStep({ times, free }: Profile, processors: number, length: number, from: number): number {
  let first = from;
  for (let step = from; step < times.length; step++) {
    if (step > first && itemAt(times, step) >= itemAt(times, first) + length) break;
    if (itemAt(free, step) < processors) first = step + 1;
  }
  return first;
}

/** The first step at `time` or later; their number where there is none. O(log steps). */
function stepFrom(times: readonly number[], time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (itemAt(times, middle) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The step that begins at `time`; made where there is none, and `split` told which step it is cut from. */
function insertTime(times: number[], time: number, split: (step: number) => void): number {
  const step = stepFrom(times, time);
  if (times[step] === time) return step;
  split(step - 1);
  times.splice(step, 0, time);
  return step;
}

/**
 * The same with nodes: each step of the profile knows which are busy. Whether a job has started, the first whose reservation is now: a start
 * moves the places of the others, which are then reserved anew.
 */
function startOneReserved(state: SchedulingState, shapes: NodeShapes, depth: number): boolean {
  const { waiting, running, jobs, now } = state;
  if (waiting.next(-1, state.freeCount) < 0) return false;
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
    if (held !== undefined && nodes.every((node) => byteAt(held, node) === 0)) {
      shapes.startOn(job, nodes);
      return true;
    }
    if (waiting.next(job, state.freeCount) < 0) return false;
  }
  return false;
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
