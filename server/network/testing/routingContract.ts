import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../model/cancellation.ts';
import { asRouterId } from '../../model/identifiers.ts';
import type { RouterFlows, Routing, Topology } from '../../model/machine.ts';
import { seededRandom } from '../../model/random.ts';
import type { Result } from '../../model/result.ts';
import type { RoutingEntry, TopologyEntry } from '../contract.ts';
import { requestOf } from './machines.ts';

/** Sizes that an entry is tried with: sides of 1 and 2, odd and even, one to four dimensions. */
const shapes: readonly (readonly number[])[] = [
  ...[[1], [2], [3], [4], [7], [8]],
  ...[
    [1, 1],
    [2, 2],
    [1, 5],
    [5, 1],
    [2, 3],
    [4, 4],
    [5, 6],
  ],
  ...[
    [2, 1, 4],
    [3, 4, 5],
    [4, 4, 4],
  ],
  ...[
    [4, 3, 2, 1],
    [3, 2, 2, 3],
    [4, 2, 3, 4],
  ],
];
const integers: readonly (readonly number[])[] = [[1], [2], [3], [5]];

/** What every runnable topology and routing promises; the catalogue's entries go through it by themselves. */
export function describeRoutingContract(topologyEntry: TopologyEntry, routingEntry: RoutingEntry): void {
  const arguments_ = topologyEntry.argument?.kind === 'shape' ? shapes : integers;
  describe.each(arguments_.map((numbers) => ({ name: numbers.join(' x '), numbers })))(
    `${topologyEntry.name} $name under ${routingEntry.name}`,
    ({ numbers }) => {
      const request = requestOf(numbers);
      const topology = valueOf(topologyEntry.build!(request));
      const routing = valueOf(routingEntry.build!(topology, {}));
      it('measures the size that it builds', () => {
        expect(topologyEntry.measure!(request)).toEqual({
          routers: topology.routerCount,
          nodes: topology.routerOfNode.length,
          links: topology.links.linkCount,
        });
      });
      describeLinks(topology);
      describeDistances(topology, routing);
      describeLoads(topology, routing);
    },
  );
}

export function valueOf<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(`[${result.failure.code}] ${result.failure.message}`);
  return result.value;
}

function describeLinks({ links, routerCount }: Topology): void {
  it('lists the links that leave each router in its rows', () => {
    expect(links.firstLink).toHaveLength(routerCount + 1);
    expect(links.firstLink[0]).toBe(0);
    expect(links.firstLink[routerCount]).toBe(links.routerLinkCount);
    for (let router = 0; router < routerCount; router++) {
      for (let link = links.firstLink[router]!; link < links.firstLink[router + 1]!; link++) {
        expect(links.from[link]).toBe(router);
        expect(links.to[link]).not.toBe(router);
      }
    }
  });

  it('has a link back for every link', () => {
    const ends = Array.from(links.from, (from, link) => `${from} ${links.to[link]!}`).sort();
    const reversed = Array.from(links.from, (from, link) => `${links.to[link]!} ${from}`).sort();
    expect(reversed).toEqual(ends);
  });
}

function describeDistances(topology: Topology, routing: Routing): void {
  const { routerCount, links } = topology;
  const hops = (from: number, to: number) => routing.hops(asRouterId(from), asRouterId(to));

  it('takes as many hops as the shortest way has, or more where it must avoid some', () => {
    for (let from = 0; from < routerCount; from++) {
      const shortest = breadthFirstDistances(topology, from);
      for (let to = 0; to < routerCount; to++) {
        expect(hops(from, to)).toBeGreaterThanOrEqual(shortest[to]!);
        if (topology.shape) expect(hops(from, to)).toBe(shortest[to]);
      }
    }
  });

  it('keeps its word on symmetry, and the triangle inequality', () => {
    const random = seededRandom(3);
    for (let sample = 0; sample < 2000; sample++) {
      const [a, b, c] = [0, 0, 0].map(() => random.integer(routerCount)) as [number, number, number];
      if (routing.symmetric) expect(hops(a, b)).toBe(hops(b, a));
      expect(hops(a, c)).toBeLessThanOrEqual(hops(a, b) + hops(b, c));
    }
  });

  it('describes each route as connected links, as many as it has hops', () => {
    for (const [from, to] of pairsOf(routerCount)) {
      const route = routing.route(asRouterId(from), asRouterId(to));
      if (!route) {
        expect(routing.singlePath).toBe(false);
        continue;
      }
      expect(route).toHaveLength(hops(from, to));
      let at = from;
      for (const link of route) {
        expect(links.from[link]).toBe(at);
        at = links.to[link]!;
      }
      expect(at).toBe(to);
    }
  });
}

