/**
 * How the metrics of a placement are measured: most of them by `evaluate`, from a histogram of hops and the link loads;
 * the mapping coefficient of routings with several routes by `mappingCoefficient`. `model/metrics.ts` says what
 * they are.
 */
import { realAt, intAt } from '../../numeric/elements.ts';
import {
  addToHistogram,
  emptyHistogram,
  hopBytesOf,
  networkHopBytesOf,
  type HopHistogram,
} from '../../mapping/hopHistogram.ts';
import { WorkMeter, type Cancellation } from '../../model/cancellation.ts';
import { eachRouterPair, evenBytesOverRouters } from '../../traffic/evenTraffic.ts';
import { type Machine, fastestBandwidth, givesLinks, hostHops, workingPorts } from '../../model/machine.ts';
import type { PlacedJob } from '../../model/placement.ts';
import {
  flowsPerHotLink,
  type HopCounts,
  type HotLink,
  type PlacementReport,
  type Metrics,
} from '../../model/report.ts';
import { outlinedHotLinks } from '../report.ts';
import { causesOf } from './causes.ts';
import { findHotLinks, meanOfUsed, linkLoadsOf } from './loads.ts';
import { placeTasks, type PlacedTasks } from './placedTasks.ts';
import { formatNumber } from '../../model/quantities.ts';
import { cancelled, fail, succeed, type Result } from '../../model/result.ts';
import type { DistanceContext } from '../../network/distances/contract.ts';
import { busyTimes, relativeTimes } from '../../network/linkClasses.ts';
import { railRoutersBetween } from '../../network/rails.ts';
import { knownDistanceLimit, type KnownDistances } from '../../network/distances/knownDistances.ts';

type Evaluation = Pick<PlacementReport, 'metrics' | 'linkLoads' | 'hops' | 'hotFrom' | 'hotLinks'>;

/**
 * Measures a placement: the pairs of all its jobs together. Undefined if cancelled.
 * Only the heaviest `outlinedHotLinks` hot links are explained; the others have their load alone.
 */
export function evaluate(
  machine: Machine,
  jobs: readonly PlacedJob[],
  hotLinkFactor: number,
  cancellation: Cancellation,
): Evaluation | undefined {
  const histogram = emptyHistogram();
  for (const { job, mapping } of jobs) {
    if (!addToHistogram(histogram, machine, job.traffic, mapping, cancellation)) return undefined;
  }
  const tasks = placeTasks(machine, jobs, cancellation);
  if (cancellation.isCancelled()) return undefined;
  const linkLoads = linkLoadsOf(machine, tasks, cancellation);
  if (linkLoads === undefined) return undefined;
  const times = relativeTimes(machine);
  const hot = findHotLinks(linkLoads, hotLinkFactor, times, cancellation);
  if (cancellation.isCancelled()) return undefined;
  const outlined = hot.slice(0, outlinedHotLinks).map(({ link }) => link);
  const loads = { linkLoads, hotLinks: hot, ...(times && { times }) };
  const causes = causesOf(machine, tasks, loads, outlined, flowsPerHotLink, cancellation);
  if (causes === undefined) return undefined;
  const hotLinks: HotLink[] = [];
  const meter = new WorkMeter(cancellation);
  for (const [index, link] of hot.entries()) {
    hotLinks.push({ ...link, ...(causes[index] ?? unexplained) });
    if (meter.isCancelledAfter(workOfHotLink)) return undefined;
  }
  if (cancellation.isCancelled()) return undefined;
  const hotFrom = hotLinkFactor * meanOfUsed(busyTimes(linkLoads, times));
  const hops = hopCounts(histogram);
  const metrics = placementMetrics(machine, histogram, linkLoads);
  return cancellation.isCancelled() ? undefined : { metrics, linkLoads, hops, hotFrom, hotLinks };
}

function hopCounts({ pairs, bytes }: HopHistogram): HopCounts {
  const length = pairs.findLastIndex((count) => count > 0) + 1;
  return { pairs: pairs.slice(0, length), bytes: bytes.slice(0, length) };
}

