import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../../model/cancellation.ts';
import { asNodeId } from '../../../model/identifiers.ts';
import { hopsBetweenNodes } from '../../../model/machine.ts';
import { seededRandom } from '../../../model/random.ts';
import { everyMachine } from '../../../network/testing/everyMachine.ts';
import { axisBandwidths, gridMachine } from '../../../network/testing/machines.ts';
import { arrivals, networkOf, plain, testRandomWorms, worms } from '../../testing/flitRuns.ts';
import { messageContract, story } from '../../testing/messageContract.ts';
import { cyclesAlone, unequalMachines } from '../../testing/unequalLinks.ts';
import type { FlitOptions } from './flitOptions.ts';
import { flitNetwork } from './flits.ts';

describe('a worm alone', () => {
  it.each([
    // Queues longer than the link: h(r + l) + r + L − 1.
    { buffer: 2, router: 0, link: 1, cycles: 4 + 7 },
    { buffer: 4, router: 2, link: 3, cycles: 4 * 5 + 2 + 7 },
    { buffer: 9, router: 1, link: 1, cycles: 4 * 2 + 1 + 7 },
    // Queues of one flit: h + 2(L − 1).
    { buffer: 1, router: 0, link: 1, cycles: 4 + 2 * 7 },
  ])('over four links, queues of $buffer, router $router, link $link takes $cycles cycles', ({ cycles, ...more }) => {
    const options = { ...worms, ...more };
    const sendings = [{ cycle: -1, from: 0, to: 4, bytes: 32 }];
    expect(arrivals(gridMachine('mesh', [5]), options, sendings)).toEqual([cycles]);
  });

  it('256 bytes to a neighbour are eight packets, the n-th (n − 1)·L later', () => {
    const arrived = arrivals(gridMachine('torus', [4, 4]), worms, [{ cycle: -1, from: 0, to: 1, bytes: 256 }]);
    expect(arrived).toEqual([64]);
  });
});

describe('four worms of two hops round a ring of four', () => {
  const ring = gridMachine('torus', [4]);
  const four = [0, 1, 2, 3].map((node) => ({ cycle: -1, from: node, to: (node + 2) % 4, bytes: 32 }));

  it('wait for one another with one channel', () => {
    const network = networkOf(ring, worms);
    for (const { from, to, bytes } of four) network.send(from, to, bytes);
    expect(network.advance(1e6, neverCancelled)).toBe('events');
    expect(network.advance(1e6, neverCancelled)).toBe('deadlock');
    const { since, waits } = network.deadlock!;
    expect(since).toBe(1);
    // Each holds its injection channel and the link onwards that the one behind it wants.
    const onwards = waits.map(({ holds }) => holds[1]);
    expect(waits.map(({ packet, wants }) => [packet, onwards.indexOf(wants)])).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 0],
    ]);
    expect(waits.map(({ holds }) => holds[0])).toEqual(
      [0, 1, 2, 3].map((node) => ring.topology.links.linkCount + 2 * node),
    );
    expect(network.waiting().map(({ packet }) => packet)).toEqual([0, 1, 2, 3]);
    expect(network.advance(2e6, neverCancelled)).toBe('deadlock');
  });

  it('arrive within 31 cycles with two channels and a dateline', () => {
    expect(Math.max(...arrivals(ring, { ...worms, channels: 2 }, four).map((end) => end!))).toBe(31);
  });

  it('would wait for one another again if channels took turns worm by worm', () => {
    expect(plain(ring, { ...worms, channels: 2, turns: 'packets' }, four)).toEqual(four.map(() => undefined));
  });

  it('are found at once although messages are handed over in every cycle', () => {
    const network = networkOf(ring, worms);
    for (const { from, to, bytes } of four) network.send(from, to, bytes);
    let why = 'reached';
    while (network.now < 100 && why !== 'deadlock') {
      network.send(network.now % 2 === 0 ? 0 : 2, 1, 32);
      why = network.advance(network.now + 1, neverCancelled);
    }
    expect(why).toBe('deadlock');
    expect(network.deadlock?.waits.map(({ transmission }) => transmission)).toEqual([0, 1, 2, 3]);
  });

  it('are found while others still move', () => {
    // A second ring beside it, in which one worm after the other goes on for long.
    const machine = gridMachine('torus', [4, 2]);
    const network = networkOf(machine, worms);
    for (const { from, to, bytes } of four) network.send(from, to, bytes);
    let why = 'reached';
    while (network.now < 50_000 && why !== 'deadlock') {
      network.send(4, 5, 320);
      why = network.advance(network.now + 1000, neverCancelled);
    }
    expect(why).toBe('deadlock');
    expect(network.deadlock?.waits.map(({ transmission }) => transmission)).toEqual([0, 1, 2, 3]);
  });
});

// A quick form of flits.slow.test.ts.
testRandomWorms(9);

