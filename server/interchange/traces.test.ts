import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../model/cancellation.ts';
import { defaultOptions, type OptionValues } from '../model/catalogue.ts';
import { operationKind, type Workload } from '../model/workload.ts';
import { traceFormats } from './catalogue.ts';
import { namesInList, readTrace } from './readers.ts';
import { writeWorkload } from './traces/workloadText.ts';
import { skeletons, traceOptions } from '../simulation/workloads/catalogue.ts';
import { checkMatching, sendsOf } from '../simulation/workloads/programs.ts';
import { stuckLists, unrolled } from '../simulation/workloads/testing/idealRun.ts';
import type { Trace, TraceFile } from './contract.ts';

const defaults = Object.fromEntries(
  traceOptions.flatMap((option) => (option.default === undefined ? [] : [[option.name, option.default]])),
) as OptionValues;

/** A file that comes in chunks of so many bytes. */
function inChunks(name: string, text: string, size = 7): TraceFile {
  const bytes = new TextEncoder().encode(text);
  return {
    name,
    *chunks() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    },
  };
}

const whole = (text: string, name = 'a.trace'): TraceFile => ({ name, chunks: () => [new TextEncoder().encode(text)] });

function read(text: string | readonly TraceFile[], format?: string, options: OptionValues = {}): Trace {
  const files = typeof text === 'string' ? [inChunks('a.trace', text)] : text;
  const result = readTrace(files, format, { ...defaults, ...options });
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

function refusal(text: string, format?: string): string {
  const result = readTrace([inChunks('a.trace', text)], format, defaults);
  return result.ok ? 'accepted' : `${result.failure.message} [${result.failure.code}]`;
}

const words = ['send', 'receive', 'compute'];
/** What a list does, in words: `send 1 8 #3`, without tags of zero. */
const told = (workload: Workload, list: number): string[] =>
  unrolled(workload, list).map(({ kind, partner, tag, amount }) =>
    kind === operationKind.compute
      ? `compute ${amount}`
      : `${words[kind]!} ${partner} ${amount}${tag === 0 ? '' : ` #${tag}`}`,
  );
const everything = (workload: Workload): string[][] =>
  Array.from(workload.taskOfList, (_, list) => told(workload, list));

function expectRuns(workload: Workload): void {
  expect(checkMatching(workload)).toEqual({ ok: true, value: undefined });
  expect(stuckLists(workload)).toEqual([]);
}

describe('the catalogue of trace formats', () => {
  it('is refused where no format fits, with the names of all', () => {
    expect(refusal('hello\n')).toBe(
      `a.trace: The trace is in no format that is read: write \`as\` one of ${traceFormats.map(({ name }) => name).join(', ')}. [bad-trace]`,
    );
    expect(refusal('', 'goal')).toContain('[bad-trace]');
    for (const nothing of ['', ' \r\n\n']) expect(refusal(nothing)).toBe('a.trace: The file is empty. [bad-trace]');
  });
});

describe('the own form', () => {
  const text = `# two tasks
workload 1
tasks 2
task 0 { repeat 2 { compute 0.5 send 1 1024 tag 7 receive 1 8 } }
task 1 {
  repeat 2 { receive 0 1024 tag 7
    send 0 8 }
}
task 1 { send 1 0 receive 1 0 }
`;

  it('is read, whatever its line breaks, in repetitions', () => {
    const { workload, warnings } = read(text);
    expect(warnings).toEqual([]);
    expect(everything(workload)).toEqual([
      ['compute 0.5', 'send 1 1024 #7', 'receive 1 8', 'compute 0.5', 'send 1 1024 #7', 'receive 1 8'],
      ['receive 0 1024 #7', 'send 0 8', 'receive 0 1024 #7', 'send 0 8'],
      ['send 1 0', 'receive 1 0'],
    ]);
    expect([...workload.taskOfList]).toEqual([0, 1, 1]);
    expect(workload.kinds).toHaveLength(9);
  });

  it('leaves out computing where that is wanted', () => {
    expect(everything(read(text, undefined, { computing: 'ignored' }).workload)[0]).toHaveLength(4);
  });

  it.each(skeletons.map(({ name }) => name))('is what is written of the skeleton %s, which is read back', (name) => {
    const entry = skeletons.find((one) => one.name === name)!;
    const built = entry.build(16, { ...defaultOptions(entry), class: 'W', pause: 0.001 }, neverCancelled);
    if (!built.ok) throw new Error(built.failure.message);
    const written = [...writeWorkload(built.value)].join('');
    expect(read([whole(written)]).workload).toEqual(built.value);
    // 280,000 messages of lu on a few pages.
    expect(written.length).toBeLessThan(name === 'mg' ? 300_000 : 60_000);
  });

  it.each([
    ['workload 2 tasks 1', '1: Only version 1 of workloads is read: `workload 1`.'],
    ['tasks 1 ', '1: The file begins with `workload 1`.'],
    ['workload 1\ntasks 0 ', '2: The trace has 0 ranks; it may have 1 to 1,048,576.'],
    ['workload 1\ntasks 99999999 ', '2: The trace has 99999999 ranks; it may have 1 to 1,048,576.'],
    ['workload 1\ntasks 2\ntask 2 { }', '3: Rank 2 is beyond the 2 ranks of the trace.'],
    ['workload 1\ntasks 2\ntask 0 {\nsend 5 8 }', '4: Rank 5 is beyond the 2 ranks of the trace.'],
    ['workload 1\ntasks 2\ntask 0 {\nsend 1 8 tag x }', '4: A tag is a whole number ≥ 0 of 31 bits.'],
    [
      'workload 1\ntasks 2\ntask 0 {\nreceive * 8 }',
      '4: Write `receive TASK BYTES`, both whole numbers ≥ 0; messages from anybody cannot be replayed.',
    ],
    ['workload 1\ntasks 2\nsend 1 8 ', '3: `send` stands in a block `task T { … }`.'],
    ['workload 1\ntasks 2\ntask 0 {\nrepeat 3 {\nsend 1 8', '5: A block has no end: the file is cut off.'],
    [
      'workload 1\ntasks 2\ntask 0 {\nhello',
      '4: `hello` is not known here: write `task`, `send`, `receive`, `compute`, `repeat` or `}`.',
    ],
    [
      'workload 1\r\ntasks 2\r\ntask 0 {\r\nhel\u001blo',
      '4: `hel\ufffdlo` is not known here: write `task`, `send`, `receive`, `compute`, `repeat` or `}`.',
    ],
    ['workload 1\ntasks 2\ntask 0 } {', '3: A block is `task T { … }`, not within another.'],
    [`workload 1\ntasks 2\ntask 0 {\n${'repeat 2 {'.repeat(40)}`, '4: Repetitions are nested deeper than 32.'],
    [
      'workload 1\ntasks 2\ntask 0 {\nrepeat 99999999999999999999 { } }',
      '4: Write `repeat N { … }`, a whole number ≥ 0.',
    ],
  ])('refuses %j by its line', (broken, message) => {
    expect(refusal(broken, 'workload')).toBe(`a.trace:${message} [bad-trace]`);
  });

  it('with huge repetitions is summed, not run', () => {
    const { workload } = read('workload 1 tasks 2 task 0 { repeat 1000000 { repeat 1000000 { send 1 1 } } } ');
    expect(sendsOf(workload).messages[0]).toBe(1e12);
  });
});

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
      '1 message is never received, and 2 receives wait for messages that nobody sends; the first: 8 bytes with tag 3 from task 0 to task 1, sent and not received.',
    ]);
  });

  it.each([
    ['num_ranks x', '1: The file begins with `num_ranks N`.'],
    ['num_ranks 2\nrank 2 {', '2: Rank 2 is beyond the 2 ranks of the trace.'],
    ['num_ranks 2\nrank 0 {\nl1: send 1b to 9\n}', '3: Rank 9 is beyond the 2 ranks of the trace.'],
    [
      'num_ranks 2\nrank 0 {\nl1: recv 1b from *\n}',
      '3: Messages from anybody cannot be replayed: name the rank of the partner.',
    ],
    [
      'num_ranks 2\nrank 0 {\nl1: send 1b to 1\nl2 requires l1\n}',
      '4: There is no operation `l2` in the block so far.',
    ],
    ['num_ranks 2\nrank 0 {\nl1: calc 1\nl1: calc 1\n}', '4: The label `l1` is there already.'],
    [
      'num_ranks 2\nrank 0 {\na: calc 1\nb: calc 1\na requires b\nb requires a\n}',
      '7: Operations of rank 0 wait for each other in a circle; `a` is one of them.',
    ],
    ['num_ranks 2\nrank 0 {\nl1: send 1b to 1', '3: The block of rank 0 has no end: the file is cut off.'],
    ['num_ranks 2\nrank 0 {\n}\nrank 0 {\n}', '4: Rank 0 has a block already.'],
    [
      'num_ranks 2\nrank 0 {\njump 5\n}',
      '3: A statement is `[LABEL:] send SIZEb to R [tag T]`, `recv SIZEb from R [tag T]`, `calc T`, or `A requires B`.',
    ],
  ])('refuses %j by its line', (broken, message) => {
    expect(refusal(broken, 'goal')).toBe(`a.trace:${message} [bad-trace]`);
  });
});

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
    ['hello', '1: A line is `RANK ACTION …`.'],
    ['0 init\n0 send 0 0 8 60\n', '2: Datatype `60` is not known: SMPI numbers its own from 0 to 59.'],
    ['0 init\n1 init\n0 bcast 8 0 -1\n', '3: Datatype `-1` is not known: SMPI numbers its own from 0 to 59.'],
    ['0 init\n1 init\n0 allgatherv 8 8 8 x\n', '3: Datatype `x` is not known: SMPI numbers its own from 0 to 59.'],
    [
      '0 init\n0 allgatherv 8 8 777 777 6\n',
      '2: It has the actions of rank 0 alone, and `allgatherv` has sizes for more ranks: name the files of all ranks, by a list of them, a pattern with `*`, or their folder.',
    ],
    ['0 init\n0 sendRecv 8 0 8 0 6 1e1\n', '2: Datatype `1e1` is not known: SMPI numbers its own from 0 to 59.'],
    ['0 init\n0 sendRecv 8 0\n', '2: Write `sendRecv SIZE TO ROOM FROM`, with or without two datatypes after them.'],
    [
      '0 init\n0 sendRecv 8 1 8 0\n',
      '2: It has the actions of rank 0 alone, whose partner is rank 1: name the files of all ranks, by a list of them, a pattern with `*`, or their folder.',
    ],
    ['0 init\n0 constructor 8\n', '2: The action `constructor` is not known.'],
    ['0 init\n0 __proto__ 8\n', '2: The action `__proto__` is not known.'],
    ['0 init\n1 init\n0 send 3 0 8\n', '3: Rank 3 is beyond the 2 ranks of the trace.'],
    [
      '0 init\n0 send 3 0 8\n',
      '2: It has the actions of rank 0 alone, whose partner is rank 3: name the files of all ranks, by a list of them, a pattern with `*`, or their folder.',
    ],
    ['0 init\n0 recv -1 0 8\n', '2: Messages from anybody cannot be replayed: name the rank of the partner.'],
    ['0 init\n0 recv 0 -1 8\n', '2: Messages with any tag cannot be replayed: write the tag, a whole number ≥ 0.'],
    ['0 init\n0 fly 1\n', '2: The action `fly` is not known.'],
    ['0 init\n0 bcast x\n', '2: `bcast` needs sizes that are whole numbers ≥ 0.'],
    ['0 init\n0 alltoallv 1\n', '2: `alltoallv` needs sizes that are whole numbers ≥ 0.'],
    ['0 init\n4194304 init\n', '2: The trace has 4194305 ranks; it may have 1 to 1,048,576.'],
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

