/**
 * Machines whose nodes have several adapters: `withRails` gives nodes of a topology so many, and `usingRails` routes messages over
 * them as a placement says.
 */
import { asAddressId, asLinkId, type AddressId, type LinkId } from '../model/identifiers.ts';
import {
  portCount,
  routerWorks,
  type Machine,
  type RouterFlows,
  type Routing,
  type Topology,
} from '../model/machine.ts';
import { portsOfNode, railsOf, type RailDescription, type Rails, type RailUse } from '../model/rails.ts';
import { WorkMeter } from '../model/cancellation.ts';
import type { CatalogueEntry } from '../model/catalogue.ts';
import { formatNumber } from '../model/quantities.ts';
import { fail, succeed, type Result } from '../model/result.ts';
import { intAt, realAt } from '../numeric/elements.ts';

/**
 * The topology with so many adapters on each node. Fails with `does-not-apply` where nodes have no links of their own or the file
 * already says what they have, and with `rails-do-not-fit` where the leaves of a tree are no whole number of blocks. O(nodes · rails).
 */
export function withRails(topology: Topology, { count, optimised, separate }: RailDescription): Result<Topology> {
  const { hasHostLinks, routerOfNode, links } = topology;
  if (count === 1) return succeed(topology);
  const refusal = railRefusal(topology, separate === true);
  if (refusal) return refusal;
  if (separate === true) return succeed(separateRails(topology, count));
  const wired = optimised === true ? railBlocks(topology, count) : succeed(topology);
  if (!wired.ok) return wired;
  const first = wired.value.routerOfNode;
  const further = Array.from({ length: routerOfNode.length * (count - 1) }, (_, index) => {
    const node = Math.floor(index / (count - 1));
    const rail = 1 + (index % (count - 1));
    return { node, rail, router: intAt(first, node) + (optimised === true ? rail : 0) };
  });
  const rails = railsOf(first, undefined, further);
  if (rails === undefined) return succeed(topology);
  const linkCount = links.routerLinkCount + 2 * portCount({ ...wired.value, rails });
  const ports: Pick<Topology, 'hasPorts'> = hasHostLinks ? {} : { hasPorts: true };
  const speeds = speedsOfPorts(topology, linkCount);
  return succeed({ ...wired.value, ...ports, ...speeds, rails, links: { ...links, linkCount } });
}

function railRefusal(topology: Topology, isSeparate: boolean): ReturnType<typeof fail> | undefined {
  const { kind, hasHostLinks } = topology;
  if (kind === 'cluster') {
    return fail(
      'does-not-apply',
      '`rails` does not apply to `topology cluster`. Write `topology switches 1` and `hosts N`.',
    );
  }
  if (topology.rails !== undefined)
    return fail('does-not-apply', 'The file already lists the NICs of its hosts. Remove `rails`.');
  if (!isSeparate || (hasHostLinks && kind !== 'from')) return undefined;
  const why = hasHostLinks ? ', whose switches have names' : ', whose nodes are part of their routers';
  return fail('does-not-apply', `\`rail-only\` does not fit \`topology ${kind}\`${why}: remove it.`);
}

/** A copy of the network for each rail. Coordinates would name routers of one copy, so there are none. O(rails · (links + nodes)). */
function separateRails(plane: Topology, count: number): Topology {
  const { kind, hasHostLinks, routerCount, routerOfNode, links, tiers, groups, groupShape, ownSpeeds } = plane;
  const nodes = routerOfNode.length;
  const further = Array.from({ length: nodes * (count - 1) }, (_, index) => {
    const [node, rail] = [Math.floor(index / (count - 1)), 1 + (index % (count - 1))];
    return { node, rail, router: rail * routerCount + intAt(routerOfNode, node) };
  });
  const rails = railsOf(routerOfNode, undefined, further);
  const copies = (row: Int32Array, step: number, ...end: readonly number[]): Int32Array => {
    const copied = new Int32Array(row.length * count + end.length);
    for (let rail = 0; rail < count; rail++)
      copied.set(
        row.map((value) => value + step * rail),
        rail * row.length,
      );
    copied.set(end, row.length * count);
    return copied;
  };
  const routerLinks = links.routerLinkCount;
  const groupCount = groups === undefined ? 0 : intAt(groups, routerCount - 1) + 1;
  const linkCount = count * (routerLinks + 2 * nodes);
  return {
    kind,
    hasHostLinks,
    routerCount: count * routerCount,
    routerOfNode,
    links: {
      firstLink: copies(links.firstLink.subarray(0, routerCount), routerLinks, count * routerLinks),
      from: copies(links.from, routerCount),
      to: copies(links.to, routerCount),
      routerLinkCount: count * routerLinks,
      linkCount,
    },
    ...(rails && { rails }),
    ...(tiers && { tiers: copies(tiers, 0) }),
    ...(groups && { groups: copies(groups, groupCount) }),
    ...(groupShape && { groupShape }),
    ...(ownSpeeds && { ownSpeeds: { ...ownSpeeds, of: speedsOfCopies(ownSpeeds.of, routerLinks, count, linkCount) } }),
    planes: { count, plane },
  };
}

