import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../model/cancellation.ts';
import { asRouterId } from '../../model/identifiers.ts';
import type { Routing, Topology } from '../../model/machine.ts';
import { switches } from '../topologies/switches.ts';
import { fatTree } from '../topologies/fatTree.ts';
import { torus } from '../topologies/grids.ts';
import { autonetCables, cablesOf, randomCables, switchesRequest } from '../testing/exampleNetworks.ts';
import { legalityOf } from '../testing/legalRoutes.ts';
import { requestOf } from '../testing/machines.ts';
import { loadsOf, randomFlows, valueOf } from '../testing/routingContract.ts';
import { centralRouter, distanceSums, rootCandidates } from './roots.ts';
import { levelsFrom } from './routeGraph.ts';
import { upDown } from './upDown.ts';

const network = (count: number, cables: string): Topology =>
  valueOf(switches.build(switchesRequest(count, cables === '' ? [] : cablesOf(cables))));
const routed = (topology: Topology, root?: number): Routing =>
  valueOf(upDown.build(topology, root === undefined ? {} : { root }));
const hops = (routing: Routing, from: number, to: number) => routing.hops(asRouterId(from), asRouterId(to));
const flow = (from: number, to: number, amount: number) => ({
  from: Int32Array.of(from),
  to: Int32Array.of(to),
  amount: Float64Array.of(amount),
});

describe('up-down routing of Autonet (Orduña et al. 2004), root 6', () => {
  const autonet = valueOf(switches.build(switchesRequest(10, autonetCables)));
  const routing = routed(autonet, 6);

  it('allows the four paths of Table 1 from 0 to 1 and uses the two shortest', () => {
    const legality = legalityOf(autonet, routing)!;
    const paths: string[] = [];
    const extend = (path: number[], letters: string): void => {
      const at = path.at(-1)!;
      if (at === 1) paths.push(path.join('-'));
      for (let link = autonet.links.firstLink[at]!; link < autonet.links.firstLink[at + 1]!; link++) {
        const longer = letters + legality.letterOf(link);
        const next = autonet.links.to[link]!;
        if (at !== 1 && !path.includes(next) && legality.ways.test(longer)) extend([...path, next], longer);
      }
    };
    extend([0], '');
    expect(paths.sort()).toEqual(['0-2-1', '0-2-6-4-1', '0-4-1', '0-4-6-2-1']);

    const used: string[] = [];
    routing.visitShares(asRouterId(0), asRouterId(1), (link, share) => {
      used.push(`${autonet.links.from[link]!}-${autonet.links.to[link]!} ${share}`);
    });
    expect(used).toEqual(['0-2 0.5', '0-4 0.5', '2-1 0.5', '4-1 0.5']);
    expect(routing.route(asRouterId(0), asRouterId(1))).toBeUndefined();
    expect(routing.route(asRouterId(0), asRouterId(9))).toHaveLength(1);
  });

  it('has these hops, symmetric: 5 from 0 to 5, where 0-9-5 would go up after down', () => {
    const table = Array.from({ length: 10 }, (_, from) =>
      Array.from({ length: 10 }, (__, to) => hops(routing, from, to)).join(''),
    );
    // With Table 2's equivalent distances: a cable is 1, two parallel ways of two links are 1.
    expect(table).toEqual([
      ...['0213152441', '2013152441', '1102241332', '3320221113', '1122041332'],
      ...['5542403111', '2211130223', '4431312012', '4431312102', '1123213220'],
    ]);
    expect([...routing.hierarchy!.level].join('')).toBe('2211130223');
  });

  it('breaks the triangle inequality: 0 to 9 to 5 would be 2', () => {
    expect(hops(routing, 0, 9) + hops(routing, 9, 5)).toBeLessThan(hops(routing, 0, 5));
  });
});

