import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../model/cancellation.ts';
import { seededRandom } from '../../model/random.ts';
import type { Traffic } from '../../model/traffic.ts';
import { buildMachine } from '../../network/machine.ts';
import { axisBandwidths, gridDescription, gridMachine } from '../../network/testing/machines.ts';
import { networkMachine } from '../../network/testing/networkMachines.ts';
import { tableTraffic } from '../../traffic/build.ts';
import { outlinedHotLinks } from '../report.ts';
import { bruteForce } from '../testing/bruteForce.ts';
import { randomJobs, randomMachine } from '../testing/placements.ts';
import { evaluate } from './evaluate.ts';
import { casesOf } from '../../model/testing/thoroughness.ts';

describe('evaluate', () => {
  it('equals walking the route of every pair, exactly for whole amounts', () => {
    const random = seededRandom(5);
    let hotLinksSeen = 0;
    const rounds = casesOf(70, 200);
    for (let round = 0; round < rounds; round++) {
      const machine = randomMachine(random);
      const jobs = randomJobs(machine, random);
      const factor = 1 + random.fraction();
      const { loads, hot, averageHops, hopVariance, ...expected } = bruteForce(machine, jobs, factor);
      const { metrics, linkLoads, hotLinks } = evaluate(machine, jobs, factor, neverCancelled)!;
      expect(metrics).toMatchObject({ ...expected, mappingCoefficient: expected.hopBytes });
      expect(metrics.averageHops).toBe(averageHops);
      expect(metrics.hopVariance).toBeCloseTo(hopVariance, 10);
      expect(metrics.congestionTime).toBe(expected.maximumLinkLoad / 1000);
      expect([...linkLoads]).toEqual(loads);
      expect(hotLinks.map(({ link, load }) => ({ link, load }))).toEqual(hot.map(({ link, load }) => ({ link, load })));
      expect(hotLinks.slice(0, outlinedHotLinks)).toMatchObject(
        hot.slice(0, outlinedHotLinks).map(({ flows, flowCount, jobBytes }) => ({ flows, flowCount, jobBytes })),
      );
      hotLinksSeen += hot.length;
    }
    expect(hotLinksSeen).toBeGreaterThan(rounds);
  });

  it('takes the time of the busiest link, which is not the most loaded one where axes differ', () => {
    const machine = gridMachine('mesh', [3, 3], { figures: axisBandwidths(400, 100) });
    // 12 bytes in x and 6 in y, over one link each.
    const entries = { size: 9, from: Int32Array.of(0, 0), to: Int32Array.of(1, 3), amount: Float64Array.of(12, 6) };
    const traffic = tableTraffic(entries, 9, 1);
    if (!traffic.ok) throw new Error(traffic.failure.message);
    const identity = Int32Array.from({ length: 9 }, (_, task) => task);
    const job = { name: 'two', taskCount: 9, periodic: false, traffic: traffic.value };
    const { metrics } = evaluate(machine, [{ job, allocation: identity, mapping: identity }], 2, neverCancelled)!;
    expect(metrics).toMatchObject({ maximumLinkLoad: 12, congestionTime: 6 / 100 });
  });

  // 1,026² pairs are more than one batch of 2²⁰.
  const taskCount = 1026;
  let denseTraffic: Traffic | undefined;
  const madeDenseTraffic = (): Traffic => {
    const entries = {
      size: taskCount,
      from: Int32Array.from({ length: taskCount ** 2 }, (_, index) => index % taskCount),
      to: Int32Array.from({ length: taskCount ** 2 }, (_, index) => Math.floor(index / taskCount)),
      amount: Float64Array.from({ length: taskCount ** 2 }, (_, index) => 1 + ((index % taskCount) % 3)),
    };
    const traffic = tableTraffic(entries, taskCount, 1);
    if (!traffic.ok) throw new Error(traffic.failure.message);
    return traffic.value;
  };

  it.each(['dimension-order', 'minimal'])('hands a dense table to %s in parts without losing any of it', (name) => {
    const built = buildMachine({ ...gridDescription('torus', [taskCount]), routing: { name, options: {} } });
    if (!built.ok) throw new Error(built.failure.message);
    const machine = built.value;
    const traffic = (denseTraffic ??= madeDenseTraffic());
    const identity = Int32Array.from({ length: taskCount }, (_, task) => task);
    const job = { name: 'dense', taskCount, periodic: false, traffic };
    const { metrics, linkLoads } = evaluate(
      machine,
      [{ job, allocation: identity, mapping: identity }],
      2,
      neverCancelled,
    )!;
    // Every byte crosses as many links as it has hops.
    expect(linkLoads.reduce((sum, load) => sum + load, 0)).toBe(metrics.hopBytes);
    // Distances round a ring of 2h add up to h² from every task; tasks send 1, 2 or 3 bytes by id mod 3.
    expect(metrics.averageHops).toBe(513 ** 2 / 1025);
    expect(metrics.hopBytes).toBe(513 ** 2 * 342 * (1 + 2 + 3));
  });

  it('takes the mean over the rails as the hops of a striped message, in all figures', () => {
    const leaf = (router: number) => [{ router, rail: 1 }];
    const fabric = {
      format: 'test',
      routers: ['a', 'b', 'c', 'top'],
      cables: [0, 1, 2].map((from) => ({ from, to: 3 })),
      nodes: [
        { name: 'n0', router: 0, further: leaf(1) },
        { name: 'n1', router: 0, further: leaf(2) },
        { name: 'n2', router: 0, further: leaf(1) },
      ],
      warnings: [],
    };
    const machine = networkMachine('from', { fabric });
    const traffic = {
      taskCount: 3,
      rowStart: Int32Array.of(0, 2, 4, 6),
      partner: Int32Array.of(1, 2, 0, 2, 0, 1),
      bytes: new Float64Array(6).fill(10),
    };
    const job = { name: 'all', taskCount: 3, periodic: false, traffic };
    const nodes = Int32Array.of(0, 1, 2);
    const { metrics, hops } = evaluate(machine, [{ job, allocation: nodes, mapping: nodes }], 2, neverCancelled)!;
    // Rail 0 is 2 hops everywhere. Rail 1 is 2 hops between n0 and n2, and 4 to n1: four pairs of 3 hops, two of 2.
    expect(metrics.averageHops).toBeCloseTo(16 / 6, 12);
    expect(metrics.hopVariance).toBeCloseTo(2 / 9, 12);
    expect(metrics.maximumHops).toBe(3);
    expect(metrics.hopBytes).toBeCloseTo(160, 9);
    // The histogram is of the parts.
    expect([...hops!.pairs]).toEqual([0, 0, 4, 0, 2]);
  });

  it('gives no mapping coefficient where there are several routes and no distances for them', () => {
    const machine = gridMachine('torus', [4]);
    const jobs = randomJobs(machine, seededRandom(1));
    const several = { ...machine, routing: { ...machine.routing, singlePath: false } };
    expect(evaluate(several, jobs, 2, neverCancelled)!.metrics.mappingCoefficient).toBeUndefined();
  });

  it('stops when it is cancelled, at any look', () => {
    const machine = gridMachine('torus', [6, 6], { cores: 2 });
    const jobs = randomJobs(machine, seededRandom(8));
    let looks = 0;
    evaluate(machine, jobs, 1, { isCancelled: () => (looks++, false) });
    expect(looks).toBeGreaterThan(1);
    for (let allowed = 0; allowed < looks; allowed++) {
      let left = allowed;
      expect(evaluate(machine, jobs, 1, { isCancelled: () => left-- <= 0 })).toBeUndefined();
    }
  });
});
