import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../model/cancellation.ts';
import type { RouterFlows, Topology } from '../model/machine.ts';
import { seededRandom } from '../model/random.ts';
import { numberOfCable } from './bundles.ts';
import { topologies } from './catalogue.ts';
import { withFaults } from './faults.ts';
import { knownWaysOf, type KnownWays } from './knownWays.ts';
import { blockOfCables, LostCables, reverseOf } from './lostCables.ts';
import { graphRouting } from './routings/graphRouting.ts';
import { onePhase, routeGraphOf } from './routings/routeGraph.ts';
import { exampleNetworks, randomCables, switchesRequest } from './testing/exampleNetworks.ts';
import { gridMachine } from './testing/machines.ts';
import { valueOf } from './testing/routingContract.ts';

/** Whole amounts between random routers, some of them several times. */
function randomFlows(topology: Topology, count: number, seed: number): RouterFlows {
  const random = seededRandom(seed);
  const draw = () => Int32Array.from({ length: count }, () => random.integer(topology.routerCount));
  return { from: draw(), to: draw(), amount: Float64Array.from({ length: count }, () => 1 + random.integer(1000)) };
}

/** The same by taking the cable out and routing everything again, over all shortest ways whatever the topology is. */
function loadsWithout(topology: Topology, flows: RouterFlows, link: number): Map<string, number> | undefined {
  const { from, to } = topology.links;
  const left = withFaults('test', topology, {
    cables: [{ from: from[link]!, to: to[link]!, cable: numberOfCable(topology, link, () => 1) }],
    routers: [],
    nodes: [],
  });
  return left.ok && left.value.faults!.routers.every((failed) => failed === 0) ? sums(left.value, flows) : undefined;
}

/** Loads by the ends of links, parallel ones together: which of those is lost makes no difference. */
function sums(topology: Topology, flows: RouterFlows): Map<string, number> {
  const loads = new Float64Array(topology.links.routerLinkCount);
  const graph = routeGraphOf(topology, onePhase);
  const longest = topology.routerCount;
  graphRouting(topology, { kind: 'all shortest', graph, longest, singlePath: false }).addLoads(
    flows,
    loads,
    neverCancelled,
  );
  return byEnds(topology, loads);
}

function byEnds({ links }: Topology, loads: Float64Array): Map<string, number> {
  const found = new Map<string, number>();
  loads.forEach((load, link) => {
    const ends = `${links.from[link]} → ${links.to[link]}`;
    found.set(ends, (found.get(ends) ?? 0) + load);
  });
  return found;
}

function waysOf(topology: Topology, flows: RouterFlows, weights?: readonly number[]): KnownWays {
  const ways = knownWaysOf(topology, flows, weights, neverCancelled);
  if (typeof ways === 'string') throw new Error(ways);
  return ways;
}

const total = (loads: Map<string, number>): number => [...loads.values()].reduce((sum, load) => sum + load, 0);

const everyNetwork: readonly (readonly [string, Topology])[] = [
  ...topologies.flatMap(({ name, build }) =>
    exampleNetworks(name).map(({ title, request }) => [`${name} ${title}`, valueOf(build(request))] as const),
  ),
  ['a torus', gridMachine('torus', [5, 4, 3]).topology],
  // Distances of a byte each: the longest ones nearly double without a cable.
  ['a ring of 126', gridMachine('torus', [126]).topology],
  ...[1, 2, 3, 4].map((seed) => {
    const request = switchesRequest(24, randomCables(24, 24 + 6 * seed, seed), 1);
    const topology = valueOf(topologies.find(({ name }) => name === 'switches')!.build(request));
    return [`random switches ${seed}`, topology] as const;
  }),
];

const networks = everyNetwork.filter(([, { links }]) => links.routerLinkCount > 0);

