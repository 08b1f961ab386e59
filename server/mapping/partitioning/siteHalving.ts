import type { Cancellation } from '../../model/cancellation.ts';
import type { RandomSource } from '../../model/random.ts';
import type { SearchCore } from '../problem/searchProblem.ts';
import { costBetween } from '../problem/siteCosts.ts';
import { SiteBlocks } from './siteBlocks.ts';
import { leaningsTo, sampleEvenly } from './siteSample.ts';

/** Sites that stand for all when halves are improved and compared; and when the best are finished. */
const sampleSize = 64;
const finishingSize = 512;
/** Pairs of sites far from and next to each other that halves are begun from. */
const farPairs = 1;
const nearPairs = 3;
const nearPairsBesideGuide = 1;
/** Halves that are improved, and how often. */
const improvedStarts = 2;
const improvements = 4;
/** Cutting along a guide may be worse by this part. */
const guideTolerance = 0.05;

/** The halves into which a domain near by was cut: cuts alike keep neighbours of both domains together. */
export type CutGuide = readonly [Int32Array, Int32Array];

/**
 * Parts `sites` into two compact halves of about as many places, in place: the first half comes first,
 * either in the order in which it was; how many sites it has is returned. Uses costs alone. Halves are
 * begun from the order given, which should be that of the nodes, and from pairs of sites: a far pair
 * parts what is long, a near pair cuts a torus or a hypercube straight through (Djoković 1973). The
 * best are improved as in k-means: every site goes where it is nearer on average. Those are kept that
 * are farthest apart for how wide they are, or the ones along the guide where those are hardly worse.
 * Blocks (`siteBlocks`) are not parted. Needs at least two sites. Undefined where it was cancelled.
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
  /** And when they are compared: a small sample flatters halves that were fitted to it. */
  readonly #judges: Int32Array;

  constructor(core: SearchCore, sites: Int32Array, random: RandomSource, cancellation: Cancellation) {
    this.#core = core;
    this.#cancellation = cancellation;
    this.#sites = sites;
    this.#blocks = new SiteBlocks(core, sites);
    this.#sample = this.#draw(sampleSize, random);
    this.#judges = this.#draw(sampleSize, random);
  }

  best(random: RandomSource, guide: CutGuide | undefined): Uint8Array {
    const starts = this.#starts(random, guide ? nearPairsBesideGuide : nearPairs).sort((a, b) => b.spread - a.spread);
    let best = starts[0]!;
    const guided = guide && this.#cutBy(leaningsTo(this.#core.costs, this.#sites, guide[0], guide[1]));
    if (guided !== undefined && guided.spread >= (1 - guideTolerance) * best.spread) best = guided;
    else {
      for (const start of starts.slice(0, improvedStarts)) {
        const improved = this.#improved(start, this.#sample, improvements);
        if (improved.spread > best.spread) best = improved;
      }
    }
    return this.#finished(best, random).side;
  }

  /** A small sample flatters halves that were fitted to it: a larger one straightens them. */
  #finished(cut: Cut, random: RandomSource): Cut {
    return this.#sites.length <= sampleSize ? cut : this.#improved(cut, this.#draw(finishingSize, random), 1);
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
    for (let pair = 0; pair < farPairs && !this.#cancellation.isCancelled(); pair++) {
      const from = this.#extreme(random.integer(this.#sites.length), 1);
      starts.push(this.#cutBy(this.#pairKeys(from, this.#extreme(from, 1))));
    }
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
      const cost = direction * costBetween(costs, this.#sites[from]!, this.#sites[index]!);
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
      if (next.spread <= cut.spread * (1 - guideTolerance)) break;
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
      // A half that the sample has missed is stood for by its first site.
      return (members.length > 0 ? members : Int32Array.of(side.indexOf(which))).map((index) => this.#sites[index]!);
    };
    return leaningsTo(this.#core.costs, this.#sites, half(0), half(1));
  }
}
