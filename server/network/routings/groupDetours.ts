/** Valiant's detours where routers stand in groups: by way of a group that is drawn, not of a router (Kim et al. 2008, section 4.1). */
import { asRouterId, type LinkId } from '../../model/identifiers.ts';
import { WorkMeter, type Cancellation } from '../../model/cancellation.ts';
import {
  nodeWorks,
  routerWorks,
  type RouteGraph,
  type RouterFlows,
  type Routing,
  type Topology,
} from '../../model/machine.ts';
import { distancesFrom } from '../../numeric/breadthFirst.ts';
import { intAt, itemAt, realAt } from '../../numeric/elements.ts';
import { groupedBy, transposedRows } from '../../numeric/grouping.ts';
import { RouteShares } from './graphRouting.ts';
import { FlowBatch, SharesByLink, type Detours } from './detours.ts';

/** The ways of one router to all groups. */
interface FirstHalves {
  /** Links, and the share of all that the router sends which takes each. */
  readonly links: Int32Array;
  readonly shares: Float64Array;
  /** Where packets come to the group that they drew, the share of them, and after so many hops. One router may be there for several groups. */
  readonly ends: Int32Array;
  readonly endShares: Float64Array;
  readonly endHops: Int32Array;
}

/** By way of any group with nodes, to whichever of its routers are nearest, and minimally on. */
export class GroupDetours implements Detours {
  readonly #topology: Topology;
  readonly #straight: Routing;
  readonly #groups: Int32Array;
  #known: readonly FirstHalves[] | undefined;

  constructor(topology: Topology, groups: Int32Array, straight: Routing) {
    this.#topology = topology;
    this.#groups = groups;
    this.#straight = straight;
  }

