import { describe, expect, it } from 'vitest';
import { defaultOptions, findEntry } from '../../model/catalogue.ts';
import type { PlacementReport } from '../../model/report.ts';
import { exportFormats } from '../catalogue.ts';
import { readGiven } from '../readers.ts';
import type { ExportOptions } from '../contract.ts';
import { reportOf } from '../testing/reports.ts';
import { readHosts } from '../readers.ts';
import { withNames } from '../../network/names.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function write(format: string, report: PlacementReport, options?: ExportOptions) {
  const result = findEntry(exportFormats, format)?.write(report, options);
  if (result?.ok !== true) throw new Error(result?.failure.message ?? `no format ${format}`);
  return result.value;
}

const withoutComments = (text: string): string[] =>
  text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

const oneCore = reportOf({ shape: [2, 2], mappings: [[3, 0, 2, 1]] });
const sockets = reportOf({ shape: [2, 2], sockets: 2, cores: 2, mappings: [[15, 0, 6]] });
const twoJobs = reportOf({
  shape: [2, 2, 1],
  cores: 4,
  mappings: [
    [1, 0],
    [12, 13],
  ],
});

describe('the ranks of a large job', () => {
  const many = reportOf({ shape: [100, 101], mappings: [Array.from({ length: 10_100 }, (_, task) => 10_099 - task)] });

  it.each(['rankfile', 'slurm', 'ampi', 'scotch', 'csv', 'lsf'])('have a line each, in %s', (format) => {
    const lines = withoutComments(write(format, many).text);
    const rows = lines.slice(lines.length - 10_100);
    expect(new Set(rows).size).toBe(10_100);
    for (const rank of [0, 4095, 4096, 8191, 8192, 10_099]) expect(rows[rank]).toContain(`${10_099 - rank}`);
  });
});

describe('every format', () => {
  // Of the switches that nodes hang on, which a torus has none of.
  const ofSwitches = exportFormats.filter(({ name }) => /^slurm-/.test(name));

  it.each(ofSwitches.map(({ name, write: of }) => [name, of] as const))('%s is refused for a torus', (_, of) => {
    expect(of(twoJobs)).toMatchObject({ ok: false, failure: { code: 'no-switches' } });
  });

  it.each(exportFormats.filter((entry) => !ofSwitches.includes(entry)).map((entry) => [entry.name, entry] as const))(
    '%s writes whole lines, the same each time',
    (_, entry) => {
      const { text } = write(entry.name, twoJobs);
      expect(text.endsWith('\n')).toBe(true);
      expect(write(entry.name, twoJobs).text).toBe(text);
      expect(entry.extension).toMatch(/^\.[a-z]+$/);
      expect(defaultOptions(entry)).toEqual({});
    },
  );
});