function describeLoads(topology: Topology, routing: Routing): void {
  const { routerCount, links } = topology;
  const loadsOf = (flows: RouterFlows): Float64Array => {
    const loads = new Float64Array(links.linkCount);
    routing.addLoads(flows, loads, neverCancelled);
    return loads;
  };
  const cases = [
    { kind: 'few whole', count: 5, whole: true },
    { kind: 'few fractional', count: 5, whole: false },
    { kind: 'many whole', count: routerCount * 40, whole: true },
    { kind: 'many fractional', count: routerCount * 40, whole: false },
  ];

  it.each(cases)('adds the loads of $kind flows as walking their routes does', ({ count, whole }) => {
    const flows = randomFlows(routerCount, count, whole);
    const walked = walkedLoads(topology, routing, flows);
    const added = loadsOf(flows);
    for (let link = 0; link < links.linkCount; link++) {
      if (whole || walked[link] === 0) expect(added[link]).toBe(walked[link]);
      else expect(Math.abs(added[link]! / walked[link]! - 1)).toBeLessThan(1e-12);
    }
  });

  it('conserves bytes: the loads sum to amount times hops', () => {
    const flows = randomFlows(routerCount, 300, true);
    let expected = 0;
    flows.amount.forEach((amount, flow) => {
      expected += amount * routing.hops(asRouterId(flows.from[flow]!), asRouterId(flows.to[flow]!));
    });
    expect(loadsOf(flows).reduce((sum, load) => sum + load, 0)).toBe(expected);
  });

  it('adds to loads that are there already', () => {
    const flows = randomFlows(routerCount, 20, true);
    const twice = loadsOf(flows);
    routing.addLoads(flows, twice, neverCancelled);
    expect(twice).toEqual(loadsOf(flows).map((load) => 2 * load));
  });
}

function breadthFirstDistances({ routerCount, links }: Topology, start: number): Int32Array {
  const distances = new Int32Array(routerCount).fill(-1);
  distances[start] = 0;
  const queue = [start];
  for (const router of queue) {
    for (let link = links.firstLink[router]!; link < links.firstLink[router + 1]!; link++) {
      const next = links.to[link]!;
      if (distances[next] !== -1) continue;
      distances[next] = distances[router]! + 1;
      queue.push(next);
    }
  }
  return distances;
}

function* pairsOf(count: number): Generator<[number, number]> {
  for (let from = 0; from < count; from++) for (let to = 0; to < count; to++) yield [from, to];
}

function randomFlows(routerCount: number, count: number, whole: boolean): RouterFlows {
  const random = seededRandom(count);
  const amountOf = whole ? () => random.integer(1_000_000) + 1 : () => 0.1 + random.fraction() * 1000;
  return {
    from: Int32Array.from({ length: count }, () => random.integer(routerCount)),
    to: Int32Array.from({ length: count }, () => random.integer(routerCount)),
    amount: Float64Array.from({ length: count }, amountOf),
  };
}

function walkedLoads({ links }: Topology, routing: Routing, flows: RouterFlows): Float64Array {
  const loads = new Float64Array(links.linkCount);
  flows.amount.forEach((amount, flow) => {
    routing.visitShares(asRouterId(flows.from[flow]!), asRouterId(flows.to[flow]!), (link, share) => {
      loads[link]! += amount * share;
    });
  });
  return loads;
}
