import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../model/cancellation.ts';
import { asRouterId } from '../../model/identifiers.ts';
import {
  receiverOf,
  routerOfAddress,
  senderOf,
  type RouterFlows,
  type Routing,
  type Topology,
} from '../../model/machine.ts';
import { seededRandom } from '../../model/random.ts';
import type { Result } from '../../model/result.ts';
import type { RoutingEntry, TopologyEntry } from '../contract.ts';
import { exampleNetworks } from './exampleNetworks.ts';
import { legalityOf, sharesOfWays, shortestLegalWays, type Legality } from './legalRoutes.ts';

/** Up to this many routers all legal ways are written down one by one. */
const mostRoutersWrittenDown = 20;
/** How far sums of split amounts may be from one another, in proportion. */
const tolerance = 1e-9;

/** What every runnable topology and routing promises; the catalogue's entries go through it by themselves. */
export function describeRoutingContract(topologyEntry: TopologyEntry, routingEntry: RoutingEntry): void {
  describe.each(exampleNetworks(topologyEntry.name))(
    `${topologyEntry.name} $title under ${routingEntry.name}`,
    ({ request }) => {
      const topology = valueOf(topologyEntry.build(request));
      const build = () => valueOf(routingEntry.build(topology, {}));
      const routing = build();
      describeDistances(topology, routing);
      describeRoutes(topology, routing);
      const legality = legalityOf(topology, routing);
      if (legality && topology.routerCount <= mostRoutersWrittenDown) describeLegality(topology, routing, legality);
      describeLoads(topology, routing);
      if (routing.byNode !== undefined) describeNodes(topology, routing);
      if (routing.hopShares !== undefined) describeDetours(topology, routing);
      it('says the same when it is built again', () => {
        const flows = randomFlows(topology.routerCount, 50, false);
        expect(loadsOf(topology, build(), flows)).toEqual(loadsOf(topology, routing, flows));
        expect(hopsOfAllPairs(topology, build())).toEqual(hopsOfAllPairs(topology, routing));
      });
    },
  );
}

export function valueOf<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(`[${result.failure.code}] ${result.failure.message}`);
  return result.value;
}

/** Where a packet remembers nothing of its way, two routes one after the other are a legal way. */
const joinsRoutes = (routing: Routing, { routerCount, groups }: Topology): boolean => {
  if (routing.hopShares !== undefined) return false;
  const { kind, graph } = routing;
  return graph === undefined ? kind !== 'ecmp' || groups === undefined : graph.stateCount === routerCount;
};

function describeDistances(topology: Topology, routing: Routing): void {
  const { routerCount } = topology;
  const hops = (from: number, to: number) => routing.hops(asRouterId(from), asRouterId(to));

  it('reaches every router with nodes from every other, itself in no hops', () => {
    const hasNodes = new Set(topology.routerOfNode);
    const wrong = [...pairsOf(routerCount)].filter(([from, to]) => {
      if (from === to) return hops(from, to) !== 0;
      return hops(from, to) === Infinity && hasNodes.has(from) && hasNodes.has(to);
    });
    expect(wrong).toEqual([]);
  });

  it('takes as many hops as the shortest way has, or more where it must avoid some', () => {
    const shortest = Array.from({ length: routerCount }, (_, from) => breadthFirstDistances(topology, from));
    const wrong = [...pairsOf(routerCount)].filter(([from, to]) => {
      const least = shortest[from]![to]!;
      return joinsRoutes(routing, topology) ? hops(from, to) !== least : hops(from, to) < least - tolerance;
    });
    expect(wrong).toEqual([]);
  });

  it('keeps its word on symmetry', () => {
    expect([...pairsOf(routerCount)].filter(([a, b]) => routing.symmetric && hops(a, b) !== hops(b, a))).toEqual([]);
  });

  it('keeps the triangle inequality, where packets do not remember their way', () => {
    const random = seededRandom(3);
    const wrong: number[][] = [];
    for (let sample = 0; sample < 2000 && joinsRoutes(routing, topology); sample++) {
      const [a, b, c] = [0, 0, 0].map(() => random.integer(routerCount)) as [number, number, number];
      if (hops(a, c) > hops(a, b) + hops(b, c)) wrong.push([a, b, c]);
    }
    expect(wrong).toEqual([]);
  });
}

