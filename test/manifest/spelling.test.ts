/** The spelling of Markdown, as `npm run lint` checks it. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { root } from '../../tools/run.ts';

const cases: readonly { what: string; text: string; unknown: readonly string[] }[] = [
  { what: 'a word with a wrong letter', text: 'The mapping has a lower bownd.', unknown: ['bownd'] },
  { what: 'an American spelling', text: 'Colors show the utilization of a link.', unknown: ['Colors', 'utilization'] },
  { what: 'the British spelling', text: 'Colours show the utilisation of a link.', unknown: [] },
  { what: 'a name of the field', text: 'A rankfile of `mpirun`, by Towles and by Orduña.', unknown: [] },
  { what: 'code', text: 'Write `mapp`.\n\n```place\njobb { }\n```\n', unknown: [] },
  { what: 'the target of a link', text: 'See the [page](wrold.md#bownd).', unknown: [] },
  {
    what: 'a cell of a table',
    text: '| naem | meaning |\n| --- | --- |\n| `a` | a lenght |',
    unknown: ['naem', 'lenght'],
  },
];

const folder = mkdtempSync(join(tmpdir(), 'placewright-spelling-'));
const unknown = new Map<string, string[]>();
/** One run for all: the dictionaries take a second to read. */
beforeAll(() => {
  for (const [index, { text }] of cases.entries()) writeFileSync(join(folder, `${index}.md`), `${text}\n`);
  const linter = join(root, 'node_modules/cspell/bin.mjs');
  const words = ['lint', '--no-progress', '--no-summary', '--no-color', '--root', folder];
  const config = ['--config', join(root, 'cspell.config.yaml')];
  const { stdout, status } = spawnSync(process.execPath, [linter, ...words, ...config], { encoding: 'utf8' });
  expect(status).toBe(1);
  for (const [, name = '', word = ''] of stdout.matchAll(/(\d+)\.md:\d+:\d+ .*?\((.+?)\)/g))
    unknown.set(name, [...(unknown.get(name) ?? []), word]);
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

it.each(cases.map((one, index) => ({ ...one, index })))('$what', ({ index, unknown: expected }) => {
  expect(unknown.get(String(index)) ?? []).toEqual(expected);
});

it('the words of the project are sorted, and each is once in the list', () => {
  const words = readFileSync(join(root, 'tools/words.txt'), 'utf8').trimEnd().split('\n');
  const { compare } = new Intl.Collator('en');
  expect(words).toEqual([...new Map(words.map((word) => [word.toLowerCase(), word])).values()].sort(compare));
});
