/**
 * Programs of tasks and messages at given times, played back on a network: who sends what when, who waits for what, and what
 * came of it. Any engine carries the messages. What a simulation says is plain data, which crosses threads and is drawn,
 * written and compared; channels are numbered as in `contract.ts`.
 *
 * A task does its lists in order. What happens at the end of a cycle (a message has left, a message has arrived, computing is
 * over) lets its lists go on at once: messages that they then send are made from the next cycle on. The end of a task is counted
 * in that next cycle, as the cycle in which its last list is empty (Pascual et al. 2010).
 */
import { WorkMeter, type Cancellation } from '../model/cancellation.ts';
import type { Machine } from '../model/machine.ts';
import type { NetworkModel } from '../model/networkModel.ts';
import { drawSeed, seededRandom, type RandomSource } from '../model/random.ts';
import { cancelled, fail, succeed, type Result } from '../model/result.ts';
import { nodeOfSlot } from '../model/slots.ts';
import { operationKind, type TimedMessages, type Workload } from '../model/workload.ts';
import { byteAt, intAt, itemAt, realAt } from '../numeric/elements.ts';
import { IndexedHeap } from '../numeric/heap.ts';
import { backgroundTraffic, type Background, type BackgroundTraffic } from './background.ts';
import type { Deadlock } from './contract.ts';
import { messageNetwork } from './engines.ts';
import { serverKinds, type ServerKind, type ServerNetwork } from './engines/servers.ts';
import type { MessageNetwork, MessageObserver } from './messages.ts';
import {
  MomentKeeper,
  Recorder,
  type LatencyHistogram,
  type LinkUse,
  type PacketSeries,
  type TimeSeries,
  type WaitingMessage,
  type WaitingMoments,
} from './recording.ts';
import { Cursors, forEachOperation, MessageKinds } from './workloads/programs.ts';

export { waitingAt } from './recording.ts';
export type { LatencyHistogram, LinkUse, PacketSeries, TimeSeries, WaitingMessage } from './recording.ts';

export interface SimulationResult {
  /** Cycles that were simulated, or more where it ended early: the last one plus 1. */
  readonly cycles: number;
  /** Cycle in which the last task ended. Undefined where not all did: a deadlock, a budget, a receive without its send, cancelled. */
  readonly makespan: number | undefined;
  /** Cycle in which each task ended, job after job; NaN of those that have not. */
  readonly finish: Float64Array;
  /** Of packets, from the cycle in which they were made (of messages at given times: from their time) to that in which they arrived. */
  readonly latency: LatencyHistogram;
  /** Flits that arrived. */
  readonly flits: number;
  readonly overTime: TimeSeries;
  /** Where {@link Simulation.pointEvery} asks for it. */
  readonly byPackets?: PacketSeries;
  readonly links: LinkUse;
  /** What came of each job. */
  readonly jobs: readonly JobResult[];
  /** Of engines with servers: visits and cycles waited, summed, of each kind of server. */
  readonly waits?: ServerWaits;
  readonly deadlock: Deadlock | undefined;
  /** Tasks that have not ended, and what they wait for. */
  readonly waiting: readonly WaitingTask[];
  /** Where the machine has a bandwidth. */
  readonly secondsPerCycle: number | undefined;
  /** Where they were asked for. */
  readonly moments?: WaitingMoments;
}

export interface ServerWaits {
  /** What the servers are called. */
  readonly server: readonly ServerKind[];
  readonly visits: Float64Array;
  readonly waited: Float64Array;
  /** Cycles that the busiest server of the kind has worked. */
  readonly busiest: Float64Array;
}

export interface JobResult {
  /** Cycle in which its last task ended; undefined where not all did. */
  readonly finish: number | undefined;
  /** Packets that arrived, and their mean latency in cycles; NaN where none did. */
  readonly packets: number;
  readonly latency: number;
}

export interface WaitingTask {
  /** Number of the task, counted over all jobs. */
  readonly task: number;
  readonly for: 'receive' | 'send';
  readonly partner: number;
  readonly tag: number;
  readonly bytes: number;
}