describe('FSIN', () => {
  it('reads sends, receives and cycles of computing', () => {
    const { workload } = read('# comment\ns 0 1 5 64\nc 1 100\nr 0 1 5 64\ns 1 1 0 8\n', undefined, { ticks: 1000 });
    expect(everything(workload)).toEqual([['send 1 64 #5'], ['compute 0.1', 'receive 0 64 #5']]);
  });

  it.each([
    ['s 0 1 5\n', '1: Write `s FROM TO TAG BYTES`, all whole numbers ≥ 0; messages from anybody cannot be replayed.'],
    ['s 0 1 5 6\nx\n', '2: A line begins with `s`, `r` or `c`.'],
    ['c 0 -5\n', '1: Write `c NODE TIME`, both numbers ≥ 0.'],
    ['s 0 9999999 0 1\n', '1: The trace has 10000000 ranks; it may have 1 to 1,048,576.'],
  ])('refuses %j by its line', (broken, message) => {
    expect(refusal(broken, 'fsin')).toBe(`a.trace:${message} [bad-trace]`);
  });
});

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
    ['hello', '1: The file begins with `#DIMEMAS:NAME:OFFSETS:TASKS(…)`.'],
    [`${header}\n1:7:0:1`, '2: Rank 7 is beyond the 3 ranks of the trace.'],
    [`${header}\n2:0:0:9:1:1:1:0`, '2: Rank 9 is beyond the 3 ranks of the trace.'],
    [
      `${header}\n3:0:0:-1:1:1:1:0`,
      '2: The message comes from anybody: name the sender, wildcards cannot be replayed.',
    ],
    [
      `${header}\n2:0:0:1:8`,
      '2: A message is `KIND:TASK:THREAD:PARTNER:BYTES:TAG:COMMUNICATOR:TYPE`, all whole numbers ≥ 0.',
    ],
    [`${header}\nd:1:4:2:1`, '2: A communicator is `d:1:NUMBER:RANKS:RANK:…`, with as many ranks as it says.'],
    [`${header}\n10:0:0:77:1:0:0:8:8`, "2: Global operation '77' is not one of 0 to 13."],
  ])('refuses %j by its line', (broken, message) => {
    expect(refusal(broken, 'dimemas')).toBe(`a.trace:${message} [bad-trace]`);
  });
});

