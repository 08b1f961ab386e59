/**
 * The records of worms flit by flit: words of Int32Arrays, so that what is used together lies together. They stand in objects and not in
 * constants of their own, because an engine reads constants of its own file without a load, and those of another one with it: it takes
 * them apart once, at its head.
 */

/**
 * Of a queue, 2 ** `shift` words: what every flit changes. Links are gone through in order, so that records as short as this come into the
 * cache several at a time.
 */
export const queueWords = {
  shift: 2,
  // The queue as the end of a channel that leads to it.
  /** Flits for which there is room. */
  room: 0,
  /** Queue whose worm is being sent into it, −1 for none. */
  sender: 1,
  // Its first worm.
  /** Flits of it that are here, and those that have not left yet. */
  here: 2,
  left: 3,
} as const;

/** Of a queue, 2 ** `shift` words: what headers and tails change. Times are cycles modulo 2^32. */
export const wormWords = {
  shift: 4,
  // The first worm.
  /** One of {@link wormStates}. */
  state: 0,
  packet: 1,
  /** Channel that it has or has asked for last; while it sleeps, the ways out of its station that it sleeps for, as bits. */
  out: 2,
  /** Cycle in which its header became first and could first have asked. */
  since: 3,
  /** The next one of those at its station that sleep, or that wait to leave. */
  nextWaiting: 4,
  /** State of the route behind the channel that was asked for. */
  nextState: 5,
  /** Where its options are kept, and how many there are but for the escape channel: 0 where they are not. */
  options: 6,
  optionCount: 7,
  // Its worms, in a ring of as many places as it has flits: the first one, how many, which of them flits come to.
  firstWorm: 8,
  wormCount: 9,
  landing: 10,
  // The channel that leads to it: the best of those that ask for it in this cycle, −1 for none, and the port of the last winner.
  candidate: 11,
  lastPort: 12,
} as const;

/** What the first worm of a queue does. */
export const wormStates = {
  /** There is none, or its header has not come yet. */
  absent: 0,
  /** Its header waits for the router. */
  routed: 1,
  asking: 2,
  /** Nothing that it may ask for is to be had. */
  asleep: 3,
  sending: 4,
  ejecting: 5,
  /** It is there and waits for its turn to leave. */
  queued: 6,
} as const;

/** Of a place in the ring of a queue, 2 words. */
export const placeWords = {
  shift: 1,
  packetOf: 0,
  /** Flits of a worm behind the first one that are here. */
  landed: 1,
} as const;

/** Of a link, 2 ** `shift` words. Channels are bits. */
export const linkWords = {
  shift: 3,
  /** Channels that can send, and the last one that did. */
  ready: 0,
  lastChannel: 1,
  /** Station that it leaves, and which of the links there it is, as a bit; with more links than bits several have the same. */
  from: 2,
  wayOut: 3,
  // For the observer: the packet whose flits it sent last, since when, and how many without a gap.
  runPacket: 4,
  runStart: 5,
  runLength: 6,
} as const;

/** Of a packet, 2 ** `shift` words. */
export const packetWords = {
  shift: 3,
  /** Of an unused record the next unused one. */
  message: 0,
  flits: 1,
  /** Destination. */
  node: 2,
  /** Where its route stands: see `packetRoutes.ts`. */
  routeState: 3,
  hops: 4,
} as const;
