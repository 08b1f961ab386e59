import { expect, describe, it } from 'vitest';
import { columnOf } from '../model/jobLog.ts';
import { seededRandom } from '../model/random.ts';
import { readJobLog } from './swf.ts';
import { casesOf } from '../model/testing/thoroughness.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = (text: string) => readJobLog(bytesOf(text), 'jobs.swf');

function expectLog(text: string) {
  const result = read(text);
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

const line = (job: number, submit: number | string = 0, rest = 16): string => `${job} ${submit}${' -1'.repeat(rest)}`;

describe('a job log', () => {
  it('has a row for each line of 18 fields, in the order of the file', () => {
    const log = expectLog(
      '; Version: 2.2\n;   Computer: IBM SP2\n; of many\n;\n1 10 0 5.25 4 -1 -1 4 60 -1 1 2 3 -1 -1 -1 -1 -1\n' +
        '\n  2\t7 0 1e2 8 .5 -1 +8 6. -1 0 2 3 -1 -1 -1 -1 -1 \n',
    );
    expect(log.headers).toEqual([
      { key: 'Version', value: '2.2' },
      { key: 'Computer', value: 'IBM SP2\nof many' },
    ]);
    expect([...log.lines]).toEqual([5, 7]);
    expect([...columnOf(log, 'submit')]).toEqual([10, 7]);
    expect([...columnOf(log, 'run')]).toEqual([5.25, 100]);
    expect([...columnOf(log, 'cpu-time')]).toEqual([-1, 0.5]);
    expect([...columnOf(log, 'requested-processors')]).toEqual([4, 8]);
    expect([...columnOf(log, 'requested-time')]).toEqual([60, 6]);
    expect(log.refused).toEqual([]);
  });

  it('may end its lines as Windows does, begin with a byte order mark and have headers in Latin-1', () => {
    const text = `\u{feff}; Note: x\r\n${line(1)}\r\n${line(2, 3)}`;
    expect([...columnOf(expectLog(text), 'submit')]).toEqual([0, 3]);
    const bytes = bytesOf(`; Installation: K?ln\n${line(1)}\n`);
    bytes[bytes.indexOf(63)] = 0xf6;
    const result = readJobLog(bytes, 'jobs.swf');
    expect(result.ok && result.value.headers).toEqual([{ key: 'Installation', value: 'K\u{fffd}ln' }]);
  });

  it('reads decimals as the language does', () => {
    const random = seededRandom(3);
    const numbers = Array.from({ length: 2000 }, () => {
      const whole = random.integer(10 ** (1 + random.integer(9)));
      const sign = random.integer(4) === 0 ? '-' : '';
      return `${sign}${whole}.${String(random.integer(1_000_000)).padStart(1 + random.integer(8), '0')}`;
    });
    const log = expectLog(numbers.map((number, job) => line(job, number)).join('\n'));
    expect([...columnOf(log, 'submit')]).toEqual(numbers.map(Number));
  });

  it('refuses lines by reason, with their numbers', () => {
    const log = expectLog(
      [line(1), line(2, 0, 15), line(3, 0, 19), line(4, 'soon'), line(5, 0, 15), line(6, '1e99'), line(7)].join('\n'),
    );
    expect([...log.lines]).toEqual([1, 7]);
    expect(log.refused).toEqual([
      { reason: 'it has 17 fields instead of 18', count: 2, lines: [2, 5] },
      { reason: 'it has 21 fields instead of 18', count: 1, lines: [3] },
      { reason: 'field 2 (submit) is not a number up to 2^53', count: 2, lines: [4, 6] },
    ]);
  });

  it('counts all refused lines and tells the first', () => {
    const log = expectLog(`${`${line(1, 0, 3)}\n`.repeat(500)}${line(1)}`);
    expect(log.refused[0]?.count).toBe(500);
    expect(log.refused[0]?.lines).toHaveLength(10);
  });

  it.each([
    ['', 'jobs.swf: The log has no jobs.'],
    ['; Version: 2\n', 'jobs.swf: The log has no jobs.'],
    [
      'a b\n',
      'jobs.swf: The file has no job line of the Standard Workload Format (line 1: it has 2 fields instead of 18).',
    ],
    ['1 2\u0000', 'jobs.swf: The file is binary, not text: byte 3 is zero.'],
  ])('that has no jobs fails: %j', (text, message) => {
    expect(read(text)).toEqual({ ok: false, failure: { code: 'bad-log', message } });
  });

  it('says of a compressed file what to do', () => {
    const result = readJobLog(new Uint8Array([0x1f, 0x8b, 8, 0]), 'jobs.swf.gz');
    expect(!result.ok && result.failure.message).toMatch(/^jobs\.swf\.gz: .*gzip/);
  });

  it('is not read further once it is cancelled', () => {
    let looks = 0;
    const result = readJobLog(bytesOf(`${line(1)}\n`.repeat(5000)), 'jobs.swf', { isCancelled: () => looks++ > 1 });
    expect(!result.ok && result.failure.code).toBe('cancelled');
    expect(looks).toBeLessThan(6);
  });

  it('whatever the text is, ends with jobs or a sentence', () => {
    const random = seededRandom(11);
    const pieces = ['-1', '0', ' ', '\t', '\r', '\n', ';', ':', '.', '1e', '9'.repeat(40), '-', '+', 'é', '"', line(1)];
    let logs = 0;
    const rounds = casesOf(2_000, 100_000);
    for (let round = 0; round < rounds; round++) {
      const text = Array.from({ length: random.integer(24) }, () => pieces[random.integer(pieces.length)]).join('');
      const result = read(text);
      if (!result.ok) {
        expect(result.failure.message).toMatch(/^jobs\.swf: .*\.$/s);
        continue;
      }
      logs++;
      const { jobCount, lines, columns } = result.value;
      if (
        lines.length !== jobCount ||
        columns.some((column) => column.length !== jobCount || column.some(Number.isNaN))
      )
        expect.fail(text);
    }
    expect(logs).toBeGreaterThan(rounds / 100);
  });
});
