import { describe, expect, it } from 'vitest';
import { neverCancelled, WorkMeter } from '../../../model/cancellation.ts';
import { asNodeId } from '../../../model/identifiers.ts';
import { hopsBetweenNodes, type Machine } from '../../../model/machine.ts';
import { drawSeed, seededRandom, type RandomSource } from '../../../model/random.ts';
import { everyMachine } from '../../../network/testing/everyMachine.ts';
import { axisBandwidths, gridMachine, withLinkTimes } from '../../../network/testing/machines.ts';
import { networkMachine } from '../../../network/testing/networkMachines.ts';
import type { MessageObserver } from '../../messages.ts';
import { messageContract, story, type MessageEngine, type Sending } from '../../testing/messageContract.ts';
import { cyclesAlone, unequalMachines } from '../../testing/unequalLinks.ts';
import { PacketByPacket } from '../../testing/packetByPacket.ts';
import { PacketEvents } from './packetEvents.ts';
import { kernelOptions, packetMachine, type PacketOptions } from './packetTables.ts';

/** Whose packets have no choice of links: routes by receiver, and by flow. */
const fixedMachines = (['static', 'dfsssp', 'ecmp'] as const).flatMap((name) => {
  const routing = { name, options: {} };
  return [
    [`a fat tree under ${name}`, networkMachine('fat-tree', { options: { k: 3, n: 3 }, routing })],
    [`a dragonfly under ${name}`, networkMachine('dragonfly', { options: { p: 2, a: 4, h: 2, g: 5 }, routing })],
  ] as const;
});

const machines: readonly (readonly [string, Machine])[] = [
  ...everyMachine(),
  ...fixedMachines,
  ['a torus of 3 x 3', gridMachine('torus', [3, 3])],
  ['a torus of 4 x 4', gridMachine('torus', [4, 4])],
  ['a ring of 4', gridMachine('torus', [4])],
  ['a mesh of 2 x 3', gridMachine('mesh', [2, 3])],
];

const oneOf = <Item>(random: RandomSource, items: readonly Item[]): Item => items[random.integer(items.length)]!;

function randomOptions(random: RandomSource, machine: Machine): PacketOptions {
  const isGrid = machine.routing.kind === 'dimension-order';
  const router = oneOf(random, [0, 0, 1, 3]);
  const queue = oneOf(random, [1, 2, 3, 4]);
  return {
    switching: oneOf(random, ['cut-through', 'cut-through', 'store-and-forward']),
    packet: oneOf(random, [1, 2, 3, 8]),
    flit: 4,
    channels: oneOf(random, [1, 2, 2, 3, 4]),
    queue,
    router,
    link: oneOf(random, router > 0 ? [0, 1, 2] : [1, 1, 3]),
    ...(isGrid &&
      random.integer(2) === 0 && {
        bubble: { packets: 1 + random.integer(Math.min(2, queue)), here: random.integer(2) === 0 },
      }),
    routing: oneOf(random, ['adaptive', 'adaptive', 'deterministic']),
    select: oneOf(random, ['first-free', 'first-free', 'random', 'least-filled']),
    arbiter: oneOf(random, ['round-robin', 'round-robin', 'first-come']),
    ejection: oneOf(random, ['single', 'multiple']),
    secondsPerCycle: undefined,
  };
}

function randomSendings(random: RandomSource, { nodeCount }: Machine, flits: number): Sending[] {
  const last = oneOf(random, [1, 30, 200]);
  const most = oneOf(random, [1, 3, 12]);
  return Array.from({ length: 5 + random.integer(40) }, () => {
    const from = random.integer(nodeCount);
    const to = (from + 1 + random.integer(nodeCount - 1)) % nodeCount;
    return { cycle: random.integer(last) - 1, from, to, bytes: random.integer(4 * flits * most) };
  }).sort((a, b) => a.cycle - b.cycle);
}

const cutThrough: PacketOptions = {
  switching: 'cut-through',
  ...{ packet: 8, flit: 4, channels: 1, queue: 4, router: 0, link: 1, secondsPerCycle: undefined },
  ...{ routing: 'deterministic', select: 'first-free', arbiter: 'round-robin', ejection: 'multiple' },
};

/** The network of Pascual et al. 2010. */
const torus2010: PacketOptions = {
  ...cutThrough,
  channels: 2,
  bubble: { packets: 2, here: true },
  routing: 'adaptive',
};

const networkOf = (machine: Machine, options: PacketOptions, observer: MessageObserver = {}): PacketEvents =>
  new PacketEvents(machine, options, observer, seededRandom(1));

