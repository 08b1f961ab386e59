/**
 * The records of packet events: words of Int32Arrays, so that nothing is allocated per event. They stand in objects and not in constants of
 * their own, because an engine reads constants of its own file without a load, and those of another one with it: it takes them apart
 * once, at its head.
 */

/** Of a queue, 2 ** `shift` words; times are cycles modulo 2^32. The first half is of the queue, the second of the output that leads to it. */
export const queueWords = {
  shift: 5,
  firstOf: 0,
  lastOf: 1,
  /** What its first packet does: one of {@link headStates}. */
  does: 2,
  /** Whole packets for which there is room: see `packetEvents.ts`. */
  room: 3,
  /** 1: what goes out makes room for what comes in. */
  makesRoom: 4,
  /** Cycle in which the first flit of what came in last moved, and of what goes out. */
  inStart: 5,
  outStart: 6,
  /** That the first packet has or asked for last, and the state of its route behind it. */
  output: 7,
  outputState: 8,
  /** Packet that goes out: it is no longer in the queue, whose next one waits until all of it has left. */
  moving: 9,
  /** Options of the first packet, the escape channel aside; 0 where they are not found yet. */
  optionCount: 10,
  /** 1: behind the options stands the escape channel. */
  escapes: 11,
  /** Option that it turns to next; their count stands for the escape channel. */
  bet: 12,
  /** Bits of the options that had room when it asked last, and when that was. */
  mask: 13,
  askedAt: 14,
  /** Since when it is first and routed. */
  firstSince: 15,
  // The queue as an output, which leads to it; that of a node is the way out of the network.
  /** Queue whose packet has it. */
  holder: 16,
  /** Port. */
  lastWinner: 17,
  /** The best of those that ask in this cycle. */
  candidate: 18,
  /** Ports of the station before that sleep for it; where a word is too few, they are in an array of their own. */
  sleepers: 19,
  /** Ports of its station that sleep for room in it, which is their own queue of a ring. */
  bubbleSleepers: 20,
  // What never changes.
  /** Behind the links come the ways out, one for each node. */
  linkOf: 21,
  channelOf: 22,
  portOf: 23,
  /** Ports of its station. */
  portsOf: 24,
  /** Own queue of the ring that the channel belongs to: that at the end of the channel before it, or none; and the queue whose own one it is. */
  ownOf: 25,
  afterOf: 26,
  /** Its options in the lists of options, and for how many there is room. */
  beginOf: 27,
  blockOf: 28,
  /** On a grid: where the links of its station begin; 2 · axis of its link, and 1 more where that leads back, −1 of nodes. */
  stationLinks: 29,
  directionOf: 30,
} as const;

/** What the first packet of a queue does. */
export const headStates = {
  /** There is none, or it is not routed yet. */
  idle: 0,
  /** It asks in the next cycle. */
  asks: 1,
  /** It waits for something to happen. */
  sleeps: 2,
  /** It has a channel and waits for the link. */
  granted: 3,
  /** Its flits move. */
  moves: 4,
} as const;

/** Bits of what an output has: room for a packet, for one that enters by the rule of the bubble, and nobody that holds it. */
export const outputBits = { hasPlace: 1, hasBubblePlace: 2, isFree: 4 } as const;

/** Of a link, 2 ** `shift` words. Channels are bits. */
export const linkWords = {
  shift: 3,
  isBusy: 0,
  /** Channels that have a packet to move, and those that are asked for in this cycle. */
  waitingChannels: 1,
  askedChannels: 2,
  nextChannel: 3,
  isTouched: 4,
} as const;

/** Of a packet, 2 ** `shift` words. */
export const packetWords = {
  shift: 3,
  /** The next one of its queue; of a free record, the next free one. */
  nextOf: 0,
  /** Node. */
  destination: 1,
  message: 2,
  hopsOf: 3,
  /** Where its route stands: see `packetRoutes.ts`. */
  stateOf: 4,
  /** Node, and which one of it. */
  madeBy: 5,
  serial: 6,
  /** Cycle, modulo 2^32, in which it may ask where it is. */
  routedAt: 7,
} as const;
