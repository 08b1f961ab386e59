/**
 * One replication: jobs arrive, wait, are started by a scheduler on nodes of an allocator, and leave. At one instant completions
 * come first, then arrivals, then scheduling; a job that ends in the instant of its start is a completion of the next
 * round of that instant.
 */
import type { NodeFinder, NodeRequest } from '../allocation/contract.ts';
import { type Cancellation } from '../model/cancellation.ts';
import { RefusalCounter } from '../model/jobLog.ts';
import { cancelled, type Result, succeed } from '../model/result.ts';
import type { StreamEnd } from '../model/stream.ts';
import { byteAt, grown, intAt, realAt } from '../numeric/elements.ts';
import type { Figures, StreamNetwork, Transmission } from '../simulation/messages.ts';
import type { NodeShapes, RunningJobs, Scheduler, SchedulingState } from './contract.ts';
import { ExpectedEnds, KnownEnds } from './jobEnds.ts';
import { type JobSource, type JobTable } from './jobs.ts';
import { noticesOfRun, type RunEnd, type StreamRun } from './streamRun.ts';
import { WaitingJobs } from './waitingJobs.ts';

export interface Replication {
  readonly source: JobSource;
  readonly nodeCount: number;
  /** 1 for each node, by NodeId, that runs nothing; absent where all work. */
  readonly broken?: Uint8Array | undefined;
  readonly scheduler: Scheduler;
  /** Which nodes a job is given. Absent: jobs are counted only, and any free nodes will do. */
  readonly allocator?: { readonly finder: NodeFinder; readonly contiguous: boolean };
  /** Messages of jobs: each job sends when it starts and leaves with the arrival of its last packet. Time is in cycles then. */
  readonly network?: JobNetwork;
  readonly end: StreamEnd;
  /** Keeps the nodes of every job. */
  readonly keepNodes?: boolean;
  readonly limits?: Limits;
  readonly cancellation: Cancellation;
  /** Told of the jobs that have left, whenever some do. */
  readonly progress?: (completed: number) => void;
}

export interface JobNetwork {
  readonly network: StreamNetwork;
  /** Messages of a job: what it asks for where nobody knows its run time. */
  readonly demandOf: (job: number, jobs: JobTable) => number;
  /** What a job sends from these nodes, which are in the allocator's order. Without packets it leaves after one cycle. */
  readonly transmissionOf: (job: number, jobs: JobTable, nodes: Int32Array) => Transmission;
}

/** What keeps a stream that never ends, or arrives faster than it is served, within memory. */
export interface Limits {
  readonly arrivedJobs: number;
  readonly waitingJobs: number;
}

/** About 100 bytes a job. */
const usualLimits: Limits = { arrivedJobs: 4_000_000, waitingJobs: 1_000_000 };

const eventsPerLook = 32;

/**
 * Simulates one replication. Fails where it is cancelled, and in no other way. Memory: about 100 bytes a job that arrived, and
 * what the nodes and the network need. O(log running) an event beside what scheduler, allocator and network take.
 */
export function simulateStream(replication: Replication): Result<StreamRun> {
  return new Simulator(replication).run();
}

