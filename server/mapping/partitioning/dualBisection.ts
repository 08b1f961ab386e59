import { WorkMeter, type Cancellation } from '../../model/cancellation.ts';
import type { RandomSource } from '../../model/random.ts';
import type { SearchCore } from '../problem/searchProblem.ts';
import type { Domain } from './domains.ts';
import { Whereabouts } from './domains.ts';
import { halve, patienceFor } from './halve.ts';
import { refineHalving } from './refineHalving.ts';
import { settleDomain } from './settleDomain.ts';
import type { CutGuide } from './siteHalving.ts';
import { halveSites } from './siteHalving.ts';
import { taskHalving } from './taskHalving.ts';

/** Tasks of a domain with so few places are settled one by one. */
const settledPlaces = 8;
/** Each leaf is refined with so many others, those it talks to most. */
const refinedPartners = 4;
/** How often they are settled anew once all others have their sites. */
const settlingRounds = 2;
/** Sites that stand for a domain: many while domains are few and large. */
const mostSamples = 64;
const fewestSamples = 8;
const samplesOfLevel = 2048;

/**
 * A place for each task: dual recursive bipartitioning (Pellegrini 1994). The sites are parted into
 * two compact halves by their costs alone, the tasks into two that fit them with little traffic
 * between, and so on with each half. Breadth first, so that every halving knows domains of all
 * partners, each of which pulls to the half that is nearer to its own; once a level is done its
 * halvings are refined with what is known by then. Domains of a few places are settled by greedy
 * placing and exchanges. Where there are more places than tasks, either half takes as many tasks as
 * is cheapest: on tori that costs up to a tenth less than packing the tasks onto sites that lie
 * together beforehand, and on sparsely filled machines half of what spreading them evenly does.
 * Undefined where it was cancelled. O(edges · log² n).
 */
export const partitionOntoPlaces = (
  core: SearchCore,
  random: RandomSource,
  cancellation: Cancellation,
): Int32Array | undefined => partitionOntoSites(core, sitesByNode(core), random, cancellation);

/** The same on places of these sites only, which have room for all tasks and ascend by node. */
export const partitionOntoSites = (
  core: SearchCore,
  sites: Int32Array,
  random: RandomSource,
  cancellation: Cancellation,
): Int32Array | undefined => new DualBisection(core, random, cancellation).run(sites.slice());

const sitesByNode = ({ places: { siteCount, nodeOfSite } }: SearchCore): Int32Array =>
  Int32Array.from({ length: siteCount }, (_, site) => site).sort((a, b) => nodeOfSite[a]! - nodeOfSite[b]!);

type Halves = readonly [Domain, Domain];

class DualBisection {
  readonly #core: SearchCore;
  readonly #random: RandomSource;
  readonly #cancellation: Cancellation;
  readonly #work: WorkMeter;
  readonly #whereabouts: Whereabouts;
  /** Scratch of `taskHalving`. */
  readonly #localOf: Int32Array;

  constructor(core: SearchCore, random: RandomSource, cancellation: Cancellation) {
    this.#core = core;
    this.#random = random;
    this.#cancellation = cancellation;
    this.#work = new WorkMeter(cancellation);
    this.#whereabouts = new Whereabouts(core);
    this.#localOf = new Int32Array(core.graph.taskCount).fill(-1);
  }

