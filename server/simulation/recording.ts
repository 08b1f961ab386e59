/**
 * What is kept of a simulation while it runs: latencies in logarithmic bins, traffic and latency over time, and how busy each
 * channel was. Memory is bounded however long it runs: as time grows, points and intervals are joined in pairs.
 */
import type { WorkMeter } from '../model/cancellation.ts';
import { portCount, type Machine } from '../model/machine.ts';
import { realAt } from '../numeric/elements.ts';
import type { MessageObserver, WaitingPacket } from './messages.ts';

/** Logarithmic bins: `counts[b]` of them took `edges[b]` ≤ latency < `edges[b + 1]`. Percentiles are exact to the width of a bin. */
export interface LatencyHistogram {
  readonly count: number;
  readonly mean: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly maximum: number;
  readonly edges: Float64Array;
  readonly counts: Float64Array;
}

/** At most 2,000 points, each of `step` cycles. */
export interface TimeSeries {
  readonly step: number;
  /** Flits that arrived, per cycle. */
  readonly traffic: Float64Array;
  /** Mean latency of the packets that arrived in it, in cycles; NaN where none did. */
  readonly latency: Float64Array;
}

/** Traffic and latency by packets, not by time: a point for so many that have arrived, in the order in which they do. */
export interface PacketSeries {
  /** Cycle in which the last packet of each point arrived. */
  readonly cycles: readonly number[];
  /** Flits that arrived since the point before, of a router and cycle. */
  readonly traffic: readonly number[];
  /** Mean latency of these packets, in cycles. */
  readonly latency: readonly number[];
}

/** Use of channels over at most 256 intervals of time, as `[interval · channels + channel]`. */
export interface LinkUse {
  /** Cycles of an interval. */
  readonly interval: number;
  readonly intervals: number;
  readonly channels: number;
  /** 255: busy all of the interval. */
  readonly utilisation: Uint8Array;
  /** Packets that waited for the channel, on average over the interval, in eighths; 255 is 31.9 or more. */
  readonly queues: Uint8Array;
  /** Busy cycles of each channel over the whole run. */
  readonly busy: Float64Array;
}

/** Whole cycles have bins of their own up to here; from here on there are eight to a doubling. */
const exactBins = 16;
const binsPerDoubling = 8;
/** Up to 2^44 cycles. */
const doublings = 40;

const edges = ((): Float64Array => {
  const found = Float64Array.from({ length: exactBins + binsPerDoubling * doublings + 1 }, (_, bin) => bin);
  for (let bin = exactBins; bin < found.length; bin++) {
    const [doubling, eighth] = [Math.floor((bin - exactBins) / binsPerDoubling), (bin - exactBins) % binsPerDoubling];
    // Eighths of a doubling are equally wide, so that edges are exact.
    found[bin] = exactBins * 2 ** doubling * (1 + eighth / binsPerDoubling);
  }
  return found;
})();

/** The bin of a latency of 0 or more. O(1). */
function binOf(latency: number): number {
  if (latency < exactBins) return Math.floor(latency);
  let doubling = 0;
  let base = exactBins;
  while (base * 2 <= latency && doubling < doublings - 1) {
    base *= 2;
    doubling++;
  }
  const eighth = Math.min(binsPerDoubling - 1, Math.floor(((latency - base) / base) * binsPerDoubling));
  return exactBins + binsPerDoubling * doubling + eighth;
}

class Latencies {
  readonly #counts = new Float64Array(edges.length - 1);
  #count = 0;
  #sum = 0;
  #maximum = 0;