class Simulator implements SchedulingState {
  now: number;
  readonly jobs: JobTable;
  readonly waiting: WaitingJobs;
  readonly running: RunningJobs;
  readonly shapes: NodeShapes | undefined;
  freeCount: number;
  /** Nodes that can run jobs. */
  private readonly workingCount: number;
  readonly #given: Replication;
  readonly #limits: Limits;
  readonly #byEnd: ExpectedEnds;
  readonly #ends: KnownEnds;
  readonly #busy: Uint8Array;
  /** Nodes of running jobs. */
  readonly #nodesOf: (Int32Array | undefined)[] = [];
  /** By transmission. */
  #jobOfTransmission = new Int32Array(256);
  #transmissionsUnderWay = 0;
  #runningCount = 0;
  readonly #asksForRunning: boolean;
  /** Jobs that leave at an instant. */
  readonly #leaving: number[] = [];
  /** Requests that cannot be had until nodes become free or busy. */
  readonly #cannotBeHad = new Set<number>();
  /** Nodes of the machine when it is empty. */
  readonly #idle: Uint8Array;
  readonly #canEverBeHad = new Map<number, boolean>();
  readonly #refusals = new RefusalCounter();
  readonly #kept: (Int32Array | undefined)[] = [];
  #starts = new Float64Array(0);
  #endTimes = new Float64Array(0);
  #refused = new Uint8Array(0);
  /** Nodes of jobs that run, where the scheduler does not ask for them. */
  #held = new Int32Array(0);
  #packets = new Float64Array(0);
  #hops = new Float64Array(0);
  #latency = new Float64Array(0);
  /** Of jobs that ever waited, in order of arrival. */
  #admissionOf = new Int32Array(0);
  #completed = new Int32Array(256);
  #completedCount = 0;
  #admittedCount = 0;
  #startedCount = 0;
  #inSystem = 0;
  #jobTime = 0;
  #hasNext = false;
  /** The next job to arrive, already in the table. */
  #arriving = 0;
  #events = 0;
  #wasCancelled = false;

  constructor(replication: Replication) {
    const { source, nodeCount, broken, allocator, scheduler } = replication;
    this.#given = replication;
    this.#limits = replication.limits ?? usualLimits;
    this.jobs = source.table;
    this.waiting = new WaitingJobs(source.table);
    this.#byEnd = new ExpectedEnds(nodeCount);
    this.running = this.#byEnd;
    this.workingCount = nodeCount - (broken?.reduce((sum, is) => sum + is, 0) ?? 0);
    this.freeCount = this.workingCount;
    this.#ends = new KnownEnds(nodeCount);
    this.#busy = broken?.slice() ?? new Uint8Array(nodeCount);
    this.#idle = broken?.slice() ?? new Uint8Array(nodeCount);
    this.shapes = allocator?.contiguous === true ? this.#shapesOf(allocator.finder) : undefined;
    this.#keyOf = scheduler.keyOf ?? (() => 0);
    this.#asksForRunning = scheduler.asksForRunning === true;
    this.now = 0;
  }

  readonly #keyOf: NonNullable<Scheduler['keyOf']>;

