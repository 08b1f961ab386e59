import { intAt } from '../../numeric/elements.ts';
import { type Cancellation, WorkMeter } from '../../model/cancellation.ts';
import type { TaskGraph } from '../problem/taskGraph.ts';
import type { Places } from '../problem/places.ts';
import type { Exchangeable } from '../objective.ts';

/**
 * The exchanges that a descent tries, task by task. What exchanges have changed meanwhile is taken into account:
 * `next` always speaks of where tasks are now.
 */
export interface Neighbourhood {
  /** From now on `next` answers for this task. */
  begin(task: number): void;
  /** The next place that the task may be exchanged with, −1 where all have been tried. */
  next(): number;
  /** Edge visits so far that it took to find them, the evaluations left out. */
  readonly work: number;
}

interface DescentOptions {
  /**
   * Either the first exchange that helps is made at once, and sweeps over all tasks follow one another until one makes
   * none; or each sweep makes the best of all exchanges, of equal ones the first.
   */
  readonly policy: 'first' | 'best';
  /** Ends the descent with what it has. */
  readonly stop: Cancellation;
  /** Edge visits after which no further task is tried. */
  readonly mostWork?: number;
  /** Called once a task has been tried. */
  readonly tried?: (task: number, descent: DescentRecord) => void;
}

/** What a descent has done so far. */
export interface DescentRecord {
  exchanges: number;
  sweeps: number;
  evaluations: number;
  /** No exchange of the neighbourhood helps any more. */
  isComplete: boolean;
}

/**
 * Local search by exchanges: makes exchanges of the neighbourhood that lower the value of the objective until none
 * does. Deterministic: the order of evaluation is that of the tasks and of the neighbourhood. Evaluations times
 * O(degree) for additive criteria.
 */
export function descendNeighbourhood(
  objective: Exchangeable,
  neighbourhood: Neighbourhood,
  options: DescentOptions,
): DescentRecord {
  const descent = { exchanges: 0, sweeps: 0, evaluations: 0, isComplete: false };
  const sweep = options.policy === 'first' ? sweepForFirst : sweepForBest;
  const spent: Spending = { meter: new WorkMeter(options.stop), left: options.mostWork ?? Infinity };
  while (!options.stop.isCancelled()) {
    const { exchanges } = descent;
    descent.sweeps++;
    if (!sweep(objective, neighbourhood, options, descent, spent)) break;
    if (descent.exchanges > exchanges) continue;
    descent.isComplete = spent.left > 0;
    break;
  }
  return descent;
}

interface Spending {
  readonly meter: WorkMeter;
  /** Edge visits that may still be made. */
  left: number;
}

/** Whether the descent must end here. */
function mustStop(spent: Spending, work: number): boolean {
  spent.left -= work;
  return spent.meter.isCancelledAfter(work);
}

/** False if it was stopped on the way. */
function sweepForFirst(
  objective: Exchangeable,
  neighbourhood: Neighbourhood,
  { tried }: DescentOptions,
  descent: DescentRecord,
  spent: Spending,
): boolean {
  const { placeOfTask, taskAtPlace } = objective;
  for (let task = 0; task < placeOfTask.length && spent.left > 0; task++) {
    const ownWork = objective.workOf(task);
    const found = neighbourhood.work;
    neighbourhood.begin(task);
    for (let place = neighbourhood.next(); place >= 0; place = neighbourhood.next()) {
      const own = placeOfTask[task]!;
      const other = taskAtPlace[place]!;
      const work = ownWork + (other < 0 ? 0 : objective.workOf(other));
      descent.evaluations++;
      if (objective.exchangeDelta(own, place) < 0) {
        objective.exchange(own, place);
        descent.exchanges++;
      }
      if (mustStop(spent, work)) return false;
    }
    tried?.(task, descent);
    if (mustStop(spent, neighbourhood.work - found)) return false;
  }
  return true;
}

/** False if it was stopped on the way: then the best that was found until then is made. */
function sweepForBest(
  objective: Exchangeable,
  neighbourhood: Neighbourhood,
  { tried }: DescentOptions,
  descent: DescentRecord,
  spent: Spending,
): boolean {
  const { placeOfTask, taskAtPlace } = objective;
  let [bestPlace, bestOther, least] = [-1, -1, 0];
  let stopped = false;
  for (let task = 0; task < placeOfTask.length && !stopped && spent.left > 0; task++) {
    const own = intAt(placeOfTask, task);
    const ownWork = objective.workOf(task);
    const found = neighbourhood.work;
    neighbourhood.begin(task);
    for (let place = neighbourhood.next(); place >= 0 && !stopped; place = neighbourhood.next()) {
      const other = intAt(taskAtPlace, place);
      descent.evaluations++;
      const delta = objective.exchangeDelta(own, place);
      if (delta < least) [bestPlace, bestOther, least] = [own, place, delta];
      stopped = mustStop(spent, ownWork + (other < 0 ? 0 : objective.workOf(other)));
    }
    tried?.(task, descent);
    stopped ||= mustStop(spent, neighbourhood.work - found);
  }
  if (bestPlace >= 0) {
    objective.exchange(bestPlace, bestOther);
    descent.exchanges++;
  }
  return !stopped;
}

/**
 * Every exchange of two tasks, once: of each task with all later ones. A pair is left out while neither task has
 * changed since it was tried, and where `mayHelp` rules it out.
 */
