import { intAt, realAt } from '../../numeric/elements.ts';
import { formatNumber } from '../../model/quantities.ts';
import type { CriterionEntry } from './contract.ts';
import { type Cancellation, workPerPoll } from '../../model/cancellation.ts';
import { hasLinksOfNodes, receiverOf, type Machine } from '../../model/machine.ts';
import { relativeTimes } from '../../network/linkClasses.ts';
import { cancelled, fail, succeed, type Result } from '../../model/result.ts';
import type { Traffic } from '../../model/traffic.ts';
import type { MappingProblem } from '../../optimisation/problem/searchProblem.ts';
import { groupPlaces, type Places } from '../../optimisation/problem/places.ts';
import { transposed, largestSum, wholeAmounts } from '../../optimisation/problem/taskGraph.ts';
import { type ComputeContext, type Objective, exchangePlaces, putTasks } from '../../optimisation/objective.ts';
import { asAddressId } from '../../model/identifiers.ts';

export const maximumLoad: CriterionEntry = {
  name: 'maximum-load',
  summary: 'bytes over the link with the most bytes, or with the longest time if links differ in speed',
  source: "Placewright: the report's largest link load, and its congestion time",
  details:
    'With different bandwidths, each load is divided by its relative bandwidth (fastest link: 1). The minimum is ' +
    'then the least congestion time. Links are directed, and host links count. Routes are those of the machine. ' +
    'If a pair has several routes, its bytes are split as the routing defines. Only exchanges that lower the ' +
    'maximum count. Shares of several routes are rounded to multiples of a power of two between 2^-16 and 2^-30, ' +
    'as fine as exact sums allow. Only this job counts.',
  options: [],
  objective: linkLoadObjective,
};

/** Above this many directed links the loads are not kept: they take 48 bytes each. */
const linkLimit = 2 ** 22;

/** Bits of a share of a flow, where pairs have several routes. */
const fewestShareBits = 16;
const mostShareBits = 30;

/**
 * The heaviest link of a job's mapping, kept up to date. An exchange costs the routes of the tasks'
 * flows before and after, a visit for each of their links, and a climb in the tree of loads where the
 * maximum may fall. Fails with `too-many-links` and `cancelled`. O(pairs · hops) to begin with.
 */
function linkLoadObjective({ machine, job, slots }: MappingProblem, context: ComputeContext): Result<Objective> {
  const { linkCount } = machine.topology.links;
  if (linkCount > linkLimit) {
    return fail(
      'too-many-links',
      `\`maximum-load\` supports at most ${formatNumber(linkLimit)} directed links; \`${machine.name}\` has ${formatNumber(linkCount)}. Use \`hop-bytes\`.`,
    );
  }
  const times = relativeTimes(machine);
  const longest = times?.reduce((most, time) => Math.max(most, time), 1) ?? 1;
  const total = job.traffic.bytes.reduce((sum, bytes) => sum + bytes, 0);
  const scale = shareScale(machine, times, total * longest, longest);
  const { amounts, unit } = wholeAmounts(job.traffic.bytes, scale * longest, context.cancellation);
  if (context.cancellation.isCancelled()) return cancelled();
  const places = groupPlaces(machine, slots);
  const traffic = { ...job.traffic, bytes: amounts };
  const objective = new LinkLoadObjective(
    machine,
    traffic,
    places,
    { scale, times },
    unit / scale,
    context.cancellation,
  );
  return context.cancellation.isCancelled() ? cancelled() : succeed(objective);
}

/** What a byte takes on each link, and in how many parts. */
interface Weights {
  /** What all of a flow is on the fastest link, in whole numbers. */
  readonly scale: number;
  /** As `relativeTimes` says. */
  readonly times: Float64Array | undefined;
}

/**
 * What a share of 1 is in whole numbers: 1 where no flow is shared and all times are whole, else as much as exact sums
 * and 32 bits have room for.
 */
function shareScale({ routing }: Machine, times: Float64Array | undefined, total: number, longest: number): number {
  if (routing.singlePath && routing.hopShares === undefined && (times === undefined || times.every(Number.isInteger)))
    return 1;
  const room = Math.floor(Math.log2(largestSum / Math.max(1, total)));
  const most = mostShareBits - Math.ceil(Math.log2(longest));
  return 2 ** Math.max(0, Math.min(most, Math.max(fewestShareBits, room)));
}

