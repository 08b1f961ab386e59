import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../model/cancellation.ts';
import type { Machine } from '../model/machine.ts';
import type { NetworkModel } from '../model/networkModel.ts';
import { seededRandom } from '../model/random.ts';
import { gridMachine } from '../network/testing/machines.ts';
import { paperCluster } from '../queueing/testing/paperWorkloads.ts';
import { tableTraffic } from '../traffic/build.ts';
import { messageNetwork } from './engines.ts';
import {
  measureRate,
  trafficDestination,
  uniformDestination,
  type Destination,
  type RateResult,
  type RateSampling,
} from './rates.ts';

const worms: NetworkModel = {
  switching: 'wormhole',
  channels: 2,
  packet: 8,
  buffer: 8,
  router: { unit: 'cycles', amount: 1 },
};
const cutThrough: NetworkModel = { switching: 'cut-through', bubble: { packets: 2, here: true }, routing: 'adaptive' };
const sampling: RateSampling = { warmUp: 500, sample: 500, samples: 10 };

/** Packets of 8 flits, 32 bytes, to any other node, at a rate in flits per node and cycle. */
function measured(
  model: NetworkModel,
  machine: Machine,
  rate: number,
  more: Partial<RateSampling> = {},
  seed = 2,
  destination: Destination = uniformDestination(machine.nodeCount),
): RateResult {
  const result = measureRate(
    (observer) => messageNetwork(model, machine, observer, seededRandom(1)),
    {
      ends: machine.nodeCount,
      destination,
      bytes: 32,
      messagesPerCycle: rate / 8,
    },
    { ...sampling, ...more },
    seededRandom(seed),
    neverCancelled,
  );
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('traffic at a rate', () => {
  const mesh = gridMachine('mesh', [8, 8]);

  it.each([
    // Mean hops of the mesh 16/3: h(r + l) + r + L − 1 with r = 1.
    { name: 'worms', model: worms, machine: mesh, alone: (16 / 3) * 2 + 1 + 7 },
    // Mean hops of the torus 256/63 · 63/64 · 64/63.
    { name: 'packets', model: cutThrough, machine: gridMachine('torus', [8, 8]), alone: 256 / 63 + 7 },
  ])(
    'of $name is as quick as messages alone where it is low, and arrives as it is offered',
    ({ model, machine, alone }) => {
      const { end, latency, throughput, offered } = measured(model, machine, 0.02, { samples: 20 });
      expect(end).toBe('measured');
      expect(mean(latency)).toBeGreaterThan(alone - 0.3);
      expect(mean(latency)).toBeLessThan(alone + 1.5);
      expect(Math.abs(mean(throughput) / mean(offered) - 1)).toBeLessThan(0.02);
      expect(Math.abs(mean(offered) / 0.02 - 1)).toBeLessThan(0.1);
    },
  );

  it('waits longer the higher it is, up to saturation, which is found', () => {
    const results = [0.05, 0.2, 0.35].map((rate) => measured(worms, mesh, rate));
    expect(results.map(({ end }) => end)).toEqual(['measured', 'measured', 'measured']);
    const latencies = results.map(({ latency }) => mean(latency));
    expect(latencies).toEqual(latencies.toSorted((a, b) => a - b));
    // Half of the packets cross the bisection, 8 links each way for 64 nodes: no more than 0.5 can be carried.
    const above = measured(worms, mesh, 0.8);
    expect(above.end).toBe('saturated');
    expect(mean(above.throughput)).toBeLessThan(0.5);
    expect(mean(above.throughput)).toBeGreaterThan(0.3);
  });

  it('is not taken for saturation where few messages chance to be under way at the end of short samples', () => {
    const short = { warmUp: 100, sample: 100, samples: 3 };
    const seeds = Array.from({ length: 40 }, (_, index) => index);
    const ends = (rate: number) =>
      seeds.map((seed) => measured(cutThrough, gridMachine('torus', [4, 4]), rate, short, seed).end);
    expect(ends(0.1)).toEqual(seeds.map(() => 'measured'));
    expect(ends(2)).toEqual(seeds.map(() => 'saturated'));
  });

  it('that piles up is not simulated to the end', () => {
    const { end, cycles, latency } = measured(worms, mesh, 6, { samples: 1000 });
    expect(end).toBe('saturated');
    expect(latency.length).toBeLessThan(10);
    expect(cycles).toBeLessThan(10_000);
  });

  /** Saturation by a bound of one link, which most traffic does not use. */
  it.each<[string, Machine, (from: number) => number, number]>([
    // Seven rows turn into the column of the corner.
    ['transpose on a mesh', mesh, (from) => (from % 8) * 8 + Math.floor(from / 8), 1 / 7],
    [
      'two senders to one column of a mesh, and neighbours',
      mesh,
      (from) => (from === 0 ? 7 : from === 1 ? 15 : from ^ 8),
      1 / 2,
    ],
    ['three senders to one node of a mesh, and neighbours', mesh, (from) => (from < 3 ? 7 : from ^ 8), 1 / 3],
  ])('is found where few links are saturated: %s', (_, machine, to, bound) => {
    const model: NetworkModel = { switching: 'cut-through', router: { unit: 'cycles', amount: 0 } };
    const endAt = (rate: number, seed: number) =>
      measured(model, machine, rate, { warmUp: 2000, sample: 1000, samples: 20 }, seed, to).end;
    for (const seed of [1, 2, 3]) {
      expect([seed, endAt(0.85 * bound, seed)]).toEqual([seed, 'measured']);
      expect([seed, endAt(1.2 * bound, seed)]).toEqual([seed, 'saturated']);
    }
  });

  it('may come to a deadlock, which is told', () => {
    const ring = gridMachine('torus', [6]);
    const { end, deadlock } = measured({ ...worms, channels: 1, arbiter: 'round-robin', buffer: 1 }, ring, 0.9);
    expect(end).toBe('deadlock');
    expect(deadlock?.waits.length).toBeGreaterThan(2);
  });

  it('is the same for the same seed, and ends when there are enough samples', () => {
    const whole = measured(worms, mesh, 0.1);
    expect(measured(worms, mesh, 0.1)).toEqual(whole);
    const few = measured(worms, mesh, 0.1, { isEnough: ({ latency }) => latency.length === 4 });
    expect(few.latency).toEqual(whole.latency.slice(0, 4));
    expect(few.cycles).toBe(500 + 4 * 500);
  });

  it('goes between cores of a cluster too', () => {
    const machine = paperCluster(4, 1, 2);
    const result = measureRate(
      (observer) => messageNetwork({ switching: 'queueing' }, machine, observer, seededRandom(1)),
      {
        ends: machine.slotCount,
        destination: uniformDestination(machine.slotCount),
        bytes: 1024,
        messagesPerCycle: 1e-6,
      },
      { warmUp: 1e6, sample: 1e7, samples: 3 },
      seededRandom(2),
      neverCancelled,
    );
    if (!result.ok) throw new Error(result.failure.message);
    expect(result.value.end).toBe('measured');
    // Four times 2.95 µs for queue pairs and hardware, about 3 µs for the rest; two of a node take less.
    expect(mean(result.value.latency)).toBeGreaterThan(10_000);
    expect(mean(result.value.latency)).toBeLessThan(18_000);
  });

  it('is cancelled, and fails with what the network fails with', () => {
    const run = (model: NetworkModel, isCancelled: () => boolean) =>
      measureRate(
        (observer) => messageNetwork(model, mesh, observer),
        { ends: 64, destination: uniformDestination(64), bytes: 32, messagesPerCycle: 0.01 },
        { warmUp: 1e6, sample: 1e6, samples: 100 },
        seededRandom(1),
        { isCancelled },
      );
    expect(run(worms, () => true)).toMatchObject({ ok: false, failure: { code: 'cancelled' } });
    expect(run({ ...worms, channels: 99 }, () => false)).toMatchObject({ ok: false, failure: { code: 'bad-network' } });
  });
});

describe('destinations of traffic', () => {
  it('come as often as their bytes say; a task without receivers sends nothing', () => {
    const entries = {
      size: 4,
      from: Int32Array.of(0, 0, 2),
      to: Int32Array.of(1, 3, 0),
      amount: Float64Array.of(300, 100, 5),
    };
    const traffic = tableTraffic(entries, 4, 1);
    if (!traffic.ok) throw new Error(traffic.failure.message);
    const destination = trafficDestination(traffic.value);
    const random = seededRandom(1);
    const counts = [0, 0, 0, 0];
    for (let draw = 0; draw < 4000; draw++) counts[destination(0, random)]!++;
    expect(counts[1]! + counts[3]!).toBe(4000);
    expect(Math.abs(counts[1]! / 4000 - 3 / 4)).toBeLessThan(0.03);
    expect([1, 2, 3].map((from) => destination(from, random))).toEqual([-1, 0, -1]);
  });
});
