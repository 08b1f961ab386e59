import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { neverCancelled } from '../server/model/cancellation.ts';
import type { Machine } from '../server/model/machine.ts';
import { buildMachine } from '../server/network/machine.ts';
import type { MessageNetwork, PacketSource } from '../server/simulation/messages.ts';
import { allToAll, nearNeighbour } from '../server/simulation/patterns.ts';
import type { NetworkModel } from '../server/model/networkModel.ts';
import { seededRandom, type RandomSource } from '../server/model/random.ts';
import { messageNetwork } from '../server/simulation/engines.ts';
import { kilobyte, paperCluster } from '../server/queueing/testing/paperWorkloads.ts';
import { defaultServerOptions, serverNetwork } from '../server/simulation/engines/servers/servers.ts';
import { PacketEvents } from '../server/simulation/engines/packets/packetEvents.ts';
import { flitNetwork } from '../server/simulation/engines/flits/flits.ts';
import type { FlitOptions } from '../server/simulation/engines/flits/flitOptions.ts';
import { measureRate, uniformDestination } from '../server/simulation/rates.ts';
import { FlitByFlit } from '../server/simulation/testing/flitByFlit.ts';
import { wormhole, type WormholeNetwork } from '../server/simulation/engines/headers/wormhole.ts';
import { thesisOptions } from '../server/simulation/engines/headers/wormholeOptions.ts';

/** A run of one engine: processor seconds, which other programs on the machine disturb less than the clock. */
interface Run {
  readonly seconds: number;
  readonly events: number;
  readonly flitHops: number;
}

const flits = 8;

const mesh = (side: number): Machine => grid('mesh', side);

const grid = (name: string, side: number): Machine => built(name, [side, side]);

/** Of a grid its sides; of a fat tree its arity and levels. */
function built(name: string, numbers: readonly number[]): Machine {
  const [k = 0, n = 0] = numbers;
  const topology =
    name === 'fat-tree'
      ? { name, options: { k, n } }
      : { name, argument: { kind: 'numbers' as const, numbers: [...numbers] }, options: {} };
  const machine = buildMachine({
    name: 'bench',
    topology,
    cables: [],
    socketsPerNode: 1,
    coresPerSocket: 1,
    figures: {},
  });
  if (!machine.ok) throw new Error(machine.failure.message);
  return machine.value;
}

function headerEvents(machine: Machine): WormholeNetwork {
  const network = wormhole(machine, thesisOptions);
  if (!network.ok) throw new Error(network.failure.message);
  return network.value;
}

