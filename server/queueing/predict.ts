import { intAt, realAt } from '../numeric/elements.ts';
import type { Cancellation } from '../model/cancellation.ts';
import type { Machine } from '../model/machine.ts';
import type { PlacedJob } from '../model/placement.ts';
import { listedServers, type BusyServer, type QueueingMetrics } from '../model/report.ts';
import { type ClusterFigures, normalMemoryUse, pathServers, serviceTime, waitingTime } from './servers.ts';
import { pairRatesOf } from './messages.ts';
import { nodeOfSlot, socketOfSlot } from '../model/slots.ts';

/** Share of the time that each server is busy with all jobs together (equations 7 to 12). */
export interface PredictedUse {
  /** By node · sockets + socket. */
  readonly memory: Float64Array;
  /** By node; a switch's port is as busy per message as its node's, with the switch's own time. */
  readonly portOut: Float64Array;
  readonly portIn: Float64Array;
  readonly switchIn: Float64Array;
  readonly switchOut: Float64Array;
  /** Send and receive queue of each slot's queue pair; its Processing-HW is as busy. */
  readonly sending: Float64Array;
  readonly receiving: Float64Array;
}

/** The messages of one pair of tasks. */
interface PairMessages {
  /** Slots of sender and receiver. */
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
  readonly rate: number;
}

/**
 * Mean waiting time of the messages of placed jobs by equations 5 to 12 of Soryani et al. 2013. A
 * message between nodes passes the servers of equations 2 to 4; one within a node is copied twice (τ = 2),
 * out of the memory of its sender's socket and into that of its receiver's. `figures` are those of
 * `clusterFigures(machine)` unless others are wanted; means are over the messages of `measured`, which are of all jobs unless said
 * otherwise. Undefined if cancelled. O(pairs + slots).
 */
export function predictWaiting(
  machine: Machine,
  jobs: readonly Pick<PlacedJob, 'job' | 'mapping'>[],
  figures: ClusterFigures,
  variation: number,
  cancellation: Cancellation,
  measured = jobs,
): QueueingMetrics | undefined {
  const servers = predictUse(machine, jobs, figures, cancellation);
  if (servers === undefined) return undefined;
  let rates = 0;
  let memory = 0;
  let network = 0;
  let service = 0;
  const visited = visitMessages(measured, cancellation, (message) => {
    const waits = waitsOf(machine, figures, servers, variation, message);
    rates += message.rate;
    memory += message.rate * waits.memory;
    network += message.rate * waits.network;
    service += message.rate * serviceOnWay(machine, figures, message);
  });
  if (!visited) return undefined;
  const mean = (sum: number) => (rates === 0 ? 0 : sum / rates);
  return {
    waiting: mean(memory + network),
    memoryWaiting: mean(memory),
    networkWaiting: mean(network),
    messageTime: mean(memory + network + service),
    ...utilisationsOf(machine, servers),
  };
}

/** How busy the messages of placed jobs keep each server. Undefined if cancelled. O(pairs + slots). */
export function predictUse(
  machine: Machine,
  jobs: readonly Pick<PlacedJob, 'job' | 'mapping'>[],
  figures: ClusterFigures,
  cancellation: Cancellation,
): PredictedUse | undefined {
  const servers = idleServers(machine);
  const loaded = visitMessages(jobs, cancellation, (message) => {
    load(machine, figures, servers, message);
  });
  return loaded ? servers : undefined;
}

/** How busy the servers of each kind are, and which are the busiest of all. O(slots). */
function utilisationsOf(
  { socketsPerNode, coresPerNode }: Machine,
  servers: PredictedUse,
): Omit<QueueingMetrics, 'waiting' | 'memoryWaiting' | 'networkWaiting' | 'messageTime'> {
  const { memory, portOut, portIn, switchIn, switchOut, sending, receiving } = servers;
  const highest = (...kinds: readonly Float64Array[]) => kinds.reduce(highestOf, 0);
  const onNode = (server: BusyServer['server'], values: Float64Array): BusyServer[] =>
    Array.from(values, (utilisation, node) => ({ server, node, utilisation }));
  const onCore = (server: BusyServer['server'], values: Float64Array): BusyServer[] =>
    Array.from(values, (utilisation, slot) => ({
      ...{ server, node: Math.floor(slot / coresPerNode), core: slot % coresPerNode, utilisation },
    }));
  const inMemory = Array.from(memory, (utilisation, index): BusyServer => {
    const [node, socket] = [Math.floor(index / socketsPerNode), index % socketsPerNode];
    return { server: 'memory', node, socket, utilisation };
  });
  const all = [
    ...inMemory,
    ...onNode('port out', portOut),
    ...onNode('port in', portIn),
    ...onNode('switch in', switchIn),
    ...onNode('switch out', switchOut),
    ...onCore('send queue pair', sending),
    ...onCore('receive queue pair', receiving),
  ];
  // A memory that no message uses has its normal accesses.
  const used = all.filter(({ server, utilisation }) => utilisation > (server === 'memory' ? normalMemoryUse : 0));
  return {
    highestUtilisation: highest(memory, portOut, portIn, switchIn, switchOut, sending, receiving),
    memoryUtilisation: highest(memory),
    portUtilisation: highest(portOut, portIn),
    queuePairUtilisation: highest(sending, receiving),
    switchUtilisation: highest(switchIn, switchOut),
    overloadedServers: used.filter(({ utilisation }) => utilisation >= 1).length,
    busiest: used.toSorted((one, other) => other.utilisation - one.utilisation).slice(0, listedServers),
  };
}