/** Links between routers as they were on every copy; nobody says anything of those of nodes. */
function speedsOfCopies(of: Int32Array, routerLinks: number, count: number, linkCount: number): Int32Array {
  const copied = new Int32Array(linkCount);
  for (let rail = 0; rail < count; rail++) copied.set(of.subarray(0, routerLinks), rail * routerLinks);
  return copied;
}

/** Nobody says anything of the links of further rails. */
function speedsOfPorts({ ownSpeeds }: Topology, linkCount: number): Pick<Topology, 'ownSpeeds'> {
  if (ownSpeeds === undefined) return {};
  const of = new Int32Array(linkCount);
  of.set(ownSpeeds.of);
  return { ownSpeeds: { ...ownSpeeds, of } };
}

/** The nodes of every `count` leaves on the first leaf of their block. */
function railBlocks(topology: Topology, count: number): Result<Topology> {
  const { tiers, routerOfNode } = topology;
  if (tiers === undefined) {
    return fail(
      'does-not-apply',
      `\`rail-optimised\` needs a tree of switches, not \`topology ${topology.kind}\`: remove it.`,
    );
  }
  const leaves = tiers.reduce((sum, tier) => sum + (tier === 0 ? 1 : 0), 0);
  if (leaves % count !== 0) {
    return fail(
      'rails-do-not-fit',
      `\`rail-optimised\` needs a multiple of ${count} leaves, found ${formatNumber(leaves)}. Use a multiple of ${count}, or change \`rails\`.`,
    );
  }
  return succeed({ ...topology, routerOfNode: routerOfNode.map((leaf) => leaf - (leaf % count)) });
}

/** How tasks may use the rails of their nodes: the words after `rails` of a placement. */
export const railUses: readonly CatalogueEntry[] = [
  {
    name: 'stripe',
    summary: 'every message in equal parts over all rails that both nodes have',
    source: 'Liu, Vishnu and Panda 2004, multi-rail MPI: even striping; Open MPI and UCX stripe large messages',
    details:
      'Part r is sent from rail r to rail r. Nodes without a common rail use their first. Hops are the mean over ' +
      'the parts. The default.',
    options: [],
  },
  {
    name: 'own',
    summary: 'each task over the rail next to its core or GPU, to the rail of the receiver',
    source: 'NVIDIA NCCL: a GPU sends over the NIC nearest to it',
    details:
      'Core c of C uses rail ⌊c · rails / C⌋ of its node. A GPU uses its nearest NIC, if the file lists it. With ' +
      '`rail-only` a message uses the rail of the receiver on both nodes, as with PXN of NCCL.',
    options: [],
  },
  {
    name: 'only',
    summary: 'all tasks over one rail',
    source: 'Placewright',
    details: 'Nodes that do not have the rail use their first one.',
    options: [{ name: 'rail', summary: 'its number', kind: 'integer', minimum: 0, maximum: 63, default: 0 }],
    skeleton: 'only(rail ${1:0})',
  },
];

