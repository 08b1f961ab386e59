import { describe, expect, it } from 'vitest';
import { defaultOptions, findEntry, type OptionValues } from '../model/catalogue.ts';
import { seededRandom } from '../model/random.ts';
import type { Result } from '../model/result.ts';
import type { Traffic } from '../model/traffic.ts';
import { patternTraffic } from './build.ts';
import { patterns } from './catalogue.ts';
import { brokenPromises, pairsOf } from './testing/pairs.ts';

interface Case {
  readonly tasks: number;
  readonly grid?: readonly number[];
  readonly periodic?: boolean;
  readonly options?: OptionValues;
  readonly bytes?: number;
  readonly seed?: number;
}

function trafficOf(name: string, given: Case): Result<Traffic> {
  const entry = findEntry(patterns, name)!;
  const request = {
    taskCount: given.tasks,
    periodic: given.periodic ?? false,
    random: seededRandom(given.seed ?? 1),
    options: { ...defaultOptions(entry), ...given.options },
    ...(given.grid && { grid: given.grid }),
  };
  return patternTraffic(entry, request, given.bytes ?? 1);
}

/** `0->1 2` stands for 0->1:1 and 0->2:1. */
function expand(rows: string): string[] {
  return rows
    .split(',')
    .map((row) => row.trim())
    .filter((row) => row !== '')
    .flatMap((row) => {
      const [from = '', to = ''] = row.split('->');
      return to.split(' ').map((receiver) => `${from}->${receiver.includes(':') ? receiver : `${receiver}:1`}`);
    });
}

const butterflyOfEight = '0->1 2 4, 1->0 3 5, 2->0 3 6, 3->1 2 7, 4->0 5 6, 5->1 4 7, 6->2 4 7, 7->3 5 6';

describe('patterns', () => {
  it.each<{ name: string; given: Case; pairs: string }>([
    { name: 'one-to-all', given: { tasks: 4 }, pairs: '0->1 2 3' },
    { name: 'one-to-all', given: { tasks: 4, options: { root: 2 } }, pairs: '2->0 1 3' },
    { name: 'all-to-one', given: { tasks: 4, options: { root: 1 } }, pairs: '0->1, 2->1, 3->1' },
    { name: 'all-to-all', given: { tasks: 3 }, pairs: '0->1 2, 1->0 2, 2->0 1' },
    { name: 'near-neighbour', given: { tasks: 3 }, pairs: '0->1, 1->0 2, 2->1' },
    { name: 'near-neighbour', given: { tasks: 3, periodic: true }, pairs: '0->1 2, 1->0 2, 2->0 1' },
    { name: 'near-neighbour', given: { tasks: 4, grid: [2, 2] }, pairs: '0->1 2, 1->0 3, 2->0 3, 3->1 2' },
    {
      name: 'near-neighbour',
      given: { tasks: 6, grid: [3, 2], periodic: true },
      pairs: '0->1 2 3:2, 1->0 2 4:2, 2->0 1 5:2, 3->0:2 4 5, 4->1:2 3 5, 5->2:2 3 4',
    },
    { name: 'ring', given: { tasks: 4 }, pairs: '0->1, 1->2, 2->3, 3->0' },
    { name: 'ring', given: { tasks: 2 }, pairs: '0->1, 1->0' },
    { name: 'linear', given: { tasks: 4, bytes: 1 }, pairs: '0->1, 1->2, 2->3' },
    { name: 'linear', given: { tasks: 3, bytes: 2.5 }, pairs: '0->1:2.5, 1->2:2.5' },
    { name: 'transpose', given: { tasks: 9 }, pairs: '1->3, 2->6, 3->1, 5->7, 6->2, 7->5' },
    { name: 'butterfly', given: { tasks: 8 }, pairs: butterflyOfEight },
    { name: 'tree', given: { tasks: 6 }, pairs: '0->1 2, 1->0 3 4, 2->0 5, 3->1, 4->1, 5->2' },
  ])('$name of $given.tasks tasks: $pairs', ({ name, given, pairs }) => {
    expect(pairsOf(trafficOf(name, given))).toEqual(expand(pairs));
  });

  it.each<{ name: string; given: Case; code: string }>([
    { name: 'one-to-all', given: { tasks: 4, options: { root: 4 } }, code: 'no-such-task' },
    { name: 'all-to-one', given: { tasks: 4, options: { root: -1 } }, code: 'no-such-task' },
    { name: 'transpose', given: { tasks: 8 }, code: 'task-count-not-square' },
    { name: 'butterfly', given: { tasks: 12 }, code: 'task-count-not-power-of-two' },
    { name: 'all-to-all', given: { tasks: 10_000 }, code: 'too-many-pairs' },
    { name: 'all-to-all', given: { tasks: 1e9 }, code: 'too-many-pairs' },
    { name: 'linear', given: { tasks: 4, bytes: 1e308 }, code: 'amounts-too-large' },
    { name: 'linear', given: { tasks: 4, bytes: NaN }, code: 'invalid-amount' },
    { name: 'linear', given: { tasks: 4, bytes: -1 }, code: 'invalid-amount' },
  ])('$name of $given.tasks tasks fails: $code', ({ name, given, code }) => {
    expect(pairsOf(trafficOf(name, given))).toBe(code);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('random: of few tasks each sends to another one, seed %i', (seed) => {
    const traffic = trafficOf('random', { tasks: 3, seed });
    if (!traffic.ok) throw new Error(traffic.failure.message);
    expect([...traffic.value.rowStart]).toEqual([0, 1, 2, 3]);
    expect(traffic.value.partner.findIndex((receiver, sender) => receiver === sender)).toBe(-1);
  });

  it('random: every task sends to one other task, receivers near and far equally likely', () => {
    const tasks = 4000;
    const traffic = trafficOf('random', { tasks });
    if (!traffic.ok) throw new Error(traffic.failure.message);
    const { rowStart, partner } = traffic.value;
    expect([...rowStart]).toEqual([...Array(tasks + 1).keys()]);
    const quarters = [0, 0, 0, 0];
    partner.forEach((receiver, sender) => {
      quarters[Math.floor((((receiver - sender + tasks) % tasks) * 4) / tasks)]!++;
    });
    for (const count of quarters) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });

  describe.each(patterns.map(({ name }) => ({ name })))('$name', ({ name }) => {
    it.each([1, 4, 16, 64, 256])('keeps the promises of traffic with %i tasks, the same for one seed', (tasks) => {
      const traffic = trafficOf(name, { tasks, seed: 7, bytes: 3 });
      if (!traffic.ok) throw new Error(traffic.failure.message);
      expect(brokenPromises(traffic.value)).toEqual([]);
      expect(traffic.value.taskCount).toBe(tasks);
      expect(traffic.value.partner.length > 0).toBe(tasks > 1);
      expect(trafficOf(name, { tasks, seed: 7, bytes: 3 })).toEqual(traffic);
    });

    it('adds no more pairs than it said', () => {
      const entry = findEntry(patterns, name)!;
      for (const periodic of [false, true]) {
        const request = { taskCount: 16, grid: [4, 4], periodic, random: seededRandom(1), options: { root: 0 } };
        let added = 0;
        entry.generate(request, (from, to) => {
          if (from !== to) added++;
        });
        expect(added).toBeLessThanOrEqual(entry.pairBound(request));
      }
    });

    it('has no pairs where messages are of 0 bytes', () => {
      expect(pairsOf(trafficOf(name, { tasks: 16, bytes: 0 }))).toEqual([]);
    });
  });
});
