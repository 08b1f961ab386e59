import { expect, it } from 'vitest';
import { neverCancelled } from '../model/cancellation.ts';
import type { RouterFlows, Topology } from '../model/machine.ts';
import { seededRandom } from '../model/random.ts';
import { testContract, type Contract } from '../model/testing/contract.ts';
import { numberOfCable } from './bundles.ts';
import { topologies } from './catalogue.ts';
import type { TopologyEntry } from './contract.ts';
import { withFaults } from './faults.ts';
import { knownWaysOf, type KnownWays } from './knownWays.ts';
import { blockOfCables, LostCables, reverseLink } from './lostCables.ts';
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

/** Loads of all links. */
interface Routed {
  readonly topology: Topology;
  readonly loads: Float64Array;
}

/** The same by taking the cable out and routing everything again, over all shortest ways whatever the topology is. */
function routedWithout(topology: Topology, flows: RouterFlows, link: number): Routed | undefined {
  const { from, to } = topology.links;
  const left = withFaults('test', topology, {
    cables: [{ from: from[link]!, to: to[link]!, cable: numberOfCable(topology, link, () => 1) }],
    routers: [],
    nodes: [],
  });
  return left.ok && left.value.faults!.routers.every((failed) => failed === 0) ? routed(left.value, flows) : undefined;
}

function routed(topology: Topology, flows: RouterFlows): Routed {
  const loads = new Float64Array(topology.links.routerLinkCount);
  const graph = routeGraphOf(topology, onePhase);
  const longest = topology.routerCount;
  graphRouting(topology, { kind: 'all shortest', graph, longest, singlePath: false }).addLoads(
    flows,
    loads,
    neverCancelled,
  );
  return { topology, loads };
}

/** The heaviest of the links from a router to another, which may be parallel. */
function heaviestBetween({ topology: { links }, loads }: Routed, from: number, to: number): number {
  return Math.max(...loads.filter((_, link) => links.from[link] === from && links.to[link] === to));
}

function waysOf(topology: Topology, flows: RouterFlows, weights?: readonly number[]): KnownWays {
  const ways = knownWaysOf(topology, flows, weights, neverCancelled);
  if (typeof ways === 'string') throw new Error(ways);
  return ways;
}

const total = (loads: Float64Array): number => loads.reduce((sum, load) => sum + load, 0);

type Example = readonly [title: string, topology: Topology];

const examplesOf = ({ name, build }: TopologyEntry): readonly Example[] =>
  exampleNetworks(name).map(({ title, request }) => [title, valueOf(build(request))] as const);

const groups: readonly (readonly [kind: string, examples: readonly Example[]])[] = [
  // A lone switch has no cables that it could lose.
  ...topologies.filter(({ name }) => name !== 'cluster').map((entry) => [entry.name, examplesOf(entry)] as const),
  ['larger torus', [['5 x 4 x 3', gridMachine('torus', [5, 4, 3]).topology]]],
  // Distances of a byte each: the longest ones nearly double without a cable.
  ['ring', [['126', gridMachine('torus', [126]).topology]]],
  [
    'random switches',
    [1, 2, 3, 4].map((seed) => {
      const request = switchesRequest(24, randomCables(24, 24 + 6 * seed, seed), 1);
      const topology = valueOf(topologies.find(({ name }) => name === 'switches')!.build(request));
      return [`seed ${seed}`, topology] as const;
    }),
  ],
];

const isNear = (value: number, expected: number, digits: number): boolean =>
  Math.abs(value - expected) < 0.5 * 10 ** -digits;

function checkLosses(contract: Contract, topology: Topology): void {
  const flows = randomFlows(topology, 3 * topology.routerCount, 5);
  const ways = waysOf(topology, flows);
  const lost = new LostCables(ways);
  const { from, to, routerLinkCount } = topology.links;
  const cables = Array.from({ length: routerLinkCount }, (_, link) => link).filter((link) => from[link]! < to[link]!);

  contract.property('carries what routing by all shortest ways says', (look) => {
    routed(topology, flows).loads.forEach((load, link) => {
      look(isNear(ways.loads[link]!, load, 6), () => `link ${link}: ${ways.loads[link]}, not ${load}`);
    });
  });

  const outcomes = lost.losses(cables, neverCancelled)!;
  const again = new Map(cables.map((link) => [link, routedWithout(topology, flows, link)]));

  contract.property('has an outcome for each cable, and knows the bridges', (look) => {
    look(outcomes.map(({ link }) => link).join() === cables.join(), 'other cables');
    for (const { link, isBridge } of outcomes) {
      // Nothing crosses some bridges: their loss costs nothing.
      const carries = ways.loads[link]! > 0 || ways.loads[reverseLink(topology, link)]! > 0;
      look(isBridge === (again.get(link) === undefined && carries), () => `${from[link]} -- ${to[link]}`);
    }
  });

  contract.property('has the sum of loads without any one cable that routing everything again gives', (look) => {
    const before = total(ways.loads);
    for (const { link, addedHopBytes } of outcomes) {
      const expected = again.get(link);
      if (expected === undefined) continue;
      look(
        isNear(addedHopBytes, total(expected.loads) - before, 4),
        () => `${from[link]} -- ${to[link]}: ${addedHopBytes}`,
      );
    }
  });

  contract.property('has the maximum load without any one cable, and its link', (look) => {
    for (const { link, maximum, heaviest } of outcomes) {
      const expected = again.get(link);
      if (expected === undefined) continue;
      const most = Math.max(...expected.loads);
      const there = heaviestBetween(expected, from[heaviest]!, to[heaviest]!);
      const holds = isNear(maximum, most, 6) && isNear(there, most, 6);
      look(holds, () => `${from[link]} -- ${to[link]}: ${maximum}, not ${most}`);
    }
  });
}

for (const [kind, examples] of groups) {
  testContract(`lost cables: ${kind}`, (contract) => {
    for (const [title, topology] of examples) {
      if (topology.links.routerLinkCount === 0) continue;
      contract.on(title, () => {
        checkLosses(contract, topology);
      });
    }
  });
}

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
    const cables = Array.from({ length: blockOfCables(ways) }, (_, place) => place).filter(
      (link) => link < ways.links.routerLinkCount,
    );
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