describe('otf2-print', () => {
  const message = (kind: string, location: number, time: number, other: number, communicator = 0, tag = 5): string =>
    `MPI_${kind}  ${location}  ${time}  ${kind.includes('SEND') ? 'Receiver' : 'Sender'}: 1 ("Master thread" <${other}>), Communicator: "c" <${communicator}>, Tag: ${tag}, Length: 64, Request: 1`;
  /** An operation of a communicator; its root, and what was sent and received. */
  const all = (
    operation: string,
    location: number,
    time: number,
    communicator: number,
    outcome: readonly [string, number, number],
  ): string =>
    `MPI_COLLECTIVE_BEGIN  ${location}  ${time}\nMPI_COLLECTIVE_END  ${location}  ${time + 9}  Operation: ${operation}, Communicator: "c" <${communicator}>, Root: ${outcome[0]}, Sent: ${outcome[1]}, Received: ${outcome[2]}`;
  const text = [
    '',
    '=== OTF2-PRINT ===',
    '=== Events ===',
    'Event  Location  Timestamp  Attributes',
    'ENTER  4294967296  7397466976977900  Region: "MPI_Init" <3>',
    'LEAVE  4294967296  7397466976978000  Region: "MPI_Init" <3>',
    'ENTER  4294967296  7397466976978100  Region: "work" <9>',
    'ENTER  4294967296  7397466976979000  Region: "MPI_Isend" <4>',
    message('ISEND', 4294967296, 7397466976979000, 7),
    '  ADDITIONAL ATTRIBUTES: ("ProcessId" <2>; UINT64; 26602)',
    message('IRECV_REQUEST', 7, 7397466976979000, 0),
    message('IRECV', 7, 7397466976979500, 4294967296),
    all('BCAST', 7, 7397466976980000, 0, ['0 ("Master thread" <7>)', 32, 16]),
    all('BCAST', 4294967296, 7397466976981000, 0, ['0 ("Master thread" <7>)', 0, 16]),
    all('GATHER', 7, 7397466976990000, 6, ['0 ("Master thread" <7>)', 4, 4]),
    all('GATHER', 4294967296, 7397466976990000, 6, ['0 ("Master thread" <4294967296>)', 4, 4]),
    all('ALLREDUCE', 7, 7397466976991000, 0, ['NONE', 16, 16]),
    all('ALLREDUCE', 4294967296, 7397466976991000, 0, ['NONE', 16, 16]),
    '',
  ].join('\n');

  it('reads messages, operations of communicators, computing between calls, and times', () => {
    const { workload, timed, warnings } = read(text, undefined, { ticks: 1e9 });
    expect(warnings).toEqual([]);
    expectRuns(workload);
    const collective = '#-1073741824';
    expect(everything(workload)[0]!.slice(0, 2)).toEqual(['receive 1 64 #5', `send 1 16 ${collective}`]);
    expect(everything(workload)[1]!.slice(0, 3)).toEqual([
      'compute 0.000001',
      'send 0 64 #5',
      `receive 0 16 ${collective}`,
    ]);
    expect([...timed!.from]).toEqual([1, 0, 0, 1]);
    expect([...timed!.bytes]).toEqual([64, 16, 8, 8]);
    [0, 1e-6, 12e-6, 12e-6].forEach((time, index) => {
      expect(timed!.times[index]).toBeCloseTo(time, 12);
    });
  });

  it.each([
    ['MPI_SEND  0  5  Receiver: 1 (hello', '`MPI_SEND` is followed by its partner, communicator, tag and length.'],
    [message('SEND', 0, 5, 9), 'The location <9> of the partner has no events.'],
    [message('SEND', 0, 5, 0, 0, 2 ** 31), 'The tag and the length must be whole numbers ≥ 0.'],
    [
      all('ALLTOALLV', 0, 5, 0, ['NONE', 8, 8]).split('\n')[1]!,
      '`ALLTOALLV` cannot be replayed: the event does not say who gets how much.',
    ],
    [all('BCAST', 0, 5, 0, ['3', 8, 8]).split('\n')[1]!, 'The root is not in the communicator.'],
  ])('refuses %j by its line', (line, message_) => {
    expect(refusal(`OTF2-PRINT\n${line}\n`, 'otf2-print')).toBe(`a.trace:2: ${message_} [bad-trace]`);
  });
});

