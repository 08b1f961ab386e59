import { faultCounts, type TopologyFaults } from './faults.ts';
import { asAddressId, type AddressId, type LinkId, type NodeId, type RouterId } from './identifiers.ts';
import { axisName, formatShape, type Shape } from './shape.ts';
import { countOfSlots, slotNoun, type NodeInside, type SlotKind } from './nodeInside.ts';
import type { Rails, RailUse } from './rails.ts';
import type { Cancellation } from './cancellation.ts';
import { countOf, formatNumber } from './quantities.ts';

/**
 * All directed links of a machine in compressed sparse rows: the links that leave router r
 * are `firstLink[r] … firstLink[r + 1] − 1`. After the `routerLinkCount` links between
 * routers come the host links, where the machine has them: for node n,
 * `routerLinkCount + 2·n` from the node to its router and the next one back; those of further rails follow, see `Rails`.
 */
export interface LinkTable {
  /** Length routerCount + 1. */
  readonly firstLink: Int32Array;
  /** Router each link between routers comes from / goes to; length routerLinkCount. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly routerLinkCount: number;
  /** All directed links, host links included. */
  readonly linkCount: number;
}

/** What a link can do, each way; absent: nobody says. */
export interface LinkSpeed {
  /** Bytes per second. */
  readonly bandwidth?: number;
  /** Seconds that a message of no bytes takes over it. */
  readonly latency?: number;
}

/** What single cables say of themselves: a file, or `link 0 -- 1 bandwidth 5 GB/s`. */
export interface OwnSpeeds {
  /** Different ones; the first is empty. */
  readonly speeds: readonly LinkSpeed[];
  /** Index into `speeds` of each directed link, by LinkId, host links included. */
  readonly of: Int32Array;
  /** They stand in the declaration, where they go before what it says of groups; those of a file go behind. */
  readonly areDeclared?: true;
}

/** What a subnet manager knows switches, hosts and their ports by. Addresses are the routers, then the nodes. */
export interface Subnet {
  /** Of the switches and of the ports of nodes, 16 hexadecimal digits; '' where nobody says. */
  readonly guids: readonly string[];
  /** The first LID of each address; 0 where nobody says. */
  readonly lids: Int32Array;
  /** Number of the port of its router that each directed link leaves, by LinkId; 0 where nobody says, and on links from nodes. */
  readonly ports: Uint8Array;
}

/**
 * Going once round any other axis leads `by` routers on along each axis of `along`: with a side S of the one axis,
 * S·e = by·Σ e_j, so that the torus is the lattice graph of Camarero et al. 2015.
 */
export interface Twist {
  /** The longest axes. */
  readonly along: readonly number[];
  readonly by: number;
}

/**
 * Along which axis two neighbours with coordinates are cabled, and whether the cable closes a ring there: a cable round a
 * twisted axis leads on along those of the twist as well. O(axes).
 */
export function axisBetween(
  shape: Shape,
  from: number,
  to: number,
  twist?: Twist,
): { readonly axis: number; readonly wraps: boolean } {
  let [axis, wraps, stride] = [-1, false, 1];
  for (const [each, side] of shape.entries()) {
    const apart = Math.abs((Math.floor(from / stride) % side) - (Math.floor(to / stride) % side));
    stride *= side;
    if (apart === 0) continue;
    const isAlong = twist?.along.includes(each) === true;
    // A step along the axes of a twist beside one along another axis is what going round that one adds.
    wraps ||= apart > 1 || (twist !== undefined && axis >= 0);
    if (axis < 0 || !isAlong) axis = each;
  }
  return { axis, wraps };
}

