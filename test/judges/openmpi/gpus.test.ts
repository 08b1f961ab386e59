/** Ranks that the real mpirun starts by a rankfile and our script: each sees the GPU that it is on. */
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../../tools/run.ts';
import { binary } from '../../cli/binary.ts';
import { launchText, requireOpenMpi } from './launch.ts';

const cli = binary();
beforeAll(() => {
  requireOpenMpi();
});

describe('Open MPI and the script of GPUs', () => {
  it('show 32 ranks on eight nodes their own GPUs', () => {
    const file = join(cli.scratch(), 'gpus.place');
    copyFileSync(join(root, 'samples/fabrics/power8-gpus.hwloc.xml'), join(cli.scratch(), 'node.xml'));
    writeFileSync(
      file,
      `machine minsky { topology torus 4 x 2  node from "node.xml"  slots gpus }
       job all { tasks 32  pattern ring }
       placement p { job all  machine minsky  map random  seed 5 }`,
    );
    const hosts = Array.from({ length: 8 }, (_, node) => `rack${(node * 7) % 5}-n${8 - node}`);
    const [names, rankfile, script, hostfile] = ['names', 'ranks', 'gpus.sh', 'hostfile'].map((name) =>
      join(cli.scratch(), name),
    ) as [string, string, string, string];
    writeFileSync(names, `${hosts.join('\n')}\n`);
    writeFileSync(hostfile, hosts.map((host) => `${host} slots=8\n`).join(''));
    expect(cli.run(['export', file, 'p', '--format', 'rankfile', '--hosts', names, '-o', rankfile]).code).toBe(0);
    expect(cli.run(['export', file, 'p', '--format', 'gpus', '-o', script]).code).toBe(0);
    const { placements } = JSON.parse(cli.run(['run', file, '--json']).out) as {
      placements: { jobs: { mapping: number[] }[] }[];
    };
    const slots = placements[0]?.jobs[0]?.mapping ?? [];
    const cluster = { hosts, sockets: 2, coresPerSocket: 4 };
    const printed = launchText(cluster, [32], ['--hostfile', hostfile, '--rankfile', rankfile], ['sh', script]);
    const seen = new Map(
      Array.from(printed.matchAll(/^RANK (\d+) HOST (\S+) GPU (\S+)$/gm), ([, rank, host, gpu]) => [
        Number(rank),
        `${host ?? ''} ${gpu ?? ''}`,
      ]),
    );
    expect(slots).toHaveLength(32);
    expect(slots.map((_, rank) => seen.get(rank))).toEqual(
      slots.map((slot) => `${hosts[Math.floor(slot / 4)] ?? ''} ${slot % 4}`),
    );
  });
});
