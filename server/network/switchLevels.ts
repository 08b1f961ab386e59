/**
 * The switches above each node as schedulers know them, as a tree: on each level those that reach each other without going higher are one, so that
 * the leaves of a pod are below one spine however many it has, and the leaves that the rails of a node are on are one leaf.
 */
import type { Machine } from '../model/machine.ts';
import { intAt } from '../numeric/elements.ts';
import { DisjointSets } from '../numeric/unionFind.ts';

/** What stands for several switches of one level. */
export interface SwitchGroup {
  /** The lowest RouterId of its level in it. */
  readonly router: number;
  /** Number of its group, where it is one of a dragonfly. */
  readonly group?: number;
}

/** By level from the leaves up, and by NodeId; undefined where a node has nothing there. */
export type SwitchLevels = readonly (readonly (SwitchGroup | undefined)[])[];

/**
 * What the groups are called: as the first switch of each in the file, where all those names can be used and differ by more than case; else by numbers.
 * O(routers).
 */
export function groupNames(
  { topology: { names } }: Machine,
  isUsable: (name: string) => boolean,
): (group: SwitchGroup) => string {
  const routers = names?.routers ?? [];
  const isNamed = routers.every(isUsable) && new Set(routers.map((name) => name.toLowerCase())).size === routers.length;
  const nameOf = (router: number): string => (isNamed ? routers[router] : undefined) ?? `switch-${router}`;
  return ({ router, group }) => (group === undefined ? nameOf(router) : `group-${group}`);
}

/** Two levels of a dragonfly, as many as a tree has tiers, one of all others. O(tiers · (routers + links + nodes)). */
export function switchLevelsOf({ topology, nodeCount }: Machine): SwitchLevels {
  const { tiers, groups, rails, links, routerOfNode, routerCount } = topology;
  const sets = new DisjointSets(routerCount);
  rails?.routerOfPort.forEach((router, port) => {
    sets.join(router, intAt(routerOfNode, intAt(rails.nodeOfPort, port)));
  });
  const nodes = Array.from({ length: nodeCount }, (_, node) => intAt(routerOfNode, node));
  const leaves = nodes.map((router): SwitchGroup => ({ router: sets.rootOf(router) }));
  if (groups !== undefined) {
    return [leaves, nodes.map((router) => ({ router, group: intAt(groups, router) }))];
  }
  const levels: (readonly (SwitchGroup | undefined)[])[] = [leaves];
  if (tiers === undefined) return levels;
  const highest = tiers.reduce((most, tier) => Math.max(most, tier), 0);
  let below: readonly (SwitchGroup | undefined)[] = leaves;
  for (let level = 1; level <= highest; level++) {
    const lower = below;
    for (let link = 0; link < links.routerLinkCount; link++) {
      const [from, to] = [intAt(links.from, link), intAt(links.to, link)];
      if (Math.max(intAt(tiers, from), intAt(tiers, to)) <= level) sets.join(from, to);
    }
    const first = new Map<number, SwitchGroup>();
    for (let router = 0; router < routerCount; router++) {
      const root = sets.rootOf(router);
      if (tiers[router] === level && !first.has(root)) first.set(root, { router });
    }
    below = nodes.map((router, node) => lower[node] && first.get(sets.rootOf(router)));
    levels.push(below);
  }
  return levels;
}