/** One job: its program, or its messages with times that are divided by `speed`; and the slot of each task. */
export type SimulatedJob = { readonly slotOfTask: Int32Array } & (
  | { readonly kind: 'causal'; readonly workload: Workload }
  | { readonly kind: 'open'; readonly messages: TimedMessages; readonly speed: number }
);

export interface Simulation {
  readonly model: NetworkModel;
  readonly machine: Machine;
  readonly jobs: readonly SimulatedJob[];
  readonly background?: BackgroundTraffic;
  /** Of background, and of what the network leaves to chance. */
  readonly seed: number;
  /** The last cycle that is simulated; without it, as many as it takes. */
  readonly untilCycle?: number;
  /** `few` leaves out what takes time to record: use of channels and queues. */
  readonly figures?: 'all' | 'few';
  /** Packets that make a point of {@link SimulationResult.byPackets}. */
  readonly pointEvery?: number;
  /** Who waits at the ends of intervals is kept, for a playback. */
  readonly keepsMoments?: boolean | undefined;
}

/**
 * Simulates to the end: all tasks have ended, nothing can move any more, nobody sends what is waited for, or the last
 * cycle or time has come. Fails as the network does, with `cancelled`, and with `no-times` where seconds are not related to
 * cycles. Time is linear in messages and in what the engine does; memory does not grow with messages sent.
 */
export function simulate(
  simulation: Simulation,
  cancellation: Cancellation,
  { progress, isTimeOver = () => false }: SimulationWatch = {},
): Result<SimulationResult> {
  const replay = Replay.of(simulation, cancellation);
  if (!replay.ok) return replay;
  replay.value.run({ isCancelled: () => isTimeOver() || cancellation.isCancelled() }, progress);
  return cancellation.isCancelled() ? cancelled() : succeed(replay.value.result());
}

/** What is heard and asked while a simulation runs. */
export interface SimulationWatch {
  readonly progress?: ((cycle: number, share: number) => void) | undefined;
  /** It ends with what there is by now. */
  readonly isTimeOver?: () => boolean;
}

/** Simulates to a cycle, and says what waits there. Fails as {@link simulate} does, and with `cancelled`. */
export function momentOf(
  simulation: Simulation,
  cycle: number,
  cancellation: Cancellation,
): Result<readonly WaitingMessage[]> {
  const replay = Replay.of({ ...simulation, untilCycle: cycle, figures: 'few' }, cancellation);
  if (!replay.ok) return replay;
  replay.value.run(cancellation);
  return cancellation.isCancelled() ? cancelled() : succeed(replay.value.waitingMessages());
}

/** Lists, tasks and messages of one causal job, which share numbers with those of the others. */
interface CausalJob {
  readonly workload: Workload;
  readonly cursors: Cursors;
  /** Of its operations, which messages they are: by sender, receiver, tag and bytes. */
  readonly keyOf: Int32Array;
  readonly firstTask: number;
  readonly firstList: number;
}

interface OpenJob {
  readonly messages: TimedMessages;
  readonly firstTask: number;
  readonly secondsToCycles: number;
  next: number;
}

const none = -1;
/** Looks at the cancellation between two words of the progress. */
const looksPerTold = 64;

