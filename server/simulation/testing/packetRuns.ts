/**
 * The engine of packets beside the plain simulation, in random cases: some of them in the quick suite, all of them in the
 * slow one.
 */
import { isDeepStrictEqual } from 'node:util';
import { neverCancelled, WorkMeter } from '../../model/cancellation.ts';
import type { Machine } from '../../model/machine.ts';
import { drawSeed, seededRandom, type RandomSource } from '../../model/random.ts';
import { testContract } from '../../model/testing/contract.ts';
import { everyMachine } from '../../network/testing/everyMachine.ts';
import { gridMachine, withLinkTimes } from '../../network/testing/machines.ts';
import { networkMachine } from '../../network/testing/networkMachines.ts';
import { PacketEvents } from '../engines/packets/packetEvents.ts';
import { kernelOptions, packetMachine, type PacketOptions } from '../engines/packets/packetTables.ts';
import type { MessageObserver } from '../messages.ts';
import { story, type Sending } from './messageContract.ts';
import { PacketByPacket } from './packetByPacket.ts';

/** Whose packets have no choice of links: routes by receiver, and by flow. */
const fixedMachines = (['static', 'dfsssp', 'ecmp'] as const).flatMap((name) => {
  const routing = { name, options: {} };
  return [
    [`a fat tree under ${name}`, networkMachine('fat-tree', { options: { k: 3, n: 3 }, routing })],
    [`a dragonfly under ${name}`, networkMachine('dragonfly', { options: { p: 2, a: 4, h: 2, g: 5 }, routing })],
  ] as const;
});

/** What packets are tried on. */
export const packetMachines: readonly (readonly [string, Machine])[] = [
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

export const cutThrough: PacketOptions = {
  switching: 'cut-through',
  ...{ packet: 8, flit: 4, channels: 1, queue: 4, router: 0, link: 1, secondsPerCycle: undefined },
  ...{ routing: 'deterministic', select: 'first-free', arbiter: 'round-robin', ejection: 'multiple' },
};

export const networkOf = (machine: Machine, options: PacketOptions, observer: MessageObserver = {}): PacketEvents =>
  new PacketEvents(machine, options, observer, seededRandom(1));

const plainly = (machine: Machine, options: PacketOptions, seed: number) => (observer: MessageObserver) =>
  new PacketByPacket(machine, options, observer, seed);

/** So many random machines, options and messages. */
export function testRandomPackets(cases: number): void {
  testContract('packet events against the plain simulation', ({ on, property }) => {
    for (let seed = 0; seed < cases; seed++) {
      const random = seededRandom(seed);
      const [name, built] = oneOf(random, packetMachines);
      const options = randomOptions(random, built);
      on(`${seed}: ${name}, ${JSON.stringify(options)}`, () => {
        const machine = seed % 2 === 0 ? built : withLinkTimes(built, () => oneOf(random, [1, 1, 2, 3, 7]));
        const sendings = randomSendings(random, machine, options.packet);
        const draws = seededRandom(seed);
        const plain = story(plainly(machine, options, drawSeed(draws.copy())), sendings, 5000);
        const events = story((observer) => new PacketEvents(machine, options, observer, draws.copy()), sendings, 5000);
        // What is handed over after a deadlock depends on when it is noticed.
        const left = plain.why === 'deadlock' ? plain.left : events.left;
        property('sends, crosses and arrives in the same cycles', (look) => {
          look(isDeepStrictEqual({ ...events, left }, plain), () => firstDifference(events, plain));
        });
      });
    }
  });
}

/** The first cycle that is told in another way. */
function firstDifference(found: object, expected: object): string {
  for (const [key, list] of Object.entries(expected) as [string, unknown][]) {
    const other = (found as Record<string, unknown>)[key];
    if (isDeepStrictEqual(other, list)) continue;
    if (!Array.isArray(list) || !Array.isArray(other)) return `${key}: ${String(other)}, not ${String(list)}`;
    const at = list.findIndex((each, index) => !isDeepStrictEqual(each, other[index]));
    return `${key} ${at}: ${JSON.stringify(other[at])}, not ${JSON.stringify(list[at])}`;
  }
  return 'the same';
}

/** Machines whose records are read in groups, as there are many. */
export const largePacketMachines: readonly (readonly [string, () => Machine, Partial<PacketOptions>])[] = [
  ['a torus of 8 x 8 x 8', () => gridMachine('torus', [8, 8, 8]), { channels: 3, bubble: { packets: 2, here: true } }],
  [
    'a fat tree of 512 hosts under dfsssp',
    () => networkMachine('fat-tree', { options: { k: 8, n: 3 }, routing: { name: 'dfsssp', options: {} } }),
    { channels: 3 },
  ],
  ['a fat tree of 512 hosts', () => networkMachine('fat-tree', { options: { k: 8, n: 3 } }), { channels: 3 }],
];

/** So many messages on a large machine. */
export function testManyPackets([name, build, some]: (typeof largePacketMachines)[number], messages: number): void {
  testContract(`packet events against the plain simulation on ${name}`, ({ property }) => {
    const machine = build();
    const options: PacketOptions = { ...cutThrough, channels: 2, routing: 'adaptive', ...some };
    property('reads records in groups', (look) => {
      const tables = packetMachine(machine, options.channels, new WorkMeter(neverCancelled));
      look(kernelOptions(tables, options, 0, {}).isLarge === true, 'one by one');
    });
    const random = seededRandom(3);
    const sendings = Array.from({ length: messages }, (__, index) => {
      const from = random.integer(machine.nodeCount);
      // Every fourth to one of few nodes, before which the others queue up.
      const to = index % 4 === 0 ? random.integer(32) : random.integer(machine.nodeCount);
      return { cycle: (index >> 6) - 1, from, to: to === from ? (from + 1) % machine.nodeCount : to, bytes: 60 };
    });
    const plain = story(plainly(machine, options, drawSeed(seededRandom(1))), sendings, 400);
    const events = story((observer) => networkOf(machine, options, observer), sendings, 1e4);
    property('sends, crosses and arrives in the same cycles, all of it', (look) => {
      look(isDeepStrictEqual(events, plain), () => firstDifference(events, plain));
      look(plain.left === 0, () => `${plain.left} left`);
    });
  });
}

/** So many random cases in which packets may wait for one another in a circle. */
export function testPacketDeadlocks(cases: number): void {
  testContract('deadlocks of packet events against the plain simulation', ({ on, property }) => {
    for (let seed = 0; seed < cases; seed++) {
      on(`seed ${seed}`, () => {
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
        const plain = story(plainly(machine, options, drawSeed(seededRandom(1))), sendings, 5000);
        const networks: PacketEvents[] = [];
        const events = story(
          (observer) => {
            networks.push(networkOf(machine, options, observer));
            return networks[0]!;
          },
          sendings,
          5000,
        );
        property('are found where the plain simulation finds them', (look) => {
          look(isDeepStrictEqual(events, plain), () => firstDifference(events, plain));
        });
        property('are circles: each packet wants the channel at whose end the next one stands', (look) => {
          if (events.why !== 'deadlock') return;
          const { waits } = networks[0]!.deadlock!;
          look(waits.length > 1, () => `${waits.length} packets`);
          for (const [index, { wants }] of waits.entries()) {
            look(waits[(index + 1) % waits.length]!.holds.includes(wants), () => `packet ${index} wants ${wants}`);
          }
        });
      });
    }
  });
}
