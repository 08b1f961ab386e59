/**
 * The engine of flits beside the plain simulation, in random cases: some of them in the quick suite, all of them in the slow
 * one.
 */
import { neverCancelled } from '../../model/cancellation.ts';
import type { Machine } from '../../model/machine.ts';
import { drawSeed, seededRandom, type RandomSource } from '../../model/random.ts';
import { testContract } from '../../model/testing/contract.ts';
import { everyMachine } from '../../network/testing/everyMachine.ts';
import { gridMachine, withLinkTimes } from '../../network/testing/machines.ts';
import { networkMachine } from '../../network/testing/networkMachines.ts';
import type { FlitOptions } from '../engines/flits/flitOptions.ts';
import { flitNetwork } from '../engines/flits/flits.ts';
import type { MessageNetwork, MessageObserver } from '../messages.ts';
import type { Sending } from './messageContract.ts';
import { plainFlits } from './plainFlits.ts';

/** Worms of 8 flits of 4 bytes, queues of 2. */
export const worms: FlitOptions = {
  ...{
    packing: { flitBytes: 4, packetFlits: 8 },
    channels: 1,
    buffer: 2,
    router: 0,
    link: 1,
    secondsPerCycle: undefined,
  },
  ...{ routing: 'deterministic', select: 'first-free', arbiter: 'round-robin', ejection: 'multiple' },
};

export function networkOf(
  machine: Machine,
  options: FlitOptions,
  observer: MessageObserver = {},
  seed = 1,
): MessageNetwork {
  const made = flitNetwork(machine, options, seededRandom(seed), observer);
  if (!made.ok) throw new Error(made.failure.message);
  return made.value;
}

/** Cycle in which each message arrives, undefined of those that are in a deadlock. */
export function arrivals(machine: Machine, options: FlitOptions, sendings: readonly Sending[]): (number | undefined)[] {
  const network = networkOf(machine, options);
  const ends = sendings.map((): number | undefined => undefined);
  const indexOf = new Map<number, number>();
  for (let next = 0; ;) {
    for (const message of network.arrived) ends[indexOf.get(message)!] = network.now;
    for (; sendings[next]?.cycle === network.now; next++) {
      const { from, to, bytes } = sendings[next]!;
      indexOf.set(network.send(from, to, bytes), next);
    }
    if (network.messagesUnderWay === 0 && next === sendings.length) return ends;
    if (network.advance(sendings[next]?.cycle ?? 1e7, neverCancelled) === 'deadlock') return ends;
  }
}

export const plain = (
  machine: Machine,
  options: FlitOptions & { readonly turns?: 'packets' },
  sendings: readonly Sending[],
) =>
  plainFlits(
    machine,
    { ...options, seed: drawSeed(seededRandom(1)) },
    sendings.map(({ cycle, ...rest }) => ({ at: cycle, ...rest })),
  );

const oneOf = <Item>(random: RandomSource, items: readonly Item[]): Item => items[random.integer(items.length)]!;

const withRouting = (name: string): readonly [string, Machine] => {
  const routing = { name, options: {} };
  return [`a fat tree under ${name}`, networkMachine('fat-tree', { options: { k: 3, n: 2 }, routing })];
};
/** What worms are tried on. */
export const wormMachines = [
  ...everyMachine(),
  ...['static', 'dfsssp', 'ecmp', 'fat-tree'].map(withRouting),
  ['a HyperX', networkMachine('hyperx', { sides: [3, 4], hosts: 2 })] as const,
  ['a twisted torus', networkMachine('torus', { sides: [6, 3], options: { twist: 3 } })] as const,
  ['a ring of 4', gridMachine('torus', [4])] as const,
  ['a mesh of 3 x 3', gridMachine('mesh', [3, 3])] as const,
];

/** Random options. */
const randomOptions = (random: RandomSource): FlitOptions => ({
  packing: oneOf(random, [{ flitBytes: 4 }, { flitBytes: 8, packetFlits: 1 }, { flitBytes: 4, packetFlits: 5 }]),
  channels: 1 + random.integer(3),
  buffer: 1 + random.integer(5),
  router: random.integer(3),
  link: 1 + random.integer(3),
  routing: oneOf(random, ['deterministic', 'adaptive']),
  select: oneOf(random, ['first-free', 'least-filled']),
  arbiter: oneOf(random, ['round-robin', 'first-come']),
  ejection: oneOf(random, ['single', 'multiple']),
  secondsPerCycle: undefined,
});

function randomSendings(random: RandomSource, { nodeCount }: Machine): Sending[] {
  const gap = oneOf(random, [1, 3, 30]);
  let cycle = -1;
  return Array.from({ length: 40 }, () => {
    cycle += random.integer(gap);
    const from = random.integer(nodeCount);
    const to = (from + 1 + random.integer(nodeCount - 1)) % nodeCount;
    return { cycle, from, to, bytes: 4 * random.integer(20) };
  });
}

/** Random cases of every machine, of the seeds from 0; in every third one links are not all as fast. */
export function testRandomWorms(cases: number): void {
  for (const [name, built] of wormMachines) {
    testContract(`worms by flits against the plain simulation on ${name}`, ({ on, property }) => {
      let deadlocks = 0;
      for (let seed = 0; seed < cases; seed++) {
        on(`seed ${seed}`, () => {
          const random = seededRandom(seed);
          const machine = seed % 3 < 2 ? built : withLinkTimes(built, () => oneOf(random, [1, 1, 2.5, 4 / 3, 6]));
          const options = randomOptions(random);
          const sendings = randomSendings(random, machine);
          const expected = plain(machine, options, sendings);
          const ours = arrivals(machine, options, sendings);
          // The engine stops at a deadlock, the plain simulation when nothing moves any more.
          const isStuck = ours.includes(undefined);
          if (isStuck) deadlocks++;
          property('arrive in the same cycles', (look) => {
            ours.forEach((end, message) => {
              if (end === undefined && expected[message] !== undefined) return;
              look(end === expected[message], () => `message ${message}: ${end}, not ${expected[message]}`);
            });
          });
          property('come to a deadlock where the plain simulation does', (look) => {
            look(isStuck === expected.includes(undefined), () => (isStuck ? 'a deadlock' : 'none'));
          });
        });
      }
      property('arrive in some cases', (look) => {
        look(deadlocks < cases, `${deadlocks} deadlocks`);
      });
    });
  }
}
