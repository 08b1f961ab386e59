import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../model/cancellation.ts';
import { asRouterId } from '../../model/identifiers.ts';
import type { RouterFlows, Routing, Topology } from '../../model/machine.ts';
import { testContract, type Contract } from '../../model/testing/contract.ts';
import { detourRouters, exampleNetworks } from '../testing/exampleNetworks.ts';
import { casesOf } from '../../model/testing/thoroughness.ts';
import { topologies } from '../catalogue.ts';
import { requestOf } from '../testing/machines.ts';
import { loadsOf, randomFlows, valueOf, walkedLoads } from '../testing/routingContract.ts';
import { dragonfly } from '../topologies/dragonfly.ts';
import { torus } from '../topologies/grids.ts';
import { minimal } from './minimal.ts';
import { ugal } from './ugal.ts';
import { valiant } from './valiant.ts';

const settledOf = (topology: Topology, flows: RouterFlows, times?: Float64Array): Routing =>
  valueOf(ugal.build(topology, {})).settled!(flows, times, neverCancelled)!;

const busiest = (loads: Float64Array, times?: Float64Array): number =>
  loads.reduce((most, load, link) => Math.max(most, load * (times?.[link] ?? 1)), 0);

const dragonflyOf = (p: number, a: number, h: number): Topology =>
  valueOf(dragonfly.build({ ...requestOf([]), argument: undefined, options: { p, a, h } }));

/** Every router sends the router `by` on. */
const shifted = ({ routerCount }: Topology, by: number, amount = 1): RouterFlows => {
  const from = Int32Array.from({ length: routerCount }, (_, router) => router);
  return {
    from,
    to: from.map((router) => (router + by) % routerCount),
    amount: new Float64Array(routerCount).fill(amount),
  };
};

/** Checks UGAL under even and uneven speeds of links. */
function checkSettled(contract: Contract, topology: Topology): void {
  for (const [seed, isUneven] of [
    [3, false],
    [30, true],
  ] as const) {
    const flows = randomFlows(topology.routerCount, seed, true);
    const times = isUneven
      ? Float64Array.from({ length: topology.links.linkCount }, (_, link) => 1 + (link % 3))
      : undefined;
    const routing = settledOf(topology, flows, times);
    const loads = loadsOf(topology, routing, flows);
    const own = busiest(loads, times);
    const [direct, detoured] = [minimal, valiant].map((entry) =>
      loadsOf(topology, valueOf(entry.build(topology, {})), flows),
    ) as [Float64Array, Float64Array];
    /** Busiest link where a share of each flow goes minimally and the rest by detours. */
    const mixed = (share: number): number =>
      busiest(
        direct.map((load, link) => share * load + (1 - share) * detoured[link]!),
        times,
      );
    contract.property('makes the busiest link no busier than minimal routing and Valiant do', (look) => {
      for (const share of busiest(direct) === 0 ? [] : [1, 0]) {
        look(own <= mixed(share) * (1 + 1e-9), () => `${own}, not at most ${mixed(share)}`);
      }
    });
    contract.property('has no better split further away than its gap', (look) => {
      const { gap } = routing.split!;
      for (let tenths = 1; tenths < 10 && busiest(direct) > 0; tenths++) {
        const other = mixed(tenths / 10);
        look(gap >= 0 && own * (1 - gap) <= other * (1 + 1e-9), () => `${own} less ${gap}, mixed ${other}`);
      }
    });
    contract.property('tells how many packets travel how far, all of them, and their mean as its hops', (look) => {
      for (let flow = 0; flow < flows.amount.length; flow++) {
        const ends = [asRouterId(flows.from[flow]!), asRouterId(flows.to[flow]!)] as const;
        let [all, mean] = [0, 0];
        routing.hopShares!(...ends, (hops, share) => {
          all += share;
          mean += share * hops;
        });
        const isAll = Math.abs(all - 1) < 1e-9 && Math.abs(mean - routing.hops(...ends)) < 1e-9 * (1 + mean);
        look(isAll, () => `${ends.join('-')}: ${all}, ${mean}, not ${routing.hops(...ends)}`);
      }
    });
    contract.property('adds the loads of its shares', (look) => {
      const walked = walkedLoads(topology, routing, flows);
      loads.forEach((load, link) => {
        look(Math.abs(load - walked[link]!) < 5e-4, () => `link ${link}: ${load}, not ${walked[link]}`);
      });
    });
  }
}

// A cluster has one switch, so that packets have no ways to choose from.
for (const { name, build } of topologies.filter(({ name }) => name !== 'cluster')) {
  testContract(`UGAL on ${name}`, (contract) => {
    for (const { title, request } of exampleNetworks(name)) {
      contract.on(title, () => {
        const topology = valueOf(build(request));
        if (topology.routerCount <= casesOf(detourRouters, Infinity)) checkSettled(contract, topology);
      });
    }
  });
}

describe('UGAL', () => {
  it('sends all minimally where that is best: traffic between all routers of a torus', () => {
    const topology = valueOf(torus.build(requestOf([4, 4])));
    const pairs = Array.from({ length: 256 }, (_, pair) => pair);
    const flows = {
      from: Int32Array.from(pairs, (pair) => pair >> 4),
      to: Int32Array.from(pairs, (pair) => pair & 15),
      amount: new Float64Array(256).fill(1),
    };
    expect(settledOf(topology, flows).split).toMatchObject({
      minimal: 1,
      gap: expect.closeTo(0, 3) as number,
      steps: 0,
    });
  });

  // Kim et al. 2008, figure 8: UGAL-G comes to about 1/2 of the capacity, as Valiant does, where minimal routing has 1/(a·h). No way of
  // sharing the cables between groups has more than (1 + 1/(a·h)) / 2.
  it.each([
    { p: 1, a: 2, h: 1 },
    { p: 2, a: 4, h: 2 },
  ])('has the throughput of Valiant under the adversarial pattern of dragonflies: p $p, a $a, h $h', ({ p, a, h }) => {
    const topology = dragonflyOf(p, a, h);
    const flows = shifted(topology, a, p);
    const routing = settledOf(topology, flows);
    const throughput = 1 / busiest(loadsOf(topology, routing, flows));
    expect(throughput).toBeGreaterThanOrEqual(0.5);
    expect(throughput).toBeLessThanOrEqual((1 + 1 / (a * h)) / 2 + 1e-9);
    expect(routing.split!.gap).toBeLessThan(0.01);
    expect(routing.split!.minimal).toBeLessThan(1 / (a * h));
  });

  it('is the same from the split that it settled on, in another thread', () => {
    const topology = dragonflyOf(2, 4, 2);
    const flows = shifted(topology, 4, 2);
    const routing = settledOf(topology, flows);
    const again = valueOf(ugal.build(topology, {})).withSplit!(structuredClone(routing.split!));
    expect(loadsOf(topology, again, flows)).toEqual(loadsOf(topology, routing, flows));
    const ends = [asRouterId(0), asRouterId(4)] as const;
    expect(again.hops(...ends)).toBe(routing.hops(...ends));
    let all = 0;
    again.hopShares!(...ends, (_, share) => (all += share));
    expect(all).toBeCloseTo(1, 12);
  });

  it('answers nothing where it is cancelled', () => {
    const topology = dragonflyOf(2, 4, 2);
    const routing = valueOf(ugal.build(topology, {}));
    expect(routing.settled!(shifted(topology, 4), undefined, { isCancelled: () => true })).toBeUndefined();
  });
});
