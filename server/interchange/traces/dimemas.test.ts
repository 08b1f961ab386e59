import { describe, expect, it } from 'vitest';
import { everything, expectRuns, read, refusal } from '../testing/readTraces.ts';

describe('Dimemas', () => {
  const header = '#DIMEMAS:"cg.prv":1,0000000000000123:3(1,1,1),1';

  it('reads computing, messages with and without threads, and global operations of communicators', () => {
    const { workload, warnings } = read(`${header}
d:1:1:3:0:1:2
d:1:2:2:2:0
1:0:0:0.25
2:0:0:1:100:7:1:0
3:1:0:0:100:7:1:1
3:1:0:0:100:7:1:2
2:1:0:2:0:8:9:1:0
3:2:0:1:8:9:1:0
20:0:0:50000001:1
10:0:0:1:2:2:0:0:64
10:2:0:1:2:2:0:64:0
s:1:2:3
`);
    expect(warnings).toEqual([]);
    expectRuns(workload);
    expect(everything(workload)).toEqual([
      ['compute 0.25', 'send 1 100 #7', 'receive 2 64 #-1073741824'],
      ['receive 0 100 #7', 'send 2 8 #9'],
      ['receive 1 8 #9', 'send 0 64 #-1073741824'],
    ]);
  });

  it.each([
    ['hello', '1: Expected `#DIMEMAS:NAME:OFFSETS:TASKS(…)` at the beginning.'],
    [`${header}\n1:7:0:1`, '2: Rank 7 exceeds the 3 ranks of the trace.'],
    [`${header}\n2:0:0:9:1:1:1:0`, '2: Rank 9 exceeds the 3 ranks of the trace.'],
    [`${header}\n3:0:0:-1:1:1:1:0`, '2: Wildcard receives (MPI_ANY_SOURCE) cannot be replayed. Name the source rank.'],
    [
      `${header}\n2:0:0:1:8`,
      '2: Expected `KIND:TASK:THREAD:PARTNER:BYTES:TAG:COMMUNICATOR:TYPE`, with whole numbers ≥ 0.',
    ],
    [`${header}\nd:1:4:2:1`, '2: Expected `d:1:NUMBER:RANKS:RANK:…`, with the declared number of ranks.'],
    [`${header}\n10:0:0:77:1:0:0:8:8`, "2: Invalid global operation '77'. Expected 0 to 13."],
  ])('refuses %j by its line', (broken, message) => {
    expect(refusal(broken, 'dimemas')).toBe(`a.trace:${message} [bad-trace]`);
  });
});