  hops(from: number, to: number): number {
    const { ends, endShares, endHops } = this.#from(from);
    // A switch that does not work comes to no group.
    if (ends.length === 0) return Infinity;
    let sum = 0;
    for (let index = 0; index < ends.length; index++) {
      sum += realAt(endShares, index) * (intAt(endHops, index) + this.#hopsOn(intAt(ends, index), to));
    }
    return sum;
  }

  hopShares(from: number, to: number, visit: (hops: number, share: number) => void): void {
    const { ends, endShares, endHops } = this.#from(from);
    const shares: number[] = [];
    for (let index = 0; index < ends.length; index++) {
      const hops = intAt(endHops, index) + this.#hopsOn(intAt(ends, index), to);
      shares[hops] = (shares[hops] ?? 0) + realAt(endShares, index);
    }
    shares.forEach((share, hops) => {
      visit(hops, share);
    });
  }

  addShares(from: number, to: number, add: (link: LinkId, share: number) => void): void {
    const { links, shares, ends, endShares } = this.#from(from);
    links.forEach((link, index) => {
      add(link as LinkId, realAt(shares, index));
    });
    ends.forEach((end, index) => {
      const part = realAt(endShares, index);
      this.#straight.visitShares(asRouterId(end), asRouterId(to), (link, share) => {
        add(link, part * share);
      });
    });
  }

  /** First halves depend on the sender alone; second ones are flows of minimal routing. O(flows · groups) and the time of that. */
  addLoads({ from, to, amount }: RouterFlows, loads: Float64Array, cancellation: Cancellation): void {
    const { routerCount } = this.#topology;
    const meter = new WorkMeter(cancellation);
    const sent = new Float64Array(routerCount);
    const batch = new FlowBatch(this.#straight, loads, cancellation);
    const arriving = new Float64Array(routerCount);
    const { start, members } = groupedBy(to, routerCount);
    for (let target = 0; target < routerCount; target++) {
      const flows = members.subarray(start[target], start[target + 1]);
      if (flows.length === 0 || !routerWorks(this.#topology, target)) continue;
      for (const flow of flows) {
        const source = intAt(from, flow);
        if (source === target || !routerWorks(this.#topology, source)) continue;
        const bytes = realAt(amount, flow);
        const { ends, endShares } = this.#from(source);
        sent[source] = realAt(sent, source) + bytes;
        for (let index = 0; index < ends.length; index++) {
          const end = intAt(ends, index);
          arriving[end] = realAt(arriving, end) + bytes * realAt(endShares, index);
        }
        if (meter.isCancelledAfter(ends.length)) return;
      }
      for (let end = 0; end < routerCount; end++) batch.add(end, target, realAt(arriving, end));
      arriving.fill(0);
      if (meter.isCancelledAfter(routerCount)) return;
    }
    batch.flush();
    for (let source = 0; source < routerCount; source++) {
      const bytes = realAt(sent, source);
      if (bytes === 0) continue;
      const { links, shares } = this.#from(source);
      links.forEach((link, index) => (loads[link] = realAt(loads, link) + bytes * realAt(shares, index)));
    }
  }

  /** O(groups) for a pair. */
  weigh(weights: Float64Array, row: (to: number) => Float64Array): (from: number, to: number) => number {
    const first = new Float64Array(this.#topology.routerCount).fill(NaN);
    return (from, to) => {
      const { links, shares, ends, endShares } = this.#from(from);
      if (Number.isNaN(realAt(first, from)))
        first[from] = links.reduce((sum, link, index) => sum + realAt(weights, link) * realAt(shares, index), 0);
      const on = row(to);
      let sum = realAt(first, from);
      for (let index = 0; index < ends.length; index++)
        sum += realAt(endShares, index) * realAt(on, intAt(ends, index));
      return sum;
    };
  }

  #hopsOn(from: number, to: number): number {
    return this.#straight.hops(asRouterId(from), asRouterId(to));
  }

  #from(router: number): FirstHalves {
    const { graph } = this.#straight;
    if (graph === undefined) throw new TypeError('Routes by way of groups rest on a graph of routes.');
    this.#known ??= firstHalvesOf(this.#topology, this.#groups, graph);
    return itemAt(this.#known, router);
  }
}

/** More than any number of hops. */
const unreachable = 1 << 29;

/** {@link FirstHalves} while they are gathered, a link once for each group. */
interface Gathered {
  readonly links: number[];
  readonly shares: number[];
  readonly ends: number[];
  readonly endShares: number[];
  readonly endHops: number[];
}

/** Of every router, to every group with nodes: O(groups · (states + steps)) time, O(routers · groups) memory. */
function firstHalvesOf(topology: Topology, groups: Int32Array, graph: RouteGraph): readonly FirstHalves[] {
  const { routerCount, routerOfNode, links } = topology;
  const backwards = transposedRows(graph.firstStep, graph.stepTo);
  const drawn = new Set<number>();
  routerOfNode.forEach((router, node) => {
    if (nodeWorks(topology, node) && routerWorks(topology, router)) drawn.add(intAt(groups, router));
  });
  const routes = new RouteShares(graph, links.routerLinkCount);
  const gathered = Array.from({ length: routerCount }, (): Gathered => ({
    links: [],
    shares: [],
    ends: [],
    endShares: [],
    endHops: [],
  }));
  const groupOfState = graph.routerOf.map((router) => intAt(groups, router));
  const states = groupedBy(
    groupOfState,
    groups.reduce((most, group) => Math.max(most, group + 1), 0),
  );
  for (const group of [...drawn].sort((a, b) => a - b)) {
    const there = states.members.subarray(states.start[group], states.start[group + 1]);
    const left = distancesFrom(backwards.start, backwards.row, there).map((hops) => (hops < 0 ? unreachable : hops));
    gathered.forEach((part, router) => {
      const start = intAt(graph.startOf, router);
      const hops = intAt(left, start);
      if (hops === unreachable) return;
      const end = (at: number, share: number): void => {
        part.ends.push(at);
        part.endShares.push(share / drawn.size);
        part.endHops.push(hops);
      };
      if (hops === 0) end(router, 1);
      routes.visit(start, left, (link, share) => {
        part.links.push(link);
        part.shares.push(share / drawn.size);
        if (groups[intAt(links.to, link)] === group) end(intAt(links.to, link), share);
      });
    });
  }
  const shares = new SharesByLink(links.routerLinkCount);
  return gathered.map((part) => summed(part, shares));
}

/** Each link once, with what all groups put on it. */
function summed({ links, shares, ends, endShares, endHops }: Gathered, byLink: SharesByLink): FirstHalves {
  links.forEach((link, index) => {
    byLink.add(link, shares[index] ?? 0);
  });
  const [each, share]: [number[], number[]] = [[], []];
  byLink.visit((link, sum) => {
    each.push(link);
    share.push(sum);
  });
  return {
    links: Int32Array.from(each),
    shares: Float64Array.from(share),
    ends: Int32Array.from(ends),
    endShares: Float64Array.from(endShares),
    endHops: Int32Array.from(endHops),
  };
}
