import { describe, expect, it } from 'vitest';
import { routings, topologies } from './catalogue.ts';
import { detoured, detourRouters, exampleNetworks } from './testing/exampleNetworks.ts';
import { testRoutingContract, valueOf } from './testing/routingContract.ts';

const runnable = topologies.flatMap((topology) => {
  const example = valueOf(topology.build(exampleNetworks(topology.name)[0]!.request));
  return routings.filter(({ build }) => build(example, {}).ok).map((routing) => ({ topology, routing }));
});

// The larger networks of routings by detours are in network.slow.test.ts.
for (const { topology, routing } of runnable) {
  testRoutingContract(topology, routing, '', detoured.includes(routing.name) ? detourRouters : Infinity);
}

describe('the catalogue of networks', () => {
  it('routes every topology up-down, minimally, by tables and by detours, grids in dimension order, trees as such', () => {
    const routingsOf = (name: string) =>
      runnable.filter(({ topology }) => topology.name === name).map(({ routing }) => routing.name);
    for (const { name } of topologies) {
      const isGrid = ['torus', 'mesh', 'hypercube', 'hyperx'].includes(name);
      const hasTiers = name === 'fat-tree';
      expect(routingsOf(name)).toEqual([
        ...(isGrid ? ['dimension-order'] : []),
        ...['up-down', 'minimal', 'static', 'ecmp', 'dfsssp'],
        ...(hasTiers ? ['fat-tree'] : []),
        ...['valiant', 'ugal'],
      ]);
    }
  });

  it.each(topologies)('has the routing that $name has by default', ({ defaultRouting }) => {
    expect(routings.map(({ name }) => name)).toContain(defaultRouting);
  });
});
