import type { OptionValues } from '../../model/catalogue.ts';

/**
 * Reference simulator for tests: sorted lists, whole machine states and no shortcuts, written from the definitions of the
 * schedulers. It counts processors, or asks `fits` which nodes a job would be given.
 */
export interface PlainJob {
  readonly submit: number;
  readonly run: number;
  readonly estimate: number;
  readonly processors: number;
  readonly width: number;
  readonly height: number;
}

export interface PlainMachine {
  readonly nodes: number;
  /** Nodes must have a shape: after a start everything is looked at anew. */
  readonly isContiguous?: boolean;
  /** Nodes that a job holds, where that is more than it asks for. */
  readonly heldBy?: (processors: number) => number;
  /** Nodes for a job where these are busy; undefined for none. */
  readonly find: (busy: readonly boolean[], job: PlainJob) => readonly number[] | undefined;
}

interface Running {
  readonly job: number;
  readonly end: number;
  readonly expected: number;
  readonly nodes: readonly number[];
}

interface State {
  readonly now: number;
  readonly jobs: readonly PlainJob[];
  readonly machine: PlainMachine;
  readonly waiting: readonly number[];
  readonly running: readonly Running[];
  readonly bypassed: ReadonlyMap<number, number>;
}

/** The next job to start and its nodes, asked until there is none. `mayStart` is what the scheduler says. */
export type PlainScheduler = (state: State) => { readonly job: number; readonly nodes: readonly number[] }[];

/** Lowest free nodes: a machine that only counts. */
export const countingMachine = (nodes: number): PlainMachine => ({
  nodes,
  find: (busy, { processors }) => {
    const free = busy.flatMap((held, node) => (held ? [] : [node]));
    return free.length < processors ? undefined : free.slice(0, processors);
  },
});

/** First free submesh in row-major order, as asked for. */
export const firstFitMesh = (columns: number, rows: number): PlainMachine => ({
  nodes: columns * rows,
  isContiguous: true,
  find: (busy, { width, height }) => {
    for (let y = 0; y + height <= rows; y++) {
      for (let x = 0; x + width <= columns; x++) {
        const nodes = Array.from(
          { length: width * height },
          (_, at) => x + (at % width) + columns * (y + Math.floor(at / width)),
        );
        if (nodes.every((node) => busy[node] === false)) return nodes;
      }
    }
    return undefined;
  },
});

const busyOf = ({ machine, running }: State, isHeld: (one: Running) => boolean = () => true): boolean[] => {
  const busy = new Array<boolean>(machine.nodes).fill(false);
  for (const one of running.filter(isHeld)) for (const node of one.nodes) busy[node] = true;
  return busy;
};

const marked = (busy: readonly boolean[], nodes: readonly number[]): boolean[] =>
  busy.map((held, node) => held || nodes.includes(node));

type Start = ReturnType<PlainScheduler>[number];

/** One pass over candidates in order; `goesOn` says whether to look behind a job that did not start. */
function pass(state: State, order: readonly number[], goesOn: (job: number, passed: number) => boolean): Start[] {
  let busy = busyOf(state);
  const starts: Start[] = [];
  let passed = 0;
  for (const job of order) {
    const nodes = state.machine.find(busy, state.jobs[job]!);
    if (nodes !== undefined) {
      starts.push({ job, nodes });
      busy = marked(busy, nodes);
    } else if (!goesOn(job, ++passed)) break;
  }
  return starts;
}

const sortedBy = (state: State, key: (job: PlainJob) => number): number[] =>
  state.waiting.toSorted((a, b) => key(state.jobs[a]!) - key(state.jobs[b]!) || a - b);

const plainFcfs: PlainScheduler = (state) => pass(state, state.waiting, () => false);
const plainOutOfOrder: PlainScheduler = (state) => pass(state, state.waiting, () => true);
const plainWindow =
  (size: number): PlainScheduler =>
  (state) =>
    pass(state, state.waiting, (_, passed) => passed < size);
const plainSsd =
  (key: (job: PlainJob) => number, isBlocking: boolean): PlainScheduler =>
  (state) =>
    pass(state, sortedBy(state, key), () => !isBlocking);