describe('dumpi2ascii', () => {
  /** A call with its arguments; its times are `@`. */
  const call = (name: string, ...values: readonly string[]): string => {
    const times = 'at walltime @, cputime 0.1 seconds in thread 0.';
    return [`MPI_${name} entering ${times}`, ...values, `MPI_${name} returning ${times}`, ''].join('\n');
  };
  const world = 'MPI_Comm comm=2 (MPI_COMM_WORLD)';
  /** What a rank calls: a quarter of a second each, and as long between two. */
  const file = (rank: number, ...calls: readonly string[]): TraceFile => {
    const rankOf = call('Comm_rank', world, `int rank=${rank}`);
    const text = [call('Init', 'int argc=1'), rankOf, call('Comm_size', world, 'int size=2'), ...calls].join('');
    let quarters = 400;
    return whole(
      text.replaceAll('@', () => (quarters++ / 4).toFixed(9)),
      `rank-${rank}.txt`,
    );
  };
  const message = (name: string, way: string, partner: number | string, count: number, request = 2): string =>
    call(
      name,
      `int count=${count}`,
      'MPI_Datatype datatype=9 (MPI_INT)',
      `int ${way}=${partner}`,
      'int tag=17',
      world,
      `MPI_Request request=[${request}]`,
    );

  it('reads messages, requests, computing, times and operations of all', () => {
    const { workload, timed, warnings } = read([
      file(
        0,
        message('Isend', 'dest', 1, 4),
        message('Send', 'dest', 1, 2),
        call('Allreduce', 'int count=3', 'MPI_Datatype datatype=14 (MPI_DOUBLE)', 'MPI_Op op=3 (MPI_SUM)', world),
      ),
      file(
        1,
        message('Irecv', 'source', 0, 1000, 8),
        message('Irecv', 'source', 0, 1000, 9),
        call('Waitall', 'int count=2', 'MPI_Request requests[2]=[9, 8]', 'MPI_Status statuses[2]=<IGNORED>'),
        call('Allreduce', 'int count=3', 'MPI_Datatype datatype=14 (MPI_DOUBLE)', 'MPI_Op op=3 (MPI_SUM)', world),
      ),
    ]);
    expect(warnings).toEqual([]);
    expectRuns(workload);
    const pause = ['compute 0.25', 'compute 0.25', 'compute 0.25'];
    expect(everything(workload)[0]!.slice(0, 6)).toEqual([...pause, 'send 1 16 #17', 'compute 0.25', 'send 1 8 #17']);
    expect(everything(workload)[1]!.slice(0, 7)).toEqual([
      ...pause,
      'compute 0.25',
      'compute 0.25',
      'receive 0 16 #17',
      'receive 0 8 #17',
    ]);
    expect([...timed!.bytes]).toEqual([16, 8, 24, 24]);
    [0, 0.5, 1, 1.5].forEach((time, index) => {
      expect(timed!.times[index]).toBeCloseTo(time, 9);
    });
  });

  it('reads communicators made of groups, and all-to-alls of uneven shares', () => {
    const group = [
      call('Comm_group', world, 'MPI_Group group=3 (user-defined-group)'),
      call(
        'Group_incl',
        'MPI_Group group=3 (user-defined-group)',
        'int count=2',
        'int ranks[2]=[1, 0]',
        'MPI_Group newgroup=4 (user-defined-group)',
      ),
      call(
        'Comm_create',
        'MPI_Comm oldcomm=2 (MPI_COMM_WORLD)',
        'MPI_Group group=4 (user-defined-group)',
        'MPI_Comm newcomm=5 (user-defined-comm)',
      ),
    ];
    const exchange = (sent: string, received: string): string =>
      call(
        'Alltoallv',
        `int sendcounts[2]=${sent}`,
        'MPI_Datatype sendtype=14 (MPI_DOUBLE)',
        `int recvcounts[2]=${received}`,
        'MPI_Datatype recvtype=14 (MPI_DOUBLE)',
        'MPI_Comm comm=5 (user-defined-comm)',
      );
    // In the new communicator rank 1 is the first.
    const { workload } = read([
      file(0, ...group, exchange('[3, 0]', '[5, 0]')),
      file(1, ...group, exchange('[0, 5]', '[0, 3]')),
    ]);
    expectRuns(workload);
    expect([...sendsOf(workload).bytes]).toEqual([24, 40]);
  });

  it('of one rank alone is what that rank did, from its first call on', () => {
    const own = call('Send', 'int count=3', 'MPI_Datatype datatype=2 (MPI_CHAR)', 'int dest=0', 'int tag=1', world);
    const { workload, warnings } = read([file(1, own)]);
    expect(warnings[0]).toBe('Of 1 of 2 ranks the trace has nothing, the first is rank 0: it is not complete.');
    expect(everything(workload)[0]).toEqual([]);
  });

  it('tells an incomplete trace, and datatypes without a size', () => {
    const own = call(
      'Send',
      'int count=3',
      'MPI_Datatype datatype=40 (user-defined-datatype)',
      'int dest=1',
      'int tag=1',
      world,
    );
    expect(read([file(0, own)]).warnings).toEqual([
      'The trace does not say how large the datatype user-defined-datatype is: its elements are taken as one byte.',
      'Of 1 of 2 ranks the trace has nothing, the first is rank 1: it is not complete.',
      '1 message is never received; the first: 3 bytes with tag 1 from task 0 to task 1, sent and not received.',
    ]);
  });

  const refused = (...files: readonly TraceFile[]): string => {
    const result = readTrace(files, 'dumpi2ascii', defaults);
    return result.ok ? 'accepted' : result.failure.message;
  };
  const anybody = 'Messages from anybody cannot be replayed: the trace does not say who sent this one.';

  it('refuses what cannot be replayed, and files that are not those of their ranks', () => {
    expect(refused(file(0, message('Recv', 'source', '-1 (MPI_ANY_SOURCE)', 4)))).toBe(`rank-0.txt:19: ${anybody}`);
    expect(
      refused(
        file(
          0,
          call(
            'Bcast',
            'int count=1',
            'MPI_Datatype datatype=9 (MPI_INT)',
            'int root=0',
            'MPI_Comm comm=7 (user-defined-comm)',
          ),
        ),
      ),
    ).toContain('does not say which ranks communicator 7 has');
    expect(refused(file(0, call('Send_init', world)))).toContain('`MPI_Send_init` is not read.');
    expect(refused(file(1), file(0))).toBe(
      'rank-1.txt:7: The file is of rank 1 and stands in the list where rank 0 belongs.',
    );
    expect(refused(whole('MPI_Init entering at walltime 1.0, cputime 1 seconds in thread 0.\n'))).toContain(
      'the file is cut off',
    );
  });
});

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
    ['hello', '1: The file begins with `VEF3 RANKS MESSAGES COMMUNICATORS … CLOCK`.'],
    ['VEF3 2 1 0 0 0 0 1000\n0 0 5 8 0 0 -1', '2: Rank 5 is beyond the 2 ranks of the trace.'],
    [
      'VEF3 2 2 0 0 0 0 1000\n0 0 1 8 0 0 -1',
      '2: The trace has 1 message where its first line says 2: it is cut off, or was joined.',
    ],
    ['VEF3 2 1 0 0 0 0 1000\n0 0 1 8 1 0 7', '2: There is no message or collective operation 7 to wait for.'],
    ['VEF3 2 2 0 0 0 0 1000\n0 0 1 8 0 0 -1\n1 1 0 8 1 0 0', '3: Rank 1 cannot wait for 0: that happens on rank 0.'],
    ['VEF3 2 2 0 0 0 0 1000\n0 0 1 8 1 0 1\n1 0 1 8 1 0 0', '2: Messages of rank 0 wait for each other in a circle.'],
    [
      'VEF3 2 1 1 1 2 0 1000\nC0 0 1\nG0 C0 7 0 8 8 0 0 -1',
      "3: Collective operation '7' is not read; 2 is all-reduce.",
    ],
    [
      'VEF3 2 99999999 0 0 0 0 1000\n',
      '1: There are more than 2,097,152 operations, the most whose order is found at once: take fewer iterations, or read it as a table (`table NAME from "FILE"`), which adds messages up.',
    ],
  ])('refuses %j by its line', (broken, message) => {
    expect(refusal(broken, 'vef')).toBe(`a.trace:${message} [bad-trace]`);
  });
});

