import { describe, expect, it } from 'vitest';
import { asRouterId } from '../../model/identifiers.ts';
import type { RouterFlows, Routing, Topology } from '../../model/machine.ts';
import { autonetCables, switchesRequest } from '../testing/exampleNetworks.ts';
import { requestOf } from '../testing/machines.ts';
import { networkMachine } from '../testing/networkMachines.ts';
import { loadsOf, valueOf } from '../testing/routingContract.ts';
import { dragonfly } from '../topologies/dragonfly.ts';
import { fatTree } from '../topologies/fatTree.ts';
import { hypercube, torus } from '../topologies/grids.ts';
import { switches } from '../topologies/switches.ts';
import { minimal } from './minimal.ts';
import { valiant } from './valiant.ts';

const built = (topology: Topology): { readonly straight: Routing; readonly detoured: Routing } => ({
  straight: valueOf(minimal.build(topology, {})),
  detoured: valueOf(valiant.build(topology, {})),
});

const dragonflyOf = (p: number, a: number, h: number): Topology =>
  valueOf(dragonfly.build({ ...requestOf([]), argument: undefined, options: { p, a, h } }));

/** What each router sends the one that `target` says, `amount` bytes. */
function patternOf({ routerCount }: Topology, amount: number, target: (router: number) => number): RouterFlows {
  const from = Int32Array.from({ length: routerCount }, (_, router) => router);
  return { from, to: from.map(target), amount: new Float64Array(routerCount).fill(amount) };
}

function betweenAll({ routerCount }: Topology): RouterFlows {
  const pairs = Array.from({ length: routerCount ** 2 }, (_, pair) => pair);
  return {
    from: Int32Array.from(pairs, (pair) => Math.floor(pair / routerCount)),
    to: Int32Array.from(pairs, (pair) => pair % routerCount),
    amount: new Float64Array(pairs.length).fill(1),
  };
}

const shareMap = (routing: Routing, from: number, to: number): Map<number, number> => {
  const shares = new Map<number, number>();
  routing.visitShares(asRouterId(from), asRouterId(to), (link, share) => shares.set(link, share));
  return shares;
};

