/**
 * The engine that simulates a network model on a machine. The one place where the options of a `network` declaration meet the
 * engines: what an engine cannot do is refused here, as data that `engineRefusals.ts` words.
 */
import { largestOf } from '../model/lists.ts';
import { neverCancelled, type Cancellation } from '../model/cancellation.ts';
import { type EngineRefusal, refuseNetwork } from '../model/engineRefusals.ts';
import { countOf } from '../model/quantities.ts';
import { fastestBandwidth, hostHops, type Machine } from '../model/machine.ts';
import { intAt } from '../numeric/elements.ts';
import { relativeTimes } from '../network/linkClasses.ts';
import { endName } from '../network/names.ts';
import { mostChannels, usualQueue, type Delay, type NetworkModel } from '../model/networkModel.ts';
import { seededRandom, type RandomSource } from '../model/random.ts';
import { cancelled, succeed, type Result } from '../model/result.ts';
import { flitTimes, hasSlowPorts } from './engines/flitTimes.ts';
import { FlowNetwork } from './engines/flows/flow.ts';
import { headerEvents, type HeaderEvents } from './engines/headers/headerEvents.ts';
import { PacketEvents } from './engines/packets/packetEvents.ts';
import { mostCycles, type PacketOptions } from './engines/packets/packetTables.ts';
import { hasFixedRoutes, mostSteps } from './engines/packets/routeStarts.ts';
import { gridAxesOf } from './engines/packetStations.ts';
import { flitNetwork } from './engines/flits/flits.ts';
import { defaultServerOptions, serverNetwork, type ServerOptions } from './engines/servers/servers.ts';
import {
  flitsOf,
  longestPacket,
  type MessageNetwork,
  type MessageObserver,
  packetsOf,
  type Packing,
  type StreamNetwork,
} from './messages.ts';
import { dependencyCircle } from './dependencies.ts';
import { JobsOverMessages } from './jobsOverMessages.ts';
import { portsAsNodes, RailMessages } from './rails.ts';
import { routesRefusal } from './routes.ts';
import { thesisOptions } from './engines/headers/wormholeOptions.ts';

/** Bytes of a flit and flits of a packet where a model does not say. */
const defaults = { flitBytes: 4, packetFlits: 8 };

/** Queues of channels, each with some 150 bytes. */
const mostQueues = 2 ** 22;

/** Bytes of a network flit by flit for each link and each of its channels: measured on meshes of 512² and 1,024² with 1, 2 and 4 channels. */
const flitBytes = { perLink: 90, perChannel: 96, most: 2 ** 30 };

/** Of a queue and a port of the router before it, which may sleep for it: two bits, so 2^30 bytes in all. */
const mostPairs = 2 ** 32;

/** Steps of routes without a choice, of 8 bytes each. */
const mostRouteSteps = 2 ** 27;

/** Queues at one router, at most: what comes over links from other routers and from nodes. */
function mostQueuesOfRouter({ topology, nodeCount }: Machine, channels: number): number {
  const { routerCount, routerOfNode, hasHostLinks, links } = topology;
  const ports = new Int32Array(routerCount);
  for (let link = 0; link < links.routerLinkCount; link++) {
    const router = intAt(links.to, link);
    ports[router] = intAt(ports, router) + channels;
  }
  for (let node = 0; node < nodeCount; node++) {
    const router = intAt(routerOfNode, node);
    ports[router] = intAt(ports, router) + (hasHostLinks ? channels : 1);
  }
  return ports.reduce((most, count) => Math.max(most, count), 1);
}

/**
 * An empty network, in which nothing has happened yet. `random` is drawn from where the model leaves a choice to chance.
 * Fails with `bad-network` where an option does not go with the others or with the machine, with what the engine says, and with `cancelled`.
 */
export function messageNetwork(
  model: NetworkModel,
  machine: Machine,
  observer: MessageObserver = {},
  random: RandomSource = seededRandom(0),
  cancellation: Cancellation = neverCancelled,
): Result<MessageNetwork> {
  const ports = portsAsNodes(machine);
  const refusal = routesRefusal(ports) ?? (ports === machine ? undefined : railsRefusal(model, machine));
  if (refusal) return refuseNetwork(refusal);
  const make = (told: MessageObserver) => makeNetwork(model, ports, told, random, cancellation);
  const made = ports === machine ? make(observer) : RailMessages.over(machine, observer, make);
  return cancellation.isCancelled() ? cancelled() : made;
}