  run(): Result<StreamRun> {
    this.#draw();
    const begin =
      this.#hasNext && this.#given.source.total !== undefined && intAt(this.jobs.line, 0) > 0 ? this.#arrivalTime() : 0;
    this.now = begin;
    let end: RunEnd | undefined;
    while (end === undefined) {
      if (++this.#events % eventsPerLook === 0 && this.isCancelled()) break;
      end = this.#step();
    }
    if (this.#wasCancelled) return cancelled();
    return succeed(this.#outcome(begin, end ?? 'as-asked'));
  }

  isCancelled(): boolean {
    this.#wasCancelled ||= this.#given.cancellation.isCancelled();
    return this.#wasCancelled;
  }

  /** One round of an instant; how the run ends, where it does. */
  #step(): RunEnd | undefined {
    const { end, scheduler } = this.#given;
    const stop = end.kind === 'time' ? end.time : Infinity;
    const instant = this.#nextInstant(stop);
    if (typeof instant !== 'number') return instant;
    if (instant === Infinity) return end.kind === 'completed' ? 'no-more-jobs' : 'as-asked';
    this.#passTo(instant);
    if (instant >= stop) return 'as-asked';
    const before = this.#completedCount;
    this.#completeAll(instant);
    if (this.#completedCount > before) this.#given.progress?.(this.#completedCount);
    if (end.kind === 'completed' && this.#completedCount >= end.jobs) return 'as-asked';
    const limit = this.#arriveAll(instant);
    if (limit === undefined && this.waiting.count > 0) scheduler.schedule(this);
    return limit;
  }

  /** The time of the next completion or arrival, at most `stop`; Infinity for none. The network is then at that time. */
  #nextInstant(stop: number): number | RunEnd {
    const { network, cancellation } = this.#given;
    const arrival = this.#hasNext ? this.#arrivalTime() : Infinity;
    const instant = Math.min(arrival, this.#ends.earliest, stop);
    if (network === undefined || this.#transmissionsUnderWay === 0) return instant;
    const messages = network.network;
    const to = instant === Infinity ? Number.MAX_SAFE_INTEGER : Math.max(messages.now, Math.floor(instant));
    const advance = messages.advance(to, cancellation);
    if (advance === 'events') return messages.now;
    if (advance === 'reached') return instant;
    if (advance === 'deadlock') this.#passTo(messages.now);
    else this.#wasCancelled = true;
    return advance === 'deadlock' ? 'deadlock' : 'as-asked';
  }

  #arriveAll(instant: number): RunEnd | undefined {
    while (this.#hasNext && this.#arrivalTime() <= instant) {
      this.#arrive();
      if (this.waiting.count > this.#limits.waitingJobs) return 'too-many-waiting';
      if (this.#arriving >= this.#limits.arrivedJobs) return 'too-many-jobs';
      // Many may come at once, or all may be refused.
      if (++this.#events % eventsPerLook === 0 && this.isCancelled()) return 'as-asked';
    }
    return undefined;
  }

  #passTo(instant: number): void {
    this.#jobTime += (instant - this.now) * this.#inSystem;
    this.now = instant;
  }

  /** In cycles, jobs that arrive between two are seen at the next one. */
  #arrivalTime(): number {
    const submit = realAt(this.jobs.submit, this.#arriving);
    return this.#given.network === undefined ? submit : Math.ceil(submit);
  }

  #draw(): void {
    const { end, source } = this.#given;
    const isLast = end.kind === 'arrived' && this.#arriving >= end.jobs;
    this.#hasNext = !isLast && (this.jobs.count > this.#arriving || source.next());
  }

  #arrive(): void {
    const job = this.#arriving++;
    this.#reserve(job);
    const reason = this.#refusalOf(job);
    if (reason === undefined) {
      this.#admissionOf[job] = this.#admittedCount++;
      const estimate = realAt(this.jobs.estimate, job);
      const { scheduler, network } = this.#given;
      const isOrdered = scheduler.keyOf !== undefined;
      this.jobs.demand[job] = isOrdered && Number.isNaN(estimate) ? (network?.demandOf(job, this.jobs) ?? 0) : estimate;
      this.waiting.add(job, this.#keyOf(job, this.jobs));
      this.#inSystem++;
    } else {
      this.#refusals.add(reason, job);
      this.#refused[job] = 1;
    }
    this.#draw();
  }

  #reserve(job: number): void {
    if (job < this.#starts.length) return;
    const [before, length] = [this.#starts.length, Math.max(256, job * 2)];
    this.#starts = grown(this.#starts, new Float64Array(length));
    this.#endTimes = grown(this.#endTimes, new Float64Array(length));
    this.#starts.fill(Number.NaN, before);
    this.#endTimes.fill(Number.NaN, before);
    this.#refused = grown(this.#refused, new Uint8Array(length));
    this.#held = grown(this.#held, new Int32Array(length));
    this.#admissionOf = grown(this.#admissionOf, new Int32Array(length));
    if (this.#given.network === undefined) return;
    this.#packets = grown(this.#packets, new Float64Array(length));
    this.#hops = grown(this.#hops, new Float64Array(length));
    this.#latency = grown(this.#latency, new Float64Array(length));
  }

  /** Why the job could never start, even on the empty machine. */
  #refusalOf(job: number): string | undefined {
    const { allocator } = this.#given;
    if (intAt(this.jobs.processors, job) > this.workingCount)
      return `it asks for more processors than the machine's ${this.workingCount}`;
    if (this.shapes === undefined || allocator === undefined) return undefined;
    const key = this.#requestKey(job);
    let can = this.#canEverBeHad.get(key);
    if (can === undefined) {
      can = allocator.finder.find(this.#idle, this.#requestOf(job)) !== undefined;
      this.#canEverBeHad.set(key, can);
    }
    return can ? undefined : 'its submesh does not fit the machine';
  }

  #requestOf(job: number): NodeRequest {
    const [width, height] = [intAt(this.jobs.width, job), intAt(this.jobs.height, job)];
    const nodeCount = intAt(this.jobs.processors, job);
    return height === 0 ? { nodeCount } : { nodeCount, sides: [width, height] };
  }

  /** Different for different requests. */
  #requestKey(job: number): number {
    return (
      intAt(this.jobs.processors, job) * 2 ** 22 +
      (intAt(this.jobs.height, job) === 0 ? 0 : intAt(this.jobs.width, job))
    );
  }

  tryStart = (job: number): boolean => {
    const processors = intAt(this.jobs.processors, job);
    if (processors > this.freeCount) return false;
    const { allocator, network } = this.#given;
    if (allocator === undefined && network === undefined && this.#given.keepNodes !== true) {
      this.#start(job, processors, undefined);
      return true;
    }
    const nodes = this.#findNow(job);
    if (nodes !== undefined) this.#start(job, nodes.length, nodes);
    return nodes !== undefined;
  };

  #findNow(job: number): Int32Array | undefined {
    const { allocator } = this.#given;
    const key = this.#requestKey(job);
    if (this.#cannotBeHad.has(key)) return undefined;
    const nodes =
      allocator === undefined
        ? this.#lowestFree(intAt(this.jobs.processors, job))
        : allocator.finder.find(this.#busy, this.#requestOf(job));
    if (nodes === undefined) this.#cannotBeHad.add(key);
    return nodes;
  }

  nodesOf = (job: number): number => {
    const processors = intAt(this.jobs.processors, job);
    return this.#given.allocator?.finder.heldBy?.(processors) ?? processors;
  };

  bypassesOfOldest = (): number => {
    const oldest = this.waiting.first;
    return oldest < 0 ? 0 : this.#startedCount - intAt(this.#admissionOf, oldest);
  };

  #lowestFree(count: number): Int32Array {
    const nodes = new Int32Array(count);
    for (let node = 0, found = 0; found < count; node++) if (byteAt(this.#busy, node) === 0) nodes[found++] = node;
    return nodes;
  }

  #start(job: number, held: number, nodes: Int32Array | undefined): void {
    this.waiting.remove(job);
    this.#startedCount++;
    this.#starts[job] = this.now;
    this.freeCount -= held;
    this.#runningCount++;
    if (this.#asksForRunning) this.#byEnd.add(job, this.now + realAt(this.jobs.estimate, job), held);
    else this.#held[job] = held;
    if (nodes !== undefined) {
      this.#hold(job, nodes);
      this.#nodesOf[job] = nodes;
      if (this.#given.keepNodes === true) this.#kept[job] = nodes;
    }
    this.#beginService(job, nodes);
  }

  #beginService(job: number, nodes: Int32Array | undefined): void {
    const { network } = this.#given;
    if (network === undefined || nodes === undefined) {
      this.#ends.add(job, this.now + realAt(this.jobs.run, job));
      return;
    }
    const transmission = network.transmissionOf(job, this.jobs, nodes);
    if (transmission.source.packetCount === 0) {
      this.#ends.add(job, this.now + 1 + this.#computingOf(job));
      return;
    }
    // Nothing was under way, so the time of the network has stood still.
    if (network.network.now < this.now) network.network.advance(this.now, this.#given.cancellation);
    const number = network.network.sendAll(transmission);
    const { length } = this.#jobOfTransmission;
    if (number >= length) this.#jobOfTransmission = grown(this.#jobOfTransmission, new Int32Array(2 * length));
    this.#jobOfTransmission[number] = job;
    this.#transmissionsUnderWay++;
  }

  /** Computing comes after the messages, in whole cycles. */
  #computingOf(job: number): number {
    const run = realAt(this.jobs.run, job);
    return Number.isNaN(run) ? 0 : Math.ceil(run);
  }

  /** All jobs that end at the instant leave, the lower numbers first. */
  #completeAll(instant: number): void {
    const leaving = this.#leaving;
    leaving.length = 0;
    const messages = this.#given.network?.network;
    if (messages !== undefined && messages.now === instant) {
      for (const transmission of messages.completed) {
        const job = intAt(this.#jobOfTransmission, transmission);
        this.#transmissionsUnderWay--;
        this.#keepFigures(job, messages.figuresOf(transmission));
        const computing = this.#computingOf(job);
        if (computing > 0) this.#ends.add(job, instant + computing);
        else leaving.push(job);
      }
    }
    while (this.#ends.earliest <= instant) leaving.push(this.#ends.takeFirst());
    if (leaving.length > 1) leaving.sort((a, b) => a - b);
    const { end } = this.#given;
    for (const job of leaving) {
      if (end.kind === 'completed' && this.#completedCount >= end.jobs) return;
      this.#leave(job);
    }
  }

  #keepFigures(job: number, figures: Figures | undefined): void {
    this.#packets[job] = figures?.packets ?? 0;
    this.#hops[job] = figures?.hops ?? 0;
    this.#latency[job] = figures?.latency ?? 0;
  }

  #leave(job: number): void {
    this.#endTimes[job] = this.now;
    this.#inSystem--;
    if (this.#completedCount === this.#completed.length)
      this.#completed = grown(this.#completed, new Int32Array(this.#completedCount * 2));
    this.#completed[this.#completedCount++] = job;
    this.#runningCount--;
    this.freeCount += this.#asksForRunning
      ? this.#byEnd.remove(job, realAt(this.#starts, job) + realAt(this.jobs.estimate, job))
      : intAt(this.#held, job);
    const nodes = this.#nodesOf[job];
    if (nodes === undefined) return;
    this.#nodesOf[job] = undefined;
    if (this.#cannotBeHad.size > 0) this.#cannotBeHad.clear();
    const busy = this.#busy;
    for (let each = 0; each < nodes.length; each++) busy[intAt(nodes, each)] = 0;
  }

  #hold(job: number, nodes: Int32Array): void {
    const busy = this.#busy;
    for (let each = 0; each < nodes.length; each++) {
      const node = intAt(nodes, each);
      if (byteAt(busy, node) !== 0) throw new Error(`Job ${job} was allocated node ${node}, which is busy.`);
      busy[node] = 1;
    }
    if (this.#cannotBeHad.size > 0) this.#cannotBeHad.clear();
  }

  #shapesOf(finder: NodeFinder): NodeShapes {
    return {
      copyOfBusy: () => this.#busy.slice(),
      find: (busy, job) => finder.find(busy, this.#requestOf(job)),
      findNow: (job) => this.#findNow(job),
      nodesOf: (job) => {
        const nodes = this.#nodesOf[job];
        if (nodes === undefined) throw new RangeError(`Job ${job} is not running.`);
        return nodes;
      },
      startOn: (job, nodes) => {
        this.#start(job, nodes.length, nodes);
      },
    };
  }

  #outcome(beginTime: number, end: RunEnd): StreamRun {
    const arrived = this.#arriving;
    // The job that would have been next has not arrived.
    this.jobs.count = Math.min(this.jobs.count, arrived);
    return {
      jobs: this.jobs,
      starts: this.#starts.subarray(0, arrived),
      ends: this.#endTimes.subarray(0, arrived),
      completed: this.#completed.subarray(0, this.#completedCount),
      refusedJobs: this.#refused.subarray(0, arrived),
      refusals: this.#refusals.refused,
      messages: this.#given.network && {
        packets: this.#packets.subarray(0, arrived),
        hops: this.#hops.subarray(0, arrived),
        latency: this.#latency.subarray(0, arrived),
      },
      nodes: this.#kept,
      nodeCount: this.#given.nodeCount,
      workingCount: this.workingCount,
      beginTime,
      endTime: this.now,
      jobTime: this.#jobTime,
      end,
      deadlock: end === 'deadlock' ? this.#given.network?.network.deadlock : undefined,
      waitingAtEnd: this.waiting.count,
      runningAtEnd: this.#runningCount,
      notices: noticesOfRun(end, {
        asked: this.#given.end,
        arrived,
        completed: this.#completedCount,
        waiting: this.waiting.count,
        running: this.#runningCount,
        isLast: !this.#hasNext,
        stuckSince: this.#given.network?.network.deadlock?.since ?? this.now,
      }),
    };
  }
}
