import { describe, expect, it } from 'vitest';
import type { OptionValues } from '../../model/catalogue.ts';
import { asRouterId } from '../../model/identifiers.ts';
import type { Routing, Topology } from '../../model/machine.ts';
import type { TopologyEntry } from '../contract.ts';
import { exampleNetworks, switchesRequest, cablesOf } from '../testing/exampleNetworks.ts';
import { requestOf } from '../testing/machines.ts';
import { valueOf } from '../testing/routingContract.ts';
import { cluster, switches } from '../topologies/switches.ts';
import { dragonfly } from '../topologies/dragonfly.ts';
import { fatTree } from '../topologies/fatTree.ts';
import { hypercube, mesh, torus } from '../topologies/grids.ts';
import { dimensionOrder } from './dimensionOrder.ts';
import { minimal } from './minimal.ts';
import { levelsFrom } from './routeGraph.ts';

const routed = (topology: Topology): Routing => valueOf(minimal.build(topology, {}));
const built = (entry: TopologyEntry, options: OptionValues): Topology =>
  valueOf(entry.build({ ...requestOf([]), argument: undefined, options }));

/** Ends of the links that carry a share, and the share: `0-1 0.5`. */
function sharesOf({ links }: Topology, routing: Routing, from: number, to: number): string[] {
  const shares: string[] = [];
  routing.visitShares(asRouterId(from), asRouterId(to), (link, share) => {
    shares.push(`${links.from[link]!}-${links.to[link]!} ${share}`);
  });
  return shares;
}

function* pairsOf({ routerCount }: Topology): Generator<[number, number]> {
  for (let from = 0; from < routerCount; from++) for (let to = 0; to < routerCount; to++) yield [from, to];
}

describe('minimal routing', () => {
  it.each([
    { name: 'torus 5 x 6', topology: valueOf(torus.build(requestOf([5, 6]))) },
    { name: 'torus 4 x 3 x 4', topology: valueOf(torus.build(requestOf([4, 3, 4]))) },
    { name: 'mesh 4 x 5', topology: valueOf(mesh.build(requestOf([4, 5]))) },
    { name: 'hypercube 5', topology: valueOf(hypercube.build(requestOf([5]))) },
  ])('takes as many hops on $name as dimension order', ({ topology }) => {
    const [all, one] = [routed(topology), valueOf(dimensionOrder.build(topology, {}))];
    const wrong = [...pairsOf(topology)].filter(
      ([from, to]) => all.hops(asRouterId(from), asRouterId(to)) !== one.hops(asRouterId(from), asRouterId(to)),
    );
    expect(wrong).toEqual([]);
  });

  it('splits at each router, not route by route: 1/2 and 1/4 on a mesh of 3 x 3', () => {
    const topology = valueOf(mesh.build(requestOf([3, 3])));
    expect(sharesOf(topology, routed(topology), 0, 8).sort()).toEqual([
      ...['0-1 0.5', '0-3 0.5', '1-2 0.25', '1-4 0.25', '2-5 0.25', '3-4 0.25', '3-6 0.25'],
      ...['4-5 0.25', '4-7 0.25', '5-8 0.5', '6-7 0.25', '7-8 0.5'],
    ]);
  });

  it('splits over parallel cables', () => {
    const topology = valueOf(switches.build(switchesRequest(4, cablesOf('0-1 0-1 0-2 1-3 2-3'))));
    const shares = sharesOf(topology, routed(topology), 0, 3);
    const third = 1 / 3;
    expect(shares.sort()).toEqual([`0-1 ${third}`, `0-1 ${third}`, `0-2 ${third}`, `1-3 ${2 / 3}`, `2-3 ${third}`]);
  });

  it('has one route, nothing to split, on trees', () => {
    const star = valueOf(cluster.build(requestOf([5])));
    expect(routed(star).singlePath).toBe(true);
    expect(routed(valueOf(torus.build(requestOf([4])))).singlePath).toBe(false);
  });

  it('has hops by formula on grids and between leaves that a search finds as well', () => {
    for (const topology of [
      valueOf(torus.build(requestOf([5, 4, 3]))),
      valueOf(mesh.build(requestOf([2, 2, 6]))),
      ...exampleNetworks('fat-tree').map(({ request }) => valueOf(fatTree.build(request))),
    ]) {
      const routing = routed(topology);
      for (let from = 0; from < topology.routerCount; from++) {
        const levels = levelsFrom(topology, from);
        levels.forEach((level, to) => {
          expect(routing.hops(asRouterId(from), asRouterId(to)), `${from} to ${to}`).toBe(level);
        });
      }
    }
  });
});

