import { intAt, realAt } from '../../numeric/elements.ts';
import type { NodeShapes, Scheduler, SchedulerEntry, SchedulingState } from '../contract.ts';

const orders: Readonly<Record<string, Scheduler['keyOf']>> = {
  shortest: (job, { estimate }) => realAt(estimate, job),
  longest: (job, { estimate }) => -realAt(estimate, job),
  smallest: (job, { processors }) => intAt(processors, job),
  largest: (job, { processors }) => -intAt(processors, job),
  'least-work': (job, { estimate, processors }) => realAt(estimate, job) * intAt(processors, job),
  'most-work': (job, { estimate, processors }) => -realAt(estimate, job) * intAt(processors, job),
};

export const easy: SchedulerEntry = {
  name: 'easy',
  summary: 'backfilling: a later job starts where it does not delay the first one, by estimates',
  source: 'Lifka 1995, The ANL/IBM SP scheduling system; Bunde et al. 2014, section 5',
  details:
    'The first job is reserved the earliest time with enough free processors. A later job starts now if it fits and does not delay that reservation. Jobs that end at the reserved time count as free. Contiguous allocators are tested on a copy of the machine. The order is that of the whole queue, as in the SST simulator. The reservation is for the current first job; only `fifo` keeps it when jobs arrive.',
  options: [
    {
      name: 'order',
      summary: 'order of waiting jobs; ties by arrival',
      kind: 'choice',
      choices: ['fifo', ...Object.keys(orders)],
      default: 'fifo',
    },
  ],
  needsEstimates: true,
  make: ({ order }) => {
    const keyOf = orders[typeof order === 'string' ? order : 'fifo'];
    return { ...(keyOf === undefined ? {} : { keyOf }), asksForRunning: true, schedule: backfill };
  },
};

function backfill(state: SchedulingState): void {
  const { waiting, shapes } = state;
  for (let mayStart = true; mayStart;) {
    while (waiting.count > 0 && state.tryStart(waiting.first));
    if (waiting.count < 2 || state.freeCount === 0) return;
    if (shapes === undefined) {
      backfillByCount(state);
      return;
    }
    // A start moves the places of the others: each is tried again, and the first job with its promise.
    mayStart = startOneByShape(state, shapes);
  }
}

/** Searches pass over the blocks of waiting jobs that cannot start, so a long queue costs little. O(running + starts · √waiting). */
function backfillByCount(state: SchedulingState): void {
  const { waiting, running, jobs, now } = state;
  const head = waiting.first;
  let promised = now;
  let free = state.freeCount;
  const wanted = state.nodesOf(head);
  for (let next = 0; next < running.count; next++) {
    const end = Math.max(now, running.expectedEndAt(next));
    if (free >= wanted && end > promised) break;
    promised = end;
    free += running.nodeCountAt(next);
  }
  let spare = free - wanted;
  let job = head;
  while (state.freeCount > 0) {
    job = waiting.next(job, state.freeCount, spare, longestUntil(promised, now));
    if (job < 0) return;
    const outlasts = now + realAt(jobs.estimate, job) > promised;
    const held = state.nodesOf(job);
    if (outlasts && held > spare) continue;
    if (state.tryStart(job) && outlasts) spare -= held;
  }
}

/** A little more than until then, so that rounding passes over no block; each job is looked at exactly. */
const longestUntil = (promised: number, now: number): number => promised - now + Math.abs(promised) * 2 ** -50;

/** Whether a later job was started, the first that may. O(running + waiting · search for nodes). */
function startOneByShape(state: SchedulingState, shapes: NodeShapes): boolean {
  const { waiting, running, jobs, now } = state;
  const head = waiting.first;
  const then = shapes.copyOfBusy();
  let promised = now;
  for (let next = 0; next < running.count;) {
    promised = Math.max(now, running.expectedEndAt(next));
    for (; next < running.count && running.expectedEndAt(next) <= promised; next++) {
      markNodes(then, shapes.nodesOf(running.jobAt(next)), 0);
    }
    if (shapes.find(then, head) !== undefined) break;
  }
  for (let job = waiting.next(head, state.freeCount); job >= 0; job = waiting.next(job, state.freeCount)) {
    if (state.isCancelled()) return false;
    const nodes = shapes.findNow(job);
    if (nodes === undefined) continue;
    if (now + realAt(jobs.estimate, job) > promised) {
      markNodes(then, nodes, 1);
      if (shapes.find(then, head) === undefined) {
        markNodes(then, nodes, 0);
        continue;
      }
    }
    shapes.startOn(job, nodes);
    return true;
  }
  return false;
}

/** Marks nodes as busy (1) or free (0). */
function markNodes(busy: Uint8Array, nodes: Int32Array, value: number): void {
  for (const node of nodes) busy[node] = value;
}
