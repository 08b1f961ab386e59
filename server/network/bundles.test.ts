import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../model/cancellation.ts';
import { asLinkId } from '../model/identifiers.ts';
import type { Machine, MachineFigures, Topology } from '../model/machine.ts';
import { seededRandom } from '../model/random.ts';
import { numberOfCable, sideBySide } from './bundles.ts';
import { cableWords } from './names.ts';
import { routings } from './catalogue.ts';
import { testContract } from '../model/testing/contract.ts';
import type { FaultDescription, TopologyEntry, TopologyRequest } from './contract.ts';
import { machineFactsOf } from './facts.ts';
import { bandwidthOf, cablesOfLink, relativeTimes } from './linkClasses.ts';
import { reverseLinks } from './links.ts';
import { knownWaysOf } from './knownWays.ts';
import { LostCables, reverseLink } from './lostCables.ts';
import { exampleNetworks } from './testing/exampleNetworks.ts';
import { buildMachine } from './machine.ts';
import { gridDescription } from './testing/machines.ts';
import { networkMachine } from './testing/networkMachines.ts';
import { testRoutingContract, loadsOf, randomFlows, valueOf, walkedLoads } from './testing/routingContract.ts';
import { topologies } from './catalogue.ts';

const figures: MachineFigures = { bandwidth: 4, groups: [{ group: { kind: 'axis', axis: 1 }, cables: 2 }] };
const grid = (routing: string, more: { faults?: Partial<FaultDescription>; figures?: MachineFigures } = {}): Machine =>
  valueOf(
    buildMachine({
      ...gridDescription('torus', [4, 4], { figures: more.figures ?? figures }),
      routing: { name: routing, options: {} },
      ...(more.faults && { faults: { cables: [], routers: [], nodes: [], ...more.faults } }),
    }),
  );
const choosing = routings.filter(({ choosesCables }) => choosesCables === true).map(({ name }) => name);

/** Links from a router to another with what they carry for all pairs of nodes, a byte each. */
function loadsBetween(machine: Machine, from: number, to: number): number[] {
  const { topology, routing } = machine;
  const { links, routerCount } = topology;
  const loads = new Float64Array(links.linkCount);
  const offset = routing.byNode === undefined ? 0 : routerCount;
  const pairs = Array.from(
    { length: routerCount ** 2 },
    (_, pair) => [Math.floor(pair / routerCount), pair % routerCount] as const,
  ).filter(([one, other]) => one !== other);
  routing.addLoads(
    {
      from: Int32Array.from(pairs, ([one]) => one + (routing.byNode === 'both' ? offset : 0)),
      to: Int32Array.from(pairs, ([, other]) => other + offset),
      amount: new Float64Array(pairs.length).fill(1),
    },
    loads,
    neverCancelled,
  );
  return Array.from(links.from.keys())
    .filter((link) => links.from[link] === from && links.to[link] === to)
    .map((link) => loads[link]!);
}

