import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../../tools/run.ts';
import { binary } from '../../cli/binary.ts';
import { launch, launchText, type RankPlace, requireOpenMpi } from './launch.ts';

const cli = binary();
let version = '';
beforeAll(() => {
  version = requireOpenMpi();
});

interface Case {
  readonly title: string;
  readonly file: () => string;
  readonly placement: string;
  readonly nodes: number;
  readonly sockets: number;
  readonly coresPerSocket: number;
  /** Of each job; 1 where absent. */
  readonly coresPerTask?: readonly number[];
}

const sample = (name: string) => () => join(root, 'samples', name);

/** The CG sample's traffic on 16 nodes with two sockets of two cores, scattered on purpose. */
function sixteenNodes(): string {
  const file = join(cli.scratch(), 'sixteen.place');
  copyFileSync(join(root, 'samples/cg/cg.W.64.mtx'), join(cli.scratch(), 'cg.W.64.mtx'));
  writeFileSync(
    file,
    `machine sixteen { topology torus 4 x 4  sockets 2  cores 2 }
     table bytes from "cg.W.64.mtx"
     job cg { tasks 64  table bytes }
     placement scattered { job cg  machine sixteen  map random  seed 5 }`,
  );
  return file;
}

const oneCore = { nodes: 64, sockets: 1, coresPerSocket: 1 };
const cases: Case[] = [
  { title: 'CG on 64 one-core nodes, tuned', file: sample('cg/nas-cg.place'), placement: 'tuned', ...oneCore },
  { title: 'CG on 64 one-core nodes, by chance', file: sample('cg/nas-cg.place'), placement: 'by-chance', ...oneCore },
  {
    title: 'CG on 16 nodes of 2 sockets of 2 cores',
    file: sixteenNodes,
    placement: 'scattered',
    nodes: 16,
    sockets: 2,
    coresPerSocket: 2,
  },
  {
    title: "CG on the sample's 16 four-core nodes",
    file: sample('cg/nas-cg.place'),
    placement: 'on-quads',
    nodes: 16,
    sockets: 2,
    coresPerSocket: 2,
  },
  {
    title: '1,024 ranks on 16 nodes of 2 sockets of 32 cores',
    file: thousandRanks,
    placement: 'scattered',
    nodes: 16,
    sockets: 2,
    coresPerSocket: 32,
  },
  {
    title: 'a hybrid program with 8 cores for each of 24 ranks, on 7 of 8 nodes of 2 sockets of 16 cores',
    file: sample('hybrid.place'),
    placement: 'threads',
    nodes: 8,
    sockets: 2,
    coresPerSocket: 16,
    coresPerTask: [8],
  },
  {
    title: 'two hybrid programs with 4 cores and 2 cores for each rank, on the same nodes',
    file: sample('hybrid.place'),
    placement: 'together',
    nodes: 8,
    sockets: 2,
    coresPerSocket: 16,
    coresPerTask: [4, 2],
  },
  {
    title: 'two jobs on 36 four-core nodes',
    file: sample('multi-job.place'),
    placement: 'bisected',
    nodes: 36,
    sockets: 1,
    coresPerSocket: 4,
  },
];

/** A ring of 1,024 ranks on sixteen large nodes, scattered on purpose. */
function thousandRanks(): string {
  const file = join(cli.scratch(), 'thousand.place');
  writeFileSync(
    file,
    `machine large { topology torus 4 x 4  sockets 2  cores 32 }
     job ring { tasks 1024  pattern ring }
     placement scattered { job ring  machine large  map random  seed 5 }`,
  );
  return file;
}

/** Names whose order is not that of the nodes, so that a mix-up cannot pass. */
const hostsOf = (nodes: number): string[] =>
  Array.from({ length: nodes }, (_, node) => `rack${(node * 7) % 5}-n${nodes - node}`);

/** What the engine says itself, not by way of the exported file: the slots of all jobs' tasks in order. */
function slotsPerJob(file: string, placement: string): number[][] {
  const { out } = cli.run(['run', file, '--placement', placement, '--json']);
  const report = JSON.parse(out) as { placements: { jobs: { mapping: number[] }[] }[] };
  return (report.placements[0]?.jobs ?? []).map(({ mapping }) => mapping);
}

function exportTo(name: string, words: readonly string[]): string {
  const output = join(cli.scratch(), name);
  const { code, err } = cli.run([...words, '-o', output]);
  expect(err).not.toMatch(/ error: /);
  expect(code).toBe(0);
  return output;
}

function expectedPlace(
  slot: number,
  coresPerTask: number,
  { sockets, coresPerSocket }: Case,
  hosts: readonly string[],
): RankPlace {
  const cores = sockets * coresPerSocket;
  const host = hosts[Math.floor(slot / cores)] ?? 'none';
  // A node of one core leaves nothing to choose: mpirun says "not bound".
  const bound = Array.from({ length: coresPerTask }, (_, at) => (slot % cores) + at);
  return { host, ranOn: host, cores: cores === 1 ? [] : bound };
}