/** The graph of routers. Contract: `network/testing/` runs every entry of the catalogue through it. */
export interface Topology {
  /** Name in the catalogue: `torus`. */
  readonly kind: string;
  readonly routerCount: number;
  /** Sides, where routers have coordinates: torus, mesh, hypercube (2 x 2 x …), HyperX. */
  readonly shape?: Shape;
  /**
   * Per axis, whether it wraps. Present where the hops between two routers are the sum of those along each axis, each a line
   * or a ring: not on a twisted torus or a HyperX, whose coordinates name routers and do not tell how far apart they are.
   */
  readonly wraps?: readonly boolean[];
  /** Of a torus whose wrap-around cables do not come back to where they began. */
  readonly twist?: Twist;
  /** True where nodes hang on links of their own that hops count (`switches`, `cluster`, fat tree, …). */
  readonly hasHostLinks: boolean;
  /**
   * True on a grid whose nodes have a bandwidth or a latency of their own: they too hang on links, which carry bytes and
   * take time, but are no hops, so that distances are those of papers about grids.
   */
  readonly hasPorts?: true;
  readonly links: LinkTable;
  /** Router that each node hangs on, RouterId by NodeId; nodes of one router follow one another. */
  readonly routerOfNode: Int32Array;
  /** Where nodes have several adapters; `routerOfNode` is of their first ones then. */
  readonly rails?: Rails;
  /**
   * Where each rail has a network of its own: `count` copies of `plane`, which has no failures and nodes with one link. Routers of rail
   * r are r · plane.routerCount and the next ones, its links follow one another too. No cable joins two rails.
   */
  readonly planes?: { readonly count: number; readonly plane: Topology };
  /** Tier of each router in a tree of switches, 0 at the leaves. */
  readonly tiers?: Int32Array;
  /** Group of each router in a dragonfly; groups follow one another. */
  readonly groups?: Int32Array;
  /** Sides of each group, where its routers stand in a grid: router = x + X·y within the group. */
  readonly groupShape?: Shape;
  /** Where cables differ by what their file or declaration says of them one by one. */
  readonly ownSpeeds?: OwnSpeeds;
  /**
   * What a file calls the routers and the nodes, by id. Where it names no hosts they are counted on their switches,
   * `leaf1:0`: names to show, that no launcher knows.
   */
  readonly names?: {
    readonly routers: readonly string[];
    readonly nodes: readonly string[];
    readonly nodesAreCounted?: true;
    /** `names` of the declaration calls the nodes so, whatever a file does; `routers` are none where no file names them. */
    readonly nodesAreDeclared?: true;
  };
  /** What forwarding tables name, where the file of the network says it. */
  readonly subnet?: Subnet;
  /** Absent where everything works. */
  readonly faults?: TopologyFaults;
  /** 1 for each router, by RouterId, that is a host with several links: routes begin and end there, and lead through none. */
  readonly passive?: Uint8Array;
  /** The routes between routers with nodes, where the file of the network gives all of them: RouterIds from the first to the last. */
  readonly givenRoutes?: readonly (readonly number[])[];
  /** Where something failed: the links before any failure. */
  readonly allLinks?: LinkTable;
}

/**
 * What a routing allows, as a graph of states. A state is a router together with what the routing
 * remembers of the way so far (up/down: whether it has gone down). The routes from router a to
 * router b are the shortest ways from `startOf[a]` to any state of b. Compressed sparse rows:
 * steps that leave state s are `firstStep[s] … firstStep[s + 1] − 1`.
 */
export interface RouteGraph {
  readonly stateCount: number;
  /** RouterId of each state. */
  readonly routerOf: Int32Array;
  /** State in which a route from each router begins. */
  readonly startOf: Int32Array;
  readonly firstStep: Int32Array;
  /** LinkId that a step takes, and the state it leads to. */
  readonly stepLink: Int32Array;
  readonly stepTo: Int32Array;
}

/** One next link for each address in each router. */
export interface ForwardingTables {
  /**
   * At address · routers + router: the place of the next link among those that leave the router, 0xffff where it is the address's own
   * or has none. Addresses are the routers, then the nodes.
   */
  readonly port: Uint16Array;
}

/** Traffic between routers, or addresses where the routing tells nodes apart; one entry per ordered pair with traffic, in bytes. */
export interface RouterFlows {
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly amount: Float64Array;
}