describe('Valiant routing', () => {
  it.each([
    { name: 'a torus 4 x 5', topology: valueOf(torus.build(requestOf([4, 5]))) },
    { name: 'a hypercube of 16', topology: valueOf(hypercube.build(requestOf([4]))) },
    { name: 'Autonet', topology: valueOf(switches.build(switchesRequest(10, autonetCables))) },
  ])('puts twice on every link what minimal routing does under uniform traffic, on $name', ({ topology }) => {
    const { straight, detoured } = built(topology);
    const flows = betweenAll(topology);
    const n = topology.routerCount;
    const expected = loadsOf(topology, straight, flows).map((load) => (2 * load * (n - 1)) / n);
    loadsOf(topology, detoured, flows).forEach((load, link) => {
      expect(load).toBeCloseTo(expected[link]!, 9);
    });
  });

  it('takes the mean over all switches that may be drawn, the ends among them', () => {
    const topology = valueOf(switches.build(switchesRequest(10, autonetCables)));
    const { straight, detoured } = built(topology);
    for (const [from, to] of [
      [0, 6],
      [9, 5],
      [3, 4],
    ] as const) {
      const expected = new Map<number, number>();
      for (let by = 0; by < 10; by++) {
        for (const half of [shareMap(straight, from, by), shareMap(straight, by, to)]) {
          for (const [link, share] of half) expected.set(link, (expected.get(link) ?? 0) + share / 10);
        }
      }
      const shares = shareMap(detoured, from, to);
      expect([...shares.keys()].sort((a, b) => a - b)).toEqual([...expected.keys()].sort((a, b) => a - b));
      for (const [link, share] of expected) expect(shares.get(link)).toBeCloseTo(share, 12);
    }
  });

  it('draws switches with nodes: in a fat tree the leaves', () => {
    const topology = valueOf(fatTree.build({ ...requestOf([]), argument: undefined, options: { k: 2, n: 2 } }));
    const { detoured } = built(topology);
    // Leaves 0 and 1 under two spines: whichever leaf is drawn, the way is up and down once.
    expect(detoured.hops(asRouterId(0), asRouterId(1))).toBe(2);
    expect([...shareMap(detoured, 0, 1).values()]).toEqual([0.5, 0.5, 0.5, 0.5]);
  });

  it('goes on a dragonfly to whichever router of the group it comes to first, and minimally on', () => {
    const topology = dragonflyOf(2, 4, 2);
    const { straight, detoured } = built(topology);
    const { links, groups } = topology;
    const gateBetween = (from: number, to: number): number => {
      for (let link = 0; link < links.routerLinkCount; link++) {
        if (groups![links.from[link]!] === from && groups![links.to[link]!] === to) return links.to[link]!;
      }
      return -1;
    };
    for (const [from, to] of [
      [0, 13],
      [5, 35],
      [2, 3],
    ] as const) {
      const expected = new Map<number, number>();
      let hops = 0;
      for (let group = 0; group < 9; group++) {
        const by = group === groups![from] ? from : gateBetween(groups![from]!, group);
        for (const way of [
          straight.route(asRouterId(from), asRouterId(by))!,
          straight.route(asRouterId(by), asRouterId(to))!,
        ]) {
          hops += way.length / 9;
          for (const link of way) expected.set(link, (expected.get(link) ?? 0) + 1 / 9);
        }
      }
      expect(detoured.hops(asRouterId(from), asRouterId(to))).toBeCloseTo(hops, 12);
      const shares = shareMap(detoured, from, to);
      expect(shares.size).toBe(expected.size);
      for (const [link, share] of expected) expect(shares.get(link)).toBeCloseTo(share, 12);
    }
  });

  // Kim et al. 2008, section 4.2: where every node of a group sends to the next group, minimal routing is limited to 1/(a·h) of
  // the capacity by the one cable between them, and Valiant's to 1/2. With all groups drawn alike it is (1 + 1/(a·h)) / 2.
  it.each([
    { p: 1, a: 2, h: 1 },
    { p: 2, a: 4, h: 2 },
    { p: 4, a: 8, h: 4 },
  ])('has the throughput of Kim et al. under the adversarial pattern: p $p, a $a, h $h', ({ p, a, h }) => {
    const topology = dragonflyOf(p, a, h);
    const { straight, detoured } = built(topology);
    const { links, groups, routerCount } = topology;
    const flows = patternOf(topology, p, (router) => (router + a) % routerCount);
    const isGlobal = (_: number, link: number): boolean =>
      link < links.routerLinkCount && groups![links.from[link]!] !== groups![links.to[link]!];
    const onCables = (routing: Routing): Float64Array => loadsOf(topology, routing, flows).filter(isGlobal);
    expect(1 / Math.max(...onCables(straight))).toBeCloseTo(1 / (a * h), 12);
    // Every cable between groups carries as much.
    for (const load of onCables(detoured)) expect(1 / load).toBeCloseTo((1 + 1 / (a * h)) / 2, 12);
  });

  it('is held up by local cables at 1/h where groups send to the h-th next: García et al. 2012, section II', () => {
    const [p, a, h] = [4, 8, 4];
    const topology = dragonflyOf(p, a, h);
    const flows = patternOf(topology, p, (router) => (router + h * a) % topology.routerCount);
    const most = Math.max(...loadsOf(topology, built(topology).detoured, flows));
    expect(1 / most).toBeGreaterThan(1 / h - 0.05);
    expect(1 / most).toBeLessThan(1 / h + 0.05);
  });

  it('leaves a switch that does not work alone', () => {
    const machine = networkMachine('dragonfly', {
      options: { p: 2, a: 4, h: 2 },
      routing: { name: 'valiant', options: {} },
      faults: { cables: [], routers: [5], nodes: [] },
    });
    const { topology, routing } = machine;
    const loads = loadsOf(topology, routing, betweenAll(topology));
    loads.subarray(0, topology.links.routerLinkCount).forEach((load, link) => {
      if (topology.links.from[link] === 5 || topology.links.to[link] === 5) expect(load).toBe(0);
      else expect(load).toBeGreaterThan(0);
    });
    expect(routing.hops(asRouterId(5), asRouterId(0))).toBe(Infinity);
  });
});