describe('packet events', () => {
  const cases = Number(process.env['CASES'] ?? 300);
  it(`give what the plain simulation gives, cycle by cycle, in ${cases} random cases`, () => {
    for (let seed = Number(process.env['SEED'] ?? 0), end = seed + cases; seed < end; seed++) {
      const random = seededRandom(seed);
      const [name, built] = oneOf(random, machines);
      const options = randomOptions(random, built);
      const machine = seed % 2 === 0 ? built : withLinkTimes(built, () => oneOf(random, [1, 1, 2, 3, 7]));
      const sendings = randomSendings(random, machine, options.packet);
      const draws = seededRandom(seed);
      const plain = story((observer) => new PacketByPacket(machine, options, observer, drawSeed(draws.copy())), sendings, 5000); // prettier-ignore
      const events = story((observer) => new PacketEvents(machine, options, observer, draws.copy()), sendings, 5000);
      // What is handed over after a deadlock depends on when it is noticed.
      const left = plain.why === 'deadlock' ? plain.left : events.left;
      expect({ ...events, left }, `${seed}: ${name}, ${JSON.stringify(options)}`).toEqual(plain);
    }
  });

  const large: readonly (readonly [string, Machine, Partial<PacketOptions>])[] = [
    ['a torus of 8 x 8 x 8', gridMachine('torus', [8, 8, 8]), { channels: 3, bubble: { packets: 2, here: true } }],
    ['a fat tree of 512 hosts', networkMachine('fat-tree', { options: { k: 8, n: 3 } }), { channels: 3 }],
    [
      'a fat tree of 512 hosts under dfsssp',
      networkMachine('fat-tree', { options: { k: 8, n: 3 }, routing: { name: 'dfsssp', options: {} } }),
      { channels: 3 },
    ],
  ];
  it.each(large)('give what the plain simulation gives on %s, whose records are read in groups', (_, machine, some) => {
    const options: PacketOptions = { ...cutThrough, channels: 2, routing: 'adaptive', ...some };
    expect(
      kernelOptions(packetMachine(machine, options.channels, new WorkMeter(neverCancelled)), options, 0, {}).isLarge,
    ).toBe(true);
    const random = seededRandom(3);
    const sendings = Array.from({ length: 900 }, (__, index) => {
      const from = random.integer(machine.nodeCount);
      // Every fourth to one of few nodes, before which the others queue up.
      const to = index % 4 === 0 ? random.integer(32) : random.integer(machine.nodeCount);
      return { cycle: (index >> 6) - 1, from, to: to === from ? (from + 1) % machine.nodeCount : to, bytes: 60 };
    });
    const plain = story(
      (observer) => new PacketByPacket(machine, options, observer, drawSeed(seededRandom(1))),
      sendings,
      400,
    );
    expect(story((observer) => networkOf(machine, options, observer), sendings, 1e4)).toEqual(plain);
    expect(plain.left).toBe(0);
  });

  it('find the deadlocks that the plain simulation finds, with a circle of packets', () => {
    let deadlocks = 0;
    for (let seed = 0; seed < 40; seed++) {
      const random = seededRandom(seed);
      const machine = oneOf(random, [
        gridMachine('torus', [4]),
        gridMachine('torus', [6]),
        gridMachine('torus', [5, 4]),
      ]);
      const routing = oneOf(random, ['adaptive', 'deterministic'] as const);
      const options: PacketOptions = { ...cutThrough, packet: 2, queue: 1 + random.integer(2), routing };
      const { nodeCount } = machine;
      const sendings = Array.from({ length: 60 }, (_, index) => {
        const from = random.integer(nodeCount);
        const away = random.integer(4) > 0 ? nodeCount >> 1 : 1 + random.integer(nodeCount - 1);
        return { cycle: (index >> 3) - 1, from, to: (from + away) % nodeCount, bytes: 40 };
      });
      const plain = story(
        (observer) => new PacketByPacket(machine, options, observer, drawSeed(seededRandom(1))),
        sendings,
        5000,
      );
      const networks: PacketEvents[] = [];
      const events = story(
        (observer) => {
          networks.push(networkOf(machine, options, observer));
          return networks[0]!;
        },
        sendings,
        5000,
      );
      expect(events).toEqual(plain);
      if (events.why !== 'deadlock') continue;
      deadlocks++;
      const { waits } = networks[0]!.deadlock!;
      expect(waits.length).toBeGreaterThan(1);
      // Each wants the channel at whose end the next one stands.
      for (const [index, { wants }] of waits.entries())
        expect(waits[(index + 1) % waits.length]!.holds).toContain(wants);
    }
    expect(deadlocks).toBeGreaterThan(5);
  });

  it('256 bytes to a neighbour have arrived at the end of cycle 64', () => {
    const network = networkOf(gridMachine('torus', [4, 4]), torus2010);
    network.send(0, 1, 256);
    const events: unknown[] = [];
    while (network.messagesUnderWay > 0) {
      network.advance(1000, neverCancelled);
      events.push([network.now, [...network.sent], [...network.arrived]]);
    }
    // Buffer and queue take all eight packets, one a cycle.
    expect(events).toEqual([
      [7, [0], []],
      [64, [], [0]],
    ]);
  });

  it('keep the memory of what is under way, however much is sent', () => {
    const network = networkOf(gridMachine('torus', [4, 4]), torus2010);
    const sizes: number[] = [];
    for (let round = 0; round < 40; round++) {
      for (let node = 0; node < 16; node++) network.send(node, (node + 5) % 16, 3200);
      while (network.messagesUnderWay > 0) network.advance(1e9, neverCancelled);
      sizes.push(network.bytes);
    }
    expect(new Set(sizes.slice(2)).size).toBe(1);
  });

  it('get more memory under way, and go on as if there had been enough', () => {
    const machine = gridMachine('torus', [4, 4]);
    const sendings = Array.from({ length: 6000 }, (_, index) => {
      const from = index % 16;
      return { cycle: index < 4000 ? -1 : 500, from, to: (from + 1 + (index % 15)) % 16, bytes: 4 };
    });
    const networks: PacketEvents[] = [];
    const small = networkOf(machine, torus2010).bytes;
    const events = story(
      (observer) => {
        networks.push(networkOf(machine, torus2010, observer));
        return networks[0]!;
      },
      sendings,
      1e5,
    );
    const plain = story(
      (observer) => new PacketByPacket(machine, torus2010, observer, drawSeed(seededRandom(1))),
      sendings,
      1e5,
    );
    expect(events).toEqual(plain);
    expect(networks[0]!.bytes).toBeGreaterThan(small);
  });

  it('say at a moment who waits for which channel', () => {
    const network = networkOf(gridMachine('mesh', [3]), cutThrough);
    network.send(0, 2, 320);
    network.send(1, 2, 320);
    while (network.now < 20) network.advance(20, neverCancelled);
    expect(network.waiting().map(({ transmission, holds, wants }) => ({ transmission, holds, wants }))).toEqual([
      { transmission: 0, holds: [0], wants: 1 },
    ]);
  });
});