class Replay {
  readonly #simulation: Simulation;
  readonly #network: MessageNetwork;
  readonly #recorder: Recorder;
  readonly #latencies: JobLatencies;
  /** End of the network of each task, job after job. */
  readonly #endOfTask: Int32Array;
  readonly #finish: Float64Array;
  /** Lists, or messages of open jobs, that each task has still to do. */
  readonly #left: Float64Array;
  readonly #causal: readonly CausalJob[];
  readonly #open: readonly OpenJob[];
  readonly #jobOfList: Int32Array;
  /** Cycle at whose end the computing of a list is over, negative, since the heap has the largest first. */
  readonly #due: Float64Array;
  readonly #computing: IndexedHeap;
  /** Of each key: messages that are there and not received, and the first list that waits for one. */
  readonly #arrived: Float64Array;
  readonly #waiter: Int32Array;
  readonly #nextWaiter: Int32Array;
  /** By number of the network: the list that sends it, and its key; −1 of open jobs and background. */
  readonly #listOfMessage: number[] = [];
  readonly #keyOfMessage: number[] = [];
  /** Tasks of the message, −1 of background; the cycle at whose end it was handed over, −2 where latency counts from its making. */
  readonly #fromOfMessage: number[] = [];
  readonly #toOfMessage: number[] = [];
  readonly #sinceOfMessage: number[];
  readonly #jobOfTask: Int32Array;
  readonly #ready: number[] = [];
  readonly #background: Background | undefined;
  /** Messages of jobs that were handed over and have not arrived. */
  #underWay = 0;
  #messagesLeft = 0;
  readonly #messagesAll: number;
  #tasksLeft: number;
  readonly #meter: WorkMeter;
  readonly #moments: MomentKeeper | undefined;
  #makespan = 0;

  /** Fails as the network does, where seconds are not related to cycles, and with `cancelled`. */
  static of(simulation: Simulation, cancellation: Cancellation): Result<Replay> {
    const recorder = new Recorder(simulation.machine, simulation.figures !== 'few', simulation.pointEvery);
    const latencies = new JobLatencies(simulation.jobs.length);
    const { since } = latencies;
    const observer = latencies.observer(
      recorder.observer((message, created) => {
        const at = since[message];
        return at === undefined || at === none - 1 ? created : at;
      }),
    );
    const random = seededRandom(simulation.seed);
    const network = messageNetwork(simulation.model, simulation.machine, observer, seededRandom(drawSeed(random)));
    if (!network.ok) return network;
    const needsSeconds = simulation.jobs.some((job) => job.kind === 'open' || hasComputing(job.workload));
    if (needsSeconds && network.value.secondsPerCycle === undefined) {
      return fail(
        'no-times',
        `Times in seconds are cycles by the bandwidth of a link: give machine \`${simulation.machine.name}\` a \`bandwidth\`, or leave computing out.`,
      );
    }
    const replay = new Replay(simulation, network.value, {
      recorder,
      latencies,
      random,
      meter: new WorkMeter(cancellation),
    });
    return cancellation.isCancelled() ? cancelled() : succeed(replay);
  }

  private constructor(
    simulation: Simulation,
    network: MessageNetwork,
    {
      recorder,
      latencies,
      random,
      meter,
    }: {
      readonly recorder: Recorder;
      readonly latencies: JobLatencies;
      readonly random: RandomSource;
      readonly meter: WorkMeter;
    },
  ) {
    const { jobs, machine } = simulation;
    this.#simulation = simulation;
    this.#network = network;
    this.#recorder = recorder;
    this.#latencies = latencies;
    this.#sinceOfMessage = latencies.since;
    this.#jobOfTask = Int32Array.from(jobs.flatMap(({ slotOfTask }, job) => Array.from(slotOfTask, () => job)));
    this.#meter = meter;
    this.#moments = simulation.keepsMoments === true ? new MomentKeeper(machine) : undefined;
    const endOf = (slot: number): number => (network.endpoints === 'slots' ? slot : nodeOfSlot(machine, slot));
    this.#endOfTask = Int32Array.from(
      jobs.flatMap(({ slotOfTask }) => Array.from(slotOfTask)),
      endOf,
    );
    const tasks = this.#endOfTask.length;
    this.#finish = new Float64Array(tasks).fill(Number.NaN);
    this.#left = new Float64Array(tasks);
    const causal: CausalJob[] = [];
    const open: OpenJob[] = [];
    let keys = 0;
    const jobOfList: number[] = [];
    let firstTask = 0;
    for (const job of jobs) {
      if (job.kind === 'causal') {
        const { workload } = job;
        const own = keysOf(workload, keys, meter);
        if (own === undefined) break;
        keys = own.end;
        const made = { workload, cursors: new Cursors(workload), keyOf: own.keyOf };
        const firstList = jobOfList.length;
        for (const task of workload.taskOfList) {
          jobOfList.push(causal.length);
          this.#left[firstTask + task] = realAt(this.#left, firstTask + task) + 1;
        }
        causal.push({ ...made, firstTask, firstList });
        this.#messagesLeft += this.#remoteMessages(workload, firstTask);
      } else {
        const { messages, speed } = job;
        for (let message = 0; message < messages.times.length; message++) {
          if (meter.isCancelledAfter(1)) break;
          for (const task of [intAt(messages.from, message), intAt(messages.to, message)]) {
            this.#left[firstTask + task] = realAt(this.#left, firstTask + task) + 1;
          }
        }
        open.push({ messages, firstTask, secondsToCycles: 1 / speed / (network.secondsPerCycle ?? 1), next: 0 });
        this.#messagesLeft += messages.times.length;
      }
      firstTask += job.slotOfTask.length;
    }
    this.#causal = causal;
    this.#open = open;
    this.#jobOfList = Int32Array.from(jobOfList);
    this.#due = new Float64Array(jobOfList.length);
    this.#computing = new IndexedHeap(this.#due);
    this.#arrived = new Float64Array(keys);
    this.#waiter = new Int32Array(keys).fill(none);
    this.#nextWaiter = new Int32Array(jobOfList.length).fill(none);
    this.#messagesAll = this.#messagesLeft;
    this.#tasksLeft = tasks;
    const { background, model } = simulation;
    this.#background = background && backgroundTraffic(background, machine, model, network, this.#endOfTask, random);
    for (let task = 0; task < tasks; task++) if (this.#left[task] === 0) this.#end(task);
    for (let list = 0; list < jobOfList.length; list++) this.#ready.push(list);
  }

