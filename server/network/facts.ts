/**
 * What a user asks of a machine before placing anything on it (`machineFactsOf`): sizes, diameter, mean distance and
 * bisection, by a formula where there is one for the topology.
 */
import { intAt, itemAt } from '../numeric/elements.ts';
import type { Cancellation } from '../model/cancellation.ts';
import { faultCounts, type FaultCounts } from '../model/faults.ts';
import { asRouterId } from '../model/identifiers.ts';
import { hopsBetweenNodes, hostHops, nodeWorks, type Machine, type Topology } from '../model/machine.ts';
import { type Shape, closesToRing } from '../model/shape.ts';
import { machineBisection, hasNodesEverywhere } from './bisection.ts';
import { cablesOfLink } from './linkClasses.ts';
import { routerName } from './names.ts';
import { betweenPorts, classesOfNodes, usingRails } from './rails.ts';
import { rootCandidates } from './routings/roots.ts';
import { treeLevels } from './topologies/fatTree.ts';
import { virtualLanesOf, type VirtualLanes } from './virtualLanes.ts';

/** Above this many routers distances without a formula are not measured. */
const measuredRouterLimit = 4096;

/** What a user asks of a machine before placing anything on it. */
export interface MachineMeasures {
  readonly name: string;
  readonly topology: string;
  readonly routing: string;
  /** What up/down routing starts from, given or chosen: names or numbers of routers. */
  readonly roots?: readonly string[];
  /**
   * Of up/down routing: switches at the top of the tree that are no roots: nothing goes over them that does not end
   * there.
   */
  readonly idleRoots?: number;
  /** How packets are kept from waiting in a circle, which is named by its switches; absent where the network is too large to say. */
  readonly lanes?: Pick<VirtualLanes, 'lanes' | 'rule'> & { readonly circle?: readonly string[] };
  readonly routers: number;
  readonly nodes: number;
  readonly cores: number;
  /** How many routers, nodes and cables do not work; routers, nodes and cores above count them, cables do not. */
  readonly faults?: FaultCounts;
  /** Cables between routers: a directed link and its reverse are one. Host links are not counted. */
  readonly cables: number;
  /**
   * Largest and mean hops over ordered pairs of different nodes, 0 where there is one node; undefined above the limit.
   */
  readonly diameter: number | undefined;
  readonly meanDistance: number | undefined;
  /**
   * Cables cut by halving the machine, host links included where it has them; a bound from above on
   * some tori and on dragonflies, undefined where no formula is known.
   */
  readonly bisection: number | undefined;
}

interface Distances {
  readonly diameter: number;
  readonly meanDistance: number;
}

/**
 * O(links) at most where there is a formula: grids under dimension-order, fat trees and dragonflies under
 * minimal routing. Elsewhere O(routers²) hops, up to {@link measuredRouterLimit} routers. Distances are
 * undefined above that and where cancelled.
 */
export function machineFactsOf(machine: Machine, cancellation: Cancellation): MachineMeasures {
  const { topology, routing } = machine;
  const distances = formulaDistances(machine) ?? measuredDistances(machine, cancellation);
  return {
    name: machine.name,
    topology: topology.kind,
    routing: routing.kind,
    ...(routing.hierarchy && { roots: routing.hierarchy.roots.map((root) => routerName(machine, root)) }),
    ...idleRootsOf(machine, cancellation),
    ...measureLanes(machine, cancellation),
    routers: topology.routerCount,
    nodes: machine.nodeCount,
    cores: machine.slotCount,
    ...(topology.faults && { faults: faultCounts(topology.faults) }),
    cables: cableCount(machine),
    diameter: distances?.diameter,
    meanDistance: distances?.meanDistance,
    bisection: machineBisection(machine)?.size,
  };
}

