import { describe, expect, it } from 'vitest';
import type { OptionValues } from '../model/catalogue.ts';
import { neverCancelled } from '../model/cancellation.ts';
import type { Machine } from '../model/machine.ts';
import { machineFactsOf, measuredDistances } from './facts.ts';
import { gridMachine } from './testing/machines.ts';
import { autonet, networkMachine, unequalFabric } from './testing/networkMachines.ts';

const factsOf = (machine: Machine) => machineFactsOf(machine, neverCancelled);

const fatTrees: readonly OptionValues[] = [
  { k: 4, n: 3 },
  { k: 2, n: 4 },
  { k: 3, n: 2 },
  { k: 4, n: 1 },
  { k: 1, n: 2 },
  { levels: [3, 2, 4] },
  { levels: [4, 4, 2], parents: [2, 1], parallel: [2, 3] },
  { levels: [4, 2, 1] },
];
const dragonflies: readonly OptionValues[] = [
  { p: 2, a: 4, h: 2 },
  { p: 1, a: 2, h: 1 },
  { p: 2, a: 4, h: 2, g: 5 },
  { p: 2, a: 4, h: 2, g: 3 },
  { p: 3, a: 4, h: 4, g: 2 },
  { p: 1, a: 1, h: 3 },
  { p: 3, a: 5, h: 0 },
  { p: 3, a: 1, h: 0 },
  { p: 1, a: 1, h: 0 },
];
const networks = [
  ...fatTrees.map((options) => ({ kind: 'fat-tree', options })),
  ...dragonflies.map((options) => ({ kind: 'dragonfly', options })),
];

describe('facts of networks without coordinates', () => {
  it.each(networks)('agree with asking for every pair: $kind $options', ({ kind, options }) => {
    const machine = networkMachine(kind, { options });
    const facts = factsOf(machine);
    const measured = measuredDistances(machine, neverCancelled)!;
    expect(facts.diameter).toBe(measured.diameter);
    expect(facts.meanDistance).toBeCloseTo(measured.meanDistance, 12);
  });

  it('are those of its routing, not of its shortest ways, under up-down', () => {
    const options = { p: 1, a: 2, h: 2 };
    const shortest = networkMachine('dragonfly', { options });
    const upDown = networkMachine('dragonfly', { options, routing: { name: 'up-down', options: { root: 0 } } });
    expect(factsOf(upDown)).toMatchObject({ roots: ['0'], ...measuredDistances(upDown, neverCancelled) });
    expect(factsOf(upDown).meanDistance).toBeGreaterThan(factsOf(shortest).meanDistance!);
  });

  it('name the root of Autonet, count its cables without host links, and leave its bisection out', () => {
    const facts = factsOf(autonet());
    expect(facts).toMatchObject({ roots: ['6'], routers: 10, nodes: 70, cables: 15, bisection: undefined });
  });

  it('name the root as its file does', () => {
    const routing = { name: 'up-down', options: {} };
    expect(factsOf(networkMachine('from', { fabric: unequalFabric, routing })).roots).toEqual(['spine']);
    expect(factsOf(networkMachine('from', { fabric: unequalFabric })).roots).toBeUndefined();
  });

  it('weigh routers by their hosts', () => {
    // Hosts 3, 1 and 2 on a line leaf-a, spine, leaf-b, leaf-c: 3·1 pairs at 2 + 2 hops, 3·2 at 3 + 2, 1·2 at 1 + 2, 4 at 2.
    const facts = factsOf(networkMachine('from', { fabric: unequalFabric }));
    expect(facts).toMatchObject({ diameter: 5, meanDistance: (3 * 4 + 6 * 5 + 2 * 3 + 4 * 2) / 15 });
  });

  it.each([1, 2, 7])('cluster of %d nodes', (count) => {
    const expected = { diameter: count > 1 ? 2 : 0, meanDistance: count > 1 ? 2 : 0, bisection: Math.floor(count / 2) };
    expect(factsOf(networkMachine('cluster', { count }))).toMatchObject({ ...expected, cables: 0 });
  });

  it('measure a torus that is not routed in dimension order', () => {
    const shape = [4, 3];
    const grid = gridMachine('torus', shape);
    const minimal = { ...grid, routing: { ...grid.routing, kind: 'minimal' } };
    expect(factsOf(minimal).meanDistance).toBeCloseTo(factsOf(grid).meanDistance!, 12);
  });
});

