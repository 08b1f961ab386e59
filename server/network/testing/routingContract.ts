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
import { testContract, type Contract } from '../../model/testing/contract.ts';
import type { RoutingEntry, TopologyEntry } from '../contract.ts';
import { exampleNetworks } from './exampleNetworks.ts';
import { legalityOf, sharesOfWays, shortestLegalWays } from './legalRoutes.ts';

/** Up to this many routers all legal ways are written down one by one. */
const mostRoutersWrittenDown = 20;
/** How far sums of split amounts may be from one another, in proportion. */
const tolerance = 1e-9;

/** What is checked, by name. */
const properties = {
  reaches: 'reaches every router with nodes from every other',
  itself: 'reaches a router from itself in no hops',
  shortest: 'takes as many hops as the shortest path has, or more where it must avoid some',
  symmetry: 'is symmetric where it says so',
  triangle: 'keeps the triangle inequality where packets do not remember their route',
  routes: 'describes each only route as connected links, as many as it has hops',
  shares: 'lets as much out of each router as came in',
  onWay: 'takes no link that hops say is too far round, each once',
  legality: 'uses all shortest legal routes and no other, split evenly wherever they part',
  loads: 'adds the loads of flows as walking their routes does',
  bytes: 'conserves bytes: the loads sum to amount times hops',
  onTop: 'adds to loads that are there already',
  hostLinks: 'adds nothing to host links',
  nodeRoutes: 'leads every node to every other by its own route, as long as its hops',
  nodeLoads: 'adds the loads of flows between nodes as walking their routes does, every byte of them',
  hopShares: 'tells how many packets travel how far, all of them, and their mean as its hops',
  weights: 'weighs a pair as its shares do',
  rebuilt: 'says the same when it is built again',
} as const;
type Property = keyof typeof properties;

/** A property that has nothing to look at under some routings, or on some topologies. */
interface Exception {
  readonly under?: readonly string[];
  readonly on?: readonly string[];
  readonly properties: readonly Property[];
  readonly reason: string;
}

const exceptions: readonly Exception[] = [
  {
    on: ['cluster'],
    properties: ['reaches', 'shortest', 'symmetry', 'triangle', 'onWay'],
    reason: 'the network has one switch',
  },
  { on: ['torus', 'mesh', 'hypercube'], properties: ['hostLinks'], reason: 'nodes are part of their routers' },
  {
    under: ['up-down', 'minimal', 'dimension-order', 'valiant', 'ugal'],
    properties: ['nodeRoutes', 'nodeLoads'],
    reason: 'all nodes of a router have its routes',
  },
  {
    under: ['up-down', 'minimal', 'dimension-order', 'static', 'ecmp', 'dfsssp', 'fat-tree'],
    properties: ['hopShares', 'weights'],
    reason: 'all packets of a pair have as many hops',
  },
  {
    under: ['ugal'],
    properties: ['hopShares', 'weights'],
    reason: 'routes are minimal until traffic settles them, which its own test checks',
  },
  {
    under: ['dimension-order', 'static', 'ecmp', 'dfsssp', 'fat-tree', 'valiant', 'ugal'],
    properties: ['legality'],
    reason: 'only the routing itself says what is legal',
  },
  { under: ['up-down'], properties: ['triangle'], reason: 'packets remember whether they went down' },
  { under: ['valiant'], properties: ['triangle'], reason: 'packets go by way of others' },
  {
    under: ['minimal', 'ugal'],
    on: ['dragonfly', 'dragonfly-plus'],
    properties: ['triangle'],
    reason: 'packets remember whether they changed groups',
  },
  {
    under: ['valiant'],
    on: ['dragonfly', 'dragonfly-plus'],
    properties: ['symmetry'],
    reason: 'packets enter another group at another router on their way back',
  },
];

/** Checks properties of one routing of one topology. */
type Check = (contract: Contract, topology: Topology, routing: Routing) => void;

/**
 * What every runnable topology and routing promises, on its examples of up to so many routers; the catalogue's entries go
 * through it by themselves.
 */
