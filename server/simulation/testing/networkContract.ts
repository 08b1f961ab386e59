import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../model/cancellation.ts';
import type { Machine } from '../../model/machine.ts';
import { testContract, type Contract } from '../../model/testing/contract.ts';
import { everyMachine } from '../../network/testing/everyMachine.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import { allToAll, nearNeighbour, oneToAll } from '../patterns.ts';
import type { ObserveDelivery, PacketSource, Transmission } from '../messages.ts';
import type { WormholeOptions } from '../engines/headers/wormholeOptions.ts';
import { routeOf, type Wormhole } from './flitByFlit.ts';

export type MakeNetwork = (machine: Machine, options: WormholeOptions, observe?: ObserveDelivery) => Wormhole;

export interface Delivery {
  readonly transmission: number;
  readonly packet: number;
  readonly start: number;
  readonly end: number;
  readonly hops: number;
}

/** A list of deliveries that grows, and what writes to it. */
export function recorder(): { readonly deliveries: Delivery[]; readonly observe: ObserveDelivery } {
  const deliveries: Delivery[] = [];
  return {
    deliveries,
    observe: (transmission, packet, start, end, hops) => deliveries.push({ transmission, packet, start, end, hops }),
  };
}

/** By cycle of arrival, then transmission, then packet. */
export const inOrder = (deliveries: readonly Delivery[]): Delivery[] =>
  deliveries.toSorted((a, b) => a.end - b.end || a.transmission - b.transmission || a.packet - b.packet);

/** One process sends so many packets to another. */
const pairSource = (packets: number): PacketSource => ({
  processCount: 2,
  packetCount: packets,
  packetsOf: (process) => (process === 0 ? packets : 0),
  destinationOf: () => 1,
});

export const firstNodes = (count: number): Int32Array => Int32Array.from({ length: count }, (_, node) => node);

/** Advances until everything that was sent has arrived, or the network says why not. */
function drain(network: Wormhole): string {
  for (let calls = 0; calls < 10_000; calls++) {
    const why = network.advance(network.now + 100_000, neverCancelled);
    if (why !== 'completed' || network.packetsUnderWay === 0) return why;
  }
  throw new Error('The network never came to an end.');
}

function checkPacketAlone(contract: Contract, make: MakeNetwork, machine: Machine): void {
  contract.property('takes (hops + 2)(t_s + 1) + flits − 1 cycles between any two nodes', (look) => {
    const { deliveries, observe } = recorder();
    for (const [routing, flits, buffer] of [
      [3, 8, 1],
      [0, 1, 1],
      [2, 5, 3],
      [1, 40, 2],
      [4, 1, 4],
    ] as const) {
      const network = make(machine, { routing, buffer }, observe);
      for (let from = 0; from < machine.nodeCount; from++) {
        for (let to = from % 3; to < machine.nodeCount; to += 3) {
          // Late enough that the tail of the one before has left.
          network.advance(network.now + flits + 2, neverCancelled);
          const start = network.now;
          network.send({ source: pairSource(1), nodeOfProcess: Int32Array.of(from, to), flits });
          drain(network);
          const hops = routeOf(machine, from, to).length - 2;
          const { end } = deliveries.at(-1)!;
          const expected = (hops + 2) * (routing + 1) + flits - 1;
          look(end - start === expected, () => `${from}-${to}, ${hops} hops: ${end - start}, not ${expected}`);
        }
      }
    }
  });
}