describe('vector', () => {
  it('holds one slot per task, and in comments what it is of, so that `given` reads it back', () => {
    const { text, warnings } = write('vector', oneCore);
    expect(text).toMatch(/^# Placement .* by Placewright\.\n# seed \d+, hop-bytes .*\n# job .*\n3\n0\n2\n1\n$/);
    expect(warnings).toEqual([]);
    expect(readGiven(bytesOf(text), 'map.txt')).toMatchObject({ value: { slots: Int32Array.of(3, 0, 2, 1) } });
  });

  it('puts several jobs one behind the other under comments', () => {
    const { text, warnings } = write('vector', twoJobs);
    expect(readGiven(bytesOf(text), 'map.txt')).toMatchObject({ value: { slots: Int32Array.of(1, 0, 12, 13) } });
    expect(text).toContain('# job job1: 2 tasks');
    expect(warnings).toHaveLength(1);
  });
});

describe('json', () => {
  it('is the placement of `run --json`', () => {
    expect(JSON.parse(write('json', oneCore).text)).toMatchObject({
      name: 'p',
      jobs: [{ name: 'job0', mapping: [3, 0, 2, 1] }],
    });
  });
});

describe('rankfile', () => {
  it('names the host and the core of each rank, ranks ascending', () => {
    expect(withoutComments(write('rankfile', oneCore).text)).toEqual([
      'rank 0=node0003 slot=0',
      'rank 1=node0000 slot=0',
      'rank 2=node0002 slot=0',
      'rank 3=node0001 slot=0',
    ]);
  });

  it('writes socket:core where a node has several sockets', () => {
    expect(withoutComments(write('rankfile', sockets).text)).toEqual([
      'rank 0=node0003 slot=1:1',
      'rank 1=node0000 slot=0:0',
      'rank 2=node0001 slot=1:0',
    ]);
  });

  it('numbers ranks through the jobs, and says so in the file and beside it', () => {
    const { text, warnings } = write('rankfile', twoJobs, { hosts: ['a', 'b', 'c', 'd'] });
    expect(withoutComments(text)).toEqual(['rank 0=a slot=1', 'rank 1=a slot=0', 'rank 2=d slot=0', 'rank 3=d slot=1']);
    expect(text).toContain('# job job1: ranks 2 to 3');
    expect(warnings).toEqual([expect.stringMatching(/job0: ranks 0 to 1; job job1: ranks 2 to 3/)]);
  });

  it.each(['rankfile', 'slurm', 'csv', 'kubernetes'])('warns of GUIDs that a fabric has as names, in %s', (format) => {
    const report = reportOf({ shape: [4], mappings: [[0, 1, 2, 3]] });
    const nodes = ['h-b8e92403009ca838', 'n2', '0x0002c90300a1b2c3', 'deadbeefcafe'];
    const topology = { ...report.machine.topology, names: { routers: [], nodes } };
    const { warnings } = write(format, { ...report, machine: { ...report.machine, topology } });
    expect(warnings.join()).toContain(
      '2 hosts are named by a NIC GUID, the first h-b8e92403009ca838. Launchers need host names.',
    );
  });

  it('warns of placeholders, and only of them', () => {
    expect(write('rankfile', oneCore).warnings).toEqual([
      expect.stringMatching(/^Host names are placeholders \(node0000 is node 0\)\./),
    ]);
    expect(write('rankfile', oneCore, { hosts: ['a', 'b', 'c', 'd'] }).warnings).toEqual([]);
  });

  const refusals: [string, PlacementReport, ExportOptions, RegExp][] = [
    ['too few hosts', oneCore, { hosts: ['a', 'b'] }, /Found 2 host names, missing for node 2, node 3\./],
    ['too many hosts', oneCore, { hosts: ['a', 'b', 'c', 'd', 'e', 'f'] }, /Found 6 host names, 2 too many \(e, f\)\./],
    ['one host for two nodes', oneCore, { hosts: ['a', 'b', 'a', 'd'] }, /Nodes 0 and 2 have the same host name a\./],
    [
      'two ranks on one core',
      { ...oneCore, jobs: oneCore.jobs.map((placed) => ({ ...placed, mapping: Int32Array.of(3, 0, 3, 1) })) },
      {},
      /Ranks 0 and 2 share slot 3/,
    ],
  ];
  it.each(refusals)('refuses %s', (_, report, options, expected) => {
    const result = findEntry(exportFormats, 'rankfile')?.write(report, options);
    expect(result?.ok === false && result.failure.message).toMatch(expected);
  });
});

describe('readHosts', () => {
  it('reads names in the order of the nodes', () => {
    expect(readHosts(bytesOf('# rack 1\nn01\n n02.cluster.org # slow\r\n\n10.0.0.3'), 'h')).toEqual({
      ok: true,
      value: { hosts: ['n01', 'n02.cluster.org', '10.0.0.3'] },
    });
  });

  it.each<[string, string, Record<string, number | undefined>]>([
    [
      'a hostlist',
      'nid[01000-01002,01007]\n',
      { nid01000: undefined, nid01001: undefined, nid01002: undefined, nid01007: undefined },
    ],
    ['a hostfile of Open MPI', 'n02 slots=32\nn01 slots = 4 max_slots=4\n', { n02: 32, n01: 4 }],
    ['a hostfile of MPICH', 'n02:32\nn01:4\n', { n02: 32, n01: 4 }],
    ['a line per slot, as PBS writes', 'n02\nn02\nn01\nn01\n', { n02: 2, n01: 2 }],
  ])('reads %s', (_, text, slots) => {
    const read = readHosts(bytesOf(text), 'h');
    if (!read.ok) throw new Error(read.failure.message);
    const { hosts = [], slotsOfHosts } = read.value;
    expect(Object.fromEntries(hosts.map((host) => [host, slotsOfHosts?.get(host)]))).toEqual(slots);
    expect(hosts).toEqual(Object.keys(slots));
  });

  it.each([
    ['no number of slots', 'n01\nn02 slots=many\n', /^h:2: Invalid number of slots 'slots=many'\./],
    ['what a shell or rankfile would misread', 'n01;rm\n', /^h:1: Invalid host name 'n01;rm'/],
    ['numbers', '0\n1\n', /^h: The file has no hosts\./],
  ])('refuses %s', (_, text, expected) => {
    const result = readHosts(bytesOf(text), 'h');
    expect(!result.ok && result.failure.message).toMatch(expected);
  });
});

describe('hosts of a rankfile', () => {
  /** The report as if its machine had been read from a file that uses these names. */
  function called(nodes: readonly string[]): PlacementReport {
    const { machine } = oneCore;
    const isCounted = nodes.every((name) => name.endsWith(':0'));
    const names = { routers: ['a', 'b', 'c', 'd'], nodes, ...(isCounted ? { nodesAreCounted: true as const } : {}) };
    return { ...oneCore, machine: { ...machine, topology: { ...machine.topology, names } } };
  }
  const fabric = ['n1', 'n2', 'n3', 'n4'];
  const hostsIn = (text: string): string[] => [...text.matchAll(/^rank \d+=(\S+) /gm)].map(([, host]) => host ?? '');

  it('are those of the fabric', () => {
    const { text, warnings } = write('rankfile', called(fabric));
    expect(hostsIn(text)).toEqual(['n4', 'n1', 'n3', 'n2']);
    expect(text).not.toContain('placeholders');
    expect(warnings).toEqual([]);
  });

  it('are those that the declaration of the machine gives, also where a file counts its nodes', () => {
    const { machine } = called(['a:0', 'b:0', 'c:0', 'd:0']);
    const topology = withNames(machine.topology, 'gpu[08-10],login');
    if (!topology.ok) throw new Error(topology.failure.message);
    const report = { ...oneCore, machine: { ...machine, topology: topology.value } };
    const { text, warnings } = write('rankfile', report);
    expect([hostsIn(text), warnings]).toEqual([['login', 'gpu08', 'gpu10', 'gpu09'], []]);
  });

  it('are those of --hosts all the same, where there are such', () => {
    expect(hostsIn(write('rankfile', called(fabric), { hosts: ['w', 'x', 'y', 'z'] }).text)).toEqual([
      'z',
      'w',
      'y',
      'x',
    ]);
  });

  it.each<[string, readonly string[], RegExp]>([
    [
      'are no host names',
      ['n1', 'MT25408 ConnectX', 'n3', 'n4'],
      /^The fabric contains the unusable host name 'MT25408 ConnectX'\. Host/,
    ],
    ['do not tell them apart', ['n1', 'n2', 'n2', 'n4'], /Nodes 2 and 1 have the same host name n2\./],
    ['are counted on switches that hold none', ['a:0', 'b:0', 'c:0', 'd:0'], /^Host names are placeholders/],
  ])('are placeholders where those of the fabric %s', (_, nodes, warning) => {
    const { text, warnings } = write('rankfile', called(nodes));
    expect(hostsIn(text)[0]).toBe('node0003');
    expect(warnings).toEqual([expect.stringMatching(warning)]);
  });
});
