/**
 * What a network is, as it never changes: set from outside by these names when the kernel is loaded. Addresses of tables are those that
 * `layOut` gave out, and what stands there was written from outside too.
 */

/** Flits of every packet. */
export let flits: i32 = 0;
/** Channels of a link. */
export let channels: i32 = 0;
/** Packets of a queue. */
export let capacity: i32 = 0;
/** Cycles of a router, and from the start of a packet to the cycle in which it may ask in the next station. */
export let router: i32 = 0;
export let hopDelay: i32 = 0;
/** Cycles of a link alone, and whether packets are stored as wholes before they go on. */
export let linkDelay: i32 = 0;
export let isStored: bool = false;
/** Whether a flit takes longer over some links than over others. */
export let isUneven: bool = false;
/** Whether rings are entered by the rule of the bubble, for how many packets they have room then, and whether in the own queue of the ring. */
export let hasBubble: bool = false;
export let bubble: i32 = 0;
export let bubbleIsHere: bool = false;
export let isAdaptive: bool = false;
/** The rule of selection: one of the three. */
export let isFirstFree: bool = false;
export let isRandom: bool = false;
/** Every first packet has one option; and few enough that outputs are offered to those who sleep (`offers.ts`). */
export let hasOneOption: bool = false;
export let isOffered: bool = false;
/** The arbiter, round-robin otherwise. */
export let isFirstCome: bool = false;
/** Packets leave the network one after the other. */
export let isSingle: bool = false;
/** Whether somebody wants to hear of channels that are crossed and of waits. */
export let isObserved: bool = false;
/** Whether somebody wants to hear that messages have left their nodes. */
export let tellsSent: bool = false;
/** Where coins come from. */
export let seed: i32 = 0;

export let queueCount: i32 = 0;
/** Queues of links; those of nodes come behind them. */
export let linkQueues: i32 = 0;
export let nodeCount: i32 = 0;
export let linkCount: i32 = 0;
/** Links between routers; those of nodes come behind them. */
export let routerLinks: i32 = 0;
export let stationCount: i32 = 0;
/** Words for the ports of a station. */
export let portWords: i32 = 0;
/** No packet has more options, the escape channel included. */
export let mostOptions: i32 = 0;
/** Whether the records of queues do not fit into a cache near the processor. */
export let isLarge: bool = false;
/** Slots of time, a power of two: more than the longest delay. */
export let slotCount: i32 = 0;

// Grids.
export let isGrid: bool = false;
export let axes: i32 = 0;
/** Of a grid with adaptive routing: channels below this are for escape. */
export let escapeChannels: i32 = 0;

/** Other machines: whether a packet has no choice of links, so that its route is a chain of steps; else a graph of states. */
export let isFixed: bool = false;
export let stateCount: i32 = 0;
export let stepCount: i32 = 0;
/** Words that have a bit for each step of a state. */
export let stepWords: i32 = 0;
/** Rows of distances that are kept. */
export let rowCount: i32 = 0;
