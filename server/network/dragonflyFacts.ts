import type { Topology } from '../model/machine.ts';

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
export function dragonflyDistances(topology: Topology): { readonly diameter: number; readonly meanDistance: number } {
  const form = formOf(topology);
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
      const end = links.firstLink[router + 1]!;
      for (let link = links.firstLink[router]!; link < end; link++) {
        const to = links.to[link]!;
        const there = groups![to]!;
        const isParallel = link > links.firstLink[router]! && links.to[link - 1] === to;
        if (there === group || isParallel) continue;
        adjacent += 1;
        const isFirst = link === links.firstLink[router]! || groups![links.to[link - 1]!] !== there;
        if (isFirst) gates[there]! += 1;
        if (seenFrom[to] !== group) arrivals[there]! += 1;
        seenFrom[to] = group;
      }
    }
    counts[1]! += adjacent;
    let near = 0;
    for (let there = 0; there < groupCount; there++) {
      near += a * (gates[there]! + arrivals[there]!) - gates[there]! * arrivals[there]!;
    }
    counts[2]! += near - adjacent;
    counts[3]! += (groupCount - 1) * a * a - near;
  }
  return counts;
}

/**
 * Cables, host links included, between two halves of the nodes: the least of the host links of a
 * half, a cut between the first half of the routers and the rest (whole groups, and the middle one
 * halved where they are odd in number), and one through the middle of every group. A bound from above, as
 * other cuts are not tried; undefined for an odd number of routers. O(links).
 */
export function dragonflyBisection(topology: Topology): number | undefined {
  const { routersPerGroup } = formOf(topology);
  const { routerCount, routerOfNode, links } = topology;
  if (routerCount % 2 !== 0) return undefined;
  const cutOf = (isMember: (router: number) => boolean): number => {
    let cut = 0;
    links.from.forEach((from, link) => {
      if (isMember(from) && !isMember(links.to[link]!)) cut += 1;
    });
    return cut;
  };
  const between = cutOf((router) => router < routerCount / 2);
  const through = cutOf((router) => router % routersPerGroup < routersPerGroup / 2);
  return Math.min(routerOfNode.length / 2, between, routersPerGroup % 2 === 0 ? through : Infinity);
}

function formOf({ groups, routerCount, routerOfNode }: Topology): DragonflyForm {
  const groupCount = (groups?.[routerCount - 1] ?? 0) + 1;
  return {
    groups: groupCount,
    routersPerGroup: routerCount / groupCount,
    nodesPerRouter: routerOfNode.length / routerCount,
  };
}
