import type { LinkId, NodeId, RouterId } from './identifiers.ts';
import type { Shape } from './shape.ts';
import type { Cancellation } from './cancellation.ts';

/**
 * All directed links of a machine in compressed sparse rows: the links that leave router r
 * are `firstLink[r] … firstLink[r + 1] − 1`. After the `routerLinkCount` links between
 * routers come the host links, where the machine has them: for node n,
 * `routerLinkCount + 2·n` from the node to its router and the next one back.
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

/** The graph of routers. Contract: `network/testing/` runs every entry of the catalogue through it. */
export interface Topology {
  /** Name in the catalogue: `torus`. */
  readonly kind: string;
  readonly routerCount: number;
  /** Sides, where routers have coordinates: torus, mesh, hypercube (2 x 2 x …). */
  readonly shape?: Shape;
  /** Per axis, whether it wraps; present exactly where `shape` is. */
  readonly wraps?: readonly boolean[];
  /** True where nodes hang on links of their own (`switches`, `cluster`, fat tree, …). */
  readonly hasHostLinks: boolean;
  readonly links: LinkTable;
  /** Router that each node hangs on, RouterId by NodeId; nodes of one router follow one another. */
  readonly routerOfNode: Int32Array;
  /** Tier of each router in a tree of switches, 0 at the leaves. */
  readonly tiers?: Int32Array;
  /** Group of each router in a dragonfly. */
  readonly groups?: Int32Array;
  /**
   * What a file calls the routers and the nodes, by id. Where it names no hosts they are counted on their switches,
   * `leaf1:0`: names to show, that no launcher knows.
   */
  readonly names?: {
    readonly routers: readonly string[];
    readonly nodes: readonly string[];
    readonly nodesAreCounted?: true;
  };
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

/** Traffic between routers, one entry per ordered pair with traffic; amounts in bytes. */
export interface RouterFlows {
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly amount: Float64Array;
}

/**
 * How packets travel between the routers of one topology. Contract suite in `network/testing/`:
 * every pair reached, hops symmetric where promised, triangle inequality, loads conserve bytes.
 */
export interface Routing {
  /** Name in the catalogue: `dimension-order`. */
  readonly kind: string;
  /**
   * Of up/down routing: the root and the breadth-first level of each router. A link to a lower
   * level, or to a lower label on the same level, goes up.
   */
  readonly hierarchy?: { readonly root: RouterId; readonly level: Int32Array };
  /** Present where pairs may have several routes: the shortest ways through it are the routes. */
  readonly graph?: RouteGraph;
  /** One route per ordered pair: then the equivalent distance is the number of hops. */
  readonly singlePath: boolean;
  readonly symmetric: boolean;
  /**
   * Links on the route between two routers; 0 from a router to itself. O(dimensions) on grids, else O(1) once its row
   * of a table is filled.
   */
  hops(from: RouterId, to: RouterId): number;
  /** Links of the route in order of travel, or undefined where there are several routes. */
  route(from: RouterId, to: RouterId): readonly LinkId[] | undefined;
  /**
   * Steps from each state of `graph` to a router, by state; larger than any route where there is
   * no way. Undefined where there is no graph. O(states + steps), or nothing where it is remembered.
   */
  stepsTo(router: RouterId): ArrayLike<number> | undefined;
  /** Calls `visit` for each link that carries a share (0 … 1] of a flow between two routers. */
  visitShares(from: RouterId, to: RouterId, visit: (link: LinkId, share: number) => void): void;
  /**
   * Adds the bytes of all flows to `loads` (indexed by LinkId, length ≥ routerLinkCount).
   * Exact for whole amounts whose sums stay below 2^53; a link that no flow crosses stays 0.
   */
  addLoads(flows: RouterFlows, loads: Float64Array, cancellation: Cancellation): void;
}

/** Figures that users may give; seconds and bytes per second. */
export interface MachineFigures {
  /** Of every link; absent where axes have their own. */
  readonly bandwidth?: number;
  /** Of the links along each axis of a torus, mesh or hypercube, where they differ. */
  readonly axisBandwidths?: readonly number[];
  readonly latency?: number;
  readonly memory?: number;
  readonly interface?: number;
  readonly switchTime?: number;
}

/** Bytes per second of the fastest link; undefined where the machine does not say. */
export const fastestBandwidth = ({ bandwidth, axisBandwidths }: MachineFigures): number | undefined =>
  axisBandwidths === undefined ? bandwidth : Math.max(...axisBandwidths);

export interface Machine {
  readonly name: string;
  readonly topology: Topology;
  readonly routing: Routing;
  /** Nodes on the router that has most; all have as many on a torus, mesh or hypercube. */
  readonly hostsPerRouter: number;
  readonly socketsPerNode: number;
  readonly coresPerSocket: number;
  readonly figures: MachineFigures;
  /** Length of topology.routerOfNode. */
  readonly nodeCount: number;
  /** socketsPerNode · coresPerSocket. */
  readonly coresPerNode: number;
  /** nodeCount · coresPerNode. */
  readonly slotCount: number;
}

/** Above this many slots a machine is refused, with the limit in the message. */
export const slotLimit = 2 ** 22;
/** Above this many directed links a machine is refused. */
export const linkLimit = 2 ** 24;

export const routerOfNode = (machine: Machine, node: NodeId): RouterId =>
  machine.topology.routerOfNode[node] as RouterId;

/** Hops over the links of the two hosts, which two nodes are apart wherever they are. */
export const hostHops = ({ topology }: Pick<Machine, 'topology'>): number => (topology.hasHostLinks ? 2 : 0);

/** Hops between two nodes: 0 in one node, else those between their routers and those of the hosts. */
export const hopsBetweenNodes = (machine: Machine, from: NodeId, to: NodeId): number =>
  from === to ? 0 : machine.routing.hops(routerOfNode(machine, from), routerOfNode(machine, to)) + hostHops(machine);