describe('the root of up-down routing', () => {
  it.each([
    { name: 'a line of 5: its middle', topology: network(5, '0-1 1-2 2-3 3-4'), root: 2 },
    { name: 'a line of 4: the lower of two middles', topology: network(4, '0-1 1-2 2-3'), root: 1 },
    { name: 'a star round 3', topology: network(5, '3-0 3-1 3-2 3-4'), root: 3 },
    { name: 'a ring, where all are alike', topology: network(4, '0-1 1-2 2-3 3-0'), root: 0 },
    { name: 'a lone switch', topology: network(1, ''), root: 0 },
  ])('is chosen in $name', ({ topology, root }) => {
    expect(routed(topology).hierarchy?.roots).toEqual([root]);
  });

  it.each([
    { name: 'a Clos of two levels', options: { k: 4, n: 2 }, spines: [4, 5, 6, 7] },
    { name: 'a tree of three levels', options: { k: 2, n: 3 }, spines: [8, 9, 10, 11] },
    {
      name: 'a tree of three levels of four',
      options: { k: 4, n: 3 },
      spines: Array.from({ length: 16 }, (_, top) => 32 + top),
    },
  ])('are all of those at the top of $name, by its tiers and by the rule of OpenSM', ({ options, spines }) => {
    const topology = valueOf(fatTree.build({ ...requestOf([]), argument: undefined, options }));
    expect(rootCandidates(topology, neverCancelled)).toEqual(spines);
    expect(routed(topology).hierarchy?.roots).toEqual(spines);
    const { tiers, ...plain } = topology;
    expect(tiers).toHaveLength(topology.routerCount);
    expect(routed(plain).hierarchy?.roots).toEqual(spines);
  });

  it('has no candidates where the network is irregular, or every switch has hosts', () => {
    const autonet = valueOf(switches.build(switchesRequest(10, autonetCables)));
    expect(rootCandidates(autonet, neverCancelled)).toEqual([]);
    expect(rootCandidates(valueOf(torus.build(requestOf([4, 4]))), neverCancelled)).toEqual([]);
  });

  it.each([5, 33, 70, 130])('is chosen by distances that agree with searches one by one, %i switches', (count) => {
    const topology = valueOf(switches.build(switchesRequest(count, randomCables(count, count + 9, count))));
    const sums = Array.from({ length: count }, (_, router) =>
      levelsFrom(topology, router).reduce((sum, level) => sum + level, 0),
    );
    expect([...distanceSums(topology)]).toEqual(sums);
    expect(centralRouter(topology)).toBe(sums.indexOf(Math.min(...sums)));
  });

  it.each([
    { count: 10, root: 10, message: 'Unknown root switch 10. Switches are 0 to 9.' },
    { count: 1, root: 3, message: 'Unknown root switch 3. The only switch is 0.' },
    { count: 10, root: -1, message: 'Unknown root switch -1. Switches are 0 to 9.' },
  ])('is refused where it does not exist: $root of $count', ({ count, root, message }) => {
    const cables = randomCables(count, 0, 1);
    const built = upDown.build(valueOf(switches.build(switchesRequest(count, cables))), { root });
    expect(built).toEqual({ ok: false, failure: { code: 'unknown-root', message } });
  });

  it('changes the routes: the root is part of the machine', () => {
    const autonet = valueOf(switches.build(switchesRequest(10, autonetCables)));
    expect(hops(routed(autonet, 0), 0, 5)).toBe(2);
    expect(hops(routed(autonet, 6), 0, 5)).toBe(5);
  });
});

describe('up-down routing', () => {
  it('splits over parallel cables, each a next link', () => {
    const topology = network(3, '0-1 0-1 0-1 1-2');
    expect([...loadsOf(topology, routed(topology, 0), flow(0, 2, 9)).subarray(0, 8)]).toEqual([
      ...[3, 3, 3], // 0 to 1
      ...[0, 0, 0, 9], // 1 to 0, 1 to 2
      0,
    ]);
  });

  it('keeps whole amounts whole where nothing is split, and nothing where no flow passes', () => {
    const topology = network(6, '0-1 1-2 2-3 3-4 4-5');
    const routing = routed(topology);
    expect(routing.singlePath).toBe(true);
    const odd = 2 ** 53 - 1;
    expect([...loadsOf(topology, routing, flow(1, 4, odd)).subarray(0, 10)]).toEqual(
      Array.from(topology.links.from, (from, link) =>
        from >= 1 && from <= 3 && topology.links.to[link] === from + 1 ? odd : 0,
      ),
    );
  });

  it('counts hops beyond 255 on long lines', () => {
    const long = valueOf(torus.build(requestOf([700])));
    const routing = routed(long, 0);
    expect(hops(routing, 349, 351)).toBe(698);
    expect(loadsOf(long, routing, flow(349, 351, 1)).reduce((sum, load) => sum + load)).toBe(698);
    let shares = 0;
    routing.visitShares(asRouterId(349), asRouterId(351), () => (shares += 1));
    expect(shares).toBe(698);
  });

  it('stops when it is cancelled', () => {
    const topology = network(4, '0-1 1-2 2-3');
    const loads = new Float64Array(topology.links.linkCount);
    routed(topology).addLoads(randomFlows(4, 100, true), loads, { isCancelled: () => true });
    expect(loads.every((load) => load === 0)).toBe(true);
  });
});