const idleServers = ({ nodeCount, slotCount, socketsPerNode }: Machine): PredictedUse => ({
  memory: new Float64Array(nodeCount * socketsPerNode).fill(normalMemoryUse),
  portOut: new Float64Array(nodeCount),
  portIn: new Float64Array(nodeCount),
  switchIn: new Float64Array(nodeCount),
  switchOut: new Float64Array(nodeCount),
  sending: new Float64Array(slotCount),
  receiving: new Float64Array(slotCount),
});

/** Pairs between two polls of the cancellation, about. */
const pairsPerPoll = 2 ** 16;

/** Slots, size and rate of every pair's messages, as `jobMessages` reads them. False if cancelled. */
function visitMessages(
  jobs: readonly Pick<PlacedJob, 'job' | 'mapping'>[],
  cancellation: Cancellation,
  visit: (message: PairMessages) => void,
): boolean {
  let sincePoll = pairsPerPoll;
  for (const { job, mapping } of jobs) {
    const { rowStart, partner } = job.traffic;
    const { bytesOf, rateOf } = pairRatesOf(job);
    for (let task = 0; task < job.taskCount; task++) {
      sincePoll += intAt(rowStart, task + 1) - intAt(rowStart, task);
      if (sincePoll >= pairsPerPoll) {
        if (cancellation.isCancelled()) return false;
        sincePoll = 0;
      }
      for (let pair = intAt(rowStart, task); pair < intAt(rowStart, task + 1); pair++) {
        visit({
          from: intAt(mapping, task),
          to: intAt(mapping, intAt(partner, pair)),
          bytes: bytesOf(pair),
          rate: rateOf(pair),
        });
      }
    }
  }
  return true;
}

function load(
  machine: Machine,
  figures: ClusterFigures,
  servers: PredictedUse,
  { from, to, bytes, rate }: PairMessages,
): void {
  const [source, destination] = [nodeOfSlot(machine, from), nodeOfSlot(machine, to)];
  const memory = rate * serviceTime('source memory', bytes, figures);
  servers.memory[socketOfSlot(machine, from)] = realAt(servers.memory, socketOfSlot(machine, from)) + memory;
  servers.memory[socketOfSlot(machine, to)] = realAt(servers.memory, socketOfSlot(machine, to)) + memory;
  if (source === destination) return;
  const port = rate * serviceTime('port out', bytes, figures);
  const handling = rate * serviceTime('source queue pair', bytes, figures);
  servers.portOut[source] = realAt(servers.portOut, source) + port;
  servers.portIn[destination] = realAt(servers.portIn, destination) + port;
  servers.switchIn[source] = realAt(servers.switchIn, source) + rate * figures.switchTime;
  servers.switchOut[destination] = realAt(servers.switchOut, destination) + rate * figures.switchTime;
  servers.sending[from] = realAt(servers.sending, from) + handling;
  servers.receiving[to] = realAt(servers.receiving, to) + handling;
}

function waitsOf(
  machine: Machine,
  figures: ClusterFigures,
  servers: PredictedUse,
  variation: number,
  { from, to, bytes }: PairMessages,
): { readonly memory: number; readonly network: number } {
  const wait = (utilisation: number, service: number) => waitingTime(utilisation, service, variation);
  const [source, destination] = [nodeOfSlot(machine, from), nodeOfSlot(machine, to)];
  const service = serviceTime('source memory', bytes, figures);
  const memory =
    wait(realAt(servers.memory, socketOfSlot(machine, from)), service) +
    wait(realAt(servers.memory, socketOfSlot(machine, to)), service);
  if (source === destination) return { memory, network: 0 };
  const port = serviceTime('port out', bytes, figures);
  const handling = serviceTime('source queue pair', bytes, figures);
  const network =
    // Queue pair and Processing-HW of either side.
    2 * wait(realAt(servers.sending, from), handling) +
    2 * wait(realAt(servers.receiving, to), handling) +
    wait(realAt(servers.portOut, source), port) +
    wait(realAt(servers.portIn, destination), port) +
    wait(realAt(servers.switchIn, source), figures.switchTime) +
    wait(realAt(servers.switchOut, destination), figures.switchTime);
  return { memory, network };
}

/** Seconds that a message is served on its way, by all servers of equations 2 to 4; within a node by the memories alone. */
function serviceOnWay(machine: Machine, figures: ClusterFigures, { from, to, bytes }: PairMessages): number {
  const isWithin = nodeOfSlot(machine, from) === nodeOfSlot(machine, to);
  const servers = isWithin ? (['source memory', 'destination memory'] as const) : pathServers;
  return servers.reduce((sum, server) => sum + serviceTime(server, bytes, figures), 0);
}

const highestOf = (most: number, values: Float64Array): number => values.reduce((a, b) => Math.max(a, b), most);