describe('Open MPI puts every rank where the rankfile says', () => {
  it.each(cases.map((entry) => [entry.title, entry] as const))('%s', (title, entry) => {
    const file = entry.file();
    const hosts = hostsOf(entry.nodes);
    const hostsFile = join(cli.scratch(), 'hosts.txt');
    writeFileSync(hostsFile, `${hosts.join('\n')}\n`);
    const rankfile = exportTo('ranks', ['export', file, entry.placement, '--format', 'rankfile', '--hosts', hostsFile]);
    const cores = entry.sockets * entry.coresPerSocket;
    const hostfile = join(cli.scratch(), 'hostfile');
    writeFileSync(hostfile, hosts.map((host) => `${host} slots=${cores}\n`).join(''));

    const jobs = slotsPerJob(file, entry.placement);
    const ranks = jobs.map((slots) => slots.length);
    const places = launch({ ...entry, hosts }, ranks, ['--hostfile', hostfile, '--rankfile', rankfile]);
    const expected = jobs.flatMap((slots, job) =>
      slots.map((slot) => expectedPlace(slot, entry.coresPerTask?.[job] ?? 1, entry, hosts)),
    );
    expect(expected.length).toBeGreaterThan(0);
    const wrong = expected.flatMap((place, rank) =>
      isDeepStrictEqual(places.get(rank), place) ? [] : [{ rank, place, got: places.get(rank) }],
    );
    expect(wrong).toEqual([]);
    console.log(`${version}: ${title}: ${expected.length} of ${expected.length} ranks on the host and core we said`);
  });
});

describe('a mapping vector through the sequential mapper', () => {
  it('puts the ranks of CG on the nodes of the vector', () => {
    const file = sample('cg/nas-cg.place')();
    const { out } = cli.run(['export', file, 'by-chance', '--format', 'vector']);
    const hosts = hostsOf(64);
    const wanted = out
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('#'))
      .map((slot) => hosts[Number(slot)] ?? 'none');
    const hostfile = join(cli.scratch(), 'sequence');
    writeFileSync(hostfile, `${wanted.join('\n')}\n`);
    const places = launch({ hosts, sockets: 1, coresPerSocket: 1 }, [64], ['--hostfile', hostfile, '--map-by', 'seq']);
    expect(wanted.map((_, rank) => places.get(rank)?.ranOn)).toEqual(wanted);
    console.log(`${version}: sequential mapper: 64 of 64 ranks on the nodes of the vector`);
  });
});

describe('an allocation by the names that a scheduler gives', () => {
  /** Sixteen of the thirty-two hosts of a tree, not in its order. */
  const nodelist = 'nid[03004-03007],nid[01000-01003],nid04007,nid[02001-02007]';
  const hosts = [3004, 3005, 3006, 3007, 1000, 1001, 1002, 1003, 4007, 2001, 2002, 2003, 2004, 2005, 2006, 2007].map(
    (number) => `nid0${number}`,
  );
  const cluster = { hosts, sockets: 2, coresPerSocket: 2 };
  const program = (name: string, map: string): string => {
    const file = join(cli.scratch(), `${name}.place`);
    writeFileSync(
      file,
      `machine real { topology from "topology.conf"  sockets 2  cores 2 }
       table bytes from "cg.W.64.mtx"
       job cg { tasks 64  table bytes }
       placement p { job cg  machine real  allocate nodes ["${nodelist}"]  map ${map}  seed 3 }`,
    );
    return file;
  };
  const leaves = [1, 2, 3, 4].map((leaf) => `SwitchName=leaf${leaf} Nodes=nid[0${leaf}000-0${leaf}007]`);

  it('starts 64 ranks where the rankfile says, and the job map that mpirun prints is scored as the same mapping', () => {
    copyFileSync(join(root, 'samples/cg/cg.W.64.mtx'), join(cli.scratch(), 'cg.W.64.mtx'));
    writeFileSync(
      join(cli.scratch(), 'topology.conf'),
      [...leaves, 'SwitchName=core Switches=leaf[1-4]', ''].join('\n'),
    );
    const file = program('named', 'random');
    writeFileSync(join(cli.scratch(), 'nodelist'), nodelist);
    const rankfile = exportTo('named-ranks', [
      ...['export', file, 'p', '--format', 'rankfile'],
      ...['--hosts', join(cli.scratch(), 'nodelist')],
    ]);
    const hostfile = join(cli.scratch(), 'named-hostfile');
    writeFileSync(hostfile, hosts.map((host) => `${host} slots=4\n`).join(''));
    const printed = launchText(cluster, [64], ['--hostfile', hostfile, '--rankfile', rankfile]);
    writeFileSync(join(cli.scratch(), 'job-map.txt'), printed);

    const [slots = []] = slotsPerJob(file, 'p');
    expect(slots).toHaveLength(64);
    for (const given of ['job-map.txt', 'named-ranks']) {
      expect(slotsPerJob(program(`given-${given}`, `given "${given}"`), 'p')).toEqual([slots]);
    }
    console.log(`${version}: 64 of 64 ranks of an allocation by names where we said, and read back from the job map`);
  });
});
