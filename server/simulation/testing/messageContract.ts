import { isDeepStrictEqual } from 'node:util';
import { neverCancelled, type Cancellation } from '../../model/cancellation.ts';
import type { Machine } from '../../model/machine.ts';
import { seededRandom } from '../../model/random.ts';
import { testContract, type Contract } from '../../model/testing/contract.ts';
import type {
  Figures,
  MessageAdvance,
  MessageNetwork,
  MessageObserver,
  StreamNetwork,
  Transmission,
} from '../messages.ts';
import { allToAll, nearNeighbour, oneToAll } from '../patterns.ts';

/** An engine as the contract knows it. */
export interface MessageEngine {
  readonly name: string;
  readonly machines: readonly (readonly [string, Machine])[];
  readonly make: (machine: Machine, observer: MessageObserver) => MessageNetwork;
  /** Packets of a message. */
  readonly packetsOf: (bytes: number) => number;
  /**
   * Cycles from the making of the first packet to the arrival of the last one where nothing else is sent, or why there
   * is no formula for them.
   */
  readonly alone: ((machine: Machine, from: number, to: number, bytes: number) => number) | string;
  /** Bytes of messages to try. */
  readonly bytes: readonly number[];
}

export interface Sending {
  readonly cycle: number;
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
}

/** What is told of a run: by cycle what was sent and arrived, and what the observer heard, in a canonical order. */
export interface Story {
  readonly cycles: readonly (readonly [number, readonly number[], readonly number[]])[];
  readonly deliveries: readonly (readonly number[])[];
  readonly crossings: readonly (readonly number[])[];
  readonly left: number;
  readonly why: MessageAdvance;
}

/** How a run is cut into calls of `advance`. */
export interface Cut {
  /** At most so many cycles a call. */
  readonly step?: number;
  readonly cancellation?: Cancellation;
}

/** Sends what is due at the end of its cycle (from −1 on) and goes on until everything has arrived, or to the cycle `end`. */
export function story(
  make: (observer: MessageObserver) => MessageNetwork,
  sendings: readonly Sending[],
  end: number,
  { step = Infinity, cancellation = neverCancelled }: Cut = {},
): Story {
  const deliveries: number[][] = [];
  const crossings: number[][] = [];
  const network = make({
    delivered: (message, created, arrived, hops, flits) => deliveries.push([arrived, message, created, hops, flits]),
    crossed: (channel, start, cycles, message) => crossings.push([start, channel, cycles, message]),
  });
  const cycles: [number, number[], number[]][] = [];
  let next = 0;
  let why: MessageAdvance = 'reached';
  while (why !== 'deadlock' && network.now < end && (next < sendings.length || network.messagesUnderWay > 0)) {
    for (; sendings[next]?.cycle === network.now; next++) {
      const { from, to, bytes } = sendings[next]!;
      network.send(from, to, bytes);
    }
    why = network.advance(Math.min(end, sendings[next]?.cycle ?? end, network.now + step), cancellation);
    if (why === 'events') cycles.push([network.now, [...network.sent], [...network.arrived]]);
  }
  const inOrder = (a: number[], b: number[]): number =>
    a[0]! - b[0]! || a[1]! - b[1]! || a[2]! - b[2]! || a[3]! - b[3]!;
  const left = network.messagesUnderWay;
  return { cycles, deliveries: deliveries.sort(inOrder), crossings: crossings.sort(inOrder), left, why };
}

/** Random messages within some hundred cycles, in the order of their times. */
export function someSendings({ nodeCount }: Machine, bytes: readonly number[], seed: number, count = 60): Sending[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => {
    const from = random.integer(nodeCount);
    const to = (from + 1 + random.integer(nodeCount - 1)) % nodeCount;
    return { cycle: random.integer(200) - 1, from, to, bytes: bytes[random.integer(bytes.length)]! };
  }).sort((a, b) => a.cycle - b.cycle);
}

/** Two of three polls say so. */
function nowAndThen(): Cancellation {
  let polls = 0;
  return { isCancelled: () => polls++ % 3 > 0 };
}

const end = 1e7;
/** Cycles between messages that are sent one after the other. */
const rest = 100;

/** What every engine of messages keeps. */
export function messageContract(engine: MessageEngine): void {
  testContract(`messages: ${engine.name}`, (contract) => {
    if (typeof engine.alone === 'string') contract.notApplicable(takesAlone, engine.alone);
    for (const [what, machine] of engine.machines) {
      contract.on(what, () => {
        checkAlone(contract, engine, machine);
        checkTogether(contract, engine, machine);
      });
    }
  });
}

const takesAlone = 'a message alone takes exactly what it must';

const runOf =
  ({ make }: MessageEngine, machine: Machine) =>
  (sendings: readonly Sending[], cut?: Cut): Story =>
    story((observer) => make(machine, observer), sendings, end, cut);

function checkAlone(contract: Contract, { alone, bytes, make }: MessageEngine, machine: Machine): void {
  if (typeof alone === 'string') return;
  contract.property(takesAlone, (look) => {
    const network = make(machine, {});
    for (let from = 0; from < machine.nodeCount; from += 2) {
      for (let to = from % 3; to < machine.nodeCount; to += 3) {
        if (from === to) continue;
        const length = bytes[(from + to) % bytes.length]!;
        const start = network.now;
        network.send(from, to, length);
        while (network.messagesUnderWay > 0 && network.now < start + end) network.advance(start + end, neverCancelled);
        const taken = network.now - start - 1;
        const expected = alone(machine, from, to, length);
        look(taken === expected, () => `${from}-${to}, ${length} bytes: ${taken}, not ${expected}`);
        // Room that was taken is free again before the next one.
        while (network.now < start + taken + rest) network.advance(start + taken + rest, neverCancelled);
      }
    }
  });
}

