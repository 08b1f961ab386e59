import { afterEach, describe, expect, it } from 'vitest';
import { singleThreadPool, type WorkItem, type WorkItemMaterials } from '../../optimisation/workerPool.ts';
import { prepareAnnealing } from '../../optimisation/annealing/annealing.ts';
import { hopBytes } from '../../mapping/criteria/distance.ts';
import { prepareSearch } from '../../mapping/criteria/prepare.ts';
import { neighbourTraffic, problemOn } from '../../mapping/testing/problems.ts';
import { ignoreProgress, neverCancelled } from '../../model/cancellation.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import { HelperThreads } from './helperThreads.ts';
import { ThreadedWorkerPool } from './searchPool.ts';

const helper = new URL('../helper.ts', import.meta.url);

const materials: WorkItemMaterials = (() => {
  const problem = problemOn(gridMachine('torus', [8, 8, 8]), { traffic: neighbourTraffic([32, 16]), grid: [32, 16] });
  const prepared = prepareSearch(problem, hopBytes, { cancellation: neverCancelled, progress: ignoreProgress });
  if (!prepared.ok) throw new Error(prepared.failure.message);
  const { graph, weightUnit, places, costs } = prepared.value;
  const core = { graph, weightUnit, places, costs };
  return { core, annealing: prepareAnnealing(core) };
})();

/** Chains of different seeds, long enough that helpers get some of them. */
const workItems: readonly WorkItem[] = Array.from({ length: 6 }, (_, seed) => ({
  kind: 'anneal',
  order: {
    placeOfTask: Int32Array.from({ length: 512 }, (__, task) => task),
    seed,
    steps: 200_000,
    from: 2,
    to: 0.1,
    finalDescent: true,
  },
}));
const alone = singleThreadPool.open(materials).run(workItems, neverCancelled);

describe('threads that search together', () => {
  const started: HelperThreads[] = [];
  const workerPoolOf = (path: URL, helpers: number): ThreadedWorkerPool => {
    const threads = new HelperThreads(path, helpers);
    started.push(threads);
    return new ThreadedWorkerPool(threads);
  };
  afterEach(async () => {
    await Promise.all(started.splice(0).map((threads) => threads.stop()));
  });

  it.each([
    { what: 'nobody', path: helper, helpers: 0 },
    { what: 'one', path: helper, helpers: 1 },
    { what: 'three', path: helper, helpers: 3 },
    { what: 'one that cannot be started', path: new URL('../search/none.ts', import.meta.url), helpers: 1 },
  ])('come to the same with the help of $what, time and again', ({ path, helpers }) => {
    const workerPool = workerPoolOf(path, helpers);
    expect(workerPool.threads).toBe(helpers + 1);
    for (let round = 0; round < 2; round++) {
      const session = workerPool.open(materials);
      expect(session.run(workItems, neverCancelled)).toEqual(alone);
      expect(session.run(workItems.slice(0, 1), neverCancelled)).toEqual(alone.slice(0, 1));
      session.close();
    }
  });

  it('answer at once with what they have when they are stopped', () => {
    const workerPool = workerPoolOf(helper, 1);
    const long = workItems.map((workItem) =>
      workItem.kind === 'anneal' ? { ...workItem, order: { ...workItem.order, steps: 1e9 } } : workItem,
    );
    let looks = 0;
    const outcomes = workerPool.open(materials).run(long, { isCancelled: () => looks++ > 20 });
    expect(outcomes).toHaveLength(long.length);
    for (const { annealed } of outcomes) expect(annealed!.evaluations).toBeLessThan(1e9);
    // Helpers are free again for the next search.
    expect(workerPool.open(materials).run(workItems, neverCancelled)).toEqual(alone);
  });
});