/** As {@link messageNetwork}, for the jobs of streams: header events know them, other engines get the next packet of a node when it sent one. */
export function streamNetwork(
  model: NetworkModel,
  machine: Machine,
  observer: MessageObserver = {},
  random: RandomSource = seededRandom(0),
  cancellation: Cancellation = neverCancelled,
): Result<StreamNetwork> {
  if (model.switching === 'wormhole' && isByHeaderEvents(model, machine)) {
    const router = delayCycles(model, machine, 'router', thesisOptions.routing);
    return router.ok ? headerNetwork(model, machine, router.value, observer) : router;
  }
  const { switching, packet, flit = defaults.flitBytes } = model;
  const hasHeader = packet === undefined && (switching === 'wormhole' || switching === 'flow');
  const bytesOf = (flits: number): number => (hasHeader ? flits - 1 : flits) * flit;
  return JobsOverMessages.over(machine, bytesOf, observer, (told) =>
    messageNetwork(model, machine, told, random, cancellation),
  );
}

/** Worms by header events, `router` in cycles. */
function headerNetwork(
  model: NetworkModel,
  machine: Machine,
  router: number,
  observer: MessageObserver,
): Result<HeaderEvents> {
  const options = {
    routing: router,
    buffer: model.buffer ?? thesisOptions.buffer,
    packing: modelPacking(model),
    secondsPerCycle: secondsPerCycleOf(model, machine),
  };
  return headerEvents(machine, options, observer);
}

/** Servers of a cluster have one interface. */
const railsRefusal = (model: NetworkModel, { name }: Machine): EngineRefusal | undefined =>
  model.switching === 'queueing' ? { kind: 'several-rails', network: networkTitle(model), machine: name } : undefined;

/** As {@link messageNetwork}, but for what was cancelled, which is of no use. */
function makeNetwork(
  model: NetworkModel,
  machine: Machine,
  observer: MessageObserver,
  random: RandomSource,
  cancellation: Cancellation,
): Result<MessageNetwork> {
  const router = delayCycles(model, machine, 'router', model.switching === 'wormhole' ? thesisOptions.routing : 0);
  if (!router.ok) return router;
  const link = linkCyclesOf(model, machine);
  if (!link.ok) return link;
  const request = { model, machine, observer, random, cancellation, router: router.value, link: link.value };
  if (!['flow', 'queueing'].includes(model.switching) && hasSlowPorts(machine)) {
    return refuseNetwork({ kind: 'slow-interface', network: networkTitle(model), machine: machine.name });
  }
  switch (model.switching) {
    case 'wormhole':
      return wormholeNetwork(request);
    case 'cut-through':
    case 'store-and-forward':
      return packetNetwork(request, model.switching);
    case 'flow': {
      const packing = modelPacking(model);
      const secondsPerCycle = secondsPerCycleOf(model, machine);
      const options = { packing, router: router.value, link: link.value, secondsPerCycle };
      return succeed(new FlowNetwork(machine, options, observer));
    }
    case 'queueing':
      return serverNetwork(machine, serverOptions(model, machine), random, observer);
  }
}

interface Request {
  readonly model: NetworkModel;
  readonly machine: Machine;
  readonly observer: MessageObserver;
  readonly random: RandomSource;
  readonly cancellation: Cancellation;
  /** In cycles. */
  readonly router: number;
  readonly link: number;
}

/**
 * Worms. With one channel, one route per pair, first-come arbiters and links of one cycle, all as fast, by header events, which pay `router` before every channel,
 * injection and ejection too; all others flit by flit, unequal links among them, where it is paid in routers alone.
 */
function wormholeNetwork({
  model,
  machine,
  observer,
  random,
  cancellation,
  router,
  link,
}: Request): Result<MessageNetwork> {
  const { buffer = thesisOptions.buffer, routing = 'deterministic' } = model;
  if (isByHeaders(model, link, machine)) return headerNetwork(model, machine, router, observer);
  const packing = modelPacking(model);
  const secondsPerCycle = secondsPerCycleOf(model, machine);
  const options = {
    packing,
    buffer,
    router,
    link,
    routing,
    secondsPerCycle,
    channels: virtualChannels(model, machine),
  };
  const { select = 'first-free', arbiter = 'round-robin', ejection = 'multiple' } = model;
  const { linkCount } = machine.topology.links;
  if (linkCount * (flitBytes.perLink + options.channels * flitBytes.perChannel) > flitBytes.most) {
    const { channels } = options;
    return refuseNetwork({ kind: 'too-much-memory', network: networkTitle(model), links: linkCount, channels });
  }
  return flitNetwork(machine, { ...options, select, arbiter, ejection }, random, observer, cancellation);
}