/** Making one takes as long as reading so many numbers. */
const workOfHotLink = 16;

const unexplained = { flows: [], flowCount: undefined, improvements: [] } satisfies Partial<HotLink>;

/**
 * All metrics of a placement from its histogram of hops and its link loads. Without any pair the hops and their mean
 * are 0. O(hops + links).
 */
function placementMetrics(machine: Machine, histogram: HopHistogram, loads: Float64Array): Metrics {
  const hops = hopMomentsOf(histogram);
  const hopBytes = hopBytesOf(histogram);
  const { totalBytes } = histogram;
  // Ports are no hops, and what they carry is no load of a link: these figures are those of papers about grids.
  const { maximum, sum } = sumAndMaximum(countedLoads(machine, loads));
  const count = countedLinks(machine);
  return {
    averageHops: hops.mean,
    hopVariance: hops.variance,
    maximumHops: hops.maximum,
    hopBytes,
    weightedHops: totalBytes > 0 ? hopBytes / totalBytes : 0,
    // With one route per pair the circuit of Orduña et al. 2004 is that route in series, so the
    // equivalent distance is its hops (+ 2 where there are host links), which hop-bytes sum. Where
    // there are several it is worked out apart, by `mappingCoefficient`.
    mappingCoefficient: machine.routing.singlePath ? networkHopBytesOf(histogram) : undefined,
    maximumLinkLoad: maximum,
    meanLinkLoad: count > 0 ? sum / count : 0,
    interNodeBytes: totalBytes - histogram.bytesWithinNodes,
    congestionTime: congestionTimeOf(machine, loads),
  };
}

/** Seconds that the busiest link is busy; undefined if the machine has no bandwidth. O(links). */
function congestionTimeOf(machine: Machine, loads: Float64Array): number | undefined {
  const fastest = fastestBandwidth(machine);
  if (fastest === undefined) return givesLinks(machine, 'bandwidth') ? 0 : undefined;
  return sumAndMaximum(busyTimes(loads, relativeTimes(machine))).maximum / fastest;
}

/** Mean, population variance (two passes, so nothing cancels) and maximum of the hops of pairs. */
function hopMomentsOf({ pairs, ofPairs }: HopHistogram): { mean: number; variance: number; maximum: number } {
  const counted = ofPairs ? [...ofPairs] : [...pairs.entries()].filter(([, count]) => count > 0);
  let [count, sum, maximum] = [0, 0, 0];
  for (const [hops, number] of counted) {
    count += number;
    sum += hops * number;
    maximum = Math.max(maximum, hops);
  }
  if (count === 0) return { mean: 0, variance: 0, maximum: 0 };
  const mean = sum / count;
  const squares = counted.reduce((total, [hops, number]) => total + number * (hops - mean) ** 2, 0);
  return { mean, variance: squares / count, maximum };
}

/** The loads of the links that hops count. */
const countedLoads = ({ topology: { hasPorts, links } }: Machine, loads: Float64Array): Float64Array =>
  hasPorts === true ? loads.subarray(0, links.routerLinkCount) : loads;

/** How many links hops count, without those of nodes that do not work. O(ports) after failures. */
function countedLinks({ topology }: Machine): number {
  const { links, hasHostLinks, hasPorts, faults } = topology;
  if (hasPorts === true) return links.routerLinkCount;
  if (faults === undefined) return links.linkCount;
  return links.routerLinkCount + (hasHostLinks ? 2 * workingPorts(topology).length : 0);
}

function sumAndMaximum(loads: Float64Array): { sum: number; maximum: number } {
  let sum = 0;
  let maximum = 0;
  for (let link = 0; link < loads.length; link++) {
    const load = realAt(loads, link);
    sum += load;
    if (load > maximum) maximum = load;
  }
  return { sum, maximum };
}

/**
 * Σ w · d over the ordered pairs of tasks that communicate (Orduña et al. 2004, section 4.1), d between
 * their nodes: 0 within a node, else the equivalent distance of their routers, plus 2 where the
 * machine has host links; bytes. Only distances of routers that communicate are worked out, and `known`
 * keeps them. Fails with `cancelled`, with `too-many-distances` where too many routers communicate, and
 * with `no-route` where some of them cannot. O(pairs) and the time of the distances.
 */
