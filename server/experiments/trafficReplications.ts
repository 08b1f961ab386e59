/** Replications of traffic without jobs: messages between all nodes at the rate of a point, sampled and measured. */
import { findEntry, type Choice } from '../model/catalogue.ts';
import type { Cancellation } from '../model/cancellation.ts';
import { namesOfChoices, type ExperimentDescription, type Sampling } from '../model/experiment.ts';
import { workingNodeCount, type Machine } from '../model/machine.ts';
import type { NetworkModel } from '../model/networkModel.ts';
import { seededRandom } from '../model/random.ts';
import { countOf } from '../model/quantities.ts';
import { cancelled, fail, quote, succeed, type Failure, type Result } from '../model/result.ts';
import { settingsAt } from '../model/simulation.ts';
import type { Traffic } from '../model/traffic.ts';
import { relativeTimes } from '../network/linkClasses.ts';
import { visitNodeShares } from '../network/links.ts';
import { channelName } from '../network/names.ts';
import { intAt, realAt } from '../numeric/elements.ts';
import { deadlockHelp, messageNetwork } from '../simulation/engines.ts';
import { measureRate, trafficDestination, uniformDestination, type Destination } from '../simulation/rates.ts';
import { secondsOfWork, workOfMessages, type SimulationWork } from '../performance/simulationTime.ts';
import { patternTraffic } from '../traffic/build.ts';
import { patterns } from '../traffic/catalogue.ts';
import { trafficMeans } from './measures.ts';
import { variedAt, type Point } from './plan.ts';
import type { ReplicationResult } from './run.ts';
import type { VariedMachines } from './variedMachines.ts';

/** What a replication of traffic is made of. */
export interface SimulatedTraffic {
  readonly experiment: ExperimentDescription;
  readonly machines: VariedMachines;
}

/** Bytes of a flit, and flits of a packet; 4 and 8 where the network does not say. */
const packetOf = ({ flit = 4, packet = 8 }: NetworkModel) => ({ flit, packet });

/** Servers stand between cores, all other networks between nodes. */
const endpointsIn = ({ switching }: NetworkModel) => (switching === 'queueing' ? 'slots' : 'nodes');

export const usualSampling: Sampling = { warmUp: 10_000, sample: 1000, samples: 30 };

const sampledCycles = ({ warmUp, sample, samples } = usualSampling): number => warmUp + sample * samples;

/** Channels that are named of the circle of a deadlock. */
const shownChannels = 8;

/** Messages that are looked at for how far they go. */
const sampledMessages = 500;

/** Up to so many nodes, uniform traffic is shared out over links pair by pair. */
const mostUniformNodes = 1024;

/** Messages of one packet between all nodes, at the rate that is varied, in flits of a node and cycle. */
export class TrafficReplications {
  readonly #given: SimulatedTraffic;
  readonly #patterns: ReadonlyMap<string, Choice>;
  /** Flits on the busiest link for a flit of each node, by pattern and machine. */
  readonly #busiest = new Map<string, number>();

  constructor(given: SimulatedTraffic) {
    const { subject } = given.experiment;
    this.#given = given;
    this.#patterns = namesOfChoices(subject.kind === 'traffic' ? subject.patterns : []);
  }