function describeRoutes(topology: Topology, routing: Routing): void {
  const { routerCount, links } = topology;
  const hops = (from: number, to: number) => routing.hops(asRouterId(from), asRouterId(to));

  it('describes each only route as connected links, as many as it has hops', () => {
    const wrong: string[] = [];
    for (const [from, to] of pairsOf(routerCount)) {
      const route = routing.route(asRouterId(from), asRouterId(to));
      const shares = sharesBetween(routing, from, to);
      if (hops(from, to) === Infinity && (route ?? shares[0]) === undefined) continue;
      const isOnly = shares.length === hops(from, to) && shares.every(({ share }) => share === 1);
      if (isOnly !== (route !== undefined) || (routing.singlePath && !route)) wrong.push(`${from}-${to}: one or many?`);
      if (!route) continue;
      const end = route.reduce((at, link) => (links.from[link] === at ? links.to[link]! : -1), from);
      if (end !== to || route.length !== hops(from, to)) wrong.push(`${from}-${to}: ${route.join(' ')}`);
      if (shares.some(({ link }, index) => link !== route[index])) wrong.push(`${from}-${to}: not as shared`);
    }
    expect(wrong).toEqual([]);
  });

  it('lets as much out of each router as came in', () => {
    const wrong: string[] = [];
    for (const [from, to] of pairsOf(routerCount)) {
      if (hops(from, to) === Infinity) continue;
      const excess = new Float64Array(routerCount);
      if (from !== to) [excess[from], excess[to]] = [1, -1];
      let total = 0;
      for (const { link, share } of sharesBetween(routing, from, to)) {
        excess[links.from[link]!]! -= share;
        excess[links.to[link]!]! += share;
        total += share;
        if (!(share > 0 && share <= 1 + tolerance)) wrong.push(`${from}-${to}: ${share} over ${link}`);
      }
      if (excess.some((amount) => Math.abs(amount) > tolerance)) wrong.push(`${from}-${to}: lost or gained`);
      if (Math.abs(total - hops(from, to)) > tolerance)
        wrong.push(`${from}-${to}: ${total} for ${hops(from, to)} hops`);
    }
    expect(wrong).toEqual([]);
  });

  it('takes no link that hops say is too far round, each once', () => {
    const wrong: string[] = [];
    const mayGoRound = routing.hopShares !== undefined;
    for (const [from, to] of pairsOf(routerCount)) {
      const seen = new Set<number>();
      for (const { link } of sharesBetween(routing, from, to)) {
        const around = hops(from, links.from[link]!) + 1 + hops(links.to[link]!, to);
        if ((around > hops(from, to) && !mayGoRound) || seen.has(link)) wrong.push(`${from}-${to} over ${link}`);
        seen.add(link);
      }
    }
    expect(wrong).toEqual([]);
  });
}

/** What holds where packets of a pair travel different numbers of hops. */
function describeDetours({ routerCount, links }: Topology, routing: Routing): void {
  it('tells how many packets travel how far, all of them, and their mean as its hops', () => {
    const wrong: string[] = [];
    for (const [from, to] of pairsOf(routerCount)) {
      let [all, mean] = [0, 0];
      routing.hopShares?.(asRouterId(from), asRouterId(to), (hops, share) => {
        all += share;
        mean += share * hops;
      });
      if (!isNear(all, 1) || !isNear(mean, routing.hops(asRouterId(from), asRouterId(to)))) wrong.push(`${from}-${to}`);
    }
    expect(wrong).toEqual([]);
  });

  it('weighs a pair as its shares do', () => {
    const random = seededRandom(5);
    const weights = Float64Array.from({ length: links.linkCount }, () => random.fraction());
    const weigh = routing.weigh?.(weights);
    const wrong = [...pairsOf(routerCount)].filter(([from, to]) => {
      const walked = sharesBetween(routing, from, to).reduce((sum, { link, share }) => sum + share * weights[link]!, 0);
      return !isNear(weigh?.(asRouterId(from), asRouterId(to)) ?? NaN, walked);
    });
    expect(wrong).toEqual([]);
  });
}