  run(cancellation: Cancellation, progress?: (cycle: number, share: number) => void): void {
    const network = this.#network;
    const last = this.#simulation.untilCycle ?? Infinity;
    const watched = progress === undefined ? cancellation : this.#telling(cancellation, progress);
    while (!watched.isCancelled() && this.#goOn() && this.#tasksLeft > 0 && network.now < last) {
      if (network.now === this.#moments?.next) this.#moments.add(this.waitingMessages());
      if (this.#isStuck()) return;
      const next = Math.min(this.#nextTime(), this.#moments?.next ?? Infinity);
      const advance = network.advance(Math.min(longest, last, next), watched);
      if (advance === 'deadlock' || advance === 'cancelled') return;
      if (advance === 'events') this.#takeEvents();
    }
  }

  /** Who looks often whether it is cancelled tells now and then how far it is. */
  #telling(cancellation: Cancellation, progress: (cycle: number, share: number) => void): Cancellation {
    let looks = 0;
    return {
      isCancelled: () => {
        if (++looks % looksPerTold === 0) progress(this.#network.now, this.#share());
        return cancellation.isCancelled();
      },
    };
  }

  result(): SimulationResult {
    const network = this.#network;
    const [recorder, latencies] = [this.#recorder, this.#latencies];
    const isComplete = this.#tasksLeft === 0;
    const cycles = Math.max(0, network.now + 1, isComplete ? this.#makespan : 0);
    const waits = serverWaits(network);
    const byPackets = recorder.packetSeries();
    return {
      cycles,
      makespan: isComplete ? this.#makespan : undefined,
      finish: this.#finish,
      latency: recorder.latency(),
      flits: recorder.flits,
      overTime: recorder.overTime(cycles),
      ...(byPackets && { byPackets }),
      links: recorder.links(cycles),
      jobs: this.#simulation.jobs.map(({ slotOfTask }, job) => {
        const first = this.#firstTaskOf(job);
        const ends = this.#finish.subarray(first, first + slotOfTask.length);
        return {
          finish: ends.some(Number.isNaN) ? undefined : ends.reduce((last, end) => Math.max(last, end), 0),
          ...latencies.of(job),
        };
      }),
      ...(waits && { waits }),
      deadlock: network.deadlock,
      waiting: isComplete ? [] : this.#waitingTasks(),
      secondsPerCycle: network.secondsPerCycle,
      ...(this.#moments && { moments: this.#moments.moments(network.now, this.waitingMessages()) }),
    };
  }

  waitingMessages(): readonly WaitingMessage[] {
    return this.#network.waiting().map(({ transmission, holds, wants }) => {
      const from = this.#fromOfMessage[transmission] ?? none;
      const to = this.#toOfMessage[transmission] ?? none;
      const job = from < 0 ? none : intAt(this.#jobOfTask, from);
      const first = job < 0 ? 0 : this.#firstTaskOf(job);
      return { job, from: from < 0 ? none : from - first, to: to < 0 ? none : to - first, holds, wants };
    });
  }

  /** Messages of a job from node to node, repetitions counted. */
  #remoteMessages(workload: Workload, firstTask: number): number {
    const { taskOfList, kinds, partners } = workload;
    let count = 0;
    const visit = (list: number, at: number, times: number): void => {
      if (byteAt(kinds, at) !== operationKind.send) return;
      const [from, to] = [firstTask + intAt(taskOfList, list), firstTask + intAt(partners, at)];
      if (intAt(this.#endOfTask, from) !== intAt(this.#endOfTask, to)) count += times;
    };
    forEachOperation(workload, visit, this.#meter);
    return count;
  }

  #share(): number {
    return this.#messagesAll === 0 ? 0 : 1 - this.#messagesLeft / this.#messagesAll;
  }

  #firstTaskOf(job: number): number {
    let first = 0;
    for (const { slotOfTask } of this.#simulation.jobs.slice(0, job)) first += slotOfTask.length;
    return first;
  }

  #end(task: number): void {
    const cycle = this.#network.now + 1;
    this.#finish[task] = cycle;
    this.#makespan = Math.max(this.#makespan, cycle);
    this.#tasksLeft--;
  }

  #oneLess(task: number): void {
    const left = realAt(this.#left, task) - 1;
    this.#left[task] = left;
    if (left === 0) this.#end(task);
  }

  /** The end of the cycle at which something is due that the network knows nothing of; infinite where nothing is. */
  #nextTime(): number {
    let next = this.#computing.count === 0 ? Infinity : -realAt(this.#due, this.#computing.top);
    for (const job of this.#open) next = Math.min(next, cycleOf(job) - 1);
    return Math.min(next, this.#background?.next ?? Infinity);
  }

  /** Nothing of a job is under way or will be: what its tasks wait for never comes, whatever the background does. */
  #isStuck(): boolean {
    return this.#underWay === 0 && this.#computing.count === 0 && this.#open.every((job) => cycleOf(job) === Infinity);
  }

  /** Computing that is over, and messages whose time has come; false where it was cancelled. */
  #sendDue(): boolean {
    const now = this.#network.now;
    while (this.#computing.count > 0 && -realAt(this.#due, this.#computing.top) <= now) {
      const list = this.#computing.top;
      this.#computing.remove(list);
      this.#causalOf(list).cursors.next(this.#listInJob(list));
      this.#ready.push(list);
    }
    for (const job of this.#open) {
      while (cycleOf(job) <= now + 1) {
        if (this.#meter.isCancelledAfter(1)) return false;
        const { messages, firstTask } = job;
        const message = job.next++;
        const [from, to] = [firstTask + intAt(messages.from, message), firstTask + intAt(messages.to, message)];
        const time = Math.floor(realAt(messages.times, message) * job.secondsToCycles);
        if (intAt(this.#endOfTask, from) === intAt(this.#endOfTask, to)) {
          this.#messagesLeft--;
          this.#oneLess(from);
          this.#oneLess(to);
        } else this.#hand(from, to, realAt(messages.bytes, message), none, none, time);
      }
    }
    this.#background?.sendDue(this.#network, (message) => {
      this.#note(message, none, none, none, none, none - 1);
    });
    return true;
  }

  #hand(from: number, to: number, bytes: number, list: number, key: number, since: number): void {
    const message = this.#network.send(intAt(this.#endOfTask, from), intAt(this.#endOfTask, to), bytes);
    this.#note(message, list, key, from, to, since);
    this.#underWay++;
  }

  #note(message: number, list: number, key: number, from: number, to: number, since: number): void {
    this.#listOfMessage[message] = list;
    this.#keyOfMessage[message] = key;
    this.#fromOfMessage[message] = from;
    this.#toOfMessage[message] = to;
    this.#sinceOfMessage[message] = since;
    this.#latencies.jobOf[message] = from < 0 ? none : intAt(this.#jobOfTask, from);
  }