const plainAging =
  (limit: number): PlainScheduler =>
  (state) => {
    const bypassed = new Map(state.bypassed);
    let busy = busyOf(state);
    const starts: Start[] = [];
    const passed: number[] = [];
    for (const job of state.waiting) {
      if (passed.some((one) => bypassed.get(one)! >= limit)) break;
      const nodes = state.machine.find(busy, state.jobs[job]!);
      if (nodes === undefined) {
        passed.push(job);
        continue;
      }
      for (const one of passed) bypassed.set(one, bypassed.get(one)! + 1);
      starts.push({ job, nodes });
      busy = marked(busy, nodes);
    }
    return starts;
  };

export const plainEasy =
  (key: (job: PlainJob) => number): PlainScheduler =>
  (state) => {
    const starts: Start[] = [];
    const queue = sortedBy(state, key);
    let running = [...state.running];
    const start = (job: number, nodes: readonly number[]): void => {
      starts.push({ job, nodes });
      running = [...running, { job, nodes, end: 0, expected: state.now + state.jobs[job]!.estimate }];
    };
    const find = (job: number, isHeld?: (one: Running) => boolean): readonly number[] | undefined =>
      state.machine.find(busyOf({ ...state, running }, isHeld), state.jobs[job]!);
    while (queue.length > 0) {
      const nodes = find(queue[0]!);
      if (nodes === undefined) break;
      start(queue.shift()!, nodes);
    }
    const [head, ...later] = queue;
    if (head === undefined) return starts;
    const ends = running.map(({ expected }) => expected).sort((a, b) => a - b);
    const promised = ends.find((end) => find(head, ({ expected }) => expected > end) !== undefined)!;
    for (const job of later) {
      const nodes = find(job);
      if (nodes === undefined) continue;
      const before = running;
      start(job, nodes);
      // Whether the head would still be had at the promised time, with this job where it would be.
      if (find(head, ({ expected }) => expected > promised) === undefined) {
        running = before;
        starts.pop();
      }
    }
    return starts;
  };

const plainConservative: PlainScheduler = (state) => {
  const starts: Start[] = [];
  const reserved: { from: number; to: number; nodes: readonly number[] }[] = state.running.map(
    ({ expected, nodes }) => ({ from: -Infinity, to: expected, nodes }),
  );
  for (const job of state.waiting) {
    const { estimate } = state.jobs[job]!;
    const times = [state.now, ...reserved.flatMap(({ from, to }) => [from, to])].filter((time) => time >= state.now);
    for (const from of times.sort((a, b) => a - b)) {
      const to = from + estimate;
      // A reservation without length counts at its own instant alone, and holds nothing.
      const overlapping = reserved.filter(
        (one) => one.from < one.to && one.from < Math.max(to, from + 1e-9) && one.to > from,
      );
      const busy = new Array<boolean>(state.machine.nodes).fill(false);
      for (const { nodes } of overlapping) for (const node of nodes) busy[node] = true;
      const nodes = state.machine.find(busy, state.jobs[job]!);
      if (nodes === undefined) continue;
      reserved.push({ from, to, nodes });
      const held = busyOf({
        ...state,
        running: [...state.running, ...starts.map((one) => ({ ...one, end: 0, expected: 0 }))],
      });
      if (from === state.now && nodes.every((node) => held[node] === false)) starts.push({ job, nodes });
      break;
    }
  }
  return starts;
};

/** Conservative backfilling on a machine that only counts: at every instant of a reservation enough processors are left. */
const plainConservativeByCount: PlainScheduler = (state) => {
  const starts: Start[] = [];
  const reserved = state.running.map(({ job, expected }) => ({ job, from: -Infinity, to: expected }));
  const allFree = new Array<boolean>(state.machine.nodes).fill(false);
  const heldBy = (job: number): number => state.machine.find(allFree, state.jobs[job]!)!.length;
  const usedAt = (time: number): number =>
    reserved.reduce((sum, { job, from, to }) => sum + (from <= time && time < to ? heldBy(job) : 0), 0);
  for (const job of state.waiting) {
    const { estimate } = state.jobs[job]!;
    const times = [state.now, ...reserved.flatMap(({ from, to }) => [from, to])].filter((time) => time >= state.now);
    const from = times
      .sort((a, b) => a - b)
      .find((start) =>
        [start, ...times.filter((time) => time > start && time < start + estimate)].every(
          (time) => usedAt(time) + heldBy(job) <= state.machine.nodes,
        ),
      )!;
    reserved.push({ job, from, to: from + estimate });
    const held = busyOf({
      ...state,
      running: [...state.running, ...starts.map((one) => ({ ...one, end: 0, expected: 0 }))],
    });
    const nodes = state.machine.find(held, state.jobs[job]!);
    if (from === state.now && nodes !== undefined) starts.push({ job, nodes });
  }
  return starts;
};

