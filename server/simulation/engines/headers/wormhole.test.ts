import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../../model/cancellation.ts';
import type { Machine } from '../../../model/machine.ts';
import { seededRandom, shuffle, type RandomSource } from '../../../model/random.ts';
import { everyMachine } from '../../../network/testing/everyMachine.ts';
import { gridMachine } from '../../../network/testing/machines.ts';
import { networkMachine } from '../../../network/testing/networkMachines.ts';
import type { Deadlock, Network, PacketSource, Transmission } from '../../contract.ts';
import { allToAll, nearNeighbour, oneToAll, randomPairs } from '../../patterns.ts';
import { FlitByFlit } from '../../testing/flitByFlit.ts';
import {
  firstNodes,
  inOrder,
  recorder,
  wormholeContract,
  type Delivery,
  type MakeNetwork,
} from '../../testing/networkContract.ts';
import { wormhole, type WormholeNetwork } from './wormhole.ts';

const headerEvents = (...[machine, options, observe]: Parameters<MakeNetwork>): WormholeNetwork => {
  const network = wormhole(machine, options, observe);
  if (!network.ok) throw new Error(network.failure.message);
  return network.value;
};
const flitByFlit: MakeNetwork = (machine, options, observe) => new FlitByFlit(machine, options, observe);

wormholeContract('header events', headerEvents);
wormholeContract('flit by flit', flitByFlit);

/** What is sent in which cycle. */
type Plan = readonly { readonly at: number; readonly transmission: Transmission }[];

interface Outcome {
  readonly deliveries: readonly Delivery[];
  readonly completed: readonly (readonly [cycle: number, transmission: number])[];
  readonly deadlock: Deadlock | undefined;
}

function outcomeOf(network: Network, deliveries: readonly Delivery[], plan: Plan): Outcome {
  const completed: [number, number][] = [];
  const advance = (to: number): string => {
    for (;;) {
      const why = network.advance(to, neverCancelled);
      for (const id of network.completed) completed.push([network.now, id]);
      if (why !== 'completed') return why;
    }
  };
  for (const { at, transmission } of plan) {
    if (advance(at) === 'deadlock') break;
    network.send(transmission);
  }
  advance(network.now + 20_000);
  const { deadlock } = network;
  const before = (cycle: number): boolean => deadlock === undefined || cycle <= deadlock.since;
  return {
    deliveries: inOrder(deliveries.filter(({ end }) => before(end))),
    completed: completed.filter(([cycle]) => before(cycle)),
    deadlock,
  };
}

const run = (
  make: MakeNetwork,
  machine: Machine,
  options: { routing: number; buffer: number },
  plan: Plan,
): Outcome => {
  const { deliveries, observe } = recorder();
  return outcomeOf(make(machine, options, observe), deliveries, plan);
};

/** A few jobs with random patterns on random nodes, several on one node among them. */
function randomPlan(machine: Machine, random: RandomSource): Plan {
  const nodes = firstNodes(machine.nodeCount);
  const jobs = 1 + random.integer(4);
  let at = 0;
  return Array.from({ length: jobs }, () => {
    at += random.integer(3) * random.integer(30);
    shuffle(nodes, random);
    const processes = 1 + random.integer(Math.min(6, nodes.length));
    const nodeOfProcess = Int32Array.from({ length: 6 }, (_, process) => nodes[(process % processes) % nodes.length]!);
    const source = randomSource(random);
    return { at, transmission: { source, nodeOfProcess, flits: 1 + random.integer(10) } };
  });
}

function randomSource(random: RandomSource): PacketSource {
  const kinds = [
    () => oneToAll(1 + random.integer(6), 0, 1 + random.integer(3)),
    () => allToAll(1 + random.integer(6), random.integer(2) === 0 ? 'ascending' : 'ring'),
    () => randomPairs(6, 1 + random.integer(9), random),
    () => nearNeighbour([1 + random.integer(3), 1 + random.integer(2)]),
  ];
  return kinds[random.integer(kinds.length)]!();
}