/** What packets of each pair of routers do where that depends on the loads. */
export interface RoutingSplit {
  /** RouterIds of the pairs that have traffic, and the share of each that goes minimally. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly minimalShares: Float64Array;
  /** By LinkId, what links cost then: a pair without traffic takes the cheaper way. */
  readonly prices: Float64Array;
  /** Share of all bytes that goes minimally. */
  readonly minimal: number;
  /** The busiest link of no split is less busy than this one's by a larger share. */
  readonly gap: number;
  /** Steps of the search. */
  readonly steps: number;
}

/**
 * How packets travel between the routers of one topology. Contract suite in `network/testing/`:
 * every pair reached, hops symmetric where promised, triangle inequality, loads conserve bytes.
 */
export interface Routing {
  /** Name in the catalogue: `dimension-order`. */
  readonly kind: string;
  /**
   * Of up/down routing: the roots in ascending order, and the links from each router to the nearest of them. A link to a
   * lower level, or to a lower label on the same level, goes up.
   */
  readonly hierarchy?: { readonly roots: readonly RouterId[]; readonly level: Int32Array };
  /** Present where pairs may have several routes: the shortest ways through it are the routes. */
  readonly graph?: RouteGraph;
  /**
   * Where nodes of one router have routes of their own: to them (forwarding tables, one entry per host), or also from them (the
   * hash of a flow). `from` and `to` below are addresses then, of routers or of nodes (of ports where nodes have several rails);
   * else they are routers.
   */
  readonly byNode?: 'receiver' | 'both';
  /** Present where routers forward by tables. */
  readonly tables?: ForwardingTables;
  /** What of a file with tables was passed over or read with a doubt, a sentence each, with its line where it has one. */
  readonly doubts?: readonly { readonly line?: number; readonly message: string }[];
  /** One route per ordered pair, or one per rail: then the equivalent distance is the number of hops. */
  readonly singlePath: boolean;
  readonly symmetric: boolean;
  /**
   * Links on the route between two routers; 0 from a router to itself. Infinity where no route leads, which can only be where
   * one of the two has no nodes: from spine to spine under up/down routing with several roots. O(dimensions) on grids, else
   * O(1) once its row of a table is filled.
   */
  hops(from: AddressId, to: AddressId): number;
  /** Links of the route in order of travel, or undefined where there are several routes. */
  route(from: AddressId, to: AddressId): readonly LinkId[] | undefined;
  /**
   * Steps from each state of `graph` to a router, by state; larger than any route where there is
   * no way. Undefined where there is no graph. O(states + steps), or nothing where it is remembered.
   */
  stepsTo(router: RouterId): ArrayLike<number> | undefined;
  /**
   * Present where packets of a pair travel different numbers of hops (Valiant, several rails): then `hops` is their mean, no whole number, and this
   * calls `visit` for each number of hops with the share of the packets that travel so far.
   */
  hopShares?(from: AddressId, to: AddressId, visit: (hops: number, share: number) => void): void;
  /**
   * Present where routes depend on how loaded links are (UGAL): the routing that all flows of a placement together settle on, `times`
   * being what a byte takes on each link, the same on all where undefined. Until then routes are a stand-in. Undefined if cancelled.
   */
  settled?(flows: RouterFlows, times: Float64Array | undefined, cancellation: Cancellation): Routing | undefined;
  /** The same from a split that is known. */
  withSplit?(split: RoutingSplit): Routing;
  /** Of ways by others: the routing of their two halves. */
  readonly straight?: Routing;
  /** What it settled on. */
  readonly split?: RoutingSplit;
  /**
   * Present where routes lead over many links: what a pair meets on them, Σ share · weight, weights by LinkId. Made once for many
   * pairs, best asked receiver after receiver.
   */
  weigh?(weights: Float64Array): (from: AddressId, to: AddressId) => number;
  /** Calls `visit` for each link that carries a share (0 … 1] of a flow between two routers. */
  visitShares(from: AddressId, to: AddressId, visit: (link: LinkId, share: number) => void): void;
  /**
   * Adds the bytes of all flows to `loads` (indexed by LinkId, length ≥ routerLinkCount).
   * Exact for whole amounts whose sums stay below 2^53; a link that no flow crosses stays 0.
   */
  addLoads(flows: RouterFlows, loads: Float64Array, cancellation: Cancellation): void;
}

