import { afterEach, describe, expect, it } from 'vitest';
import { mappers } from '../../mapping/catalogue.ts';
import { hopBytes } from '../../mapping/criteria/additive.ts';
import { prepareSearch } from '../../mapping/criteria/contract.ts';
import { mapWith } from '../../mapping/testing/problems.ts';
import { ignoreProgress, neverCancelled } from '../../model/cancellation.ts';
import { findEntry } from '../../model/catalogue.ts';
import { solveHere } from '../../network/distances/equivalentSolver.ts';
import { routeCircuitsOf } from '../../network/distances/knownDistances.ts';
import { randomCables, switchesMachine } from '../../network/distances/testing/networks.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import { prepareAnnealing } from '../../optimisation/annealing/annealing.ts';
import { neighbourTraffic, problemOn, randomTraffic } from '../../optimisation/testing/problems.ts';
import {
  singleThreadPool,
  type WorkerPool,
  type WorkItem,
  type WorkItemInputs,
} from '../../optimisation/workerPool.ts';
import { poolOfThreads, solveOnThreads } from './workloads.ts';
import { WorkQueue } from './workQueue.ts';

const inputs: WorkItemInputs = (() => {
  const problem = problemOn(gridMachine('torus', [8, 8, 8]), { traffic: neighbourTraffic([32, 16]), grid: [32, 16] });
  const prepared = prepareSearch(problem, hopBytes, { cancellation: neverCancelled, progress: ignoreProgress });
  if (!prepared.ok) throw new Error(prepared.failure.message);
  const { graph, weightUnit, places, costs } = prepared.value;
  const core = { graph, weightUnit, places, costs };
  return { core, annealing: prepareAnnealing(core) };
})();

const auto = findEntry(mappers, 'auto')!;

/** Chains of different seeds, long enough that helpers get some of them. */
const workItems: readonly WorkItem[] = Array.from({ length: 6 }, (_, seed) => ({
  kind: 'anneal',
  order: {
    placeOfTask: Int32Array.from({ length: 512 }, (__, task) => task),
    seed,
    steps: 100_000,
    from: 2,
    to: 0.1,
    finalDescent: true,
  },
}));
const alone = singleThreadPool.open(inputs).run(workItems, neverCancelled);

describe('searches on several threads', () => {
  const made: WorkQueue[] = [];
  const workerPoolOf = (threads: number): WorkerPool => {
    const queue = new WorkQueue(new URL('../helper.ts', import.meta.url), threads - 1);
    made.push(queue);
    return poolOfThreads(queue);
  };
  afterEach(async () => {
    await Promise.all(made.splice(0).map((queue) => queue.stop()));
  });

  it.each([1, 2, 4])('come to the same with %i, time and again', (threads) => {
    const workerPool = workerPoolOf(threads);
    expect(workerPool.threads).toBe(threads);
    // Helpers have started by the second time; one thread has none.
    for (let round = 0; round < Math.min(threads, 2); round++) {
      const session = workerPool.open(inputs);
      expect(session.run(workItems, neverCancelled)).toEqual(alone);
      session.close();
    }
  });

  it.each([
    { what: 'many tasks, which are annealed', taskCount: 280, shape: [7, 7, 6] },
    { what: 'few tasks, on which searches with tables run', taskCount: 40, shape: [4, 4, 4] },
  ])('`auto` finds the same mapping with 1 and 3: $what', ({ taskCount, shape }) => {
    const traffic = randomTraffic(taskCount, 4 * taskCount, 1);
    const problem = problemOn(gridMachine('torus', shape), { taskCount, traffic });
    const options = { budget: { kind: 'steps', amount: 20_000 }, criterion: 'hop-bytes' } as const;
    const [alone, other] = [1, 3].map((threads) => {
      const { mapping, search } = mapWith(auto, problem, { options, workerPool: workerPoolOf(threads) });
      return { mapping, value: search!.value, evaluations: search!.evaluations };
    });
    expect(alone!.evaluations).toBeGreaterThan(10_000);
    expect(other).toEqual(alone);
  });

  it('answer at once with what they have when they are stopped', () => {
    const workerPool = workerPoolOf(2);
    const long = workItems.map((workItem) =>
      workItem.kind === 'anneal' ? { ...workItem, order: { ...workItem.order, steps: 1e9 } } : workItem,
    );
    let looks = 0;
    const outcomes = workerPool.open(inputs).run(long, { isCancelled: () => looks++ > 20 });
    expect(outcomes).toHaveLength(long.length);
    for (const { annealed } of outcomes) expect(annealed!.evaluations).toBeLessThan(1e9);
    // The other threads are free again for the next search.
    expect(workerPool.open(inputs).run(workItems, neverCancelled)).toEqual(alone);
  });
});

const circuits = routeCircuitsOf(switchesMachine(300, randomCables(300, 6, 1)))!;
const size = circuits.routerCount;
const all = Int32Array.from({ length: size }, (_, router) => router);
const wanted = {
  sources: all,
  targets: all,
  firstTarget: new Int32Array(size),
  endTarget: new Int32Array(size).fill(size),
  firstValue: all.map((source) => source * size),
  valueCount: size * size,
};
const distancesAlone = solveHere(circuits, wanted, neverCancelled, ignoreProgress)!;
const bytesOf = ({ buffer, byteLength }: Float64Array): Buffer => Buffer.from(buffer, 0, byteLength);

describe('distances on several threads', () => {
  const made: WorkQueue[] = [];
  const queueOf = (threads: number): WorkQueue => {
    const queue = new WorkQueue(new URL('../helper.ts', import.meta.url), threads - 1);
    made.push(queue);
    return queue;
  };
  afterEach(async () => {
    await Promise.all(made.splice(0).map((queue) => queue.stop()));
  });

  it.each([1, 2, 4])('are the same bytes with %i, time and again', (threads) => {
    const solve = solveOnThreads(queueOf(threads));
    for (let round = 0; round < Math.min(threads, 2); round++) {
      const values = solve(circuits, wanted, neverCancelled, ignoreProgress)!;
      expect(bytesOf(values).equals(bytesOf(distancesAlone))).toBe(true);
    }
  });

  it('are none where they were cancelled, and say how far they are', () => {
    const solve = solveOnThreads(queueOf(2));
    const shares: number[] = [];
    let looks = 0;
    const cancelLate = { isCancelled: () => looks++ > 20_000 };
    expect(solve(circuits, wanted, cancelLate, (share) => shares.push(share))).toBeUndefined();
    expect(shares.length).toBeGreaterThan(10);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
  });
});
