import { describe, expect, it } from 'vitest';
import type { ForwardingDump } from '../model/forwarding.ts';
import { forwardingFormats } from './catalogue.ts';
import { readForwarding } from './readers.ts';
import { seededRandom } from '../model/random.ts';
import { bytesOf } from './testing/fabrics.ts';
import { forwardingSamples } from './testing/samples.ts';
import { casesOf } from '../model/testing/thoroughness.ts';

const formats = Object.keys(forwardingSamples);
const sampleOf = (format: string): string => forwardingSamples[format] ?? '';

function dumpOf(text: string, format?: string): ForwardingDump {
  const read = readForwarding(bytesOf(text), 'file', format);
  if (!read.ok) throw new Error(read.failure.message);
  return read.value;
}

function complaintOf(text: string, format?: string): string {
  const read = readForwarding(bytesOf(text), 'file', format);
  if (read.ok) throw new Error('was read');
  expect(read.failure.code).toBe('bad-forwarding');
  return read.failure.message;
}

/** `a: 2>0 3>1`: LIDs and ports of each switch. */
const waysOf = ({ switches, firstEntry, entries }: ForwardingDump): string[] =>
  switches.map(({ guid }, at) => {
    const own = [...entries.subarray(firstEntry[at], firstEntry[at + 1])];
    return `${Number.parseInt(guid, 16).toString(16)}: ${own.map((entry) => `${entry >> 8}>${entry & 255}`).join(' ')}`;
  });

const ways = ['a: 2>0 3>1 4>7', 'b: 2>7 3>7 4>0'];

