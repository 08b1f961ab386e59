/**
 * Who waits for whom in a network of packet events: for the picture of a moment, and to find deadlocks. Reads the records of the engine
 * and changes nothing.
 */
import { byteAt, intAt } from '../../numeric/elements.ts';
import type { Deadlock, WaitingPacket } from '../contract.ts';
import { headStates, packetWords, queueWords } from './packetRecords.ts';

const none = -1;

const { asks, sleeps, granted } = headStates;
const { shift, firstOf, does, room, output, optionCount, escapes, firstSince, linkOf, ownOf, beginOf } = queueWords;

/** What is read of the engine, as it is at the end of a cycle. */
export interface PacketState {
  readonly now: number;
  readonly nodeCount: number;
  readonly linkCount: number;
  readonly routerLinks: number;
  /** Queues of links; those of nodes come behind them. */
  readonly linkQueues: number;
  /** Records of queues and packets. */
  readonly queues: Int32Array;
  readonly packets: Int32Array;
  /** Options of first packets; the complement of a queue is entered by the rule of the bubble. */
  readonly options: Int32Array;
  /** Whether that rule looks at the own queue of the ring. */
  readonly bubbleIsHere: boolean;
  /** Finds the options of a first packet that has not looked at all of them yet. */
  findOptions(queue: number): void;
  hasRoom(option: number): boolean;
}

/** An output as a channel of `contract.ts`. */
export function channelOfOutput({ queues, linkCount, routerLinks }: PacketState, wanted: number): number {
  const link = intAt(queues, (wanted << shift) + linkOf);
  return link < linkCount ? link : routerLinks + 2 * (link - linkCount) + 1;
}

/** All first packets that wait, by their number. */
export function waitingPackets(state: PacketState): readonly WaitingPacket[] {
  const waits: WaitingPacket[] = [];
  for (let queue = 0; queue << shift < state.queues.length; queue++) {
    const what = wordOf(state, queue, does);
    if (what === sleeps || what === asks || what === granted) waits.push(waitOf(state, queue, wantedBy(state, queue)));
  }
  return waits.sort((a, b) => a.packet - b.packet);
}

/** Whether packets wait for one another in a circle, so that none of them can ever move. */
export const hasDeadlock = (state: PacketState): boolean => stuckQueues(state).includes(1);

/** One circle of packets that wait for one another. There is a deadlock. */
export function deadlockOf(state: PacketState): Deadlock {
  const { now } = state;
  const stuck = stuckQueues(state);
  // A walk from one stuck packet to what is in its way ends in a circle.
  const seen = new Map<number, number>();
  const walk: { readonly queue: number; readonly wanted: number }[] = [];
  let queue = stuck.indexOf(1);
  while (queue !== none && !seen.has(queue)) {
    seen.set(queue, walk.length);
    const wanted = blockerOf(state, intAt(state.options, wordOf(state, queue, beginOf)));
    walk.push({ queue, wanted });
    queue = wanted;
  }
  const circle = walk.slice(seen.get(queue) ?? 0);
  const waits = circle.map((each) => waitOf(state, each.queue, each.wanted));
  const lowest = waits.reduce((best, { packet }, index) => (packet < (waits[best]?.packet ?? 0) ? index : best), 0);
  const since = Math.max(...circle.map((each) => now - ((now - wordOf(state, each.queue, firstSince)) >>> 0)));
  return { since, waits: [...waits.slice(lowest), ...waits.slice(0, lowest)] };
}

const wordOf = ({ queues }: PacketState, queue: number, word: number): number => intAt(queues, (queue << shift) + word);

/** Queue whose packets are in the way of the first packet of another one: the last that it asked for, else its last option. */
function wantedBy(state: PacketState, queue: number): number {
  if (wordOf(state, queue, does) === granted) return wordOf(state, queue, output);
  state.findOptions(queue);
  const count = wordOf(state, queue, optionCount) + wordOf(state, queue, escapes);
  return blockerOf(state, intAt(state.options, wordOf(state, queue, beginOf) + count - 1));
}

/** The queue that has no room for who would take an option; the output itself where it has. */
function blockerOf(state: PacketState, option: number): number {
  if (option >= 0) return option;
  return wordOf(state, ~option, room) <= 0 || !state.bubbleIsHere ? ~option : wordOf(state, ~option, ownOf);
}

function waitOf(state: PacketState, queue: number, wanted: number): WaitingPacket {
  const { packets, nodeCount, linkQueues } = state;
  const record = wordOf(state, queue, firstOf) << packetWords.shift;
  return {
    packet: intAt(packets, record + packetWords.serial) * nodeCount + intAt(packets, record + packetWords.madeBy),
    transmission: intAt(packets, record + packetWords.message),
    holds: queue < linkQueues ? [wordOf(state, queue, linkOf)] : [],
    wants: channelOfOutput(state, wanted),
  };
}

/**
 * 1 for each queue whose first packet can never move again: it sleeps, and whatever it may ask for has no room and a first packet
 * of the same kind. O(queues · options) for each round that finds one that can move.
 */
function stuckQueues(state: PacketState): Uint8Array {
  const queueCount = state.queues.length >> shift;
  const stuck = Uint8Array.from({ length: queueCount }, (_, queue) => (wordOf(state, queue, does) === sleeps ? 1 : 0));
  for (let isStable = false; !isStable;) {
    isStable = true;
    for (let queue = 0; queue < queueCount; queue++) {
      if (stuck[queue] === 0 || !canMove(state, queue, stuck)) continue;
      stuck[queue] = 0;
      isStable = false;
    }
  }
  return stuck;
}

/** Of a queue whose first packet sleeps. */
function canMove(state: PacketState, queue: number, stuck: Uint8Array): boolean {
  const begin = wordOf(state, queue, beginOf);
  const end = begin + wordOf(state, queue, optionCount) + wordOf(state, queue, escapes);
  for (let each = begin; each < end; each++) {
    const option = intAt(state.options, each);
    const isWayOut = option >= state.linkQueues;
    if (isWayOut || state.hasRoom(option) || byteAt(stuck, blockerOf(state, option)) === 0) return true;
  }
  return false;
}
