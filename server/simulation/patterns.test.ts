import { describe, expect, it } from 'vitest';
import { seededRandom } from '../model/random.ts';
import type { PacketSource } from './messages.ts';
import { allToAll, nearNeighbour, nodesOfProcesses, oneToAll, randomPairs } from './patterns.ts';

/** Destinations of each process, in order. */
const destinations = (source: PacketSource): number[][] =>
  Array.from({ length: source.processCount }, (_, process) =>
    Array.from({ length: source.packetsOf(process) }, (_, index) => source.destinationOf(process, index)),
  );

const sendersOf = (source: PacketSource): number[] =>
  destinations(source).flatMap((sent, process) => (sent.length > 0 ? [process] : []));

describe('patterns', () => {
  it.each([
    { name: 'one to all', source: oneToAll(4, 2), sent: [[], [], [0, 1, 3], []] },
    { name: 'one to all, twice', source: oneToAll(3, 0, 2), sent: [[1, 2, 1, 2], [], []] },
    { name: 'one to none', source: oneToAll(1, 0), sent: [[]] },
    {
      name: 'all to all',
      source: allToAll(3),
      sent: [
        [1, 2],
        [0, 2],
        [0, 1],
      ],
    },
    {
      name: 'all to all as a ring',
      source: allToAll(3, 'ring'),
      sent: [
        [1, 2],
        [2, 0],
        [0, 1],
      ],
    },
    {
      name: 'all to all, twice',
      source: allToAll(2, 'ascending', 2),
      sent: [
        [1, 1],
        [0, 0],
      ],
    },
    { name: 'all to none', source: allToAll(1), sent: [[]] },
    {
      name: 'near neighbours: left, right, up, down',
      source: nearNeighbour([3, 2]),
      sent: [
        [1, 3],
        [0, 2, 4],
        [1, 5],
        [4, 0],
        [3, 5, 1],
        [4, 2],
      ],
    },
    {
      name: 'near neighbours of a column, twice',
      source: nearNeighbour([1, 2], 2),
      sent: [
        [1, 1],
        [0, 0],
      ],
    },
    {
      name: 'near neighbours in three dimensions',
      source: nearNeighbour([2, 2, 2]),
      sent: [
        [1, 2, 4],
        [0, 3, 5],
        [3, 0, 6],
        [2, 1, 7],
        [5, 6, 0],
        [4, 7, 1],
        [7, 4, 2],
        [6, 5, 3],
      ],
    },
  ])('$name', ({ source, sent }) => {
    expect(destinations(source)).toEqual(sent);
    expect(source.packetCount).toBe(sent.flat().length);
    if (source.senders !== undefined) expect(source.senders).toEqual(sendersOf(source));
  });

  it.each([1, 2, 5, 8])('random pairs, %i of them, name all who send, ascending and once', (messages) => {
    for (let seed = 0; seed < 20; seed++) {
      const source = randomPairs(6, messages, seededRandom(seed));
      expect(source.senders).toEqual(sendersOf(source));
    }
  });

  it.each([
    { width: 1, height: 1 },
    { width: 16, height: 16 },
    { width: 5, height: 9 },
  ])('near neighbours of $width x $height send 2(w(h−1) + h(w−1)) packets', ({ width, height }) => {
    const source = nearNeighbour([width, height]);
    expect(source.packetCount).toBe(2 * (width * (height - 1) + height * (width - 1)));
    expect(destinations(source).flat()).toHaveLength(source.packetCount);
  });
});

describe('random pairs', () => {
  it('are different processes, as many as messages, and the same for the same seed', () => {
    const source = randomPairs(7, 500, seededRandom(3));
    const sent = destinations(source);
    expect(sent.flat()).toHaveLength(500);
    expect(sent.every((to, process) => to.every((one) => one !== process && one >= 0 && one < 7))).toBe(true);
    expect(destinations(randomPairs(7, 500, seededRandom(3)))).toEqual(sent);
    expect(destinations(randomPairs(7, 500, seededRandom(4)))).not.toEqual(sent);
  });

  it('are uniform over ordered pairs', () => {
    const counts = new Map<string, number>();
    for (let seed = 0; seed < 200; seed++) {
      destinations(randomPairs(4, 120, seededRandom(seed))).forEach((to, process) => {
        for (const one of to) counts.set(`${process}-${one}`, (counts.get(`${process}-${one}`) ?? 0) + 1);
      });
    }
    // 12 pairs of 2,000 messages each: χ² with 11 degrees of freedom is below 31.3 but for 1 seed in 1,000.
    expect(counts.size).toBe(12);
    const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - 2000) ** 2 / 2000, 0);
    expect(chiSquare).toBeLessThan(31.3);
  });

  it('of one process are none', () => {
    expect(randomPairs(1, 5, seededRandom(1)).packetCount).toBe(0);
    expect(destinations(randomPairs(1, 5, seededRandom(1)))).toEqual([[]]);
  });
});

describe('processes', () => {
  it('run in order of nodes, or as the nodes were allocated', () => {
    const allocated = Int32Array.of(9, 2, 30, 4);
    expect([...nodesOfProcesses(allocated, 'row-major')]).toEqual([2, 4, 9, 30]);
    expect([...nodesOfProcesses(allocated, 'allocated')]).toEqual([9, 2, 30, 4]);
    expect([...allocated]).toEqual([9, 2, 30, 4]);
  });
});
