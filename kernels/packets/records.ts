/**
 * The records of packet events, and where they lie: nothing is allocated per event. Times in them are cycles modulo 2^32. A queue is one
 * line of the cache, since a hop touches two of them; what is touched only where packets contend is beside it in `QueueDetails`.
 */
/** A packet: 32 bytes. */
@unmanaged
export class Packet {
  /** What is left of its way on a grid; in other machines the state of its route, and above it the station that it goes to. */
  way: i64;
  /** The next one of its queue; of a free record, the next free one. */
  next: Packet;
  message: Message;
  /** Links between routers that it has taken. */
  hops: i32;
  /** Which one of its node. */
  serial: i32;
  /** Cycle in which it may ask where it is. */
  routedAt: i32;
  createdAt: i32;
}

/** A message: as long as a packet. */
@unmanaged
export class Message {
  /** The next one of its node; of a free record, the next free one. */
  next: Message;
  number: i32;
  from: i32;
  to: i32;
  /** The way out of the network, where its packets go. */
  exit: Queue;
  packetsToMake: i32;
  packetsToArrive: i32;
  /** State in which its packets begin; nothing on a grid. */
  start: i32;
}

/** What the first packet of a queue does. */
export namespace Head {
  /** There is none, or it is not routed yet. */
  export const idle: u8 = 0;
  /** It asks in the next cycle. */
  export const asks: u8 = 1;
  /** It waits for something to happen. */
  export const sleeps: u8 = 2;
  /** It has a channel and waits for the link. */
  export const granted: u8 = 3;
  /** Its flits move. */
  export const moves: u8 = 4;
}

/** Bits of what an output has: room for a packet, for one that enters by the rule of the bubble, and nobody that holds it. */
export const hasPlace: u8 = 1;
export const hasBubblePlace: u8 = 2;
export const isFree: u8 = 4;

/**
 * A queue, and the output that leads to it: of a link, one of its channels; of a node the queue into the network, and the way out of it.
 */
@unmanaged
export class Queue {
  first: Packet;
  last: Packet;
  /** That the first packet has or asked for last. */
  output: Queue;
  /** As an output: the best queue of those that ask for it in this cycle, then the one whose packet has it. */
  asker: Queue;
  /** As an output: its link. Behind the links come the ways out, one for each node. */
  link: Link;
  station: Station;
  /** Cycle in which the first flit of what came in last moved. */
  inStart: i32;
  /** Since when the first packet is first and routed. */
  firstSince: i32;
  /** Whole packets for which there is room: see `packetEvents.ts`. */
  room: i32;
  /** As an output: ports of the station before that sleep for it; where a word is too few, 1, and they are in a table of their own. */
  sleepers: i32;
  /** Ports of its station that sleep for room in it, which is their own queue of a ring. */
  bubbleSleepers: i32;
  port: i32;
  /** As an output: port. */
  lastWinner: i32;
  /** When the first packet has asked last. */
  askedAt: i32;
  /** What the first packet does: one of {@link Head}. */
  does: u8;
  /** What goes out makes room for what comes in. */
  makesRoom: bool;
  channel: u8;
  /** As an output: it is offered in the next cycle. */
  isOffered: bool;
  /** Of its link, on a grid: 2 · axis, and 1 more where it leads back; −1 of a node. */
  direction: i16;
  /** Option that the first packet turns to next; their count stands for the escape channel. */
  bet: u16;
}

/** Of each queue. What follows stands here in a graph; on a grid the options that the first packet sleeps for: see {@link keptOption}. */
@unmanaged
export class QueueDetails {
  /** Own queue of the ring that the channel belongs to: that at the end of the channel before it, or none; and the queue whose own one it is. */
  own: Queue;
  after: Queue;
  /** Bits of the options that had room when the first packet fell asleep, or have it where it need not ask again. */
  mask: i32;
  /** As an output: the station of those that ask for it. */
  before: Station;
  /** State of its route behind the output that it asked for. */
  nextState: i32;
  /** Link that the last packet took. */
  lastLink: i32;
  /** Which step of its state the first packet asked for and the last one took. */
  nextStep: i32;
  lastStep: i32;
}

/** Of those that are kept the last one is the escape channel, or 0. */
export const keptOptions = 3;
export const keptEscape = 3;