describe('cables side by side', () => {
  it.each(choosing.filter((name) => name !== 'fat-tree'))(
    'are links of their own under %s, each with its load',
    (name) => {
      const machine = grid(name);
      const { links } = machine.topology;
      // 16 cables along x, twice 16 along y.
      expect(links.routerLinkCount).toBe(2 * (16 + 32));
      expect(new Set(Array.from(links.from.keys(), (link) => cablesOfLink(machine, link)))).toEqual(new Set([1]));
      expect(new Set(Array.from(links.from.keys(), (link) => bandwidthOf(machine, link)))).toEqual(new Set([4]));
      expect(loadsBetween(machine, 0, 4)).toHaveLength(2);
      expect(loadsBetween(machine, 0, 1)).toHaveLength(1);
      // Ways that a cable takes are whole: no flow is split over the two.
      expect(loadsBetween(machine, 0, 4).every(Number.isInteger)).toBe(true);
      expect(machineFactsOf(machine, neverCancelled)).toMatchObject({
        cables: 48,
        bisection: machineFactsOf(grid('minimal'), neverCancelled).bisection!,
      });
    },
  );

  it('carry less each than a link alone does, and all together as much', () => {
    const all = { bandwidth: 1 };
    for (const name of ['static', 'dfsssp'] as const) {
      const loadsOf = (machine: Machine): number[] => {
        const ends = new Set(
          Array.from(machine.topology.links.from, (from, link) => `${from} ${machine.topology.links.to[link]!}`),
        );
        return [...ends].flatMap((pair) => loadsBetween(machine, ...(pair.split(' ').map(Number) as [number, number])));
      };
      const [alone, doubled] = [grid(name, { figures: all }), grid(name, { figures: { ...all, cables: 2 } })].map(
        loadsOf,
      );
      const sum = (loads: readonly number[]): number => loads.reduce((total, one) => total + one, 0);
      // Shortest ways are as long as they were.
      expect(sum(doubled!)).toBe(sum(alone!));
      expect(doubled).toHaveLength(2 * alone!.length);
      // `static` spreads receivers over the links of each switch by itself, and may meet elsewhere.
      expect(Math.max(...doubled!)).toBeLessThanOrEqual(Math.max(...alone!));
      expect(doubled!.filter((load) => load > 0).length).toBeGreaterThan(alone!.length);
    }
  });

  it.each(['minimal', 'up-down', 'dimension-order', 'valiant'])(
    'are one link under %s, as wide as all of them',
    (name) => {
      const machine = grid(name);
      expect(machine.topology.links.routerLinkCount).toBe(2 * 32);
      const vertical = Array.from(machine.topology.links.from.keys()).filter(
        (link) => Math.abs(machine.topology.links.from[link]! - machine.topology.links.to[link]!) % 4 === 0,
      );
      expect(new Set(vertical.map((link) => bandwidthOf(machine, link)))).toEqual(new Set([8]));
      expect(cableWords(machine, asLinkId(vertical[0]!))).toBe(' (2 cables)');
    },
  );

  it('are named by their number, and each with its way back', () => {
    const machine = grid('static');
    const { links } = machine.topology;
    const back = reverseLinks(links);
    for (let link = 0; link < links.routerLinkCount; link++) {
      expect(back[back[link]!]).toBe(link);
      expect(numberOfCable(machine.topology, back[link]!, () => 1)).toBe(
        numberOfCable(machine.topology, link, () => 1),
      );
    }
    const [first, second] = Array.from(links.from.keys()).filter(
      (link) => links.from[link] === 0 && links.to[link] === 4,
    );
    expect([first!, second!].map((link) => cableWords(machine, asLinkId(link)))).toEqual([
      ', cable 1 of 2',
      ', cable 2 of 2',
    ]);
    expect(cableWords(machine, asLinkId(links.routerLinkCount))).toBe('');
  });

  it('are refused where there would be more links than a machine may have', () => {
    const { topology } = grid('minimal', { figures: {} });
    expect(sideBySide(topology, () => 2 ** 20)).toMatchObject({ ok: false, failure: { code: 'machine-too-large' } });
    expect(valueOf(sideBySide(topology, () => 1))).toBe(topology);
  });
});

describe('one of several cables', () => {
  const one = { cables: [{ from: 0, to: 4, cable: 2 }] };

  it('is taken out of a link that stands for them: it is narrower, and all routes stay', () => {
    const machine = grid('dimension-order', { faults: one });
    const { links, faults } = machine.topology;
    expect(links.routerLinkCount).toBe(64);
    expect(faults).toMatchObject({ cables: 1, thinned: { cables: 1 } });
    const between = (a: number, b: number): number =>
      Array.from(links.from.keys()).findIndex((link) => links.from[link] === a && links.to[link] === b);
    expect(
      [between(0, 4), between(4, 0), between(4, 8)].map((link) => [
        cablesOfLink(machine, link),
        bandwidthOf(machine, link),
      ]),
    ).toEqual([
      [1, 4],
      [1, 4],
      [2, 8],
    ]);
    expect(machineFactsOf(machine, neverCancelled)).toMatchObject({ cables: 47, faults: { cables: 1 } });
    // Without the other one the link is gone.
    const both = { cables: [{ from: 0, to: 4 }] };
    const parted = grid('minimal', { faults: both });
    expect(parted.topology.links.routerLinkCount).toBe(62);
    expect(parted.topology.faults).toMatchObject({ cables: 2 });
    expect(parted.topology.faults?.thinned).toBeUndefined();
    expect(() => grid('dimension-order', { faults: both })).toThrow('routing-does-not-fit');
  });

  it('is taken out by its number', () => {
    const at = (cable: number, ...more: { from: number; to: number; cable?: number }[]): Machine =>
      grid('static', { faults: { cables: [{ from: 0, to: 4, cable }, ...more] } });
    expect(loadsBetween(at(1), 0, 4)).toHaveLength(1);
    expect(loadsBetween(at(2), 4, 0)).toHaveLength(1);
    expect(loadsBetween(at(1, { from: 4, to: 0, cable: 2 }), 0, 4)).toHaveLength(0);
    expect(() => at(3)).toThrow(/No link 3 connects 0 and 4/);
    expect(() => at(1, { from: 0, to: 4, cable: 1 })).toThrow(/No link 1 connects 0 and 4, or it is removed/);
    expect(() => grid('minimal', { faults: { cables: [{ from: 0, to: 4, cable: 3 }] } })).toThrow('no-such-cable');
    const fast = networkMachine('switches', {
      count: 2,
      hosts: 1,
      cables: [
        { from: 0, to: 1, bandwidth: 1 },
        { from: 0, to: 1, bandwidth: 2 },
        { from: 0, to: 1, bandwidth: 3 },
      ],
      faults: { cables: [{ from: 1, to: 0, cable: 2 }], routers: [], nodes: [] },
    });
    expect([0, 1].map((link) => bandwidthOf(fast, link))).toEqual([1, 3]);
  });

  it('goes with its switch', () => {
    const machine = grid('minimal', { faults: { routers: [5] } });
    // Two cables along x, four along y.
    expect(machine.topology.faults).toMatchObject({ cables: 6 });
    expect(machine.topology.faults?.thinned).toBeUndefined();
  });
});

