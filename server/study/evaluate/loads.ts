/** Bytes over every link (`linkLoadsOf`), and which links carry so much more than others that they are hot. */
import { intAt, realAt } from '../../numeric/elements.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import {
  addressCount,
  hasLinksOfNodes,
  receiverOf,
  senderOf,
  type Machine,
  type RouterFlows,
} from '../../model/machine.ts';
import type { PlacedTasks } from './placedTasks.ts';
import type { LinkId } from '../../model/identifiers.ts';
import { busyTimes } from '../../network/linkClasses.ts';
import { flowsOfPorts } from '../../network/rails.ts';
import { groupedBy } from '../../numeric/grouping.ts';

/** Flows handed to the routing at a time: 16 MB, so a dense table never stands in memory twice. */
const flowsPerBatch = 1 << 20;

/** Flows between routers on their way to the routing. */
interface Batch {
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly amount: Float64Array;
  count: number;
}

/**
 * Bytes over each directed link of the machine, all jobs together, indexed by LinkId; undefined
 * if cancelled. Traffic between the same two routers is added up before it is routed.
 * O(pairs · passes + routers) and the routing's own time, one pass in all but dense tables over
 * millions of router pairs; exact for whole amounts below 2^53.
 */
export function linkLoadsOf(
  machine: Machine,
  jobs: readonly PlacedTasks[],
  cancellation: Cancellation,
): Float64Array | undefined {
  const loads = new Float64Array(machine.topology.links.linkCount);
  const capacity = Math.min(flowsPerBatch, totalPairs(jobs));
  const batch: Batch = {
    from: new Int32Array(capacity),
    to: new Int32Array(capacity),
    amount: new Float64Array(capacity),
    count: 0,
  };
  const flush = (): void => {
    const flows = {
      from: batch.from.subarray(0, batch.count),
      to: batch.to.subarray(0, batch.count),
      amount: batch.amount.subarray(0, batch.count),
    };
    machine.routing.addLoads(flows, loads, cancellation);
    batch.count = 0;
  };
  const ends = jobs.map((job) => endsOf(machine, job));
  const row = new ReceiverRow(addressCount(machine));
  for (const receivers of passesOf(machine, jobs)) {
    for (const job of ends) {
      if (!addJobFlows(job, receivers, row, batch, flush, cancellation)) return undefined;
    }
    flush();
  }
  if (cancellation.isCancelled()) return undefined;
  if (hasLinksOfNodes(machine.topology) && machine.rails === undefined) addHostLoads(machine, jobs, loads);
  return loads;
}

/**
 * Traffic between routers, or addresses of the network where the routing tells nodes apart, one entry for each ordered pair and job;
 * undefined if cancelled. O(pairs + routers).
 */
export function routerFlowsOf(
  machine: Machine,
  jobs: readonly PlacedTasks[],
  cancellation: Cancellation,
): RouterFlows | undefined {
  const addresses = addressCount(machine);
  const capacity = totalPairs(jobs);
  const batch: Batch = {
    from: new Int32Array(capacity),
    to: new Int32Array(capacity),
    amount: new Float64Array(capacity),
    count: 0,
  };
  const row = new ReceiverRow(addresses);
  // Every pair of addresses has a pair of tasks: nothing is ever flushed.
  const all = { first: 0, end: addresses };
  for (const job of jobs) {
    if (!addJobFlows(endsOf(machine, job), all, row, batch, () => undefined, cancellation)) return undefined;
  }
  const { from, to, amount, count } = batch;
  const flows = { from: from.subarray(0, count), to: to.subarray(0, count), amount: amount.subarray(0, count) };
  return flowsOfPorts(machine, flows);
}

const totalPairs = (jobs: readonly PlacedTasks[]): number =>
  Math.max(
    1,
    jobs.reduce((sum, { placed }) => sum + placed.job.traffic.partner.length, 0),
  );

/** A job with the addresses from which and to which its tasks send. */
interface Ends {
  readonly sender: Int32Array;
  readonly receiver: Int32Array;
  /** Tasks with the same send each other nothing through the network: that of their router, or of their node. */
  readonly router: Int32Array;
  readonly placed: PlacedTasks['placed'];
}

/** Where nodes of one router have routes of their own, flows are not added up over the router. O(tasks). */
function endsOf(machine: Machine, { node, end, router, placed }: PlacedTasks): Ends {
  if (machine.routing.byNode === undefined) return { sender: router, receiver: router, router, placed };
  const sender = end.map((id) => senderOf(machine, id));
  // Over rails two nodes of one router may be apart, and routes have the links of nodes.
  const place = machine.rails === undefined ? router : node;
  return { sender, receiver: end.map((id) => receiverOf(machine, id)), router: place, placed };
}

/** Receiving routers `first … end − 1`, whose flows are gathered in one pass over the pairs. */
interface Receivers {
  readonly first: number;
  readonly end: number;
}

/**
 * A routing that gathers per destination searches once for each that a batch holds. So the flows
 * of a large table come by ranges of receivers that fill a batch each, rather than each batch
 * holding a few flows to every receiver.
 */
function passesOf(machine: Machine, jobs: readonly PlacedTasks[]): readonly Receivers[] {
  const { routing, topology } = machine;
  const { routerCount } = topology;
  if (!routing.graph || totalPairs(jobs) <= flowsPerBatch) return [{ first: 0, end: addressCount(machine) }];
  const received = pairsReceived(jobs, routerCount);
  const passes: Receivers[] = [];
  let first = 0;
  let flows = 0;
  for (let router = 0; router < routerCount; router++) {
    const most = Math.min(realAt(received, router), jobs.length * routerCount);
    if (flows + most > flowsPerBatch && router > first) {
      passes.push({ first, end: router });
      first = router;
      flows = 0;
    }
    flows += most;
  }
  return [...passes, { first, end: routerCount }];
}

