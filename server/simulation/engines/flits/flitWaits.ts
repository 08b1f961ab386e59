/**
 * Who waits for whom among worms flit by flit: for the picture of a moment, and to find deadlocks. Reads the records of the engine and
 * changes nothing.
 */
import { intAt } from '../../../numeric/elements.ts';
import type { Deadlock, WaitingPacket } from '../../messages.ts';
import { linkWords, packetWords, placeWords, queueWords, wormStates, wormWords } from './flitRecords.ts';
import type { FlitSelection } from './flitSelection.ts';
import type { Stations } from '../packetStations.ts';

const none = -1;

const { asking, asleep, absent } = wormStates;
const { shift, room, sender } = queueWords;
const { shift: wormShift, state: stateWord, packet: packetWord, since, firstWorm, wormCount } = wormWords;

/** What is read of the engine, as it is at the end of a cycle. */
export interface FlitState {
  readonly now: number;
  readonly channels: number;
  /** Flits of a queue. */
  readonly buffer: number;
  /** Queues of links; those of nodes come behind them. */
  readonly linkQueues: number;
  readonly routerLinks: number;
  readonly stations: Stations;
  /** Records of queues, of their worms, of the places of queues, of links, of packets. */
  readonly queues: Int32Array;
  readonly worms: Int32Array;
  readonly places: Int32Array;
  readonly links: Int32Array;
  readonly packets: Int32Array;
  readonly selection: FlitSelection;
  /** Channels that the header of a queue may ask for, the escape channel last; none where it is at its destination. */
  optionsOf(queue: number): readonly number[];
}

/** All headers that wait for a channel, by the number of their packet. O(queues). */
export function waitingWorms(state: FlitState): readonly WaitingPacket[] {
  const found: WaitingPacket[] = [];
  const { queues } = state;
  for (let queue = 0; queue << shift < queues.length; queue++) {
    const what = wormOf(state, queue, stateWord);
    if (what !== asleep && what !== asking) continue;
    found.push(flitWait(state, queue, state.optionsOf(queue)[0] ?? queue));
  }
  return found.sort((a, b) => a.packet - b.packet);
}

const wordOf = ({ queues }: FlitState, queue: number, word: number): number => intAt(queues, (queue << shift) + word);

const wormOf = ({ worms }: FlitState, queue: number, word: number): number => intAt(worms, (queue << wormShift) + word);

/** Cycle from which the header in a queue has asked. The words of worms hold the last 32 bits of it. */
const sinceOf = (state: FlitState, queue: number): number =>
  state.now - ((state.now - wormOf(state, queue, since)) | 0);

/** What a packet holds whose header is in a queue, back to where its tail is, and the channel that it wants. */
function flitWait(
  state: FlitState,
  queue: number,
  channel: number,
  packet = wormOf(state, queue, packetWord),
): WaitingPacket {
  const { linkQueues, routerLinks, stations, channels, packets } = state;
  const holds: number[] = [];
  for (const at of trailOf(state, queue, packet)) {
    if (at < linkQueues) holds.push(Math.floor(at / channels));
    else if (stations.linkCount === routerLinks) holds.push(routerLinks + 2 * (at - linkQueues));
  }
  const transmission = intAt(packets, (packet << packetWords.shift) + packetWords.message);
  const wants = Math.floor(channel / channels);
  return { packet, transmission, holds: holds.reverse(), wants, since: sinceOf(state, queue) };
}

/** Queues that a packet has flits in, or channels to, from that of its header back. */
function trailOf(state: FlitState, header: number, packet: number): readonly number[] {
  const trail: number[] = [header];
  for (let at = header; at < state.linkQueues;) {
    at = wordOf(state, at, sender);
    if (at === none || wormOf(state, at, packetWord) !== packet) break;
    trail.push(at);
  }
  return trail;
}

/** Headers that cannot move as far as is known, by packet: the queue where each is, −1 for others, and the packet before it there. */
interface Stuck {
  readonly queueOf: Int32Array;
  readonly aheadOf: Int32Array;
  count: number;
}

/**
 * A circle among worms that can never move again; undefined where there are none. A worm that stands behind another in a queue can move
 * once that one can; a header that sleeps, once a channel that it may ask for is given free by a worm that can, and its queue has room
 * or is led by one that can. What is left when nothing more follows is a deadlock. O(places of the queues, and ports of stations for
 * each that worms hold).
 */
export function findFlitDeadlock(state: FlitState): Deadlock | undefined {
  const stuck = headersAt(state);
  // Those that can move, and what follows from each: who stands behind it, who sleeps for what it holds.
  const free: number[] = [];
  const release = (packet: number): void => {
    free.push(packet, intAt(stuck.queueOf, packet));
    stuck.queueOf[packet] = none;
    stuck.count--;
  };
  const { queueOf, aheadOf } = stuck;
  for (let packet = 0; packet < queueOf.length; packet++) {
    if (queueOf[packet] !== none && aheadOf[packet] === none && canFlitMove(state, stuck, intAt(queueOf, packet))) {
      release(packet);
    }
  }
  // Worms that are not stuck from the start hold nothing for good: who stands behind them or sleeps for theirs has been let go above.
  for (let queue = 0; queue << shift < state.queues.length; queue++) releaseBehind(state, stuck, queue, release);
  while (free.length > 0 && stuck.count > 0) {
    const queue = free.pop() ?? 0;
    const packet = free.pop() ?? 0;
    for (const at of trailOf(state, queue, packet)) {
      releaseBehind(state, stuck, at, release);
      releaseSleepers(state, stuck, at, release);
    }
  }
  return stuck.count === 0 ? undefined : circleAmong(state, stuck);
}