/** `torus 4 x 4 x 8 twisted by 4`, `torus 8 x 8 that wraps along x`: how users call a network. */
export function topologyWords({
  kind,
  shape,
  wraps,
  twist,
}: Pick<Topology, 'kind' | 'shape' | 'wraps' | 'twist'>): string {
  if (shape === undefined) return kind === 'from' ? 'network of a file' : kind;
  const words = `${kind} ${formatShape(shape)}`;
  if (twist !== undefined) return `${words} twisted by ${twist.by}`;
  const rings = wraps?.flatMap((wrap, axis) => (wrap ? [axisName(axis)] : [])) ?? [];
  const isMixed = rings.length > 0 && rings.length < shape.length;
  return isMixed ? `${words} that wraps along ${rings.join(', ')}` : words;
}

/** Links that a declaration names together. */
export type LinkGroup =
  /** From nodes to their routers and back. */
  | { readonly kind: 'hosts' }
  /** Of a torus, mesh or hypercube. */
  | { readonly kind: 'axis'; readonly axis: number }
  /** Of a tree: between switches of this tier and the next one up. */
  | { readonly kind: 'tier'; readonly tier: number }
  /** Of a network of groups: within one, and between two. */
  | { readonly kind: 'local' }
  | { readonly kind: 'global' };

/** `hosts`, `x`, `tier 0`, `local`: as users write it. */
export function groupName(group: LinkGroup): string {
  if (group.kind === 'axis') return axisName(group.axis);
  return group.kind === 'tier' ? `tier ${group.tier}` : group.kind;
}

/** What a declaration says of the links of a group. */
export interface GroupFigures extends LinkSpeed {
  readonly group: LinkGroup;
  /** Cables side by side that each link of the group stands for; 1 where absent. The bandwidth is that of one. */
  readonly cables?: number;
}

/** Figures that users may give; seconds and bytes per second. What links can do in the end is `Machine.linkClasses`. */
export interface MachineFigures extends LinkSpeed {
  /** Cables side by side that each link between routers stands for, where its group does not say; 1 where absent. */
  readonly cables?: number;
  /** Of groups of links, each group once: what stands here goes before `bandwidth` and `latency` of all links. */
  readonly groups?: readonly GroupFigures[];
  readonly memory?: number;
  readonly interface?: number;
  readonly switchTime?: number;
  /** Of clusters: how long a queue pair, and as long the hardware behind it, works on a message, at ascending sizes. Absent: no time. */
  readonly queuePair?: readonly QueuePairTime[];
}

/** Seconds for a message of so many bytes. */
export interface QueuePairTime {
  readonly bytes: number;
  readonly seconds: number;
}

/** Links of one group that can do the same. */
export interface LinkClass extends LinkSpeed {
  /** Undefined where all links are in one group. */
  readonly group?: LinkGroup;
  /** Cables that each of its links stands for; `bandwidth` is that of all of them together. */
  readonly cables: number;
}

/** What each link of a machine can do. A link without a bandwidth holds nothing up. */
export interface LinkClasses {
  readonly classes: readonly LinkClass[];
  /** Index into `classes` of each directed link, by LinkId; absent where all are of the first. */
  readonly of?: Int32Array;
}

export interface Machine {
  readonly name: string;
  readonly topology: Topology;
  readonly routing: Routing;
  /** Nodes on the router that has most; all have as many on a torus, mesh or hypercube. */
  readonly hostsPerRouter: number;
  readonly socketsPerNode: number;
  /** What the slots of each node are, and how far apart. */
  readonly inside: NodeInside;
  /** Where nodes have several rails: how tasks use them, and the routing between ports that `routing` is made of. */
  readonly rails?: { readonly use: RailUse; readonly network: Routing };
  readonly figures: MachineFigures;
  /** Absent where nothing says what its links can do. */
  readonly linkClasses?: LinkClasses;
  /** Length of topology.routerOfNode. */
  readonly nodeCount: number;
  /** Slots of a node: its cores, or its GPUs where tasks run on those. */
  readonly coresPerNode: number;
  /** nodeCount · coresPerNode. */
  readonly slotCount: number;
}