/** Whether worms of a model go by header events on a machine; false where it refuses them. O(links). */
export function isByHeaderEvents(model: NetworkModel, machine: Machine): boolean {
  const link = linkCyclesOf(model, machine);
  return link.ok && isByHeaders(model, link.value, machine);
}

/** Whether the engine of a model tells of channels from nodes and to them; where nodes are part of their routers, not all do. O(links). */
export const tellsOfNodes = (model: NetworkModel, machine: Machine): boolean =>
  machine.topology.hasHostLinks ||
  model.switching === 'flow' ||
  (model.switching === 'wormhole' && isByHeaderEvents(model, machine));

/** Messages are one worm each where packets have no length. */
const modelPacking = ({ flit = defaults.flitBytes, packet }: NetworkModel): Packing =>
  packet === undefined ? { flitBytes: flit } : { flitBytes: flit, packetFlits: packet };

/** Packets of a message in a network of the model, and flits of each. */
export function packetsInModel(
  model: NetworkModel,
  bytes: number,
): { readonly packets: number; readonly flits: number } {
  const isOfPackets = model.switching === 'cut-through' || model.switching === 'store-and-forward';
  const packing = modelPacking(isOfPackets ? { ...model, packet: model.packet ?? defaults.packetFlits } : model);
  return { packets: packetsOf(packing, bytes), flits: flitsOf(packing, bytes) };
}

/**
 * Cycles of a packet, worm or flow that never waits, over so many links between routers: the rules of the engines, of which the contract tests are the
 * proof. All are linear in the hops, and in the flits but where packets are of one length, so that means of packets give the mean. Undefined in a cluster, where links are unequal, and for worms in buffers
 * too short for them to follow without a gap.
 */
export function latencyAlone(
  model: NetworkModel,
  machine: Machine,
  { hops, flits }: { readonly hops: number; readonly flits: number },
): number | undefined {
  const isWormhole = model.switching === 'wormhole';
  const router = delayCycles(model, machine, 'router', isWormhole ? thesisOptions.routing : 0);
  const link = linkCyclesOf(model, machine);
  if (model.switching === 'queueing' || !router.ok || !link.ok || relativeTimes(machine) !== undefined)
    return undefined;
  if (isWormhole && isByHeaders(model, link.value, machine)) return (hops + 2) * (router.value + 1) + flits - 1;
  if (isWormhole && (model.buffer ?? thesisOptions.buffer) <= link.value) return undefined;
  const stored = model.switching === 'store-and-forward' ? flits - 1 : 0;
  return (hops + hostHops(machine)) * (router.value + link.value + stored) + router.value + flits - 1;
}

/** What header events leave out is not asked for. */
const isByHeaders = (
  { channels = 1, routing, arbiter = 'first-come', ejection = 'single' }: NetworkModel,
  link: number,
  machine: Machine,
): boolean =>
  flitTimes(machine) === undefined &&
  channels === 1 &&
  routing !== 'adaptive' &&
  link === 1 &&
  arbiter === 'first-come' &&
  ejection === 'single';

/** One channel; an adaptive grid has one more to escape to. */
const virtualChannels = ({ channels, routing }: NetworkModel, machine: Machine): number =>
  channels ?? (routing === 'adaptive' && gridAxesOf(machine) !== undefined ? 2 : 1);

/** What is to be known of results of a network model as a whole; undefined where they are exact by their rules. */
export const approximationOf = ({ switching }: NetworkModel): string | undefined =>
  switching === 'flow'
    ? '`switching flow` is an approximation: max-min fair shares, no packets, queues or deadlocks.'
    : undefined;

/**
 * What is to be known of results where the machine's routing has several ways between the same nodes and the network takes one: loads of links are
 * shared by all of them, and may be far from what happens on the one. Undefined where there is no such choice.
 */
export function onlyFirstWays({ switching, routing }: NetworkModel, machine: Machine): string | undefined {
  if (machine.routing.singlePath || routing === 'adaptive' || switching === 'queueing') return undefined;
  const spread = '`routing ecmp` in the machine';
  const helps = switching === 'flow' ? [spread] : ['`routing adaptive` in the network', spread];
  return (
    `The simulation uses one route per pair; routing \`${machine.routing.kind}\` of \`${machine.name}\` has several. ` +
    `Write ${helps.join(', or ')}.`
  );
}