/** Headers that sleep, and those that stand behind another worm. */
function headersAt(state: FlitState): Stuck {
  const count = state.packets.length >> packetWords.shift;
  const stuck: Stuck = {
    queueOf: new Int32Array(count).fill(none),
    aheadOf: new Int32Array(count).fill(none),
    count: 0,
  };
  const { queueOf, aheadOf } = stuck;
  for (let queue = 0; queue << shift < state.queues.length; queue++) {
    let ahead = none;
    for (const packet of packetsIn(state, queue)) {
      if (ahead !== none || wormOf(state, queue, stateWord) === asleep) {
        queueOf[packet] = queue;
        aheadOf[packet] = ahead;
        stuck.count++;
      }
      ahead = packet;
    }
  }
  return stuck;
}

/** The first one first. */
function packetsIn(state: FlitState, queue: number): readonly number[] {
  const { linkQueues, buffer, places } = state;
  if (queue >= linkQueues) {
    return wormOf(state, queue, stateWord) === absent ? [] : [wormOf(state, queue, packetWord)];
  }
  const count = wormOf(state, queue, wormCount);
  if (count === 0) return [];
  const first = wormOf(state, queue, firstWorm);
  return Array.from({ length: count }, (_, index) =>
    intAt(places, ((queue * buffer + ((first + index) % buffer)) << placeWords.shift) + placeWords.packetOf),
  );
}

/** Lets worms go that stand behind one that can move. */
function releaseBehind(
  state: FlitState,
  { queueOf, aheadOf }: Stuck,
  queue: number,
  release: (packet: number) => void,
): void {
  if (queue >= state.linkQueues || wormOf(state, queue, wormCount) < 2) return;
  for (const packet of packetsIn(state, queue)) {
    const ahead = intAt(aheadOf, packet);
    if (queueOf[packet] === queue && ahead !== none && queueOf[ahead] === none) release(packet);
  }
}

/** Lets headers go that sleep for a channel, where they can move. */
function releaseSleepers(state: FlitState, stuck: Stuck, channel: number, release: (packet: number) => void): void {
  if (channel >= state.linkQueues) return;
  const link = Math.floor(channel / state.channels);
  const station = intAt(state.links, (link << linkWords.shift) + linkWords.from);
  for (const queue of state.selection.asleepAt(station)) {
    const packet = wormOf(state, queue, packetWord);
    const isStuck = stuck.queueOf[packet] === queue && stuck.aheadOf[packet] === none;
    if (isStuck && canFlitMove(state, stuck, queue)) release(packet);
  }
}

/** Whether a header has an option that nobody keeps from it for good. */
const canFlitMove = (state: FlitState, stuck: Stuck, queue: number): boolean =>
  state.optionsOf(queue).some((channel) => blockerOf(state, stuck, channel) === none);

/** The packet that keeps a header from a channel, −1 where none does for good. */
function blockerOf(state: FlitState, { queueOf }: Stuck, channel: number): number {
  const holder = wordOf(state, channel, sender);
  const owner = holder === none ? none : wormOf(state, holder, packetWord);
  if (owner !== none && queueOf[owner] !== none) return owner;
  const isOpen = wordOf(state, channel, room) >= state.selection.placesNeeded(channel);
  if (isOpen || wormOf(state, channel, wormCount) === 0) return none;
  const first = wormOf(state, channel, packetWord);
  return queueOf[first] === none ? none : first;
}

/** From the lowest packet on each waits for the next, until one comes again. */
function circleAmong(state: FlitState, stuck: Stuck): Deadlock {
  const { queueOf, aheadOf } = stuck;
  const path: { readonly packet: number; readonly queue: number; readonly wants: number }[] = [];
  const placeOf = new Map<number, number>();
  let packet = queueOf.findIndex((queue) => queue !== none);
  while (!placeOf.has(packet)) {
    const queue = intAt(queueOf, packet);
    const ahead = intAt(aheadOf, packet);
    const wants = ahead === none ? (state.optionsOf(queue)[0] ?? queue) : queue;
    placeOf.set(packet, path.length);
    path.push({ packet, queue, wants });
    packet = ahead === none ? blockerOf(state, stuck, wants) : ahead;
  }
  const circle = path.slice(placeOf.get(packet));
  const lowest = circle.reduce((best, each, index) => (each.packet < (circle[best]?.packet ?? 0) ? index : best), 0);
  const asked = circle
    .filter((each) => wormOf(state, each.queue, stateWord) === asleep)
    .map(({ queue }) => sinceOf(state, queue));
  return {
    since: asked.reduce((latest, cycle) => Math.max(latest, cycle), 0),
    waits: [...circle.slice(lowest), ...circle.slice(0, lowest)].map((each) =>
      flitWait(state, each.queue, each.wants, each.packet),
    ),
  };
}