/**
 * Above this many slots a machine is refused, with the limit in the message: a placement takes some 24 bytes for each. Twice the
 * cores of Fugaku, the most of any machine so far.
 */
export const slotLimit = 2 ** 24;
/** Above this many routers or nodes a topology is refused. */
export const nodeLimit = 2 ** 22;
/** Above this many directed links a machine is refused. */
export const linkLimit = 2 ** 24;

/** Why a machine of this size is refused, for diagnostics; undefined where it is not. */
export function tooLargeMachine(
  subject: string,
  { nodes, slots, links }: { readonly nodes: number; readonly slots: number; readonly links: number },
  kind: SlotKind | undefined,
): string | undefined {
  if (nodes > nodeLimit) {
    return (
      `${subject} has ${countOf(nodes, 'node')} with ${countOfSlots(slots, kind)}; ` +
      `at most ${formatNumber(nodeLimit)} nodes are possible: make it smaller.`
    );
  }
  if (slots > slotLimit) {
    return `${subject} is too large: ${countOf(nodes, 'node')} with ${countOfSlots(slots, kind)}; the maximum is ${formatNumber(slotLimit)} ${slotNoun(kind)}s. Make it smaller.`;
  }
  return links > linkLimit
    ? `${subject} has ${formatNumber(links)} directed links; at most ${formatNumber(linkLimit)} are possible: make it smaller.`
    : undefined;
}

/** Whether no link between routers is without its last cable: only then coordinates tell how far apart routers are. */
export const hasAllCables = ({ faults }: Topology): boolean =>
  faults === undefined || faults.cables === (faults.thinned?.cables ?? 0);

/** Whether a node can run tasks. */
export const nodeWorks = ({ faults }: Topology, node: number): boolean => faults?.nodes[node] !== 1;

/** Nodes that can run tasks. O(nodes) where some do not work. */
export const workingNodeCount = ({ topology, nodeCount }: Pick<Machine, 'topology' | 'nodeCount'>): number =>
  topology.faults === undefined ? nodeCount : nodeCount - faultCounts(topology.faults).nodes;

/** Whether a router passes anything on. */
export const routerWorks = ({ faults }: Topology, router: number): boolean => faults?.routers[router] !== 1;

/** Routers that pass something on, ascending. O(routers). */
export const workingRouters = (topology: Topology): readonly number[] =>
  Array.from({ length: topology.routerCount }, (_, router) => router).filter((router) => routerWorks(topology, router));

export const routerOfNode = (machine: Machine, node: NodeId): RouterId =>
  machine.topology.routerOfNode[node] as RouterId;

/** Whether nodes hang on links of their own, whose LinkIds follow those between routers. */
export const hasLinksOfNodes = ({ hasHostLinks, hasPorts }: Pick<Topology, 'hasHostLinks' | 'hasPorts'>): boolean =>
  hasHostLinks || hasPorts === true;

/** Hops over the links of the two hosts, which two nodes are apart wherever they are. */
export const hostHops = ({ topology }: Pick<Machine, 'topology'>): number => (topology.hasHostLinks ? 2 : 0);

/** Bytes per second of the fastest link; undefined where the machine does not say. */
export const fastestBandwidth = ({ linkClasses }: Pick<Machine, 'linkClasses'>): number | undefined =>
  linkClasses?.classes.reduce<number | undefined>(
    (most, { bandwidth }) => (bandwidth === undefined ? most : Math.max(most ?? 0, bandwidth)),
    undefined,
  );

/** Whether a declaration or its file gives some links a bandwidth, or a latency. A group counts without any link of it: the x axis of a torus 1 x 4. */
export const givesLinks = (
  { figures, topology: { ownSpeeds } }: Pick<Machine, 'figures' | 'topology'>,
  key: keyof LinkSpeed,
): boolean =>
  [figures, ...(figures.groups ?? []), ...(ownSpeeds?.speeds ?? [])].some((speed) => speed[key] !== undefined);

