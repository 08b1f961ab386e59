import { describe, expect, it } from 'vitest';
import type { TableEntries } from '../model/traffic.ts';
import { countsOfTable, rowsOfTable, summaryOfTable, tableText, type ImportedTable } from './tableText.ts';

/** A table of entries `[from, to, amount, messages]`. */
const entriesOf = (
  size: number,
  entries: readonly (readonly number[])[],
  warnings?: readonly string[],
): TableEntries => {
  const column = (at: number): number[] => entries.map((entry) => entry[at]!);
  const hasMessages = entries.every(({ length }) => length > 3);
  return {
    size,
    from: Int32Array.from(column(0)),
    to: Int32Array.from(column(1)),
    amount: Float64Array.from(column(2)),
    ...(hasMessages && entries.length > 0 && { messages: Float64Array.from(column(3)) }),
    ...(warnings && { warnings }),
  };
};

const ring: ImportedTable = {
  format: 'edge-list',
  otherFormats: [],
  tasks: 4,
  pairs: 4,
  amount: 4096,
  messages: 8,
  toThemselves: 0,
  warnings: [],
};

const textOf = (table: ImportedTable, path: string, format?: string): string => {
  const text = tableText(table, { path, format });
  if (!text.ok) throw new Error(text.failure.message);
  return text.value;
};

describe('the summary of a table', () => {
  it('adds up what different tasks send, and counts each ordered pair once', () => {
    const entries = entriesOf(3, [
      [0, 1, 10, 1],
      [1, 0, 20, 2],
      [0, 1, 5, 1],
      [2, 2, 1000, 9],
      [2, 2, 1, 1],
      [1, 1, 1, 1],
    ]);
    expect(summaryOfTable(entries, ['edge-list'])).toEqual({
      ...ring,
      tasks: 3,
      pairs: 2,
      amount: 35,
      messages: 4,
      toThemselves: 2,
    });
  });

  it.each<[string, TableEntries, readonly string[], Partial<ImportedTable>]>([
    ['no entries', entriesOf(5, []), ['npy'], { format: 'npy', tasks: 5, pairs: 0, amount: 0, toThemselves: 0 }],
    ['what no format tells', entriesOf(2, [[0, 1, 1]]), [], { format: 'csv', otherFormats: [] }],
    [
      'several formats',
      entriesOf(2, [[0, 1, 1]]),
      ['metis', 'treematch'],
      { format: 'metis', otherFormats: ['treematch'] },
    ],
    ['doubts', entriesOf(2, [[0, 1, 1]], ['One rank of many.']), ['npy'], { warnings: ['One rank of many.'] }],
    [
      'all pairs of many tasks',
      entriesOf(65_536, [
        [65_535, 65_534, 1],
        [65_534, 65_535, 1],
      ]),
      ['npy'],
      { pairs: 2 },
    ],
  ])('is of %s', (_, entries, formats, expected) => {
    const summary = summaryOfTable(entries, formats);
    expect(summary).toMatchObject(expected);
    expect(summary).not.toHaveProperty('messages');
  });
});

describe('the text of an imported table', () => {
  it('declares the table and a job that has it, and says what the file holds', () => {
    expect(textOf({ ...ring, warnings: ['One rank of many.'] }, '../runs/ring.csv')).toBe(
      '/// Read from `../runs/ring.csv` (edge-list): 4 tasks, 4 sending pairs, 4 KiB, 8 messages.\n/// 1 warning: see the diagnostics of this file.\ntable ring from "../runs/ring.csv"\n\n/// The program of the traffic table.\njob ring {\n  tasks 4\n  table ring\n}\n',
    );
  });

  it.each<[string, Partial<ImportedTable>, string | undefined, string]>([
    ['nothing where the content tells', {}, undefined, ''],
    ['what the user named', {}, 'csv', ' as csv'],
    ['which of several it is', { otherFormats: ['treematch'] }, undefined, ' as edge-list'],
    ['what the user named of several', { otherFormats: ['treematch'] }, 'treematch', ' as treematch'],
  ])('says of the format %s', (_, change, format, written) => {
    expect(textOf({ ...ring, ...change }, 'f.txt', format)).toContain(`table f from "f.txt"${written}\n`);
  });

  it.each([
    ['cg.*.prof', 'cg'],
    ['profiles', 'profiles'],
    ['*.prof', 'traffic'],
    ['2024 run.mtx', 'traffic-2024-run'],
  ])('calls table and job of %s %s', (path, name) => {
    expect(textOf(ring, path)).toMatch(
      new RegExp(`\ntable ${name} from .*\n[^]*\njob ${name} \\{\n  tasks 4\n  table ${name}\n`),
    );
  });

  it.each(['a"b', 'a\nb'])('refuses a name that the language cannot write: %j', (path) => {
    expect(tableText(ring, { path, format: undefined })).toMatchObject({ ok: false, failure: { code: 'bad-name' } });
  });
});

describe('what is shown of a table', () => {
  const { format, otherFormats, tasks, pairs, amount, toThemselves, warnings } = ring;
  const unsent: ImportedTable = { format, otherFormats, tasks, pairs, amount, toThemselves, warnings };

  it.each<[string, ImportedTable, string]>([
    ['many', ring, '4 tasks, 4 sending pairs, 4 KiB, 8 messages'],
    ['one', { ...ring, tasks: 1, pairs: 1, messages: 1 }, '1 task, 1 sending pair, 4 KiB, 1 message'],
    ['no messages', { ...unsent, pairs: 12_345 }, '4 tasks, 12,345 sending pairs, 4 KiB'],
  ])('in one line: %s', (_name, table, line) => {
    expect(countsOfTable(table)).toBe(line);
  });

  it.each<[string, ImportedTable, readonly (readonly [string, string])[]]>([
    [
      'bytes and messages',
      ring,
      [
        ['tasks', '4'],
        ['pairs', '4 of 12 send'],
        ['bytes', '4 KiB'],
        ['messages', '8'],
      ],
    ],
    [
      'what the file does not say, and leaves to doubt',
      { ...unsent, toThemselves: 3, otherFormats: ['csv', 'treematch'] },
      [
        ['tasks', '4'],
        ['pairs', '4 of 12 send'],
        ['bytes', '4 KiB, if amounts are bytes (else add `unit`)'],
        ['messages', 'not in the file'],
        ['skipped', 'messages of 3 tasks to themselves'],
        ['fits as well', 'csv, treematch'],
      ],
    ],
  ])('in rows: %s', (_name, table, rows) => {
    expect(rowsOfTable(table)).toEqual(rows);
  });
});
