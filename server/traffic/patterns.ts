import type { OptionSpecification } from '../model/catalogue.ts';
import { taskLimit } from '../model/job.ts';
import { fail, succeed, type Result, cancelled } from '../model/result.ts';
import type { PatternRequest, PatternEntry } from './contract.ts';
import { neverCancelled } from '../model/cancellation.ts';

/** The option of patterns with one task in the middle. */
const rootOption: OptionSpecification = {
  name: 'root',
  summary: 'the task in the middle',
  kind: 'integer',
  minimum: 0,
  maximum: taskLimit - 1,
  default: 0,
};

/** The task that `root` names, 0 by default. Fails with `no-such-task` beyond the last task. */
function rootOf(request: PatternRequest): Result<number> {
  const root = request.options['root'] ?? 0;
  if (typeof root === 'number' && Number.isInteger(root) && root >= 0 && root < request.taskCount) return succeed(root);
  return fail('no-such-task', `\`root\` must be a task from 0 to ${request.taskCount - 1}.`);
}

/** Senders between two polls of the cancellation. */
const rowsPerPoll = 16;

export const allToAll: PatternEntry = {
  name: 'all-to-all',
  summary: 'every task sends to every other',
  source: 'Soryani et al. 2013, section 5; Alsardia 2017, section 2.4',
  details: 'All n · (n − 1) ordered pairs.',
  options: [],
  pairBound: ({ taskCount }) => taskCount * (taskCount - 1),
  generate({ taskCount, cancellation = neverCancelled }, add) {
    for (let from = 0; from < taskCount; from++) {
      if (from % rowsPerPoll === 0 && cancellation.isCancelled()) return cancelled();
      for (let to = 0; to < taskCount; to++) add(from, to, 1);
    }
    return succeed(undefined);
  },
};

export const allToOne: PatternEntry = {
  name: 'all-to-one',
  summary: 'every other task sends to one: gather, reduce',
  source: 'Soryani et al. 2013, section 5 (Gather/Reduce)',
  details: 'Each other task sends to task `root` (default 0).',
  options: [rootOption],
  pairBound: ({ taskCount }) => taskCount - 1,
  generate(request, add) {
    const root = rootOf(request);
    if (!root.ok) return root;
    for (let task = 0; task < request.taskCount; task++) add(task, root.value, 1);
    return succeed(undefined);
  },
};

export const oneToAll: PatternEntry = {
  name: 'one-to-all',
  summary: 'one task sends to every other: broadcast, scatter',
  source: 'Soryani et al. 2013, section 5 (Bcast/Scatter); Alsardia 2017, section 2.4',
  details: 'Task `root` (default 0) sends to each other task. Alsardia draws the root at random; here it is named.',
  options: [rootOption],
  pairBound: ({ taskCount }) => taskCount - 1,
  generate(request, add) {
    const root = rootOf(request);
    if (!root.ok) return root;
    for (let task = 0; task < request.taskCount; task++) add(root.value, task, 1);
    return succeed(undefined);
  },
};

export const ring: PatternEntry = {
  name: 'ring',
  summary: 'every task sends to the next one, the last to the first',
  source: 'Placewright',
  details: 'Task i sends to task (i + 1) mod n, in one direction.',
  options: [],
  pairBound: ({ taskCount }) => taskCount,
  generate({ taskCount }, add) {
    for (let task = 0; task < taskCount; task++) add(task, (task + 1) % taskCount, 1);
    return succeed(undefined);
  },
};

export const linear: PatternEntry = {
  name: 'linear',
  summary: 'every task but the last sends to the next one',
  source: 'Soryani et al. 2013, section 5 (Linear)',
  details: 'Task i sends to task i + 1, in one direction.',
  options: [],
  pairBound: ({ taskCount }) => taskCount - 1,
  generate({ taskCount }, add) {
    for (let task = 0; task + 1 < taskCount; task++) add(task, task + 1, 1);
    return succeed(undefined);
  },
};