/** A number of each node, which two nodes share only where their rails are on the same routers. O(ports). */
export function classesOfNodes({ rails, routerOfNode }: Pick<Topology, 'rails' | 'routerOfNode'>): Int32Array {
  if (rails === undefined) return routerOfNode;
  const known = new Map<string, number>();
  return routerOfNode.map((_, node) => {
    const routers = Array.from({ length: rails.count }, (__, rail) => {
      const port = intAt(rails.portOfRail, node * rails.count + rail);
      return port < 0 ? -1 : intAt(rails.routerOfPort, port);
    });
    const key = routers.join();
    const found = known.get(key) ?? known.size;
    known.set(key, found);
    return found;
  });
}

/**
 * Calls `visit` for the two routers of each rail that carries a part of what one end of messages sends another, with the part; for
 * none within a node. O(rails).
 */
export function railRoutersBetween(
  machine: Machine,
): (from: number, to: number, visit: (one: number, other: number, share: number) => void) => void {
  const { topology, rails: used } = machine;
  const { rails } = topology;
  const routers = topology.routerOfNode;
  if (rails === undefined || used === undefined) {
    return (from, to, visit) => {
      if (from !== to) visit(intAt(routers, from), intAt(routers, to), 1);
    };
  }
  const waysOf = waysFinder(topology, rails, used.use);
  return (from, to, visit) => {
    const { count, from: ports, to: others } = waysOf(from, to);
    for (let way = 0; way < count; way++)
      visit(intAt(rails.routerOfPort, intAt(ports, way)), intAt(rails.routerOfPort, intAt(others, way)), 1 / count);
  };
}

/** The ports between which the parts of what one end sends another go, in arrays that the next call overwrites; none within a node. */
export function portsBetween({ topology, rails: used }: Machine): (from: number, to: number) => Ways {
  return topology.rails === undefined || used === undefined
    ? portsAlone()
    : waysFinder(topology, topology.rails, used.use);
}

/** Of nodes that have one port each. */
function portsAlone(): (from: number, to: number) => Ways {
  const ways: Ways = { from: new Int32Array(1), to: new Int32Array(1), count: 1 };
  return (from, to) => {
    ways.from[0] = from;
    ways.to[0] = to;
    return ways;
  };
}

/** The machine with its rails used in one way; itself where nodes have one adapter. O(1), the routes are those it had. */
export function usingRails(machine: Machine, use: RailUse): Machine {
  const { topology } = machine;
  const { rails } = topology;
  if (rails === undefined) return machine;
  const network = machine.rails?.network ?? machine.routing;
  return { ...machine, routing: overRails(topology, rails, network, use), rails: { use, network } };
}

/** The network between ports of a machine, without what its placements do with rails: what distances between routers are of. */
export const betweenPorts = (machine: Machine): Machine =>
  machine.rails === undefined ? machine : { ...machine, routing: machine.rails.network };

/** What flows between ends are between ports, in addresses of the network between them: see {@link betweenPorts}. O(flows · rails). */
export function flowsOfPorts({ topology, rails: used }: Machine, flows: RouterFlows): RouterFlows {
  if (topology.rails === undefined || used === undefined) return flows;
  const parts = new RailFlows();
  const waysOf = waysFinder(topology, topology.rails, used.use);
  const { sender, receiver } = portAddresses(topology, topology.rails, used.network);
  for (let flow = 0; flow < flows.amount.length; flow++) {
    const ways = waysOf(intAt(flows.from, flow) - topology.routerCount, intAt(flows.to, flow) - topology.routerCount);
    const amount = realAt(flows.amount, flow) / ways.count;
    for (let way = 0; way < ways.count; way++)
      parts.add(sender(intAt(ways.from, way)), receiver(intAt(ways.to, way)), amount);
  }
  return parts.flows();
}

/**
 * The machine as streams of jobs know it, whose nodes have one link. Fails with `rails-not-simulated` where tasks use more than the
 * first rail.
 */
export function machineOfFirstRail(machine: Machine): Result<Machine> {
  const { rails: used, topology, ...alone } = machine;
  const { rails, links, ...rest } = topology;
  if (used === undefined || rails === undefined) return succeed(machine);
  const { use, network } = used;
  if (use.kind !== 'only' || use.rail > 0) {
    return fail(
      'rails-not-simulated',
      `Streams are simulated with one rail; machine \`${machine.name}\` has several. Remove \`rails\`, or simulate placements.`,
    );
  }
  const linkCount = links.routerLinkCount + 2 * machine.nodeCount;
  return succeed({ ...alone, topology: { ...rest, links: { ...links, linkCount } }, routing: network });
}

