import { describe, expect, it } from 'vitest';
import type { NodeFinder } from '../allocation/contract.ts';
import { neverCancelled } from '../model/cancellation.ts';
import { defaultOptions, findEntry, type OptionValues } from '../model/catalogue.ts';
import { seededRandom } from '../model/random.ts';
import { schedulers } from './catalogue.ts';
import type { Scheduler, SchedulingState } from './contract.ts';
import { type Job, type JobSource, JobTable } from './jobs.ts';
import { simulateStream } from './simulate.ts';
import type { StreamRun } from './streamRun.ts';
import {
  countingMachine,
  firstFitMesh,
  type PlainJob,
  type PlainMachine,
  plainSchedulers,
  simulatePlainly,
} from './testing/plainSimulator.ts';
import { casesOf } from '../model/testing/thoroughness.ts';

function sourceOf(jobs: readonly PlainJob[]): JobSource {
  const table = new JobTable();
  const full = (job: PlainJob): Job => ({ ...job, seed: 0, line: 0, number: Number.NaN, measured: true });
  return {
    table,
    total: jobs.length,
    refused: [],
    disordered: 0,
    allocatorRandom: seededRandom(1),
    drewRandom: () => false,
    next: () => {
      const job = jobs[table.count];
      if (job !== undefined) table.add(full(job));
      return job !== undefined;
    },
  };
}

function simulate(
  jobs: readonly PlainJob[],
  name: string,
  options: OptionValues,
  machine: PlainMachine,
  contiguous: boolean,
): StreamRun {
  const entry = findEntry(schedulers, name)!;
  return simulateWith(jobs, entry.make({ ...defaultOptions(entry), ...options }), machine, contiguous);
}