/** Cables between routers, each of those that stand side by side. O(links) where links differ. */
function cableCount(machine: Machine): number {
  const { routerLinkCount } = machine.topology.links;
  const one = cablesOfLink(machine, 0);
  if (machine.linkClasses?.of === undefined) return (routerLinkCount / 2) * one;
  let cables = 0;
  for (let link = 0; link < routerLinkCount; link++) cables += cablesOfLink(machine, link);
  return cables / 2;
}

function measureLanes(machine: Machine, cancellation: Cancellation): Pick<MachineMeasures, 'lanes'> {
  // Packets wait for links between switches, whatever rails their messages are split over.
  const found = virtualLanesOf(betweenPorts(machine), cancellation);
  if (found === undefined) return {};
  const { circle, ...lanes } = found;
  const { from } = machine.topology.links;
  return {
    lanes: {
      ...lanes,
      ...(circle && { circle: circle.map((link) => routerName(machine, asRouterId(intAt(from, link)))) }),
    },
  };
}

/** Switches at the top that are no roots lie below the leaves: no packet goes down to one and up again. */
function idleRootsOf({ topology, routing }: Machine, cancellation: Cancellation): { readonly idleRoots?: number } {
  if (routing.hierarchy === undefined || topology.routerCount > measuredRouterLimit) return {};
  const roots = new Set<number>(routing.hierarchy.roots);
  const idle = rootCandidates(topology, cancellation).filter((router) => !roots.has(router)).length;
  return idle === 0 ? {} : { idleRoots: idle };
}

/** The formulas are of machines in which everything works, and of nodes with one link, or with all of them to one router. */
const hasFormulas = ({ faults, rails, hasPorts }: Topology): boolean =>
  faults === undefined && (rails === undefined || hasPorts === true);

function formulaDistances(machine: Machine): Distances | undefined {
  const { topology, routing } = machine;
  const { kind, shape, wraps } = topology;
  if (!hasFormulas(topology)) return undefined;
  if (shape && wraps) return routing.kind === 'dimension-order' ? gridDistances(machine, shape, wraps) : undefined;
  if (shape && (routing.kind === 'dimension-order' || routing.kind === 'minimal')) {
    if (topology.twist) return distancesFromOne(machine);
    return hasNodesEverywhere(machine) ? completeDistances(machine, shape) : undefined;
  }
  if (routing.kind !== 'minimal') return undefined;
  if (kind === 'fat-tree') return fatTreeDistances(topology);
  return kind === 'dragonfly' && topology.groupShape === undefined ? dragonflyDistances(topology) : undefined;
}

/**
 * Axes are independent: the mean over all pairs of routers, a router and itself included, is the sum of the axes'
 * means.
 */
function gridDistances(machine: Machine, shape: Shape, wraps: readonly boolean[]): Distances {
  let diameter = 0;
  let meanOverRouters = 0;
  shape.forEach((side, axis) => {
    const ring = closesToRing(side, wraps[axis] === true);
    diameter += ring ? Math.floor(side / 2) : side - 1;
    meanOverRouters += ring ? meanOnRing(side) : (side * side - 1) / (3 * side);
  });
  return { diameter, meanDistance: meanOverRouters * shareOfDifferentNodes(machine) };
}

/** Mean distance from one place of a ring to all, itself included. */
const meanOnRing = (side: number): number => (side % 2 === 0 ? side / 4 : (side * side - 1) / (4 * side));

/** Turns a mean over all ordered pairs of nodes into one over pairs of different nodes. */
function shareOfDifferentNodes({ nodeCount }: Machine): number {
  return nodeCount > 1 ? nodeCount / (nodeCount - 1) : 0;
}

