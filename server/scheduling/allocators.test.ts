import { finders } from '../allocation/catalogue.ts';
import type { FinderEntry } from '../allocation/contract.ts';
import { neverCancelled } from '../model/cancellation.ts';
import { type Choice, defaultOptions, findEntry, type OptionValues } from '../model/catalogue.ts';
import { seededRandom } from '../model/random.ts';
import type { StreamDescription } from '../model/stream.ts';
import { testContract, type Contract } from '../model/testing/contract.ts';
import { casesOf } from '../model/testing/thoroughness.ts';
import { gridMachine } from '../network/testing/machines.ts';
import { schedulers } from './catalogue.ts';
import { replicate } from './replicate.ts';
import type { StreamRun } from './streamRun.ts';
import { type PlainJob, type PlainMachine, plainSchedulers, simulatePlainly } from './testing/plainSimulator.ts';
import { drawnStream } from './testing/streams.ts';

/** Allocators with options that change what they do; `random` gives other nodes at each call, which no plain simulator repeats. */
const allocators: readonly { readonly entry: FinderEntry; readonly options: OptionValues }[] = finders
  .filter(({ name }) => name !== 'random')
  .flatMap((entry) => [
    { entry, options: {} },
    ...(entry.name === 'paging'
      ? [
          { entry, options: { size: 1 } },
          { entry, options: { index: 'snake' } },
        ]
      : []),
  ]);

/** Few jobs on a small mesh; sizes and times are small whole numbers, so that much happens at one instant. */
const stream = (jobs: number, side: number): StreamDescription =>
  drawnStream(
    {
      arrivals: weighted([0, 1, 3], [2, 2, 1]),
      size: {
        kind: 'sides',
        width: { name: 'uniform', options: { from: 1, to: side } },
        height: { name: 'uniform', options: { from: 1, to: side } },
      },
    },
    {
      service: { kind: 'distribution', distribution: weighted([0, 1, 2, 5, 9], [1, 2, 2, 2, 1]) },
      end: { kind: 'arrived', jobs },
    },
  );

const weighted = (values: readonly number[], shares: readonly number[]): Choice => ({
  name: 'weighted',
  options: {},
  argument: { kind: 'weights', values, shares },
});

const mesh = gridMachine('mesh', [4, 4]);

function finderOf({ entry, options }: (typeof allocators)[number]) {
  const finder = entry.finder(mesh, { ...defaultOptions(entry), ...options }, seededRandom(1));
  if (!finder.ok) throw new Error(finder.failure.message);
  return finder.value;
}

const choiceOf = (name: string, options: OptionValues): Choice => ({
  name,
  options: { ...defaultOptions(findEntry(schedulers, name)!), ...options },
});

/** The allocator itself on whole machine states. */
function plainMachine(allocator: (typeof allocators)[number]): PlainMachine {
  const finder = finderOf(allocator);
  return {
    nodes: mesh.nodeCount,
    isContiguous: allocator.entry.contiguous,
    find: (busy, { processors, width, height }) => {
      const nodes = finder.find(Uint8Array.from(busy, Number), { nodeCount: processors, sides: [width, height] });
      return nodes && [...nodes];
    },
  };
}

const plainJobsOf = ({ jobs }: StreamRun): PlainJob[] =>
  Array.from({ length: jobs.count }, (_, job) => ({
    submit: jobs.submit[job]!,
    run: jobs.run[job]!,
    estimate: jobs.estimate[job]!,
    processors: jobs.processors[job]!,
    width: jobs.width[job]!,
    height: jobs.height[job]!,
  }));

const seeds = casesOf(8, 40);

/** Replications of a scheduler with many seeds. */
function checkScheduler(
  contract: Contract,
  allocator: (typeof allocators)[number],
  { name, options, plain, counting = plain }: (typeof plainSchedulers)[number],
): void {
  const { contiguous } = allocator.entry;
  const machine = plainMachine(allocator);
  let waited = 0;
  for (let seed = 0; seed < seeds; seed++) {
    const result = replicate({
      stream: stream(4 + (seed % 12), 4),
      seed,
      nodeCount: mesh.nodeCount,
      schedule: choiceOf(name, options),
      allocator: { contiguous, finder: () => ({ ok: true, value: finderOf(allocator) }) },
      keepNodes: true,
      cancellation: neverCancelled,
    });
    if (!result.ok) throw new Error(result.failure.message);
    const { run } = result.value;
    const jobs = plainJobsOf(run);
    waited += jobs.filter(({ submit }, job) => run.starts[job]! > submit).length;

    contract.property('starts jobs when a plain simulator does', (look) => {
      const expected = simulatePlainly(jobs, machine, contiguous ? plain : counting).join();
      look(run.starts.join() === expected, () => `seed ${seed}: ${run.starts.join()}, not ${expected}`);
    });

    contract.property(
      'gives every job nodes of its own from start to end, at least as many as it asked for',
      (look) => {
        const held = run.nodes.flatMap((nodes, job) => [...(nodes ?? [])].map((node) => ({ node, job })));
        for (const { node, job } of held) {
          const others = held.filter((other) => other.node === node && other.job > job);
          const isAlone = others.every(
            (other) => run.ends[job]! <= run.starts[other.job]! || run.ends[other.job]! <= run.starts[job]!,
          );
          look(isAlone, () => `seed ${seed}: node ${node} of job ${job}`);
        }
        jobs.forEach(({ processors }, job) => {
          if (Number.isNaN(run.starts[job]!)) return;
          look(run.nodes[job]!.length >= processors, () => `seed ${seed}: ${processors} for job ${job}`);
        });
      },
    );

    contract.property("keeps Little's law: jobs in the system, as time goes on, are their times in it", (look) => {
      const times = jobs.reduce(
        (sum, { submit }, job) => sum + (run.refusedJobs[job] === 1 ? 0 : run.ends[job]! - submit),
        0,
      );
      look(Math.abs(run.jobTime - times) < 5e-7, () => `seed ${seed}: ${run.jobTime}, not ${times}`);
    });
  }
  contract.property('is tried where jobs have to wait', (look) => {
    look(waited > seeds / 2, () => `${waited} of ${seeds} seeds`);
  });
}

for (const allocator of allocators) {
  testContract(`replications with ${allocator.entry.name} ${JSON.stringify(allocator.options)}`, (contract) => {
    for (const scheduler of plainSchedulers) {
      contract.on(`${scheduler.name} ${JSON.stringify(scheduler.options)}`, () => {
        checkScheduler(contract, allocator, scheduler);
      });
    }
  });
}
