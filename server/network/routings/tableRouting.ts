/**
 * Routing by forwarding tables, as switches of InfiniBand do it: every router has one next link for each address, whatever the
 * packet has done before. `tableRouting` is the entry; `fillTables` makes the tables of routings that choose among the shortest ways.
 */
import { asLinkId, type LinkId } from '../../model/identifiers.ts';
import {
  portCount,
  routerOfAddress,
  routersOfPorts,
  type ForwardingTables,
  type RouterFlows,
  type Routing,
  type Topology,
} from '../../model/machine.ts';
import { neverCancelled, WorkMeter, type Cancellation } from '../../model/cancellation.ts';
import { fail, succeed, type Result } from '../../model/result.ts';
import { formatNumber } from '../../model/quantities.ts';
import { intAt, realAt } from '../../numeric/elements.ts';
import { disconnection } from '../topologies/cableGraph.ts';

/** No next link: the packet has arrived, or the table has a hole. */
export const noPort = 0xffff;

/** Entries of all tables together, two bytes each. */
const mostEntries = 2 ** 27;

/** Bytes of rows of hops that are kept. */
const memoryLimit = 64 * 2 ** 20;

/** Every address of a topology: its routers, then its nodes, or their ports where they have several. */
export const tableAddressCount = (topology: Topology): number => topology.routerCount + portCount(topology);

/** Fails with `too-many-routers` where tables would be too large, and `disconnected`. */
export function tableRefusal(kind: string, topology: Topology): ReturnType<typeof fail> | undefined {
  const entries = tableAddressCount(topology) * topology.routerCount;
  if (entries <= mostEntries) return disconnection(topology);
  return fail(
    'too-many-routers',
    `Routing \`${kind}\` needs tables of ${formatNumber(tableAddressCount(topology))} addresses in ${formatNumber(topology.routerCount)} routers; the maximum is ${formatNumber(mostEntries)} entries. Use \`minimal\`.`,
  );
}

/**
 * The routing of tables without loops. Routes and shares take O(hops); hops O(1) where the row of the receiver is kept, else O(routers)
 * for the row. `symmetric`: whether every two addresses are as far apart both ways.
 */
export function tableRouting(
  topology: Topology,
  {
    kind,
    tables,
    symmetric,
  }: { readonly kind: string; readonly tables: ForwardingTables; readonly symmetric: boolean },
): Routing {
  const { links, routerCount } = topology;
  const { port } = tables;
  const rows = new Map<number, Uint16Array>();
  const nextOf = (router: number, address: number): number => {
    const at = port[address * routerCount + router]!;
    return at === noPort ? -1 : intAt(links.firstLink, router) + at;
  };
  const hopsTo = (to: number): Uint16Array => {
    const known = rows.get(to);
    if (known !== undefined) return known;
    const row = hopsInTable(topology, tables, to);
    if ((rows.size + 1) * row.byteLength > memoryLimit) rows.clear();
    rows.set(to, row);
    return row;
  };
  const walk = (from: number, to: number, visit: (link: LinkId) => void): boolean => {
    const end = routerOfAddress(topology, to);
    let router: number = routerOfAddress(topology, from);
    while (router !== end) {
      const link = nextOf(router, to);
      if (link < 0) return false;
      visit(asLinkId(link));
      router = intAt(links.to, link);
    }
    return true;
  };
  return {
    kind,
    byNode: 'receiver',
    tables,
    singlePath: true,
    symmetric,
    hops(from, to) {
      const hops = hopsTo(to)[routerOfAddress(topology, from)]!;
      return hops === noPort ? Infinity : hops;
    },
    route(from, to) {
      const route: LinkId[] = [];
      return walk(from, to, (link) => route.push(link)) ? route : undefined;
    },
    stepsTo: () => undefined,
    visitShares(from, to, visit) {
      if (hopsTo(to)[routerOfAddress(topology, from)]! === noPort) return;
      walk(from, to, (link) => {
        visit(link, 1);
      });
    },
    addLoads(flows: RouterFlows, loads: Float64Array, cancellation: Cancellation) {
      const meter = new WorkMeter(cancellation);
      for (let flow = 0; flow < flows.amount.length; flow++) {
        const to = intAt(flows.to, flow);
        const from = routerOfAddress(topology, intAt(flows.from, flow));
        const hops = hopsTo(to)[from]!;
        if (meter.isCancelledAfter(1 + hops)) return;
        if (hops === noPort) continue;
        const amount = realAt(flows.amount, flow);
        let router: number = from;
        for (let left = hops; left > 0; left--) {
          const link = nextOf(router, to);
          loads[link] = realAt(loads, link) + amount;
          router = intAt(links.to, link);
        }
      }
    },
  };
}

