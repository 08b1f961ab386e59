/** Bytes over every link (`linkLoadsOf`), and which links carry so much more than others that they are hot. */
import { intAt, realAt } from '../../numeric/elements.ts';
import { inStretches, neverCancelled, WorkMeter, type Cancellation } from '../../model/cancellation.ts';
import { addressCount, hasLinksOfNodes, type Machine, type RouterFlows } from '../../model/machine.ts';
import { tasksOnPlaces } from '../../traffic/evenTraffic.ts';
import { flowEnds, type Ends, type PlacedTasks } from './placedTasks.ts';
import { fewestStepsOfClasses, receiverClassesOf, spreadOverClasses, type FlowsOf } from './receiverClasses.ts';
import type { LinkId } from '../../model/identifiers.ts';
import { busyTimes } from '../../network/linkClasses.ts';
import { flowsOfPorts } from '../../network/rails.ts';
import { groupedInParts, sortedDescending } from '../../numeric/grouping.ts';

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
 * if cancelled. Traffic between the same two routers is added up before it is routed; where the machine and its traffic look the
 * same from many routers, what one of them receives stands for what all of them do, but where searches of their routes have fewer
 * than `fewestSteps`. O(pairs · passes + routers) and the routing's
 * own time, one pass in all but dense tables over millions of router pairs; exact for whole amounts below 2^53.
 */
export function linkLoadsOf(
  machine: Machine,
  jobs: readonly PlacedTasks[],
  cancellation: Cancellation,
  fewestSteps = fewestStepsOfClasses,
): Float64Array | undefined {
  const loads = new Float64Array(machine.topology.links.linkCount);
  const ends = jobs.map((job) => flowEnds(machine, job, cancellation));
  const flowsOfSome: FlowsOf = (some, all) => flowsOf(machine, some, all, cancellation);
  const classes = receiverClassesOf(machine, ends, flowsOfSome, fewestSteps);
  if (classes === undefined) {
    if (!addFlowLoads(machine, ends, loads, cancellation)) return undefined;
  } else {
    const flows = flowsOf(machine, ends, classes, cancellation);
    if (flows === undefined) return undefined;
    for (let flow = 0; flow < flows.to.length; flow++)
      flows.amount[flow] = realAt(flows.amount, flow) * intAt(classes.sizes, intAt(flows.to, flow));
    machine.routing.addLoads(flows, loads, cancellation);
    spreadOverClasses(classes, loads);
  }
  if (cancellation.isCancelled()) return undefined;
  const hasHostLoads = hasLinksOfNodes(machine.topology) && machine.rails === undefined;
  if (!hasHostLoads) return loads;
  const ofNodes = loads.subarray(machine.topology.links.routerLinkCount);
  return addNodeLoads(ends, ofNodes, cancellation) ? loads : undefined;
}

/** Bytes that leave each node n, at 2n, and that come to it, at 2n + 1; undefined if cancelled. O(pairs). */
export function nodeLoadsOf(
  machine: Machine,
  jobs: readonly PlacedTasks[],
  cancellation: Cancellation,
): Float64Array | undefined {
  const loads = new Float64Array(2 * machine.nodeCount);
  const ends = jobs.map((job) => flowEnds(machine, job, cancellation));
  return addNodeLoads(ends, loads, cancellation) ? loads : undefined;
}

/** The loads of all flows, as many at a time as a batch holds; false where cancelled. */
function addFlowLoads(
  machine: Machine,
  jobs: readonly Ends[],
  loads: Float64Array,
  cancellation: Cancellation,
): boolean {
  const most = mostFlows(jobs, machine.topology.routerCount);
  const batch = newBatch(Math.min(flowsPerBatch, most));
  const flush = (): void => {
    machine.routing.addLoads(flowsIn(batch), loads, cancellation);
    batch.count = 0;
  };
  const row = new ReceiverRow(addressCount(machine));
  const passes =
    machine.routing.graph && most > flowsPerBatch
      ? passesOf(machine, jobs)
      : [{ first: 0, end: addressCount(machine) }];
  for (const receivers of passes) {
    for (const job of jobs) if (!addJobFlows(job, receivers, row, batch, flush, cancellation)) return false;
    flush();
  }
  return true;
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
  const all = { first: 0, end: addressCount(machine), count: machine.topology.routerCount };
  const ends = jobs.map((job) => flowEnds(machine, job, cancellation));
  const flows = flowsOf(machine, ends, all, cancellation);
  return flows && flowsOfPorts(machine, flows);
}

