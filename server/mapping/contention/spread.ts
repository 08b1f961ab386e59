import { intAt, realAt } from '../../numeric/elements.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import type { Job } from '../../model/job.ts';
import type { Mapping } from '../../model/placement.ts';
import type { JobMessages } from '../../queueing/messages.ts';
import type { FreeCores } from './slotOccupancy.ts';
import type { Traffic } from '../../model/traffic.ts';
import { IndexedHeap } from '../../numeric/heap.ts';
import { transposed } from '../../optimisation/problem/taskGraph.ts';

/**
 * Maps the tasks of one job, highest demand first, each followed by its partners, highest demand
 * first, onto its node as far as it and `limit` allow and then onto the next (Soryani et al. 2013,
 * section 4.1 and figure 8). The free cores must hold the job at that limit. Undefined if cancelled.
 *
 * The paper does not say which node comes first and which is next. Here a task goes to the node
 * that it exchanges most with, whoever of the two sends: so a chain of tasks goes on where it has begun. If those are full, on with
 * the node last filled; and if none of its partners has a place yet, to the node with most idle cores. Partners that find their node full
 * go together to the node with most idle cores. O(pairs · log degree + tasks · (sockets + log nodes)).
 */
export function spreadTasks(
  job: Job,
  messages: JobMessages,
  cores: FreeCores,
  limit: number,
  cancellation: Cancellation,
): Mapping | undefined {
  const spreading: Spreading = {
    job,
    messages,
    senders: transposed({ ...job.traffic, bytes: messages.pairDemand }, cancellation),
    cores,
    limit,
    mostIdle: new MostIdleNode(cores.siteCount, (site) =>
      capacityAt(cores, limit, site) > 0 ? intAt(cores.idle, site) : 0,
    ),
    mapping: new Int32Array(job.taskCount).fill(-1),
    siteOfTask: new Int32Array(job.taskCount).fill(-1),
    pull: new Float64Array(cores.siteCount),
    cancellation,
    polls: 0,
  };
  let site = -1;
  for (const task of byDemand(messages.demand)) {
    if (spreading.mapping[task] !== -1) continue;
    if (isCancelled(spreading)) return undefined;
    site = siteFor(spreading, task, site);
    put(spreading, task, site);
    const last = putPartners(spreading, task, site);
    if (last === undefined) return undefined;
    site = last;
  }
  return spreading.mapping;
}

/** Tasks put between two polls of the cancellation. */
const tasksPerPoll = 256;

/** One job on its way onto the nodes. */
interface Spreading {
  readonly job: Job;
  readonly messages: JobMessages;
  /** Who sends to each task, and with which demand. */
  readonly senders: Traffic;
  readonly cores: FreeCores;
  /** Most tasks of the job on a node. */
  readonly limit: number;
  readonly mostIdle: MostIdleNode;
  /** Slot and site of each task, −1 where it has none yet. */
  readonly mapping: Mapping;
  readonly siteOfTask: Int32Array;
  /** Demand towards each site of the task at hand; zero in between. */
  readonly pull: Float64Array;
  readonly cancellation: Cancellation;
  polls: number;
}

/** Tasks that a node can still take of the job. */
const capacityAt = ({ idle, used }: FreeCores, limit: number, site: number): number =>
  Math.min(intAt(idle, site), limit - intAt(used, site));

/** Highest first, equal ones in the order of their ids. O(n log n), O(n) where they are in order. */
function byDemand(demand: Float64Array): Int32Array {
  const tasks = Int32Array.from(demand, (_, task) => task);
  const inOrder = demand.every((value, task) => task === 0 || value <= realAt(demand, task - 1));
  return inOrder ? tasks : tasks.sort((a, b) => realAt(demand, b) - realAt(demand, a) || a - b);
}

function isCancelled(spreading: Spreading): boolean {
  return spreading.polls++ % tasksPerPoll === 0 && spreading.cancellation.isCancelled();
}

function put({ cores, mapping, siteOfTask }: Spreading, task: number, site: number): void {
  mapping[task] = cores.put(site);
  siteOfTask[task] = site;
}

