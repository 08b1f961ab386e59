/**
 * A machine by itself in figures: what its graph is like, and how well it can be cut in two. For who looks at a machine
 * before placing anything on it; what hovers say of it is part of this.
 */
import type { Cancellation } from '../model/cancellation.ts';
import type { Fabric } from '../model/fabric.ts';
import {
  nodeOfPort,
  routersOfPorts,
  routerWorks,
  workingNodeCount,
  workingPorts,
  type Machine,
  type Topology,
} from '../model/machine.ts';
import { seededRandom } from '../model/random.ts';
import { intAt, realAt } from '../numeric/elements.ts';
import { accumulated } from '../numeric/grouping.ts';
import { cablesOfLink } from '../network/linkClasses.ts';
import {
  bisectionBandwidthOf,
  machineBisection,
  byBandwidth,
  byCables,
  halfOfHosts,
  type BisectionBasis,
  type CutMeasure,
  type NarrowestCut,
} from '../network/bisection.ts';
import { machineFactsOf, type MachineMeasures } from '../network/facts.ts';
import { componentsOf, disconnection } from '../network/topologies/cableGraph.ts';
import { halve } from '../optimisation/partitioning/halving.ts';

export interface MachineFigures extends Omit<MachineMeasures, 'bisection'> {
  /** Fewest cables between two halves of the nodes, host links among them; undefined where no cut was sought. */
  readonly bisection: (BisectionBasis & { readonly cables: number }) | undefined;
  /** Bytes per second that two halves of the nodes can send each other, each way; undefined without bandwidths, or a cut. */
  readonly bisectionBandwidth: (BisectionBasis & { readonly rate: number }) | undefined;
  /** Cables of each router to other routers, by RouterId; parallel ones are counted. */
  readonly degrees: Int32Array;
  /** How many routers that work have each degree, ascending. */
  readonly degreeCounts: readonly { readonly degree: number; readonly routers: number }[];
  /** Parts that no cable joins, by RouterId; a machine that jobs run on has one. */
  readonly partOfRouter: Int32Array;
  readonly parts: number;
  /** What its file describes besides, that no cable joins to it. */
  readonly leftOut?: NonNullable<Fabric['leftOut']>;
  /** Between nodes and routers; 0 where they are one. */
  readonly hostLinks: number;
  /** Ports of each switch without a cable, by RouterId, −1 where the file does not say; undefined where it says of none. */
  readonly sparePorts: readonly number[] | undefined;
  /** Format of the file that it was read from. */
  readonly format: string | undefined;
}

/** As {@link machineFactsOf}, and for networks without a formula a cut in O(cables · log routers) for each attempt. */
export function machineFigures(machine: Machine, cancellation: Cancellation, fabric?: Fabric): MachineFigures {
  const { topology } = machine;
  const { of: partOfRouter, count } = componentsOf(topology.links, topology.faults?.routers);
  // Rails with networks of their own are no parts that lack a cable.
  const parts = topology.planes !== undefined && disconnection(topology) === undefined ? 1 : count;
  const measures = machineFactsOf(machine, cancellation);
  const bisection = machineBisection(machine) ?? cutSought(machine, byCables(machine), cancellation);
  const degrees = degreesOf(machine);
  return {
    ...measures,
    bisection: bisection && { cables: bisection.size, words: bisection.words, isBound: bisection.isBound },
    bisectionBandwidth: bandwidthOfCut(machine, bisection, cancellation),
    degrees,
    degreeCounts: degreeCounts(degrees.filter((_, router) => routerWorks(topology, router))),
    partOfRouter,
    parts,
    ...(fabric?.leftOut && { leftOut: fabric.leftOut }),
    hostLinks: hostLinksOf(machine),
    sparePorts: fabric?.sparePorts,
    format: fabric?.format,
  };
}

/** Links of nodes that work, on routers that work. */
function hostLinksOf(machine: Machine): number {
  const { topology } = machine;
  if (topology.rails === undefined) return topology.hasHostLinks ? workingNodeCount(machine) : 0;
  return workingPorts(topology).length;
}