  run(sites: Int32Array): Int32Array | undefined {
    const allTasks = Int32Array.from(this.#localOf, (_, task) => task);
    const leaves: Domain[] = [];
    let level = [this.#whereabouts.enter(this.#whereabouts.open(sites, mostSamples, this.#random), allTasks)];
    while (level.length > 0) {
      const split = this.#halveLevel(level.filter((domain) => !isLeaf(domain)));
      const next = split && this.#refineLevel(split);
      if (next === undefined) return undefined;
      leaves.push(...level.filter(isLeaf));
      level = next.flat().filter(({ tasks }) => tasks.length > 0);
    }
    return this.#refineLeaves(leaves) ? this.#settle(leaves) : undefined;
  }

  #halveLevel(level: readonly Domain[]): Halves[] | undefined {
    const sampleSize = Math.max(fewestSamples, Math.min(mostSamples, Math.floor(samplesOfLevel / level.length)));
    const halvings: Halves[] = [];
    let guide: CutGuide | undefined;
    for (const { sites, tasks } of level) {
      if (this.#cancellation.isCancelled()) return undefined;
      const count = halveSites(this.#core, sites, this.#random, this.#cancellation, guide);
      if (count === undefined) return undefined;
      const first = this.#whereabouts.open(sites.subarray(0, count), sampleSize, this.#random);
      const second = this.#whereabouts.open(sites.subarray(count), sampleSize, this.#random);
      guide = [this.#whereabouts.sampleOf(first), this.#whereabouts.sampleOf(second)];
      const halving = this.#halving(tasks, first, second);
      const side = halving && halve(halving, this.#random, this.#cancellation);
      if (side === undefined) return undefined;
      halvings.push(this.#entered(tasks, side, first, second));
    }
    return halvings;
  }

  /** Halves that were made early knew less of the others than is known now. */
  #refineLevel(halvings: readonly Halves[]): Halves[] | undefined {
    const refined: Halves[] = [];
    for (const [first, second] of halvings) {
      if (this.#cancellation.isCancelled()) return undefined;
      const both = this.#refined(first, second);
      if (both === undefined) return undefined;
      refined.push(both);
    }
    return refined;
  }

  /** Exchanges tasks of leaves that talk most but were parted early on, in place; false where it was cancelled. */
  #refineLeaves(leaves: Domain[]): boolean {
    const leafOf = new Map(leaves.map(({ id }, index) => [id, index]));
    for (let one = 0; one < leaves.length; one++) {
      if (this.#cancellation.isCancelled()) return false;
      const partners = this.#whereabouts.busiestPartners(leaves[one]!, refinedPartners);
      for (const other of partners.map((id) => leafOf.get(id)!)) {
        const both = this.#refined(leaves[one]!, leaves[other]!);
        if (both === undefined) return false;
        [leaves[one], leaves[other]] = both;
      }
    }
    return true;
  }

  /** Two domains after the exchanges and moves between them that help; undefined where it was cancelled. */
  #refined(first: Domain, second: Domain): Halves | undefined {
    const tasks = new Int32Array(first.tasks.length + second.tasks.length);
    tasks.set(first.tasks);
    tasks.set(second.tasks, first.tasks.length);
    const side = new Uint8Array(tasks.length).fill(1, first.tasks.length);
    const halving = this.#halving(tasks, first, second);
    if (halving === undefined) return undefined;
    refineHalving(halving, side, patienceFor(tasks.length), this.#cancellation);
    return this.#entered(tasks, side, first, second);
  }

  #halving(tasks: Int32Array, first: Domain, second: Domain) {
    return taskHalving(this.#core.graph, this.#whereabouts, tasks, first, second, this.#localOf, this.#work);
  }

  #entered(tasks: Int32Array, side: Uint8Array, first: Domain, second: Domain): Halves {
    return [
      this.#whereabouts.enter(
        first,
        tasks.filter((_, index) => side[index] === 0),
      ),
      this.#whereabouts.enter(
        second,
        tasks.filter((_, index) => side[index] === 1),
      ),
    ];
  }

  /** A place for every task of every leaf; undefined where it was cancelled. */
  #settle(leaves: readonly Domain[]): Int32Array | undefined {
    const siteOfTask = new Int32Array(this.#localOf.length).fill(-1);
    for (let round = 0; round <= settlingRounds; round++) {
      for (const leaf of leaves) {
        if (this.#cancellation.isCancelled()) return undefined;
        settleDomain(this.#core, this.#whereabouts, leaf, siteOfTask);
      }
    }
    return placesOn(this.#core, siteOfTask);
  }
}

const isLeaf = ({ sites, room }: Domain): boolean => sites.length === 1 || room <= settledPlaces;

/** To the tasks of each site its places, both in ascending order. O(tasks + sites). */
export function placesOn({ places }: SearchCore, siteOfTask: Int32Array): Int32Array {
  const next = places.firstPlace.slice();
  return siteOfTask.map((site) => next[site]!++);
}