/** The same figures by asking the routing for every pair; undefined where too large or cancelled. */
export function measuredDistances(machine: Machine, cancellation: Cancellation): Distances | undefined {
  const { topology, routing } = machine;
  if (topology.rails !== undefined) return distancesOverRails(machine, cancellation);
  const hostsOf = new Int32Array(topology.routerCount);
  topology.routerOfNode.forEach((router, node) => {
    if (nodeWorks(topology, node)) hostsOf[router] = intAt(hostsOf, router) + 1;
  });
  const nodeCount = hostsOf.reduce((sum, count) => sum + count, 0);
  const { routerCount } = topology;
  if (routerCount > measuredRouterLimit) return undefined;
  const hostLinks = hostHops(machine);
  let diameter = hostsOf.some((count) => count > 1) ? hostLinks : 0;
  let sum = 0;
  for (let from = 0; from < routerCount; from++) {
    if (cancellation.isCancelled()) return undefined;
    for (let to = 0; to < routerCount; to++) {
      if (from === to || hostsOf[from] === 0 || hostsOf[to] === 0) continue;
      const hops = routing.hops(asRouterId(from), asRouterId(to));
      sum += hops * intAt(hostsOf, from) * intAt(hostsOf, to);
      diameter = Math.max(diameter, hops + hostLinks);
    }
  }
  const pairs = nodeCount * (nodeCount - 1);
  const total = sum + hostLinks * pairs;
  return { diameter, meanDistance: pairs > 0 ? total / pairs : 0 };
}

/** The same as messages go when every one is striped over all rails: parts of a pair have a mean. */
function distancesOverRails(machine: Machine, cancellation: Cancellation): Distances | undefined {
  const { topology, nodeCount } = machine;
  const striped = usingRails(machine, { kind: 'stripe' });
  const classes = classesOfNodes(topology);
  const nodesOf = new Map<number, number[]>();
  for (let node = 0; node < nodeCount; node++) {
    if (!nodeWorks(topology, node)) continue;
    const own = nodesOf.get(intAt(classes, node));
    if (own) own.push(node);
    else nodesOf.set(intAt(classes, node), [node]);
  }
  if (nodesOf.size > measuredRouterLimit) return undefined;
  let [diameter, sum, working] = [0, 0, 0];
  for (const own of nodesOf.values()) {
    if (cancellation.isCancelled()) return undefined;
    working += own.length;
    for (const others of nodesOf.values()) {
      const [from, to] = [itemAt(own, 0), own === others ? own[1] : others[0]];
      if (to === undefined) continue;
      const hops = hopsBetweenNodes(striped, from, to);
      diameter = Math.max(diameter, hops);
      sum += hops * own.length * (own === others ? own.length - 1 : others.length);
    }
  }
  return { diameter, meanDistance: working > 1 ? sum / (working * (working - 1)) : 0 };
}

/**
 * Largest and mean hops between different nodes of a fat tree under minimal routing: 2·h where
 * the nearest common ancestor stands h levels above the nodes, and of N nodes M_h − M_(h−1) stand
 * so to each, M_h being the nodes under a switch of level h. O(levels + degree).
 */
function fatTreeDistances(topology: Topology): { readonly diameter: number; readonly meanDistance: number } {
  let below = 1;
  let diameter = 0;
  let sum = 0;
  treeLevels(topology).children.forEach((children, level) => {
    const nodes = below * children;
    if (children > 1) diameter = 2 * (level + 1);
    sum += 2 * (level + 1) * (nodes - below);
    below = nodes;
  });
  return { diameter, meanDistance: below > 1 ? sum / (below - 1) : 0 };
}

interface DragonflyForm {
  readonly groups: number;
  readonly routersPerGroup: number;
  readonly nodesPerRouter: number;
}

/**
 * Largest and mean hops between different nodes of a dragonfly under minimal routing (local, global,
 * local). Between two groups the pairs of routers with a cable of their own are 1 hop apart, those of
 * which one has a cable to the other's group 2, the rest 3. O(links).
 */
