import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../model/cancellation.ts';
import { asNodeId } from '../model/identifiers.ts';
import { hopsBetweenNodes } from '../model/machine.ts';
import type { NetworkModel } from '../model/networkModel.ts';
import { seededRandom } from '../model/random.ts';
import { paperCluster } from '../queueing/testing/paperWorkloads.ts';
import type { Machine } from '../model/machine.ts';
import { gridMachine } from '../network/testing/machines.ts';
import { autonet, networkMachine } from '../network/testing/networkMachines.ts';
import { latencyAlone, messageNetwork, possibleDeadlock, streamNetwork } from './engines.ts';
import { someSendings, story, type Sending } from './testing/messageContract.ts';
import type { MessageObserver } from './messages.ts';
import { messageContract, streamContract } from './testing/messageContract.ts';

const wormhole: NetworkModel = { switching: 'wormhole', router: { unit: 'cycles', amount: 3 }, buffer: 1, packet: 8 };

function made(model: NetworkModel, kind = 'mesh', sides = [5], observer: MessageObserver = {}) {
  const network = messageNetwork(model, gridMachine(kind, sides), observer);
  if (!network.ok) throw new Error(network.failure.message);
  return network.value;
}

describe('messages over header events', () => {
  it('are sent in the cycle after they were handed over, and arrive with their last packet', () => {
    const network = made(wormhole);
    network.send(0, 1, 64);
    expect(network.advance(100, neverCancelled)).toBe('events');
    expect([network.now, network.sent]).toEqual([0, [0]]);
    // Two packets of 8 flits: 19 and 37 as worked out by hand for the engine itself.
    expect(network.advance(100, neverCancelled)).toBe('events');
    expect([network.now, network.arrived, network.messagesUnderWay]).toEqual([37, [0], 0]);
    expect(network.advance(100, neverCancelled)).toBe('reached');
    expect(network.now).toBe(100);
  });

  it('of a node go in the order in which they were handed over, not in turns', () => {
    const network = made(wormhole);
    const arrivals: number[] = [];
    for (const bytes of [96, 32]) network.send(0, 1, bytes);
    while (network.messagesUnderWay > 0) {
      network.advance(1000, neverCancelled);
      arrivals.push(...network.arrived);
    }
    expect(arrivals).toEqual([0, 1]);
  });

  it('without a packet length are one worm, a header and as many flits as they need', () => {
    const flits: number[] = [];
    const network = made({ switching: 'wormhole', buffer: 1 }, 'mesh', [5], {
      delivered: (...told) => flits.push(told[4]),
    });
    for (const bytes of [0, 1, 4, 33]) network.send(0, 1, bytes);
    while (network.messagesUnderWay > 0) network.advance(1000, neverCancelled);
    expect(flits).toEqual([1, 2, 2, 10]);
  });

  it('tell who owned which channel and who waited for it', () => {
    const crossed: number[][] = [];
    const waited: number[][] = [];
    const network = made(wormhole, 'mesh', [5], {
      crossed: (...told) => crossed.push(told),
      waited: (...told) => waited.push(told),
    });
    network.send(0, 2, 32);
    network.send(1, 2, 32);
    while (network.messagesUnderWay > 0) network.advance(1000, neverCancelled);
    // The second message asks at 7; its tail enters the ejection channel at 12 + 7. Links 0 and 1 lead on from routers 0 and 1.
    expect(waited).toEqual([[1, 11, 8, 0]]);
    expect(crossed.filter(([channel]) => channel === 1)).toEqual([
      [1, 7, 12, 1],
      [1, 19, 12, 0],
    ]);
  });

  it('find four worms that wait for one another in a ring', () => {
    const network = made({ ...wormhole, router: { unit: 'cycles', amount: 0 }, buffer: 2 }, 'torus', [4]);
    for (let node = 0; node < 4; node++) network.send(node, (node + 2) % 4, 32);
    let why = network.advance(1000, neverCancelled);
    while (why === 'events') why = network.advance(1000, neverCancelled);
    expect(why).toBe('deadlock');
    expect(network.deadlock?.waits.map(({ transmission }) => transmission)).toEqual([0, 1, 2, 3]);
    expect(network.waiting()).toHaveLength(4);
  });

  it('of cores go through the servers of a cluster', () => {
    const model: NetworkModel = { switching: 'queueing', serviceVariation: 1, cache: 8e9 };
    const network = messageNetwork(model, paperCluster(2), {}, seededRandom(1));
    if (!network.ok) throw new Error(network.failure.message);
    expect([network.value.endpoints, network.value.secondsPerCycle]).toEqual(['slots', 1e-9]);
    network.value.send(0, 31, 1024);
    while (network.value.messagesUnderWay > 0) network.value.advance(1e9, neverCancelled);
    expect(network.value.arrived).toEqual([0]);
    expect(messageNetwork(model, gridMachine('mesh', [4]))).toMatchObject({
      ok: false,
      failure: { code: 'bad-network' },
    });
  });

  it.each([
    [{ ...wormhole, channels: 40 }, /1 to 30 channels, found 40/],
    [{ switching: 'cut-through', bubble: { packets: 2, here: true } }, /torus rings/],
    [{ switching: 'cut-through', channels: 31 }, /maximum is 30/],
    [{ switching: 'cut-through', link: { unit: 'cycles', amount: 0 } }, /at least 1 cycle/],
    [{ switching: 'store-and-forward', packet: 2 ** 21 }, /too long/],
    [{ ...wormhole, router: { unit: 'seconds', amount: 1e-9 } }, /needs a `bandwidth`/],
  ] satisfies [NetworkModel, RegExp][])('refuse %o', (model, message) => {
    const network = messageNetwork(model, gridMachine('mesh', [4]));
    expect(network).toMatchObject({ ok: false, failure: { code: 'bad-network' } });
    expect(network.ok ? '' : network.failure.message).toMatch(message);
  });
});

