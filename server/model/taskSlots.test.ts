import { describe, expect, it } from 'vitest';
import { insideOfCores, type NodeInside } from './nodeInside.ts';
import type { TaskNeeds } from './placement.ts';
import { seededRandom } from './random.ts';
import { firstSlotsOfNode, needsText, spansSockets, tasksOfEmptyNode } from './taskSlots.ts';

const twoSockets = insideOfCores([4, 4]);

describe('slots on which tasks of a node may begin', () => {
  it.each<[what: string, inside: NodeInside, needs: TaskNeeds, taken: readonly number[], expected: readonly number[]]>([
    ['two cores each', twoSockets, { coresPerTask: 2 }, [], [0, 2, 4, 6]],
    ['no task on two sockets', twoSockets, { coresPerTask: 3 }, [], [0, 4]],
    ['cores in a row', twoSockets, { coresPerTask: 2 }, [1, 6], [2, 4]],
    ['tasks wider than a socket', twoSockets, { coresPerTask: 6 }, [], [0]],
    ['tasks wider than the node', twoSockets, { coresPerTask: 9 }, [], []],
    ['one of each socket before two of one', twoSockets, { tasksPerNode: 3 }, [], [0, 1, 4]],
    ['a limit of the sockets', twoSockets, { tasksPerSocket: 1 }, [0], [1, 4]],
    ['both limits', twoSockets, { coresPerTask: 2, tasksPerNode: 2, tasksPerSocket: 1 }, [], [0, 4]],
    ['sockets of different sizes', insideOfCores([6, 2]), { coresPerTask: 2 }, [], [0, 2, 4, 6]],
    ['wider than one of two sockets', insideOfCores([6, 2]), { coresPerTask: 3 }, [], [0, 3]],
  ])('%s', (_, inside, needs, taken, expected) => {
    expect(firstSlotsOfNode(inside, needs, (slot) => !taken.includes(slot))).toEqual(expected);
  });

  it('hold tasks that share no core and no two sockets, as many as there can be', () => {
    const random = seededRandom(3);
    for (let round = 0; round < 400; round++) {
      const inside = insideOfCores(Array.from({ length: 1 + random.integer(3) }, () => 1 + random.integer(8)));
      const coresPerTask = 1 + random.integer(5);
      const free = inside.socketOfSlot.map(() => random.integer(4));
      const first = firstSlotsOfNode(inside, { coresPerTask }, (slot) => free[slot] !== 0);
      const cores = first.flatMap((slot) => Array.from({ length: coresPerTask }, (_, at) => slot + at));
      expect(new Set(cores).size).toBe(cores.length);
      expect(cores.every((core) => (free[core] ?? 0) !== 0)).toBe(true);
      if (spansSockets(inside, { coresPerTask })) continue;
      for (const slot of first) expect(inside.socketOfSlot[slot + coresPerTask - 1]).toBe(inside.socketOfSlot[slot]);
      // Free cores in a row of one socket hold ⌊length / cores⌋ tasks.
      const rows = Array.from(inside.socketOfSlot, (socket, slot) => (free[slot] === 0 ? '|' : String(socket))).join(
        '',
      );
      const most = (rows.match(/(\d)\1*/g) ?? []).reduce((sum, row) => sum + Math.floor(row.length / coresPerTask), 0);
      expect(first).toHaveLength(most);
    }
  });

  it('are counted and told', () => {
    expect(tasksOfEmptyNode(twoSockets, { coresPerTask: 2, tasksPerNode: 3 })).toBe(3);
    expect(needsText({ coresPerTask: 8, tasksPerNode: 4, tasksPerSocket: 2 })).toBe(
      ' of 8 cores, at most 4 on a node and 2 on a socket',
    );
    expect(needsText({ tasksPerNode: 'even' })).toBe('');
  });
});