export function testRoutingContract(
  topologyEntry: TopologyEntry,
  routingEntry: RoutingEntry,
  where = '',
  mostRouters = Infinity,
): void {
  testContract(`${topologyEntry.name} under ${routingEntry.name}${where}`, (contract) => {
    for (const { under, on, properties: excepted, reason } of exceptions) {
      if (under?.includes(routingEntry.name) === false || on?.includes(topologyEntry.name) === false) continue;
      for (const property of excepted) contract.notApplicable(properties[property], reason);
    }
    for (const { title, request } of exampleNetworks(topologyEntry.name)) {
      contract.on(title, () => {
        const topology = valueOf(topologyEntry.build(request));
        if (topology.routerCount > mostRouters) return;
        const build = () => valueOf(routingEntry.build(topology, {}));
        const routing = build();
        for (const check of checks) check(contract, topology, routing);
        checkRebuilt(contract, topology, routing, build());
      });
    }
  });
}

export function valueOf<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(`[${result.failure.code}] ${result.failure.message}`);
  return result.value;
}

/** Where a packet remembers nothing of its way, two routes one after the other are a legal way. */
const joinsRoutes = (routing: Routing, { routerCount }: Topology): boolean => {
  if (routing.hopShares !== undefined) return false;
  const { graph } = routing;
  return graph === undefined || graph.stateCount === routerCount;
};

const checkDistances: Check = (contract, topology, routing) => {
  const { routerCount } = topology;
  const hops = (from: number, to: number) => routing.hops(asRouterId(from), asRouterId(to));

  contract.property(properties.reaches, (look) => {
    const hasNodes = new Set(topology.routerOfNode);
    for (const [from, to] of pairsOf(routerCount)) {
      if (from === to || !hasNodes.has(from) || !hasNodes.has(to)) continue;
      look(hops(from, to) !== Infinity && hops(from, to) > 0, () => `${from}-${to}: ${hops(from, to)}`);
    }
  });

  contract.property(properties.itself, (look) => {
    for (let router = 0; router < routerCount; router++) look(hops(router, router) === 0, () => `${router}`);
  });

  contract.property(properties.shortest, (look) => {
    const isShortest = joinsRoutes(routing, topology);
    for (let from = 0; from < routerCount; from++) {
      const distances = breadthFirstDistances(topology, from);
      for (let to = 0; to < routerCount; to++) {
        if (to === from) continue;
        const [least, taken] = [distances[to]!, hops(from, to)];
        const holds = isShortest ? taken === least : taken >= least - tolerance;
        look(holds, () => `${from}-${to}: ${taken}, not ${least}`);
      }
    }
  });

  contract.property(properties.symmetry, (look) => {
    if (!routing.symmetric) return;
    for (const [a, b] of pairsOf(routerCount)) if (a < b) look(hops(a, b) === hops(b, a), () => `${a}-${b}`);
  });

  contract.property(properties.triangle, (look) => {
    if (!joinsRoutes(routing, topology)) return;
    const random = seededRandom(3);
    const draw = () => random.integer(routerCount);
    for (let sample = 0; sample < 2000; sample++) {
      const [a, b, c] = [draw(), draw(), draw()];
      if (a === b || b === c || a === c) continue;
      look(hops(a, c) <= hops(a, b) + hops(b, c), () => `${a}-${b}-${c}`);
    }
  });
};