/** The topologies of the catalogue with two or three cables on some of their links: the contracts hold there as well. */
const bundled: readonly TopologyEntry[] = topologies
  .filter(({ name }) => ['torus', 'hyperx', 'dragonfly-plus', 'fat-tree', 'switches'].includes(name))
  .map((entry) => ({
    ...entry,
    build: (request) => {
      const built = entry.build(request);
      return built.ok ? sideBySide(built.value, cablesOfEnds(built.value)) : built;
    },
  }));

/** As many cables both ways, drawn by the two ends. */
function cablesOfEnds({ links, routerCount }: Topology): (link: number) => number {
  const random = seededRandom(5);
  const drawn = Int32Array.from({ length: routerCount ** 2 }, () => 1 + random.integer(3));
  return (link) => {
    const ends = [links.from[link]!, links.to[link]!];
    return drawn[Math.min(...ends) * routerCount + Math.max(...ends)]!;
  };
}

for (const topology of bundled) {
  for (const routing of routings.filter(({ choosesCables }) => choosesCables === true)) {
    const fits = exampleNetworks(topology.name).some(
      ({ request }) => routing.build(valueOf(topology.build(request)), {}).ok,
    );
    if (fits) testRoutingContract(topology, routing, ', cables side by side');
  }
}

/** A fat tree with one cable for each link, with several, and without one of two cables of a link. */
function treesOf(request: TopologyRequest): readonly (readonly [string, Topology])[] {
  const topology = valueOf(topologies.find(({ name }) => name === 'fat-tree')!.build(request));
  const [from, to] = [topology.links.from[0], topology.links.to[0]];
  const cables = from === undefined || to === undefined ? [] : [{ from, to, cable: 1 }];
  const thinned = buildMachine({
    ...gridDescription('fat-tree', []),
    topology: { name: 'fat-tree', options: request.options },
    routing: { name: 'minimal', options: {} },
    figures: { cables: 2 },
    faults: { cables, routers: [], nodes: [] },
  });
  return [
    ['one cable each', topology],
    ['two cables each', valueOf(sideBySide(topology, () => 2))],
    ['uneven cables', valueOf(sideBySide(topology, cablesOfEnds(topology)))],
    ['one of two cables lost of a link', valueOf(thinned).topology],
  ];
}

for (const name of ['minimal', 'up-down', 'fat-tree', 'static']) {
  testContract(`loads of fat trees with several cables under ${name}`, ({ on, property }) => {
    for (const { title, request } of exampleNetworks('fat-tree')) {
      for (const [what, network] of treesOf(request)) {
        on(`${title}, ${what}`, () => {
          const routed = valueOf(routings.find((routing) => routing.name === name)!.build(network, {}));
          const flows = randomFlows(network.routerCount, 200, false);
          const walked = walkedLoads(network, routed, flows);
          property('equal those of routes that are walked', (look) => {
            loadsOf(network, routed, flows).forEach((load, link) => {
              look(Math.abs(load - walked[link]!) < 5e-10, () => `link ${link}: ${load}, not ${walked[link]}`);
            });
          });
        });
      }
    }
  });
}

it('all that a link loses with one of its cables is told as a machine without it has it', () => {
  const machine = grid('minimal');
  const { topology } = machine;
  const random = seededRandom(3);
  const flows = {
    from: Int32Array.from({ length: 40 }, () => random.integer(16)),
    to: Int32Array.from({ length: 40 }, () => random.integer(16)),
    amount: Float64Array.from({ length: 40 }, () => 1 + random.integer(9)),
  };
  const cables = Int32Array.from(topology.links.from.keys(), (link) => cablesOfLink(machine, link));
  const ways = knownWaysOf(topology, flows, relativeTimes(machine), neverCancelled, undefined, cables);
  if (typeof ways === 'string') throw new Error(ways);
  const bundles = Array.from(cables.keys()).filter((link) => cables[link] === 2 && link < reverseLink(topology, link));
  expect(bundles).toHaveLength(16);
  for (const lost of new LostCables(ways).losses(bundles, neverCancelled)!) {
    const ends = { from: topology.links.from[lost.link]!, to: topology.links.to[lost.link]! };
    const left = grid('minimal', { faults: { cables: [{ ...ends, cable: 2 }] } });
    const loads = new Float64Array(topology.links.linkCount);
    left.routing.addLoads(flows, loads, neverCancelled);
    // The fastest link is as fast as before: others along y still have both cables.
    const times = relativeTimes(left)!;
    expect(lost.maximum).toBeCloseTo(Math.max(...loads.map((load, link) => load * times[link]!)), 9);
    expect([lost.isBridge, lost.addedHopBytes]).toEqual([false, 0]);
  }
});
