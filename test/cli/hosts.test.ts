/** Names of hosts as a scheduler gives them: into an allocation, through every export, and back as a given mapping. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { commandLine } from './commandLine.ts';

const cli = commandLine();

const topology = [1, 2, 3, 4]
  .map((leaf) => `SwitchName=leaf${leaf} Nodes=nid[0${leaf}000-0${leaf}003]`)
  .concat('SwitchName=core Switches=leaf[1-4]')
  .join('\n');

const program = (allocate: string, map: string): string => `
machine real { topology from "topology.conf" sockets 2 cores 2 }
job heat { tasks 10 pattern ring bytes 1 MiB }
placement p { job heat machine real allocate ${allocate} map ${map} }
`;

/** Not in the order of the nodes, as a scheduler hardly gives them, so that a mistaken order shows. */
const nodelist = 'nid04003,nid[01001-01002]';

function write(name: string, text: string): void {
  writeFileSync(join(cli.scratch(), name), text);
}

async function run(words: readonly string[]): Promise<string> {
  const { code, out, err } = await cli.run(words, cli.scratch());
  if (code !== 0) throw new Error(err);
  return out;
}

interface Placed {
  readonly nodes: number[];
  readonly hosts: string[];
  readonly mapping: number[];
}

async function placed(allocate: string, map: string): Promise<Placed> {
  write('again.place', program(allocate, map));
  const { placements } = JSON.parse(await run(['run', 'again.place', '--json'])) as {
    placements: { jobs: Placed[] }[];
  };
  const { nodes, hosts, mapping } = placements[0]!.jobs[0]!;
  return { nodes, hosts, mapping };
}

/** Standard error of a program that has an error. */
async function complaint(allocate: string, map: string): Promise<string> {
  write('wrong.place', program(allocate, map));
  const { code, err } = await cli.run(['run', 'wrong.place'], cli.scratch());
  expect(code).toBe(1);
  return err;
}

