/**
 * The engine of header events beside the plain simulation, in random cases: some of them in the quick suite, all of them in
 * the slow one.
 */
import { isDeepStrictEqual } from 'node:util';
import { neverCancelled } from '../../model/cancellation.ts';
import type { Machine } from '../../model/machine.ts';
import { seededRandom, shuffle, type RandomSource } from '../../model/random.ts';
import { testContract } from '../../model/testing/contract.ts';
import { everyMachine } from '../../network/testing/everyMachine.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import type { Deadlock, PacketSource, Transmission } from '../messages.ts';
import { wormhole, type WormholeNetwork } from '../engines/headers/wormhole.ts';
import { allToAll, nearNeighbour, oneToAll, randomPairs } from '../patterns.ts';
import { FlitByFlit, type Wormhole } from './flitByFlit.ts';
import { firstNodes, inOrder, recorder, type Delivery, type MakeNetwork } from './networkContract.ts';

export const headerEvents = (...[machine, options, observe]: Parameters<MakeNetwork>): WormholeNetwork => {
  const network = wormhole(machine, options, observe);
  if (!network.ok) throw new Error(network.failure.message);
  return network.value;
};
export const flitByFlit: MakeNetwork = (machine, options, observe) => new FlitByFlit(machine, options, observe);

/** What is sent in which cycle. */
type Plan = readonly { readonly at: number; readonly transmission: Transmission }[];

interface Outcome {
  readonly deliveries: readonly Delivery[];
  readonly completed: readonly (readonly [cycle: number, transmission: number])[];
  readonly deadlock: Deadlock | undefined;
}

function outcomeOf(network: Wormhole, deliveries: readonly Delivery[], plan: Plan): Outcome {
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

/** What headers are tried on. */
const machines: readonly (readonly [string, Machine])[] = [
  ...everyMachine(),
  ['a small ring', gridMachine('torus', [4])],
  ['a small torus', gridMachine('torus', [3, 3])],
  ['a line', gridMachine('mesh', [4])],
  ['a square', gridMachine('mesh', [2, 2], { hosts: 2 })],
  ['a crowded line', gridMachine('mesh', [3], { hosts: 4 })],
];

/** So many random cases on every machine. */
export function testRandomHeaders(rounds: number): void {
  for (const [name, machine] of machines) {
    testContract(`header events against flit by flit on ${name}`, ({ on, property }) => {
      const random = seededRandom(11);
      let deliveries = 0;
      let waited = 0;
      for (let round = 0; round < rounds; round++) {
        const options = { routing: random.integer(5), buffer: random.integer(2) === 0 ? 1 : 1 + random.integer(6) };
        const plan = randomPlan(machine, random);
        on(`round ${round}, ${JSON.stringify(options)}`, () => {
          const outcome = run(headerEvents, machine, options, plan);
          const expected = run(flitByFlit, machine, options, plan);
          property('deliver and complete in the same cycles', (look) => {
            look(isDeepStrictEqual(withoutHeld(outcome), withoutHeld(expected)), 'another outcome');
          });
          deliveries += outcome.deliveries.length;
          waited += outcome.deliveries.filter(
            ({ transmission, start, end, hops }) =>
              end - start > (hops + 2) * (options.routing + 1) + plan[transmission]!.transmission.flits - 1,
          ).length;
        });
      }
      property('is tried where many packets are sent, and many have to wait', (look) => {
        look(deliveries > 6 * rounds && waited > 0.6 * rounds, () => `${waited} of ${deliveries} packets waited`);
      });
    });
  }
}

/** So many random cases that may come to a deadlock. */
export function testHeaderDeadlocks(rounds: number): void {
  testContract('deadlocks of header events against flit by flit', ({ on, property }) => {
    const random = seededRandom(5);
    for (let round = 0; round < rounds; round++) {
      const machine = round % 2 === 0 ? gridMachine('torus', [4]) : gridMachine('torus', [5, 3]);
      const { nodeCount } = machine;
      const options = { routing: random.integer(4), buffer: 1 + random.integer(2) };
      const source = allToAll(nodeCount, 'ring');
      const transmission = { source, nodeOfProcess: firstNodes(nodeCount), flits: 6 + random.integer(6) };
      const plan = [{ at: random.integer(5), transmission }];
      on(`round ${round}, ${JSON.stringify(options)}`, () => {
        const outcome = run(headerEvents, machine, options, plan);
        const expected = run(flitByFlit, machine, options, plan);
        property('are found where flit by flit finds them, and the same circles', (look) => {
          look(isDeepStrictEqual(withoutHeld(outcome), withoutHeld(expected)), 'another outcome');
        });
        property('are circles: each packet wants what the next one holds', (look) => {
          const waits = outcome.deadlock?.waits ?? [];
          for (const [index, { wants }] of waits.entries()) {
            look(waits[(index + 1) % waits.length]!.holds.includes(wants), () => `packet ${index} wants ${wants}`);
          }
        });
      });
    }
  });
}

/** Bytes that the engine holds after so many packets more. */
export function bytesAfter(network: WormholeNetwork, packets: number): number {
  const source = { ...randomPairs(16, 16, seededRandom(1)), packetCount: packets, packetsOf: () => packets / 16 };
  network.send({ source, nodeOfProcess: firstNodes(16), flits: 2 });
  const why = network.advance(1e9, neverCancelled);
  if (why !== 'completed') throw new Error(why);
  return network.bytes;
}

/** What is held is compared elsewhere: tails of packets in a circle may still leave channels after it has closed. */
const withoutHeld = ({ deadlock, ...rest }: Outcome): unknown => ({
  ...rest,
  deadlock: deadlock && {
    since: deadlock.since,
    waits: deadlock.waits.map(({ packet, transmission, wants }) => ({ packet, transmission, wants })),
  },
});
