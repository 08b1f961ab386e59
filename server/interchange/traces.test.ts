import { describe, expect, it } from 'vitest';
import { traceFormats } from './catalogue.ts';
import { readTrace } from './readers.ts';
import { defaults, everything, read, refusal, whole } from './testing/readTraces.ts';

describe('the catalogue of trace formats', () => {
  it('is refused where no format fits, with the names of all', () => {
    expect(refusal('hello\n')).toBe(
      `a.trace: Unknown trace format. Write \`as\` with one of ${traceFormats.map(({ name }) => name).join(', ')}. [bad-trace]`,
    );
    expect(refusal('', 'goal')).toContain('[bad-trace]');
    for (const nothing of ['', ' \r\n\n']) expect(refusal(nothing)).toBe('a.trace: The file is empty. [bad-trace]');
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
      '1 message is never received, and 1 receive waits for messages that are never sent. First: 9 bytes with tag 5 from task 0 to task 1, sent and not received.',
    ]);
  });

  it('says what a file is that users name by mistake', () => {
    const complaintOf = (bytes: Uint8Array): string => {
      const result = readTrace([{ name: 'x', chunks: () => [bytes] }], undefined, defaults);
      return result.ok ? 'accepted' : result.failure.message;
    };
    expect(complaintOf(Uint8Array.from([0xff, 0xaa, 0xdd, 0x44, 0x55, 0x4d, 0x50, 0x49, 0, 0]))).toMatch(
      /^x: The file is not plain text\./,
    );
    expect(complaintOf(new TextEncoder().encode('1 smpi_replay.txt 32 0\n'))).toMatch(
      /^x: It is a SimGrid replay schedule\./,
    );
    expect(complaintOf(new TextEncoder().encode('hostname=a\nnumprocs=4\n'))).toMatch(
      /^x: It is the description of a DUMPI trace\./,
    );
  });

  it('says which ranks it has nothing of', () => {
    expect(read('s 0 3 0 8\nr 0 3 0 8\n').warnings).toEqual([
      'The trace is incomplete: 2 of 4 ranks have no events, the first is rank 1.',
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
      `a.trace:${line}: The trace has more than 16,777,216 operations, the maximum for a replay. Use fewer tasks or iterations, or a table of sums (\`table NAME from "FILE"\`). [workload-too-large]`,
    );
    expect(refusal('0 init 1\n0 send 0 0 9007199254740991 7\n', 'simgrid')).toBe(
      'a.trace:2: Expected `send PARTNER TAG SIZE`, with an optional datatype. A message has at most 2^53 bytes. [bad-trace]',
    );
    expect(refusal('workload 1 tasks 1 task 0 { repeat 3 { send 0 9007199254740993 } }', 'workload')).toContain(
      'Expected `send TASK BYTES`, both whole numbers ≥ 0.',
    );
  });

  it.each(traceFormats.map(({ name }) => name))('as %s stops when it is cancelled', (format) => {
    const result = readTrace([whole('s 0 1 0 8\n')], format, defaults, { isCancelled: () => true });
    expect(result.ok ? '' : result.failure.code).toBe('cancelled');
  });
});