describe('any trace', () => {
  it('gives receives the size of what they receive, and counts what is left over', () => {
    const { workload, warnings } = read('0 init\n1 init\n0 send 1 0 8\n1 recv 0 0 4096\n1 recv 0 0 16\n0 send 1 5 9\n');
    expect(everything(workload)).toEqual([
      ['send 1 8', 'send 1 9 #5'],
      ['receive 0 8', 'receive 0 16'],
    ]);
    expect(warnings).toEqual([
      '1 message is never received, and 1 receive waits for messages that nobody sends; the first: 9 bytes with tag 5 from task 0 to task 1, sent and not received.',
    ]);
  });

  it('says what a file is that users name by mistake', () => {
    const complaintOf = (bytes: Uint8Array): string => {
      const result = readTrace([{ name: 'x', chunks: () => [bytes] }], undefined, defaults);
      return result.ok ? 'accepted' : result.failure.message;
    };
    expect(complaintOf(Uint8Array.from([0xff, 0xaa, 0xdd, 0x44, 0x55, 0x4d, 0x50, 0x49, 0, 0]))).toMatch(
      /^x: .*binary trace of DUMPI: name what dumpi2ascii writes/,
    );
    expect(complaintOf(new TextEncoder().encode('1 smpi_replay.txt 32 0\n'))).toMatch(
      /^x: It says which traces of SimGrid are replayed when/,
    );
    expect(complaintOf(new TextEncoder().encode('hostname=a\nnumprocs=4\n'))).toMatch(
      /^x: It describes a trace of DUMPI/,
    );
  });

  it('says which ranks it has nothing of', () => {
    expect(read('s 0 3 0 8\nr 0 3 0 8\n').warnings).toEqual([
      'Of 2 of 4 ranks the trace has nothing, the first is rank 1: it is not complete.',
    ]);
  });

  it.each(traceFormats.map(({ name }) => name))('as %s ends with a sentence, whatever the bytes are', (format) => {
    const of = (bytes: Uint8Array) => readTrace([{ name: 'x', chunks: () => [bytes] }], format, defaults);
    const bytes = [
      Uint8Array.of(),
      Uint8Array.of(0x1f, 0x8b, 8, 0),
      Uint8Array.of(0x41, 0, 0x42),
      Uint8Array.of(0x41, 0xff, 0xfe, 10),
      new TextEncoder().encode('\n\n\n'),
      new TextEncoder().encode('9'.repeat(100_000)),
      new TextEncoder().encode('{'.repeat(100_000)),
    ];
    for (const content of bytes) {
      const result = of(content);
      expect(result.ok ? '' : result.failure.code).toBe('bad-trace');
      expect(result.ok ? '' : result.failure.message.length).toBeLessThan(400);
    }
  });

  it('that stands for more than memory is for ends with a sentence, however short it is', () => {
    const lines = Array.from({ length: 2000 }, (_, rank) => `${rank} alltoall 8 8\n`);
    // An all-to-all is two operations a partner of each rank: 39,998 a line.
    const line = 2 + Math.floor(2 ** 24 / 39_998);
    expect(refusal(`19999 init\n${lines.join('')}`, 'simgrid')).toBe(
      `a.trace:${line}: There are more than 16,777,216 sends, receives and computations up to here, the most that are kept of a trace to be replayed: take fewer tasks or iterations, or read it as a table (\`table NAME from "FILE"\`), which adds messages up. [workload-too-large]`,
    );
    expect(refusal('0 init 1\n0 send 0 0 9007199254740991 7\n', 'simgrid')).toBe(
      'a.trace:2: Write `send PARTNER TAG SIZE`, with or without a datatype after it; a message has at most 2^53 bytes. [bad-trace]',
    );
    expect(refusal('workload 1 tasks 1 task 0 { repeat 3 { send 0 9007199254740993 } }', 'workload')).toContain(
      'a.trace:1: Write `send TASK BYTES`',
    );
  });

  it.each(traceFormats.map(({ name }) => name))('as %s stops when it is cancelled', (format) => {
    const result = readTrace([whole('s 0 1 0 8\n')], format, defaults, { isCancelled: () => true });
    expect(result.ok ? '' : result.failure.code).toBe('cancelled');
  });
});
