import { appendAll } from '../../model/lists.ts';
import { intAt, itemAt, realAt } from '../../numeric/elements.ts';
import { type Cancellation, neverCancelled, WorkMeter } from '../../model/cancellation.ts';
import type { RandomSource } from '../../model/random.ts';
import { placesOnSites } from '../problem/places.ts';
import type { SearchCore } from '../problem/searchProblem.ts';
import { type Domain, DomainTracker, costScale, roundedCost } from './domains.ts';
import { halve, patienceFor, refineHalving, type Halving } from './halving.ts';
import { type CutGuide, halveSites } from './siteHalving.ts';
import { descendNeighbourhood, firstFreePlace, PairsAndMoves } from '../descent/descend.ts';
import { type Exchangeable, exchangePlaces } from '../objective.ts';
import { costBetween } from '../problem/siteCosts.ts';
import type { TaskGraph } from '../problem/taskGraph.ts';
import { partitioningParameters } from './parameters.ts';

/**
 * A place for each task: dual recursive bipartitioning (Pellegrini 1994). The sites are parted into
 * two compact halves by their costs alone, the tasks into two that fit them with little traffic
 * between, and so on with each half. Breadth first, so that every halving knows domains of all
 * partners, each of which pulls to the half that is nearer to its own; once a level is done its
 * halvings are refined with what is known by then. Tasks of a domain with few places are put on
 * its sites greedily and then exchanged. Where there are more places than tasks, either half takes as many tasks as
 * is cheapest: on tori that costs up to a tenth less than packing the tasks onto sites that lie
 * together beforehand, and on sparsely filled machines half of what spreading them evenly does.
 * Undefined if cancelled. O(edges · log² n).
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
  Int32Array.from({ length: siteCount }, (_, site) => site).sort((a, b) => intAt(nodeOfSite, a) - intAt(nodeOfSite, b));

type Halves = readonly [Domain, Domain];

class DualBisection {
  readonly #core: SearchCore;
  readonly #random: RandomSource;
  readonly #cancellation: Cancellation;
  readonly #work: WorkMeter;
  readonly #domainTracker: DomainTracker;
  /** Scratch of `taskHalving`. */
  readonly #localOf: Int32Array;

  constructor(core: SearchCore, random: RandomSource, cancellation: Cancellation) {
    this.#core = core;
    this.#random = random;
    this.#cancellation = cancellation;
    this.#work = new WorkMeter(cancellation);
    this.#domainTracker = new DomainTracker(core);
    this.#localOf = new Int32Array(core.graph.taskCount).fill(-1);
  }

  run(sites: Int32Array): Int32Array | undefined {
    const allTasks = Int32Array.from(this.#localOf, (_, task) => task);
    const leaves: Domain[] = [];
    let level = [
      this.#domainTracker.enter(
        this.#domainTracker.open(sites, partitioningParameters.mostSamples, this.#random),
        allTasks,
      ),
    ];
    while (level.length > 0) {
      const split = this.#halveLevel(level.filter((domain) => !isLeaf(domain)));
      const next = split && this.#refineLevel(split);
      if (next === undefined) return undefined;
      appendAll(leaves, level.filter(isLeaf));
      level = next.flat().filter(({ tasks }) => tasks.length > 0);
    }
    return this.#refineLeaves(leaves) ? this.#assignLeaves(leaves) : undefined;
  }

  #halveLevel(level: readonly Domain[]): Halves[] | undefined {
    const { fewestSamples, mostSamples, samplesOfLevel } = partitioningParameters;
    const sampleSize = Math.max(fewestSamples, Math.min(mostSamples, Math.floor(samplesOfLevel / level.length)));
    const halvings: Halves[] = [];
    let guide: CutGuide | undefined;
    for (const { sites, tasks } of level) {
      if (this.#cancellation.isCancelled()) return undefined;
      const count = halveSites(this.#core, sites, this.#random, this.#cancellation, guide);
      if (count === undefined) return undefined;
      const first = this.#domainTracker.open(sites.subarray(0, count), sampleSize, this.#random);
      const second = this.#domainTracker.open(sites.subarray(count), sampleSize, this.#random);
      guide = [this.#domainTracker.sampleOf(first), this.#domainTracker.sampleOf(second)];
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

  /** Exchanges tasks between leaves with the most traffic, which were parted early on, in place; false if cancelled. */
  #refineLeaves(leaves: Domain[]): boolean {
    const leafOf = new Map(leaves.map(({ id }, index) => [id, index]));
    for (let one = 0; one < leaves.length; one++) {
      if (this.#cancellation.isCancelled()) return false;
      const partners = this.#domainTracker.busiestPartners(itemAt(leaves, one), partitioningParameters.refinedPartners);
      for (const other of partners.map((id) => leafOf.get(id)!)) {
        const both = this.#refined(itemAt(leaves, one), itemAt(leaves, other));
        if (both === undefined) return false;
        [leaves[one], leaves[other]] = both;
      }
    }
    return true;
  }

  /** Two domains after the exchanges and moves between them that help; undefined if cancelled. */
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
    const split = { domainTracker: this.#domainTracker, tasks, first, second };
    return taskHalving(this.#core.graph, split, this.#localOf, this.#work);
  }

  #entered(tasks: Int32Array, side: Uint8Array, first: Domain, second: Domain): Halves {
    return [
      this.#domainTracker.enter(
        first,
        tasks.filter((_, index) => side[index] === 0),
      ),
      this.#domainTracker.enter(
        second,
        tasks.filter((_, index) => side[index] === 1),
      ),
    ];
  }

  /** A place for every task of every leaf; undefined if cancelled. */
  #assignLeaves(leaves: readonly Domain[]): Int32Array | undefined {
    const siteOfTask = new Int32Array(this.#localOf.length).fill(-1);
    // From the second time on all others have their sites.
    for (let round = 0; round < 3; round++) {
      for (const leaf of leaves) {
        if (this.#cancellation.isCancelled()) return undefined;
        this.#assignWithin(leaf, siteOfTask);
      }
    }
    return placesOnSites(this.#core.places, siteOfTask);
  }

  /**
   * Puts the tasks of a leaf on its few sites: greedily where they have none, then by exchanges and moves to where
   * there is room, while they help. O(edges · sites + sweeps · tasks² · (tasks + sites)).
   */
  #assignWithin(leaf: Domain, siteOfTask: Int32Array): void {
    const { sites, tasks } = leaf;
    if (sites.length === 1 || tasks.length === 0) {
      for (const task of tasks) siteOfTask[task] = intAt(sites, 0);
      return;
    }
    const isNew = intAt(siteOfTask, intAt(tasks, 0)) < 0;
    const assignment = new DomainAssignment(this.#core, this.#domainTracker, leaf, siteOfTask);
    if (isNew) assignment.placeGreedily();
    descendNeighbourhood(assignment, new PairsAndMoves(assignment, 'earlier'), {
      policy: 'first',
      stop: neverCancelled,
    });
  }
}

const isLeaf = ({ sites, room }: Domain): boolean =>
  sites.length === 1 || room <= partitioningParameters.mostPlacesOfLeaf;

/**
 * The tasks of a domain on its few sites, with partners elsewhere staying where they are, or where only their domain is
 * known. Tasks, sites and places are numbered within the domain; what they pay is kept in small full tables.
 */
class DomainAssignment implements Exchangeable {
  readonly placeOfTask: Int32Array;
  readonly taskAtPlace: Int32Array;
  readonly places: { readonly siteCount: number; readonly firstPlace: Int32Array; readonly siteOfPlace: Int32Array };
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
  /** Index of the site of each task, −1 for none. */
  readonly #at: Int32Array;

  /**
   * `siteOfTask` is −1 for tasks of which only the domain is known. It is changed. O(edges · sites).
   */
  constructor(core: SearchCore, domainTracker: DomainTracker, { sites, tasks }: Domain, siteOfTask: Int32Array) {
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
        this.#cost[one * sites.length + other] = costBetween(core.costs, intAt(sites, one), intAt(sites, other));
      }
    }
    this.places = placesWithin(core, sites);
    this.placeOfTask = new Int32Array(tasks.length);
    this.taskAtPlace = new Int32Array(this.places.siteOfPlace.length).fill(-1);
    this.#at = new Int32Array(tasks.length).fill(-1);
    for (let task = 0; task < tasks.length; task++) {
      const site = sites.indexOf(intAt(siteOfTask, intAt(tasks, task)));
      if (site >= 0) this.#put(task, site);
    }
    this.#gatherTraffic(domainTracker);
  }

  #gatherTraffic(domainTracker: DomainTracker): void {
    const { graph, costs } = this.#core;
    const sites = this.#sites;
    const tasks = this.#tasks;
    const { domainOfTask } = domainTracker;
    const own = domainOfTask[intAt(tasks, 0)];
    let index = 0;
    for (const task of tasks) {
      const end = intAt(graph.rowStart, task + 1);
      for (let edge = intAt(graph.rowStart, task); edge < end; edge++) {
        const partner = graph.partner[edge]!;
        const weight = graph.weight[edge]!;
        if (domainOfTask[partner] === own) {
          this.#traffic[index * tasks.length + tasks.indexOf(partner)] = weight;
          continue;
        }
        this.#anchors[index]! += weight;
        const partnerSite = this.#siteOfTask[partner]!;
        let at = index * sites.length;
        for (const site of sites) {
          const cost =
            partnerSite >= 0 ? costBetween(costs, partnerSite, site) : domainTracker.costOfTask(partner, site);
          this.#outside[at++]! += weight * cost;
        }
      }
      index++;
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
        if (intAt(this.#at, other) < 0 && (task < 0 || realAt(anchored, other) > realAt(anchored, task))) task = other;
      }
      this.#put(task, this.#cheapestSite(task));
      for (let other = 0; other < width; other++) anchored[other]! += realAt(this.#traffic, task * width + other);
    }
  }

  #cheapestSite(task: number): number {
    let best = -1;
    let bestCost = Infinity;
    for (let site = 0; site < this.#sites.length; site++) {
      if (firstFreePlace(this, site) < 0) continue;
      const cost = this.#costAt(task, site);
      if (cost < bestCost) {
        best = site;
        bestCost = cost;
      }
    }
    return best;
  }

  /** Puts a task without a site on one with room for it. */
  #put(task: number, site: number): void {
    const place = firstFreePlace(this, site);
    this.placeOfTask[task] = place;
    this.taskAtPlace[place] = task;
    this.#follow(task);
  }

  #follow(task: number): void {
    if (task < 0) return;
    const site = intAt(this.places.siteOfPlace, intAt(this.placeOfTask, task));
    this.#at[task] = site;
    this.#siteOfTask[intAt(this.#tasks, task)] = intAt(this.#sites, site);
  }

  workOf(): number {
    return this.#tasks.length;
  }

  exchange(place: number, other: number): void {
    exchangePlaces(this, place, other);
    this.#follow(intAt(this.taskAtPlace, place));
    this.#follow(intAt(this.taskAtPlace, other));
  }

  /** Of an exchange of a task with another one, or with a free place. */
  exchangeDelta(place: number, otherPlace: number): number {
    const here = this.places.siteOfPlace[place]!;
    const there = this.places.siteOfPlace[otherPlace]!;
    if (here === there) return 0;
    const task = this.taskAtPlace[place]!;
    const other = this.taskAtPlace[otherPlace]!;
    if (other < 0) return this.#costAt(task, there) - this.#costAt(task, here);
    // The traffic between the two would be counted at no cost: it stays as dear as it is.
    const mutual =
      2 * this.#traffic[task * this.#tasks.length + other]! * this.#cost[here * this.#sites.length + there]!;
    const before = this.#costAt(task, here) + this.#costAt(other, there);
    return this.#costAt(task, there) + this.#costAt(other, here) + mutual - before;
  }
}

