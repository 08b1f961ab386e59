import { describe, expect, it } from 'vitest';
import { sendsOf } from '../../simulation/workloads/programs.ts';
import { everything, expectRuns, read, refusal } from '../testing/readTraces.ts';

describe('VEF', () => {
  const text = `VEF3 3 5 1 1 3 0 1000
C0 0 1 2
G0 C0 2 0 100 100 0 50 -1
G0 C0 2 1 100 100 0 50 -1
G0 C0 2 2 100 100 0 50 -1
0 0 1 86 4 2000 -1
1 0 2 10 5 1000 0
2 1 2 20 6 3000 0
3 2 0 30 7 0 G0
4 2 2 0 2 500 2
`;

  it('lets each message wait for what it names', () => {
    const { workload, warnings } = read(text);
    expect(warnings).toEqual([]);
    expectRuns(workload);
    const lists = everything(workload);
    // After its own sending of message 0; after message 0 was received; each message has a tag of its own.
    expect(lists).toContainEqual(['compute 0.000002', 'send 1 86', 'compute 0.000001', 'send 2 10 #1']);
    expect(lists).toContainEqual(['receive 0 86', 'compute 0.000003', 'send 2 20 #2']);
    expect(lists).toContainEqual(['receive 1 20 #2', 'compute 5e-7']);
    expect(lists.filter((list) => list.at(-1) === 'send 0 30 #3')).toHaveLength(1);
    expect(sendsOf(read(text, undefined, { computing: 'ignored' }).workload)).toEqual(sendsOf(workload));
  });

  it.each([
    ['hello', '1: Expected `VEF3 RANKS MESSAGES COMMUNICATORS … CLOCK` at the beginning.'],
    ['VEF3 2 1 0 0 0 0 1000\n0 0 5 8 0 0 -1', '2: Rank 5 exceeds the 2 ranks of the trace.'],
    [
      'VEF3 2 2 0 0 0 0 1000\n0 0 1 8 0 0 -1',
      '2: The trace has 1 message, but its first line declares 2. It is truncated or merged.',
    ],
    [
      'VEF3 2 1 0 0 0 0 1000\n0 0 1 8 1 0 7',
      '2: The dependence 7 does not exist. Use the id of a message or collective operation.',
    ],
    ['VEF3 2 2 0 0 0 0 1000\n0 0 1 8 0 0 -1\n1 1 0 8 1 0 0', '3: Rank 1 cannot wait for 0, which is on rank 0.'],
    ['VEF3 2 2 0 0 0 0 1000\n0 0 1 8 1 0 1\n1 0 1 8 1 0 0', '2: Messages of rank 0 have a cyclic dependence.'],
    [
      'VEF3 2 1 1 1 2 0 1000\nC0 0 1\nG0 C0 7 0 8 8 0 0 -1',
      "3: Collective operation '7' is not supported. Use 2, allreduce.",
    ],
    [
      'VEF3 2 99999999 0 0 0 0 1000\n',
      '1: The trace has more than 2,097,152 operations, the maximum for ordering. Use fewer iterations, or a table of sums (`table NAME from "FILE"`).',
    ],
  ])('refuses %j by its line', (broken, message) => {
    expect(refusal(broken, 'vef')).toBe(`a.trace:${message} [bad-trace]`);
  });
});