/**
 * Whether packets of a network may come to wait for one another in a circle, told before anything is sent: links between routers
 * that may depend on one another so, and a sentence. Undefined where none can; where they can, the traffic decides. O(1) on grids.
 */
export function possibleDeadlock(
  model: NetworkModel,
  declared: Machine,
  cancellation?: Cancellation,
): { readonly links: readonly number[]; readonly message: string } | undefined {
  const machine = portsAsNodes(declared);
  if (model.switching === 'flow' || model.switching === 'queueing' || routesRefusal(machine)) return undefined;
  const { routing = 'deterministic', bubble } = model;
  const channels = virtualChannels(model, machine);
  // Room for one packet is what any needs: it keeps no ring open, and beside a bubble channels have no dateline.
  const isEmptyBubble = bubble?.packets === 1;
  const rules = isEmptyBubble
    ? { channels: Math.min(channels, routing === 'adaptive' ? 2 : 1), routing, hasBubble: false }
    : { channels, routing, hasBubble: bubble !== undefined };
  const links = dependencyCircle(machine, rules, cancellation);
  if (links === undefined) return undefined;
  const { from } = machine.topology.links;
  const routers = links.slice(0, shownRouters).map((link) => endName(machine, intAt(from, link)));
  const rest = links.length > shownRouters ? ' …' : '';
  return {
    links,
    message: `Possible deadlock with ${countOf(channels, 'channel')}: routers ${routers.join(', ')}${rest} form a cyclic channel dependency. To fix it, ${deadlockHelp(model, machine)}.`,
  };
}

/** What keeps packets of a network from a deadlock that they may come to on a machine. A clause without its full stop. */
export function deadlockHelp(model: NetworkModel, machine: Machine): string {
  const grid = gridAxesOf(machine);
  if (grid === undefined) return 'write `routing up-down` in the machine';
  const isAdaptive = model.routing === 'adaptive';
  if (!grid.rings.includes(1)) return 'write `channels 2` in the network';
  // Adaptive packets need a channel besides those for escape.
  const [line, bubble] = isAdaptive
    ? ['`channels 3`', virtualChannels(model, machine) > 1 ? '`bubble 2`' : '`channels 2` and `bubble 2`']
    : ['`channels 2`', '`bubble 2`'];
  if (model.switching === 'wormhole') return `write ${line} in the network`;
  return model.bubble === undefined ? `write ${line}, or ${bubble}, in the network` : `write ${bubble} in the network`;
}

/** Routers of a circle that are named. */
const shownRouters = 8;

/** Packets that are switched as wholes. Rings need a bubble or channels: where they have neither packets may come to a deadlock. */
function packetNetwork(request: Request, switching: 'cut-through' | 'store-and-forward'): Result<MessageNetwork> {
  const { model, machine, observer, random, cancellation, router, link } = request;
  const options: PacketOptions = {
    routing: 'deterministic',
    select: 'first-free',
    arbiter: 'round-robin',
    ejection: 'multiple',
    packet: defaults.packetFlits,
    flit: defaults.flitBytes,
    queue: usualQueue,
    ...model,
    channels: virtualChannels(model, machine),
    ...{ switching, router, link, secondsPerCycle: secondsPerCycleOf(model, machine) },
  };
  const network = networkTitle(model);
  const refusal = packetMemoryRefusal(network, options, machine) ?? packetRefusal(network, options, machine);
  return refusal ? refuseNetwork(refusal) : succeed(new PacketEvents(machine, options, observer, random, cancellation));
}

/** Which of its tables would be too large. */
function packetMemoryRefusal(
  network: string,
  { channels }: PacketOptions,
  machine: Machine,
): EngineRefusal | undefined {
  const queues = (machine.topology.links.linkCount + machine.nodeCount) * channels;
  if (queues > mostQueues) return { kind: 'many-queues', network, count: queues, most: mostQueues };
  const ports = mostQueuesOfRouter(machine, channels);
  if (queues * ports > mostPairs) return { kind: 'many-queues-of-router', network, count: ports };
  const steps = hasFixedRoutes(machine) ? mostSteps(machine) : 0;
  if (steps <= mostRouteSteps) return undefined;
  return { kind: 'long-routes', network, machine: machine.name, routing: machine.routing.kind, steps };
}