describe('bisection of networks with host links', () => {
  it.each([
    { kind: 'fat-tree', options: { k: 2, n: 2 } },
    { kind: 'fat-tree', options: { k: 2, n: 3 } },
    { kind: 'fat-tree', options: { k: 4, n: 2 } },
    { kind: 'fat-tree', options: { levels: [2, 2, 2], parents: [1, 1] } },
    { kind: 'fat-tree', options: { levels: [2, 3, 2], parents: [1, 3] } },
    { kind: 'fat-tree', options: { levels: [3, 2, 2], parents: [3, 1], parallel: [1, 2] } },
    { kind: 'fat-tree', options: { levels: [4, 2], parents: [1], parallel: [2] } },
    { kind: 'fat-tree', options: { levels: [2, 2, 1], parents: [2, 1] } },
    { kind: 'fat-tree', options: { levels: [3, 4], parents: [4] } },
    { kind: 'dragonfly', options: { p: 2, a: 2, h: 3, g: 4 } },
    { kind: 'dragonfly', options: { p: 1, a: 2, h: 2, g: 2 } },
    { kind: 'dragonfly', options: { p: 2, a: 4, h: 1, g: 2 } },
    { kind: 'dragonfly', options: { p: 2, a: 1, h: 3 } },
    { kind: 'dragonfly', options: { p: 1, a: 2, h: 1 } },
    { kind: 'dragonfly', options: { p: 2, a: 4, h: 2, g: 3 } },
    { kind: 'dragonfly', options: { p: 3, a: 6, h: 0 } },
  ])('$kind $options cuts as few cables as any two halves do', ({ kind, options }) => {
    const given: OptionValues = Object.fromEntries(Object.entries(options));
    const machine = networkMachine(kind, { options: given });
    expect(factsOf(machine).bisection).toBe(fewestCut(machine));
  });

  it.each([
    { kind: 'fat-tree', options: { k: 3, n: 3 } },
    { kind: 'dragonfly', options: { p: 2, a: 3, h: 2 } },
  ])('is left out where the parts are odd in number: $kind $options', ({ kind, options }) => {
    const given: OptionValues = Object.fromEntries(Object.entries(options));
    expect(factsOf(networkMachine(kind, { options: given })).bisection).toBeUndefined();
  });

  it('is a bound from above where a better cut goes elsewhere through a group', () => {
    const machine = networkMachine('dragonfly', { options: { p: 3, a: 4, h: 1, g: 3 } });
    expect([factsOf(machine).bisection, fewestCut(machine)]).toEqual([8, 6]);
  });

  it('is half the nodes of a k-ary n-tree', () => {
    expect(factsOf(networkMachine('fat-tree', { options: { k: 8, n: 3 } })).bisection).toBe(256);
  });
});

/** Tries every way to part the routers; hosts that must then change sides cost their host links. */
function fewestCut({ nodeCount, topology }: Machine): number {
  const { routerCount, links, routerOfNode } = topology;
  let fewest = Infinity;
  for (let members = 0; members < 2 ** routerCount; members++) {
    const isMember = (router: number): boolean => ((members >> router) & 1) === 1;
    let nodes = 0;
    for (const router of routerOfNode) if (isMember(router)) nodes++;
    let cut = Math.abs(nodeCount / 2 - nodes);
    for (let link = 0; link < links.routerLinkCount; link++) {
      if (isMember(links.from[link]!) && !isMember(links.to[link]!)) cut++;
    }
    fewest = Math.min(fewest, cut);
  }
  return fewest;
}