export function keptOption(details: QueueDetails, index: i32): usize {
  return load<usize>(changetype<usize>(details) + ((<usize>index) << 2), offsetof<QueueDetails>('nextState'));
}

export function setKeptOption(details: QueueDetails, index: i32, option: usize): void {
  store<usize>(changetype<usize>(details) + ((<usize>index) << 2), option, offsetof<QueueDetails>('nextState'));
}

/** A link, or a way out. Channels are bits. */
@unmanaged
export class Link {
  /** Channels that have a packet to move, and those that are asked for in this cycle. */
  waiting: i32;
  asked: i32;
  /** Its first channel. */
  first: Queue;
  isBusy: bool;
  isTouched: bool;
  nextChannel: u8;
  spare: u8;
}

/** A router, or a node that hangs on a link of its own. On a grid there follow its outputs by direction, and its positions. */
@unmanaged
export class Station {
  /** Its queues in the order of the arbiter: addresses. */
  queues: usize;
  /** Of a node on a link of its own: the first channel of that link, and the router at its end; of a router none, and itself. */
  uplink: Queue;
  router: i32;
  /** Of a node on a link of its own: the first channel of the link that leads to it. */
  downlink: Queue;
}

/** An axis of a grid: where its part of a way stands, and whether it is a ring. */
@unmanaged
export class Axis {
  steps: i64;
  oneStep: i64;
  /** Set where the steps lead back. */
  back: i64;
  shift: i32;
  side: i32;
  isRing: bool;
}

/**
 * A step of a graph of states: the first channel of the link that it takes, and the state it leads to. Of a route without a choice a state is
 * the step that is taken in it.
 */
@unmanaged
export class Step {
  output: Queue;
  state: i32;
}

@unmanaged
export class Node {
  first: Message;
  last: Message;
  made: i64;
  started: i64;
  /** Cycle in which the last packet began to leave, and how many cycles that takes it. */
  outStart: i32;
  outCycles: i32;
  does: NodeState;
}

export const enum NodeState {
  makesNothing = 0,
  makesAtItsTime = 1,
  makesWhenOneLeaves = 2,
}

/**
 * A choice of a first packet: an output, one more where it is entered by the rule of the bubble; in a graph the state of the route behind it,
 * and which step of its state it is.
 */
@unmanaged
export class Option {
  output: usize;
  state: i32;
  step: i32;
  spare: i32;
}

/** A line in which everyone waits equally long: what went in first comes out first. A ring of entries. */
@unmanaged
export class Line {
  entries: usize;
  /** Entries less 1, which are a power of two. */
  mask: i32;
  head: i32;
  tail: i32;
}

/**
 * A queue in a line, and the cycle in which it comes out; what it sends over which link, so that the records of all three are fetched
 * at a time and not one after the other.
 */
@unmanaged
export class Entry {
  queue: Queue;
  due: i32;
  output: Queue;
  link: Link;
}

/** A queue whose next packet becomes its first one, that packet, and what it asks for first. */
@unmanaged
export class Comer {
  queue: Queue;
  packet: Packet;
  option: usize;
  spare: i32;
}

/** Where tables and lists lie, and what changes as time goes on. */
@unmanaged
export class Engine {
  // Read from outside: the cycle that `advance` has come to, how many messages were sent and have arrived in it, and where their numbers are.
  cycle: f64;
  sentCount: i32;
  arrivedCount: i32;
  told: usize;
  now: i64;
  packetsUnderWay: i32;
  /** First byte that is not given out, and the first that is not there. */
  top: usize;
  limit: usize;
  freePacket: Packet;
  freeMessage: Message;
  messageCount: i32;
  // Tables.
  /** Of queues of links. */
  linkBytes: usize;
  /** Where the entry of a queue at address 0 would be: that of any is found by a shift of its address and an addition. */
  detailsOf0: usize;
  hasOf0: usize;
  manySleepers: usize;
  links: usize;
  stations: usize;
  stationBytes: i32;
  portQueues: usize;
  nodes: usize;
  options: usize;
  axisTable: usize;
  axisOfBit: usize;
  nodePositions: usize;
  firstSteps: usize;
  steps: usize;
  distances: usize;
  rows: usize;
  rowRouters: usize;
  slots: usize;
  filledSlots: usize;
  nextInSlot: usize;
  linkTimes: usize;
  queueEnds: usize;
  present: i32;
  // Lists: queues that ask in the next cycle, outputs that are offered then, queues whose next packet is first then, nodes that make one then, links that may start.
  asking: usize;
  askingCount: i32;
  offers: usize;
  offerCount: i32;
  comers: usize;
  comerCount: i32;
  makers: usize;
  makerCount: i32;
  touched: usize;
  touchedCount: i32;
  sent: usize;
  arrived: usize;
  /** 1 where the escape channel stands behind the options found last. */
  escape: i32;
  /** Of a way: bits of all steps. */
  allSteps: i64;
  untilLook: i32;
  /** Where {@link fetch} leaves what nobody reads. */
  fetched: i32;
}