/** The addresses of ports in the network between them. */
function portAddresses({ routerCount }: Topology, rails: Rails, { byNode }: Routing) {
  return {
    sender: (port: number): AddressId =>
      asAddressId(byNode === 'both' ? routerCount + port : intAt(rails.routerOfPort, port)),
    receiver: (port: number): AddressId =>
      asAddressId(byNode === undefined ? intAt(rails.routerOfPort, port) : routerCount + port),
  };
}

/** Ports in pairs: each takes an equal part of what one end sends another. */
interface Ways {
  readonly from: Int32Array;
  readonly to: Int32Array;
  count: number;
}

/** Flows that are split at a time, so that parts never take more than a few times the memory of the flows. */
const flowsAtATime = 2 ** 16;

/**
 * The routing between ends of messages, which are nodes, or rails of nodes under `own`: it knows the links of nodes as well, which
 * stand first and last on every route. O(rails) times what the network takes.
 */
function overRails(topology: Topology, rails: Rails, network: Routing, use: RailUse): Routing {
  const { routerCount, links } = topology;
  const waysOf = waysFinder(topology, rails, use);
  const { sender: senderOfPort, receiver: receiverOfPort } = portAddresses(topology, rails, network);
  const hopsOf = (one: number, other: number): number => network.hops(senderOfPort(one), receiverOfPort(other));
  const out = (port: number): LinkId => asLinkId(links.routerLinkCount + 2 * port);
  const into = (port: number): LinkId => asLinkId(links.routerLinkCount + 2 * port + 1);
  const isOfRouters = (from: number, to: number): boolean => from < routerCount && to < routerCount;
  return {
    kind: network.kind,
    byNode: 'both',
    singlePath: network.singlePath,
    symmetric: network.symmetric,
    ...(network.hierarchy && { hierarchy: network.hierarchy }),
    ...(network.split && { split: network.split }),
    hops(from, to) {
      if (isOfRouters(from, to)) return network.hops(from, to);
      const ways = waysOf(from - routerCount, to - routerCount);
      let sum = 0;
      for (let way = 0; way < ways.count; way++) sum += hopsOf(intAt(ways.from, way), intAt(ways.to, way));
      return ways.count === 0 ? 0 : sum / ways.count;
    },
    hopShares(from, to, visit) {
      const { count, from: ports, to: others } = waysOf(from - routerCount, to - routerCount);
      for (let way = 0; way < count; way++) {
        const [one, other] = [senderOfPort(intAt(ports, way)), receiverOfPort(intAt(others, way))];
        if (network.hopShares === undefined) visit(network.hops(one, other), 1 / count);
        else
          network.hopShares(one, other, (hops, share) => {
            visit(hops, share / count);
          });
      }
    },
    route(from, to) {
      if (isOfRouters(from, to)) return network.route(from, to);
      const ways = waysOf(from - routerCount, to - routerCount);
      if (ways.count !== 1) return ways.count === 0 ? [] : undefined;
      const [one, other] = [intAt(ways.from, 0), intAt(ways.to, 0)];
      const between = network.route(senderOfPort(one), receiverOfPort(other));
      return between && [out(one), ...between, into(other)];
    },
    stepsTo: (router) => network.stepsTo(router),
    visitShares(from, to, visit) {
      if (isOfRouters(from, to)) {
        network.visitShares(from, to, visit);
        return;
      }
      const { count, ...ways } = waysOf(from - routerCount, to - routerCount);
      // The network may ask for other ways meanwhile: these are read first.
      const pairs = Array.from({ length: count }, (_, way) => [intAt(ways.from, way), intAt(ways.to, way)] as const);
      for (const [one, other] of pairs) {
        visit(out(one), 1 / count);
        network.visitShares(senderOfPort(one), receiverOfPort(other), (link, share) => {
          visit(link, share / count);
        });
        visit(into(other), 1 / count);
      }
    },
    addLoads(flows, loads, cancellation) {
      const meter = new WorkMeter(cancellation);
      for (let first = 0; first < flows.amount.length; first += flowsAtATime) {
        const end = Math.min(flows.amount.length, first + flowsAtATime);
        const parts = new RailFlows();
        for (let flow = first; flow < end; flow++) {
          const ways = waysOf(intAt(flows.from, flow) - routerCount, intAt(flows.to, flow) - routerCount);
          const amount = realAt(flows.amount, flow) / ways.count;
          for (let way = 0; way < ways.count; way++) {
            const [one, other] = [intAt(ways.from, way), intAt(ways.to, way)];
            loads[out(one)] = realAt(loads, out(one)) + amount;
            loads[into(other)] = realAt(loads, into(other)) + amount;
            const [sender, receiver] = [senderOfPort(one), receiverOfPort(other)];
            if (rails.routerOfPort[one] !== rails.routerOfPort[other]) parts.add(sender, receiver, amount);
          }
          if (meter.isCancelledAfter(1 + ways.count)) return;
        }
        network.addLoads(parts.flows(), loads, cancellation);
      }
    },
  };
}

