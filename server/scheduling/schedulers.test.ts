import { describe, expect, it } from 'vitest';
import type { NodeFinder } from '../allocation/contract.ts';
import { neverCancelled } from '../model/cancellation.ts';
import { defaultOptions, findEntry, type OptionValues } from '../model/catalogue.ts';
import { seededRandom } from '../model/random.ts';
import { schedulers } from './catalogue.ts';
import { type Job, type JobSource, JobTable } from './jobs.ts';
import { simulateStream, type StreamRun } from './simulate.ts';
import {
  countingMachine,
  firstFitMesh,
  plainAging,
  plainConservative,
  plainConservativeByCount,
  plainEasy,
  plainFcfs,
  type PlainJob,
  type PlainMachine,
  plainOutOfOrder,
  type PlainScheduler,
  plainSsd,
  plainWindow,
  simulatePlainly,
} from './testing/plainSimulator.ts';

function sourceOf(jobs: readonly PlainJob[]): JobSource {
  const table = new JobTable();
  const full = (job: PlainJob): Job => ({ ...job, seed: 0, line: 0, measured: true });
  return {
    table,
    total: jobs.length,
    refused: [],
    disordered: 0,
    allocatorRandom: seededRandom(1),
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
  const finder: NodeFinder = {
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
    scheduler: entry.make({ ...defaultOptions(entry), ...options }),
    ...(contiguous ? { allocator: { finder, contiguous } } : {}),
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

interface Case {
  readonly name: string;
  readonly options: OptionValues;
  readonly plain: PlainScheduler;
  /** Where counting differs from looking at nodes. */
  readonly counting?: PlainScheduler;
}

const work = ({ estimate, processors }: PlainJob): number => estimate * processors;
const cases: readonly Case[] = [
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

const rounds = 1000;

describe.each(cases)('$name $options', ({ name, options, plain, counting = plain }) => {
  it('starts jobs when a plain simulator does, counting processors', () => {
    const random = seededRandom(17);
    for (let round = 0; round < rounds; round++) {
      const [columns, rows] = [1 + random.integer(4), 1 + random.integer(3)];
      const jobs = randomJobs(random, columns, rows);
      const run = simulate(jobs, name, options, countingMachine(columns * rows), false);
      expect([...run.starts], JSON.stringify({ columns, rows, jobs })).toEqual(simulatePlainly(jobs, countingMachine(columns * rows), counting)); // prettier-ignore
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