/** Cables of each router, those side by side one by one. O(links). */
const degreesOf = (machine: Machine): Int32Array => {
  const { routerCount, links } = machine.topology;
  const degrees = new Int32Array(routerCount);
  for (let link = 0; link < links.routerLinkCount; link++) {
    const router = intAt(links.from, link);
    degrees[router] = intAt(degrees, router) + cablesOfLink(machine, link);
  }
  return degrees;
};

function degreeCounts(degrees: Int32Array): MachineFigures['degreeCounts'] {
  const counts = new Map<number, number>();
  for (const degree of degrees) counts.set(degree, (counts.get(degree) ?? 0) + 1);
  return [...counts].sort(([one], [other]) => one - other).map(([degree, routers]) => ({ degree, routers }));
}

/** Networks of more cables are not cut: it would take seconds. */
const cutCables = 2 ** 17;
/** Attempts, each from another random matching; more find little. */
const attempts = 4;

/** The narrowest cut by the bandwidth of its links. Where all cables are as fast, it is the one of fewest cables. */
function bandwidthOfCut(
  machine: Machine,
  bisection: NarrowestCut | undefined,
  cancellation: Cancellation,
): MachineFigures['bisectionBandwidth'] {
  const { links, hasHostLinks } = machine.topology;
  const [cables, rates] = [byCables(machine), byBandwidth(machine)];
  const counted = hasHostLinks ? links.linkCount : links.routerLinkCount;
  const ofCable = (link: number): number => rates(link) / cables(link);
  const areAlike = Array.from({ length: counted }, (_, link) => link).every((link) => ofCable(link) === ofCable(0));
  const rate = counted === 0 ? Infinity : ofCable(0);
  const found = !areAlike
    ? (bisectionBandwidthOf(machine) ?? (bisection && cutSought(machine, rates, cancellation)))
    : bisection && { ...bisection, size: bisection.size * rate };
  return found && Number.isFinite(found.size)
    ? { rate: found.size, words: found.words, isBound: found.isBound }
    : undefined;
}

/** The best cut that a few attempts find, of networks without a formula; undefined where links between switches have no measure. */
function cutSought(machine: Machine, measure: CutMeasure, cancellation: Cancellation): NarrowestCut | undefined {
  const { topology } = machine;
  const { links, faults, rails } = topology;
  // Nothing is cut between halves of which one may have failed.
  if (faults !== undefined || links.routerLinkCount / 2 > cutCables) return undefined;
  const known = Float64Array.from({ length: links.linkCount }, (_, link) => measure(link));
  // A link of a node that nobody gives a bandwidth limits nothing; one between switches, or of a rail, has to have one.
  if (!known.subarray(0, rails ? links.linkCount : links.routerLinkCount).every(Number.isFinite)) return undefined;
  const least = (rails ? leastOfNodes : leastOfSwitches)(topology, (link) => realAt(known, link), cancellation);
  return least === undefined ? undefined : { size: least, words: 'best cut found', isBound: true };
}

/**
 * The best of a few multilevel bisections (Karypis and Kumar 1998) of the switches, each as heavy as its nodes; what the halves
 * differ by is made good by single nodes, which are cut off by their host links. A bound from above.
 */
function leastOfSwitches(topology: Topology, measure: CutMeasure, cancellation: Cancellation): number | undefined {
  const { routerCount, routerOfNode, links, hasHostLinks } = topology;
  const graph = switchGraph(topology, measure);
  const nodeCount = routerOfNode.length;
  const half = nodeCount >> 1;
  const halving = { graph, pull: new Float64Array(routerCount), minimum: half, maximum: nodeCount - half };
  const random = seededRandom(1);
  const dearest = routerOfNode.reduce(
    (most, _, node) => Math.max(most, hasHostLinks ? measure(links.routerLinkCount + 2 * node) : 0),
    0,
  );
  // Where nothing better is found, the nodes of one half are all cut off by their host links.
  let least = hasHostLinks ? halfOfHosts(topology, measure) : Infinity;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const side = halve(halving, random, cancellation);
    if (side === undefined) return undefined;
    let cut = 0;
    for (let link = 0; link < links.routerLinkCount; link++) {
      if (side[intAt(links.from, link)] === 0 && side[intAt(links.to, link)] === 1) cut += measure(link);
    }
    let first = 0;
    for (const router of routerOfNode) if (side[router] === 0) first++;
    const strays = Math.max(0, half - first, first - (nodeCount - half));
    if (strays === 0) least = Math.min(least, cut);
    else if (hasHostLinks) least = Math.min(least, cut + strays * dearest);
  }
  return least === Infinity ? undefined : least;
}

