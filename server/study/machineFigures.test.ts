import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../model/cancellation.ts';
import { bandwidthOf } from '../network/linkClasses.ts';
import { networkMachine } from '../network/testing/networkMachines.ts';
import { machineFigures } from './machineFigures.ts';

describe('the bisection of a network without a formula', () => {
  it('is sought by cables and by bandwidth', () => {
    // Two fast cables join two triangles. To cut both costs 18; each triangle has slow cables, and a cut through both costs 12.
    const cables = (
      [
        [0, 1, 9],
        [1, 2, 1],
        [2, 0, 1],
        [3, 4, 9],
        [4, 5, 1],
        [5, 3, 1],
        [0, 3, 9],
        [2, 5, 9],
      ] as const
    ).map(([from, to, bandwidth]) => ({ from, to, bandwidth }));
    const machine = networkMachine('switches', { count: 6, cables, hosts: 1, figures: { bandwidth: 100 } });
    const { from, to, routerLinkCount } = machine.topology.links;
    const least = (sizeOf: (link: number) => number): number => {
      let fewest = Infinity;
      for (let half = 0; half < 64; half++) {
        if (half.toString(2).replaceAll('0', '').length !== 3) continue;
        let cut = 0;
        for (let link = 0; link < routerLinkCount; link++)
          if (((half >> from[link]!) & 1) < ((half >> to[link]!) & 1)) cut += sizeOf(link);
        fewest = Math.min(fewest, cut);
      }
      return fewest;
    };
    const { bisection, bisectionBandwidth } = machineFigures(machine, neverCancelled);
    expect(bisection!.cables).toBe(least(() => 1));
    expect(bisectionBandwidth).toEqual({
      rate: least((link) => bandwidthOf(machine, link)!),
      words: 'best cut found',
      isBound: true,
    });
    expect([least(() => 1), bisectionBandwidth!.rate]).toEqual([2, 12]);
  });

  it('counts cables side by side', () => {
    const cables = [{ from: 0, to: 1 }];
    const figures = { bandwidth: 5, cables: 3 };
    const machine = networkMachine('switches', { count: 2, cables, hosts: 4, figures });
    expect(machineFigures(machine, neverCancelled)).toMatchObject({
      bisection: { cables: 3 },
      bisectionBandwidth: { rate: 15 },
    });
  });
});
