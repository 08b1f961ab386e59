import { intAt } from '../../numeric/elements.ts';
import { hasAllCables, type Topology } from '../../model/machine.ts';
import { levelsFrom } from './routeGraph.ts';

/**
 * Hops between the leaves of a fat tree, by blocks of neighbours: the leaves below a switch of level l follow one another
 * in blocks of one size, and the shortest way between two leaves goes up to the lowest level at which they are in one
 * block, and down again (Öhring et al. 1995). Undefined for other switches. Nothing where the topology is no fat tree
 * with all its cables. O(levels) each, after one search.
 */
export function leafHops(topology: Topology): {
  readonly knownHops?: (from: number, to: number) => number | undefined;
} {
  const blocks = leafBlocks(topology);
  if (blocks === undefined) return {};
  const { leaves, sizes } = blocks;
  return {
    knownHops(from, to) {
      if (from >= leaves || to >= leaves) return undefined;
      if (from === to) return 0;
      let level = 0;
      while (Math.floor(from / intAt(sizes, level)) !== Math.floor(to / intAt(sizes, level))) level++;
      return 2 * level;
    },
  };
}

/** How many leaves a fat tree has, the routers of the lowest ids, and how many of them are below one switch of each level. */
export function leafBlocks(topology: Topology): { readonly leaves: number; readonly sizes: Int32Array } | undefined {
  const { kind, tiers } = topology;
  if (kind !== 'fat-tree' || tiers === undefined || !hasAllCables(topology)) return undefined;
  const leaves = tiers.reduce((count, tier) => count + (tier === 0 ? 1 : 0), 0);
  const level = levelsFrom(topology, 0);
  const sizes = new Int32Array(tiers.reduce((most, tier) => Math.max(most, tier), 0) + 1);
  for (let leaf = 0; leaf < leaves; leaf++) {
    const up = intAt(level, leaf) / 2;
    for (let above = up; above < sizes.length; above++) sizes[above] = intAt(sizes, above) + 1;
  }
  return { leaves, sizes };
}