/** Where nodes hang on several switches: nodes are halved, and switches stand where fewest links are cut. */
function leastOfNodes(topology: Topology, measure: CutMeasure, cancellation: Cancellation): number | undefined {
  const { routerCount, routerOfNode } = topology;
  const graph = nodeGraph(topology, measure);
  const half = routerOfNode.length >> 1;
  const pull = new Float64Array(graph.vertexCount);
  const halving = { graph, pull, minimum: half, maximum: routerOfNode.length - half };
  const random = seededRandom(1);
  let least = Infinity;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const side = halve(halving, random, cancellation);
    if (side === undefined) return undefined;
    const first = side.subarray(routerCount).reduce((sum, each) => sum + (each === 0 ? 1 : 0), 0);
    if (first < half || first > routerOfNode.length - half) continue;
    let cut = 0;
    for (let vertex = 0; vertex < graph.vertexCount; vertex++) {
      for (let edge = intAt(graph.rowStart, vertex); edge < intAt(graph.rowStart, vertex + 1); edge++) {
        if (side[vertex] === 0 && side[intAt(graph.neighbour, edge)] === 1) cut += realAt(graph.weight, edge);
      }
    }
    least = Math.min(least, cut);
  }
  return least === Infinity ? undefined : least;
}

/** Switches as in {@link switchGraph}, of no size, then nodes of size 1 on the switches of their rails. O(links). */
function nodeGraph(topology: Topology, measure: CutMeasure): Parameters<typeof halve>[0]['graph'] {
  const { routerCount, routerOfNode, links } = topology;
  const { rowStart, neighbour, weight } = switchGraph(topology, measure);
  const rows = Array.from({ length: routerCount }, (_, router) => {
    const own = new Map<number, number>();
    for (let edge = intAt(rowStart, router); edge < intAt(rowStart, router + 1); edge++)
      own.set(intAt(neighbour, edge), realAt(weight, edge));
    return own;
  }).concat(Array.from(routerOfNode, () => new Map<number, number>()));
  const add = (from: number, to: number, size: number): void => {
    rows[from]?.set(to, size + (rows[from].get(to) ?? 0));
  };
  routersOfPorts(topology).forEach((router, port) => {
    const node = routerCount + nodeOfPort(topology, port);
    const size = measure(links.routerLinkCount + 2 * port);
    add(router, node, size);
    add(node, router, size);
  });
  const size = new Int32Array(rows.length).fill(1, routerCount);
  return {
    vertexCount: rows.length,
    rowStart: accumulated(Int32Array.of(0, ...rows.map((row) => row.size))),
    neighbour: Int32Array.from(rows.flatMap((row) => [...row.keys()])),
    weight: Float64Array.from(rows.flatMap((row) => [...row.values()])),
    size,
  };
}

/** Switches that cables join, parallel ones as one edge. O(links). */
function switchGraph(
  { routerCount, routerOfNode, links }: Topology,
  measure: CutMeasure,
): Parameters<typeof halve>[0]['graph'] {
  const size = new Int32Array(routerCount);
  for (const router of routerOfNode) size[router] = intAt(size, router) + 1;
  const rowStart = new Int32Array(routerCount + 1);
  const neighbour: number[] = [];
  const weight: number[] = [];
  for (let router = 0; router < routerCount; router++) {
    const end = intAt(links.firstLink, router + 1);
    for (let link = intAt(links.firstLink, router); link < end; link++) {
      const to = intAt(links.to, link);
      if (neighbour.length > intAt(rowStart, router) && neighbour.at(-1) === to)
        weight.push((weight.pop() ?? 0) + measure(link));
      else {
        neighbour.push(to);
        weight.push(measure(link));
      }
    }
    rowStart[router + 1] = neighbour.length;
  }
  return {
    vertexCount: routerCount,
    rowStart,
    neighbour: Int32Array.from(neighbour),
    weight: Float64Array.from(weight),
    size,
  };
}