function checkTogether(contract: Contract, engine: MessageEngine, machine: Machine): void {
  const run = runOf(engine, machine);
  const sendings = someSendings(machine, engine.bytes, 7);
  const whole = run(sendings);

  contract.property('each message that is sent is told of as sent and as arrived once', (look) => {
    const counts = { sent: 0, arrived: 0 };
    // Numbers come again once their message has arrived.
    const underWay = new Set<number>();
    for (const [cycle, sent, arrived] of whole.cycles) {
      for (const message of sent) {
        look(!underWay.has(message), () => `${message} sent twice, at ${cycle}`);
        underWay.add(message);
      }
      for (const message of arrived) look(underWay.delete(message), () => `${message} arrived unsent, at ${cycle}`);
      counts.sent += sent.length;
      counts.arrived += arrived.length;
    }
    for (const [what, count] of Object.entries(counts)) {
      look(count === sendings.length, () => `${count} ${what} of ${sendings.length}`);
    }
    look(whole.left === 0, () => `${whole.left} under way`);
  });

  contract.property('each packet arrives once, not before it was made', (look) => {
    const packets = sendings.reduce((sum, { bytes }) => sum + engine.packetsOf(bytes), 0);
    look(whole.deliveries.length === packets, () => `${whole.deliveries.length} packets of ${packets}`);
    for (const [arrived, message, created] of whole.deliveries) {
      look(arrived! >= created!, () => `${message}: ${created} to ${arrived}`);
    }
  });

  contract.property('a channel carries one thing after the other', (look) => {
    const free = new Map<number, number>();
    for (const [start, channel, cycles] of whole.crossings) {
      if (free.has(channel!)) look(start! >= free.get(channel!)!, () => `channel ${channel} at ${start}`);
      free.set(channel!, start! + cycles!);
    }
  });

  contract.property('happens alike however the time is cut into calls, and goes on after each cancellation', (look) => {
    for (const cut of [{ step: 1 }, { step: 7, cancellation: nowAndThen() }]) {
      look(isDeepStrictEqual(run(sendings, cut), whole), () => `cut into ${cut.step}`);
    }
  });
}

/** A job and the cycle in which it is sent. */
type SentJob = readonly [cycle: number, transmission: Transmission];

/** What became of jobs: in which cycle which was completed, and its figures. */
type CompletedJob = readonly [cycle: number, number: number, figures: Figures | undefined];

function completedJobs(network: StreamNetwork, jobs: readonly SentJob[], cut: Cut = {}): readonly CompletedJob[] {
  const { step = Infinity, cancellation = neverCancelled } = cut;
  const completed: CompletedJob[] = [];
  let next = 0;
  while (network.deadlock === undefined && network.now < end && completed.length < jobs.length) {
    for (; jobs[next]?.[0] === network.now; next++) network.sendAll(jobs[next]![1]);
    network.advance(Math.min(end, jobs[next]?.[0] ?? end, network.now + step), cancellation);
    for (const number of network.completed) completed.push([network.now, number, network.figuresOf(number)]);
  }
  return completed;
}

/** Packets of a job as the engine counts them: those within a node are not cut. */
function packetsOfJob({ source, nodeOfProcess }: Transmission, packetsOfEach: number): number {
  let packets = 0;
  for (let process = 0; process < source.processCount; process++) {
    for (let packet = 0; packet < source.packetsOf(process); packet++) {
      const isWithin = nodeOfProcess[process] === nodeOfProcess[source.destinationOf(process, packet)];
      packets += isWithin ? 1 : packetsOfEach;
    }
  }
  return packets;
}

/** What every engine keeps that takes all packets of a job at once. Each of these is so many packets of the engine. */
export function streamContract(name: string, machine: Machine, make: () => StreamNetwork, packetsOfEach = 1): void {
  testContract(`jobs: ${name}`, (contract) => {
    const nodes = Int32Array.from({ length: 8 }, (_, node) => (node * 3) % machine.nodeCount);
    const shared = Int32Array.of(0, 0, 1, 1, 2, 2, 3, 3);
    const jobs: readonly SentJob[] = [
      [0, { source: allToAll(8), nodeOfProcess: nodes, flits: 8 }],
      [0, { source: oneToAll(8, 2, 3), nodeOfProcess: shared, flits: 8 }],
      [5, { source: nearNeighbour([4, 2], 2), nodeOfProcess: nodes, flits: 8 }],
      [90, { source: allToAll(1), nodeOfProcess: nodes, flits: 8 }],
    ];
    const whole = completedJobs(make(), jobs);
    contract.on('four jobs', () => {
      contract.property('each job is completed once, with all its packets', (look) => {
        const numbers = whole.map(([, number]) => number).toSorted((one, other) => one - other);
        look(isDeepStrictEqual(numbers, [0, 1, 2, 3]), () => `completed ${numbers.join(' ')}`);
        for (const [, number, figures] of whole) {
          const expected = packetsOfJob(jobs[number]![1], packetsOfEach);
          look(figures?.packets === expected, () => `job ${number}: ${figures?.packets} of ${expected} packets`);
        }
      });
      contract.property('one without packets is completed in the cycle in which it is sent', (look) => {
        const [cycle] = whole.find(([, number]) => number === 3) ?? [];
        look(cycle === 90, () => `completed in cycle ${cycle}`);
      });
      contract.property(
        'happens alike however the time is cut into calls, and goes on after each cancellation',
        (look) => {
          for (const cut of [{ step: 1 }, { step: 7, cancellation: nowAndThen() }]) {
            look(isDeepStrictEqual(completedJobs(make(), jobs, cut), whole), () => `cut into ${cut.step}`);
          }
        },
      );
    });
  });
}