/** The flows to `count` routers or any number of other addresses, all at once; undefined if cancelled. */
function flowsOf(
  machine: Machine,
  jobs: readonly Ends[],
  receivers: Receivers & { readonly count: number },
  cancellation: Cancellation,
): RouterFlows | undefined {
  // Every flow is of a pair of tasks, or of routers: nothing is ever flushed.
  const batch = newBatch(mostFlows(jobs, receivers.count));
  const row = new ReceiverRow(addressCount(machine));
  for (const job of jobs) {
    if (!addJobFlows(job, receivers, row, batch, () => undefined, cancellation)) return undefined;
  }
  return flowsIn(batch);
}

const newBatch = (capacity: number): Batch => ({
  from: new Int32Array(capacity),
  to: new Int32Array(capacity),
  amount: new Float64Array(capacity),
  count: 0,
});

const flowsIn = ({ from, to, amount, count }: Batch): RouterFlows => ({
  from: from.subarray(0, count),
  to: to.subarray(0, count),
  amount: amount.subarray(0, count),
});

/** No more flows than this go from some jobs to so many routers. */
const mostFlows = (jobs: readonly Ends[], receivers: number): number =>
  jobs.reduce((sum, job) => sum + flowsOfJob(job, receivers), 1);

const flowsOfJob = ({ even, placed }: Ends, receivers: number): number =>
  even === undefined
    ? placed.job.traffic.partner.length
    : even.routers.places.length * Math.min(receivers, even.routers.places.length);

/** Receiving routers `first … end − 1`, whose flows are gathered in one pass over the pairs. */
interface Receivers {
  readonly first: number;
  readonly end: number;
  /** 0 for those of them that are left out, by address; all are in where absent. */
  readonly sizes?: Int32Array;
}

/**
 * A routing that gathers per destination searches once for each that a batch holds. So the flows
 * of a large table come by ranges of receivers that fill a batch each, rather than each batch
 * holding a few flows to every receiver.
 */