class LinkLoadObjective implements Objective {
  readonly places: Places;
  readonly placeOfTask: Int32Array;
  readonly taskAtPlace: Int32Array;
  readonly unit: number;
  readonly #machine: Machine;
  readonly #sent: Traffic;
  readonly #received: Traffic;
  readonly #cancellation: Cancellation;
  readonly #routes: RouteTable;
  readonly #weights: Weights;
  /** Index of each site's router in the table of routes. */
  readonly #routerOfSite: Int32Array;
  readonly #siteOfTask: Int32Array;
  readonly #tree: LoadTree;
  /** What an exchange adds to each link, and the links it meets. */
  readonly #change: Float64Array;
  readonly #isMet: Uint8Array;
  readonly #met: Int32Array;
  #metCount = 0;

  constructor(
    machine: Machine,
    traffic: Traffic,
    places: Places,
    weights: Weights,
    unit: number,
    cancellation: Cancellation,
  ) {
    const { linkCount } = machine.topology.links;
    this.#machine = machine;
    this.#sent = traffic;
    this.#received = transposed(traffic, cancellation);
    this.#cancellation = cancellation;
    this.places = places;
    this.unit = unit;
    // Where nodes of one router have routes of their own, every site has a row of its own.
    const endOfSite = places.endOfSite.map((end) => receiverOf(machine, end));
    const ends = Int32Array.from(new Set(endOfSite));
    const indexOfEnd = new Map(Array.from(ends, (end, index) => [end, index]));
    this.#weights = weights;
    this.#routes = new RouteTable(machine, ends, weights);
    this.#routerOfSite = endOfSite.map((end) => indexOfEnd.get(end)!);
    this.placeOfTask = new Int32Array(traffic.taskCount);
    this.#siteOfTask = new Int32Array(traffic.taskCount);
    this.taskAtPlace = new Int32Array(places.placeCount);
    this.#tree = new LoadTree(linkCount);
    this.#change = new Float64Array(linkCount);
    this.#isMet = new Uint8Array(linkCount);
    this.#met = new Int32Array(linkCount);
    this.assign(this.placeOfTask.map((_, task) => task));
  }

  get value(): number {
    return this.#tree.maximum;
  }

  assign(placeOfTask: Int32Array): void {
    putTasks(this, placeOfTask);
    for (let task = 0; task < placeOfTask.length; task++) this.#follow(task);
    this.#sumLoads();
    const loads = this.#change.slice();
    this.#forget();
    this.#tree.fill(loads);
  }

