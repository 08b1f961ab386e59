import { Worker } from 'node:worker_threads';
import { beforeAll, describe, expect, it } from 'vitest';
import { casesOf } from '../model/testing/thoroughness.ts';
import type { CountedLooks } from './testing/lookCounter.ts';
import { longWorks } from './testing/longWorks.ts';

/** Blocks of code, some ten milliseconds where they are not counted. */
const mostBlocks = 2 ** 22;

/** A few of the works, of another kind for each engine; all of them in the slow suite. */
const every = casesOf(7, 1);

let counted: readonly CountedLooks[];
beforeAll(async () => {
  counted = await new Promise((resolve, reject) => {
    const counter = new Worker(new URL('./testing/lookCounter.ts', import.meta.url), { workerData: { every } });
    counter.once('message', resolve).once('error', reject);
  });
}, 240_000);

describe('a simulation looks often whether it is cancelled:', () => {
  it.each(
    longWorks()
      .filter((_, index) => index % every === 0)
      .map(([name]) => name),
  )('%s', (name) => {
    const { most, looks } = counted.find((one) => one.name === name)!;
    expect(looks).toBeGreaterThan(0);
    expect(most).toBeLessThan(mostBlocks);
  });
});