const checkRoutes: Check = (contract, { routerCount, links }, routing) => {
  const hopsOf = hopsOfAllPairs(routerCount, routing);
  const hops = (from: number, to: number): number => hopsOf[from * routerCount + to]!;
  const pairs = [...pairsOf(routerCount)].map(([from, to]) => ({ from, to, shares: sharesBetween(routing, from, to) }));

  contract.property(properties.routes, (look) => {
    for (const { from, to, shares } of pairs) {
      const route = routing.route(asRouterId(from), asRouterId(to));
      if (hops(from, to) === Infinity && (route ?? shares[0]) === undefined) continue;
      const isOnly = shares.length === hops(from, to) && shares.every(({ share }) => share === 1);
      const isToldOfOne = isOnly === (route !== undefined) && !(routing.singlePath && !route);
      look(isToldOfOne, () => `${from}-${to}: one or many?`);
      if (!route) continue;
      const end = route.reduce((at, link) => (links.from[link] === at ? links.to[link]! : -1), from);
      look(end === to && route.length === hops(from, to), () => `${from}-${to}: ${route.join(' ')}`);
      look(!shares.some(({ link }, index) => link !== route[index]), () => `${from}-${to}: not as shared`);
    }
  });

  contract.property(properties.shares, (look) => {
    for (const { from, to, shares } of pairs) {
      if (hops(from, to) === Infinity) continue;
      const excess = new Float64Array(routerCount);
      if (from !== to) [excess[from], excess[to]] = [1, -1];
      let total = 0;
      for (const { link, share } of shares) {
        excess[links.from[link]!]! -= share;
        excess[links.to[link]!]! += share;
        total += share;
        look(share > 0 && share <= 1 + tolerance, () => `${from}-${to}: ${share} over ${link}`);
      }
      look(!excess.some((amount) => Math.abs(amount) > tolerance), () => `${from}-${to}: lost or gained`);
      const isTotal = Math.abs(total - hops(from, to)) <= tolerance;
      look(isTotal, () => `${from}-${to}: ${total} for ${hops(from, to)} hops`);
    }
  });

  contract.property(properties.onWay, (look) => {
    const mayGoRound = routing.hopShares !== undefined;
    for (const { from, to, shares } of pairs) {
      const seen = new Set<number>();
      for (const { link } of shares) {
        const around = hops(from, links.from[link]!) + 1 + hops(links.to[link]!, to);
        const isOnWay = around <= hops(from, to) || mayGoRound;
        look(isOnWay && !seen.has(link), () => `${from}-${to} over ${link}`);
        seen.add(link);
      }
    }
  });

  contract.property(properties.weights, (look) => {
    if (routing.weigh === undefined) return;
    const random = seededRandom(5);
    const weights = Float64Array.from({ length: links.linkCount }, () => random.fraction());
    const weigh = routing.weigh(weights);
    for (const { from, to, shares } of pairs) {
      const walked = shares.reduce((sum, { link, share }) => sum + share * weights[link]!, 0);
      look(isNear(weigh(asRouterId(from), asRouterId(to)), walked), () => `${from}-${to}`);
    }
  });
};

/** What holds where packets of a pair travel different numbers of hops. */
const checkDetours: Check = (contract, { routerCount }, routing) => {
  contract.property(properties.hopShares, (look) => {
    if (routing.hopShares === undefined) return;
    for (const [from, to] of pairsOf(routerCount)) {
      let [all, mean] = [0, 0];
      routing.hopShares(asRouterId(from), asRouterId(to), (hops, share) => {
        all += share;
        mean += share * hops;
      });
      const isMean = isNear(mean, routing.hops(asRouterId(from), asRouterId(to)));
      look(isNear(all, 1) && isMean, () => `${from}-${to}: ${all}, ${mean}`);
    }
  });
};

const checkLegality: Check = (contract, topology, routing) => {
  contract.property(properties.legality, (look) => {
    const legality = legalityOf(topology, routing);
    if (legality === undefined || topology.routerCount > mostRoutersWrittenDown) return;
    for (let from = 0; from < topology.routerCount; from++) {
      const ways = shortestLegalWays(topology, legality, from);
      for (let to = 0; to < topology.routerCount; to++) {
        const those = ways[to]!;
        const hops = routing.hops(asRouterId(from), asRouterId(to));
        look(hops === (those[0]?.length ?? Infinity), () => `${from}-${to}: ${hops} hops`);
        const shares = new Map(sharesBetween(routing, from, to).map(({ link, share }) => [link, share]));
        const expected = sharesOfWays(those);
        look(shares.size === expected.size, () => `${from}-${to}: ${shares.size} links, not ${expected.size}`);
        for (const [link, share] of expected) {
          look(isNear(shares.get(link) ?? 0, share), () => `${from}-${to}: share of ${link}`);
        }
        const route = routing.route(asRouterId(from), asRouterId(to));
        const only = those.length === 1 ? those[0]!.join() : undefined;
        look(route?.join() === only, () => `${from}-${to}: a route of ${those.length}`);
      }
    }
  });
};