/** The places of some sites, numbered anew. */
function placesWithin({ places: { firstPlace } }: SearchCore, sites: Int32Array): DomainAssignment['places'] {
  const first = new Int32Array(sites.length + 1);
  sites.forEach(
    (site, index) => (first[index + 1] = intAt(first, index) + intAt(firstPlace, site + 1) - intAt(firstPlace, site)),
  );
  const siteOfPlace = new Int32Array(intAt(first, sites.length));
  for (let site = 0; site < sites.length; site++) siteOfPlace.fill(site, first[site], first[site + 1]);
  return { siteCount: sites.length, firstPlace: first, siteOfPlace };
}

/** Tasks that go to either of two domains. */
interface Split {
  readonly domainTracker: DomainTracker;
  readonly tasks: Int32Array;
  readonly first: Domain;
  readonly second: Domain;
}

/**
 * How `tasks` are best split between two domains. An edge costs the mean cost within its domain, or
 * between the two where it is cut; that it costs more in one domain than in the other pulls both its
 * ends by half of it. Partners elsewhere pull to the domain that is nearer to theirs. `localOf` is a
 * scratch array of one cell per task of the graph, all −1, and is left so. Undefined if cancelled.
 * O(edges of the tasks).
 */
function taskHalving(
  graph: TaskGraph,
  { domainTracker, tasks, first, second }: Split,
  localOf: Int32Array,
  work: WorkMeter,
): Halving | undefined {
  const { rowStart, partner, weight } = graph;
  const withinFirst = domainTracker.between(first, first);
  const withinSecond = domainTracker.between(second, second);
  // Positive even where costs are all alike: of two splits that cost the same the one that cuts less is better.
  const cutCost = Math.max(
    1 / costScale,
    roundedCost(domainTracker.between(first, second) - (withinFirst + withinSecond) / 2),
  );
  const endPull = roundedCost((withinSecond - withinFirst) / 2);
  let capacity = 0;
  let local = 0;
  for (const task of tasks) {
    localOf[task] = local++;
    capacity += intAt(rowStart, task + 1) - intAt(rowStart, task);
  }
  const pull = new Float64Array(tasks.length);
  const localStart = new Int32Array(tasks.length + 1);
  const neighbour = new Int32Array(capacity);
  const cut = new Float64Array(capacity);
  let edgeCount = 0;
  domainTracker.compare(first, second);
  local = 0;
  for (const task of tasks) {
    const start = intAt(rowStart, task);
    const end = intAt(rowStart, task + 1);
    let pulled = 0;
    for (let edge = start; edge < end; edge++) {
      const there = partner[edge]!;
      const bytes = weight[edge]!;
      const other = localOf[there]!;
      if (other < 0) {
        pulled += bytes * domainTracker.difference(there);
        continue;
      }
      pulled += bytes * endPull;
      neighbour[edgeCount] = other;
      cut[edgeCount++] = bytes * cutCost;
    }
    pull[local++] = pulled;
    localStart[local] = edgeCount;
    if (work.isCancelledAfter(1 + end - start)) return undefined;
  }
  for (const task of tasks) localOf[task] = -1;
  return {
    graph: {
      vertexCount: tasks.length,
      rowStart: localStart,
      neighbour: neighbour.subarray(0, edgeCount),
      weight: cut.subarray(0, edgeCount),
      size: new Int32Array(tasks.length).fill(1),
    },
    pull,
    minimum: Math.max(0, tasks.length - second.room),
    maximum: Math.min(tasks.length, first.room),
  };
}
