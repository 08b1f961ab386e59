import { describe, expect, it } from 'vitest';
import { operationKind, type Workload, WorkloadBuilder } from '../../model/workload.ts';
import {
  collectives,
  collectiveOperations,
  type CollectiveCall,
  type CollectiveEntry,
  evenCall,
} from './collectives.ts';
import { checkMatching, sendsOf } from './programs.ts';
import { stuckLists, unrolled } from './testing/idealRun.ts';

/** All ranks of a group, each with its own part. */
function written({ write }: CollectiveEntry, size: number, call: (rank: number) => CollectiveCall): Workload {
  const builder = new WorkloadBuilder(size);
  for (let rank = 0; rank < size; rank++) {
    builder.list(rank);
    const send = (to: number, bytes: number): void => {
      builder.send(to, bytes, 0);
    };
    const receive = (from: number, bytes: number): void => {
      builder.receive(from, bytes, 0);
    };
    write(call(rank), { send, receive });
  }
  const result = builder.finished();
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

/** Whose data each rank may have in the end: its own, and with each message all that its sender had by then. */
function known(workload: Workload): Set<number>[] {
  const ranks = Array.from({ length: workload.taskCount }, (_, rank) => new Set([rank]));
  const programs = ranks.map((_, rank) => unrolled(workload, rank));
  const at = ranks.map(() => 0);
  const under = new Map<string, Set<number>[]>();
  /** Whether the next operation of a rank could be done. */
  const advances = (rank: number): boolean => {
    const event = programs[rank]![at[rank]!];
    if (event === undefined) return false;
    const isSend = event.kind === operationKind.send;
    const key = isSend ? `${rank} ${event.partner} ${event.amount}` : `${event.partner} ${rank} ${event.amount}`;
    const queue = under.get(key) ?? [];
    if (!isSend && queue.length === 0) return false;
    if (isSend) under.set(key, [...queue, new Set(ranks[rank])]);
    else for (const other of queue.shift()!) ranks[rank]!.add(other);
    at[rank]! += 1;
    return true;
  };
  for (let moved = true; moved;) {
    moved = false;
    for (const rank of ranks.keys()) while (advances(rank)) moved = true;
  }
  return ranks;
}

const sizes = [1, 2, 3, 4, 5, 7, 8, 12, 16, 31];

describe.each(collectives.map((entry) => [entry.operation, entry.name, entry] as const))(
  '%s, %s',
  (operation, _, entry) => {
    it.each(sizes)('on %i ranks sends what is received, ends, and brings everybody what it is for', (size) => {
      for (const root of new Set([0, size - 1, size >> 1])) {
        const part = (rank: number): number => 10 + rank;
        const between = (from: number, to: number): number => 100 * from + to;
        const workload = written(entry, size, (rank) => ({ rank, size, root, whole: 1000, part, between }));
        expect(checkMatching(workload)).toEqual({ ok: true, value: undefined });
        expect(stuckLists(workload)).toEqual([]);
        const has = known(workload);
        const all = Array.from({ length: size }, (__, rank) => rank);
        if (['broadcast', 'scatter'].includes(operation)) expect(has.every((ranks) => ranks.has(root))).toBe(true);
        if (['reduce', 'gather'].includes(operation)) expect([...has[root]!].sort((a, b) => a - b)).toEqual(all);
        if (['all-reduce', 'all-gather', 'reduce-scatter', 'barrier'].includes(operation)) {
          expect(has.every((ranks) => ranks.size === size)).toBe(true);
        }
        if (operation === 'scan') expect(has.every((ranks, rank) => ranks.size === rank + 1)).toBe(true);
        if (operation === 'all-to-all') {
          const { partner, bytes, rowStart } = sendsOf(workload);
          for (const from of all) {
            const row = Array.from({ length: rowStart[from + 1]! - rowStart[from]! }, (__, at) => rowStart[from]! + at);
            const sent = row.map((pair) => [partner[pair], bytes[pair]]);
            const others = all.filter((to) => to !== from && between(from, to) > 0);
            expect(sent).toEqual(others.map((to) => [to, between(from, to)]));
          }
        }
      }
    });
  },
);

describe('collectives', () => {
  const bytesAndMessages = (operation: string, name: string, size: number, bytes: number): [number, number] => {
    const entry = collectives.find((one) => one.operation === operation && one.name === name)!;
    const sends = sendsOf(written(entry, size, (rank) => evenCall(rank, size, bytes)));
    const total = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);
    return [total(sends.bytes), total(sends.messages)];
  };

  it.each([
    ['broadcast', 'binomial', 16, 15 * 64, 15],
    ['broadcast', 'chain', 16, 15 * 64, 15],
    ['reduce', 'flat', 16, 15 * 64, 15],
    ['all-reduce', 'recursive-doubling', 16, 64 * 64, 64],
    ['all-reduce', 'recursive-doubling', 12, (8 * 3 + 2 * 4) * 64, 8 * 3 + 2 * 4],
    ['all-reduce', 'ring', 16, 2 * 15 * 64, 2 * 15 * 16],
    ['all-reduce', 'binomial', 16, 30 * 64, 30],
    ['all-reduce', 'recursive-halving', 16, 2 * 15 * 64, 2 * 4 * 16],
    ['all-reduce', 'recursive-halving', 12, (2 * 7 + 2 * 4) * 64, 2 * 3 * 8 + 2 * 4],
    // Level by level of the tree: 8 with one part, 4 with two, 2 with four, 1 with eight.
    ['gather', 'binomial', 16, 32 * 64, 15],
    ['scatter', 'binomial', 16, 32 * 64, 15],
    ['scatter', 'flat', 16, 15 * 64, 15],
    ['all-gather', 'ring', 16, 15 * 16 * 64, 15 * 16],
    ['all-gather', 'bruck', 16, 15 * 16 * 64, 4 * 16],
    ['reduce-scatter', 'pairwise', 16, 15 * 16 * 64, 15 * 16],
    ['all-gather', 'recursive-doubling', 16, 15 * 16 * 64, 4 * 16],
    ['reduce-scatter', 'recursive-halving', 16, 15 * 16 * 64, 4 * 16],
    ['reduce-scatter', 'recursive-halving', 12, 11 * 12 * 64, 11 * 12],
    ['all-to-all', 'pairwise', 16, 15 * 16 * 64, 15 * 16],
    ['barrier', 'dissemination', 12, 0, 4 * 12],
  ])('%s, %s on %i ranks: bytes and messages of the textbook', (operation, name, size, bytes, messages) => {
    expect(bytesAndMessages(operation, name, size, 64)).toEqual([bytes, messages]);
  });

  it('have an algorithm for every operation, and names that are unique within it', () => {
    const names = collectives.map(({ operation, name }) => `${operation} ${name}`);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(collectives.map(({ operation }) => operation))).toEqual(new Set(collectiveOperations));
  });
});
