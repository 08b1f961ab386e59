import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../model/cancellation.ts';
import type { Machine } from '../model/machine.ts';
import { machineFactsOf, measuredDistances } from './facts.ts';
import { bisectionBandwidthOf, machineBisection } from './bisection.ts';
import { bandwidthOf } from './linkClasses.ts';
import { gridMachine } from './testing/machines.ts';
import { networkMachine } from './testing/networkMachines.ts';

describe('machineFactsOf', () => {
  it.each([
    { kind: 'torus', shape: [4, 4], cables: 32, diameter: 4, mean: 32 / 15, bisection: 8 },
    { kind: 'torus', shape: [16, 16, 16], cables: 12288, diameter: 24, mean: (12 * 4096) / 4095, bisection: 512 },
    { kind: 'mesh', shape: [16, 16], cables: 480, diameter: 30, mean: 32 / 3, bisection: 16 },
    { kind: 'hypercube', shape: [4], cables: 32, diameter: 4, mean: 32 / 15, bisection: 8 },
    { kind: 'torus', shape: [1], cables: 0, diameter: 0, mean: 0, bisection: 0 },
    { kind: 'torus', shape: [2], cables: 1, diameter: 1, mean: 1, bisection: 1 },
    // More than 2³² pairs.
    { kind: 'mesh', shape: [512, 512], cables: 523264, diameter: 1022, mean: 1024 / 3, bisection: 512 },
  ])('$kind $shape', ({ kind, shape, cables, diameter, mean, bisection }) => {
    const facts = machineFactsOf(gridMachine(kind, shape), neverCancelled);
    expect(facts).toMatchObject({ topology: kind, routing: 'dimension-order', cables, diameter, bisection });
    expect(facts.meanDistance).toBeCloseTo(mean, 9);
  });

  it.each([
    { kind: 'torus', shape: [5, 4, 1], hosts: 1 },
    { kind: 'torus', shape: [2, 3, 6], hosts: 3 },
    { kind: 'mesh', shape: [7, 2, 3], hosts: 2 },
    { kind: 'hypercube', shape: [5], hosts: 4 },
    { kind: 'mesh', shape: [1], hosts: 4 },
  ])('agrees with asking for every pair: $kind $shape, $hosts hosts', ({ kind, shape, hosts }) => {
    const machine = gridMachine(kind, shape, { hosts });
    const facts = machineFactsOf(machine, neverCancelled);
    const measured = measuredDistances(machine, neverCancelled)!;
    expect(facts.diameter).toBe(measured.diameter);
    expect(facts.meanDistance).toBeCloseTo(measured.meanDistance, 12);
  });

  it('leaves distances out where they would have to be measured and it is cancelled', () => {
    expect(measuredDistances(gridMachine('torus', [4]), { isCancelled: () => true })).toBeUndefined();
  });
});

describe('bisection', () => {
  it.each([
    { kind: 'mesh', shape: [3] },
    { kind: 'mesh', shape: [3, 3] },
    { kind: 'mesh', shape: [5, 3] },
    { kind: 'mesh', shape: [9, 2] },
    { kind: 'mesh', shape: [5, 2] },
    { kind: 'mesh', shape: [3, 2, 3] },
    { kind: 'torus', shape: [5] },
    { kind: 'torus', shape: [3, 3] },
    { kind: 'torus', shape: [5, 3] },
    { kind: 'torus', shape: [4, 4] },
    { kind: 'torus', shape: [5, 4] },
    { kind: 'torus', shape: [3, 2] },
    { kind: 'torus', shape: [7, 2] },
    { kind: 'torus', shape: [3, 2, 2] },
    { kind: 'hypercube', shape: [4] },
  ])('$kind $shape cuts as few cables as any two halves do', ({ kind, shape }) => {
    const machine = gridMachine(kind, shape);
    expect(machineFactsOf(machine, neverCancelled).bisection).toBe(fewestCut(machine));
  });
});

