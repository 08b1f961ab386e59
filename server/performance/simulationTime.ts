/**
 * About how long a simulation takes: what its messages will do in the network is counted before any of them is sent, repetitions
 * without being run, and multiplied by what a piece of that work takes.
 */
import { neverCancelled, WorkMeter, type Cancellation } from '../model/cancellation.ts';
import { receiverOf, senderOf, type Machine } from '../model/machine.ts';
import type { NetworkModel } from '../model/networkModel.ts';
import type { PlacementReport } from '../model/report.ts';
import { seededRandom } from '../model/random.ts';
import { cancelled, succeed, type Result } from '../model/result.ts';
import type { SimulationDescription } from '../model/simulation.ts';
import { endOfSlot, nodeOfSlot } from '../model/slots.ts';
import { operationKind, type TimedMessages, type Workload } from '../model/workload.ts';
import { byteAt, intAt, itemAt, realAt } from '../numeric/elements.ts';
import { isByHeaderEvents, packetsInModel, secondsPerCycleOf } from '../simulation/engines.ts';
import type { Simulation } from '../simulation/replay.ts';
import { computingOf, forEachOperation } from '../simulation/workloads/programs.ts';
import type { Program, StudyFiles } from '../study/program.ts';
import { backgroundOf, buildPlacedJobs, type PreparedSimulation, type SimulationContext } from './simulate.ts';
import { sendsOfTraffic, type MessageList } from './workloads.ts';

/** What messages do in a network. Channels of a packet are the links of its way, and those from and to its nodes. */
export interface SimulationWork {
  /** Those that leave their node; in a cluster of servers, their core. */
  readonly messages: number;
  readonly packets: number;
  /** Packets times their channels, and flits times theirs. */
  readonly crossings: number;
  readonly flitCrossings: number;
  /** Flits times the links between routers that they cross. */
  readonly linkFlits: number;
  /** Of servers of a cluster. */
  readonly visits: number;
  /** What tasks do without a network: computations, and sends and receives of messages that stay on their node. */
  readonly operations: number;
  /** That may send at the same time. */
  readonly tasks: number;
}

/** Servers that a message visits between nodes, and within one (Soryani et al. 2013, section 2). */
const visits = { between: 10, within: 2 };
/** To find out how far a message goes, in entries of arrays. */
const workOfMessage = 16;
/** It is sent and received. */
const operationsOfMessage = 2;
/** Channels from and to a node. */
const ownChannels = 2;

/** Where the tasks of a job are, and what they send. */
interface PlacedMessages {
  readonly slotOfTask: Int32Array;
  readonly messages: MessageList;
  /** What its tasks compute meanwhile: how often, and seconds of the one that computes longest. */
  readonly computing?: { readonly operations: number; readonly seconds: number };
}