/** Parts of flows, those between the same addresses added up. */
class RailFlows {
  readonly #amounts = new Map<number, Map<number, number>>();
  #count = 0;

  add(from: number, to: number, amount: number): void {
    const row = this.#amounts.get(from) ?? new Map<number, number>();
    if (row.size === 0) this.#amounts.set(from, row);
    const before = row.get(to);
    if (before === undefined) this.#count++;
    row.set(to, (before ?? 0) + amount);
  }

  flows(): RouterFlows {
    const [from, to, amount] = [
      new Int32Array(this.#count),
      new Int32Array(this.#count),
      new Float64Array(this.#count),
    ];
    let next = 0;
    for (const [sender, row] of this.#amounts) {
      for (const [receiver, bytes] of row) {
        from[next] = sender;
        to[next] = receiver;
        amount[next++] = bytes;
      }
    }
    return { from, to, amount };
  }
}

/** The ways between two ends, in arrays that the next call overwrites. Rails whose switch does not work are not used. */
function waysFinder(topology: Topology, rails: Rails, use: RailUse): (from: number, to: number) => Ways {
  const { count, portOfRail, routerOfPort } = rails;
  const works = (port: number): boolean => port >= 0 && routerWorks(topology, intAt(routerOfPort, port));
  const portAt = (node: number, rail: number): number => intAt(portOfRail, node * count + rail);
  const portOf = (node: number, rail: number): number => {
    const port = portAt(node, rail);
    return works(port) ? port : (portsOfNode(rails, node).find(works) ?? node);
  };
  const from = new Int32Array(count);
  const to = new Int32Array(count);
  const ways: Ways = { from, to, count: 0 };
  const only = (one: number, other: number): Ways => {
    from[0] = one;
    to[0] = other;
    ways.count = 1;
    return ways;
  };
  const none = (): Ways => {
    ways.count = 0;
    return ways;
  };
  const { planes } = topology;
  /** Over a rail of both nodes: where each rail has its own network, no other leads there. */
  const over = (one: number, other: number, rail: number, ownRail = rail): Ways => {
    if (planes === undefined) return only(portOf(one, ownRail), portOf(other, rail));
    const rails = [rail, ...Array.from({ length: count }, (_, each) => each)];
    const common = rails.find((each) => works(portAt(one, each)) && works(portAt(other, each))) ?? 0;
    return only(portAt(one, common), portAt(other, common));
  };
  if (use.kind === 'own') {
    return (one, other) => {
      const [sender, receiver] = [Math.floor(one / count), Math.floor(other / count)];
      return sender === receiver ? none() : over(sender, receiver, other % count, one % count);
    };
  }
  if (use.kind === 'only') {
    const rail = Math.min(use.rail, count - 1);
    return (one, other) => (one === other ? none() : over(one, other, rail));
  }
  return (one, other) => {
    if (one === other) return none();
    ways.count = 0;
    for (let rail = 0; rail < count; rail++) {
      const [sender, receiver] = [portAt(one, rail), portAt(other, rail)];
      if (!works(sender) || !works(receiver)) continue;
      from[ways.count] = sender;
      to[ways.count++] = receiver;
    }
    return ways.count > 0 ? ways : over(one, other, 0);
  };
}