function simulateWith(
  jobs: readonly PlainJob[],
  scheduler: Scheduler,
  machine: PlainMachine,
  contiguous: boolean,
): StreamRun {
  const finder: NodeFinder = {
    ...(machine.heldBy && { heldBy: machine.heldBy }),
    find: (busy, { nodeCount, sides: [width = 0, height = 0] = [] }) => {
      const asked = { submit: 0, run: 0, estimate: 0, processors: nodeCount, width, height };
      const nodes = machine.find(
        [...busy].map((held) => held === 1),
        asked,
      );
      return nodes && Int32Array.from(nodes);
    },
  };
  const result = simulateStream({
    source: sourceOf(jobs),
    nodeCount: machine.nodes,
    scheduler,
    ...(contiguous || machine.heldBy !== undefined ? { allocator: { finder, contiguous } } : {}),
    end: { kind: 'all' },
    keepNodes: contiguous,
    cancellation: neverCancelled,
  });
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

/** Jobs with many ties: instants, sizes and lengths are small whole numbers; some have no length, some are too large. */
function randomJobs(random: ReturnType<typeof seededRandom>, columns: number, rows: number): PlainJob[] {
  let submit = 0;
  return Array.from({ length: 1 + random.integer(14) }, () => {
    submit += random.integer(3);
    const [width, height] = [1 + random.integer(columns), 1 + random.integer(rows + (random.integer(9) === 0 ? 2 : 0))];
    const run = random.integer(7);
    return {
      submit,
      run,
      estimate: run + (random.integer(2) === 0 ? 0 : random.integer(5)),
      processors: width * height,
      width,
      height,
    };
  });
}

/** A node has one job at a time, and Little's law: both hold of every run. */
function expectSound(run: StreamRun): void {
  let inSystem = 0;
  for (let job = 0; job < run.jobs.count; job++) {
    if (run.refusedJobs[job] === 1) continue;
    const end = Number.isNaN(run.ends[job]!) ? run.endTime : run.ends[job]!;
    inSystem += end - run.jobs.submit[job]!;
  }
  expect(run.jobTime).toBeCloseTo(inSystem, 6);
  const held = run.nodes.flatMap((nodes, job) =>
    [...(nodes ?? [])].map((node) => ({ node, from: run.starts[job]!, to: run.ends[job]! })),
  );
  held.sort((a, b) => a.node - b.node || a.from - b.from || a.to - b.to);
  for (const [at, { node, from }] of held.entries()) {
    const before = held[at - 1];
    if (before?.node === node && before.to > from) expect.fail(`node ${node} has two jobs at ${from}`);
  }
}

const rounds = casesOf(150, 1000);

describe.each(plainSchedulers)('$name $options', ({ name, options, plain, counting = plain }) => {
  it('starts jobs when a plain simulator does, counting processors', () => {
    const random = seededRandom(17);
    for (let round = 0; round < rounds; round++) {
      const [columns, rows] = [1 + random.integer(4), 1 + random.integer(3)];
      const jobs = randomJobs(random, columns, rows);
      const run = simulate(jobs, name, options, countingMachine(columns * rows), false);
      expect([...run.starts], JSON.stringify({ columns, rows, jobs })).toEqual(
        simulatePlainly(jobs, countingMachine(columns * rows), counting),
      );
      expectSound(run);
    }
  });

  it('starts jobs when a plain simulator does, on submeshes', () => {
    const random = seededRandom(29);
    for (let round = 0; round < rounds / 3; round++) {
      const [columns, rows] = [1 + random.integer(4), 1 + random.integer(3)];
      const machine = firstFitMesh(columns, rows);
      const jobs = randomJobs(random, columns, rows);
      const run = simulate(jobs, name, options, machine, true);
      expect([...run.starts], JSON.stringify({ columns, rows, jobs })).toEqual(simulatePlainly(jobs, machine, plain));
      expectSound(run);
    }
  });
});

/** The earliest time at which the first waiting job will be had, by what is expected of those that run. */
function promiseOf({ running, waiting, shapes, freeCount, now, ...state }: SchedulingState): number {
  const job = waiting.first;
  const ends = Array.from({ length: running.count }, (_, position) => Math.max(now, running.expectedEndAt(position)));
  const fitsAt = (time: number): boolean => {
    const over = ends.flatMap((end, position) => (end <= time ? [position] : []));
    if (shapes === undefined) {
      return over.reduce((sum, position) => sum + running.nodeCountAt(position), freeCount) >= state.nodesOf(job);
    }
    const busy = shapes.copyOfBusy();
    for (const position of over) for (const node of shapes.nodesOf(running.jobAt(position))) busy[node] = 0;
    return shapes.find(busy, job) !== undefined;
  };
  return ends.toSorted((a, b) => a - b).find(fitsAt)!;
}

const inPairs = (nodeCount: number): number => 2 * Math.ceil(nodeCount / 2);

/** Allocates nodes 0 and 1, 2 and 3 … together: jobs hold more than they ask for. */
const pairsOfNodes = (nodes: number): PlainMachine => ({
  nodes,
  heldBy: inPairs,
  find: (busy, job) => countingMachine(nodes).find(busy, { ...job, processors: inPairs(job.processors) }),
});

/** What may run beside what: processors, whole blocks, or the first free submesh. */
const machines: readonly (readonly [string, (columns: number, rows: number) => PlainMachine, boolean])[] = [
  ['counting processors', (columns, rows) => countingMachine(columns * rows), false],
  ['counting pairs', (columns, rows) => pairsOfNodes(2 * columns * rows), false],
  ['on submeshes', firstFitMesh, true],
];

const promisedRounds = casesOf(200, 1500);

describe('EASY keeps what it promises the first job', () => {
  it.each(machines)('%s: no job that starts before it delays it', (_, machineOf, contiguous) => {
    const random = seededRandom(41);
    const inner = findEntry(schedulers, 'easy')!.make({ order: 'fifo' });
    let promises = 0;
    let overtaken = 0;
    for (let round = 0; round < promisedRounds; round++) {
      const [columns, rows] = [2 + random.integer(3), 1 + random.integer(3)];
      const promised = new Map<number, number>();
      const scheduler: Scheduler = {
        asksForRunning: true,
        schedule: (state) => {
          inner.schedule(state);
          if (state.waiting.count === 0) return;
          const time = promiseOf(state);
          const before = promised.get(state.waiting.first) ?? Infinity;
          expect(time, `round ${round}`).toBeLessThanOrEqual(before);
          promised.set(state.waiting.first, time);
        },
      };
      const jobs = randomJobs(random, columns, rows);
      const { starts } = simulateWith(jobs, scheduler, machineOf(columns, rows), contiguous);
      for (const [job, time] of promised) {
        expect(starts[job], `round ${round}`).toBeLessThanOrEqual(time);
        promises++;
        if (starts.some((start, later) => later > job && start < starts[job]!)) overtaken++;
      }
    }
    // Promises that were put to the test: later jobs did start before.
    expect(promises).toBeGreaterThan(0.6 * promisedRounds);
    expect(overtaken).toBeGreaterThan(0.06 * promisedRounds);
  });
});

describe('whole blocks', () => {
  it('EASY and conservative backfilling count what a job holds, not what it asks for', () => {
    const job = (submit: number, processors: number, run: number): PlainJob => ({
      submit,
      processors,
      run,
      estimate: run,
      width: processors,
      height: 1,
    });
    // Of 12 nodes the first job holds 6; the second is promised 8 at 10, so that only 4 may be held longer: the third holds 2,
    // and the fourth would hold 4.
    const jobs = [job(0, 6, 10), job(1, 8, 5), job(1, 1, 20), job(1, 3, 20)];
    for (const name of ['easy', 'conservative']) {
      expect([...simulate(jobs, name, {}, pairsOfNodes(12), false).starts], name).toEqual([0, 10, 1, 15]);
    }
  });
});

describe('conservative backfilling', () => {
  it('starts no job later because of one that arrives after it, where run times are known', () => {
    const random = seededRandom(43);
    let overtaken = 0;
    for (let round = 0; round < casesOf(200, 500); round++) {
      const machine = countingMachine(2 + random.integer(8));
      const jobs = randomJobs(random, 4, 2).map((job) => ({ ...job, run: job.run + 1, estimate: job.run + 1 }));
      const { starts } = simulate(jobs, 'conservative', {}, machine, false);
      for (let count = 1; count < jobs.length; count++) {
        const fewer = simulate(jobs.slice(0, count), 'conservative', {}, machine, false);
        expect([...fewer.starts], `round ${round}`).toEqual([...starts.subarray(0, count)]);
      }
      if (starts.some((start, job) => starts.subarray(job).some((later) => later < start))) overtaken++;
    }
    expect(overtaken).toBeGreaterThan(50);
  });
});
