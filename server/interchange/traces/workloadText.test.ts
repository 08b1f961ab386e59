import { describe, expect, it } from 'vitest';
import { defaultOptions } from '../../model/catalogue.ts';
import { writeWorkload } from './workloadText.ts';
import { neverCancelled } from '../../model/cancellation.ts';
import { skeletons } from '../../simulation/workloads/catalogue.ts';
import { sendsOf } from '../../simulation/workloads/programs.ts';
import { everything, read, refusal, whole } from '../testing/readTraces.ts';

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
    ['workload 2 tasks 1', '1: Unknown workload version. Write `workload 1`.'],
    ['tasks 1 ', '1: Expected `workload 1` at the beginning.'],
    ['workload 1\ntasks 0 ', '2: The trace has 0 ranks. Expected 1 to 1,048,576.'],
    ['workload 1\ntasks 99999999 ', '2: The trace has 99999999 ranks. Expected 1 to 1,048,576.'],
    ['workload 1\ntasks 2\ntask 2 { }', '3: Rank 2 exceeds the 2 ranks of the trace.'],
    ['workload 1\ntasks 2\ntask 0 {\nsend 5 8 }', '4: Rank 5 exceeds the 2 ranks of the trace.'],
    ['workload 1\ntasks 2\ntask 0 {\nsend 1 8 tag x }', '4: Expected a tag from 0 to 2^31 - 1.'],
    [
      'workload 1\ntasks 2\ntask 0 {\nreceive * 8 }',
      '4: Expected `receive TASK BYTES`, both whole numbers ≥ 0. Wildcard receives cannot be replayed.',
    ],
    ['workload 1\ntasks 2\nsend 1 8 ', '3: `send` belongs in a block `task T { … }`.'],
    ['workload 1\ntasks 2\ntask 0 {\nrepeat 3 {\nsend 1 8', '5: A block has no end. The file is truncated.'],
    [
      'workload 1\ntasks 2\ntask 0 {\nhello',
      '4: Unknown statement `hello`. Expected `task`, `send`, `receive`, `compute`, `repeat` or `}`.',
    ],
    [
      'workload 1\r\ntasks 2\r\ntask 0 {\r\nhel\u001blo',
      '4: Unknown statement `hel�lo`. Expected `task`, `send`, `receive`, `compute`, `repeat` or `}`.',
    ],
    ['workload 1\ntasks 2\ntask 0 } {', '3: Expected `task T { … }` outside of other blocks.'],
    [
      `workload 1\ntasks 2\ntask 0 {\n${'repeat 2 {'.repeat(40)}`,
      '4: Repetitions are nested more than 32 levels deep.',
    ],
    [
      'workload 1\ntasks 2\ntask 0 {\nrepeat 99999999999999999999 { } }',
      '4: Expected `repeat N { … }`, with a whole number ≥ 0.',
    ],
  ])('refuses %j by its line', (broken, message) => {
    expect(refusal(broken, 'workload')).toBe(`a.trace:${message} [bad-trace]`);
  });

  it('with huge repetitions is summed, not run', () => {
    const { workload } = read('workload 1 tasks 2 task 0 { repeat 1000000 { repeat 1000000 { send 1 1 } } } ');
    expect(sendsOf(workload).messages[0]).toBe(1e12);
  });
});