/** Exact where routes are shortest ones and there is no background; of no use where it was cancelled. O(messages as they are written). */
export function workOfMessages(
  machine: Machine,
  model: NetworkModel,
  jobs: readonly PlacedMessages[],
  background?: Simulation['background'],
  cancellation: Cancellation = neverCancelled,
): SimulationWork {
  const meter = new WorkMeter(cancellation);
  const isOfServers = model.switching === 'queueing';
  const tasks = jobs.reduce((count, { slotOfTask }) => count + slotOfTask.length, 0);
  const sum = {
    messages: 0,
    packets: 0,
    crossings: 0,
    flitCrossings: 0,
    linkFlits: 0,
    visits: 0,
    operations: 0,
    tasks,
  };
  const add = (from: number, to: number, bytes: number, times: number): number => {
    const each = packetsInModel(model, bytes);
    const [packets, flits] = [times * each.packets, times * each.packets * each.flits];
    const hops = hopsBetween(machine, from, to);
    const channels = ownChannels + hops;
    sum.messages += times;
    sum.visits += times * (from === to ? visits.within : visits.between);
    sum.packets += packets;
    sum.crossings += packets * channels;
    sum.flitCrossings += flits * channels;
    sum.linkFlits += flits * hops;
    return flits;
  };
  const busy = new Float64Array(machine.nodeCount);
  /** Flits that go out of a node or into it. */
  const ends = [new Float64Array(machine.nodeCount), new Float64Array(machine.nodeCount)] as const;
  let isOver = cancellation.isCancelled();
  for (const { slotOfTask, messages, computing } of jobs) {
    sum.operations += computing?.operations ?? 0;
    const nodes = slotOfTask.map((slot) => nodeOfSlot(machine, slot));
    const endOfTask = slotOfTask.map((slot) => endOfSlot(machine, slot));
    for (const node of nodes) busy[node] = 1;
    messages((from, to, bytes, times) => {
      isOver ||= meter.isCancelledAfter(workOfMessage);
      if (isOver) return;
      const [here, there] = [intAt(nodes, from), intAt(nodes, to)];
      if (here === there && (!isOfServers || from === to)) {
        sum.operations += operationsOfMessage * times;
        return;
      }
      const flits = add(intAt(endOfTask, from), intAt(endOfTask, to), bytes, times);
      ends[0][here] = realAt(ends[0], here) + flits;
      ends[1][there] = realAt(ends[1], there) + flits;
    });
  }
  if (cancellation.isCancelled() || background === undefined || isOfServers) return sum;
  const senders = Array.from(busy.keys()).filter((node) => background.nodes === 'all' || busy[node] === 0);
  if (senders.length < 2) return sum;
  const carrying =
    cyclesOverFlits * ends.flatMap((flits) => [...flits]).reduce((most, each) => Math.max(most, each), 0);
  // The background sends while tasks compute as well.
  const cycle = secondsPerCycleOf(model, machine) ?? Infinity;
  const cycles = jobs.reduce((most, { computing }) => Math.max(most, (computing?.seconds ?? 0) / cycle), carrying);
  const { flit = usual.flit, packet = usual.packet } = model;
  const packets = background.rate * senders.length * cycles;
  const random = seededRandom(1);
  for (let pair = 0; pair < sampledPairs; pair++) {
    const from = random.integer(senders.length);
    const to = (from + 1 + random.integer(senders.length - 1)) % senders.length;
    add(itemAt(senders, from), itemAt(senders, to), flit * packet, packets / sampledPairs);
  }
  return sum;
}

/** Whether nodes send their background as fast as they can, so that jobs may wait without end. */
export function isBeyondSaturation({ network: { packet = usual.packet }, background }: SimulationDescription): boolean {
  const { rate = 0 } = backgroundOf(background) ?? {};
  return rate * packet > 1;
}

/** Bytes of a flit and flits of a packet of the background where a network does not say. */
const usual = { flit: 4, packet: 8 };
/** Nodes of the background that are looked at for how far they are from each other. */
const sampledPairs = 256;

/**
 * How many cycles a program takes over the flits of the node that sends or receives most of them: 1.0 to 1.3 for the skeletons of 16
 * tasks on a torus of 4 × 4 with two channels, 1.0 to 2.3 for those of 64 on 8 × 8, 2 to 6 for worms in one channel.
 */
const cyclesOverFlits = 1.5;

const hopsBetween = (machine: Machine, from: number, to: number): number =>
  from === to ? 0 : machine.routing.hops(senderOf(machine, from), receiverOf(machine, to));

/** What a program sends, repetitions counted; some of it where it was cancelled. O(operations). */
const sendsOfWorkload =
  (workload: Workload, cancellation: Cancellation): MessageList =>
  (visit) => {
    const { kinds, partners, amounts, taskOfList } = workload;
    const see = (list: number, at: number, times: number): void => {
      if (byteAt(kinds, at) === operationKind.send)
        visit(intAt(taskOfList, list), intAt(partners, at), realAt(amounts, at), times);
    };
    forEachOperation(workload, see, new WorkMeter(cancellation));
  };

const sendsAtTimes =
  ({ from, to, bytes }: TimedMessages): MessageList =>
  (visit) => {
    bytes.forEach((each, message) => {
      visit(intAt(from, message), intAt(to, message), each, 1);
    });
  };

/**
 * What the jobs of a placement send when they are simulated, counted without expanding programs and without drawing times. Fails as
 * {@link buildPlacedJobs}, and with `cancelled`.
 */
