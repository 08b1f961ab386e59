import { describe, expect, it } from 'vitest';
import { everything, expectRuns, read, refusal } from '../testing/readTraces.ts';

describe('GOAL', () => {
  const text = `num_ranks 3

rank 0 {
l1: send 1b to 1 tag 0
l2: calc 2000 cpu 0
l3: send 10b to 2 tag 4 cpu 0 nic 0
l3 requires l2
l3 irequires l1
}
/* rank 2 comes
   before 1 */
rank 2 {
a: recv 10b from 0 tag 4
b: recv 7b from 1 // any order
c: calc 5
c requires a
c requires b }
rank 1 {
l1: recv 1b from 0 tag 0
l2: send 7b to 2
l2 requires l1
}
`;

  it('becomes a list for each chain, and messages to the own task where chains meet', () => {
    const { workload, warnings } = read(text);
    expect(warnings).toEqual([]);
    expectRuns(workload);
    expect([...workload.taskOfList]).toEqual([0, 0, 2, 2, 1]);
    expect(everything(workload)).toEqual([
      ['send 0 0 #-1', 'send 1 1'],
      ['compute 0.000002', 'receive 0 0 #-1', 'send 2 10 #4'],
      ['receive 0 10 #4', 'receive 2 0 #-1', 'compute 5e-9'],
      ['receive 1 7', 'send 2 0 #-1'],
      ['receive 0 1', 'send 2 7'],
    ]);
  });

  it('gives a receive the message of its sender and tag, whatever it has room for, and of its very size where there is one', () => {
    const { workload, warnings } = read(`num_ranks 2
rank 0 {
send 8b to 1 tag 3
send 16b to 1 tag 3
send 4b to 1 tag 4
}
rank 1 {
recv 64b from 0 tag 3
recv 8b from 0 tag 3
recv 64b from 0 tag 4
}
`);
    expect(warnings).toEqual([]);
    expectRuns(workload);
    expect(everything(workload).slice(3)).toEqual([['receive 0 16 #3'], ['receive 0 8 #3'], ['receive 0 4 #4']]);
  });

  it('says which message nobody receives where there is none of its tag', () => {
    const { warnings } = read(
      'num_ranks 2\nrank 0 {\nsend 8b to 1 tag 3\n}\nrank 1 {\nrecv 8b from 0 tag 4\nrecv 9b from 0 tag 4\n}\n',
    );
    expect(warnings).toEqual([
      '1 message is never received, and 2 receives wait for messages that are never sent. First: 8 bytes with tag 3 from task 0 to task 1, sent and not received.',
    ]);
  });

  it.each([
    ['num_ranks x', '1: Expected `num_ranks N` at the beginning.'],
    ['num_ranks 2\nrank 2 {', '2: Rank 2 exceeds the 2 ranks of the trace.'],
    ['num_ranks 2\nrank 0 {\nl1: send 1b to 9\n}', '3: Rank 9 exceeds the 2 ranks of the trace.'],
    [
      'num_ranks 2\nrank 0 {\nl1: recv 1b from *\n}',
      '3: Wildcard receives (MPI_ANY_SOURCE) cannot be replayed. Name the source rank.',
    ],
    [
      'num_ranks 2\nrank 0 {\nl1: send 1b to 1\nl2 requires l1\n}',
      '4: The operation `l2` is not defined above in the block.',
    ],
    ['num_ranks 2\nrank 0 {\nl1: calc 1\nl1: calc 1\n}', '4: The label `l1` is already used.'],
    [
      'num_ranks 2\nrank 0 {\na: calc 1\nb: calc 1\na requires b\nb requires a\n}',
      '7: Operations of rank 0 form a cycle that includes `a`. Remove one `requires`.',
    ],
    ['num_ranks 2\nrank 0 {\nl1: send 1b to 1', '3: The block of rank 0 has no end. The file is truncated.'],
    ['num_ranks 2\nrank 0 {\n}\nrank 0 {\n}', '4: Rank 0 already has a block. Merge the two.'],
    [
      'num_ranks 2\nrank 0 {\njump 5\n}',
      '3: Invalid statement. Expected `[LABEL:] send SIZEb to R [tag T]`, `recv SIZEb from R [tag T]`, `calc T`, or `A requires B`.',
    ],
  ])('refuses %j by its line', (broken, message) => {
    expect(refusal(broken, 'goal')).toBe(`a.trace:${message} [bad-trace]`);
  });
});
