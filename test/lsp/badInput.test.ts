import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { messageText } from '../../server/language/service/testing/texts.ts';
import { seededRandom } from '../../server/model/random.ts';
import { clientOfFile } from './testing/languageClient.ts';

const client = clientOfFile();
// The client checks after each test that the server still works.
afterEach(() => {
  expect(peakMemory(client.process.pid)).toBeLessThan(500e6);
});

/** Most memory that the process ever held, bytes; 0 where the system does not say. */
function peakMemory(pid: number | undefined): number {
  if (process.platform !== 'linux' || pid === undefined) return 0;
  const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}

const placementOf = (table: string): string => `machine m { topology torus 4 x 4 }
table t ${table}
job j { tasks 4  table t }
placement p { job j  machine m  map baseline }
`;

/** A document and the problem it must get: what its message says, and on which line it stands. */
interface BadCase {
  readonly what: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly text: string;
  readonly says: RegExp;
  readonly line: number;
}

const cases: readonly BadCase[] = [
  {
    what: 'a table with a negative amount',
    files: { 't.csv': '0,1,5\n1,2,-3\n' },
    text: placementOf('from "t.csv"'),
    says: /t\.csv:2: .*-3/,
    line: 1,
  },
  {
    what: 'a table with NaN',
    files: { 't.csv': '0,1,NaN\n' },
    text: placementOf('from "t.csv"'),
    says: /t\.csv:1: .*NaN/,
    line: 1,
  },
  {
    what: 'a table with 1e30',
    files: { 't.csv': '0,1,1e30\n' },
    text: placementOf('from "t.csv"'),
    says: /t\.csv:1: .*1e\+?30/,
    line: 1,
  },
  {
    what: 'a table file that is not there',
    text: placementOf('from "none.csv"'),
    says: /File .*none\.csv not found/,
    line: 1,
  },
  {
    what: 'a machine of 10^9 nodes',
    text: 'machine huge { topology torus 1000 x 1000 x 1000 }\njob j { tasks 4  pattern ring }\nplacement p { job j  machine huge }\n',
    says: /1[0 ,]*000[0 ,]*000[0 ,]*000|at most|limit/,
    line: 0,
  },
  {
    what: 'a job of 10^9 tasks',
    text: 'job huge { tasks 1000000000  pattern all-to-all }\n',
    says: /tasks/,
    line: 0,
  },
  {
    what: 'an import cycle',
    files: { 'b.place': 'import "c.place"\n', 'c.place': 'import "main.place"\n' },
    text: 'import "b.place"\n',
    says: /b\.place.*c\.place/,
    line: 0,
  },
];

describe('a clear problem, and a server that lives on, for', () => {
  it.each(cases)('$what', async ({ files, text, says, line }) => {
    for (const [name, content] of Object.entries(files ?? {})) client.write(name, content);
    client.write('main.place', text);
    const uri = await client.open('main.place', text);
    const found = await client.diagnostics(uri, ({ diagnostics }) =>
      diagnostics.some((diagnostic) => says.test(messageText(diagnostic))),
    );
    expect(found.find((diagnostic) => says.test(messageText(diagnostic)))?.range.start.line).toBe(line);
  });

  it('a table file of 200 MB', async () => {
    const file = openSync(join(client.folder, 'big.csv'), 'w');
    writeSync(file, '1,2\n'.repeat(2 ** 16));
    ftruncateSync(file, 200e6);
    closeSync(file);
    const uri = await client.open('main.place', placementOf('from "big.csv"'));
    const { message, range } = await client.problem(uri, 'bad-table');
    expect(message).toMatch(/big\.csv: The file is larger than 128 MiB/);
    expect(range.start.line).toBe(1);
  });

  it('a document of more than 4 MiB', async () => {
    const uri = await client.open('main.place', `// ${'x'.repeat(4 * 2 ** 20)}\njob a { tasks nonsense }\n`);
    const found = await client.diagnostics(uri, ({ diagnostics }) => diagnostics.length > 0);
    expect(found).toHaveLength(1);
    expect(found[0]?.message).toMatch(/at most (4 MiB|4,194,304)/);
  });

  it('binary garbage', async () => {
    const random = seededRandom(7);
    const garbage = String.fromCharCode(...Array.from({ length: 20_000 }, () => random.integer(256)));
    const uri = await client.open('main.place', garbage);
    const found = await client.diagnostics(uri, ({ diagnostics }) => diagnostics.length > 0);
    expect(found).toHaveLength(1);
  });

  it('a table of binary garbage', async () => {
    const random = seededRandom(8);
    client.write(
      't.csv',
      Uint8Array.from({ length: 20_000 }, () => random.integer(256)),
    );
    const uri = await client.open('main.place', placementOf('from "t.csv"'));
    const found = await client.diagnostics(uri, ({ diagnostics }) => diagnostics.length > 0);
    expect(found[0]?.range.start.line).toBe(1);
  });
});
