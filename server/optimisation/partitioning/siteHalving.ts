import { intAt, itemAt } from '../../numeric/elements.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import type { RandomSource } from '../../model/random.ts';
import type { SearchCore } from '../problem/searchProblem.ts';
import { costBetween, type SiteCosts } from '../problem/siteCosts.ts';
import { partitioningParameters } from './parameters.ts';

/** The halves into which a domain near by was cut: cuts alike keep neighbours of both domains together. */
export type CutGuide = readonly [Int32Array, Int32Array];

/**
 * Parts `sites` into two compact halves of about as many places, in place: the first half comes first,
 * either in the order in which it was; how many sites it has is returned. Uses costs alone. Halves are
 * begun from the order given, which should be that of the nodes, and from pairs of sites: a far pair
 * parts what is long, a near pair cuts a torus or a hypercube straight through (Djoković 1973). The
 * best are improved as in k-means: every site goes where it is nearer on average. Those are kept that
 * are farthest apart for how wide they are, or the ones along the guide where those are hardly worse.
 * Blocks (`siteBlocks`) are not parted. Needs at least two sites. Undefined if cancelled.
 * O(sites · log).
 */
export function halveSites(
  core: SearchCore,
  sites: Int32Array,
  random: RandomSource,
  cancellation: Cancellation,
  guide?: CutGuide,
): number | undefined {
  if (sites.length === 2) return 1;
  const side = new SiteHalving(core, sites, random, cancellation).best(random, guide);
  if (cancellation.isCancelled()) return undefined;
  const first = sites.filter((_, index) => side[index] === 0);
  const second = sites.filter((_, index) => side[index] === 1);
  sites.set(first);
  sites.set(second, first.length);
  return first.length;
}

/** A half for each site, and how far apart they are. */
interface Cut {
  readonly side: Uint8Array;
  readonly spread: number;
}

class SiteHalving {
  readonly #core: SearchCore;
  readonly #sites: Int32Array;
  readonly #blocks: SiteBlocks;
  /** Halves are as good as they are when it says so. */
  readonly #cancellation: Cancellation;
  /** Indices of sites that stand for all when halves are improved. */
  readonly #sample: Int32Array;
  /** The same for comparing halves: on the sample that they were fitted to, they look better than they are. */
  readonly #judges: Int32Array;

  constructor(core: SearchCore, sites: Int32Array, random: RandomSource, cancellation: Cancellation) {
    this.#core = core;
    this.#cancellation = cancellation;
    this.#sites = sites;
    this.#blocks = new SiteBlocks(core, sites);
    this.#sample = this.#draw(partitioningParameters.sampledSites, random);
    this.#judges = this.#draw(partitioningParameters.sampledSites, random);
  }