function passesOf({ topology: { routerCount } }: Machine, jobs: readonly Ends[]): readonly Receivers[] {
  const received = flowsReceived(jobs, routerCount);
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

/** Pairs of tasks, or of routers where all tasks send the same, whose receiver is on each router. O(pairs). */
function flowsReceived(jobs: readonly Ends[], routerCount: number): Float64Array {
  const received = new Float64Array(routerCount);
  for (const { router, placed, even } of jobs) {
    if (even !== undefined) {
      const { places } = even.routers;
      for (const place of places) received[place] = realAt(received, place) + places.length;
      continue;
    }
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
  job: Ends,
  receivers: Receivers,
  row: ReceiverRow,
  batch: Batch,
  flush: () => void,
  cancellation: Cancellation,
): boolean {
  if (job.even !== undefined) return addEvenFlows(job.even, receivers, batch, flush, cancellation);
  const { sender, receiver, router, placed } = job;
  const { rowStart, partner, bytes } = placed.job.traffic;
  const { first, end, sizes } = receivers;
  if (cancellation.isCancelled()) return false;
  const grouped = groupedInParts(sender, row.amount.length, (length, work) => inStretches(length, cancellation, work));
  if (grouped === undefined) return false;
  const order = grouped.members;
  for (let index = 0; index < order.length; index++) {
    if ((index & 63) === 0 && cancellation.isCancelled()) return false;
    const task = intAt(order, index);
    const own = intAt(sender, task);
    const ownRouter = router[task];
    for (let pair = intAt(rowStart, task); pair < intAt(rowStart, task + 1); pair++) {
      const partnerTask = intAt(partner, pair);
      const other = intAt(receiver, partnerTask);
      if (other < first || other >= end || router[partnerTask] === ownRouter || sizes?.[other] === 0) continue;
      row.add(other, realAt(bytes, pair));
    }
    if (index + 1 < order.length && sender[intAt(order, index + 1)] === own) continue;
    row.drain(own, batch, flush);
  }
  return true;
}

/** The same where every task sends every other the same: by the tasks on each router. */
function addEvenFlows(
  { bytes, routers: { places, tasks } }: NonNullable<Ends['even']>,
  { first, end, sizes }: Receivers,
  batch: Batch,
  flush: () => void,
  cancellation: Cancellation,
): boolean {
  const receivers = Int32Array.from(places.keys()).filter((index) => {
    const place = intAt(places, index);
    return place >= first && place < end && sizes?.[place] !== 0;
  });
  for (let sender = 0; sender < places.length; sender++) {
    if ((sender & 63) === 0 && cancellation.isCancelled()) return false;
    for (const receiver of receivers) {
      if (receiver === sender) continue;
      if (batch.count === batch.from.length) flush();
      batch.from[batch.count] = intAt(places, sender);
      batch.to[batch.count] = intAt(places, receiver);
      batch.amount[batch.count++] = bytes * realAt(tasks, sender) * realAt(tasks, receiver);
    }
  }
  return true;
}

/** What leaves and what enters each node, as {@link nodeLoadsOf}. False where cancelled. */
function addNodeLoads(jobs: readonly Ends[], loads: Float64Array, cancellation: Cancellation): boolean {
  const meter = new WorkMeter(cancellation);
  const add = (own: number, other: number, bytes: number): void => {
    loads[2 * own] = realAt(loads, 2 * own) + bytes;
    loads[2 * other + 1] = realAt(loads, 2 * other + 1) + bytes;
  };
  for (const { node, placed, even } of jobs) {
    const { rowStart, partner, bytes, taskCount } = placed.job.traffic;
    if (even !== undefined) {
      const { places, tasks } = tasksOnPlaces(node);
      for (const [index, own] of places.entries()) {
        const count = realAt(tasks, index);
        add(own, own, even.bytes * count * (taskCount - count));
      }
      continue;
    }
    for (let task = 0; task < taskCount; task++) {
      const own = intAt(node, task);
      for (let pair = intAt(rowStart, task); pair < intAt(rowStart, task + 1); pair++) {
        const other = intAt(node, intAt(partner, pair));
        if (other !== own) add(own, other, realAt(bytes, pair));
      }
      if (meter.isCancelledAfter(1 + intAt(rowStart, task + 1) - intAt(rowStart, task))) return false;
    }
  }
  return true;
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
 * Leaves off where cancelled. O(links + hot).
 */
export function findHotLinks(
  loads: Float64Array,
  factor: number,
  times: Float64Array | undefined,
  cancellation = neverCancelled,
): readonly LoadedLink[] {
  const busy = busyTimes(loads, times);
  const mean = meanOfUsed(busy);
  if (mean === 0) return [];
  const found = new Int32Array(busy.length);
  let [count, longest] = [0, 0];
  inStretches(busy.length, cancellation, (begin, end) => {
    for (let link = begin; link < end; link++) {
      const time = realAt(busy, link);
      if (time > longest) longest = time;
      if (time > 0 && time >= factor * mean) found[count++] = link;
    }
  });
  const order = sortedDescending(found.subarray(0, count), busy);
  const hot: LoadedLink[] = [];
  const meter = new WorkMeter(cancellation);
  for (const link of order) {
    const time = realAt(busy, link);
    const own = { link: link as LinkId, load: realAt(loads, link), timesMean: time / mean };
    hot.push(times === undefined ? own : { ...own, busyShare: time / longest });
    if (meter.isCancelledAfter(8)) break;
  }
  return hot;
}

/** Mean of those that are not 0; 0 where all are. O(links). */
export function meanOfUsed(loads: Float64Array): number {
  let used = 0;
  let sum = 0;
  for (let link = 0; link < loads.length; link++) {
    const load = realAt(loads, link);
    if (load === 0) continue;
    used++;
    sum += load;
  }
  return used === 0 ? 0 : sum / used;
}