  recompute(): number {
    this.#sumLoads();
    let maximum = 0;
    for (let met = 0; met < this.#metCount; met++)
      maximum = Math.max(maximum, realAt(this.#change, intAt(this.#met, met)));
    this.#forget();
    return maximum;
  }

  /** The routes of the flows of two tasks may take a millisecond. */
  workOf(): number {
    return workPerPoll;
  }

  exchangeDelta(place: number, other: number): number {
    if (this.places.siteOfPlace[place] === this.places.siteOfPlace[other]) return 0;
    this.#gatherChanges(place, other);
    const delta = this.#changedMaximum() - this.value;
    this.#forget();
    return delta;
  }

  exchange(place: number, other: number): void {
    if (this.places.siteOfPlace[place] !== this.places.siteOfPlace[other]) {
      this.#gatherChanges(place, other);
      this.#applyChanges(1);
      this.#forget();
    }
    exchangePlaces(this, place, other);
    this.#follow(intAt(this.taskAtPlace, place));
    this.#follow(intAt(this.taskAtPlace, other));
  }

  /** The heaviest link were the gathered changes made. */
  #changedMaximum(): number {
    const tree = this.#tree;
    const before = tree.maximum;
    let heaviestMet = 0;
    let meetsHeaviest = false;
    for (let met = 0; met < this.#metCount; met++) {
      const link = intAt(this.#met, met);
      const load = tree.load(link);
      if (load === before) meetsHeaviest = true;
      heaviestMet = Math.max(heaviestMet, load + realAt(this.#change, link));
    }
    if (heaviestMet >= before) return heaviestMet;
    if (!meetsHeaviest) return before;
    this.#applyChanges(1);
    const after = tree.maximum;
    this.#applyChanges(-1);
    return after;
  }

  #applyChanges(sign: number): void {
    for (let met = 0; met < this.#metCount; met++) {
      const link = intAt(this.#met, met);
      if (this.#change[link] !== 0) this.#tree.set(link, this.#tree.load(link) + sign * realAt(this.#change, link));
    }
  }

  /** Takes the flows of both tasks off their links and puts them where they would run. */
  #gatherChanges(place: number, other: number): void {
    const { siteOfPlace } = this.places;
    const task = intAt(this.taskAtPlace, place);
    const partner = intAt(this.taskAtPlace, other);
    this.#addFlowsOf(task, -1, -1);
    this.#addFlowsOf(partner, -1, task);
    if (task >= 0) this.#siteOfTask[task] = intAt(siteOfPlace, other);
    if (partner >= 0) this.#siteOfTask[partner] = intAt(siteOfPlace, place);
    this.#addFlowsOf(task, 1, -1);
    this.#addFlowsOf(partner, 1, task);
    this.#follow(task);
    this.#follow(partner);
  }

  #follow(task: number): void {
    if (task >= 0) this.#siteOfTask[task] = intAt(this.places.siteOfPlace, intAt(this.placeOfTask, task));
  }

  /** Adds what a task sends and receives, but for what goes to and from `except`. */
  #addFlowsOf(task: number, sign: number, except: number): void {
    if (task < 0) return;
    const site = intAt(this.#siteOfTask, task);
    const { rowStart, partner, bytes } = this.#sent;
    for (let pair = intAt(rowStart, task); pair < intAt(rowStart, task + 1); pair++) {
      if (partner[pair] !== except)
        this.#addFlow(site, intAt(this.#siteOfTask, intAt(partner, pair)), sign * realAt(bytes, pair));
    }
    const received = this.#received;
    for (let pair = intAt(received.rowStart, task); pair < intAt(received.rowStart, task + 1); pair++) {
      const sender = intAt(received.partner, pair);
      if (sender !== except) this.#addFlow(intAt(this.#siteOfTask, sender), site, sign * realAt(received.bytes, pair));
    }
  }

  /** All flows of the job as changes; stops if cancelled, for then nobody asks for them. */
  #sumLoads(): void {
    const { taskCount, rowStart, partner, bytes } = this.#sent;
    for (let task = 0; task < taskCount; task++) {
      if ((task & 63) === 0 && this.#cancellation.isCancelled()) return;
      for (let pair = intAt(rowStart, task); pair < intAt(rowStart, task + 1); pair++) {
        this.#addFlow(
          intAt(this.#siteOfTask, task),
          intAt(this.#siteOfTask, intAt(partner, pair)),
          realAt(bytes, pair),
        );
      }
    }
  }

  #addFlow(from: number, to: number, amount: number): void {
    if (from === to) return;
    const routes = this.#routes;
    const fromRouter = intAt(this.#routerOfSite, from);
    const toRouter = intAt(this.#routerOfSite, to);
    if (fromRouter !== toRouter) {
      routes.find(fromRouter, toRouter);
      const { links, shares, end } = routes;
      for (let at = routes.first; at < end; at++) this.#addToLink(intAt(links, at), amount * intAt(shares, at));
    }
    // Routes over rails have the links of nodes.
    if (!hasLinksOfNodes(this.#machine.topology) || this.#machine.rails !== undefined) return;
    const firstHostLink = this.#machine.topology.links.routerLinkCount;
    const out = firstHostLink + 2 * intAt(this.places.nodeOfSite, from);
    this.#addToLink(out, amount * wholeShare(this.#weights, out, 1));
    const into = firstHostLink + 2 * intAt(this.places.nodeOfSite, to) + 1;
    this.#addToLink(into, amount * wholeShare(this.#weights, into, 1));
  }

  #addToLink(link: number, amount: number): void {
    if (this.#isMet[link] === 0) {
      this.#isMet[link] = 1;
      this.#met[this.#metCount++] = link;
    }
    this.#change[link]! += amount;
  }

  #forget(): void {
    for (let met = 0; met < this.#metCount; met++) {
      const link = intAt(this.#met, met);
      this.#isMet[link] = 0;
      this.#change[link] = 0;
    }
    this.#metCount = 0;
  }
}

/** What a share of a flow is on a link. */
const wholeShare = ({ scale, times }: Weights, link: number, share: number): number =>
  Math.round(share * scale * (times === undefined ? 1 : realAt(times, link)));

/** Pairs of routers whose routes may be kept, and links of routes that are: 16 and 64 MiB at most. */
const pairLimit = 2 ** 22;
const entryLimit = 2 ** 23;

/** Routes between some routers of a machine, kept as they are asked for while there is room. */
class RouteTable {
  /** Of the route that was found last: its links are `links[first] … links[end − 1]`, with their whole shares. */
  links: Int32Array = new Int32Array(1024);
  shares: Int32Array = new Int32Array(1024);
  first = 0;
  end = 0;

  readonly #machine: Machine;
  readonly #routers: Int32Array;
  /** Where the route of each pair stands, and how long it is; −1 where it is not kept. */
  readonly #start: Int32Array | undefined;
  readonly #length: Int32Array | undefined;
  #used = 0;

  readonly #weights: Weights;

  /** Pairs are of indices into `routers`. */
  constructor(machine: Machine, routers: Int32Array, weights: Weights) {
    this.#machine = machine;
    this.#routers = routers;
    this.#weights = weights;
    const pairs = routers.length ** 2;
    if (pairs > pairLimit) return;
    this.#start = new Int32Array(pairs).fill(-1);
    this.#length = new Int32Array(pairs);
  }

  /** Sets `first` and `end`; another search may put other arrays into `links` and `shares`. */
  find(from: number, to: number): void {
    const pair = from * this.#routers.length + to;
    const start = this.#start?.[pair] ?? -1;
    if (start >= 0) {
      this.first = start;
      this.end = start + intAt(this.#length!, pair);
      return;
    }
    this.first = this.#used;
    this.end = this.#used;
    this.#machine.routing.visitShares(
      asAddressId(intAt(this.#routers, from)),
      asAddressId(intAt(this.#routers, to)),
      this.#append,
    );
    if (this.#start === undefined || this.end > entryLimit) return;
    this.#start[pair] = this.first;
    this.#length![pair] = this.end - this.first;
    this.#used = this.end;
  }

  readonly #append = (link: number, share: number): void => {
    if (this.end === this.links.length) {
      this.links = enlarged(this.links);
      this.shares = enlarged(this.shares);
    }
    this.links[this.end] = link;
    this.shares[this.end++] = wholeShare(this.#weights, link, share);
  };
}

function enlarged(values: Int32Array): Int32Array {
  const larger = new Int32Array(2 * values.length);
  larger.set(values);
  return larger;
}

/** Loads of links with the largest of them at hand: a tournament, each inner node the larger of its two. */
class LoadTree {
  readonly #leaves: number;
  /** Node n has the children 2n and 2n + 1; the root is 1. */
  readonly #nodes: Float64Array;

  constructor(linkCount: number) {
    this.#leaves = 2 ** Math.ceil(Math.log2(Math.max(1, linkCount)));
    this.#nodes = new Float64Array(2 * this.#leaves);
  }

  get maximum(): number {
    return realAt(this.#nodes, 1);
  }

  load(link: number): number {
    return realAt(this.#nodes, this.#leaves + link);
  }

  /** O(log links), less where the load wins no match and had won none. */
  set(link: number, load: number): void {
    const nodes = this.#nodes;
    let node = this.#leaves + link;
    nodes[node] = load;
    while (node > 1) {
      const larger = Math.max(realAt(nodes, node), realAt(nodes, node ^ 1));
      node >>= 1;
      if (nodes[node] === larger) return;
      nodes[node] = larger;
    }
  }

  /** All loads anew. O(links). */
  fill(loads: Float64Array): void {
    this.#nodes.fill(0);
    this.#nodes.set(loads, this.#leaves);
    for (let node = this.#leaves - 1; node > 0; node--) {
      this.#nodes[node] = Math.max(realAt(this.#nodes, 2 * node), realAt(this.#nodes, 2 * node + 1));
    }
  }
}
