/**
 * Programs of tasks and messages at given times, played back on a network: who sends what when, who waits for what, and what
 * came of it. Any engine carries the messages. What a simulation says is plain data, which crosses threads and is drawn,
 * written and compared; channels are numbered as in `messages.ts`.
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
import { carriedBy } from '../model/simulation.ts';
import { endOfSlot, nodeOfSlot } from '../model/slots.ts';
import { operationKind, type TimedMessages, type Workload } from '../model/workload.ts';
import { intAt, itemAt, realAt } from '../numeric/elements.ts';
import { backgroundTraffic, type Background, type BackgroundTraffic } from './background.ts';
import { messageNetwork } from './engines.ts';
import { HeldSenders } from './heldSenders.ts';
import type { MessageNetwork } from './messages.ts';
import { JobLatencies, Recorder, sinceMaking } from './recording.ts';
import { lastCycle, RunningPrograms, type Program, type ProgramMessage, type ProgramSteps } from './runningPrograms.ts';
import { serverWaits, type SimulationResult } from './simulationResult.ts';
import { MomentKeeper, type WaitingMessage } from './waitingMoments.ts';

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
export function simulateWorkloads(
  simulation: Simulation,
  cancellation: Cancellation,
  { progress, isTimeOver = () => false }: SimulationWatch = {},
): Result<SimulationResult> {
  const replay = Replay.of(simulation, cancellation);
  if (!replay.ok) return replay;
  replay.value.run({ isCancelled: () => isTimeOver() || cancellation.isCancelled() }, progress);
  const result = cancellation.isCancelled() ? undefined : replay.value.result(new WorkMeter(cancellation));
  return result === undefined || cancellation.isCancelled() ? cancelled() : succeed(result);
}

/** What is heard and asked while a simulation runs. */
export interface SimulationWatch {
  readonly progress?: ((cycle: number, share: number) => void) | undefined;
  /** It ends with what there is by now. */
  readonly isTimeOver?: () => boolean;
}

/** Simulates to a cycle, and says what waits there. Fails as {@link simulateWorkloads} does, and with `cancelled`. */
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

interface OpenJob {
  readonly messages: TimedMessages;
  readonly firstTask: number;
  readonly secondsToCycles: number;
  next: number;
}

const none = -1;
const ofNoProgram: ProgramMessage = { list: none, key: none, number: none };
/** A message is handed over, and its way worked out, which takes as long as so many entries of an array that are read. */
const workOfMessage = 128;
/** Looks at the cancellation between two words of the progress. */
const looksPerTold = 64;