/** Pairs whose receiver is on each router. O(pairs). */
function pairsReceived(jobs: readonly PlacedTasks[], routerCount: number): Float64Array {
  const received = new Float64Array(routerCount);
  for (const { router, placed } of jobs) {
    for (const partner of placed.job.traffic.partner)
      received[intAt(router, partner)] = realAt(received, intAt(router, partner)) + 1;
  }
  return received;
}

/** Bytes from one address to all others, with the list of those that get any. */
class ReceiverRow {
  readonly amount: Float64Array;
  readonly touched: Int32Array;
  count = 0;

  constructor(addresses: number) {
    this.amount = new Float64Array(addresses);
    this.touched = new Int32Array(addresses);
  }

  add(router: number, bytes: number): void {
    if (this.amount[router] === 0) this.touched[this.count++] = router;
    this.amount[router] = realAt(this.amount, router) + bytes;
  }

  /** Moves the row into the batch, and flushes that whenever it is full. */
  drain(from: number, batch: Batch, flush: () => void): void {
    for (let index = 0; index < this.count; index++) {
      const to = intAt(this.touched, index);
      if (batch.count === batch.from.length) flush();
      batch.from[batch.count] = from;
      batch.to[batch.count] = to;
      batch.amount[batch.count++] = realAt(this.amount, to);
      this.amount[to] = 0;
    }
    this.count = 0;
  }
}

/** Adds the flows of one job to some receivers, source router after source router. False where cancelled. */
function addJobFlows(
  { sender, receiver, router, placed }: Ends,
  receivers: Receivers,
  row: ReceiverRow,
  batch: Batch,
  flush: () => void,
  cancellation: Cancellation,
): boolean {
  const { rowStart, partner, bytes } = placed.job.traffic;
  const { first, end } = receivers;
  const order = groupedBy(sender, row.amount.length).members;
  for (let index = 0; index < order.length; index++) {
    if ((index & 63) === 0 && cancellation.isCancelled()) return false;
    const task = intAt(order, index);
    const own = intAt(sender, task);
    const ownRouter = router[task];
    for (let pair = intAt(rowStart, task); pair < intAt(rowStart, task + 1); pair++) {
      const partnerTask = intAt(partner, pair);
      const other = intAt(receiver, partnerTask);
      if (other >= first && other < end && router[partnerTask] !== ownRouter) row.add(other, realAt(bytes, pair));
    }
    if (index + 1 < order.length && sender[intAt(order, index + 1)] === own) continue;
    row.drain(own, batch, flush);
  }
  return true;
}

/** Every byte that leaves or enters a node crosses its host link. */
function addHostLoads(machine: Machine, jobs: readonly PlacedTasks[], loads: Float64Array): void {
  const { routerLinkCount } = machine.topology.links;
  for (const { node, placed } of jobs) {
    const { rowStart, partner, bytes, taskCount } = placed.job.traffic;
    for (let task = 0; task < taskCount; task++) {
      const own = intAt(node, task);
      for (let pair = intAt(rowStart, task); pair < intAt(rowStart, task + 1); pair++) {
        const other = intAt(node, intAt(partner, pair));
        if (other === own) continue;
        loads[routerLinkCount + 2 * own] = realAt(loads, routerLinkCount + 2 * own) + realAt(bytes, pair);
        loads[routerLinkCount + 2 * other + 1] = realAt(loads, routerLinkCount + 2 * other + 1) + realAt(bytes, pair);
      }
    }
  }
}

/** A link before its flows are looked up. */
interface LoadedLink {
  readonly link: LinkId;
  readonly load: number;
  /** What it takes for its load / mean of the used links; of their loads where a byte takes the same on all. */
  readonly timesMean: number;
  /** What it takes / what the link takes that takes longest; absent where a byte takes the same on all. */
  readonly busyShare?: number;
}

/**
 * Links that work at least `factor` times as long as the used links on average, those that work longest first, equal
 * ones by LinkId. `times` says what a byte takes on each, as `relativeTimes` does: 0 on links that hold nothing up.
 * O(links + hot · log hot).
 */
export function findHotLinks(
  loads: Float64Array,
  factor: number,
  times: Float64Array | undefined,
): readonly LoadedLink[] {
  const busy = busyTimes(loads, times);
  const mean = meanOfUsed(busy);
  if (mean === 0) return [];
  const longest = busy.reduce((most, time) => Math.max(most, time), 0);
  const hot: LoadedLink[] = [];
  for (let link = 0; link < busy.length; link++) {
    const time = realAt(busy, link);
    if (time > 0 && time >= factor * mean)
      hot.push({
        link: link as LinkId,
        load: realAt(loads, link),
        timesMean: time / mean,
        ...(times && { busyShare: time / longest }),
      });
  }
  // Stable: equal ones stay in order of LinkId.
  return hot.sort((a, b) => realAt(busy, b.link) - realAt(busy, a.link));
}

/** Mean of those that are not 0; 0 where all are. O(links). */
export function meanOfUsed(loads: Float64Array): number {
  let used = 0;
  let sum = 0;
  for (const load of loads) {
    if (load === 0) continue;
    used++;
    sum += load;
  }
  return used === 0 ? 0 : sum / used;
}