  best(random: RandomSource, guide: CutGuide | undefined): Uint8Array {
    const starts = this.#starts(random, guide ? 1 : partitioningParameters.nearPairs).sort(
      (a, b) => b.spread - a.spread,
    );
    let best = itemAt(starts, 0);
    const guided = guide && this.#cutBy(leaningsTo(this.#core.costs, this.#sites, guide[0], guide[1]));
    if (guided !== undefined && guided.spread >= (1 - partitioningParameters.guideTolerance) * best.spread)
      best = guided;
    else {
      for (const start of starts.slice(0, partitioningParameters.improvedStarts)) {
        const improved = this.#improved(start, this.#sample, partitioningParameters.improvements);
        if (improved.spread > best.spread) best = improved;
      }
    }
    return this.#finished(best, random).side;
  }

  /** Halves fitted to a small sample are improved once more with a larger one. */
  #finished(cut: Cut, random: RandomSource): Cut {
    return this.#sites.length <= partitioningParameters.sampledSites
      ? cut
      : this.#improved(cut, this.#draw(partitioningParameters.sampledSitesAtEnd, random), 1);
  }

  #draw(count: number, random: RandomSource): Int32Array {
    return sampleEvenly(
      this.#sites.map((_, index) => index),
      count,
      random,
    );
  }

  #starts(random: RandomSource, pairsNear: number): Cut[] {
    const starts = [this.#cutBy(Float64Array.from(this.#sites, (_, index) => index))];
    const end = this.#extreme(random.integer(this.#sites.length), 1);
    starts.push(this.#cutBy(this.#pairKeys(end, this.#extreme(end, 1))));
    for (let pair = 0; pair < pairsNear && !this.#cancellation.isCancelled(); pair++) {
      const from = random.integer(this.#sites.length);
      const keys = this.#pairKeys(from, this.#extreme(from, -1));
      // Which of the two is nearer parts the sites anywhere; how near they are to either part orders them.
      const parts = Uint8Array.from(keys, (key) => (key < 0 ? 0 : 1));
      starts.push(this.#cutBy(this.#leanings(parts, this.#sample)));
    }
    return starts;
  }

  /** By how much each site is nearer to the one with index `from` than to `to`: negative near `from`. */
  #pairKeys(from: number, to: number): Float64Array {
    const sites = this.#sites;
    return leaningsTo(this.#core.costs, sites, sites.subarray(from, from + 1), sites.subarray(to, to + 1));
  }

  /** The site farthest from another (direction 1) or next to it (−1); the last of equal ones. */
  #extreme(from: number, direction: 1 | -1): number {
    const { costs } = this.#core;
    let extreme = from === 0 ? 1 : 0;
    let extremeCost = -Infinity;
    for (let index = 0; index < this.#sites.length; index++) {
      if (index === from) continue;
      const cost = direction * costBetween(costs, intAt(this.#sites, from), intAt(this.#sites, index));
      if (cost >= extremeCost) {
        extreme = index;
        extremeCost = cost;
      }
    }
    return extreme;
  }

  #improved(start: Cut, sample: Int32Array, rounds: number): Cut {
    let cut = start;
    for (let round = 0; round < rounds && !this.#cancellation.isCancelled(); round++) {
      const next = this.#cutBy(this.#leanings(cut.side, sample));
      if (next.spread <= cut.spread * (1 - partitioningParameters.guideTolerance)) break;
      cut = next;
    }
    return cut;
  }

  #cutBy(keys: Float64Array): Cut {
    const side = this.#blocks.cutBy(keys);
    const leanings = this.#leanings(side, this.#judges);
    let spread = 0;
    for (let index = 0; index < side.length; index++)
      spread += side[index] === 0 ? -leanings[index]! : leanings[index]!;
    return { side, spread };
  }

  /** By how much each site is farther from the first half than from the second, on average over a sample. */
  #leanings(side: Uint8Array, sample: Int32Array): Float64Array {
    const half = (which: number): Int32Array => {
      const members = sample.filter((index) => side[index] === which);
      // A half that the sample has missed is stood for by its first site, and one without sites by the first of all.
      return (members.length > 0 ? members : Int32Array.of(Math.max(0, side.indexOf(which)))).map(
        (index) => this.#sites[index]!,
      );
    };
    return leaningsTo(this.#core.costs, this.#sites, half(0), half(1));
  }
}

/** Costs are rounded to this part of a unit when blocks are ordered. */
const keyScale = 64;

/**
 * Sites in blocks that should not be parted. On a tree of switches these are its subtrees: where
 * "costs less than the largest cost" is an equivalence of a few classes, those. Else sites of one
 * router stay together; and where there is only one router, or one site on each, every site is a
 * block.
 */
class SiteBlocks {
  /** Block of each site, numbered in order of appearance. */
  readonly #blockOf: Int32Array;
  /** Sites and places of each block. */
  readonly #size: Int32Array;
  readonly #room: Int32Array;
  readonly #allRoom: number;

  /** O(sites · natural parts). */
  constructor(core: SearchCore, sites: Int32Array) {
    this.#blockOf = siteBlocks(core, sites);
    const count = 1 + this.#blockOf.reduce((most, block) => Math.max(most, block), 0);
    this.#size = new Int32Array(count);
    this.#room = new Int32Array(count);
    const { firstPlace } = core.places;
    let allRoom = 0;
    for (let index = 0; index < sites.length; index++) {
      const room = intAt(firstPlace, intAt(sites, index) + 1) - intAt(firstPlace, intAt(sites, index));
      this.#size[intAt(this.#blockOf, index)]!++;
      this.#room[intAt(this.#blockOf, index)]! += room;
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

function siteBlocks(core: SearchCore, sites: Int32Array): Int32Array {
  const parts = naturalParts(core, sites);
  if (parts !== undefined) return parts;
  // Sites ascend by node, so those of a router follow one another.
  const { routerOfSite } = core.places;
  let count = 0;
  const blocks = sites.map((site, index) => {
    if (index > 0 && routerOfSite[site] !== routerOfSite[intAt(sites, index - 1)]) count++;
    return count;
  });
  return count > 0 ? blocks : sites.map((_, index) => index);
}

/** Classes of "costs less than the largest cost", where that is an equivalence of few classes. */
function naturalParts({ costs }: SearchCore, sites: Int32Array): Int32Array | undefined {
  let largest = 0;
  for (const site of sites) largest = Math.max(largest, costBetween(costs, intAt(sites, 0), site));
  const part = new Int32Array(sites.length).fill(-1);
  let count = 0;
  for (let from = 0; from < sites.length; from++) {
    if (intAt(part, from) >= 0) continue;
    if (count === partitioningParameters.mostNaturalParts) return undefined;
    for (let to = 0; to < sites.length; to++) {
      const cost = costBetween(costs, intAt(sites, from), intAt(sites, to));
      if (cost > largest || (cost < largest && intAt(part, to) >= 0)) return undefined;
      if (cost < largest) part[to] = count;
    }
    part[from] = count++;
  }
  return count > 1 && count < sites.length ? part : undefined;
}

/** At most `count` of `values`, one drawn from each of as many equal stretches; all where there are no more. */
export function sampleEvenly(values: Int32Array, count: number, random: RandomSource): Int32Array {
  if (values.length <= count) return values.slice();
  const sample = new Int32Array(count);
  for (let index = 0; index < count; index++) {
    sample[index] = intAt(values, Math.floor(((index + random.fraction()) * values.length) / count));
  }
  return sample;
}

/** Mean cost over all pairs of a site of one sample and one of the other. O(product of their lengths). */
export function meanSiteCost(costs: SiteCosts, one: Int32Array, other: Int32Array): number {
  let sum = 0;
  for (let index = 0; index < one.length; index++) sum += totalCost(costs, one[index]!, other);
  return sum / (one.length * other.length);
}

/** Sum of the costs from one site to all of a sample. A table of offsets is small enough for the cache. */
export function totalCost(costs: SiteCosts, from: number, sample: Int32Array): number {
  let sum = 0;
  if (costs.offsets !== undefined) {
    const { table, positionOfSite, centre } = costs.offsets;
    const row = centre + positionOfSite[from]!;
    for (let index = 0; index < sample.length; index++) sum += table[row - positionOfSite[sample[index]!]!]!;
  } else if (costs.kind === 'table') {
    const { table, siteCount } = costs;
    const row = from * siteCount;
    for (let index = 0; index < sample.length; index++) sum += table[row + sample[index]!]!;
  } else {
    for (let index = 0; index < sample.length; index++) sum += costBetween(costs, from, sample[index]!);
  }
  return sum;
}

/** By how much each of `sites` is farther from `one` than from `other`, on average. */
function leaningsTo(costs: SiteCosts, sites: Int32Array, one: Int32Array, other: Int32Array): Float64Array {
  const leanings = new Float64Array(sites.length);
  for (let index = 0; index < sites.length; index++) {
    const site = sites[index]!;
    leanings[index] = totalCost(costs, site, one) / one.length - totalCost(costs, site, other) / other.length;
  }
  return leanings;
}
