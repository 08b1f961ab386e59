import type { SearchCore } from '../problem/searchProblem.ts';
import { costBetween } from '../problem/siteCosts.ts';

/** More natural parts than this are not looked for: cutting through one of so many costs little. */
const mostParts = 64;
/** Costs are told apart to this part of a unit when blocks are ordered. */
const keyScale = 64;

/**
 * Sites in blocks that should not be parted. On a tree of switches these are its subtrees: where
 * "costs less than the largest cost" is an equivalence of a few classes, those. Else sites of one
 * router stay together; and where there is only one router, or one site on each, every site is a
 * block.
 */
export class SiteBlocks {
  /** Block of each site, numbered in order of appearance. */
  readonly #blockOf: Int32Array;
  /** Sites and places of each block. */
  readonly #size: Int32Array;
  readonly #room: Int32Array;
  readonly #allRoom: number;

  /** O(sites · natural parts). */
  constructor(core: SearchCore, sites: Int32Array) {
    this.#blockOf = blocksOf(core, sites);
    const count = 1 + this.#blockOf.reduce((most, block) => Math.max(most, block), 0);
    this.#size = new Int32Array(count);
    this.#room = new Int32Array(count);
    const { firstPlace } = core.places;
    let allRoom = 0;
    for (let index = 0; index < sites.length; index++) {
      const room = firstPlace[sites[index]! + 1]! - firstPlace[sites[index]!]!;
      this.#size[this.#blockOf[index]!]!++;
      this.#room[this.#blockOf[index]!]! += room;
      allRoom += room;
    }
    this.#allRoom = allRoom;
  }

  /**
   * Side 0 for the sites of the blocks with the lowest mean key, as many as come nearest to half of
   * the places; 1 for the others. Equal keys keep their order. O(sites + blocks · log).
   */
  cutBy(keys: Float64Array): Uint8Array {
    const count = this.#size.length;
    const sums = new Float64Array(count);
    for (let index = 0; index < keys.length; index++) sums[this.#blockOf[index]!]! += keys[index]!;
    // Key and block in one number: the native sort takes no comparator then, and is ten times as fast.
    const codes = sums.map((sum, block) => Math.round((sum / this.#size[block]!) * keyScale) * count + block);
    codes.sort();
    const side = new Uint8Array(count).fill(1);
    let taken = 0;
    for (let rank = 0; rank + 1 < count; rank++) {
      const block = ((codes[rank]! % count) + count) % count;
      const more = taken + this.#room[block]!;
      if (rank > 0 && Math.abs(2 * more - this.#allRoom) >= Math.abs(2 * taken - this.#allRoom)) break;
      side[block] = 0;
      taken = more;
    }
    const sides = new Uint8Array(keys.length);
    for (let index = 0; index < sides.length; index++) sides[index] = side[this.#blockOf[index]!]!;
    return sides;
  }
}

function blocksOf(core: SearchCore, sites: Int32Array): Int32Array {
  const parts = naturalParts(core, sites);
  if (parts !== undefined) return parts;
  // Sites ascend by node, so those of a router follow one another.
  const { routerOfSite } = core.places;
  let count = 0;
  const blocks = sites.map((site, index) => {
    if (index > 0 && routerOfSite[site] !== routerOfSite[sites[index - 1]!]) count++;
    return count;
  });
  return count > 0 ? blocks : sites.map((_, index) => index);
}

/** Classes of "costs less than the largest cost", where that is an equivalence of few classes. */
function naturalParts({ costs }: SearchCore, sites: Int32Array): Int32Array | undefined {
  let largest = 0;
  for (const site of sites) largest = Math.max(largest, costBetween(costs, sites[0]!, site));
  const part = new Int32Array(sites.length).fill(-1);
  let count = 0;
  for (let from = 0; from < sites.length; from++) {
    if (part[from]! >= 0) continue;
    if (count === mostParts) return undefined;
    for (let to = 0; to < sites.length; to++) {
      const cost = costBetween(costs, sites[from]!, sites[to]!);
      if (cost > largest || (cost < largest && part[to]! >= 0)) return undefined;
      if (cost < largest) part[to] = count;
    }
    part[from] = count++;
  }
  return count > 1 && count < sites.length ? part : undefined;
}