// Fixed places at the beginning of the memory, which names the compiler reads without a load.
export const engine = changetype<Engine>(64);
export const ends = changetype<Line>(512);
export const arrivals = changetype<Line>(576);
/** Queues come first of all tables. */
export const queuesAt: usize = 1024;

export const queueShift = 6;
export const detailsShift = 5;
const linkShift = 4;
const nodeShift = 6;
const axisShift = 6;
const comerShift = 4;
const optionShift = 4;
const stepShift = 3;

export const noQueue = changetype<Queue>(0);
export const noPacket = changetype<Packet>(0);
export const noMessage = changetype<Message>(0);
export const noEntry = changetype<Entry>(0);
export const noLink = changetype<Link>(0);
export const noStation = changetype<Station>(0);

export function queueAt(index: i32): Queue {
  return changetype<Queue>(queuesAt + ((<usize>index) << queueShift));
}

export function indexOf(queue: Queue): i32 {
  return <i32>((changetype<usize>(queue) - queuesAt) >> queueShift);
}

export function detailsOf(queue: Queue): QueueDetails {
  return changetype<QueueDetails>(engine.detailsOf0 + ((changetype<usize>(queue) >> queueShift) << detailsShift));
}

/** A channel of the link whose first one is given. */
export function channelFrom(first: Queue, channel: i32): Queue {
  return changetype<Queue>(changetype<usize>(first) + ((<usize>channel) << queueShift));
}

export function linkAt(index: i32): Link {
  return changetype<Link>(engine.links + ((<usize>index) << linkShift));
}

export function indexOfLink(link: Link): i32 {
  return <i32>((changetype<usize>(link) - engine.links) >> linkShift);
}

export function nodeAt(index: i32): Node {
  return changetype<Node>(engine.nodes + ((<usize>index) << nodeShift));
}

export function stationAt(index: i32): Station {
  return changetype<Station>(engine.stations + <usize>(index * engine.stationBytes));
}

export function axisAt(index: i32): Axis {
  return changetype<Axis>(engine.axisTable + ((<usize>index) << axisShift));
}

export function stepAt(index: i32): Step {
  return changetype<Step>(engine.steps + ((<usize>index) << stepShift));
}

export function optionAt(index: i32): Option {
  return changetype<Option>(engine.options + ((<usize>index) << optionShift));
}

/** Entries of lists and tables of words. */
export function wordAt(list: usize, index: i32): i32 {
  return load<i32>(list + ((<usize>index) << 2));
}

export function setWord(list: usize, index: i32, value: i32): void {
  store<i32>(list + ((<usize>index) << 2), value);
}

/** In a graph: where a packet goes, and the state of its route. */
export function goalOf(way: i64): Station {
  return changetype<Station>(<usize>((<u64>way) >> 32));
}

export function stateOf(way: i64): i32 {
  return <i32>way;
}

export function wayTo(goal: Station, state: i32): i64 {
  return ((<i64>changetype<usize>(goal)) << 32) | (<i64>(<u32>state));
}

/** Whether a queue, or an output, is of a link: not of a node, and no way out of the network. */
export function isOfLink(queue: Queue): bool {
  return changetype<usize>(queue) - queuesAt < engine.linkBytes;
}

export function comerAt(index: i32): Comer {
  return changetype<Comer>(engine.comers + ((<usize>index) << comerShift));
}

export function addComer(queue: Queue, packet: Packet): void {
  const comer = comerAt(engine.comerCount++);
  comer.queue = queue;
  comer.packet = packet;
}
