import { describe, expect, it } from 'vitest';
import type { Cancellation } from '../model/cancellation.ts';
import type { Result } from '../model/result.ts';
import { readCoordinates } from './coordinates.ts';
import { readFabric, readGiven, readNodeShape, readTable } from './readers.ts';

type Read = (bytes: Uint8Array, cancellation?: Cancellation) => Result<unknown> | Promise<Result<unknown>>;

const fabric: Read = (bytes, cancellation) => readFabric(bytes, 'file', undefined, cancellation);
const table: Read = (bytes, cancellation) => readTable(bytes, 'file', cancellation);
const given: Read = (bytes, cancellation) => readGiven(bytes, 'file', cancellation);
const coordinates: Read = (bytes, cancellation) => readCoordinates(bytes, 'file', cancellation);
const node: Read = (bytes, cancellation) => readNodeShape(bytes, 'file', cancellation);

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const lines = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n');

/** Each would take gigabytes, minutes or an exception where its limit were looked at too late. */
describe('a hostile file is refused before it takes anything', () => {
  it.each<[string, Read, string, RegExp]>([
    ['34 bytes of Slurm', fabric, 'SwitchName=s Nodes=n[0-4194303]', /^file:1: .*more than 1,048,576 names/],
    [
      'two lists that are too long together',
      fabric,
      'SwitchName=s Switches=s[0-1]\nSwitchName=s0 Nodes=a[0-9]\nSwitchName=s1 Nodes=b[0-1048570]',
      /^file:3: .*more than 1,048,576 names/,
    ],
    [
      'names of 200 letters',
      fabric,
      `SwitchName=s Nodes=${'n'.repeat(200)}[0-999999]`,
      /^file:1: .*more than 16 million characters/,
    ],
    ['names of 100,000 letters', fabric, `SwitchName=s Nodes=${'n'.repeat(100_000)}[0-999999]`, /million characters/],
    ['too many lines of Slurm', fabric, lines(66_000, (at) => `SwitchName=s${at}`), /^file:65537: .*65,536 switches/],
    [
      'deep YAML',
      fabric,
      `switches:\n a:\n  ${'- '.repeat(4000)}x\nblocks:`,
      /^file:3: The file is nested more than 200 levels deep, too deep for a network\./,
    ],
    [
      'open brackets of YAML',
      fabric,
      `switches: ${'['.repeat(4000)}\nblocks:`,
      /^file:1: The file is nested more than 200 levels deep, too deep for a network\./,
    ],
    ['closed brackets of YAML', fabric, `switches: ${']'.repeat(100_000)}\nblocks:`, /^file:1: The file is not YAML: /],
    [
      'large YAML',
      fabric,
      `switches:\nblocks:\n${'#\n'.repeat(300_000)}`,
      /The file is larger than 512 KiB, the maximum for `topograph`\./,
    ],
    [
      'a million switches in one line of topograph',
      fabric,
      'switches:\n s:\n  switches: t[0-1048574]\nblocks: []\n',
      /^file:2: .*more than 65,536 names/,
    ],
    [
      'millions of parallel cables',
      fabric,
      'from,to,cables\na,b,8388607\n',
      /^file:2: The file has more than 2,097,152 links between switches, the maximum\./,
    ],
    ['a matrix of cables in one row', fabric, '0,'.repeat(600_000), /^file:1: The line is longer than 1 MiB\./],
    [
      'many routers of BookSim',
      fabric,
      lines(70_000, (at) => `router ${at} router ${at + 1}`),
      /^file:65536: .*65,536 switches/,
    ],
    [
      'a matrix of traffic in one row',
      table,
      '0,'.repeat(1_000_000),
      /^file:1: The first row has more than 4096 values, too many for the file size\./,
    ],
    ['large hwloc', node, `<topology>${' '.repeat(4_200_000)}</topology>`, /^file: The file is larger than 4 MiB/],
    [
      'deep hwloc',
      node,
      `<topology>${'<object>'.repeat(5000)}${'</object>'.repeat(5000)}</topology>`,
      /^file:1: The file is nested more than 200 levels deep\./,
    ],
    [
      'more slots than there are',
      given,
      '1\n'.repeat(8_388_609),
      /^file:8388609: The file has more than 8,388,608 slots, the maximum number of tasks in a job\./,
    ],
    ['millions of names of a hostfile', given, 'n[0-4194303]\n', /^file:1: .*more than 1,048,576 names/],
  ])('%s', async (_, read, text, expected) => {
    const result = await read(bytesOf(text));
    expect(result.ok ? 'was read' : result.failure.message).toMatch(expected);
  });
});

/** Quadratic once; read in a blink where the time is in proportion to the file. */
describe('a long file is read', () => {
  it.each<[string, Read, string]>([
    ['of 30,000 keys of YAML', fabric, `switches:\n${lines(30_000, (at) => ` k${at}:`)}\nblocks: []\n`],
    ['of comments', fabric, `SwitchName=s Nodes=n ${'#'.repeat(400_000)}\u2028\n`],
    ['of blank lines', given, `${'\n'.repeat(400_000)}n1\n`],
  ])('%s', async (_, read, text) => {
    const result = await read(bytesOf(text));
    expect(result.ok ? 'was read' : result.failure.message).toMatch(/was read|30,000 switches have none above/);
  });
});

describe('a reading ends soon when it is cancelled', () => {
  const cable = (at: number): string => `${at},${at + 1}`;
  it.each<[string, Read, string]>([
    ['a list of traffic', table, `from,to,amount\n${lines(20_000, (at) => `${at},0,1`)}`],
    ['a matrix of traffic', table, `${'0 '.repeat(1500)}\n`.repeat(3000)],
    [
      'Matrix Market',
      table,
      `%%MatrixMarket matrix coordinate pattern general\n9 9 20000\n${lines(20_000, () => '1 2')}`,
    ],
    ['coordinates', coordinates, lines(20_000, () => '1 2')],
    ['slots', given, lines(20_000, String)],
    ['hosts', given, lines(20_000, (at) => `n${at}`)],
    ['cables', fabric, `from,to\n${lines(20_000, cable)}`],
    ['Slurm', fabric, lines(20_000, (at) => `SwitchName=s${at}`)],
    ['InfiniBand', fabric, lines(20_000, (at) => `Switch 1 "S-${at}"`)],
    ['BookSim', fabric, lines(20_000, (at) => `router ${at} router ${at + 1}`)],
  ])('%s', async (_, read, text) => {
    let looks = 0;
    const result = await read(bytesOf(text), { isCancelled: () => looks++ > 1 });
    expect(!result.ok && result.failure.code).toBe('cancelled');
    // One look in a thousand lines, and those behind the reading.
    expect(looks).toBeLessThan(6);
  });
});