function describeLegality(topology: Topology, routing: Routing, legality: Legality): void {
  it('uses all shortest legal ways and no other, split evenly wherever they part', () => {
    const wrong: string[] = [];
    for (let from = 0; from < topology.routerCount; from++) {
      const ways = shortestLegalWays(topology, legality, from);
      for (let to = 0; to < topology.routerCount; to++) {
        const those = ways[to]!;
        if (routing.hops(asRouterId(from), asRouterId(to)) !== (those[0]?.length ?? Infinity))
          wrong.push(`${from}-${to}: hops`);
        const shares = new Map(sharesBetween(routing, from, to).map(({ link, share }) => [link, share]));
        const expected = sharesOfWays(those);
        if (shares.size !== expected.size) wrong.push(`${from}-${to}: ${shares.size} links, not ${expected.size}`);
        for (const [link, share] of expected) {
          if (!isNear(shares.get(link) ?? 0, share)) wrong.push(`${from}-${to}: share of ${link}`);
        }
        const route = routing.route(asRouterId(from), asRouterId(to));
        if (those.length === 1) expect(route).toEqual(those[0]);
        else if (route) wrong.push(`${from}-${to}: one route of ${those.length}`);
      }
    }
    expect(wrong).toEqual([]);
  });
}

function describeLoads(topology: Topology, routing: Routing): void {
  const { routerCount } = topology;
  const cases = [
    { kind: 'few whole', count: 5, whole: true },
    { kind: 'few fractional', count: 5, whole: false },
    { kind: 'many whole', count: routerCount * 40, whole: true },
    { kind: 'many fractional', count: routerCount * 40, whole: false },
  ];

  it.each(cases)('adds the loads of $kind flows as walking their routes does', ({ count, whole }) => {
    const flows = randomFlows(routerCount, count, whole);
    const walked = walkedLoads(topology, routing, flows);
    const added = loadsOf(topology, routing, flows);
    const wrong = [...walked.keys()].filter((link) => {
      const isExact = (whole && routing.singlePath) || walked[link] === 0;
      return isExact ? added[link] !== walked[link] : !isNear(added[link]!, walked[link]!);
    });
    expect(wrong).toEqual([]);
  });

  it('conserves bytes: the loads sum to amount times hops', () => {
    const flows = randomFlows(routerCount, 300, true);
    let expected = 0;
    flows.amount.forEach((amount, flow) => {
      const hops = routing.hops(asRouterId(flows.from[flow]!), asRouterId(flows.to[flow]!));
      // What has no way crosses no link.
      expected += hops === Infinity ? 0 : amount * hops;
    });
    const sum = loadsOf(topology, routing, flows).reduce((total, load) => total + load, 0);
    if (routing.singlePath) expect(sum).toBe(expected);
    else expect(isNear(sum, expected)).toBe(true);
  });

  it('adds to loads that are there already', () => {
    const flows = randomFlows(routerCount, 20, true);
    const once = loadsOf(topology, routing, flows);
    const onTop = loadsOf(topology, routing, flows, new Float64Array(topology.links.linkCount).fill(1000));
    expect([...onTop.keys()].filter((link) => !isNear(onTop[link]!, 1000 + once[link]!))).toEqual([]);
  });

  it('leaves the host links alone', () => {
    const loads = loadsOf(topology, routing, randomFlows(routerCount, 50, true));
    expect(loads.subarray(topology.links.routerLinkCount).every((load) => load === 0)).toBe(true);
  });
}