describe('hosts by name', () => {
  let first: Placed;
  beforeAll(async () => {
    write('topology.conf', topology);
    write('nodelist.txt', `${nodelist}\n`);
    first = await placed(`nodes ["${nodelist}"]`, 'random');
    write('first.place', program(`nodes ["${nodelist}"]`, 'random'));
  });

  it('are allocated in the order of the list, and stand beside the nodes', async () => {
    expect(first).toMatchObject({ nodes: [15, 1, 2], hosts: ['nid04003', 'nid01001', 'nid01002'] });
    expect(await run(['run', 'first.place'])).toContain(`heat (10 tasks, 3 nodes allocated: nid[04003,01001-01002])`);
  });

  it.each([
    ['a hostlist, as the scheduler writes it', `${nodelist}\n`],
    ['one on a line', '# job 4711\nnid04003\nnid01001\nnid01002\n'],
    ['a hostfile of Open MPI', 'nid04003 slots=4\nnid01001 slots=4\nnid01002 slots=4\n'],
    ['a line per slot', ['nid04003', 'nid01001', 'nid01002'].map((host) => `${host}\n`.repeat(4)).join('')],
  ])('are read from a file: %s', async (_, text) => {
    write('hosts.txt', text);
    expect(await placed('nodes "hosts.txt"', 'random')).toEqual(first);
  });

  it.each([
    ['rankfile', 'rankfile'],
    ['vector', 'vector'],
    ['json', 'json'],
  ])('come back from our own %s as the same mapping', async (format) => {
    const file = `mapping.${format}`;
    await run(['export', 'first.place', 'p', '--format', format, '-o', file]);
    expect(await placed('nodes "nodelist.txt"', `given "${file}"`)).toEqual(first);
  });

  it.each(['rankfile', 'json'])('come back from our own %s as the same nodes too', async (format) => {
    const file = `mapping.${format}`;
    await run(['export', 'first.place', 'p', '--format', format, '-o', file]);
    const own = await placed(`nodes "${file}"`, `given "${file}"`);
    expect(own.mapping).toEqual(first.mapping);
    expect([...own.nodes].sort()).toEqual([...first.nodes].sort());
  });

  it('come back from run --json', async () => {
    write('result.json', await run(['run', 'first.place', '--json']));
    expect(await placed('nodes "result.json"', 'given "result.json"')).toEqual(first);
  });

  it('score what a launcher does today', async () => {
    const labelled = Array.from({ length: 10 }, (_, rank) => `${rank}: nid0100${rank % 3}`).reverse();
    write('srun.txt', `${labelled.join('\n')}\n`);
    const { nodes, mapping } = await placed('nodes "srun.txt"', 'given "srun.txt"');
    expect([...nodes].sort()).toEqual([0, 1, 2]);
    expect(mapping).toEqual([0, 4, 8, 1, 5, 9, 2, 6, 10, 3]);
  });

  it.each([
    [
      'an unknown host',
      'nodes ["nid[01001-01005]"]',
      'random',
      "Unknown host 'nid01004' of machine `real`; did you mean 'nid01000'?",
    ],
    ['a host twice', 'nodes ["nid[01000-01002]", 1]', 'random', 'Node 1 is listed twice'],
    ['a broken list', 'nodes ["nid[01001-"]', 'random', 'The bracket of'],
    [
      'a list without brackets',
      'nodes "nid[01001-01003]"',
      'random',
      '`nodes` takes a file here, not a list of hosts. Put brackets around a list.',
    ],
    ['a file that is not there', 'nodes "none.txt"', 'random', 'none.txt not found'],
    [
      'ranks elsewhere',
      'nodes ["nid[01000-01002]"]',
      'given "elsewhere.txt"',
      'Line 1: rank 0 is on nid04003 (node 15)',
    ],
    ['relative hosts', 'nodes "relative.rankfile"', 'random', "'+n0' counts allocated hosts"],
  ])('are refused with a sentence: %s', async (_, allocate, map, words) => {
    write('elsewhere.txt', 'nid04003\n'.repeat(10));
    write('relative.rankfile', 'rank 0=+n0 slot=0\n');
    expect(await complaint(allocate, map)).toContain(words);
  });
});

describe('--hosts', () => {
  const exported = async (hosts: string) => {
    write(
      'torus.place',
      'machine m { topology torus 4 cores 2 } job j { tasks 4 pattern ring } placement p { job j machine m allocate nodes [3, 1] map given [6, 7, 2, 3] }',
    );
    write('hosts.txt', hosts);
    return await cli.run(['export', 'torus.place', 'p', '--format', 'rankfile', '--hosts', 'hosts.txt'], cli.scratch());
  };
  const ranks = (out: string): string[] =>
    Array.from(out.matchAll(/^rank \d+=(\S+) slot=\S+$/gm), ([, host]) => host ?? '');

  it.each([
    ['the allocated ones in their order', 'x1\nx2\n', ['x1', 'x1', 'x2', 'x2']],
    ['as a hostlist', 'nid[01000-01001]', ['nid01000', 'nid01000', 'nid01001', 'nid01001']],
    ['with slots', 'x1 slots=2\nx2 slots=2\n', ['x1', 'x1', 'x2', 'x2']],
    ['all of the machine by node', 'a\nb\nc\nd\n', ['d', 'd', 'b', 'b']],
  ])('takes %s', async (_, hosts, expected) => {
    const { code, out } = await exported(hosts);
    expect(code).toBe(0);
    expect(ranks(out)).toEqual(expected);
  });

  it.each([
    ['too few', 'x1\n', 'error: Found 1 host names, missing for node 1.'],
    ['too many', 'x1\nx2\nx3\n', 'error: Found 3 host names, 1 too many (x3).'],
  ])('refuses %s and says which', async (_, hosts, words) => {
    const { code, err } = await exported(hosts);
    expect(code).toBe(1);
    expect(err).toContain(words);
  });
});