/** Start of each job; NaN for jobs that could never start. Jobs are in order of arrival. */
export function simulatePlainly(jobs: readonly PlainJob[], machine: PlainMachine, scheduler: PlainScheduler): number[] {
  const starts = jobs.map(() => Number.NaN);
  const bypassed = new Map<number, number>();
  let waiting: number[] = [];
  let running: Running[] = [];
  let arrived = 0;
  for (;;) {
    const now = Math.min(jobs[arrived]?.submit ?? Infinity, ...running.map(({ end }) => end));
    if (now === Infinity) return starts;
    running = running.filter(({ end }) => end > now);
    for (; arrived < jobs.length && jobs[arrived]!.submit <= now; arrived++) {
      if (machine.find(new Array<boolean>(machine.nodes).fill(false), jobs[arrived]!) === undefined) continue;
      waiting.push(arrived);
      bypassed.set(arrived, 0);
    }
    const start = ({ job, nodes }: Start): void => {
      waiting = waiting.filter((one) => one !== job);
      for (const one of waiting) if (one < job) bypassed.set(one, bypassed.get(one)! + 1);
      starts[job] = now;
      const { run, estimate } = jobs[job]!;
      running.push({ job, nodes, end: now + run, expected: now + estimate });
    };
    for (;;) {
      const starts = scheduler({ now, jobs, machine, waiting, running, bypassed });
      const taken = machine.isContiguous === true ? starts.slice(0, 1) : starts;
      taken.forEach(start);
      if (machine.isContiguous !== true || taken.length === 0) break;
    }
  }
}

/** A scheduler of the catalogue with some options, and what it does by its definition. */
interface PlainSchedule {
  readonly name: string;
  readonly options: OptionValues;
  readonly plain: PlainScheduler;
  /** Where counting differs from looking at nodes. */
  readonly counting?: PlainScheduler;
}

const work = ({ estimate, processors }: PlainJob): number => estimate * processors;
export const plainSchedulers: readonly PlainSchedule[] = [
  { name: 'fcfs', options: {}, plain: plainFcfs },
  { name: 'out-of-order', options: {}, plain: plainOutOfOrder },
  ...[1, 2, 3].map((size) => ({ name: 'window', options: { size }, plain: plainWindow(size) })),
  ...[0, 1, 3].map((limit) => ({ name: 'aging', options: { limit }, plain: plainAging(limit) })),
  { name: 'ssd', options: {}, plain: plainSsd((job) => job.estimate, true) },
  { name: 'ssd', options: { demand: 'work' }, plain: plainSsd(work, true) },
  { name: 'ssd', options: { demand: 'processors', blocking: 'no' }, plain: plainSsd((job) => job.processors, false) },
  { name: 'easy', options: {}, plain: plainEasy(() => 0) },
  { name: 'easy', options: { order: 'shortest' }, plain: plainEasy((job) => job.estimate) },
  { name: 'easy', options: { order: 'longest' }, plain: plainEasy((job) => -job.estimate) },
  { name: 'easy', options: { order: 'smallest' }, plain: plainEasy((job) => job.processors) },
  { name: 'easy', options: { order: 'largest' }, plain: plainEasy((job) => -job.processors) },
  { name: 'easy', options: { order: 'least-work' }, plain: plainEasy(work) },
  { name: 'easy', options: { order: 'most-work' }, plain: plainEasy((job) => -work(job)) },
  { name: 'conservative', options: {}, plain: plainConservative, counting: plainConservativeByCount },
];
