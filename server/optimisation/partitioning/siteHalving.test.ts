import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../model/cancellation.ts';
import type { Machine } from '../../model/machine.ts';
import { seededRandom } from '../../model/random.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import { networkMachine } from '../../network/testing/networkMachines.ts';
import { halveSites } from './siteHalving.ts';
import { coreOn } from './testing/cores.ts';

/** Both halves, as nodes. */
function halvesOf(machine: Machine, nodes: readonly number[], seed: number): readonly [number[], number[]] {
  const core = coreOn(machine, { nodes, taskCount: 1 });
  const sites = Int32Array.from(nodes, (_, site) => site);
  const count = halveSites(core, sites, seededRandom(seed), neverCancelled)!;
  const { nodeOfSite } = core.places;
  const named = [...sites].map((site) => nodeOfSite[site]!);
  return [named.slice(0, count), named.slice(count)];
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, node) => node);

describe('halving sites', () => {
  /** Sides of a grid, and over which axes it may be cut. */
  const grids: readonly (readonly [string, readonly number[], readonly number[]])[] = [
    ['mesh', [16, 4], [0]],
    ['mesh', [4, 5, 12], [2]],
    ['torus', [8, 8], [0, 1]],
    ['torus', [4, 12, 4], [1]],
    ['torus', [8, 8, 8], [0, 1, 2]],
  ];
  it.each(grids)('cuts a %s of %s straight through a longest side', (kind, sides, axes) => {
    const machine = gridMachine(kind, sides);
    for (const seed of [1, 2, 3]) {
      const halves = halvesOf(machine, upTo(machine.nodeCount), seed);
      expect(halves.map((half) => half.length)).toEqual([machine.nodeCount / 2, machine.nodeCount / 2]);
      const layers = sides.map((side, axis) => {
        const stride = sides.slice(0, axis).reduce((product, length) => product * length, 1);
        return new Set(halves[0].map((node) => Math.floor(node / stride) % side)).size;
      });
      const cut = layers.findIndex((count, axis) => count < sides[axis]!);
      expect(axes).toContain(cut);
      expect(layers[cut]).toBe(sides[cut]! / 2);
    }
  });

  it('keeps the subtrees of a fat tree together, where they are not of equal number too', () => {
    const machine = networkMachine('fat-tree', { options: { levels: [4, 4, 4] } });
    const podOf = (node: number): number => Math.floor(node / 16);
    // Three subtrees of sixteen: one here and two there, never eight of one.
    for (const nodes of [upTo(64), upTo(48)]) {
      const [first, second] = halvesOf(machine, nodes, 1);
      const pods = new Set(first.map(podOf));
      expect(second.filter((node) => pods.has(podOf(node)))).toEqual([]);
    }
    const [first] = halvesOf(machine, upTo(16), 1);
    expect(new Set(first.map((node) => Math.floor(node / 4))).size).toBe(2);
  });

  it('keeps the nodes of a router together', () => {
    const machine = gridMachine('mesh', [5, 3], { hosts: 3 });
    const [first, second] = halvesOf(machine, upTo(45), 2);
    const routers = new Set(first.map((node) => Math.floor(node / 3)));
    expect(second.filter((node) => routers.has(Math.floor(node / 3)))).toEqual([]);
  });

  it('gives both halves about as many places, not nodes', () => {
    const machine = gridMachine('mesh', [10], { cores: 8 });
    // Node 0 has eight free cores, the others one each.
    const slots = Int32Array.from([...upTo(8), ...upTo(9).map((node) => 8 * (node + 1))]);
    for (const seed of [1, 2, 3]) {
      const sites = Int32Array.from(upTo(10));
      const count = halveSites(coreOn(machine, { taskCount: 1, slots }), sites, seededRandom(seed), neverCancelled)!;
      const withNodeZero = sites.indexOf(0) < count ? sites.subarray(0, count) : sites.subarray(count);
      // Eight or nine of the 17 places.
      expect(withNodeZero.length).toBeLessThanOrEqual(2);
    }
  });

  it('follows its guide where that is hardly worse', () => {
    const machine = gridMachine('torus', [8, 8]);
    const core = coreOn(machine, { taskCount: 1 });
    for (const stride of [1, 8]) {
      const layerOf = (site: number): number => Math.floor(site / stride) % 8;
      const sites = Int32Array.from(upTo(64));
      const guide = [sites.filter((site) => layerOf(site) < 4), sites.filter((site) => layerOf(site) >= 4)] as const;
      const count = halveSites(core, sites, seededRandom(1), neverCancelled, guide)!;
      expect(new Set([...sites.subarray(0, count)].map(layerOf))).toEqual(new Set([0, 1, 2, 3]));
    }
  });
});