/** Rules of section 4.1 of Alsardia 2017 that every wormhole network keeps, whatever its engine. */
export function wormholeContract(name: string, make: MakeNetwork): void {
  const thesis: WormholeOptions = { routing: 3, buffer: 1 };

  testContract(`${name}: a packet alone`, (contract) => {
    for (const [what, machine] of everyMachine()) {
      contract.on(what, () => {
        checkPacketAlone(contract, make, machine);
      });
    }
  });

  describe(`${name}: worked by hand`, () => {
    const line = gridMachine('mesh', [5]);
    const ends = (machine: Machine, options: WormholeOptions, sent: readonly Transmission[]): number[] => {
      const { deliveries, observe } = recorder();
      const network = make(machine, options, observe);
      for (const transmission of sent) network.send(transmission);
      expect(drain(network)).toBe('completed');
      return deliveries
        .toSorted((a, b) => a.transmission - b.transmission || a.packet - b.packet)
        .map(({ end }) => end);
    };
    const pair = (from: number, to: number, packets = 1, flits = 8): Transmission => ({
      source: pairSource(packets),
      nodeOfProcess: Int32Array.of(from, to),
      flits,
    });

    it('a second packet of a node starts when the tail has left the injection channel', () => {
      // One hop: the header is in the third channel at 12, the tail leaves the first one at 12 + 8 − 2 = 18.
      expect(ends(line, thesis, [pair(0, 1, 2)])).toEqual([19, 37]);
    });

    it('a long way lets the tail leave the injection channel when the header enters channel `flits`', () => {
      // Four hops, 3 flits: the header enters channel 3 at 16.
      expect(ends(line, thesis, [pair(0, 4, 2, 3)])).toEqual([26, 42]);
    });

    it('deeper buffers let the tail leave earlier', () => {
      // Four hops, 3 flits, buffers of 3: the tail enters channel 1 two cycles after the header, at 8 + 2.
      expect(ends(line, { routing: 3, buffer: 3 }, [pair(0, 4, 2, 3)])).toEqual([26, 36]);
    });

    it('two packets ask for one channel in the same cycle: the lower number is first, the other waits for its tail', () => {
      // Both ask for the ejection channel of node 1 at 11; the first one's tail leaves it at 12 + 8 = 20.
      expect(ends(line, thesis, [pair(0, 1), pair(2, 1)])).toEqual([19, 28]);
      expect(ends(line, thesis, [pair(2, 1), pair(0, 1)])).toEqual([19, 28]);
    });

    it('of three that ask for one channel in one cycle the lowest number is first, though each asks before those with lower ones', () => {
      // On their ways to (2, 4) all ask at 15 for the link up from (2, 2): the third from its node there, the second after one link, the
      // first after two. The second has eight flits, so that no tail leaves a channel yet when its header enters that link, and those of
      // the others do. The first enters it at 16 and is through at 24, the second is through at 39. Elsewhere a node sends two packets
      // of one flit, the first of which leaves the node in the same cycle.
      const square = gridMachine('mesh', [5, 5]);
      const { deliveries, observe } = recorder();
      const network = make(square, thesis, observe);
      for (const [at, sent] of [
        [0, pair(14, 22, 1, 2)],
        [4, pair(11, 22)],
        [8, pair(0, 4, 2, 1)],
        [8, pair(12, 22, 1, 1)],
      ] as const) {
        network.advance(at, neverCancelled);
        network.send(sent);
      }
      expect(drain(network)).toBe('completed');
      expect(
        deliveries.toSorted((a, b) => a.transmission - b.transmission || a.packet - b.packet).map(({ end }) => end),
      ).toEqual([25, 40, 32, 40, 48]);
    });

    it('who asked earlier is first, whatever its number', () => {
      // The ejection channel of node 2: from node 4 the header asks at 15, from node 1 at 11.
      expect(ends(line, thesis, [pair(4, 2), pair(1, 2)])).toEqual([28, 19]);
    });

    it('processes of one node take turns', () => {
      const twice: Transmission = {
        source: {
          processCount: 3,
          packetCount: 4,
          packetsOf: (process) => (process < 2 ? 2 : 0),
          destinationOf: () => 2,
        },
        nodeOfProcess: Int32Array.of(0, 0, 1),
        flits: 8,
      };
      expect(ends(line, thesis, [twice])).toEqual([19, 55, 37, 73]);
    });
  });

  describe(`${name}: transmissions`, () => {
    const machine = gridMachine('mesh', [4, 4]);

    it('lose nothing, deliver nothing twice, and keep figures', () => {
      const { deliveries, observe } = recorder();
      const network = make(machine, thesis, observe);
      const sources = [allToAll(16), nearNeighbour([4, 4], 3), oneToAll(16, 5, 2)];
      for (const source of sources) network.send({ source, nodeOfProcess: firstNodes(16), flits: 4 });
      const completed: number[] = [];
      while (completed.length < sources.length) {
        expect(network.advance(1e6, neverCancelled)).toBe('completed');
        for (const id of network.completed) {
          completed.push(id);
          const own = deliveries.filter(({ transmission }) => transmission === id);
          expect(network.figuresOf(id)).toMatchObject({
            packets: sources[id]!.packetCount,
            hops: own.reduce((sum, { hops }) => sum + hops, 0),
            latency: own.reduce((sum, { start, end }) => sum + end - start, 0),
          });
          expect(Math.max(...own.map(({ end }) => end))).toBe(network.now);
        }
      }
      expect(completed.toSorted()).toEqual([0, 1, 2]);
      expect(network.packetsUnderWay).toBe(0);
      expect(network.total.packets).toBe(deliveries.length);
      sources.forEach((source, id) => {
        const packets = deliveries.filter(({ transmission }) => transmission === id).map(({ packet }) => packet);
        expect(packets.toSorted((a, b) => a - b)).toEqual(
          Array.from({ length: source.packetCount }, (_, each) => each),
        );
      });
    });

    it('keep the order of packets between two nodes', () => {
      const { deliveries, observe } = recorder();
      const network = make(machine, thesis, observe);
      const source = allToAll(16, 'ascending', 4);
      network.send({ source, nodeOfProcess: firstNodes(16), flits: 4 });
      expect(drain(network)).toBe('completed');
      const last = new Map<string, number>();
      for (const { packet } of inOrder(deliveries)) {
        const [from, index] = [Math.floor(packet / 60), packet % 60];
        const pair = `${from}-${source.destinationOf(from, index)}`;
        expect(packet).toBeGreaterThan(last.get(pair) ?? -1);
        last.set(pair, packet);
      }
      expect(last.size).toBe(240);
    });

    it('without packets are complete at once', () => {
      const network = make(machine, thesis);
      network.advance(7, neverCancelled);
      const id = network.send({ source: allToAll(1), nodeOfProcess: Int32Array.of(3), flits: 8 });
      expect(network.advance(50, neverCancelled)).toBe('completed');
      expect([network.now, network.completed]).toEqual([7, [id]]);
      expect(network.advance(50, neverCancelled)).toBe('reached');
      expect([network.now, network.completed]).toEqual([50, []]);
    });

    it('end the same however time is cut', () => {
      const run = (step: number): Delivery[] => {
        const { deliveries, observe } = recorder();
        const network = make(machine, thesis, observe);
        network.send({ source: allToAll(16), nodeOfProcess: firstNodes(16), flits: 8 });
        let later = false;
        for (let to = step; network.packetsUnderWay > 0 || !later; to += step) {
          while (network.now < Math.min(to, 100)) network.advance(Math.min(to, 100), neverCancelled);
          if (network.now === 100 && !later) {
            network.send({ source: nearNeighbour([4, 4]), nodeOfProcess: firstNodes(16), flits: 3 });
            later = true;
          }
          while (later && network.packetsUnderWay > 0 && network.now < to) network.advance(to, neverCancelled);
        }
        return inOrder(deliveries);
      };
      const whole = run(100_000);
      expect(whole).toHaveLength(240 + 48);
      expect(run(1)).toEqual(whole);
      expect(run(17)).toEqual(whole);
    });

    it("keep Little's law: packets under way are arrivals a cycle times their latency", () => {
      const network = make(machine, thesis);
      network.send({ source: allToAll(16, 'ring', 3), nodeOfProcess: firstNodes(16), flits: 8 });
      let underWay = 0;
      while (network.packetsUnderWay > 0) {
        underWay += network.packetsUnderWay;
        network.advance(network.now + 1, neverCancelled);
      }
      const { packets, latency } = network.total;
      expect(packets).toBe(720);
      expect(underWay / network.now).toBeCloseTo((packets / network.now) * (latency / packets), 9);
    });

    it('stop when cancelled, and go on', () => {
      const network = make(machine, thesis);
      network.send({ source: allToAll(16, 'ascending', 400), nodeOfProcess: firstNodes(16), flits: 8 });
      expect(network.advance(1e9, { isCancelled: () => true })).toBe('cancelled');
      const { now } = network;
      expect(now).toBeLessThan(100_000);
      expect(network.advance(now + 5, neverCancelled)).toBe('reached');
      expect(network.now).toBe(now + 5);
    });
  });

  describe(`${name}: deadlock`, () => {
    it('is found on a ring without virtual channels, with its circle of channels', () => {
      const ring = gridMachine('torus', [4]);
      const network = make(ring, thesis);
      // Everyone two hops on: each holds the link to its neighbour and wants the next one, as every header does at 11.
      const source: PacketSource = {
        processCount: 4,
        packetCount: 4,
        packetsOf: () => 1,
        destinationOf: (process) => (process + 2) % 4,
      };
      network.send({ source, nodeOfProcess: firstNodes(4), flits: 8 });
      expect(network.advance(1e6, neverCancelled)).toBe('deadlock');
      const link = [0, 1, 2, 3].map((router) => routeOf(ring, router, (router + 1) % 4)[1]!);
      expect(network.deadlock).toEqual({
        since: 11,
        waits: [0, 1, 2, 3].map((node) => ({
          packet: node,
          transmission: 0,
          since: 11,
          holds: [8 + 2 * node, link[node]],
          wants: link[(node + 1) % 4],
        })),
      });
      expect(network.advance(1e6, neverCancelled)).toBe('deadlock');
    });

    it.each([
      ['mesh', gridMachine('mesh', [5, 5])],
      ['mesh in three dimensions', gridMachine('mesh', [3, 3, 3])],
      ['hypercube', gridMachine('hypercube', [4])],
    ])('never comes of dimension order on a %s', (_, machine) => {
      const network = make(machine, { routing: 1, buffer: 1 });
      const { nodeCount } = machine;
      for (let jobs = 0; jobs < 3; jobs++) {
        network.send({ source: allToAll(nodeCount, 'ascending', 2), nodeOfProcess: firstNodes(nodeCount), flits: 11 });
      }
      expect(drain(network)).toBe('completed');
      expect(network.deadlock).toBeUndefined();
    });
  });
}
