/**
 * The tables that packet events run on, written once for a network: its options by the names of the kernel, stations and their ports, and where
 * packets may go next, as positions on a grid or as steps in the graph of the routing.
 */
import type { WorkMeter } from '../../../model/cancellation.ts';
import type { Machine } from '../../../model/machine.ts';
import type {
  Bubble,
  NetworkArbiter,
  NetworkEjection,
  NetworkRouting,
  NetworkSelection,
} from '../../../model/networkModel.ts';
import { intAt } from '../../../numeric/elements.ts';
import type { MessageObserver } from '../../messages.ts';
import { escapeChannelsOf, mostLinks } from '../packetRoutes.ts';
import { gridOf, stationsOf, type Grid, type Stations } from '../packetStations.ts';
import { flitTimes, packetCycles } from '../flitTimes.ts';
import type { KernelOptions, PacketKernel } from './packetMemory.ts';
import { hasFixedRoutes } from './routeStarts.ts';

export interface PacketOptions {
  readonly switching: 'cut-through' | 'store-and-forward';
  /** Flits of every packet, and bytes of a flit. */
  readonly packet: number;
  readonly flit: number;
  readonly channels: number;
  /** Packets of a queue. */
  readonly queue: number;
  /** Cycles; together at least 1. */
  readonly router: number;
  readonly link: number;
  readonly bubble?: Bubble;
  readonly routing: NetworkRouting;
  readonly select: NetworkSelection;
  readonly arbiter: NetworkArbiter;
  readonly ejection: NetworkEjection;
  readonly secondsPerCycle: number | undefined;
}

const none = -1;

/** A call of the kernel takes as long as so many entries of an array that are read. */
const workOfCall = 8;

/** Rows of the steps that lead to routers that are kept, in words together. */
export const mostRemembered = 2 ** 25;

/** Options besides the escape channel that are kept of a packet that sleeps: `keptOptions` of the kernel. */
const mostKeptOptions = 3;

/** As many records of queues are about as long as the second cache of a processor is. */
const manyQueues = 2 ** 13;

/** What a machine is to packets. */
export interface PacketMachine {
  readonly machine: Machine;
  readonly stations: Stations;
  readonly grid: Grid | undefined;
  /** Cycles of a flit by link, undefined where all take one. */
  readonly times: Float64Array | undefined;
}

/** Of no use where it was cancelled, as all that is made of it. */
export function packetMachine(machine: Machine, channels: number, meter: WorkMeter): PacketMachine {
  const grid = gridOf(machine, meter);
  return { machine, grid, stations: stationsOf(machine, channels, grid, meter), times: flitTimes(machine) };
}

/** The options of the kernel. `seed` as drawn for coins. */
export function kernelOptions(
  of: PacketMachine,
  options: PacketOptions,
  seed: number,
  { crossed, waited, tellsSent = true }: MessageObserver,
): KernelOptions {
  const { machine, stations, grid, times } = of;
  const { channels, packet, queue, router, link, bubble, arbiter, ejection, switching } = options;
  const isStored = switching === 'store-and-forward';
  const hopDelay = router + link + (isStored ? packet - 1 : 0);
  // While a packet crosses a link it may still come over a slower one.
  const longest = times === undefined ? packet : 2 * mostCycles(packet, times);
  const hasBubble = bubble !== undefined;
  return {
    ...{ flits: packet, channels, capacity: queue, router, hopDelay, linkDelay: link, seed },
    ...{ isStored, isUneven: times !== undefined },
    ...{ hasBubble, bubble: bubble?.packets ?? 0, bubbleIsHere: bubble?.here ?? true },
    ...asking(of, options),
    ...{ isFirstCome: arbiter === 'first-come', isSingle: ejection === 'single' },
    ...{ isObserved: crossed !== undefined || waited !== undefined, tellsSent },
    queueCount: stations.ofQueue.length,
    isLarge: stations.ofQueue.length >= manyQueues,
    linkQueues: stations.linkCount * channels,
    nodeCount: machine.nodeCount,
    linkCount: stations.linkCount,
    routerLinks: machine.topology.links.routerLinkCount,
    stationCount: stations.count,
    mostOptions: 1 + channels * Math.max(1, grid?.axes ?? mostLinks(machine)),
    slotCount: Math.max(32, 2 ** (32 - Math.clz32(longest + hopDelay + 2))),
    isGrid: grid !== undefined,
    isFixed: hasFixedRoutes(machine),
    axes: grid?.axes ?? 0,
    ...sizeOfGraph(grid === undefined ? machine : undefined),
  };
}