/** Links of nodes, each way one: of nodes, or of their ports where they have several. */
export const portCount = ({ rails, routerOfNode: routers }: Pick<Topology, 'rails' | 'routerOfNode'>): number =>
  (rails?.routerOfPort ?? routers).length;

/** The router of every port, RouterId by port. */
export const routersOfPorts = ({
  rails,
  routerOfNode: routers,
}: Pick<Topology, 'rails' | 'routerOfNode'>): Int32Array => rails?.routerOfPort ?? routers;

/** The node of a port. */
export const nodeOfPort = ({ rails }: Pick<Topology, 'rails'>, port: number): NodeId =>
  (rails === undefined ? port : (rails.nodeOfPort[port] ?? 0)) as NodeId;

/** Whether a port carries anything: its node and its router work. O(1). */
export const portWorks = (topology: Topology, port: number): boolean =>
  nodeWorks(topology, nodeOfPort(topology, port)) && routerWorks(topology, routersOfPorts(topology)[port] ?? 0);

/** The ports that carry something, ascending. O(ports). */
export const workingPorts = (topology: Topology): readonly number[] =>
  Array.from({ length: portCount(topology) }, (_, port) => port).filter((port) => portWorks(topology, port));

/** The routers that messages begin and end at, each once. O(ports). */
export const routersOfWorkingPorts = (topology: Topology): readonly RouterId[] => {
  const routers = routersOfPorts(topology);
  return [...new Set(workingPorts(topology).map((port) => (routers[port] ?? 0) as RouterId))];
};

/** What a routing is called behind the word `routing`: the word of tables that were read, `from`, says nothing alone. */
export const routingWords = (kind: string): string => (kind === 'from' ? 'by tables of a file' : kind);

/** Where messages of a machine begin and end: its nodes, or node · rails + rail where each task has a rail of its own. */
type WithEnds = Pick<Machine, 'topology' | 'rails'>;

/** Ends that each node has. */
export const endsPerNode = ({ topology, rails }: WithEnds): number =>
  rails?.use.kind === 'own' ? (topology.rails?.count ?? 1) : 1;

/** The node of an end. */
export const nodeOfEnd = (machine: WithEnds, end: number): NodeId => Math.floor(end / endsPerNode(machine)) as NodeId;

/** How many addresses a routing knows: its routers, and the ends of messages where it tells them apart. */
export const addressCount = (machine: Pick<Machine, 'topology' | 'routing' | 'rails'>): number => {
  const { topology, routing, rails } = machine;
  if (routing.byNode === undefined) return topology.routerCount;
  const ends = rails === undefined ? portCount(topology) : topology.routerOfNode.length * endsPerNode(machine);
  return topology.routerCount + ends;
};

/** Where routes from an end begin. */
export const senderOf = ({ topology, routing }: Pick<Machine, 'topology' | 'routing'>, end: number): AddressId =>
  asAddressId(routing.byNode === 'both' ? topology.routerCount + end : (routersOfPorts(topology)[end] ?? 0));

/** Where routes to an end end. */
export const receiverOf = ({ topology, routing }: Pick<Machine, 'topology' | 'routing'>, end: number): AddressId =>
  asAddressId(routing.byNode === undefined ? (routersOfPorts(topology)[end] ?? 0) : topology.routerCount + end);

/** The router of an address of a router or a port. */
export const routerOfAddress = (topology: Topology, address: number): RouterId =>
  (address < topology.routerCount
    ? address
    : (routersOfPorts(topology)[address - topology.routerCount] ?? 0)) as RouterId;

/** Hops between two ends of messages: 0 in one node, else those between their routers and those of the hosts. */
export const hopsBetweenNodes = (machine: Machine, from: number, to: number): number =>
  nodeOfEnd(machine, from) === nodeOfEnd(machine, to)
    ? 0
    : machine.routing.hops(senderOf(machine, from), receiverOf(machine, to)) + hostHops(machine);