describe('worms against the plain simulation', () => {
  it('of a node to another arrive in the order of sending where there is one way and one channel', () => {
    const machine = gridMachine('mesh', [4, 4]);
    const random = seededRandom(3);
    const sendings = Array.from({ length: 400 }, (_, index) => {
      const pair = random.integer(6);
      return { cycle: Math.floor(index / 4) - 1, from: pair, to: 15 - pair, bytes: 4 * random.integer(30) };
    });
    const ends = arrivals(machine, { ...worms, packing: { flitBytes: 4 } }, sendings);
    for (let pair = 0; pair < 6; pair++) {
      const own = ends.filter((_, index) => sendings[index]!.from === pair).map((end) => end!);
      expect(own).toEqual(own.toSorted((a, b) => a - b));
      expect(own.length).toBeGreaterThan(30);
    }
  });

  it('take other channels by chance, the same ones for the same seed', () => {
    const machine = gridMachine('mesh', [4, 4]);
    const random = seededRandom(9);
    const sendings = Array.from({ length: 100 }, (_, index) => {
      const from = random.integer(16);
      return { cycle: index - 1, from, to: (from + 1 + random.integer(15)) % 16, bytes: 64 };
    });
    const options: FlitOptions = { ...worms, channels: 2, routing: 'adaptive', select: 'random' };
    const run = (seed: number) => story((observer) => networkOf(machine, options, observer, seed), sendings, 1e6);
    expect(run(1)).toEqual(run(1));
    expect(run(2)).not.toEqual(run(1));
  });
});

it('adaptive worms that can escape never wait for one another for good, however many stand in a queue', () => {
  const machine = gridMachine('mesh', [8, 8]);
  const random = seededRandom(101);
  const sendings = Array.from({ length: 4800 }, () => {
    const from = random.integer(64);
    return { cycle: -1, from, to: (from + 1 + random.integer(63)) % 64, bytes: 4 * (4 + random.integer(4)) };
  });
  const packing = { flitBytes: 4 };
  const options: FlitOptions = { ...worms, packing, channels: 3, buffer: 3, routing: 'adaptive' };
  expect(arrivals(machine, options, sendings)).not.toContain(undefined);
});

for (const [name, more] of [
  ['worms by flits, one channel', { buffer: 8 }],
  ['worms by flits, three channels, adaptive', { channels: 3, routing: 'adaptive', buffer: 3, router: 2, link: 2 }],
] as const) {
  const options: FlitOptions = { ...worms, ...more };
  messageContract({
    name,
    // With one channel rings may come to a deadlock.
    machines: everyMachine().filter(
      ([, { topology, routing }]) =>
        options.channels > 1 || !(routing.kind === 'minimal' || topology.wraps?.includes(true) === true),
    ),
    make: (machine, observer) => networkOf(machine, options, observer),
    packetsOf: (bytes) => Math.max(1, Math.ceil(bytes / 32)),
    alone: (machine, from, to, bytes) => {
      const hops = hopsBetweenNodes(machine, asNodeId(from), asNodeId(to));
      const flits = 8 * Math.max(1, Math.ceil(bytes / 32));
      return hops * (options.router + options.link) + options.router * Math.ceil(flits / 8) + flits - 1;
    },
    bytes: [1, 32],
  });
}

messageContract({
  name: 'worms by flits on unequal links',
  machines: unequalMachines(),
  make: (machine, observer) =>
    networkOf(machine, { ...worms, channels: 3, routing: 'adaptive', buffer: 24, router: 2, link: 2 }, observer),
  packetsOf: (bytes) => Math.max(1, Math.ceil(bytes / 32)),
  alone: 'the routes that worms may take are not all as fast',
  bytes: [1, 32],
});

messageContract({
  name: 'worms by flits on unequal links, one route',
  machines: unequalMachines(),
  make: (machine, observer) => networkOf(machine, { ...worms, channels: 2, buffer: 24, router: 1, link: 2 }, observer),
  packetsOf: (bytes) => Math.max(1, Math.ceil(bytes / 32)),
  alone: (machine, from, to) => cyclesAlone(machine, from, to, { packets: 1, flits: 8, router: 1, link: 2 }),
  bytes: [1, 32],
});

it('flits on a link that takes 2.5 cycles for each follow one another two in five cycles', () => {
  const machine = gridMachine('mesh', [3, 3], { figures: axisBandwidths(10e9, 4e9) });
  const crossed: number[][] = [];
  const network = networkOf(machine, { ...worms, buffer: 8 }, { crossed: (...told) => crossed.push(told) });
  network.send(0, 4, 32);
  expect(network.advance(1000, neverCancelled)).toBe('events');
  while (network.messagesUnderWay > 0) network.advance(1000, neverCancelled);
  // The header comes to router 1 in cycle 1, and lands with the others 2 cycles later than over a fast link.
  const [, [, start, cycles] = []] = crossed;
  expect([start, cycles, network.now]).toEqual([1, 20, 1 + 18 + 3]);
});

describe('worms that cannot be', () => {
  it.each([
    { more: { channels: 31 }, says: /1 to 30 channels, found 31/ },
    { more: { buffer: 0 }, says: /found 0/ },
    { more: { link: 0 }, says: /links of 1 to/ },
    { more: { router: -1 }, says: /found -1/ },
  ])('say why: $says', ({ more, says }) => {
    const made = flitNetwork(gridMachine('mesh', [2]), { ...worms, ...more }, seededRandom(1));
    expect(made.ok ? '' : made.failure.message).toMatch(says);
  });
});
