import { describe, expect, it } from 'vitest';
import { sendsOf } from '../../simulation/workloads/programs.ts';
import { namesInList } from '../readers.ts';
import { everything, expectRuns, read, refusal, whole } from '../testing/readTraces.ts';

describe('SimGrid', () => {
  it('reads messages, waits, computing and the sizes of datatypes', () => {
    const { workload } = read(
      `0 init
1 init 0
0 compute 5e8
0 send 1 0 1e3
1 irecv 0 0 1e3
1 Irecv 0 2 2
1 compute 1e9
0 isend 1 2 4 1
1 wait 0 1 2
1 waitall
0 finalize
1 finalize
`,
      undefined,
      { speed: 1e9 },
    );
    expect(everything(workload)).toEqual([
      ['compute 0.5', 'send 1 1000', 'send 1 16 #2'],
      ['compute 1', 'receive 0 16 #2', 'receive 0 1000'],
    ]);
    expectRuns(workload);
  });

  it('expands collectives by the algorithms that are wished for', () => {
    const text = '0 init\n1 init\n2 init\n0 bcast 8 1\n1 bcast 8 1\n2 bcast 8 1\n';
    const flat = read(text, 'simgrid', { broadcast: 'flat' }).workload;
    const chain = read(text, 'simgrid', { broadcast: 'chain' }).workload;
    expect(everything(flat).map((list) => list.length)).toEqual([1, 2, 1]);
    expect(everything(chain).map((list) => list.length)).toEqual([1, 1, 2]);
    expectRuns(flat);
    expectRuns(chain);
  });

  it.each([
    ['gatherv', 'gather', 'binomial', [[], ['0 20'], ['0 1200'], ['2 1000']]],
    ['gatherv', 'gather', 'flat', [[], ['0 20'], ['0 200'], ['0 1000']]],
    ['scatterv', 'scatter', 'binomial', [['2 1200', '1 20'], [], ['3 1000'], []]],
    ['scatterv', 'scatter', 'flat', [['1 20', '2 200', '3 1000'], [], [], []]],
    [
      'allgatherv',
      'all-gather',
      'ring',
      [
        ['1 3', '1 1000', '1 200'],
        ['2 20', '2 3', '2 1000'],
        ['3 200', '3 20', '3 3'],
        ['0 1000', '0 200', '0 20'],
      ],
    ],
    [
      'allgatherv',
      'all-gather',
      'recursive-doubling',
      [
        ['1 3', '2 23'],
        ['0 20', '3 23'],
        ['3 200', '0 1200'],
        ['2 1000', '1 1200'],
      ],
    ],
    [
      'reducescatter',
      'reduce-scatter',
      'pairwise',
      [
        ['1 20', '2 200', '3 1000'],
        ['2 200', '3 1000', '0 3'],
        ['3 1000', '0 3', '1 20'],
        ['0 3', '1 20', '2 200'],
      ],
    ],
  ])('%s of uneven shares: `%s %s` sends what each rank has', (action, option, algorithm, expected) => {
    const shares = [3, 20, 200, 1000];
    const line = (own: number): string => {
      if (action === 'scatterv') return `${shares.join(' ')} ${own} 0 6 6`;
      if (action === 'reducescatter') return `${shares.join(' ')} 0 6`;
      return `${own} ${shares.join(' ')}${action === 'gatherv' ? ' 0 6 6' : ' 6'}`;
    };
    const text = shares.map((own, rank) => `${rank} init\n${rank} ${action} ${line(own)}\n`).join('');
    const { workload } = read(text, 'simgrid', { [option]: algorithm });
    expectRuns(workload);
    const sent = everything(workload).map((list) => list.flatMap((one) => /^send (\d+ \d+)/.exec(one)?.[1] ?? []));
    expect(sent).toEqual(expected);
  });

  it('reads an all-to-all of uneven shares: what goes to each and comes from each', () => {
    const { workload, warnings } = read(`0 init
1 init
2 init
0 alltoallv 100 1 40 30 1000 1 80 100
1 alltoallv 1000 80 1 40 1000 40 1 30
2 alltoallv 1000 100 30 1 1000 30 40 1
`);
    expect(warnings).toEqual([]);
    expectRuns(workload);
    expect([...sendsOf(workload).bytes]).toEqual([40, 30, 80, 40, 100, 30]);
  });

  it.each([
    ['double', 0, 8],
    ['long long', 7, 8],
    ['signed char', 8, 1],
    ['unsigned char', 9, 1],
    ['unsigned short', 10, 2],
    ['unsigned', 11, 4],
    ['unsigned long', 12, 8],
    ['unsigned long long', 13, 8],
    ['long double', 14, 16],
    ['integer of 32 bits', 19, 4],
    ['integer of 64 bits', 20, 8],
    ['complex number of doubles', 26, 16],
    ['double with an int', 32, 16],
    ["Fortran's complex number of 16 bytes", 43, 16],
    ['count', 59, 8],
  ])('counts elements of the datatype %s, number %i, as %i bytes in every action', (_, datatype, each) => {
    const { workload } = read(`0 init
1 init
0 send 1 0 10 ${datatype}
1 recv 0 0 10 ${datatype}
0 sendRecv 10 1 99 1 ${datatype} ${datatype}
1 sendRecv 10 0 99 0 ${datatype} ${datatype}
0 bcast 10 0 ${datatype}
1 bcast 10 0 ${datatype}
0 reduce 10 0 1 ${datatype}
1 reduce 10 0 1 ${datatype}
0 gatherv 7 7 10 0 ${datatype} ${datatype}
1 gatherv 10 7 10 0 ${datatype} ${datatype}
0 scatterv 7 10 7 0 ${datatype} ${datatype}
1 scatterv 7 10 10 0 ${datatype} ${datatype}
0 alltoallv 100 1 10 100 1 10 ${datatype} ${datatype}
1 alltoallv 100 10 1 100 10 1 ${datatype} ${datatype}
0 allgatherv 10 10 10 ${datatype}
1 allgatherv 10 10 10 ${datatype}
0 reducescatter 10 10 5 ${datatype}
1 reducescatter 10 10 5 ${datatype}
`);
    expectRuns(workload);
    const bytes = everything(workload).map((list) =>
      list.filter((one) => one.startsWith('send')).map((one) => Number(one.split(' ')[2])),
    );
    expect(bytes.map((sizes) => [sizes.length, new Set(sizes)])).toEqual([
      [8, new Set([10 * each])],
      [5, new Set([10 * each])],
    ]);
  });

  it.each([
    ['hello', '1: Expected `RANK ACTION …`.'],
    ['0 init\n0 send 0 0 8 60\n', '2: Unknown datatype `60`. SMPI numbers its own from 0 to 59.'],
    ['0 init\n1 init\n0 bcast 8 0 -1\n', '3: Unknown datatype `-1`. SMPI numbers its own from 0 to 59.'],
    ['0 init\n1 init\n0 allgatherv 8 8 8 x\n', '3: Unknown datatype `x`. SMPI numbers its own from 0 to 59.'],
    [
      '0 init\n0 allgatherv 8 8 777 777 6\n',
      '2: The file has only actions of rank 0, but `allgatherv` has sizes for more ranks: use the files of all ranks: a list, a pattern with `*`, or their folder.',
    ],
    ['0 init\n0 sendRecv 8 0 8 0 6 1e1\n', '2: Unknown datatype `1e1`. SMPI numbers its own from 0 to 59.'],
    ['0 init\n0 sendRecv 8 0\n', '2: Expected `sendRecv SIZE TO ROOM FROM`, with two optional datatypes.'],
    [
      '0 init\n0 sendRecv 8 1 8 0\n',
      '2: The file has only actions of rank 0, with partner rank 1: use the files of all ranks: a list, a pattern with `*`, or their folder.',
    ],
    ['0 init\n0 constructor 8\n', '2: Unknown action `constructor`.'],
    ['0 init\n0 __proto__ 8\n', '2: Unknown action `__proto__`.'],
    ['0 init\n1 init\n0 send 3 0 8\n', '3: Rank 3 exceeds the 2 ranks of the trace.'],
    [
      '0 init\n0 send 3 0 8\n',
      '2: The file has only actions of rank 0, with partner rank 3: use the files of all ranks: a list, a pattern with `*`, or their folder.',
    ],
    ['0 init\n0 recv -1 0 8\n', '2: Wildcard receives (MPI_ANY_SOURCE) cannot be replayed. Name the source rank.'],
    [
      '0 init\n0 recv 0 -1 8\n',
      '2: Wildcard receives (MPI_ANY_TAG) cannot be replayed. Write the tag, a whole number ≥ 0.',
    ],
    ['0 init\n0 fly 1\n', '2: Unknown action `fly`.'],
    ['0 init\n0 bcast x\n', '2: `bcast` needs sizes that are whole numbers ≥ 0.'],
    ['0 init\n0 alltoallv 1\n', '2: `alltoallv` needs sizes that are whole numbers ≥ 0.'],
    ['0 init\n4194304 init\n', '2: The trace has 4194305 ranks. Expected 1 to 1,048,576.'],
  ])('refuses %j by its line', (broken, message) => {
    expect(refusal(broken, 'simgrid')).toBe(`a.trace:${message} [bad-trace]`);
  });

  it('is read from one file per rank', () => {
    const files = [whole('0 init\n0 send 1 0 8\n', 'r0.txt'), whole('1 init\n1 recv 0 0 8\n', 'r1.txt')];
    expect(everything(read(files).workload)).toEqual([['send 1 8'], ['receive 0 8']]);
    expect(namesInList(new TextEncoder().encode('r0.txt\r\nsub/r1.txt\n'))).toEqual(['r0.txt', 'sub/r1.txt']);
    expect(namesInList(new TextEncoder().encode('0 init\n'))).toBeUndefined();
    expect(namesInList(new TextEncoder().encode('num_ranks 3\n'))).toBeUndefined();
  });
});