/** Links from every router to an address, {@link noPort} where the tables lead nowhere. O(routers). */
export function hopsInTable(topology: Topology, { port }: ForwardingTables, address: number): Uint16Array {
  const { links, routerCount } = topology;
  const row = new Uint16Array(routerCount).fill(noPort);
  row[routerOfAddress(topology, address)] = 0;
  const path = new Int32Array(routerCount);
  for (let start = 0; start < routerCount; start++) {
    let length = 0;
    let router = start;
    while (row[router] === noPort) {
      const at = port[address * routerCount + router]!;
      if (at === noPort || length === routerCount) break;
      path[length++] = router;
      router = intAt(links.to, intAt(links.firstLink, router) + at);
    }
    if (row[router] === noPort || length === routerCount) continue;
    for (let hops = row[router]! + 1; length > 0; hops++) row[intAt(path, --length)] = hops;
  }
  return row;
}

/** What a routing that fills tables knows when it chooses: one address after the other, routers from the nearest to the farthest. */
export interface TableFiller {
  /** A new address is begun. */
  begin?(address: number, router: number): void;
  /** One of the links `candidates[0 … count − 1]` that lead a hop nearer to the address, ascending. */
  choose(router: number, candidates: Int32Array, count: number, address: number): number;
  /** A router was given its next link. */
  settle?(router: number, link: number): void;
  /** All routers have a next link to the address: `order` has them from the nearest to the farthest, `next` their links. */
  end?(address: number, order: Int32Array, next: Int32Array): void;
}

/**
 * Tables along shortest ways to every address: to the nodes in the order in which OpenSM gives them routes (switches with most hosts
 * first), then to the routers themselves. Incomplete where it was cancelled. O(addresses · links).
 */
export function fillTables(
  topology: Topology,
  filler: TableFiller,
  cancellation: Cancellation = neverCancelled,
): ForwardingTables {
  const { links, routerCount } = topology;
  const meter = new WorkMeter(cancellation);
  const port = new Uint16Array(tableAddressCount(topology) * routerCount).fill(noPort);
  const distance = new Int32Array(routerCount);
  const order = new Int32Array(routerCount);
  const next = new Int32Array(routerCount);
  const candidates = new Int32Array(links.routerLinkCount);
  let searched = -1;
  let found = 0;
  for (const address of addressOrder(topology)) {
    if (meter.isCancelledAfter(2 * links.routerLinkCount)) break;
    const target = routerOfAddress(topology, address);
    if (searched !== target) {
      found = breadthFirstFrom(topology, target, distance, order);
      searched = target;
    }
    filler.begin?.(address, target);
    next[target] = -1;
    for (let index = 1; index < found; index++) {
      const router = intAt(order, index);
      let count = 0;
      for (let link = intAt(links.firstLink, router); link < intAt(links.firstLink, router + 1); link++) {
        if (distance[intAt(links.to, link)] === intAt(distance, router) - 1) candidates[count++] = link;
      }
      const link = count === 1 ? intAt(candidates, 0) : filler.choose(router, candidates, count, address);
      next[router] = link;
      filler.settle?.(router, link);
      port[address * routerCount + router] = link - intAt(links.firstLink, router);
    }
    filler.end?.(address, order.subarray(0, found), next);
  }
  return { port };
}

/** Breadth first; how many routers were found. */
function breadthFirstFrom({ links }: Topology, start: number, distance: Int32Array, order: Int32Array): number {
  distance.fill(-1);
  distance[start] = 0;
  order[0] = start;
  let found = 1;
  for (let index = 0; index < found; index++) {
    const router = intAt(order, index);
    for (let link = intAt(links.firstLink, router); link < intAt(links.firstLink, router + 1); link++) {
      const to = intAt(links.to, link);
      if (distance[to] !== -1) continue;
      distance[to] = intAt(distance, router) + 1;
      order[found++] = to;
    }
  }
  return found;
}

/** Nodes by their switches, those with most nodes first; then the routers. */
function addressOrder(topology: Topology): Int32Array {
  const { routerCount } = topology;
  const routerOfNode = routersOfPorts(topology);
  const hosts = new Int32Array(routerCount);
  for (const router of routerOfNode) hosts[router] = intAt(hosts, router) + 1;
  const nodes = Int32Array.from(routerOfNode.keys()).sort((a, b) => {
    const [one, other] = [intAt(routerOfNode, a), intAt(routerOfNode, b)];
    return intAt(hosts, other) - intAt(hosts, one) || one - other || a - b;
  });
  const order = new Int32Array(routerCount + nodes.length);
  nodes.forEach((node, index) => (order[index] = routerCount + node));
  for (let router = 0; router < routerCount; router++) order[nodes.length + router] = router;
  return order;
}

/** What a routing along shortest ways with tables is built from. */
export function buildTables(
  kind: string,
  topology: Topology,
  filler: TableFiller,
  cancellation?: Cancellation,
): Result<Routing> {
  const refusal = tableRefusal(kind, topology);
  if (refusal) return refusal;
  return succeed(tableRouting(topology, { kind, tables: fillTables(topology, filler, cancellation), symmetric: true }));
}