describe('header events', () => {
  const machines: readonly (readonly [string, Machine])[] = [
    ...everyMachine(),
    ['a small ring', gridMachine('torus', [4])],
    ['a small torus', gridMachine('torus', [3, 3])],
    ['a line', gridMachine('mesh', [4])],
    ['a square', gridMachine('mesh', [2, 2], { hosts: 2 })],
    ['a crowded line', gridMachine('mesh', [3], { hosts: 4 })],
  ];

  it.each(machines)('are exact: as flit by flit in random cases on %s', (_, machine) => {
    const random = seededRandom(11);
    let deliveries = 0;
    let waited = 0;
    for (let round = 0; round < 150; round++) {
      const options = { routing: random.integer(5), buffer: random.integer(2) === 0 ? 1 : 1 + random.integer(6) };
      const plan = randomPlan(machine, random);
      const outcome = run(headerEvents, machine, options, plan);
      const expected = run(flitByFlit, machine, options, plan);
      expect(withoutHeld(outcome), `round ${round}, ${JSON.stringify(options)}`).toEqual(withoutHeld(expected));
      deliveries += outcome.deliveries.length;
      waited += outcome.deliveries.filter(
        ({ transmission, start, end, hops }) =>
          end - start > (hops + 2) * (options.routing + 1) + plan[transmission]!.transmission.flits - 1,
      ).length;
    }
    // The cases are worth comparing: many packets, and many that had to wait.
    expect(deliveries).toBeGreaterThan(1000);
    expect(waited).toBeGreaterThan(100);
  });

  it('find the deadlocks that flit by flit finds, and the same circles', () => {
    const random = seededRandom(5);
    let deadlocks = 0;
    for (let round = 0; round < 200; round++) {
      const machine = round % 2 === 0 ? gridMachine('torus', [4]) : gridMachine('torus', [5, 3]);
      const { nodeCount } = machine;
      const options = { routing: random.integer(4), buffer: 1 + random.integer(2) };
      const transmission = { source: allToAll(nodeCount, 'ring'), nodeOfProcess: firstNodes(nodeCount), flits: 6 + random.integer(6) }; // prettier-ignore
      const plan = [{ at: random.integer(5), transmission }];
      const outcome = run(headerEvents, machine, options, plan);
      expect(withoutHeld(outcome)).toEqual(withoutHeld(run(flitByFlit, machine, options, plan)));
      if (outcome.deadlock === undefined) continue;
      deadlocks++;
      const { waits } = outcome.deadlock;
      waits.forEach(({ wants }, index) => {
        expect(waits[(index + 1) % waits.length]!.holds).toContain(wants);
      });
    }
    expect(deadlocks).toBeGreaterThan(20);
  });

  it('find a deadlock while other packets go on', () => {
    // Routers 0 … 4 are a ring under minimal routing; 5 and 6 hang beside it and talk to each other for a million cycles.
    const cables = [[0, 1], [1, 2], [2, 3], [3, 4], [4, 0], [0, 5], [5, 6]].map(([from, to]) => ({ from: from!, to: to! })); // prettier-ignore
    const machine = networkMachine('switches', {
      count: 7,
      cables,
      hosts: 1,
      routing: { name: 'minimal', options: {} },
    });
    const network = headerEvents(machine, { routing: 3, buffer: 1 });
    const around: PacketSource = { processCount: 5, packetCount: 500, packetsOf: () => 100, destinationOf: (process) => (process + 2) % 5 }; // prettier-ignore
    const beside: PacketSource = { processCount: 2, packetCount: 200_000, packetsOf: () => 100_000, destinationOf: (process) => 1 - process }; // prettier-ignore
    network.send({ source: beside, nodeOfProcess: Int32Array.of(5, 6), flits: 8 });
    network.send({ source: around, nodeOfProcess: firstNodes(5), flits: 8 });
    expect(network.advance(1e9, neverCancelled)).toBe('deadlock');
    expect(network.total.packets).toBeGreaterThan(1000);
    expect(network.packetsUnderWay).toBeGreaterThan(4);
    expect(network.deadlock!.since).toBeLessThan(1000);
  });

  it('take long packets, a long delay and many cycles', () => {
    const machine = gridMachine('mesh', [3]);
    const { deliveries, observe } = recorder();
    const network = headerEvents(machine, { routing: 70_000, buffer: 1 }, observe);
    network.advance(2 ** 40, neverCancelled);
    network.send({ source: oneToAll(3, 0), nodeOfProcess: firstNodes(3), flits: 3 });
    network.send({ source: oneToAll(3, 2), nodeOfProcess: firstNodes(3), flits: 2 ** 20 });
    while (network.packetsUnderWay > 0) network.advance(2 ** 41, neverCancelled);
    const latency = (hops: number, flits: number): number => (hops + 2) * 70_001 + flits - 1;
    const ends = inOrder(deliveries).map(({ end }) => end - 2 ** 40);
    expect(ends.slice(0, 1)).toEqual([latency(1, 3)]);
    expect(ends).toContain(latency(2, 2 ** 20));
    expect(ends).toHaveLength(4);
  });

  it('need no more memory for a million packets than for ten thousand', () => {
    const machine = gridMachine('mesh', [4, 4]);
    const network = headerEvents(machine, { routing: 3, buffer: 1 });
    const bytesAfter = (packets: number): number => {
      const source = { ...randomPairs(16, 16, seededRandom(1)), packetCount: packets, packetsOf: () => packets / 16 };
      network.send({ source, nodeOfProcess: firstNodes(16), flits: 2 });
      expect(network.advance(1e9, neverCancelled)).toBe('completed');
      return network.bytes;
    };
    const few = bytesAfter(10_000);
    expect(few).toBeGreaterThan(1000);
    expect(bytesAfter(1_000_000)).toBe(few);
    expect(network.total.packets).toBe(1_010_000);
  });

  it.each([
    { options: { routing: -1, buffer: 1 }, message: /routed for 0 to/ },
    { options: { routing: 1.5, buffer: 1 }, message: /routed for 0 to/ },
    { options: { routing: 2 ** 21, buffer: 1 }, message: /routed for 0 to/ },
    { options: { routing: 3, buffer: 0 }, message: /holds 1 to/ },
    { options: { routing: 3, buffer: Number.NaN }, message: /holds 1 to/ },
  ])('refuse $options', ({ options, message }) => {
    const network = wormhole(gridMachine('mesh', [2]), options);
    expect(network).toMatchObject({ ok: false, failure: { code: 'invalid-count' } });
    expect(!network.ok && network.failure.message).toMatch(message);
  });
});

/** What is held is compared elsewhere: tails of packets in a circle may still leave channels after it has closed. */
const withoutHeld = ({ deadlock, ...rest }: Outcome): unknown => ({
  ...rest,
  deadlock: deadlock && {
    since: deadlock.since,
    waits: deadlock.waits.map(({ packet, transmission, wants }) => ({ packet, transmission, wants })),
  },
});
