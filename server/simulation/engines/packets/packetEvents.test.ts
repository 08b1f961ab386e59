import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../../model/cancellation.ts';
import { asNodeId } from '../../../model/identifiers.ts';
import { hopsBetweenNodes, type Machine } from '../../../model/machine.ts';
import { drawSeed, seededRandom } from '../../../model/random.ts';
import { axisBandwidths, gridMachine, withLinkTimes } from '../../../network/testing/machines.ts';
import { messageContract, story, type MessageEngine } from '../../testing/messageContract.ts';
import { cyclesAlone, unequalMachines } from '../../testing/unequalLinks.ts';
import { PacketByPacket } from '../../testing/packetByPacket.ts';
import {
  cutThrough,
  largePacketMachines,
  networkOf,
  packetMachines,
  testManyPackets,
  testPacketDeadlocks,
  testRandomPackets,
} from '../../testing/packetRuns.ts';
import type { PacketEvents } from './packetEvents.ts';
import type { PacketOptions } from './packetTables.ts';

/** The network of Pascual et al. 2010. */
const torus2010: PacketOptions = {
  ...cutThrough,
  channels: 2,
  bubble: { packets: 2, here: true },
  routing: 'adaptive',
};

// Quick forms of packetEvents.slow.test.ts.
testRandomPackets(60);
testManyPackets(largePacketMachines[1]!, 200);
testPacketDeadlocks(12);

describe('packet events', () => {
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
    machines: packetMachines.filter(([, machine]) => bubble === undefined || isGrid(machine)),
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
    machines: unequalMachines().filter(
      ([
        ,
        {
          topology,
          routing: { kind },
        },
      ]) =>
        bubble === undefined
          ? kind !== 'minimal' && topology.wraps?.includes(true) !== true
          : kind === 'dimension-order',
    ),
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