const checkLoads: Check = (contract, topology, routing) => {
  const { routerCount } = topology;

  contract.property(properties.loads, (look) => {
    for (const count of [5, routerCount * 40]) {
      for (const isWhole of [true, false]) {
        const flows = randomFlows(routerCount, count, isWhole);
        const walked = walkedLoads(topology, routing, flows);
        const added = loadsOf(topology, routing, flows);
        walked.forEach((expected, link) => {
          const isExact = (isWhole && routing.singlePath) || expected === 0;
          const holds = isExact ? added[link] === expected : isNear(added[link]!, expected);
          look(holds, () => `${count} flows, link ${link}: ${added[link]}, not ${expected}`);
        });
      }
    }
  });

  contract.property(properties.bytes, (look) => {
    const flows = randomFlows(routerCount, 300, true);
    let expected = 0;
    flows.amount.forEach((amount, flow) => {
      const hops = routing.hops(asRouterId(flows.from[flow]!), asRouterId(flows.to[flow]!));
      // What has no way crosses no link.
      expected += hops === Infinity ? 0 : amount * hops;
    });
    const sum = loadsOf(topology, routing, flows).reduce((total, load) => total + load, 0);
    look(routing.singlePath ? sum === expected : isNear(sum, expected), () => `${sum}, not ${expected}`);
  });

  contract.property(properties.onTop, (look) => {
    const flows = randomFlows(routerCount, 20, true);
    const once = loadsOf(topology, routing, flows);
    const onTop = loadsOf(topology, routing, flows, new Float64Array(topology.links.linkCount).fill(1000));
    onTop.forEach((load, link) => {
      look(isNear(load, 1000 + once[link]!), () => `link ${link}`);
    });
  });

  contract.property(properties.hostLinks, (look) => {
    const loads = loadsOf(topology, routing, randomFlows(routerCount, 50, true));
    loads.subarray(topology.links.routerLinkCount).forEach((load, link) => {
      look(load === 0, () => `host link ${link}: ${load}`);
    });
  });
};

/** What holds where nodes of one router have routes of their own. */
const checkNodes: Check = (contract, topology, routing) => {
  const { routerCount, routerOfNode, links } = topology;
  const machine = { topology, routing };
  const nodes = routing.byNode === undefined ? [] : [...routerOfNode.keys()].slice(0, 40);
  const pairs = nodes.flatMap((from) => nodes.map((to) => ({ from, to })));

  contract.property(properties.nodeRoutes, (look) => {
    for (const { from, to } of pairs) {
      const [sender, receiver] = [senderOf(machine, from), receiverOf(machine, to)];
      const route = routing.route(sender, receiver);
      const end = route?.reduce((at, link) => (links.from[link] === at ? links.to[link]! : -1), routerOfNode[from]!);
      const isThere = end === routerOfNode[to] && route?.length === routing.hops(sender, receiver);
      look(isThere, () => `${from}-${to}: ${route?.join(' ')}`);
      look(routerOfAddress(topology, receiver) === routerOfNode[to], () => `${to}: not its router`);
    }
  });

  contract.property(properties.nodeLoads, (look) => {
    if (pairs.length === 0) return;
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
    added.forEach((load, link) => {
      look(load === walked[link], () => `link ${link}: ${load}, not ${walked[link]}`);
    });
    const sum = added.reduce((total, load) => total + load, 0);
    look(sum === crossed, () => `${sum} bytes, not ${crossed}`);
    look(Math.max(0, ...flows.to) >= routerCount, 'receivers are routers');
  });
};

const checks = [checkDistances, checkRoutes, checkLegality, checkLoads, checkNodes, checkDetours];

function checkRebuilt(contract: Contract, topology: Topology, routing: Routing, again: Routing): void {
  contract.property(properties.rebuilt, (look) => {
    const flows = randomFlows(topology.routerCount, 50, false);
    const loads = loadsOf(topology, routing, flows);
    loadsOf(topology, again, flows).forEach((load, link) => {
      look(load === loads[link], () => `load of ${link}: ${load}, not ${loads[link]}`);
    });
    const hops = hopsOfAllPairs(topology.routerCount, routing);
    hopsOfAllPairs(topology.routerCount, again).forEach((distance, pair) => {
      look(distance === hops[pair], () => `pair ${pair}: ${distance} hops, not ${hops[pair]}`);
    });
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

const hopsOfAllPairs = (routerCount: number, routing: Routing): number[] =>
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