export function workOfPlacement(
  program: Program,
  files: StudyFiles,
  report: PlacementReport,
  { network, replay, background }: SimulationDescription,
  context: Pick<SimulationContext, 'cancellation' | 'now' | 'cache'>,
): Result<SimulationWork> {
  const built = buildPlacedJobs(program, files, report, context);
  if (!built.ok) return built;
  const placed = built.value.map(({ job, recorded }, index): PlacedMessages => ({
    slotOfTask: itemAt(report.jobs, index).mapping,
    messages:
      recorded === undefined
        ? sendsOfTraffic(job, replay.kind === 'open')
        : sendsOfWorkload(recorded.workload, context.cancellation),
    ...(recorded !== undefined &&
      replay.kind === 'causal' && { computing: computingOf(recorded.workload, context.cancellation) }),
  }));
  const work = workOfMessages(report.machine, network, placed, backgroundOf(background), context.cancellation);
  if (context.cancellation.isCancelled()) return cancelled();
  const first = replay.kind === 'open' ? (replay.first ?? Infinity) : Infinity;
  return succeed(work.packets <= first ? work : timesWork(work, first / work.packets));
}

const timesWork = (work: SimulationWork, times: number): SimulationWork => ({
  messages: work.messages * times,
  packets: work.packets * times,
  crossings: work.crossings * times,
  flitCrossings: work.flitCrossings * times,
  linkFlits: work.linkFlits * times,
  visits: work.visits * times,
  operations: work.operations * times,
  tasks: work.tasks,
});

/**
 * Processor seconds on a usual machine, without and with the use of links and queues recorded: of a packet or a flit in a channel, of a
 * visit of a server with its share of drawing when messages come, and of a message that shares its links, by itself and for each task. Measured with
 * skeletons and patterns of 16 and 64 tasks, in order and shuffled, on tori, meshes, an irregular network and a cluster; without records and
 * with them:
 *
 * - packets 44 to 173, mostly 54 to 116 ns; 62 to 227, mostly 73 to 112 ns;
 * - headers 124 to 211 ns; 199 to 262 ns;
 * - flits 26 to 75, mostly 57 to 75 ns; 34 to 92, mostly 73 to 85 ns;
 * - visits 135 to 310 ns; 147 to 506 ns, and 13 to 77 ns for drawing;
 * - messages of flows 12 µs with 16 tasks, 9 to 15 with 64, 28 to 60 with 256, 490 to 530 with 1,024, with or without; with 4,096 from 100 µs, where
 *   few shares change, to more than a millisecond;
 * - operations without a network 55 to 65 ns.
 */
const secondsPer = {
  packet: { few: 8e-8, all: 1.05e-7 },
  header: { few: 1.6e-7, all: 2.4e-7 },
  flit: { few: 6e-8, all: 8e-8 },
  visit: { few: 3.2e-7, all: 4e-7 },
  message: { few: 8e-6, all: 8e-6 },
  flow: { few: 3.5e-7, all: 3.5e-7 },
  operation: { few: 6e-8, all: 6e-8 },
} as const;

/** O(links): whether they are equal decides what worms go by. */
export function secondsOfWork(
  model: NetworkModel,
  machine: Machine,
  work: SimulationWork,
  figures: 'few' | 'all',
): number {
  return secondsPer.operation[figures] * work.operations + secondsInNetwork(model, machine, work, figures);
}

function secondsInNetwork(model: NetworkModel, machine: Machine, work: SimulationWork, figures: 'few' | 'all'): number {
  switch (model.switching) {
    case 'flow':
      return (secondsPer.message[figures] + secondsPer.flow[figures] * work.tasks) * work.messages;
    case 'queueing':
      return secondsPer.visit[figures] * work.visits;
    case 'wormhole':
      return isByHeaderEvents(model, machine)
        ? secondsPer.header[figures] * work.crossings
        : secondsPer.flit[figures] * work.flitCrossings;
    default:
      return secondsPer.packet[figures] * work.crossings;
  }
}

/** Of one that is ready, with all figures. O(operations). */
export function secondsOfSimulation({ simulation }: PreparedSimulation, cancellation: Cancellation): number {
  const { model, machine, jobs, background } = simulation;
  const placed = jobs.map((job): PlacedMessages => ({
    slotOfTask: job.slotOfTask,
    messages: job.kind === 'open' ? sendsAtTimes(job.messages) : sendsOfWorkload(job.workload, cancellation),
    ...(job.kind === 'causal' && { computing: computingOf(job.workload, cancellation) }),
  }));
  return secondsOfWork(model, machine, workOfMessages(machine, model, placed, background, cancellation), 'all');
}