function dragonflyDistances(topology: Topology): { readonly diameter: number; readonly meanDistance: number } {
  const form = dragonflyShape(topology);
  const { groups, routersPerGroup: a, nodesPerRouter: p } = form;
  const nodes = topology.routerOfNode.length;
  const counts = pairsAtHops(topology, form);
  const [, one, two, three] = counts;
  // Of the nodes of one router every two are 2 host links apart; all others in addition to their routers' hops.
  const sum = p * p * (one! + 2 * two! + 3 * three!) + 2 * nodes * (nodes - 1);
  const farthest = counts.findLastIndex((count) => count > 0);
  const diameter = nodes > 1 ? 2 + (groups * a > 1 ? farthest : 0) : 0;
  return { diameter, meanDistance: nodes > 1 ? sum / (nodes * (nodes - 1)) : 0 };
}

/** Ordered pairs of routers by their hops, 0 to 3. */
function pairsAtHops(
  { links, routerCount, groups }: Topology,
  { groups: groupCount, routersPerGroup: a }: DragonflyForm,
): number[] {
  const gates = new Int32Array(groupCount);
  const seenFrom = new Int32Array(routerCount).fill(-1);
  const arrivals = new Int32Array(groupCount);
  const counts = [routerCount, routerCount * (a - 1), 0, 0];
  for (let group = 0; group < groupCount; group++) {
    gates.fill(0);
    arrivals.fill(0);
    let adjacent = 0;
    for (let router = group * a; router < (group + 1) * a; router++) {
      const end = intAt(links.firstLink, router + 1);
      for (let link = intAt(links.firstLink, router); link < end; link++) {
        const to = intAt(links.to, link);
        const there = intAt(groups!, to);
        const isParallel = link > intAt(links.firstLink, router) && links.to[link - 1] === to;
        if (there === group || isParallel) continue;
        adjacent += 1;
        const isFirst = link === intAt(links.firstLink, router) || groups![intAt(links.to, link - 1)] !== there;
        if (isFirst) gates[there] = intAt(gates, there) + 1;
        if (seenFrom[to] !== group) arrivals[there] = intAt(arrivals, there) + 1;
        seenFrom[to] = group;
      }
    }
    counts[1] = itemAt(counts, 1) + adjacent;
    let near = 0;
    for (let there = 0; there < groupCount; there++) {
      near += a * (intAt(gates, there) + intAt(arrivals, there)) - intAt(gates, there) * intAt(arrivals, there);
    }
    counts[2] = itemAt(counts, 2) + near - adjacent;
    counts[3] = itemAt(counts, 3) + (groupCount - 1) * a * a - near;
  }
  return counts;
}

/** Of a vertex-symmetric network: what one router sees, all see. O(routers). */
function distancesFromOne(machine: Machine): Distances {
  const { topology, routing } = machine;
  let [diameter, sum] = [0, 0];
  for (let router = 0; router < topology.routerCount; router++) {
    const hops = routing.hops(asRouterId(0), asRouterId(router));
    diameter = Math.max(diameter, hops);
    sum += hops;
  }
  return { diameter, meanDistance: (sum / topology.routerCount) * shareOfDifferentNodes(machine) };
}

/** On a HyperX two switches are as many hops apart as they have coordinates that differ. O(axes). */
function completeDistances(machine: Machine, shape: Shape): Distances {
  const meanOverRouters = shape.reduce((sum, side) => sum + 1 - 1 / side, 0);
  const diameter = shape.filter((side) => side > 1).length;
  if (machine.nodeCount < 2) return { diameter: 0, meanDistance: 0 };
  const hostLinks = hostHops(machine);
  return {
    diameter: diameter + hostLinks,
    meanDistance: meanOverRouters * shareOfDifferentNodes(machine) + hostLinks,
  };
}

function dragonflyShape({ groups, routerCount, routerOfNode }: Topology): DragonflyForm {
  const groupCount = (groups?.[routerCount - 1] ?? 0) + 1;
  return {
    groups: groupCount,
    routersPerGroup: routerCount / groupCount,
    nodesPerRouter: routerOfNode.length / routerCount,
  };
}
