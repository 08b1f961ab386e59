import { afterEach, describe, expect, it } from 'vitest';
import { ignoreProgress, neverCancelled } from '../../model/cancellation.ts';
import { routeCircuitsOf } from '../../network/distances/routeCircuits.ts';
import { solveHere } from '../../network/distances/equivalentSolver.ts';
import { randomCables, switchesMachine } from '../../network/distances/testing/networks.ts';
import { solveOnThreads } from './distances.ts';
import { WorkQueue } from './workQueue.ts';

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
    for (let round = 0; round < 3; round++) {
      const values = solve(circuits, wanted, neverCancelled, ignoreProgress)!;
      expect(bytesOf(values).equals(bytesOf(alone))).toBe(true);
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