export const tree: PatternEntry = {
  name: 'tree',
  summary: 'parents and children of a binary tree send to each other',
  source: 'Placewright',
  details:
    'Task 0 is the root; the children of task i are 2 · i + 1 and 2 · i + 2. Every edge carries traffic both ways, ' +
    'as a reduction followed by a broadcast does.',
  options: [],
  pairBound: ({ taskCount }) => 2 * (taskCount - 1),
  generate({ taskCount }, add) {
    for (let child = 1; child < taskCount; child++) {
      const parent = Math.floor((child - 1) / 2);
      add(parent, child, 1);
      add(child, parent, 1);
    }
    return succeed(undefined);
  },
};

export const butterfly: PatternEntry = {
  name: 'butterfly',
  summary: 'tasks whose numbers differ in one bit exchange: FFT, recursive doubling',
  source: 'Placewright; the butterfly of Foster 1995, section 2.3.2 (all stages together)',
  details: 'With n = 2^s tasks, task i sends to task i xor 2^b for each of the s bits b.',
  options: [],
  pairBound: ({ taskCount }) => taskCount * Math.ceil(Math.log2(Math.max(1, taskCount))),
  generate({ taskCount }, add) {
    const stages = Math.round(Math.log2(taskCount));
    if (2 ** stages !== taskCount) {
      return fail(
        'task-count-not-power-of-two',
        `Pattern \`butterfly\` needs a power of two of tasks, not ${taskCount}; the nearest is ${2 ** stages}.`,
      );
    }
    for (let task = 0; task < taskCount; task++) {
      for (let stage = 0; stage < stages; stage++) add(task, task ^ (2 ** stage), 1);
    }
    return succeed(undefined);
  },
};

export const transpose: PatternEntry = {
  name: 'transpose',
  summary: 'tasks of a square exchange with their mirror image in the diagonal',
  source: 'Placewright; the matrix transpose of Dally and Towles 2004, section 3.2',
  details: 'With n = m² tasks, task i + m · j sends to task j + m · i. Diagonal tasks send nothing.',
  options: [],
  pairBound: ({ taskCount }) => taskCount,
  generate({ taskCount }, add) {
    const side = Math.round(Math.sqrt(taskCount));
    if (side * side !== taskCount) {
      return fail(
        'task-count-not-square',
        `Pattern \`transpose\` needs a square number of tasks, not ${taskCount}; ` +
          `the nearest is ${Math.max(1, side) ** 2}.`,
      );
    }
    for (let row = 0; row < side; row++) {
      for (let column = 0; column < side; column++) add(column + side * row, row + side * column, 1);
    }
    return succeed(undefined);
  },
};

export const nearNeighbour: PatternEntry = {
  name: 'near-neighbour',
  summary: 'every task sends to its neighbours on the grid of the job',
  source: 'Alsardia 2017, section 2.4 (near neighbor)',
  details:
    'Each task sends one step both ways along each axis of the `grid`. Without a grid, tasks form a line. A `periodic` job wraps; on a side of 2 the bytes of both directions add up. The thesis says only that processors send to their neighbours.',
  options: [],
  pairBound: ({ taskCount, grid }) => 2 * taskCount * (grid?.length ?? 1),
  generate({ taskCount, grid, periodic }, add) {
    let stride = 1;
    for (const side of grid ?? [taskCount]) {
      for (let task = 0; task < taskCount; task++) {
        const position = Math.floor(task / stride) % side;
        const lineStart = task - position * stride;
        if (position > 0 || periodic) add(task, lineStart + ((position + side - 1) % side) * stride, 1);
        if (position + 1 < side || periodic) add(task, lineStart + ((position + 1) % side) * stride, 1);
      }
      stride *= side;
    }
    return succeed(undefined);
  },
};

export const randomPartner: PatternEntry = {
  name: 'random',
  summary: 'every task sends to one other task, drawn at random',
  source: 'Alsardia 2017, section 2.4 (random), per task instead of per job',
  details:
    'Each task, in ascending order, draws its receiver uniformly from the others. The seed is that of the ' +
    'placement. Several tasks may draw the same receiver. The thesis sends one message between one random pair ' +
    'per job.',
  options: [],
  isRandom: true,
  pairBound: ({ taskCount }) => taskCount,
  generate({ taskCount, random }, add) {
    if (taskCount < 2) return succeed(undefined);
    for (let task = 0; task < taskCount; task++) {
      const drawn = random.integer(taskCount - 1);
      add(task, drawn < task ? drawn : drawn + 1, 1);
    }
    return succeed(undefined);
  },
};
