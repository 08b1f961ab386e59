/**
 * How a network of too many switches and nodes is cut into blocks: a tree by its leaves, with switches above that lead to the same blocks
 * taken together; a dragonfly by its groups; a HyperX along its axes. `blocksOfNetwork` says which, `blocks.ts` draws them.
 */
import { largestOf } from '../model/lists.ts';
import type { Topology } from '../model/machine.ts';
import { coordinatesOf, volumeOf, type Shape } from '../model/shape.ts';
import { DisjointSets } from '../numeric/unionFind.ts';
import type { Layout, Network } from './layout/contract.ts';
import { layoutHyperX } from './layout/hyperx.ts';
import { layoutTiers, tiersOf } from './layout/tiers.ts';

/** Blocks and lines between them: as many as can still be told apart on a page. */
export const blockMarks = 2 ** 16;

/** A network cut into blocks. */
export interface NetworkBlocks {
  /** By RouterId. */
  readonly blockOfRouter: Int32Array;
  readonly count: number;
  /** What each is, by its number. */
  readonly names: readonly string[];
  /** What blocks are, as a sentence. */
  readonly note: string;
  /** Of a grid: the sides of the machine, and of a block. */
  readonly sides?: { readonly shape: Shape; readonly sides: Shape };
  layout(links: Network['links']): Layout;
}

/** Undefined where no cut makes a picture that says anything. O(routers · axes + links). */
export function blocksOfNetwork(topology: Topology): NetworkBlocks | undefined {
  if (topology.shape !== undefined) return blocksOfHyperX(topology, topology.shape);
  if (topology.groups !== undefined) return blocksOfGroups(topology.groups);
  const tiers = tiersOf(topology);
  return tiers === undefined || tiers.includes(-1) ? undefined : blocksOfTree(topology, tiers);
}

/** Blocks as routers on which nothing hangs: squares stand where the layout puts these. */
const bareNetwork = (routerCount: number, links: Network['links']): Network => ({
  routerCount,
  routerOfNode: new Int32Array(0),
  links,
});

/** Each of them has a line to every other: more make one blot. */
const groupBlocks = 64;

/** Groups that stand together: `group 3`, `groups 4–7`. There is a line between every two blocks. */
function blocksOfGroups(groups: Int32Array): NetworkBlocks | undefined {
  const groupCount = groups.reduce((most, group) => Math.max(most, group), 0) + 1;
  if (groupCount < 2) return undefined;
  const perBlock = Math.ceil(groupCount / groupBlocks);
  const count = Math.ceil(groupCount / perBlock);
  return {
    blockOfRouter: groups.map((group) => Math.floor(group / perBlock)),
    count,
    names: Array.from({ length: count }, (_, block) => {
      const [first, last] = [block * perBlock, Math.min(groupCount, (block + 1) * perBlock) - 1];
      return first === last ? `group ${first}` : `groups ${first}–${last}`;
    }),
    note: perBlock === 1 ? 'A square is a group of switches.' : `A square is up to ${perBlock} groups of switches.`,
    layout: (links) => layoutHyperX(bareNetwork(count, links), [count]),
  };
}

/** Sides of blocks are doubled, of the axis first that is cut most often, until there are few enough. */
function blocksOfHyperX({ routerCount }: Topology, shape: Shape): NetworkBlocks | undefined {
  const sides = shape.map(() => 1);
  const cutBy = (): Shape => shape.map((side, axis) => Math.ceil(side / (sides[axis] ?? 1)));
  // In a row there is a line between every two blocks.
  const marks = (cut: Shape): number => volumeOf(cut) * (1 + cut.reduce((sum, side) => sum + (side - 1) / 2, 0));
  for (let cut = cutBy(); marks(cut) > blockMarks; cut = cutBy()) {
    const longest = cut.indexOf(largestOf(cut));
    sides[longest] = 2 * (sides[longest] ?? 1);
  }
  const cut = cutBy();
  if (volumeOf(cut) < 2) return undefined;
  const at = new Int32Array(shape.length);
  return {
    blockOfRouter: Int32Array.from({ length: routerCount }, (_, router) => {
      coordinatesOf(shape, router, at);
      return cut.reduceRight((block, side, axis) => block * side + Math.floor((at[axis] ?? 0) / (sides[axis] ?? 1)), 0);
    }),
    count: volumeOf(cut),
    names: [],
    note: '',
    sides: { shape, sides },
    layout: (links) => layoutHyperX(bareNetwork(volumeOf(cut), links), cut),
  };
}

/** A tree cut above some tier. */
interface CutTree {
  readonly blockOfRouter: Int32Array;
  /** By block. */
  readonly tiers: readonly number[];
  readonly lines: number;
}

