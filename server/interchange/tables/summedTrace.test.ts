import { describe, expect, it } from 'vitest';
import { complaintOf, shown, warningsOf } from '../testing/readTables.ts';

describe('traces', () => {
  it.each([
    [
      'GOAL',
      'num_ranks 2\nrank 0 {\nl1: send 100b to 1 tag 3\nl2: send 50b to 1\nl2 requires l1\n}\nrank 1 {\nrecv 100b from 0 tag 3\nrecv 50b from 0\n}\n',
      '2: 0>1:150/2',
    ],
    [
      'GOAL with receives from anybody',
      'num_ranks 2\nrank 0 {\nsend 100b to 1\n}\nrank 1 {\nrecv 100b from any\n}\n',
      '2: 0>1:100/1',
    ],
    [
      'repetitions of our own form',
      'workload 1\ntasks 2\ntask 0 { repeat 3 { repeat 2 { send 1 10 } send 1 1 } }\ntask 1 { receive 0 10 }\n',
      '2: 0>1:63/9',
    ],
    ['SimGrid', '0 init\n1 init\n0 isend 1 0 1e3\n1 irecv -1 0 1e3\n1 wait -1 1 0\n', '2: 0>1:1000/1'],
    ['FSIN', 's 0 1 5 32\nr 1 0 5 32\ns 0 1 5 32\n', '2: 0>1:64/2'],
    ['VEF', 'VEF3 2 2 0 0 1 0 1000\n0 0 1 86 0 0 -1\n1 1 0 14 0 0 -1\n', '2: 0>1:86/1 1>0:14/1'],
    ['Dimemas', '#DIMEMAS:"cg.prv":1,0:2(1,1),1\n2:0:0:1:100:7:1:0\n3:1:0:0:100:7:1:0\n', '2: 0>1:100/1'],
  ])('%s is added up', (_, text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it('says what is missing of ranks and where all is of collectives', () => {
    expect(warningsOf('num_ranks 3\nrank 0 {\nsend 1b to 1\n}\n')).toEqual([
      'The trace is incomplete: 2 of 3 ranks have no events, the first is rank 1.',
    ]);
    expect(warningsOf('0 init\n1 init\n0 bcast 100\n1 bcast 100\n')[0]).toMatch(
      /^All messages belong to collective operations with unknown pairs of ranks\./,
    );
  });

  it.each<[string, string, RegExp]>([
    ['no messages', 'num_ranks 2\nrank 0 {\ncalc 5\n}\nrank 1 {\n}\n', /^file: The trace has no messages/],
    ['a block that is cut off', 'num_ranks 2\nrank 0 {\nsend 1b to 1\n', /^file:3: The block of rank 0 has no end/],
    [
      'a rank beyond all',
      'num_ranks 2\nrank 0 {\nsend 1b to 2\n}\n',
      /^file:3: Rank 2 exceeds the 2 ranks of the trace\./,
    ],
    [
      'a size of letters',
      'num_ranks 2\nrank 0 {\nsend xb to 1\n}\n',
      /^file:3: Expected `send SIZEb to RANK`, with a whole number ≥ 0 as size\./,
    ],
    [
      '2^60 bytes by repetition',
      'workload 1\ntasks 2\ntask 0 { repeat 1000000 { repeat 1000000 { send 1 1000000 } } }\n',
      /^file: .*2\^53 bytes/,
    ],
    ['a repetition without end', 'workload 1\ntasks 2\ntask 0 { repeat 3 { send 1 1\n', /^file:\d: A block has no end/],
    [
      'messages that are missing',
      'VEF3 2 3 0 0 1 0 1000\n0 0 1 86 0 0 -1\n',
      /^file:2: The trace has 1 message, but its first line declares 3\./,
    ],
    [
      'a negative size',
      '0 init\n0 send 1 0 -5\n',
      /^file:2: Expected `send PARTNER TAG SIZE`, with an optional datatype\./,
    ],
    ['an action that is none', '0 init\n0 jump 1\n', /^file:2: /],
    ['ranks of letters', '0 init\nx send 1 0 5\n', /^file:2: Expected `RANK ACTION …`\./],
    [
      'an event that is none',
      's 0 1 5 32\nq 1 1\n',
      /^file:2: Expected `s`, `r` or `c` at the beginning of the line\./,
    ],
    ['nothing', '', /^file:0: The file is empty/],
  ])('refuses %s', (_, text, expected) => {
    expect(complaintOf(text, text === '' ? 'goal' : undefined)).toMatch(expected);
  });
});