export function mappingCoefficient(
  machine: Machine,
  jobs: readonly PlacedJob[],
  known: KnownDistances,
  context: DistanceContext,
): Result<number> {
  const tasks = placeTasks(machine, jobs, context.cancellation);
  let isKept = true;
  const fits = overPairs(machine, tasks, context, (one, other) => (isKept &&= one === other || known.ask(one, other)));
  if (fits === 'stopped') return tooMany;
  if (fits === 'cancelled' || !known.workOut(context)) return cancelled();
  const hostLinks = hostHops(machine);
  let sum = 0;
  const summed = overPairs(machine, tasks, context, (one, other, bytes) => {
    sum += bytes * ((one === other ? 0 : known.between(one, other)) + hostLinks);
    return true;
  });
  if (summed === 'cancelled') return cancelled();
  return Number.isNaN(sum) ? fail('no-route', 'no route between some of the routers with traffic.') : succeed(sum);
}

const tooMany = fail(
  'too-many-distances',
  `its tasks use too many router pairs; the maximum is ${formatNumber(knownDistanceLimit)} distances.`,
);

/** Pairs between two polls of the cancellation. */
const pairsPerPoll = 1 << 16;

/** Told of the routers of pairs of tasks, and of their bytes; false where no more shall come. */
type VisitPair = (from: number, to: number, bytes: number) => boolean;

/** How far a loop over pairs came. */
type Visited = 'all' | 'stopped' | 'cancelled';

/**
 * Calls `visit` for the routers of each pair of tasks in different nodes, of each of their rails, until it says false; where every task
 * sends every other the same, once for all pairs of tasks between two routers.
 */
function overPairs(
  machine: Machine,
  jobs: readonly PlacedTasks[],
  { cancellation }: DistanceContext,
  visit: VisitPair,
): Visited {
  for (const job of jobs) {
    const even = evenBytesOverRouters(machine, job.placed.job.traffic);
    const visited =
      even === undefined
        ? overEachPair(machine, job, cancellation, visit)
        : overEvenPairs(job, even, cancellation, visit);
    if (visited !== 'all') return visited;
  }
  return 'all';
}

function overEvenPairs(
  { node, router }: PlacedTasks,
  bytes: number,
  cancellation: Cancellation,
  visit: VisitPair,
): Visited {
  const meter = new WorkMeter(cancellation);
  let visited: Visited = 'all';
  eachRouterPair(node, router, (from, to, pairs) => {
    if (meter.isCancelledAfter(1)) visited = 'cancelled';
    else if (!visit(from, to, pairs * bytes)) visited = 'stopped';
    return visited === 'all';
  });
  return visited;
}

function overEachPair(
  machine: Machine,
  { node, end: endOfTask, placed }: PlacedTasks,
  cancellation: Cancellation,
  visit: VisitPair,
): Visited {
  const between = railRoutersBetween(machine);
  const { rowStart, partner, bytes, taskCount } = placed.job.traffic;
  const state = { bytes: 0, isStopped: false };
  const visitRail = (from: number, to: number, share: number): void => {
    if (!state.isStopped) state.isStopped = !visit(from, to, share * state.bytes);
  };
  let nextPoll = 0;
  for (let task = 0; task < taskCount; task++) {
    const end = intAt(rowStart, task + 1);
    if (end > nextPoll) {
      if (cancellation.isCancelled()) return 'cancelled';
      nextPoll = end + pairsPerPoll;
    }
    for (let pair = intAt(rowStart, task); pair < end && !state.isStopped; pair++) {
      const other = intAt(partner, pair);
      if (node[other] === node[task]) continue;
      state.bytes = realAt(bytes, pair);
      between(intAt(endOfTask, task), intAt(endOfTask, other), visitRail);
    }
    if (state.isStopped) return 'stopped';
  }
  return 'all';
}