describe('minimal routing of fat trees', () => {
  it.each(exampleNetworks('fat-tree'))('goes up to a nearest common ancestor, then down: $title', ({ request }) => {
    const topology = valueOf(fatTree.build(request));
    const { links, tiers } = topology;
    const routing = routed(topology);
    const leaves = [...tiers!.keys()].filter((router) => tiers![router] === 0);
    for (const from of leaves) {
      for (const to of leaves) {
        const length = routing.hops(asRouterId(from), asRouterId(to));
        let top = 0;
        routing.visitShares(asRouterId(from), asRouterId(to), (link) => {
          const [start, end] = [links.from[link]!, links.to[link]!];
          const walked = routing.hops(asRouterId(from), asRouterId(start));
          expect(tiers![end]! - tiers![start]!).toBe(walked < length / 2 ? 1 : -1);
          top = Math.max(top, tiers![end]!);
        });
        expect(length).toBe(2 * top);
      }
    }
  });

  it('uses every common ancestor: 4 leaves under 2 x 2 tops', () => {
    const topology = built(fatTree, { k: 2, n: 3 });
    const routing = routed(topology);
    const tops = new Set<number>();
    routing.visitShares(asRouterId(0), asRouterId(3), (link) => {
      const router = topology.links.to[link]!;
      if (topology.tiers![router] === 2) tops.add(router);
    });
    expect(tops.size).toBe(4);
  });
});

describe('minimal routing of dragonflies', () => {
  it.each(exampleNetworks('dragonfly'))('goes over a cable of the two groups at most once: $title', ({ request }) => {
    const topology = valueOf(dragonfly.build(request));
    const groups = topology.groups!;
    const routing = routed(topology);
    for (const [from, to] of pairsOf(topology)) {
      let crossed = 0;
      routing.visitShares(asRouterId(from), asRouterId(to), (link, share) => {
        const ends = [groups[topology.links.from[link]!]!, groups[topology.links.to[link]!]!];
        for (const end of ends) expect([groups[from], groups[to]]).toContain(end);
        if (ends[0] !== ends[1]) crossed += share;
      });
      expect(crossed).toBeCloseTo(groups[from] === groups[to] ? 0 : 1, 9);
      const withinGroup = topology.groupShape?.length ?? 1;
      expect(routing.hops(asRouterId(from), asRouterId(to))).toBeLessThanOrEqual(2 * withinGroup + 1);
    }
  });

  it('goes the longer way rather than through a third group', () => {
    const topology = built(dragonfly, { p: 1, a: 4, h: 2 });
    const { groups, ...plain } = topology;
    expect([groups![1], groups![5]]).toEqual([0, 1]);
    expect(routed(topology).hops(asRouterId(1), asRouterId(5))).toBe(3);
    expect(routed(plain).hops(asRouterId(1), asRouterId(5))).toBe(2);
  });

  it('has one route where each two groups have one cable', () => {
    expect(routed(built(dragonfly, { p: 1, a: 4, h: 2 })).singlePath).toBe(true);
    expect(routed(built(dragonfly, { p: 1, a: 4, h: 2, g: 3 })).singlePath).toBe(false);
  });

  it('stays within groups that are cabled in part, and takes all shortest ways where one is in parts', () => {
    const ring = valueOf(switches.build(switchesRequest(6, cablesOf('0-1 1-2 2-3 3-4 4-5 5-0'))));
    const within = routed({ ...ring, groups: Int32Array.of(0, 0, 0, 1, 1, 1) });
    expect(within.hops(asRouterId(0), asRouterId(3))).toBe(3);
    expect(within.graph?.stateCount).toBe(12);
    // A group in two parts cannot be kept to.
    const inParts = routed({ ...ring, groups: Int32Array.of(0, 0, 1, 1, 0, 1) });
    expect(inParts.hops(asRouterId(0), asRouterId(3))).toBe(3);
    expect(inParts.graph?.stateCount).toBe(6);
  });
});
