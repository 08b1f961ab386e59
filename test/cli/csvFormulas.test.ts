import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lineCells } from '../../server/interchange/csv.ts';
import { root } from '../../tools/run.ts';
import { commandLine } from './commandLine.ts';

/** Names of switches and hosts are those of another tool: no CSV that is written may hold one that a spreadsheet runs. */
const cli = commandLine();

const [first, second, third, host] = ['=HYPERLINK(A1)', '+cmd', '@sum', '-host'];
const dot = `graph g {
  "${first}" -- "${second}" -- "${third}" -- "${first}"
  "${host}0" [type=host] "${host}1" [type=host] "${host}2" [type=host]
  "${first}" -- "${host}0"  "${second}" -- "${host}1"  "${third}" -- "${host}2"
}
`;
const place = `machine m { topology from "net.dot" as dot  bandwidth 1 GB/s  latency 1 us }
job j { tasks 3  pattern ring  bytes 64 KiB }
network n { switching cut-through packet 8 flit 4 B }
placement p { job j  machine m  map baseline  simulate n }
experiment e { job j  machine m  network n  map baseline, random  replications 2  report makespan }
`;

function folder(): string {
  const directory = mkdtempSync(join(cli.scratch(), 'csv-'));
  writeFileSync(join(directory, 'net.dot'), dot);
  writeFileSync(join(directory, 'a.place'), place);
  return directory;
}

/** Tables with names of switches, and those that have numbers or names of the language alone. */
describe('CSV', () => {
  it.each<[string, boolean, string[]]>([
    ['losses', true, ['losses', 'a.place', 'p', '--csv']],
    ['compare', true, ['compare', 'a.place', 'p', '--mappers', 'baseline,random', '--csv']],
    ['distances', false, ['distances', 'a.place', 'm', '--csv']],
    ['simulate', true, ['simulate', 'a.place', 'p', '--csv', 'OUT']],
    ['figures of links', true, ['draw', 'a.place', 'p', '--figure', 'links', '-o', 'OUT']],
    ['figures of traffic', false, ['draw', 'a.place', 'p', '--figure', 'traffic', '-o', 'OUT']],
    ['export', false, ['export', 'a.place', 'p', '--format', 'csv', '-o', 'OUT']],
    ['experiment', false, ['experiment', 'a.place', 'e', '--csv', 'OUT']],
    [
      'sweep',
      false,
      ['sweep', 'a.place', 'p', '--over', 'map=baseline,random', '--csv', 'OUT', '--cells', 'cells.csv'],
    ],
  ])('of %s holds no formula', async (_, hasNames, words) => {
    const directory = folder();
    const { code, out, err } = await cli.run(
      words.map((word) => (word === 'OUT' ? 'out.csv' : word)),
      directory,
    );
    expect([code, err.replace(/.*warning.*\n/g, '')]).toEqual([0, expect.any(String)]);
    const texts = words.includes('OUT')
      ? ['out.csv', ...(words.includes('cells.csv') ? ['cells.csv'] : [])].map((name) =>
          readFileSync(join(directory, name), 'utf8'),
        )
      : [out];
    for (const text of texts) {
      const rows = text
        .trimEnd()
        .split(/\r?\n/)
        .map((line) => lineCells(line, ','));
      expect(rows.length).toBeGreaterThan(1);
      const cells = rows.flat();
      expect(cells.filter((cell) => /^[=+@\t\r]|^-(?!\d)/.test(cell))).toEqual([]);
      expect(cells.some((cell) => /^'[=+@-]/.test(cell))).toBe(hasNames);
    }
  });

  it('is written by one function', () => {
    const sources = ['server', 'client', 'webview'].flatMap((part) =>
      readdirSync(join(root, part), { recursive: true, encoding: 'utf8' }).map((path) => join(part, path)),
    );
    const writers = sources.filter((path) => path.endsWith('.ts') && !/\.test\.ts$|testing/.test(path));
    const own = writers.filter((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      // Quotes that are doubled are those of CSV.
      return path !== 'server/model/csv.ts' && /replaceAll\('"', '""'\)|replace\(\/"\/g, '""'\)/.test(text);
    });
    expect(own).toEqual([]);
  });
});
