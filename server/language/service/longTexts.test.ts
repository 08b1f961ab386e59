import { Worker } from 'node:worker_threads';
import { beforeAll, describe, expect, it } from 'vitest';
import { growingTexts, quadratic } from './testing/growingTexts.ts';
import type { CountedWork } from './testing/workCounter.ts';

let counted: readonly CountedWork[];
beforeAll(async () => {
  counted = await new Promise((resolve, reject) => {
    const counter = new Worker(new URL('./testing/workCounter.ts', import.meta.url));
    counter.once('message', resolve).once('error', reject);
  });
});

/** How many times as much work it is for eight times the text. */
function growthOf(name: string): number {
  const { small, large } = counted.find((one) => one.name === name)!;
  expect(small).toBeGreaterThan(500);
  return large / small;
}

describe('features do work in proportion to the text:', () => {
  it.each(growingTexts.filter(([name]) => name !== quadratic))('%s', (name) => {
    expect(growthOf(name)).toBeLessThan(12);
  });

  it('which would show, were it its square', () => {
    expect(growthOf(quadratic)).toBeGreaterThan(50);
  });
});
