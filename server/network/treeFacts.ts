import type { Topology } from '../model/machine.ts';
import type { Shape } from '../model/shape.ts';

/** The shape of a fat tree, from the leaves up. */
interface TreeLevels {
  /** Links down of the switches of each level; those of level 0 lead to nodes. */
  readonly children: Shape;
  /** Cables between all switches of a level and those of the level above. */
  readonly cablesUp: Shape;
}

/**
 * Largest and mean hops between different nodes of a fat tree under minimal routing: 2·h where
 * the nearest common ancestor stands h levels above the nodes, and of N nodes M_h − M_(h−1) stand
 * so to each, M_h being the nodes under a switch of level h. O(levels + degree).
 */
export function fatTreeDistances(topology: Topology): { readonly diameter: number; readonly meanDistance: number } {
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

/**
 * Fewest cables, host links included, between two halves of the nodes of a fat tree: half of
 * the cables of its narrowest level, so N/2 in a k-ary n-tree (Petrini and Vanneschi 1997, section
 * 2). Undefined where the parts under the top cannot be halved, being odd in number. O(levels + degree).
 */
export function fatTreeBisection(topology: Topology): number | undefined {
  const { children, cablesUp } = treeLevels(topology);
  const top = children.findLastIndex((count) => count > 1);
  if (top === -1) return 0;
  if (children[top]! % 2 !== 0) return undefined;
  return Math.min(topology.routerOfNode.length, ...cablesUp.slice(0, top)) / 2;
}

/** All switches of a level have as many below and above, so the first of each tells the shape. */
function treeLevels({ tiers, links, routerOfNode }: Topology): TreeLevels {
  const children: number[] = [];
  const cablesUp: number[] = [];
  const levels = tiers ? tiers[tiers.length - 1]! + 1 : 1;
  for (let level = 0; level < levels; level++) {
    const first = tiers ? tiers.indexOf(level) : 0;
    const next = level + 1 < levels ? tiers!.indexOf(level + 1) : links.firstLink.length - 1;
    const ways = [...links.to.subarray(links.firstLink[first], links.firstLink[first + 1])];
    const down = new Set(ways.filter((router) => router < first)).size;
    children.push(level === 0 ? routerOfNode.lastIndexOf(0) + 1 : down);
    cablesUp.push((next - first) * ways.filter((router) => router > first).length);
  }
  return { children, cablesUp };
}