/** What packets may ask for, and how those that sleep come to have it. */
function asking({ machine, grid, stations }: PacketMachine, { channels, routing, select, bubble }: PacketOptions) {
  const escapeChannels = escapeChannelsOf(grid, { channels, routing, hasBubble: bubble !== undefined });
  const isAdaptive = routing === 'adaptive' && !hasFixedRoutes(machine);
  const portWords = Math.ceil(mostQueuesOfStation(stations) / 32);
  const hasOneOption = portWords === 1 && channels === 1 && !isAdaptive;
  const isFirstFree = hasOneOption || select === 'first-free';
  const isRandom = !isFirstFree && select === 'random';
  const inTurn = grid === undefined ? Infinity : (channels - escapeChannels) * (isAdaptive ? grid.axes : 1);
  const isOffered = hasOneOption || (portWords === 1 && isFirstFree && inTurn <= mostKeptOptions);
  return { escapeChannels, isAdaptive, portWords, hasOneOption, isFirstFree, isRandom, isOffered };
}

/** States, steps, and how many rows of distances are kept; nothing of a grid. */
function sizeOfGraph(
  machine: Machine | undefined,
): Pick<KernelOptions, 'stateCount' | 'stepCount' | 'stepWords' | 'rowCount'> {
  const graph = machine?.routing.graph;
  if (machine === undefined || graph === undefined) return { stateCount: 0, stepCount: 0, stepWords: 0, rowCount: 0 };
  const { stateCount, stepLink } = graph;
  const stepWords = Math.max(1, Math.ceil(mostLinks(machine) / 32));
  const kept = Math.floor(mostRemembered / (stateCount * stepWords));
  const rowCount = Math.max(1, Math.min(machine.topology.routerCount, kept));
  return { stateCount, stepCount: stepLink.length, stepWords, rowCount };
}

function mostQueuesOfStation({ count, firstQueue }: Stations): number {
  let most = 1;
  for (let station = 0; station < count; station++) {
    most = Math.max(most, intAt(firstQueue, station + 1) - intAt(firstQueue, station));
  }
  return most;
}

/** Writes what the kernel runs on; false where it was cancelled. O(queues + nodes · axes), or + steps of the graph. */
export function writeTables(
  kernel: PacketKernel,
  of: PacketMachine,
  options: PacketOptions,
  meter: WorkMeter,
): boolean {
  const isWhole =
    writeTimes(kernel, of, options, meter) &&
    writeQueues(kernel, of, options, meter) &&
    writeStations(kernel, of, meter) &&
    (of.grid === undefined ? writeGraph(kernel, of.machine, meter) : writeGrid(kernel, of.machine, of.grid, meter));
  if (isWhole) kernel.finish();
  return isWhole;
}

/** Of a packet, on the slowest link. */
export const mostCycles = (packet: number, times: Float64Array): number =>
  packetCycles(
    packet,
    times.reduce((most, time) => Math.max(most, time), 1),
  );

function writeTimes(
  kernel: PacketKernel,
  { times }: PacketMachine,
  { packet }: PacketOptions,
  meter: WorkMeter,
): boolean {
  for (const [link, time] of times?.entries() ?? []) {
    if (meter.isCancelledAfter(workOfCall)) return false;
    kernel.placeTimes(link, packetCycles(packet, time), packetCycles(1, time) - 1);
  }
  return true;
}