describe('bisection bandwidth', () => {
  const along = (...rates: readonly number[]) => ({
    figures: { groups: rates.map((bandwidth, axis) => ({ group: { kind: 'axis', axis } as const, bandwidth })) },
  });
  const rateOf = bisectionBandwidthOf;

  it.each([
    { kind: 'torus', shape: [4, 4], rates: [1, 3] },
    { kind: 'torus', shape: [4, 4], rates: [3, 1] },
    { kind: 'torus', shape: [5, 2], rates: [1, 9] },
    { kind: 'torus', shape: [5, 2], rates: [9, 1] },
    { kind: 'torus', shape: [3, 4], rates: [1, 2] },
    { kind: 'torus', shape: [3, 2, 2], rates: [1, 2, 3] },
    { kind: 'mesh', shape: [4, 4], rates: [2, 1] },
    { kind: 'mesh', shape: [3, 5], rates: [3, 1] },
    { kind: 'mesh', shape: [5, 3], rates: [7, 2] },
    { kind: 'mesh', shape: [3, 2, 2], rates: [1, 5, 2] },
    { kind: 'hypercube', shape: [4], rates: [4, 3, 2, 5] },
  ])('$kind $shape with $rates cuts as little as any two halves do', ({ kind, shape, rates }) => {
    const machine = gridMachine(kind, shape, along(...rates));
    const least = fewestCut(machine, (link) => bandwidthOf(machine, link)!);
    const found = rateOf(machine)!;
    if (found.isBound) expect(found.size).toBeGreaterThanOrEqual(least);
    else expect(found.size).toBe(least);
  });

  it('is that of the slow axis of Titan, whose longest side is another one', () => {
    // 2 x 25 x 24 links of 4.7 GB/s, less than 2 x 25 x 16 of 9.4 GB/s across the 24 routers of z. NumPy agrees.
    const titan = gridMachine('torus', [25, 16, 24], { hosts: 2, ...along(9.4e9, 4.7e9, 9.4e9) });
    const words = '2 × 600: across a side of 16, both ways round';
    expect(rateOf(titan)).toEqual({ size: 1200 * 4.7e9, words, isBound: false });
    expect(machineBisection(titan)).toMatchObject({ size: 800, isBound: false });
  });

  it('counts cables side by side once, and links of nodes at their own bandwidth', () => {
    const figures = { bandwidth: 2e9, groups: [{ group: { kind: 'axis', axis: 0 } as const, cables: 3 }] };
    // Across x 2 x 4 links of 3 cables, across y 2 x 4 of one.
    expect(rateOf(gridMachine('torus', [4, 4], { figures }))).toMatchObject({ size: 16e9 });
    expect(rateOf(gridMachine('torus', [4], { figures }))).toMatchObject({ size: 2 * 3 * 2e9 });
    const hosts = (bandwidth: number) => [{ group: { kind: 'hosts' } as const, bandwidth }];
    const tree = (groups: ReturnType<typeof hosts>) =>
      networkMachine('fat-tree', { options: { levels: [4, 4], parents: [4] }, figures: { bandwidth: 10, groups } });
    expect(rateOf(tree(hosts(10)))).toMatchObject({ size: 80, isBound: false });
    expect(rateOf(tree(hosts(3)))).toMatchObject({ size: 24, isBound: false });
    const star = networkMachine('cluster', { count: 5, figures: { interface: 7 } });
    expect(rateOf(star)).toMatchObject({ size: 14, isBound: false });
    expect(rateOf(gridMachine('torus', [4, 4]))).toBeUndefined();
  });
});

/** Tries every half of the routers. */
function fewestCut({ topology: { routerCount, links } }: Machine, sizeOf: (link: number) => number = () => 1): number {
  const half = Math.floor(routerCount / 2);
  let fewest = Infinity;
  for (let members = 0; members < 2 ** routerCount; members++) {
    if (bitCount(members) !== half) continue;
    let cut = 0;
    for (let link = 0; link < links.routerLinkCount; link++) {
      if (((members >> links.from[link]!) & 1) === 1 && ((members >> links.to[link]!) & 1) === 0) cut += sizeOf(link);
    }
    fewest = Math.min(fewest, cut);
  }
  return fewest;
}

function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}