it('routes of flows that are too many to keep are refused', () => {
  const machine = networkMachine('torus', { sides: [72, 72], routing: { name: 'ecmp', options: {} } });
  const network = messageNetwork({ switching: 'cut-through' }, machine);
  expect(network.ok ? '' : network.failure.message).toMatch(
    /routing `ecmp` .* has routes of 214,990,848 steps, .*\. Use `switching wormhole`, `switching flow`/,
  );
});

it('a router with more ports than the memory of the engine has room for is refused', () => {
  const machine = networkMachine('switches', {
    count: 1,
    cables: [],
    hosts: 40_000,
    routing: { name: 'minimal', options: {} },
  });
  const network = messageNetwork({ switching: 'cut-through', channels: 2 }, machine);
  expect(network.ok ? '' : network.failure.message).toMatch(/80,000 of its queues are at one router/);
});

const cycles = (amount: number) => ({ unit: 'cycles', amount }) as const;

/** Cycle in which each message arrives, in the order of sending. */
function arrivals(model: NetworkModel, machine: Machine, sendings: readonly Sending[]): number[] {
  const network = messageNetwork(model, machine);
  if (!network.ok) throw new Error(network.failure.message);
  const { cycles } = story(() => network.value, sendings, 1e6);
  return cycles.flatMap(([cycle, , arrived]) => arrived.map(() => cycle));
}

describe('worms', () => {
  const ring = gridMachine('torus', [4]);
  const four = [0, 1, 2, 3].map((node) => ({ cycle: -1, from: node, to: (node + 2) % 4, bytes: 32 }));
  const flits: NetworkModel = { ...wormhole, router: { unit: 'cycles', amount: 0 }, buffer: 2 };

  it('with several channels, adaptive routes or slower links are simulated flit by flit', () => {
    expect(arrivals({ ...flits, channels: 2 }, ring, four)).toEqual([10, 17, 24, 31]);
    const slow: NetworkModel = { ...flits, link: { unit: 'cycles', amount: 2 }, buffer: 3 };
    // h(r + l) + r + L − 1.
    expect(arrivals(slow, gridMachine('mesh', [5]), [{ cycle: -1, from: 0, to: 4, bytes: 32 }])).toEqual([8 + 7]);
  });

  it.each([
    ['a mesh', gridMachine('mesh', [4, 4])],
    ['a torus of 3 x 3', gridMachine('torus', [3, 3])],
    ['switches', autonet(2)],
  ])('of one flit arrive when packets of one flit do, whose engine goes by events: %s', (_, machine) => {
    for (let seed = 0; seed < 10; seed++) {
      const sendings = someSendings(machine, [4], seed, 1000);
      const ejection = seed % 2 === 0 ? 'multiple' : 'single';
      const options = { packet: 1, flit: 4, ejection, arbiter: 'round-robin', router: cycles(0) } as const;
      const worms = arrivals({ ...options, switching: 'wormhole', buffer: 4 }, machine, sendings);
      expect(worms).toHaveLength(1000);
      expect(worms).toEqual(arrivals({ ...options, switching: 'cut-through', queue: 4 }, machine, sendings));
    }
  });
});