  get names() {
    return { schedulers: [], allocators: [], mappers: [], patterns: [...this.#patterns.keys()] };
  }

  faultOf(point: Point, stop: Cancellation): Failure | undefined {
    const settings = this.#settingsAt(point);
    const machine = this.#given.machines.at(point, stop);
    if (!machine.ok) return machine.failure;
    const made = messageNetwork(settings.network, machine.value, undefined, undefined, stop);
    if (!made.ok) return made.failure;
    const destination = this.#destinationOf(point, machine.value, endpointsIn(settings.network), stop);
    return destination.ok ? undefined : destination.failure;
  }

  replicate(point: Point, seed: number, stop: Cancellation): Result<ReplicationResult> {
    const { experiment, machines } = this.#given;
    const { network, rate } = this.#settingsAt(point);
    const { flit, packet } = packetOf(network);
    const machineThere = machines.at(point, stop);
    if (!machineThere.ok) return machineThere;
    const machine = machineThere.value;
    const endpoints = endpointsIn(network);
    const destination = this.#destinationOf(point, machine, endpoints, stop);
    if (!destination.ok) return destination;
    if (stop.isCancelled()) return cancelled();
    const sampling = experiment.sampling ?? usualSampling;
    const random = seededRandom(seed);
    const measured = measureRate(
      (observer) => messageNetwork(network, machine, observer, random.copy(), stop),
      {
        ends: endpoints === 'slots' ? machine.slotCount : machine.nodeCount,
        destination: destination.value,
        bytes: flit * packet,
        messagesPerCycle: rate / packet,
      },
      sampling,
      random,
      stop,
    );
    if (!measured.ok) return measured;
    const { end, deadlock } = measured.value;
    if (end === 'deadlock') {
      const { since = 0, waits = [] } = deadlock ?? {};
      const wanted = waits.slice(0, shownChannels).map(({ wants }) => channelName(machine, wants));
      const more = waits.length > wanted.length ? ', …' : '';
      return fail(
        'deadlock',
        `Deadlock at cycle ${since}: cyclic dependency of ${countOf(waits.length, 'packet')}: ${wanted.join(', ')}${more}. To fix it, ${deadlockHelp(network, machine)}.`,
      );
    }
    const isSaturated = end === 'saturated' || this.#busiestShare(point, machine, stop) >= 1;
    const notices = [`Saturated at ${rate} flits per node and cycle. The latency grows with the measured time.`];
    const metrics = trafficMeans(experiment.report, { ...measured.value, isSaturated }, network);
    return succeed({ metrics, jobs: 1, ...(isSaturated && { notices }) });
  }

  /** About how long a replication takes; 0 where it would fail. */
  secondsOf(point: Point, stop: Cancellation): number {
    const { network } = this.#settingsAt(point);
    const machine = this.#given.machines.at(point, stop);
    const work = this.#workOf(point, stop);
    return work === undefined || !machine.ok ? 0 : secondsOfWork(network, machine.value, work, 'few');
  }

  /**
   * What is sent over what all links between routers carry, were they all used alike: above 1 it cannot come through, whatever the routes
   * are. Undefined where that is not known.
   */
  shareOfLinks(point: Point, stop: Cancellation): { readonly rate: number; readonly share: number } | undefined {
    const { network, rate } = this.#settingsAt(point);
    const machine = this.#given.machines.at(point, stop);
    if (!machine.ok || network.switching === 'queueing' || network.switching === 'flow') return undefined;
    const work = this.#workOf(point, stop);
    const { routerLinkCount } = machine.value.topology.links;
    if (work === undefined || routerLinkCount === 0) return undefined;
    return { rate, share: work.linkFlits / (routerLinkCount * sampledCycles(this.#given.experiment.sampling)) };
  }

  /**
   * The share of the time that the busiest link between routers would be busy, if routes are single and each link takes a flit of its speed
   * in a cycle; 0 where that is not known. From 1 on the network is saturated, however short it is measured. O(pairs · hops), once for a point.
   */
  #busiestShare(point: Point, machine: Machine, stop: Cancellation): number {
    const { network, rate } = this.#settingsAt(point);
    const { topology, routing } = machine;
    if (
      !routing.singlePath ||
      network.routing === 'adaptive' ||
      network.switching === 'flow' ||
      network.switching === 'queueing'
    )
      return 0;
    const key = `${point.pattern ?? ''} ${machine.name} ${topology.routerCount}`;
    let busiest = this.#busiest.get(key);
    if (busiest === undefined) {
      const loads = new Float64Array(topology.links.routerLinkCount);
      this.#visitShares(point, machine, stop, (from, to, share) => {
        visitNodeShares(machine, from, to, (link, part) => {
          if (link < loads.length) loads[link] = realAt(loads, link) + share * part;
        });
      });
      const times = relativeTimes(machine);
      busiest = loads.reduce((most, load, link) => Math.max(most, load * (times?.[link] ?? 1)), 0);
      this.#busiest.set(key, busiest);
    }
    return stop.isCancelled() ? 0 : rate * busiest;
  }

  /** The share of its messages that a node sends to each other one; nothing where there are too many pairs. */
  #visitShares(
    point: Point,
    machine: Machine,
    stop: Cancellation,
    visit: (from: number, to: number, share: number) => void,
  ): void {
    const { nodeCount } = machine;
    const traffic = this.#trafficOf(point, nodeCount, stop);
    if (traffic === 'uniform') {
      if (nodeCount > mostUniformNodes) return;
      for (let from = 0; from < nodeCount && !stop.isCancelled(); from++)
        for (let to = 0; to < nodeCount; to++) if (to !== from) visit(from, to, 1 / (nodeCount - 1));
      return;
    }
    if (!traffic.ok) return;
    const { rowStart, partner, bytes } = traffic.value;
    for (let from = 0; from < nodeCount && !stop.isCancelled(); from++) {
      const [first, end] = [intAt(rowStart, from), intAt(rowStart, from + 1)];
      const sum = bytes.subarray(first, end).reduce((total, each) => total + each, 0);
      for (let pair = first; pair < end; pair++) visit(from, intAt(partner, pair), realAt(bytes, pair) / sum);
    }
  }

  /** What the messages of a replication do; undefined where it would fail. */
  #workOf(point: Point, stop: Cancellation): SimulationWork | undefined {
    const { network, rate } = this.#settingsAt(point);
    const machine = this.#given.machines.at(point, stop);
    if (!machine.ok) return undefined;
    const endpoints = endpointsIn(network);
    const destination = this.#destinationOf(point, machine.value, endpoints, stop);
    if (!destination.ok) return undefined;
    const { flit, packet } = packetOf(network);
    const { coresPerNode, nodeCount, slotCount } = machine.value;
    const ends = endpoints === 'slots' ? slotCount : nodeCount;
    const messages = (ends * (rate / packet) * sampledCycles(this.#given.experiment.sampling)) / sampledMessages;
    const random = seededRandom(1);
    // Tasks are the ends: those of nodes are in their first slots.
    const slotOfTask = Int32Array.from({ length: ends }, (_, end) => end * (endpoints === 'slots' ? 1 : coresPerNode));
    return workOfMessages(machine.value, network, [
      {
        slotOfTask,
        messages: (visit) => {
          for (let message = 0; message < sampledMessages; message++) {
            const from = random.integer(ends);
            const to = destination.value(from, random);
            if (to >= 0) visit(from, to, flit * packet, messages);
          }
        },
      },
    ]);
  }

  #settingsAt({ values }: Point) {
    const { experiment } = this.#given;
    const { network = { switching: 'cut-through' } } = experiment;
    return variedAt(experiment, values, { network, rate: 0 }, (settings, path, value) =>
      path === 'rate' ? { ...settings, rate: value } : settingsAt(settings, path, value),
    );
  }

  /** `transpose` needs a square number of ends, as a job of so many tasks does. */
  #destinationOf(
    { pattern = 'uniform' }: Point,
    machine: Machine,
    endpoints: 'nodes' | 'slots',
    stop: Cancellation,
  ): Result<Destination> {
    const ends = endpoints === 'slots' ? machine.slotCount : machine.nodeCount;
    if (ends < 2)
      return fail('bad-experiment', `Machine ${quote(machine.name)} has one node. Traffic needs at least two.`);
    if (workingNodeCount(machine) < machine.nodeCount) {
      return fail(
        'bad-experiment',
        `Traffic without jobs needs all nodes; machine ${quote(machine.name)} has failed ones. Remove \`without node\` and \`without switch\`, or run a job.`,
      );
    }
    const traffic = this.#trafficOf({ pattern }, ends, stop);
    if (traffic === 'uniform') return succeed(uniformDestination(ends));
    return traffic.ok ? succeed(trafficDestination(traffic.value)) : traffic;
  }

  /** What each end sends to which others. Fails where the pattern does not suit so many ends. */
  #trafficOf(
    { pattern = 'uniform' }: Pick<Point, 'pattern'>,
    ends: number,
    stop: Cancellation,
  ): 'uniform' | Result<Traffic> {
    const name = this.#patterns.get(pattern)?.name ?? 'uniform';
    if (name === 'uniform') return 'uniform';
    const entry = findEntry(patterns, name);
    if (entry === undefined) return fail('unknown-pattern', `Traffic pattern ${quote(name)} does not exist.`);
    const request = {
      taskCount: ends,
      periodic: false,
      random: seededRandom(1),
      options: {},
      cancellation: stop,
    };
    return patternTraffic(entry, request, 1);
  }
}