/** What holds where nodes of one router have routes of their own. */
function describeNodes(topology: Topology, routing: Routing): void {
  const { routerCount, routerOfNode, links } = topology;
  const machine = { topology, routing };
  const nodes = [...routerOfNode.keys()].slice(0, 40);
  const pairs = nodes.flatMap((from) => nodes.map((to) => ({ from, to })));

  it('leads every node to every other by its own route, as long as its hops', () => {
    const wrong: string[] = [];
    for (const { from, to } of pairs) {
      const [sender, receiver] = [senderOf(machine, from), receiverOf(machine, to)];
      const route = routing.route(sender, receiver);
      const end = route?.reduce((at, link) => (links.from[link] === at ? links.to[link]! : -1), routerOfNode[from]!);
      if (end !== routerOfNode[to] || route?.length !== routing.hops(sender, receiver)) wrong.push(`${from}-${to}`);
      if (routerOfAddress(topology, receiver) !== routerOfNode[to]) wrong.push(`${to}: not its router`);
    }
    expect(wrong).toEqual([]);
  });

  it('adds the loads of flows between nodes as walking their routes does, every byte of them', () => {
    const random = seededRandom(8);
    const amount = Float64Array.from(pairs, () => random.integer(1_000_000) + 1);
    const flows = {
      from: Int32Array.from(pairs, ({ from }) => senderOf(machine, from)),
      to: Int32Array.from(pairs, ({ to }) => receiverOf(machine, to)),
      amount,
    };
    const walked = new Float64Array(links.linkCount);
    let crossed = 0;
    pairs.forEach(({ from, to }, flow) => {
      for (const link of routing.route(senderOf(machine, from), receiverOf(machine, to)) ?? []) {
        walked[link]! += amount[flow]!;
        crossed += amount[flow]!;
      }
    });
    const added = loadsOf(topology, routing, flows);
    expect(added).toEqual(walked);
    expect(added.reduce((sum, load) => sum + load, 0)).toBe(crossed);
    expect(Math.max(0, ...flows.to)).toBeGreaterThanOrEqual(routerCount);
  });
}

const isNear = (value: number, expected: number): boolean =>
  value === expected || Math.abs(value - expected) <= tolerance * Math.abs(expected);

function sharesBetween(routing: Routing, from: number, to: number): { link: number; share: number }[] {
  const shares: { link: number; share: number }[] = [];
  routing.visitShares(asRouterId(from), asRouterId(to), (link, share) => shares.push({ link, share }));
  return shares;
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

const hopsOfAllPairs = ({ routerCount }: Topology, routing: Routing): number[] =>
  Array.from(pairsOf(routerCount), ([from, to]) => routing.hops(asRouterId(from), asRouterId(to)));

/** Flows between random routers, some of them from a router to itself. */
export function randomFlows(routerCount: number, count: number, whole: boolean): RouterFlows {
  const random = seededRandom(count);
  const amountOf = whole ? () => random.integer(1_000_000) + 1 : () => 0.1 + random.fraction() * 1000;
  return {
    from: Int32Array.from({ length: count }, () => random.integer(routerCount)),
    to: Int32Array.from({ length: count }, () => random.integer(routerCount)),
    amount: Float64Array.from({ length: count }, amountOf),
  };
}

export function loadsOf(
  { links }: Topology,
  routing: Routing,
  flows: RouterFlows,
  loads = new Float64Array(links.linkCount),
): Float64Array {
  routing.addLoads(flows, loads, neverCancelled);
  return loads;
}

export function walkedLoads({ links }: Topology, routing: Routing, flows: RouterFlows): Float64Array {
  const loads = new Float64Array(links.linkCount);
  flows.amount.forEach((amount, flow) => {
    routing.visitShares(asRouterId(flows.from[flow]!), asRouterId(flows.to[flow]!), (link, share) => {
      loads[link]! += amount * share;
    });
  });
  return loads;
}