const alone =
  ({ packet, router, link, switching, flit }: PacketOptions): Exclude<MessageEngine['alone'], string> =>
  (machine, from, to, bytes) => {
    const hops = hopsBetweenNodes(machine, asNodeId(from), asNodeId(to));
    const stored = switching === 'store-and-forward' ? packet - 1 : 0;
    const packets = Math.max(1, Math.ceil(bytes / (packet * flit)));
    return hops * (router + link + stored) + router + packet - 1 + (packets - 1) * packet;
  };

for (const options of [
  torus2010,
  { ...cutThrough, router: 3, link: 2, packet: 5, select: 'random' },
  { ...cutThrough, switching: 'store-and-forward', router: 1, link: 1, channels: 3, packet: 1 },
  { ...cutThrough, switching: 'store-and-forward', packet: 4, routing: 'adaptive', channels: 4, ejection: 'single' },
] satisfies PacketOptions[]) {
  const { bubble, packet, flit }: PacketOptions = options;
  const isGrid = (machine: Machine): boolean => machine.routing.kind === 'dimension-order';
  messageContract({
    name: `packet events, ${JSON.stringify(options)},`,
    machines: machines.filter(([, machine]) => bubble === undefined || isGrid(machine)),
    make: (machine, observer) => networkOf(machine, options, observer),
    packetsOf: (bytes) => Math.max(1, Math.ceil(bytes / (packet * flit))),
    // With one route a second packet never overtakes the first.
    alone: alone(options),
    bytes: [0, packet * flit],
  });
}

for (const options of [
  cutThrough,
  { ...torus2010, router: 2, link: 3, packet: 5 },
  { ...cutThrough, switching: 'store-and-forward', router: 1, packet: 4, channels: 2 },
] satisfies PacketOptions[]) {
  const { switching, packet: flits, flit, router, link, routing, bubble }: PacketOptions = options;
  const packets = (bytes: number): number => Math.max(1, Math.ceil(bytes / (flits * flit)));
  const isStored = switching === 'store-and-forward';
  messageContract({
    name: `packet events on unequal links, ${switching}, ${routing}`,
    // With one channel and no bubble rings may come to a deadlock.
    machines: unequalMachines().filter(([, { topology, routing: { kind } }]) => (bubble === undefined ? kind !== 'minimal' && topology.wraps?.includes(true) !== true : kind === 'dimension-order')), // prettier-ignore
    make: (machine, observer) => networkOf(machine, options, observer),
    packetsOf: packets,
    alone:
      routing === 'adaptive'
        ? 'the routes that packets may take are not all as fast'
        : (machine, from, to, bytes) =>
            cyclesAlone(machine, from, to, { packets: packets(bytes), flits, router, link, isStored }),
    bytes: [0, flits * flit, 5 * flits * flit],
  });
}

it('packets on a link that takes 2.5 cycles for a flit follow one another in 20 cycles', () => {
  const machine = gridMachine('mesh', [2], { figures: axisBandwidths(10e9) });
  const slow = withLinkTimes(machine, (link) => (link === 0 ? 2.5 : 1));
  const network = networkOf(slow, cutThrough);
  network.send(0, 1, 10 * 32);
  while (network.messagesUnderWay > 0) network.advance(1e4, neverCancelled);
  // The last flit of the tenth has crossed in cycle 199, and leaves in the next.
  expect(network.now).toBe(200);
});