  add(latency: number): void {
    const bin = binOf(latency);
    this.#counts[bin] = realAt(this.#counts, bin) + 1;
    this.#count++;
    this.#sum += latency;
    if (latency > this.#maximum) this.#maximum = latency;
  }

  histogram(): LatencyHistogram {
    const last = this.#count === 0 ? 0 : binOf(this.#maximum);
    return {
      count: this.#count,
      mean: this.#count === 0 ? Number.NaN : this.#sum / this.#count,
      p50: this.#quantile(0.5),
      p95: this.#quantile(0.95),
      p99: this.#quantile(0.99),
      maximum: this.#count === 0 ? Number.NaN : this.#maximum,
      edges: edges.slice(0, last + 2),
      counts: this.#counts.slice(0, last + 1),
    };
  }

  /** The least edge below which there is at least that share, but never above the largest latency. */
  #quantile(share: number): number {
    if (this.#count === 0) return Number.NaN;
    let below = 0;
    for (let bin = 0; bin < this.#counts.length; bin++) {
      below += realAt(this.#counts, bin);
      if (below >= share * this.#count) return Math.min(this.#maximum, bin < exactBins ? bin : realAt(edges, bin + 1));
    }
    return this.#maximum;
  }
}

/** Sums over time in so many steps of equal length, which double when time goes beyond the last. */
class Steps {
  step: number;
  readonly #most: number;
  readonly #width: number;
  readonly #sums: Float32Array | Float64Array;

  /** `width` sums for each step. */
  constructor(most: number, sums: Float32Array | Float64Array, step: number) {
    this.#most = most;
    this.#width = sums.length / most;
    this.#sums = sums;
    this.step = step;
  }

  /** Joins steps until the cycle is among them, or until they are at least so long: a power of two of them at a time. */
  reach(cycle: number, shortest = 0): void {
    let joined = 1;
    while (cycle >= this.#most * this.step * joined || this.step * joined < shortest) joined *= 2;
    if (joined === 1) return;
    const sums = this.#sums;
    const [width, most] = [this.#width, this.#most];
    const kept = Math.ceil(most / joined);
    for (let step = 0; step < kept; step++) {
      for (let item = 0; item < width; item++) {
        let sum = 0;
        for (let each = step * joined, end = Math.min(most, each + joined); each < end; each++)
          sum += sums[each * width + item] ?? 0;
        sums[step * width + item] = sum;
      }
    }
    sums.fill(0, kept * width);
    this.step *= joined;
  }

  add(cycle: number, item: number, amount: number): void {
    this.reach(cycle);
    const at = Math.floor(cycle / this.step) * this.#width + item;
    this.#sums[at] = (this.#sums[at] ?? 0) + amount;
  }

  /** `cycles` from `start` on, each to its step. */
  addSpan(start: number, cycles: number, item: number): void {
    this.reach(start + cycles - 1);
    for (let at = start, end = start + cycles; at < end;) {
      const next = Math.min(end, (Math.floor(at / this.step) + 1) * this.step);
      this.add(at, item, next - at);
      at = next;
    }
  }
}

/** Points of equal numbers of packets (Orduña et al. 2004, section 5.2); what is left at the end makes none. */
class PacketPoints {
  readonly #every: number;
  readonly #routers: number;
  readonly #cycles: number[] = [];
  readonly #traffic: number[] = [];
  readonly #latency: number[] = [];
  #packets = 0;
  #flits = 0;
  #waited = 0;
  #cycle = 0;
  #before = 0;

  constructor(every: number, routers: number) {
    this.#every = every;
    this.#routers = routers;
  }

  add(cycle: number, flits: number, latency: number): void {
    this.#cycle = Math.max(this.#cycle, cycle);
    this.#flits += flits;
    this.#waited += latency;
    if (++this.#packets < this.#every) return;
    this.#cycles.push(this.#cycle);
    this.#traffic.push(this.#flits / this.#routers / Math.max(1, this.#cycle - this.#before));
    this.#latency.push(this.#waited / this.#packets);
    this.#before = this.#cycle;
    this.#packets = 0;
    this.#flits = 0;
    this.#waited = 0;
  }

  series(): PacketSeries {
    return { cycles: this.#cycles, traffic: this.#traffic, latency: this.#latency };
  }
}

const mostPoints = 2000;
const mostIntervals = 256;
/** Sums of intervals and channels: on large machines there are fewer intervals, at least this many. */
const mostSums = 2 ** 23;
const fewestIntervals = 16;
/** Cycles of a point or an interval at first. */
export const firstStep = 16;

/** Intervals at most. */
export const intervalsOf = (channels: number): number =>
  Math.max(fewestIntervals, Math.min(mostIntervals, 2 ** Math.floor(Math.log2(mostSums / channels))));

export const channelCountOf = ({ topology }: Machine): number =>
  topology.links.routerLinkCount + 2 * portCount(topology);

/** Records what an engine tells; `isWhole` false leaves intervals of channels and queues out. */
export class Recorder {
  readonly #channels: number;
  readonly #intervals: number;
  readonly #latencies = new Latencies();
  readonly #pointSums = new Float64Array(3 * mostPoints);
  readonly #points = new Steps(mostPoints, this.#pointSums, firstStep);
  readonly #busy: Float64Array;
  readonly #busySums: Float32Array;
  readonly #waitingSums: Float32Array;
  readonly #busySteps: Steps;
  readonly #waitingSteps: Steps;
  readonly #isWhole: boolean;
  readonly #packetPoints: PacketPoints | undefined;
  /** Flits that have arrived, and links between routers that their packets have crossed. */
  flits = 0;
  hops = 0;

  /** With `pointEvery` so many packets make a point of {@link packetSeries}. */
  constructor(machine: Machine, isWhole: boolean, pointEvery?: number) {
    const { routerCount } = machine.topology;
    this.#isWhole = isWhole;
    this.#packetPoints = pointEvery === undefined ? undefined : new PacketPoints(pointEvery, routerCount);
    this.#channels = channelCountOf(machine);
    const intervals = intervalsOf(this.#channels);
    this.#intervals = intervals;
    const sums = isWhole ? intervals * this.#channels : 0;
    this.#busy = new Float64Array(this.#channels);
    this.#busySums = new Float32Array(sums);
    this.#waitingSums = new Float32Array(sums);
    this.#busySteps = new Steps(intervals, this.#busySums, firstStep);
    this.#waitingSteps = new Steps(intervals, this.#waitingSums, firstStep);
  }

  /** `sinceOf` gives the cycle from which the latency of a message's packets counts, by its number and the cycle it was made in. */
  observer(sinceOf: (message: number, created: number) => number): MessageObserver {
    const delivered: MessageObserver['delivered'] = (message, created, arrived, hops, flits) => {
      const latency = Math.max(0, arrived - sinceOf(message, created));
      this.flits += flits;
      this.hops += hops;
      this.#latencies.add(latency);
      const cycle = Math.max(0, arrived);
      this.#points.add(cycle, 0, flits);
      this.#points.add(cycle, 1, latency);
      this.#points.add(cycle, 2, 1);
      this.#packetPoints?.add(cycle, flits, latency);
    };
    if (!this.#isWhole) return { delivered };
    return {
      delivered,
      crossed: (channel, start, cycles) => {
        if (channel >= this.#channels || cycles <= 0) return;
        this.#busy[channel] = realAt(this.#busy, channel) + cycles;
        this.#busySteps.addSpan(Math.max(0, start), cycles, channel);
      },
      waited: (channel, start, cycles) => {
        if (channel < this.#channels && cycles > 0) this.#waitingSteps.addSpan(Math.max(0, start), cycles, channel);
      },
    };
  }

  /** Those that wait still when all is over, which no engine has told of: up to the end of the last cycle. */
  stillWaiting(waiting: readonly Pick<WaitingPacket, 'wants' | 'since'>[], cycles: number): void {
    const { waited } = this.observer(() => 0);
    for (const { wants, since = cycles } of waiting) waited?.(wants, since, cycles - since, 0);
  }

  latency(): LatencyHistogram {
    return this.#latencies.histogram();
  }

  /** Undefined where no points were asked for. */
  packetSeries(): PacketSeries | undefined {
    return this.#packetPoints?.series();
  }

  /** Of the cycles from 0 to `cycles` − 1. */
  overTime(cycles: number): TimeSeries {
    const { step } = this.#points;
    const points = Math.min(mostPoints, Math.ceil(cycles / step));
    const sum = (point: number, item: number): number => realAt(this.#pointSums, 3 * point + item);
    // The last point may be of fewer cycles.
    const lengthOf = (point: number): number => Math.min(step, Math.max(1, cycles - point * step));
    return {
      step,
      traffic: Float64Array.from({ length: points }, (_, point) => sum(point, 0) / lengthOf(point)),
      latency: Float64Array.from({ length: points }, (_, point) => sum(point, 1) / sum(point, 2)),
    };
  }

  /** Undefined where it was cancelled. O(intervals · channels). */
  links(cycles: number, meter: WorkMeter): LinkUse | undefined {
    const [busySteps, waitingSteps] = [this.#busySteps, this.#waitingSteps];
    busySteps.reach(0, waitingSteps.step);
    waitingSteps.reach(0, busySteps.step);
    const interval = busySteps.step;
    // Also of a run without cycles there is a picture.
    const intervals = this.#isWhole ? Math.min(this.#intervals, Math.ceil(Math.max(1, cycles) / interval)) : 0;
    const channels = this.#channels;
    const utilisation = new Uint8Array(intervals * channels);
    const queues = new Uint8Array(intervals * channels);
    for (let of = 0; of < intervals; of++) {
      if (meter.isCancelledAfter(channels)) return undefined;
      const length = Math.min(interval, Math.max(1, cycles - of * interval));
      for (let at = of * channels, end = at + channels; at < end; at++) {
        utilisation[at] = Math.min(255, Math.round((255 * (this.#busySums[at] ?? 0)) / length));
        queues[at] = Math.min(255, Math.round((8 * (this.#waitingSums[at] ?? 0)) / length));
      }
    }
    // What began to cross a channel is told with all its cycles, also where the run ends before they do.
    const busy = this.#busy.map((own) => Math.min(own, cycles));
    return { interval, intervals, channels, utilisation, queues, busy };
  }
}

/** In place of the cycle from which latency counts: the one in which each packet is made. */
export const sinceMaking = -2;

/** How long the packets of each job took. Messages are known by their numbers of the network. */
export class JobLatencies {
  /** Of each message: the cycle from which its latency counts, or {@link sinceMaking}. */
  readonly since: number[] = [];
  /** −1 of background. */
  readonly jobOf: number[] = [];
  readonly #packets: Float64Array;
  readonly #sums: Float64Array;

  constructor(jobs: number) {
    this.#packets = new Float64Array(jobs);
    this.#sums = new Float64Array(jobs);
  }

  /** Tells `other` all, and keeps what is told of packets of jobs. */
  observer(other: MessageObserver): MessageObserver {
    return {
      ...other,
      delivered: (message, created, arrived, hops, flits) => {
        other.delivered?.(message, created, arrived, hops, flits);
        const job = this.jobOf[message] ?? -1;
        if (job < 0) return;
        const since = this.since[message] ?? sinceMaking;
        this.#packets[job] = realAt(this.#packets, job) + 1;
        this.#sums[job] = realAt(this.#sums, job) + Math.max(0, arrived - (since === sinceMaking ? created : since));
      },
    };
  }

  of(job: number): { readonly packets: number; readonly latency: number } {
    const packets = realAt(this.#packets, job);
    return { packets, latency: realAt(this.#sums, job) / packets };
  }
}