function writeQueues(
  kernel: PacketKernel,
  { stations, grid }: PacketMachine,
  options: PacketOptions,
  meter: WorkMeter,
): boolean {
  const { channels, bubble } = options;
  const { ofQueue, portOfQueue, queues, linkCount, from } = stations;
  const ofLinks = linkCount * channels;
  for (let queue = 0; queue < ofLinks; queue++) {
    if (meter.isCancelledAfter(workOfCall)) return false;
    const link = Math.floor(queue / channels);
    const before = bubble === undefined ? none : (grid?.before[link] ?? none);
    const own = before === none ? none : before * channels + (queue - link * channels);
    kernel.placeQueue(queue, link, intAt(ofQueue, queue), intAt(portOfQueue, queue), intAt(from, link), own);
  }
  for (let queue = ofLinks; queue < ofQueue.length; queue++) {
    if (meter.isCancelledAfter(workOfCall)) return false;
    const station = intAt(ofQueue, queue);
    kernel.placeQueue(queue, linkCount + queue - ofLinks, station, intAt(portOfQueue, queue), station, none);
  }
  for (let place = 0; place < queues.length; place++) {
    if (meter.isCancelledAfter(workOfCall)) return false;
    kernel.placePort(place, intAt(queues, place));
  }
  return true;
}

/** Routers, and nodes that hang on links of their own, after them. */
function writeStations(kernel: PacketKernel, { machine, stations }: PacketMachine, meter: WorkMeter): boolean {
  const { routerCount, routerOfNode, links } = machine.topology;
  for (let station = 0; station < stations.count; station++) {
    if (meter.isCancelledAfter(workOfCall)) return false;
    const node = station - routerCount;
    const router = node < 0 ? station : intAt(routerOfNode, node);
    const uplink = node < 0 ? none : links.routerLinkCount + 2 * node;
    const downlink = uplink === none ? none : uplink + 1;
    kernel.placeStation(station, intAt(stations.firstQueue, station), router, uplink, downlink);
  }
  return true;
}

/** Fields of ways in the order of the routing, as wide as the longest way along an axis. */
function writeGrid(kernel: PacketKernel, { topology, nodeCount }: Machine, grid: Grid, meter: WorkMeter): boolean {
  const { axes, sides, rings, order, positions, links } = grid;
  let shift = 0;
  for (const axis of order) {
    const side = intAt(sides, axis);
    const most = rings[axis] === 1 ? side >> 1 : side - 1;
    const bits = 33 - Math.clz32(most);
    kernel.placeAxis(axis, side, rings[axis] ?? 0, shift, bits);
    shift += bits;
  }
  for (let router = 0; router < topology.routerCount; router++) {
    if (meter.isCancelledAfter(axes * workOfCall)) return false;
    for (let axis = 0; axis < axes; axis++) {
      const place = router * axes + axis;
      kernel.placeRouter(router, axis, intAt(positions, place), intAt(links, 2 * place), intAt(links, 2 * place + 1));
    }
  }
  for (let node = 0; node < nodeCount; node++) {
    if (meter.isCancelledAfter(axes * workOfCall)) return false;
    const first = intAt(topology.routerOfNode, node) * axes;
    for (let axis = 0; axis < axes; axis++) kernel.placePosition(node, axis, intAt(positions, first + axis));
  }
  return true;
}

function writeGraph(kernel: PacketKernel, { routing }: Machine, meter: WorkMeter): boolean {
  const { graph } = routing;
  // The steps of routes without a choice are written as messages are sent.
  if (graph === undefined) return true;
  for (const [state, first] of graph.firstStep.entries()) {
    if (meter.isCancelledAfter(workOfCall)) return false;
    kernel.placeState(state, first);
  }
  for (const [step, link] of graph.stepLink.entries()) {
    if (meter.isCancelledAfter(workOfCall)) return false;
    kernel.placeStep(step, link, intAt(graph.stepTo, step));
  }
  return true;
}