/** The lowest cut that leaves few enough blocks and lines. */
function blocksOfTree(topology: Topology, tiers: Int32Array): NetworkBlocks | undefined {
  const top = tiers.reduce((most, tier) => Math.max(most, tier), 0);
  for (let lowest = 0; lowest < top; lowest++) {
    const cut = cutTree(topology, tiers, lowest);
    const count = cut.tiers.length;
    if (count + cut.lines > blockMarks) continue;
    const isLowest = (block: number): boolean => cut.tiers[block] === lowest;
    const pods = lowest === 0 ? 'a leaf' : `connected up to tier ${lowest}`;
    return {
      blockOfRouter: cut.blockOfRouter,
      count,
      names: namesOfBlocks(topology, cut.blockOfRouter, count),
      note: `Below it is ${pods}${cut.tiers.every((_, block) => isLowest(block)) ? '' : ', above the switches that lead to the same squares'}.`,
      layout: (links) =>
        layoutTiers(
          bareNetwork(count, links),
          Int32Array.from(cut.tiers, (tier) => tier - lowest),
        ),
    };
  }
  return undefined;
}

/** What holds together up to a tier is a block; above, tier by tier, switches with cables to the same blocks below are. O(routers + links · log). */
function cutTree(topology: Topology, tierOf: Int32Array, lowest: number): CutTree {
  const { routerCount } = topology;
  const sets = setsUpTo(topology, tierOf, lowest);
  const blockOfRouter = new Int32Array(routerCount).fill(-1);
  const tiers: number[] = [];
  const known = new Map<string, number>();
  let lines = 0;
  const put = (router: number, key: string, tier: number, below: number): void => {
    const block = known.get(key) ?? tiers.length;
    if (block === tiers.length) {
      known.set(key, block);
      tiers.push(tier);
      lines += below;
    }
    blockOfRouter[router] = block;
  };
  const routers = Array.from({ length: routerCount }, (_, router) => router);
  const tierAt = (router: number): number => tierOf[router] ?? 0;
  for (const router of routers) if (tierAt(router) <= lowest) put(router, `below ${sets.rootOf(router)}`, lowest, 0);
  const top = tierOf.reduce((most, tier) => Math.max(most, tier), 0);
  for (let tier = lowest + 1; tier <= top; tier++) {
    for (const router of routers) {
      if (tierAt(router) !== tier) continue;
      const blocks = blocksBelow(topology, tierOf, blockOfRouter, router);
      // One to which nothing leads is a block of its own.
      put(router, blocks.length === 0 ? `alone ${router}` : `${tier}: ${blocks.join()}`, tier, blocks.length);
    }
  }
  return { blockOfRouter, tiers, lines };
}

/** What holds together by cables between switches up to a tier. */
function setsUpTo({ links, routerCount }: Topology, tierOf: Int32Array, highest: number): DisjointSets {
  const { from, to, routerLinkCount } = links;
  const sets = new DisjointSets(routerCount);
  const isLow = (router: number): boolean => (tierOf[router] ?? 0) <= highest;
  for (let link = 0; link < routerLinkCount; link++) {
    const [one, other] = [from[link] ?? 0, to[link] ?? 0];
    if (isLow(one) && isLow(other)) sets.join(one, other);
  }
  return sets;
}

/** Blocks to which a switch has cables down, ascending. O(degree · log). */
function blocksBelow(
  { links: { firstLink, to } }: Topology,
  tierOf: Int32Array,
  blockOfRouter: Int32Array,
  router: number,
): Int32Array {
  const below = new Set<number>();
  for (let link = firstLink[router] ?? 0; link < (firstLink[router + 1] ?? 0); link++) {
    const other = to[link] ?? 0;
    if ((tierOf[other] ?? 0) < (tierOf[router] ?? 0)) below.add(blockOfRouter[other] ?? -1);
  }
  return Int32Array.from(below).sort();
}

/** `leaf-3`, `switch 6`; of several `switches 64–127`, `switches 64, 128, …`. O(routers). */
function namesOfBlocks({ names }: Topology, blockOfRouter: Int32Array, count: number): readonly string[] {
  const members = Array.from({ length: count }, (): number[] => []);
  blockOfRouter.forEach((block, router) => members[block]?.push(router));
  return members.map((routers) => {
    const [first = 0, second, last = first] = [routers[0], routers[1], routers.at(-1)];
    if (second === undefined) return names?.routers[first] ?? `switch ${first}`;
    return last - first === routers.length - 1 ? `switches ${first}–${last}` : `switches ${first}, ${second}, …`;
  });
}
