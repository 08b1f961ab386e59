import { intAt, itemAt, realAt } from '../../numeric/elements.ts';
import type { RandomSource } from '../../model/random.ts';
import type { SearchCore } from '../problem/searchProblem.ts';
import { meanSiteCost, sampleEvenly, totalCost } from './siteHalving.ts';

/** Some sites and the tasks that will be placed on them. */
export interface Domain {
  /** By which {@link DomainTracker} knows it. */
  readonly id: number;
  /** In the order of their nodes. */
  readonly sites: Int32Array;
  readonly tasks: Int32Array;
  /** Places of all sites; at least as many as tasks. */
  readonly room: number;
}

/**
 * What is known of where each task is while tasks and sites are halved together: its domain. The
 * cost between domains is the mean over a sample of their sites, which is exact for small ones.
 */
export class DomainTracker {
  /** Id of the domain of each task. */
  readonly domainOfTask: Int32Array;
  readonly #core: SearchCore;
  readonly #samples: Int32Array[] = [];
  /**
   * By how much each domain is farther from the second of the two compared than from the first, where it was worked
   * out.
   */
  readonly #difference: Float64Array;
  /** The last comparison for which the difference of each domain was worked out. */
  readonly #asked: Int32Array;
  #comparison = 0;
  #first = 0;
  #second = 0;

  constructor(core: SearchCore) {
    this.#core = core;
    this.domainOfTask = new Int32Array(core.graph.taskCount);
    // Halving until every domain has one site makes a tree with a leaf for each.
    this.#difference = new Float64Array(2 * core.places.siteCount);
    this.#asked = new Int32Array(2 * core.places.siteCount);
  }

  /** A new domain without tasks; `sampleSize` of its sites stand for it. */
  open(sites: Int32Array, sampleSize: number, random: RandomSource): Domain {
    const id = this.#samples.length;
    this.#samples.push(sampleEvenly(sites, sampleSize, random));
    const { firstPlace } = this.#core.places;
    let room = 0;
    for (const site of sites) room += intAt(firstPlace, site + 1) - intAt(firstPlace, site);
    return { id, sites, tasks: new Int32Array(0), room };
  }

  /** The domain with these tasks, which are there from now on. */
  enter(domain: Domain, tasks: Int32Array): Domain {
    for (const task of tasks) this.domainOfTask[task] = domain.id;
    return { ...domain, tasks };
  }

  /** The sites that stand for a domain. */
  sampleOf({ id }: Domain): Int32Array {
    return itemAt(this.#samples, id);
  }

  /** Mean cost between the sites of two domains, or within one. */
  between(one: Domain, other: Domain): number {
    return this.#mean(one.id, other.id);
  }

  /** Mean cost from the domain of a task to one site. */
  costOfTask(task: number, site: number): number {
    const sample = itemAt(this.#samples, intAt(this.domainOfTask, task));
    return totalCost(this.#core.costs, site, sample) / sample.length;
  }

  /** From now on {@link difference} compares these two. */
  compare(first: Domain, second: Domain): void {
    this.#comparison++;
    this.#first = first.id;
    this.#second = second.id;
  }

  /** By how much the domain of a task is farther from the second domain than from the first. */
  difference(task: number): number {
    const domain = intAt(this.domainOfTask, task);
    if (this.#asked[domain] !== this.#comparison) {
      this.#asked[domain] = this.#comparison;
      this.#difference[domain] = roundedCost(this.#mean(domain, this.#second) - this.#mean(domain, this.#first));
    }
    return realAt(this.#difference, domain);
  }

  /** Ids of the `count` other domains with most traffic to this one, most first. O(edges of its tasks). */
  busiestPartners({ id, tasks }: Domain, count: number): number[] {
    const { rowStart, partner, weight } = this.#core.graph;
    const traffic = new Map<number, number>();
    for (const task of tasks) {
      for (let edge = intAt(rowStart, task); edge < intAt(rowStart, task + 1); edge++) {
        const domain = intAt(this.domainOfTask, intAt(partner, edge));
        if (domain !== id) traffic.set(domain, (traffic.get(domain) ?? 0) + realAt(weight, edge));
      }
    }
    return [...traffic]
      .sort(([one, bytes], [other, more]) => more - bytes || one - other)
      .slice(0, count)
      .map(([domain]) => domain);
  }

  #mean(one: number, other: number): number {
    return meanSiteCost(this.#core.costs, this.#samples[one]!, this.#samples[other]!);
  }
}

/** Mean costs are rounded to this part of a unit, so that sums of weights times costs are exact. */
export const costScale = 16;
export const roundedCost = (cost: number): number => Math.round(cost * costScale) / costScale;