/** Which of the options do not go with each other or with the machine. */
function packetRefusal(
  network: string,
  { channels, packet, queue, router, link, bubble }: PacketOptions,
  machine: Machine,
): EngineRefusal | undefined {
  if (channels > mostChannels) return { kind: 'many-channels', network, count: channels, most: mostChannels };
  if (packet > longestPacket) return { kind: 'long-packet', network, count: packet, most: longestPacket };
  const times = flitTimes(machine);
  const cycles = times === undefined ? 0 : mostCycles(packet, times);
  if (cycles > longestPacket)
    return { kind: 'slow-link', network, machine: machine.name, count: cycles, most: longestPacket };
  if (router + link < 1) return { kind: 'no-delay', network };
  if (bubble === undefined) return undefined;
  const hasRings = gridAxesOf(machine)?.rings.includes(1) === true;
  if (!hasRings) return { kind: 'bubble-without-rings', network, machine: machine.name };
  return bubble.packets > queue ? { kind: 'large-bubble', network, packets: bubble.packets, queue } : undefined;
}

function serverOptions({ serviceVariation = 0, cache }: NetworkModel, machine: Machine): ServerOptions {
  const options = { ...defaultServerOptions(machine), variation: serviceVariation };
  return cache === undefined ? options : { ...options, cache };
}

/** How long a flit takes to cross a link, of several kinds the fastest; undefined without a bandwidth. */
export function secondsPerCycleOf({ flit = defaults.flitBytes }: NetworkModel, machine: Machine): number | undefined {
  const bandwidth = fastestBandwidth(machine);
  return bandwidth && flit / bandwidth;
}

/** The `link` of the model in cycles. If it is not written, it is the latency of the machine, if worms and packets can take that; else 1. */
function linkCyclesOf(model: NetworkModel, machine: Machine): Result<number> {
  if (model.link !== undefined || unsimulatedLatency(model, machine) !== undefined)
    return delayCycles(model, machine, 'link', 1);
  const [amount] = latenciesOf(machine);
  if (!amount || model.switching === 'queueing') return succeed(1);
  const cycles = delayCycles({ ...model, link: { unit: 'seconds', amount } }, machine, 'link', 1);
  return cycles.ok ? succeed(Math.max(1, cycles.value)) : cycles;
}

/** The latencies of the machine's links, each once; absent ones are 0. */
const latenciesOf = ({ linkClasses }: Machine): readonly number[] =>
  Array.from(new Set((linkClasses?.classes ?? []).map(({ latency = 0 }) => latency)));

/**
 * Why a network model leaves out the latency of the machine, and what to write. Undefined if it does not, or there is none: all models but `wormhole` and
 * `queueing` take it as their `link`, if it is one for all links and the bandwidth says how long a cycle is.
 */
export function unsimulatedLatency(model: NetworkModel, machine: Machine): string | undefined {
  const latencies = latenciesOf(machine);
  if (model.link !== undefined || latencies.every((latency) => latency === 0)) return undefined;
  const cycle = secondsPerCycleOf(model, machine);
  const leaves = `The simulation ignores the \`latency\` of machine \`${machine.name}\``;
  if (model.switching === 'queueing') return `${leaves}: \`switching queueing\` uses the time of the \`switch\`.`;
  if (cycle === undefined)
    return `${leaves}: cycles need a \`bandwidth\`. Add it to the machine, or \`link\` to the network.`;
  const cycles = countOf(Math.max(1, Math.round(largestOf(latencies) / cycle)), 'cycle');
  if (latencies.length > 1)
    return `${leaves}: it differs between links. Write one value in the network, for example \`link ${cycles}\`.`;
  return model.switching === 'wormhole'
    ? `${leaves}: short buffers stall on long links. Write \`link ${cycles}\` and a longer \`buffer\` in the network.`
    : undefined;
}

/** A delay of the model in whole cycles. */
function delayCycles(
  model: NetworkModel,
  machine: Machine,
  word: 'router' | 'link',
  otherwise: number,
): Result<number> {
  const delay: Delay | undefined = model[word];
  if (delay === undefined) return succeed(otherwise);
  if (delay.unit === 'cycles') return succeed(delay.amount);
  const cycle = secondsPerCycleOf(model, machine);
  const network = networkTitle(model);
  if (cycle === undefined)
    return refuseNetwork({ kind: 'delay-without-bandwidth', network, machine: machine.name, word });
  const cycles = Math.round(delay.amount / cycle);
  if (cycles <= longestDelay) return succeed(cycles);
  return refuseNetwork({ kind: 'long-delay', network, word, count: cycles, most: longestDelay });
}

const longestDelay = 2 ** 20;

/** What refusals call a network: its name, or its switching where it has none. */
const networkTitle = ({ name, switching }: NetworkModel): string => name ?? switching;
