/**
 * The real mpiexec.hydra over hosts that do not exist, as Open MPI's judge has them: each line of the host file gets a proxy of its own on this machine,
 * under the host's name and with the cores we say (hwloc's synthetic topologies).
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { binary } from '../../cli/binary.ts';

const missingPackages = 'MPICH is needed to judge host files: apt-get install --no-install-recommends mpich';

const cli = binary();
beforeAll(() => {
  if (spawnSync('mpiexec.hydra', ['--version']).error) throw new Error(missingPackages);
});

const nodes = 16;

/** The host that each rank ran on, and the cores it was bound to, of what mpiexec was told by a host file: `n3 0`. */
function launch(hostfile: string, ranks: number): ReadonlyMap<number, string> {
  const directory = mkdtempSync(join(cli.scratch(), 'hydra-'));
  const hostsFile = join(directory, 'hosts');
  const addresses = Array.from({ length: nodes }, (_, node) => `198.51.100.${node + 1} n${node}`);
  writeFileSync(hostsFile, ['127.0.0.1 localhost', ...addresses, ''].join('\n'));
  // Hydra wants one word for its remote shell.
  const shell = join(directory, 'shell');
  writeFileSync(shell, `#!/bin/bash\nexec bash '${join(import.meta.dirname, '../openmpi/remote-shell.sh')}' "$@"\n`);
  chmodSync(shell, 0o755);
  const asRoot = process.getuid?.() === 0 ? [] : ['--map-root-user'];
  const words = ['mpiexec.hydra', '-iface', 'lo', '-launcher', 'ssh', '-launcher-exec', shell, '-f', hostfile];
  const program = ['-prepend-rank', '-n', String(ranks), 'bash', '-c', 'echo host $(hostname)'];
  const mount = ['--mount', 'bash', '-c', 'mount --bind "$0" /etc/hosts && exec "$@"', hostsFile];
  const environment = { HWLOC_SYNTHETIC: 'package:2 core:2 pu:1', HYDRA_TOPO_DEBUG: '1' };
  const { stdout, stderr, status } = spawnSync('unshare', [...asRoot, ...mount, ...words, ...program], {
    encoding: 'utf8',
    env: { ...process.env, ...environment },
  });
  if (status !== 0) throw new Error(`mpiexec refused (${status ?? 'killed'}):\n${stdout}\n${stderr}`);
  const hosts = Array.from(stdout.matchAll(/^\[(\d+)\] host (\S+)$/gm));
  const bindings = Array.from(stdout.matchAll(/^\[(\d+)\] process \d+ binding: ([01]+)$/gm));
  const cores = new Map(bindings.map(([, rank, bits = '']) => [rank, coresOf(bits)]));
  return new Map(hosts.map(([, rank, host]) => [Number(rank), `${host ?? ''} ${cores.get(rank) ?? 'unbound'}`]));
}

/** `0101`, core 0 first. */
const coresOf = (bits: string): string =>
  Array.from(bits, (bit, core) => (bit === '1' ? [core] : []))
    .flat()
    .join('+');

describe('Hydra puts every rank on the host and the core we said', () => {
  it.each(['random', 'baseline'])('64 ranks, map %s', (map) => {
    const file = join(cli.scratch(), 'sixteen.place');
    writeFileSync(
      file,
      `machine sixteen { topology torus 4 x 4  sockets 2  cores 2 }
       job all { tasks 64  pattern butterfly }
       placement p { job all  machine sixteen  map ${map}  seed 5 }`,
    );
    const hostfile = join(cli.scratch(), 'hosts');
    const written = cli.run(['export', file, 'p', '--format', 'hydra', '--names', 'n%d', '-o', hostfile, '--force']);
    expect(written.code).toBe(0);
    expect(written.err).toContain(`MPICH: mpiexec.hydra -f ${hostfile} -n 64 PROGRAM`);
    const { out } = cli.run(['run', file, '--json']);
    const report = JSON.parse(out) as { placements: { jobs: { mapping: number[] }[] }[] };
    const mapping = report.placements[0]?.jobs[0]?.mapping ?? [];
    expect(mapping).toHaveLength(64);
    const places = launch(hostfile, 64);
    expect(mapping.map((_, rank) => places.get(rank))).toEqual(mapping.map((slot) => `n${slot >> 2} ${slot % 4}`));
    console.log('Hydra: 64 of 64 ranks on the host and core we said');
  });
});