describe('a deadlock', () => {
  const torus = gridMachine('torus', [4, 4]);
  it.each([
    [
      { switching: 'wormhole' },
      torus,
      /with 1 channel: routers 0, 1, 2, 3 form a cyclic channel dependency\. To fix it, write `channels 2` in the network\./,
    ],
    [{ switching: 'cut-through' }, torus, /write `channels 2`, or `bubble 2`, in the network\./],
    [
      { switching: 'cut-through', routing: 'adaptive' },
      torus,
      /2 channels: .* write `channels 3`, or `bubble 2`, in the network\./,
    ],
    [
      { switching: 'wormhole', routing: 'adaptive', channels: 1 },
      gridMachine('mesh', [3, 3]),
      /routers 0, 1, 4, 3 form .* write `channels 2` in the network\./,
    ],
    [
      { switching: 'cut-through', routing: 'adaptive', channels: 1 },
      torus,
      /routers 0, 1, 5, 4 form .* write `channels 3`, or `channels 2` and `bubble 2`, in the network\./,
    ],
    // Room for one packet is what any needs, and beside a bubble there is no dateline.
    [
      { switching: 'cut-through', channels: 2, bubble: { packets: 1, here: true } },
      torus,
      /write `bubble 2` in the network\./,
    ],
    [
      { switching: 'cut-through', routing: 'adaptive', channels: 3, bubble: { packets: 1, here: false } },
      torus,
      /with 3 channels: .* write `bubble 2` in the network\./,
    ],
    [
      { switching: 'wormhole' },
      minimalRing(12),
      /routers (?:\d+, ){7}\d+ … form .* write `routing up-down` in the machine\./,
    ],
  ] satisfies [NetworkModel, Machine, RegExp][])('is told before the run of %o', (model, machine, message) => {
    expect(possibleDeadlock(model, machine)?.message).toMatch(message);
  });

  it.each([
    [{ switching: 'wormhole', channels: 2 }, torus],
    [{ switching: 'cut-through', bubble: { packets: 2, here: true }, routing: 'adaptive' }, torus],
    [{ switching: 'wormhole', routing: 'adaptive' }, gridMachine('mesh', [3, 3])],
    [{ switching: 'wormhole', routing: 'adaptive' }, autonet(2)],
    [{ switching: 'flow' }, torus],
  ] satisfies [NetworkModel, Machine][])('is not told where none can be: %o', (model, machine) => {
    expect(possibleDeadlock(model, machine)).toBeUndefined();
  });
});

function minimalRing(count: number): Machine {
  const cables = Array.from({ length: count }, (_, from) => ({ from, to: (from + 1) % count }));
  return networkMachine('switches', { count, cables, hosts: 1, routing: { name: 'minimal', options: {} } });
}

const packets = (bytes: number): number => Math.max(1, Math.ceil(bytes / 32));

messageContract({
  name: 'header events',
  machines: [
    ['a mesh', gridMachine('mesh', [3, 4])],
    ['a hypercube with two hosts', gridMachine('hypercube', [3], { hosts: 2 })],
  ],
  make: (machine, observer) => {
    const network = messageNetwork(wormhole, machine, observer);
    if (!network.ok) throw new Error(network.failure.message);
    return network.value;
  },
  packetsOf: packets,
  alone: (machine, from, to) => (hopsBetweenNodes(machine, asNodeId(from), asNodeId(to)) + 2) * 4 + 7,
  bytes: [0, 32],
});

for (const [name, model, machine] of [
  ['header events', wormhole, gridMachine('mesh', [3, 4])],
  ['flit by flit', { ...wormhole, channels: 2 }, gridMachine('mesh', [3, 4])],
  ['flit by flit, worms of any length', { switching: 'wormhole', channels: 2 }, gridMachine('mesh', [3, 4])],
  ['cut through', { switching: 'cut-through', channels: 2 }, gridMachine('torus', [4, 3])],
  ['store and forward', { switching: 'store-and-forward', channels: 2 }, gridMachine('torus', [4, 3])],
  ['flow', { switching: 'flow' }, gridMachine('mesh', [3, 4])],
  ['servers', { switching: 'queueing' }, paperCluster()],
] as const satisfies readonly (readonly [string, NetworkModel, Machine])[]) {
  streamContract(name, machine, () => {
    const network = streamNetwork(model, machine);
    if (!network.ok) throw new Error(network.failure.message);
    return network.value;
  });
}

describe('the zero-load latency of a packet is what engines take', () => {
  const delays: Partial<NetworkModel> = { router: { unit: 'cycles', amount: 2 }, link: { unit: 'cycles', amount: 3 } };
  it.each<{ readonly model: NetworkModel }>([
    { model: wormhole },
    { model: { switching: 'wormhole' } },
    { model: { switching: 'wormhole', ...delays, channels: 2, buffer: 4, packet: 5 } },
    { model: { switching: 'wormhole', ...delays, channels: 3, buffer: 4, routing: 'adaptive' } },
    { model: { switching: 'cut-through', channels: 2 } },
    { model: { switching: 'cut-through', ...delays, channels: 3, packet: 3 } },
    { model: { switching: 'store-and-forward', ...delays, channels: 2 } },
    { model: { switching: 'flow', ...delays } },
  ])('of $model', ({ model }) => {
    for (const machine of [gridMachine('torus', [4, 3]), gridMachine('hypercube', [3], { hosts: 2 }), autonet()]) {
      for (let to = 1; to < machine.nodeCount; to++) {
        const { deliveries } = story(
          (observer) => {
            const network = messageNetwork(model, machine, observer);
            if (!network.ok) throw new Error(network.failure.message);
            return network.value;
          },
          [{ cycle: -1, from: 0, to, bytes: 20 }],
          1e6,
        );
        const [arrived, , created, hops, flits] = deliveries[0]!;
        expect(arrived! - created!).toBe(latencyAlone(model, machine, { hops: hops!, flits: flits! }));
      }
    }
  });

  it.each<{ readonly model: NetworkModel }>([
    { model: { switching: 'queueing' } },
    { model: { switching: 'wormhole', channels: 2, buffer: 1 } },
  ])('is not known of $model', ({ model }) => {
    expect(latencyAlone(model, gridMachine('torus', [4, 3]), { hops: 2, flits: 8 })).toBeUndefined();
  });
});
