import type { SearchCore } from '../problem/searchProblem.ts';
import { costBetween } from '../problem/siteCosts.ts';
import type { Domain, Whereabouts } from './domains.ts';

/**
 * Puts the tasks of a domain on its few sites: greedily, then by exchanges and moves to where there is
 * room, while they help. Tasks that have sites already are only exchanged and moved. `siteOfTask` is
 * −1 for tasks without a site, whose domain is all that is known. O(tasks · (edges · sites + tasks)).
 */
export function settleDomain(
  core: SearchCore,
  whereabouts: Whereabouts,
  { sites, tasks }: Domain,
  siteOfTask: Int32Array,
): void {
  if (sites.length === 1) {
    for (const task of tasks) siteOfTask[task] = sites[0]!;
    return;
  }
  const settlement = new Settlement(core, whereabouts, sites, tasks, siteOfTask);
  if (siteOfTask[tasks[0]!]! < 0) settlement.placeGreedily();
  settlement.exchange();
}

const mostSweeps = 8;

class Settlement {
  readonly #core: SearchCore;
  readonly #sites: Int32Array;
  readonly #tasks: Int32Array;
  readonly #siteOfTask: Int32Array;
  /** Cost of each task at each site to partners outside the domain: row-major, a row per task. */
  readonly #outside: Float64Array;
  /** Traffic of each task with partners outside the domain. */
  readonly #anchors: Float64Array;
  /** Costs between the sites, and traffic between the tasks. */
  readonly #cost: Float64Array;
  readonly #traffic: Float64Array;
  readonly #room: Int32Array;
  /** Index of the site of each task, −1 for none. */
  readonly #at: Int32Array;

  constructor(
    core: SearchCore,
    whereabouts: Whereabouts,
    sites: Int32Array,
    tasks: Int32Array,
    siteOfTask: Int32Array,
  ) {
    this.#core = core;
    this.#sites = sites;
    this.#tasks = tasks;
    this.#siteOfTask = siteOfTask;
    this.#outside = new Float64Array(tasks.length * sites.length);
    this.#anchors = new Float64Array(tasks.length);
    this.#traffic = new Float64Array(tasks.length * tasks.length);
    this.#cost = new Float64Array(sites.length * sites.length);
    for (let one = 0; one < sites.length; one++) {
      for (let other = 0; other < sites.length; other++) {
        this.#cost[one * sites.length + other] = costBetween(core.costs, sites[one]!, sites[other]!);
      }
    }
    const { firstPlace } = core.places;
    this.#room = sites.map((site) => firstPlace[site + 1]! - firstPlace[site]!);
    this.#at = tasks.map((task) => sites.indexOf(siteOfTask[task]!));
    for (const site of this.#at) if (site >= 0) this.#room[site]!--;
    this.#gatherTraffic(whereabouts);
  }

  #gatherTraffic(whereabouts: Whereabouts): void {
    const { graph, costs } = this.#core;
    const sites = this.#sites;
    const tasks = this.#tasks;
    const own = whereabouts.domainOfTask[tasks[0]!]!;
    for (let index = 0; index < tasks.length; index++) {
      const end = graph.rowStart[tasks[index]! + 1]!;
      for (let edge = graph.rowStart[tasks[index]!]!; edge < end; edge++) {
        const partner = graph.partner[edge]!;
        const domain = whereabouts.domainOfTask[partner]!;
        const weight = graph.weight[edge]!;
        if (domain === own) {
          this.#traffic[index * tasks.length + tasks.indexOf(partner)] = weight;
          continue;
        }
        this.#anchors[index]! += weight;
        const site = this.#siteOfTask[partner]!;
        for (let at = 0; at < sites.length; at++) {
          const cost = site >= 0 ? costBetween(costs, site, sites[at]!) : whereabouts.costOfTask(partner, sites[at]!);
          this.#outside[index * sites.length + at]! += weight * cost;
        }
      }
    }
  }

  /** Cost of a task at a site with all its partners where they are. */
  #costAt(task: number, site: number): number {
    const width = this.#tasks.length;
    let cost = this.#outside[task * this.#sites.length + site]!;
    for (let other = 0; other < width; other++) {
      const at = this.#at[other]!;
      if (at >= 0) cost += this.#traffic[task * width + other]! * this.#cost[site * this.#sites.length + at]!;
    }
    return cost;
  }

  /** Always the task with most traffic to those that are placed and to partners outside, where it costs least. */
  placeGreedily(): void {
    const width = this.#tasks.length;
    const anchored = this.#anchors.slice();
    for (let placed = 0; placed < width; placed++) {
      let task = -1;
      for (let other = 0; other < width; other++) {
        if (this.#at[other]! < 0 && (task < 0 || anchored[other]! > anchored[task]!)) task = other;
      }
      this.#put(task, this.#cheapestSite(task));
      for (let other = 0; other < width; other++) anchored[other]! += this.#traffic[task * width + other]!;
    }
  }

  #cheapestSite(task: number): number {
    let best = -1;
    let bestCost = Infinity;
    for (let site = 0; site < this.#sites.length; site++) {
      if (this.#room[site] === 0) continue;
      const cost = this.#costAt(task, site);
      if (cost < bestCost) {
        best = site;
        bestCost = cost;
      }
    }
    return best;
  }

  #put(task: number, site: number): void {
    const left = this.#at[task]!;
    if (left >= 0) this.#room[left]!++;
    this.#room[site]!--;
    this.#at[task] = site;
    this.#siteOfTask[this.#tasks[task]!] = this.#sites[site]!;
  }

  /** Sweeps over all tasks until none helps. */
  exchange(): void {
    for (let sweep = 0; sweep < mostSweeps; sweep++) {
      let improved = false;
      for (let task = 0; task < this.#tasks.length; task++) {
        for (let other = 0; other < task; other++) improved = this.#tryExchange(task, other) || improved;
        for (let site = 0; site < this.#sites.length; site++) improved = this.#tryMove(task, site) || improved;
      }
      if (!improved) return;
    }
  }

  #tryExchange(task: number, other: number): boolean {
    const here = this.#at[task]!;
    const there = this.#at[other]!;
    if (here === there) return false;
    // The traffic between the two would be counted at no cost: it stays as dear as it is.
    const mutual =
      2 * this.#traffic[task * this.#tasks.length + other]! * this.#cost[here * this.#sites.length + there]!;
    const before = this.#costAt(task, here) + this.#costAt(other, there);
    const after = this.#costAt(task, there) + this.#costAt(other, here) + mutual;
    if (after >= before) return false;
    this.#put(task, there);
    this.#put(other, here);
    return true;
  }

  #tryMove(task: number, site: number): boolean {
    const here = this.#at[task]!;
    if (site === here || this.#room[site] === 0 || this.#costAt(task, site) >= this.#costAt(task, here)) return false;
    this.#put(task, site);
    return true;
  }
}