describe.each(networks)('%s', (_, topology) => {
  const flows = randomFlows(topology, 3 * topology.routerCount, 5);
  const ways = waysOf(topology, flows);
  const lost = new LostCables(ways);
  const { from, to, routerLinkCount } = topology.links;
  const cables = Array.from({ length: routerLinkCount }, (_, link) => link).filter((link) => from[link]! < to[link]!);

  it('carries what routing by all shortest ways says', () => {
    const expected = sums(topology, flows);
    for (const [ends, load] of byEnds(topology, ways.loads)) expect(load, ends).toBeCloseTo(expected.get(ends)!, 6);
  });

  it('has the loads without any one cable that routing everything again gives', () => {
    for (const outcome of lost.losses(cables, neverCancelled)!) {
      const { link } = outcome;
      const expected = loadsWithout(topology, flows, link);
      const carries = ways.loads[link]! > 0 || ways.loads[reverseOf(topology, link)]! > 0;
      if (expected === undefined) {
        // Nothing crosses some bridges: their loss costs nothing.
        expect(outcome.isBridge).toBe(carries);
        continue;
      }
      expect(outcome.isBridge).toBe(false);
      expect(outcome.addedHopBytes).toBeCloseTo(total(expected) - total(byEnds(topology, ways.loads)), 4);
      // Of parallel links each carries its part of the sum, which the one that is left has more of.
      if (hasParallels(topology)) continue;
      const maximum = Math.max(...expected.values());
      expect(outcome.maximum, `${from[link]} -- ${to[link]}`).toBeCloseTo(maximum, 6);
      expect(expected.get(`${from[outcome.heaviest]} → ${to[outcome.heaviest]}`)).toBeCloseTo(maximum, 6);
    }
  });
});

const hasParallels = ({ links }: Topology): boolean =>
  new Set(Array.from(links.from, (from, link) => `${from} ${links.to[link]}`)).size < links.routerLinkCount;

it('weighs links by what a byte takes on them', () => {
  const { topology } = gridMachine('torus', [4]);
  const flows = { from: Int32Array.of(0), to: Int32Array.of(1), amount: Float64Array.of(8) };
  // The way round is 0 → 3 → 2 → 1; only 3 → 2 is slow.
  const slow = Array.from(topology.links.from, (from, link) => (from === 3 && topology.links.to[link] === 2 ? 5 : 1));
  const lost = new LostCables(waysOf(topology, flows, slow));
  const direct = topology.links.to.findIndex((to, link) => to === 1 && topology.links.from[link] === 0);
  const { maximum, heaviest, addedHopBytes } = lost.losses([direct], neverCancelled)![0]!;
  expect([maximum, addedHopBytes]).toEqual([40, 16]);
  expect([topology.links.from[heaviest], topology.links.to[heaviest]]).toEqual([3, 2]);
});

it('is undefined where it is cancelled', () => {
  const { topology } = gridMachine('torus', [4, 4]);
  const flows = randomFlows(topology, 40, 1);
  const cancelled = { isCancelled: () => true };
  expect(knownWaysOf(topology, flows, undefined, cancelled)).toBe('cancelled');
  expect(new LostCables(waysOf(topology, flows)).losses([0, 1], cancelled)).toBeUndefined();
});

it('has the same figures whether cables are tried together or one by one, and whether amounts are few or many', () => {
  const { topology } = gridMachine('torus', [6, 5, 4]);
  for (const count of [4, 4000]) {
    const ways = waysOf(topology, randomFlows(topology, count, count));
    expect(ways.amounts.some(({ routers }) => (routers === undefined) === count > 4)).toBe(true);
    const cables = Array.from({ length: blockOfCables(ways) }, (_, place) => place).filter((link) => link < ways.links.routerLinkCount); // prettier-ignore
    const lost = new LostCables(ways);
    const apart = cables.map((link) => new LostCables(ways).losses([link], neverCancelled)![0]!);
    expect(lost.losses(cables, neverCancelled)).toEqual(apart);
  }
});

it('knows a network whose routers are too far apart for a byte', () => {
  const { topology } = gridMachine('torus', [300]);
  const flows = { from: Int32Array.of(149), to: Int32Array.of(0), amount: Float64Array.of(8) };
  const ways = waysOf(topology, flows);
  const cable = topology.links.to.findIndex((to, link) => to === 0 && topology.links.from[link] === 1);
  const [outcome] = new LostCables(ways).losses([cable], neverCancelled)!;
  expect(outcome).toMatchObject({ maximum: 8, addedHopBytes: 8 * (151 - 149), isBridge: false });
});