/** Puts the partners of a task that have no place yet, from `site` on. The node last used; undefined if cancelled. */
function putPartners(spreading: Spreading, task: number, site: number): number | undefined {
  const { job, messages, cores, limit, mostIdle, mapping } = spreading;
  const { rowStart, partner } = job.traffic;
  const { pairDemand, demand } = messages;
  const pairs: number[] = [];
  for (let pair = intAt(rowStart, task); pair < intAt(rowStart, task + 1); pair++) {
    if (mapping[intAt(partner, pair)] === -1) pairs.push(pair);
  }
  pairs.sort(
    (a, b) =>
      realAt(pairDemand, b) - realAt(pairDemand, a) ||
      realAt(demand, intAt(partner, b)) - realAt(demand, intAt(partner, a)) ||
      a - b,
  );
  let current = site;
  for (const pair of pairs) {
    if (isCancelled(spreading)) return undefined;
    if (capacityAt(cores, limit, current) <= 0) current = mostIdle.find()!;
    put(spreading, intAt(partner, pair), current);
  }
  return current;
}

/** The node for a task whose turn it is; `last` is the node that was used last, −1 at the start. */
function siteFor(spreading: Spreading, task: number, last: number): number {
  const { job, messages, senders, cores, limit, mostIdle, pull } = spreading;
  const sites: number[] = [];
  addPull(spreading, { ...job.traffic, bytes: messages.pairDemand }, task, sites);
  addPull(spreading, senders, task, sites);
  let chosen = -1;
  for (const site of sites) {
    if (capacityAt(cores, limit, site) > 0 && (chosen === -1 || realAt(pull, site) > realAt(pull, chosen)))
      chosen = site;
  }
  for (const site of sites) pull[site] = 0;
  if (chosen !== -1) return chosen;
  return sites.length > 0 && capacityAt(cores, limit, last) > 0 ? last : mostIdle.find()!;
}

/** Adds the demand of a task's row to the sites of its partners, which are added to `sites`. */
function addPull(
  { siteOfTask, pull }: Spreading,
  { rowStart, partner, bytes }: Traffic,
  task: number,
  sites: number[],
): void {
  for (let pair = intAt(rowStart, task); pair < intAt(rowStart, task + 1); pair++) {
    const site = intAt(siteOfTask, intAt(partner, pair));
    if (site === -1) continue;
    if (pull[site] === 0) sites.push(site);
    pull[site] = realAt(pull, site) + realAt(bytes, pair);
  }
}

/**
 * The site with most idle cores of those that may take a task, the earliest of equal ones, while cores are taken but never given
 * back. What counts are all its idle cores, not those that a limit leaves to the job: else a job would join others on their nodes while
 * some are empty. Sites are brought up to date when they come to the top of the heap: one that is out of date
 * promises too much, so the top is right once it is not.
 */
class MostIdleNode {
  readonly #idleOf: (site: number) => number;
  /** What each site promised when it was last looked at. */
  readonly #promised: Float64Array;
  readonly #heap: IndexedHeap;

  /** `idleOf` says how many cores of a site are idle, 0 where it may take no task. O(sites). */
  constructor(siteCount: number, idleOf: (site: number) => number) {
    this.#idleOf = idleOf;
    this.#promised = Float64Array.from({ length: siteCount }, (_, site) => idleOf(site));
    this.#heap = new IndexedHeap(this.#promised);
    for (let site = 0; site < siteCount; site++) this.#heap.append(site);
    this.#heap.order();
  }

  /** Undefined where no site has room. O(log sites), amortised over what was taken. */
  find(): number | undefined {
    while (this.#heap.count > 0) {
      const site = this.#heap.top;
      const idle = this.#idleOf(site);
      if (idle > 0 && idle === this.#promised[site]) return site;
      this.#promised[site] = idle;
      if (idle > 0) this.#heap.update(site);
      else this.#heap.remove(site);
    }
    return undefined;
  }
}