describe('forwarding tables', () => {
  it('have a sample of each format', () => {
    expect(formats).toEqual(forwardingFormats.map(({ name }) => name));
  });

  it.each(formats)('are found by content and read: %s', (format) => {
    const dump = dumpOf(sampleOf(format));
    expect([dump.format, ...waysOf(dump)]).toEqual([format, ...ways]);
    expect(waysOf(dumpOf(sampleOf(format), format))).toEqual(ways);
    expect(dump.warnings).toEqual([]);
    const called = format === 'opensm-fdbs' ? ['', ''] : ['leaf (1)', 'leaf2'];
    expect(dump.switches.map(({ name }) => name)).toEqual(called);
    const targets = format === 'opensm-fdbs' ? [] : [2, 3, 4];
    expect([...dump.targets.keys()]).toEqual(targets);
    if (targets.length > 0) expect(dump.targets.get(3)).toEqual({ guid: '0000000000000101', name: 'n01 HCA-1' });
  });

  it.each(formats)('have ends of lines of Windows, and no end of the last: %s', (format) => {
    expect(waysOf(dumpOf(sampleOf(format).replaceAll('\n', '\r\n')))).toEqual(ways);
    expect(waysOf(dumpOf(sampleOf(format).trimEnd()))).toEqual(ways);
  });

  it('of ibroute and of dump_fts without destinations are read, and those of LIDs without a port', () => {
    const brief = sampleOf('dump-fts').replaceAll(/ : .*$/gm, ' ');
    expect(waysOf(dumpOf(brief))).toEqual(ways);
    const all = sampleOf('dump-fts')
      .replaceAll('0x0002', '0x0001 255 : (illegal port)\n0x0002')
      .replaceAll('3 valid lids', '4 lids');
    expect(waysOf(dumpOf(all))).toEqual(ways);
    const several = sampleOf('dump-fts').replaceAll(
      /^0x0004 .*$/gm,
      '0x0004 007 : (path #2 out of 2: portguid 0x0000000000000101)',
    );
    expect(dumpOf(several).targets.get(4)).toEqual({ guid: '0000000000000101', name: '' });
  });

  it('may have complaints of the tool between them, and tables of groups', () => {
    const text = sampleOf('dump-fts');
    const groups =
      'Multicast mlids [0xc000-0xc3ff] of switch Lid 2 guid 0xa (leaf):\n  0xc000  x\n1 valid mlids dumped \n';
    const dump = dumpOf(
      `dump tables: linear\n${groups}${text.replace('lids dumped \n', 'lids dumped \nibwarn: [47] timed out\n')}${groups}`,
    );
    expect(waysOf(dump)).toEqual(ways);
    expect(dump.warnings).toEqual([
      {
        line: 12,
        message: expect.stringMatching(
          /^1 line with error messages of the tool, from this line on: skipped\./,
        ) as string,
      },
    ]);
  });

  const fts = sampleOf('dump-fts');
  const fdbs = sampleOf('opensm-fdbs');
  it.each<[string, string, RegExp]>([
    ['nothing', '', /^file: The file is empty/],
    [
      'words',
      'no table at all',
      /^file: The file has no known forwarding tables \(dump-fts, opensm-lfts, opensm-fdbs\)\./,
    ],
    ['the fabric', 'Switch\t8 "S-1"\n[1]\t"S-2"[1]', /^file: This is the fabric.*topology from/],
    ['groups alone', 'Multicast mlids [0xc000-0xc3ff] of switch', /^file: These are tables of multicast groups/],
    ['a table twice', fts + fts, /^file:15: Switch 0x000000000000000a already has a table on line 1\./],
    ['a LID twice', fts.replace('0x0004 007', '0x0003 007'), /^file:6: LID 0x0003 is listed twice in this table\./],
    ['LIDs of groups', fts.replace('0x0004 007', '0xc004 007'), /^file:6: LID 0xc004 is above 0xbfff/],
    [
      'the end of the last table missing',
      fts.slice(0, fts.lastIndexOf('3 valid')),
      /^file:13: The table of switch 0x000000000000000b has no last line, `… lids dumped`\./,
    ],
    [
      'an end in the middle',
      fts.replace('3 valid lids dumped \n', ''),
      /^file:7: The table of switch 0x0{15}a has no last line/,
    ],
    ['a line missing', fts.replace(/^0x0003.*\n/m, ''), /^file:6: The table has 2 LIDs but declares 3\./],
    [
      'a line cut off',
      fts.slice(0, fts.lastIndexOf('0x0004') + 3),
      /^file:13: Invalid line of a forwarding table '0x0'\./,
    ],
    [
      'no beginning',
      fts.slice(fts.indexOf('0x0003')),
      /^file:1: '0x0003 001 : \(Channel Adapter portguid 0…' is outside of a switch table\./,
    ],
    [
      'more entries than LIDs',
      sampleOf('opensm-lfts').replace('4 lids', '2 lids'),
      /^file:5: The table has 3 LIDs but declares 2\./,
    ],
    [
      'a short table of OpenSM',
      fdbs.slice(0, fdbs.lastIndexOf('0x0004')),
      /^file:7: The table of switch 0x000000000000000b has 3 LIDs, others have 4\./,
    ],
    [
      'a line of 2,000 letters',
      `${fts}${'x'.repeat(2000)}`,
      /^file:15: The line has more than 1,024 characters and is not part of a switch table\./,
    ],
  ])('with %s are refused', (_, text, expected) => {
    expect(complaintOf(text)).toMatch(expected);
  });

  it('of another format than the one named are refused', () => {
    expect(complaintOf(fts, 'opensm-fdbs')).toMatch(/^file: The file has the format 'dump-fts', not 'opensm-fdbs'\./);
  });

  it('of too many switches are refused before they take anything', () => {
    const many = Array.from({ length: 65_537 }, (_, at) => `Switch 0x${at.toString(16)}`).join('\n');
    expect(complaintOf(many)).toMatch(/^file:65537: .*65,536 switches/);
  });

  it('are no longer read once that is cancelled', () => {
    let looks = 0;
    const text = `${fdbs}${Array.from({ length: 40_000 }, (_, at) => `0x${(at + 5).toString(16)} : 001`).join('\n')}`;
    const read = readForwarding(bytesOf(text), 'file', undefined, { isCancelled: () => looks++ > 1 });
    expect(!read.ok && read.failure.code).toBe('cancelled');
    expect(looks).toBeLessThan(6);
  });

  it.each(formats)('cut off anywhere, or with any letter damaged, are read or refused with a place: %s', (format) => {
    const text = sampleOf(format);
    const random = seededRandom(7);
    const letters = '0123x: \n\r\t#\'"(-]\u0000é';
    const wrong: string[] = [];
    for (let round = 0; round < casesOf(1_000, 3_000); round++) {
      const at = random.integer(text.length);
      const letter = letters[random.integer(letters.length)] ?? '';
      const isCut = round < text.length;
      const damaged = isCut ? text.slice(0, round) : text.slice(0, at) + letter + text.slice(at + (round % 3));
      const read = readForwarding(bytesOf(damaged), 'file', undefined);
      const isSound = read.ok
        ? read.value.switches.length > 0
        : /^file(?::\d+)?: [^\n]+[.?!]$/.test(read.failure.message);
      if (!isSound) wrong.push(damaged);
    }
    expect(wrong).toEqual([]);
  });
});