  #takeEvents(): void {
    const { sent, arrived } = this.#network;
    for (const message of sent) {
      const list = itemOr(this.#listOfMessage, message);
      const from = itemOr(this.#fromOfMessage, message);
      if (list >= 0) {
        this.#causalOf(list).cursors.next(this.#listInJob(list));
        this.#ready.push(list);
      } else if (from >= 0) this.#oneLess(from);
      else this.#background?.sent(message, this.#network.now);
    }
    for (const message of arrived) {
      const key = itemOr(this.#keyOfMessage, message);
      const to = itemOr(this.#toOfMessage, message);
      if (to >= 0) {
        this.#messagesLeft--;
        this.#underWay--;
      }
      if (key >= 0) this.#arrive(key);
      else if (to >= 0) this.#oneLess(to);
    }
  }

  /** A message is there: the list that has waited longest goes on with it. */
  #arrive(key: number): void {
    const list = intAt(this.#waiter, key);
    if (list === none) {
      this.#arrived[key] = realAt(this.#arrived, key) + 1;
      return;
    }
    this.#waiter[key] = intAt(this.#nextWaiter, list);
    this.#causalOf(list).cursors.next(this.#listInJob(list));
    this.#ready.push(list);
  }

  #causalOf(list: number): CausalJob {
    return itemAt(this.#causal, intAt(this.#jobOfList, list));
  }

  #listInJob(list: number): number {
    return list - this.#causalOf(list).firstList;
  }

  /** Sends what is due, and lets lists go on; false where it was cancelled. */
  #goOn(): boolean {
    return this.#sendDue() && this.#runReady();
  }

  /** Lets the lists that can go on do so, until each waits; false where it was cancelled. */
  #runReady(): boolean {
    const ready = this.#ready;
    for (let next = 0; next < ready.length; next++) {
      if (!this.#runList(intOf(ready, next))) return false;
    }
    ready.length = 0;
    return true;
  }

  #runList(list: number): boolean {
    const { workload, cursors, keyOf, firstTask, firstList } = this.#causalOf(list);
    const { kinds, partners, amounts, taskOfList } = workload;
    const own = list - firstList;
    const task = firstTask + intAt(taskOfList, own);
    for (;;) {
      if (this.#meter.isCancelledAfter(1)) return false;
      const at = cursors.operation(own);
      if (at < 0) {
        this.#oneLess(task);
        return true;
      }
      switch (byteAt(kinds, at)) {
        case operationKind.send: {
          const to = firstTask + intAt(partners, at);
          const key = intAt(keyOf, at);
          if (intAt(this.#endOfTask, task) !== intAt(this.#endOfTask, to)) {
            this.#hand(task, to, realAt(amounts, at), list, key, none - 1);
            return true;
          }
          this.#arrive(key);
          break;
        }
        case operationKind.receive: {
          const key = intAt(keyOf, at);
          const there = realAt(this.#arrived, key);
          if (there === 0) {
            this.#wait(list, key);
            return true;
          }
          this.#arrived[key] = there - 1;
          break;
        }
        default: {
          const cycles = Math.round(realAt(amounts, at) / (this.#network.secondsPerCycle ?? 1));
          if (cycles > 0) {
            this.#due[list] = -(this.#network.now + cycles);
            this.#computing.add(list);
            return true;
          }
        }
      }
      cursors.next(own);
    }
  }

  /** Behind those that wait for the same. */
  #wait(list: number, key: number): void {
    this.#nextWaiter[list] = none;
    let before = intAt(this.#waiter, key);
    if (before === none) {
      this.#waiter[key] = list;
      return;
    }
    while (intAt(this.#nextWaiter, before) !== none) before = intAt(this.#nextWaiter, before);
    this.#nextWaiter[before] = list;
  }

  #waitingTasks(): readonly WaitingTask[] {
    const found: WaitingTask[] = [];
    for (const { workload, cursors, firstTask } of this.#causal) {
      const { taskOfList, kinds, partners, tags, amounts } = workload;
      for (let list = 0; list < taskOfList.length; list++) {
        const at = cursors.operation(list);
        if (at < 0 || byteAt(kinds, at) === operationKind.compute) continue;
        found.push({
          task: firstTask + intAt(taskOfList, list),
          for: byteAt(kinds, at) === operationKind.send ? 'send' : 'receive',
          partner: firstTask + intAt(partners, at),
          tag: intAt(tags, at),
          bytes: realAt(amounts, at),
        });
      }
    }
    return found;
  }
}

/** How long the packets of each job took. Messages are known by their numbers of the network. */
class JobLatencies {
  /** See `#sinceOfMessage` of the replay; −1 of background. */
  readonly since: number[] = [];
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
        const job = itemOr(this.jobOf, message);
        if (job < 0) return;
        const since = itemOr(this.since, message);
        this.#packets[job] = realAt(this.#packets, job) + 1;
        this.#sums[job] = realAt(this.#sums, job) + Math.max(0, arrived - (since === none - 1 ? created : since));
      },
    };
  }

  of(job: number): { readonly packets: number; readonly latency: number } {
    const packets = realAt(this.#packets, job);
    return { packets, latency: realAt(this.#sums, job) / packets };
  }
}

/** Far beyond every cycle that is simulated, and still exact. */
const longest = 2 ** 52;

const itemOr = (items: readonly number[], index: number): number => items[index] ?? none;
const intOf = (items: readonly number[], index: number): number => items[index] ?? none;

/** In which cycle the next message of a job is made; infinite where there is none. */
function cycleOf({ messages, next, secondsToCycles }: OpenJob): number {
  const time = messages.times[next];
  return time === undefined ? Infinity : Math.floor(time * secondsToCycles);
}

function hasComputing({ kinds }: Workload): boolean {
  return kinds.includes(operationKind.compute);
}

/**
 * Numbers from `first` on of messages that are told apart by sender, receiver, tag and bytes, for each operation, and the
 * number behind the last; undefined where it was cancelled.
 */
function keysOf(
  workload: Workload,
  first: number,
  meter: WorkMeter,
): { readonly keyOf: Int32Array; readonly end: number } | undefined {
  const { taskOfList, kinds, partners, tags, amounts } = workload;
  const keyOf = new Int32Array(kinds.length).fill(none);
  const found = new MessageKinds(kinds.length);
  const isWhole = forEachOperation(
    workload,
    (list, at) => {
      const kind = byteAt(kinds, at);
      if (kind === operationKind.compute) return;
      const [own, other] = [intAt(taskOfList, list), intAt(partners, at)];
      const [from, to] = kind === operationKind.send ? [own, other] : [other, own];
      keyOf[at] = first + found.numberOf(from, to, intAt(tags, at), realAt(amounts, at));
    },
    meter,
  );
  return isWhole ? { keyOf, end: first + found.count } : undefined;
}

/** Visits and waits of an engine that has servers. */
function serverWaits(network: MessageNetwork): ServerWaits | undefined {
  const { secondsPerCycle } = network;
  if (!('serverFigures' in network) || secondsPerCycle === undefined) return undefined;
  const figures = (network as ServerNetwork).serverFigures();
  const kinds = serverKinds.filter((kind) => figures[kind].visits > 0);
  return {
    server: kinds,
    visits: Float64Array.from(kinds, (kind) => figures[kind].visits),
    waited: Float64Array.from(kinds, (kind) => figures[kind].waiting / secondsPerCycle),
    busiest: Float64Array.from(kinds, (kind) => figures[kind].busiest / secondsPerCycle),
  };
}
