/**
 * What the shape of a fat tree says of the shortest routes between its leaves, without a search (`leafRoutes`): the leaves
 * below a switch of level l follow one another in blocks of one size, and the shortest way between two leaves goes up to the
 * lowest level at which they are in one block, and down again (Öhring et al. 1995).
 */
import { intAt, realAt } from '../../numeric/elements.ts';
import { hasAllCables, type RouterFlows, type Topology } from '../../model/machine.ts';
import { levelsFrom } from './routeGraph.ts';

/** What is known of routes between leaves. */
export interface LeafRoutes {
  /** Undefined for other switches. O(levels). */
  readonly knownHops: (from: number, to: number) => number | undefined;
  /**
   * Adds the loads of flows between leaves, split evenly among the next links, to `loads` and returns the other flows.
   * O(flows · levels + links). Missing where cables are not even.
   */
  readonly knownLoads: (flows: RouterFlows, loads: Float64Array) => RouterFlows;
}

/** Nothing where the topology is no fat tree with all its cables. */
export function leafRoutes(topology: Topology): Partial<LeafRoutes> {
  const blocks = leafBlocks(topology);
  if (blocks === undefined) return {};
  const { leaves, sizes } = blocks;
  let levels: LevelsOfBlocks | undefined;
  return {
    knownHops(from, to) {
      if (from >= leaves || to >= leaves) return undefined;
      if (from === to) return 0;
      let level = 0;
      while (Math.floor(from / intAt(sizes, level)) !== Math.floor(to / intAt(sizes, level))) level++;
      return 2 * level;
    },
    ...(hasEvenCables(topology) && {
      knownLoads: (flows, loads) =>
        addLeafLoads(topology, blocks, (levels ??= leafLevels(topology, blocks)), flows, loads),
    }),
  };
}

/** How many leaves a fat tree has, the routers of the lowest ids, and how many of them are below one switch of each level. */
interface LeafBlocks {
  readonly leaves: number;
  readonly sizes: Int32Array;
}

export function leafBlocks(topology: Topology): LeafBlocks | undefined {
  const { kind, tiers, planes } = topology;
  if (kind !== 'fat-tree' || tiers === undefined || planes || !hasAllCables(topology)) return undefined;
  const leaves = tiers.reduce((count, tier) => count + (tier === 0 ? 1 : 0), 0);
  const level = levelsFrom(topology, 0);
  const sizes = new Int32Array(tiers.reduce((most, tier) => Math.max(most, tier), 0) + 1);
  for (let leaf = 0; leaf < leaves; leaf++) {
    const up = intAt(level, leaf) / 2;
    for (let above = up; above < sizes.length; above++) sizes[above] = intAt(sizes, above) + 1;
  }
  return { leaves, sizes };
}

/**
 * Whether all switches of a level have as many cables up, and as many to each switch above: only then flows part evenly among all
 * that are over a block. O(routers + links).
 */
function hasEvenCables({ tiers, links: { firstLink, to }, routerCount }: Topology): boolean {
  if (tiers === undefined) return false;
  const known = new Map<number, { readonly up: number; readonly parallel: number }>();
  const parallel = new Int32Array(routerCount);
  for (let router = 0; router < routerCount; router++) {
    const tier = intAt(tiers, router);
    const above = to.subarray(firstLink[router], firstLink[router + 1]).filter((end) => intAt(tiers, end) > tier);
    for (const end of above) parallel[end] = intAt(parallel, end) + 1;
    const own = { up: above.length, parallel: above.length === 0 ? 0 : intAt(parallel, intAt(above, 0)) };
    const others = known.get(tier) ?? own;
    known.set(tier, others);
    if (own.up !== others.up || above.some((end) => parallel[end] !== others.parallel)) return false;
    for (const end of above) parallel[end] = 0;
  }
  return true;
}

/** The levels of a fat tree below the top, as one list of blocks. */
interface LevelsOfBlocks {
  /** Where the blocks of each level begin. */
  readonly firstBlock: Int32Array;
  /** The first switch of each level, and how many of them are over one block. */
  readonly firstSwitch: Int32Array;
  readonly over: Int32Array;
  /** Cables that lead up from a switch of each level; all have as many. */
  readonly cablesUp: Int32Array;
}

function leafLevels({ tiers, links }: Topology, { leaves, sizes }: LeafBlocks): LevelsOfBlocks {
  const levels = sizes.length - 1;
  const firstSwitch = Int32Array.from(sizes, (_, level) => tiers?.indexOf(level) ?? 0);
  const firstBlock = new Int32Array(levels + 1);
  const over = new Int32Array(levels);
  const cablesUp = new Int32Array(levels);
  for (let level = 0; level < levels; level++) {
    const blocks = leaves / intAt(sizes, level);
    const first = intAt(firstSwitch, level);
    const end = intAt(firstSwitch, level + 1);
    firstBlock[level + 1] = intAt(firstBlock, level) + blocks;
    over[level] = (end - first) / blocks;
    for (let link = intAt(links.firstLink, first); link < intAt(links.firstLink, first + 1); link++)
      if (intAt(links.to, link) >= end) cablesUp[level] = intAt(cablesUp, level) + 1;
  }
  return { firstBlock, firstSwitch, over, cablesUp };
}

/**
 * What leaves a block of leaves goes up from the switches over it, an equal part from each over each of its cables, as all of
 * them have as many; what enters the block comes down by the same cables. So one sum each way for a block is all that is needed.
 */
function addLeafLoads(
  { tiers = new Int32Array(0), links }: Topology,
  { leaves, sizes }: LeafBlocks,
  levels: LevelsOfBlocks,
  flows: RouterFlows,
  loads: Float64Array,
): RouterFlows {
  const { firstBlock, firstSwitch, over, cablesUp } = levels;
  const top = sizes.length - 1;
  const leaving = new Float64Array(intAt(firstBlock, top));
  const entering = new Float64Array(leaving.length);
  const others: number[] = [];
  for (let flow = 0; flow < flows.amount.length; flow++) {
    const from = intAt(flows.from, flow);
    const to = intAt(flows.to, flow);
    if (from >= leaves || to >= leaves) {
      others.push(flow);
      continue;
    }
    const amount = realAt(flows.amount, flow);
    for (let level = 0; level < top; level++) {
      const size = intAt(sizes, level);
      const one = (from / size) | 0;
      const other = (to / size) | 0;
      if (one === other) break;
      const start = intAt(firstBlock, level);
      leaving[start + one] = realAt(leaving, start + one) + amount;
      entering[start + other] = realAt(entering, start + other) + amount;
    }
  }
  for (let link = 0; link < links.routerLinkCount; link++) {
    const [from, to] = [intAt(links.from, link), intAt(links.to, link)];
    const isUp = from < to;
    const below = isUp ? from : to;
    const level = intAt(tiers, below);
    const parts = intAt(over, level);
    const block = intAt(firstBlock, level) + (((below - intAt(firstSwitch, level)) / parts) | 0);
    loads[link]! += realAt(isUp ? leaving : entering, block) / (parts * intAt(cablesUp, level));
  }
  return {
    from: Int32Array.from(others, (flow) => intAt(flows.from, flow)),
    to: Int32Array.from(others, (flow) => intAt(flows.to, flow)),
    amount: Float64Array.from(others, (flow) => realAt(flows.amount, flow)),
  };
}
