import { afterEach, describe, expect, it } from 'vitest';
import { ignoreProgress, neverCancelled } from '../../model/cancellation.ts';
import { routeCircuitsOf } from '../../network/distances/routeCircuits.ts';
import { solveHere } from '../../network/distances/solveDistances.ts';
import { randomCables, switchesMachine } from '../../network/distances/testing/networks.ts';
import { HelperThreads } from './helperThreads.ts';
import { DistancePool } from './distancePool.ts';
import { createTask, shareTaken } from './sharedTask.ts';

const helper = new URL('../helper.ts', import.meta.url);
const circuits = routeCircuitsOf(switchesMachine(400, randomCables(400, 6, 1)))!;
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
const alone = solveHere(circuits, wanted, neverCancelled, ignoreProgress)!;
const bytesOf = ({ buffer, byteLength }: Float64Array): Buffer => Buffer.from(buffer, 0, byteLength);

describe('threads that help with distances', () => {
  const started: HelperThreads[] = [];
  const threadsOf = (path: URL, helpers: number): HelperThreads => {
    const threads = new HelperThreads(path, helpers);
    started.push(threads);
    return threads;
  };
  const poolOf = (path: URL, helpers: number): DistancePool => new DistancePool(threadsOf(path, helpers));
  afterEach(async () => {
    await Promise.all(started.splice(0).map((threads) => threads.stop()));
  });

  it.each([
    { what: 'nobody', path: helper, helpers: 0 },
    { what: 'one', path: helper, helpers: 1 },
    { what: 'three', path: helper, helpers: 3 },
    { what: 'one that cannot be started', path: new URL('../distances/none.ts', import.meta.url), helpers: 1 },
  ])('give the same bytes with the help of $what, time and again', ({ path, helpers }) => {
    const pool = poolOf(path, helpers);
    for (let round = 0; round < 3; round++) {
      const values = pool.solve(circuits, wanted, neverCancelled, ignoreProgress)!;
      expect(bytesOf(values).equals(bytesOf(alone))).toBe(true);
    }
  });

  it('do all of it where the caller does nothing', async () => {
    const task = createTask(circuits, wanted);
    for (const one of threadsOf(helper, 2).call()) one.tell({ kind: 'distances', task });
    while (task.states.subarray(2).includes(0)) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(bytesOf(task.values).equals(bytesOf(alone))).toBe(true);
    expect(shareTaken(task)).toBe(1);
  });

  it('stop with the caller', async () => {
    const task = createTask(circuits, wanted);
    Atomics.store(task.states, 1, 1);
    for (const one of threadsOf(helper, 1).call()) one.tell({ kind: 'distances', task });
    while (shareTaken(task) === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await started[0]!.stop();
    expect(task.states.subarray(2).includes(1)).toBe(false);
    expect(shareTaken(task)).toBeLessThan(1);
  });

  it('leave nothing where it is cancelled, and say how far they are', () => {
    const pool = poolOf(helper, 1);
    const shares: number[] = [];
    let looks = 0;
    const cancelLate = { isCancelled: () => looks++ > 20_000 };
    expect(pool.solve(circuits, wanted, cancelLate, (share) => shares.push(share))).toBeUndefined();
    expect(shares.length).toBeGreaterThan(10);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
  });
});