export class TaskPairs implements Neighbourhood {
  work = 0;
  readonly #objective: Exchangeable;
  readonly #mayHelp: ((task: number, other: number) => boolean) | undefined;
  /** When each task was last tried with all later ones. */
  readonly #triedAt: Int32Array;
  #task = 0;
  #other = 0;
  #since = -1;

  constructor(objective: Exchangeable, mayHelp?: (task: number, other: number) => boolean) {
    this.#objective = objective;
    this.#mayHelp = mayHelp;
    this.#triedAt = new Int32Array(objective.placeOfTask.length).fill(-1);
  }

  begin(task: number): void {
    this.#task = task;
    this.#other = task + 1;
    this.#since = intAt(this.#triedAt, task);
    this.#triedAt[task] = this.#objective.changes?.now ?? 0;
    this.work += this.#triedAt.length - task;
  }

  next(): number {
    const { placeOfTask, changes } = this.#objective;
    const task = this.#task;
    const mayHelp = this.#mayHelp;
    const changed = changes?.ofTask;
    const since = changed === undefined || changed[task]! > this.#since ? -1 : this.#since;
    for (let other = this.#other; other < placeOfTask.length; other++) {
      if (changed !== undefined && changed[other]! <= since) continue;
      if (mayHelp !== undefined && !mayHelp(task, other)) continue;
      this.#other = other + 1;
      return placeOfTask[other]!;
    }
    this.#other = placeOfTask.length;
    return -1;
  }
}

/** Where tasks are, with the places of each site. */
type Located = Exchangeable & { readonly places: Pick<Places, 'siteCount' | 'firstPlace'> };

/**
 * Every exchange of two tasks, and every move to a free place: of each task with all later ones, or all earlier ones,
 * and then with the first free place of each site, for the others of a site are worth the same.
 */
export class PairsAndMoves implements Neighbourhood {
  readonly work = 0;
  readonly #objective: Located;
  readonly #partners: 'earlier' | 'later';
  #other = 0;
  #end = 0;
  #site = 0;

  constructor(objective: Located, partners: 'earlier' | 'later') {
    this.#objective = objective;
    this.#partners = partners;
  }

  begin(task: number): void {
    const isLater = this.#partners === 'later';
    this.#other = isLater ? task + 1 : 0;
    this.#end = isLater ? this.#objective.placeOfTask.length : task;
    this.#site = 0;
  }

  next(): number {
    const objective = this.#objective;
    if (this.#other < this.#end) return objective.placeOfTask[this.#other++]!;
    while (this.#site < objective.places.siteCount) {
      const place = firstFreePlace(objective, this.#site++);
      if (place >= 0) return place;
    }
    return -1;
  }
}

/** The first free place of a site, or −1. O(places of the site). */
export function firstFreePlace({ places, taskAtPlace }: Located, site: number): number {
  const end = intAt(places.firstPlace, site + 1);
  for (let place = intAt(places.firstPlace, site); place < end; place++)
    if (intAt(taskAtPlace, place) < 0) return place;
  return -1;
}

/**
 * Exchanges with partners of partners, which is how a task comes next to a partner. A pair is left out while neither
 * task has changed since one of the two was tried with all of its own, and where `mayExchange` forbids it.
 */
export class PartnersOfPartners implements Neighbourhood {
  work = 0;
  readonly #objective: Exchangeable;
  readonly #graph: TaskGraph;
  readonly #mayExchange: (task: number, other: number) => boolean;
  readonly #triedAt: Int32Array;
  /** The visit in which each task was last met. */
  readonly #met: Int32Array;
  #visit = 0;
  #task = 0;
  #since = -1;
  /** Entries of the graph: of the partner at hand in the row of the task, and of its partner in its own row. */
  #edge = 0;
  #onward = 0;

  constructor(objective: Exchangeable, graph: TaskGraph, mayExchange: (task: number, other: number) => boolean) {
    this.#objective = objective;
    this.#graph = graph;
    this.#mayExchange = mayExchange;
    this.#triedAt = new Int32Array(graph.taskCount).fill(-1);
    this.#met = new Int32Array(graph.taskCount);
  }

  begin(task: number): void {
    const { rowStart, partner } = this.#graph;
    this.#task = task;
    this.#since = intAt(this.#triedAt, task);
    this.#triedAt[task] = this.#objective.changes?.now ?? 0;
    this.#met[task] = ++this.#visit;
    this.#edge = intAt(rowStart, task);
    if (this.#edge < intAt(rowStart, task + 1)) this.#onward = intAt(rowStart, intAt(partner, this.#edge));
  }

  next(): number {
    const { rowStart, partner } = this.#graph;
    const met = this.#met;
    for (const end = rowStart[this.#task + 1]!; this.#edge < end;) {
      const between = partner[this.#edge]!;
      const betweenEnd = rowStart[between + 1]!;
      while (this.#onward < betweenEnd) {
        const other = partner[this.#onward++]!;
        if (met[other] === this.#visit) continue;
        met[other] = this.#visit;
        if (this.#mayGain(other)) return this.#objective.placeOfTask[other]!;
      }
      this.work += 1 + betweenEnd - rowStart[between]!;
      this.#edge++;
      if (this.#edge < end) this.#onward = rowStart[partner[this.#edge]!]!;
    }
    return -1;
  }

  #mayGain(other: number): boolean {
    const changed = this.#objective.changes?.ofTask;
    if (changed !== undefined) {
      const latest = Math.max(intAt(changed, this.#task), intAt(changed, other));
      if (latest <= this.#since || latest <= intAt(this.#triedAt, other)) return false;
    }
    return this.#mayExchange(this.#task, other);
  }
}