/** Sends everything at once and waits for the last packet; the arrivals of both engines must be the same. */
function secondsOf(network: Pick<WormholeNetwork, 'send' | 'advance'>, source: PacketSource): number {
  const nodeOfProcess = Int32Array.from({ length: source.processCount }, (_, process) => process);
  const before = process.cpuUsage();
  network.send({ source, nodeOfProcess, flits });
  if (network.advance(1e12, neverCancelled) !== 'completed') throw new Error('The packets never arrived.');
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** Flits over channels: every flit of a packet crosses its links, the injection and the ejection channel. */
const flitHopsOf = ({ total }: Pick<WormholeNetwork, 'total'>): number => flits * (total.hops + 2 * total.packets);

/** Of each channel that a packet takes: its header enters, its tail leaves. */
const eventsOf = ({ total }: Pick<WormholeNetwork, 'total'>): number => 2 * (total.hops + 2 * total.packets);

/** The quickest of five runs on one network, after one that compiles the code: what else runs on the machine only slows it down. */
function runHeaderEvents(machine: Machine, source: PacketSource): Run {
  const network = headerEvents(machine);
  secondsOf(network, source);
  const [events, flitHops] = [eventsOf(network), flitHopsOf(network)];
  const seconds = Math.min(...Array.from({ length: 5 }, () => secondsOf(network, source)));
  return { seconds, events, flitHops };
}

function runFlitByFlit(machine: Machine, source: PacketSource): Run {
  const network = new FlitByFlit(machine, thesisOptions);
  const seconds = secondsOf(network, source);
  return { seconds, events: 0, flitHops: flitHopsOf(network) };
}

const thousands = (count: number): string =>
  count / 1e3 < 1000 ? (count / 1e3).toPrecision(3) : String(Math.round(count / 1e3));

const millions = (count: number, seconds: number): string => (count / seconds / 1e6).toPrecision(3);

/** The engine of header events beside the plain simulation, flit by flit, whose arrivals it gives. */
export function headers(): undefined {
  console.log('| what | engine | million events/s (goal 40) | million flit hops/s | times the plain simulation |');
  console.log('| --- | --- | ---: | ---: | ---: |');
  const cases = [
    { what: 'all to all of 256 processes', side: 16, source: allToAll(256, 'ascending', 4), plain: allToAll(256) },
    {
      what: 'near neighbours of 16 x 16',
      side: 16,
      source: nearNeighbour([16, 16], 400),
      plain: nearNeighbour([16, 16], 4),
    },
    { what: 'all to all of 1,024 processes', side: 32, source: allToAll(1024), plain: undefined },
  ];
  let plainFlitHops = Number.NaN;
  for (const { what, side, source, plain } of cases) {
    const machine = mesh(side);
    const run = runHeaderEvents(machine, source);
    if (plain !== undefined) {
      const { flitHops, seconds } = runFlitByFlit(machine, plain);
      plainFlitHops = flitHops / seconds;
      console.log(`| ${what}, fewer packets | flit by flit | | ${millions(plainFlitHops, 1)} | 1 |`);
    }
    const times = Math.round(run.flitHops / run.seconds / plainFlitHops).toLocaleString('en-US');
    const { events, flitHops, seconds } = run;
    console.log(
      `| ${what} | header events | ${millions(events, seconds)} | ${millions(flitHops, seconds)} | ${times} |`,
    );
  }
  return undefined;
}

/** Cycles per second that FSIN (in C) was measured to do, one channel, then two with adaptive routing, by side and load. */
const fsinCycles = new Map([
  ['8 0.05', [300e3, 200e3]],
  ['8 0.15', [133e3, 71e3]],
  ['8 0.3', [86e3, 46e3]],
  ['8 0.45', [63e3, 39e3]],
  ['16 0.05', [46e3, 21e3]],
  ['16 0.15', [21e3, 11.5e3]],
  ['16 0.3', [12e3, 7e3]],
  ['16 0.45', [9e3, 5e3]],
]);

/** The network of Pascual et al. 2010, with one channel or with two. */
const torusModel = (channels: number): NetworkModel => ({
  switching: 'cut-through',
  ...{ packet: 8, flit: 4, queue: 4, channels, bubble: { packets: 2, here: true } },
  routing: channels > 1 ? 'adaptive' : 'deterministic',
});

interface PacketRun {
  readonly hops: number;
  readonly cycles: number;
}

/**
 * Uniform traffic at a load in flits per node and cycle: hops and cycles of a second, in the quickest of three stretches of
 * so many cycles after one that compiles the code and fills the network.
 */
function runPackets(machine: Machine, model: NetworkModel, load: number, cycles: number): PacketRun {
  let hops = 0;
  const made = messageNetwork(model, machine, {
    tellsSent: false,
    delivered: (_message, _created, _arrived, taken) => {
      hops += taken;
    },
  });
  if (!made.ok) throw new Error(made.failure.message);
  const random = seededRandom(1);
  const runs = Array.from({ length: 4 }, () => {
    const before = hops;
    const seconds = secondsOfCycles(made.value, machine.nodeCount, load, cycles, random);
    return { hops: (hops - before) / seconds, cycles: cycles / seconds };
  });
  return quickest(runs.slice(1));
}

const quickest = (runs: readonly PacketRun[]): PacketRun =>
  runs.reduce((best, run) => (run.cycles > best.cycles ? run : best));

function secondsOfCycles(
  network: MessageNetwork,
  nodes: number,
  load: number,
  cycles: number,
  random: RandomSource,
): number {
  let seconds = 0;
  // On small networks a hundred cycles are over before the clock is read.
  const stretch = Math.min(cycles, 100 * Math.ceil(1000 / nodes));
  for (let end = 0; end < cycles; end += stretch) {
    // Drawn before the clock runs: the generator is not what is measured.
    const sendings = Array.from({ length: Math.min(stretch, cycles - end) }, () =>
      nodesThatSend(nodes, load / 8, random),
    );
    const before = process.cpuUsage();
    for (const sending of sendings) {
      const next = network.now + 1;
      for (const [from, to] of sending) network.send(from, to, 32);
      while (network.now < next) {
        if (network.advance(next, neverCancelled) === 'deadlock') throw new Error('Packets came to a deadlock.');
      }
    }
    const { user, system } = process.cpuUsage(before);
    seconds += (user + system) / 1e6;
  }
  return seconds;
}

const nodesThatSend = (nodeCount: number, probability: number, random: RandomSource): [number, number][] => {
  const pairs: [number, number][] = [];
  for (let from = 0; from < nodeCount; from++) {
    if (random.fraction() < probability) pairs.push([from, (from + 1 + random.integer(nodeCount - 1)) % nodeCount]);
  }
  return pairs;
};

/** Packet events beside the figures of FSIN; then networks of ten thousand nodes. */
export function packets(): undefined {
  console.log(
    '| uniform traffic, packets of 8 flits | channels | million packet hops/s (goal 10) | thousand cycles/s | times FSIN |',
  );
  console.log('| --- | ---: | ---: | ---: | ---: |');
  for (const [key, peers] of fsinCycles) {
    const [side = 8, load = 0] = key.split(' ').map(Number);
    for (const channels of [1, 2]) {
      // About a million hops a stretch.
      const length = 100 * Math.ceil(1e6 / ((load * side ** 3) / 16) / 100);
      const { hops, cycles } = runPackets(grid('torus', side), torusModel(channels), load, length);
      const times = (cycles / (peers[channels - 1] ?? Number.NaN)).toFixed(1);
      console.log(
        `| torus ${side} x ${side}, load ${load} | ${channels} | ${(hops / 1e6).toPrecision(3)} | ${thousands(cycles)} | ${times} |`,
      );
    }
  }
  largeNetworks();
  return undefined;
}

/** What engines keep in arrays does not grow with what was sent: after one stretch of cycles and after four. */
function largeNetworks(): void {
  console.log(
    '\n| uniform traffic, load 0.1 | switching | million packet hops/s | cycles/s | MB of arrays after 500, 2,000 cycles |',
  );
  console.log('| --- | --- | ---: | ---: | ---: |');
  const machines = [
    { what: 'torus 22 x 22 x 22', machine: built('torus', [22, 22, 22]), bubble: true },
    { what: 'fat tree of 4,096 hosts', machine: built('fat-tree', [16, 3]), bubble: false },
  ];
  for (const { what, machine, bubble } of machines) {
    const { bubble: here, ...model } = torusModel(2);
    const cutThrough: NetworkModel = bubble && here !== undefined ? { ...model, bubble: here } : model;
    const worms: NetworkModel = {
      switching: 'wormhole',
      packet: 8,
      flit: 4,
      channels: 2,
      buffer: 8,
      routing: bubble ? 'deterministic' : 'adaptive',
    };
    for (const each of [cutThrough, worms]) {
      const { hops, cycles, megabytes } = runLarge(machine, each);
      console.log(
        `| ${what} | ${each.switching} | ${(hops / 1e6).toPrecision(3)} | ${Math.round(cycles)} | ${megabytes.join(', ')} |`,
      );
    }
  }
}

/** Of those that are still in use. */
function bytesOfArrays(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().arrayBuffers;
}

function runLarge(machine: Machine, model: NetworkModel): PacketRun & { readonly megabytes: readonly number[] } {
  let hops = 0;
  const made = messageNetwork(model, machine, {
    delivered: (_message, _created, _arrived, taken) => {
      hops += taken;
    },
  });
  if (!made.ok) throw new Error(made.failure.message);
  const random = seededRandom(1);
  const ofKernel = (): number => (made.value instanceof PacketEvents ? made.value.bytes : 0);
  const megabytes = (): number => Math.round((bytesOfArrays() + ofKernel()) / 1e6);
  const run = (): PacketRun => {
    const before = hops;
    const seconds = secondsOfCycles(made.value, machine.nodeCount, 0.1, 500, random);
    return { hops: (hops - before) / seconds, cycles: 500 / seconds };
  };
  // Compiles the code, finds the distances of a graph and fills the network.
  run();
  const early = megabytes();
  const best = quickest(Array.from({ length: 3 }, run));
  return { ...best, megabytes: [early, megabytes()] };
}

/** One message of each node to another at random, 1 kB to 1 MB: shares change when one begins or ends, of a few flows or of very many. */
export function flows(): undefined {
  console.log('| flows, one message of each node | milliseconds | microseconds a message |');
  console.log('| --- | ---: | ---: |');
  const machines = [
    { what: 'torus 8 x 8', machine: built('torus', [8, 8]), rounds: 30 },
    { what: 'torus 16 x 16 x 20', machine: built('torus', [16, 16, 20]), rounds: 1 },
    { what: 'fat tree of 512 hosts', machine: built('fat-tree', [8, 3]), rounds: 1 },
    { what: 'fat tree of 4,096 hosts', machine: built('fat-tree', [16, 3]), rounds: 1 },
  ];
  for (const { what, machine, rounds } of machines) {
    const seconds = Math.min(...[1, 2, 3].map(() => secondsOfFlows(machine, rounds)));
    const messages = machine.nodeCount * rounds;
    console.log(
      `| ${what}${rounds > 1 ? `, ${rounds} each` : ''} | ${(seconds * 1e3).toPrecision(3)} | ${((seconds * 1e6) / messages).toPrecision(3)} |`,
    );
  }
  return undefined;
}

function secondsOfFlows(machine: Machine, rounds: number): number {
  const made = messageNetwork({ switching: 'flow' }, machine);
  if (!made.ok) throw new Error(made.failure.message);
  const network = made.value;
  const random = seededRandom(1);
  for (let message = 0; message < machine.nodeCount * rounds; message++) {
    const from = message % machine.nodeCount;
    network.send(
      from,
      (from + 1 + random.integer(machine.nodeCount - 1)) % machine.nodeCount,
      1000 + random.integer(1e6),
    );
  }
  const before = process.cpuUsage();
  while (network.messagesUnderWay > 0) network.advance(1e12, neverCancelled);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** The cluster of servers: messages between all slots, so many on their way at a time. */
export function servers(): undefined {
  console.log('| servers of 16 nodes of 16 cores | service | on their way | million visits/s (goal 5) |');
  console.log('| --- | --- | ---: | ---: |');
  const machine = paperCluster();
  for (const { service, variation } of [
    { service: 'constant', variation: 0 },
    { service: 'exponential', variation: 1 },
  ]) {
    for (const underWay of [256, 4096, 2 ** 18]) {
      const network = serverNetwork(machine, { ...defaultServerOptions(machine), variation }, seededRandom(1));
      if (!network.ok) throw new Error(network.failure.message);
      const before = process.cpuUsage();
      keepUnderWay(network.value, machine.slotCount, underWay);
      const { user, system } = process.cpuUsage(before);
      const visits = Object.values(network.value.serverFigures()).reduce((sum, figures) => sum + figures.visits, 0);
      console.log(
        `| 1 kB between any two cores | ${service} | ${underWay} | ${millions(visits, (user + system) / 1e6)} |`,
      );
    }
  }
  return undefined;
}

/** A million messages between random ends, so many on their way at a time. */
function keepUnderWay(network: MessageNetwork, ends: number, underWay: number): void {
  const random = seededRandom(2);
  for (let sent = 0; sent < 1e6;) {
    for (; network.messagesUnderWay < underWay; sent++) {
      const from = random.integer(ends);
      network.send(from, (from + 1 + random.integer(ends - 1)) % ends, kilobyte);
    }
    network.advance(1e15, neverCancelled);
  }
}

/** Cycles per second of BookSim2 on such a machine: at 0.3 on 8 x 8, at 0.15 on 16 x 16; flit hops elsewhere. */
const bookSim = {
  flitHopsPerSecond: 0.9e6,
  cycles: new Map([
    ['8 0.3', 10_000],
    ['16 0.15', 2_600],
  ]),
};

/**
 * Whether a rate is high for a mesh of so many routers a side: above half of what uniform traffic can have over its bisection, 4 / side flits
 * per node and cycle. At such rates headers wait for each other; at low ones they hardly ever do.
 */
const isHigh = (side: number, rate: number): boolean => rate > 2 / side;

/** Worms flit by flit, uniform traffic at a rate in flits per node and cycle: 8 flits, two channels of 8 flits. */
export function flitByFlit(): undefined {
  console.log('| mesh | rate | | routing | thousand cycles/s | million flit hops/s | times BookSim2 | goal |');
  console.log('| --- | ---: | --- | --- | ---: | ---: | ---: | ---: |');
  for (const side of [8, 16]) {
    for (const rate of [0.05, 0.15, 0.3, 0.45]) {
      for (const routing of ['deterministic', 'adaptive'] as const) {
        const cycles = Math.round(1.5e6 / (side * side * rate));
        // The first run compiles the code.
        const runs = Array.from({ length: 3 }, () => runAtRate(mesh(side), { ...wormOptions, routing }, rate, cycles));
        const { seconds, flitHops } = runs.reduce((best, run) => (run.seconds < best.seconds ? run : best));
        const peer = bookSim.cycles.get(`${side} ${rate}`);
        const times = peer === undefined ? flitHops / seconds / bookSim.flitHopsPerSecond : cycles / seconds / peer;
        const figures = [(cycles / seconds / 1e3).toPrecision(3), millions(flitHops, seconds), times.toPrecision(2)];
        const [load, goal] = isHigh(side, rate) ? ['high', 3] : ['low', 10];
        console.log(`| ${side} x ${side} | ${rate} | ${load} | ${routing} | ${figures.join(' | ')} | ${goal} |`);
      }
    }
  }
  return undefined;
}

const wormOptions: FlitOptions = {
  ...{
    packing: { flitBytes: 4, packetFlits: flits },
    channels: 2,
    buffer: 8,
    router: 1,
    link: 1,
    secondsPerCycle: undefined,
  },
  ...{ routing: 'deterministic', select: 'first-free', arbiter: 'round-robin', ejection: 'multiple' },
};

/** Packets from random nodes to random others, so many cycles long. */
function runAtRate(machine: Machine, options: FlitOptions, rate: number, cycles: number): Run {
  let flitHops = 0;
  const ends = machine.nodeCount;
  const before = process.cpuUsage();
  const result = measureRate(
    (observer) =>
      flitNetwork(machine, options, seededRandom(1), {
        delivered: (message, created, arrived, hops, length) => {
          flitHops += hops * length;
          observer.delivered?.(message, created, arrived, hops, length);
        },
      }),
    { ends, destination: uniformDestination(ends), bytes: 4 * flits, messagesPerCycle: rate / flits },
    { warmUp: 0, sample: cycles, samples: 1 },
    seededRandom(2),
    neverCancelled,
  );
  if (!result.ok) throw new Error(result.failure.message);
  const { user, system } = process.cpuUsage(before);
  return { seconds: (user + system) / 1e6, events: 0, flitHops };
}
