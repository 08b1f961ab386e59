import { describe, expect, it } from 'vitest';
import { routings, topologies } from './catalogue.ts';
import { requestOf } from './testing/machines.ts';
import { describeRoutingContract } from './testing/routingContract.ts';

const runnable = topologies
  .filter((topology) => topology.build)
  .flatMap((topology) =>
    routings
      .filter((routing) => {
        const example = topology.build?.(requestOf([2]));
        return routing.build && example?.ok && routing.build(example.value, {}).ok;
      })
      .map((routing) => ({ topology, routing })),
  );

for (const { topology, routing } of runnable) describeRoutingContract(topology, routing);

describe('the catalogue of networks', () => {
  it('has a runnable routing for every runnable topology', () => {
    const routed = new Set(runnable.map(({ topology }) => topology.name));
    expect([...routed]).toEqual(topologies.filter(({ build }) => build).map(({ name }) => name));
  });

  it.each(topologies.map((entry) => ({ name: entry.name, entry })))(
    '$name is announced or can be built',
    ({ entry }) => {
      expect(entry.announced === true).toBe(entry.build === undefined);
      expect(entry.measure === undefined).toBe(entry.build === undefined);
      expect(routings.map(({ name }) => name)).toContain(entry.defaultRouting);
    },
  );

  it.each(routings.map((entry) => ({ name: entry.name, entry })))('$name is announced or can be built', ({ entry }) => {
    expect(entry.announced === true).toBe(entry.build === undefined);
  });
});