class Replay {
  readonly #simulation: Simulation;
  readonly #network: MessageNetwork;
  readonly #recorder: Recorder;
  readonly #latencies: JobLatencies;
  /** End of the network of each task, job after job, and the place within which nothing is sent: its node, or the end itself. */
  readonly #endOfTask: Int32Array;
  readonly #placeOfTask: Int32Array;
  readonly #finish: Float64Array;
  /** Lists, or messages of open jobs, that each task has still to do. */
  readonly #left: Float64Array;
  readonly #programs: RunningPrograms;
  readonly #open: readonly OpenJob[];
  /** The number of the first task of each job. */
  readonly #firstTasks: readonly number[];
  /** By number of the network: the list that sends it, its key, and its number among those of the key; −1 of open jobs and background. */
  readonly #listOfMessage: number[] = [];
  readonly #keyOfMessage: number[] = [];
  readonly #numberOfMessage: number[] = [];
  /** Tasks of the message, −1 of background; the cycle from which its latency counts. */
  readonly #fromOfMessage: number[] = [];
  readonly #toOfMessage: number[] = [];
  readonly #sinceOfMessage: number[];
  readonly #jobOfTask: Int32Array;
  readonly #background: Background | undefined;
  /** Tasks of programs, and their lists. */
  readonly #held: HeldSenders;
  /** Messages of jobs that were handed over and have not arrived. */
  #underWay = 0;
  #messagesLeft = 0;
  readonly #messagesAll: number;
  #tasksLeft: number;
  /** Of the run, which ends when it is cancelled or its time is over. */
  #meter: WorkMeter;
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
        return at === undefined || at === sinceMaking ? created : at;
      }),
    );
    const random = seededRandom(simulation.seed);
    const { model, machine } = simulation;
    const network = messageNetwork(model, machine, observer, seededRandom(drawSeed(random)), cancellation);
    if (!network.ok) return network;
    const needsSeconds = simulation.jobs.some((job) => job.kind === 'open' || hasComputing(job.workload));
    if (needsSeconds && network.value.secondsPerCycle === undefined) {
      return fail(
        'no-times',
        `Times in seconds need a link bandwidth. Add \`bandwidth\` to machine \`${machine.name}\`, or ignore computation.`,
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
    this.#meter = meter;
    this.#moments = simulation.keepsMoments === true ? new MomentKeeper(machine) : undefined;
    const endOf = (slot: number): number => (network.endpoints === 'slots' ? slot : endOfSlot(machine, slot));
    const placeOf = (slot: number): number => (network.endpoints === 'slots' ? slot : nodeOfSlot(machine, slot));
    const tasks = jobs.reduce((sum, { slotOfTask }) => sum + slotOfTask.length, 0);
    this.#jobOfTask = new Int32Array(tasks);
    this.#endOfTask = new Int32Array(tasks);
    this.#placeOfTask = new Int32Array(tasks);
    this.#finish = new Float64Array(tasks).fill(Number.NaN);
    this.#held = new HeldSenders(tasks);
    this.#left = new Float64Array(tasks);
    this.#firstTasks = jobs.map((_, job) =>
      jobs.slice(0, job).reduce((sum, { slotOfTask }) => sum + slotOfTask.length, 0),
    );
    const programs: Program[] = [];
    const open: OpenJob[] = [];
    jobs.forEach((job, index) => {
      const firstTask = itemAt(this.#firstTasks, index);
      for (let task = 0; task < job.slotOfTask.length; task++) {
        if (meter.isCancelledAfter(1)) break;
        this.#jobOfTask[firstTask + task] = index;
        this.#endOfTask[firstTask + task] = endOf(intAt(job.slotOfTask, task));
        this.#placeOfTask[firstTask + task] = placeOf(intAt(job.slotOfTask, task));
      }
      if (job.kind === 'causal') {
        const { workload } = job;
        for (const task of workload.taskOfList) this.#oneMore(firstTask + task);
        programs.push({ workload, firstTask });
      } else {
        const { messages, speed } = job;
        for (let message = 0; message < messages.times.length; message++) {
          if (meter.isCancelledAfter(1)) break;
          this.#oneMore(firstTask + intAt(messages.from, message));
          this.#oneMore(firstTask + intAt(messages.to, message));
        }
        open.push({ messages, firstTask, secondsToCycles: 1 / speed / (network.secondsPerCycle ?? 1), next: 0 });
        this.#messagesLeft += messages.times.length;
      }
    });
    this.#open = open;
    const steps: ProgramSteps = {
      send: (from, to, bytes, message) => {
        this.#hand(from, to, bytes, message, sinceMaking);
      },
      listEnded: (task) => {
        this.#oneLess(task);
      },
    };
    this.#programs = new RunningPrograms(programs, network, this.#placeOfTask, steps, meter);
    this.#messagesLeft += this.#programs.messageCount;
    this.#messagesAll = this.#messagesLeft;
    this.#tasksLeft = tasks;
    const { background, model } = simulation;
    this.#background = background && backgroundTraffic(background, machine, model, network, this.#placeOfTask, random);
    for (let task = 0; task < tasks; task++) if (this.#left[task] === 0) this.#end(task);
  }

  run(cancellation: Cancellation, progress?: (cycle: number, share: number) => void): void {
    const network = this.#network;
    const last = Math.min(this.#simulation.untilCycle ?? lastCycle, lastCycle);
    const watched = progress === undefined ? cancellation : this.#telling(cancellation, progress);
    this.#meter = new WorkMeter(watched);
    while (!watched.isCancelled() && this.#goOn() && this.#tasksLeft > 0 && network.now < last) {
      if (network.now === this.#moments?.next) this.#moments.add(this.waitingMessages());
      if (this.#isStuck()) return;
      const next = Math.min(this.#nextTime(), this.#moments?.next ?? Infinity);
      const advance = network.advance(Math.min(last, next), watched);
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

  /** Undefined where it was cancelled. */
  result(meter: WorkMeter): SimulationResult | undefined {
    const network = this.#network;
    const [recorder, latencies] = [this.#recorder, this.#latencies];
    const isComplete = this.#tasksLeft === 0;
    const cycles = Math.max(0, network.now + 1, isComplete ? this.#makespan : 0);
    const waits = serverWaits(network);
    recorder.stillWaiting(network.waiting(), network.now + 1);
    const byPackets = recorder.packetSeries();
    const links = recorder.links(cycles, meter);
    if (links === undefined) return undefined;
    return {
      cycles,
      makespan: isComplete ? this.#makespan : undefined,
      finish: this.#finish,
      carried: carriedBy(this.#simulation.model),
      latency: recorder.latency(),
      flits: recorder.flits,
      hops: recorder.hops,
      overTime: recorder.overTime(cycles),
      ...(byPackets && { byPackets }),
      links,
      jobs: this.#simulation.jobs.map(({ slotOfTask }, job) => {
        const first = itemAt(this.#firstTasks, job);
        const ends = this.#finish.subarray(first, first + slotOfTask.length);
        return {
          finish: ends.some(Number.isNaN) ? undefined : ends.reduce((last, end) => Math.max(last, end), 0),
          ...latencies.of(job),
        };
      }),
      ...(waits && { waits }),
      ...(this.#background && { background: this.#background.carriedIn(cycles) }),
      deadlock: this.#deadlock(),
      waiting: isComplete ? [] : this.#programs.waitingTasks(),
      secondsPerCycle: network.secondsPerCycle,
      ...(this.#moments && { moments: this.#moments.moments(network.now, this.waitingMessages()) }),
    };
  }

  #deadlock(): SimulationResult['deadlock'] {
    const { deadlock } = this.#network;
    return (
      deadlock && {
        since: deadlock.since,
        waits: deadlock.waits.map((wait) => ({
          ...wait,
          task: itemOr(this.#fromOfMessage, wait.transmission),
          partner: itemOr(this.#toOfMessage, wait.transmission),
        })),
      }
    );
  }

  waitingMessages(): readonly WaitingMessage[] {
    return this.#network.waiting().map(({ transmission, holds, wants }) => {
      const from = this.#fromOfMessage[transmission] ?? none;
      const to = this.#toOfMessage[transmission] ?? none;
      const job = from < 0 ? none : intAt(this.#jobOfTask, from);
      const first = job < 0 ? 0 : itemAt(this.#firstTasks, job);
      return { job, from: from < 0 ? none : from - first, to: to < 0 ? none : to - first, holds, wants };
    });
  }

  #share(): number {
    return this.#messagesAll === 0 ? 0 : 1 - this.#messagesLeft / this.#messagesAll;
  }

  #end(task: number): void {
    const cycle = this.#network.now + 1;
    this.#finish[task] = cycle;
    this.#makespan = Math.max(this.#makespan, cycle);
    this.#tasksLeft--;
  }

  #oneMore(task: number): void {
    this.#left[task] = realAt(this.#left, task) + 1;
  }

  #oneLess(task: number): void {
    const left = realAt(this.#left, task) - 1;
    this.#left[task] = left;
    if (left === 0) this.#end(task);
  }

  /** The end of the cycle at which something is due that the network knows nothing of; infinite where nothing is. */
  #nextTime(): number {
    let next = this.#programs.nextTime;
    for (const job of this.#open) next = Math.min(next, cycleOf(job) - 1);
    return Math.min(next, this.#background?.next ?? Infinity);
  }

  /** Nothing of a job is under way or will be: what its tasks wait for never comes, whatever the background does. */
  #isStuck(): boolean {
    return (
      this.#underWay === 0 &&
      this.#programs.nextTime === Infinity &&
      this.#open.every((job) => cycleOf(job) === Infinity)
    );
  }

  /** Computing that is over, and messages whose time has come; false where it was cancelled. */
  #sendDue(): boolean {
    const now = this.#network.now;
    this.#programs.endComputing();
    for (const job of this.#open) {
      while (cycleOf(job) <= now + 1) {
        if (this.#meter.isCancelledAfter(workOfMessage)) return false;
        const { messages, firstTask } = job;
        const message = job.next++;
        const [from, to] = [firstTask + intAt(messages.from, message), firstTask + intAt(messages.to, message)];
        const time = Math.floor(realAt(messages.times, message) * job.secondsToCycles);
        if (intAt(this.#placeOfTask, from) === intAt(this.#placeOfTask, to)) {
          this.#messagesLeft--;
          this.#oneLess(from);
          this.#oneLess(to);
        } else this.#hand(from, to, realAt(messages.bytes, message), ofNoProgram, time);
      }
    }
    this.#background?.sendDue(this.#network, (message) => {
      this.#note(message, ofNoProgram, none, none, sinceMaking);
    });
    return true;
  }

  #hand(from: number, to: number, bytes: number, of: ProgramMessage, since: number): void {
    const message = this.#network.send(intAt(this.#endOfTask, from), intAt(this.#endOfTask, to), bytes);
    this.#note(message, of, from, to, since);
    if (of.list >= 0) this.#held.handed(from);
    this.#underWay++;
  }

  #note(message: number, { list, key, number }: ProgramMessage, from: number, to: number, since: number): void {
    this.#listOfMessage[message] = list;
    this.#keyOfMessage[message] = key;
    this.#numberOfMessage[message] = number;
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
        if (this.#held.mayGoOn(from, list)) this.#programs.sent(list);
      } else if (from >= 0) this.#oneLess(from);
      else this.#background?.sent(message, this.#network.now);
    }
    for (const message of arrived) {
      const key = itemOr(this.#keyOfMessage, message);
      const to = itemOr(this.#toOfMessage, message);
      if (to >= 0) {
        this.#messagesLeft--;
        this.#underWay--;
      } else this.#background?.arrived(message, this.#network.now);
      if (key >= 0) {
        const held = this.#held.arrived(itemOr(this.#fromOfMessage, message));
        if (held !== undefined) this.#programs.sent(held);
        this.#programs.arrived(key, itemOr(this.#numberOfMessage, message));
      } else if (to >= 0) this.#oneLess(to);
    }
  }

  /** Sends what is due, and lets lists go on; false where it was cancelled. */
  #goOn(): boolean {
    return this.#sendDue() && this.#programs.run(this.#meter);
  }
}

const itemOr = (items: readonly number[], index: number): number => items[index] ?? none;

/** In which cycle the next message of a job is made; infinite where there is none. */
function cycleOf({ messages, next, secondsToCycles }: OpenJob): number {
  const time = messages.times[next];
  return time === undefined ? Infinity : Math.min(Math.floor(time * secondsToCycles), 2 * lastCycle);
}

function hasComputing({ kinds }: Workload): boolean {
  return kinds.includes(operationKind.compute);
}
