/** Steps of a real Slurm whose tasks are where an exported host file says, and the way back from what `srun` prints. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { binary } from '../../cli/binary.ts';
import { startSlurm, type Cluster } from './cluster.ts';

const cli = binary();
const [nodes, cores] = [16, 64];
let cluster: Cluster | undefined;
beforeAll(async () => {
  cluster = await startSlurm(mkdtempSync(join(cli.scratch(), 'slurm-')), { nodes, cores, port: 26917 });
});
afterAll(() => cluster?.stop());

describe('Slurm puts every rank where the host file says', () => {
  it.each([
    [64, 4],
    [1024, 64],
  ])('%i ranks on sixteen nodes', (tasks, coresOfNode) => {
    const directory = mkdtempSync(join(cli.scratch(), 'step-'));
    const program = (map: string): string => {
      const file = join(directory, 'step.place');
      writeFileSync(
        file,
        `machine sixteen { topology torus 4 x 4  cores ${coresOfNode} }
         job all { tasks ${tasks}  pattern ring }
         placement p { job all  machine sixteen  map ${map}  seed 5 }`,
      );
      return file;
    };
    const nodesOf = (file: string): readonly number[] => {
      const report = JSON.parse(cli.run(['run', file, '--json']).out) as {
        placements: { jobs: { mapping: number[] }[] }[];
      };
      return (report.placements[0]?.jobs[0]?.mapping ?? []).map((slot) => Math.floor(slot / coresOfNode));
    };
    const file = program('random');
    const wanted = nodesOf(file);
    const hostfile = join(directory, 'hosts');
    const written = cli.run(['export', file, 'p', '--format', 'slurm', '--names', 'n%d', '-o', hostfile]);
    expect(written.code).toBe(0);
    const [, line = ''] = /^placewright: Slurm: (.*) PROGRAM$/m.exec(written.err) ?? [];
    // One command line, word by word as it was told: our program in the place of PROGRAM.
    const { stdout, stderr, status } = spawnSync(
      'bash',
      ['-c', `${line} bash -c 'echo "$SLURM_PROCID: $SLURMD_NODENAME"'`],
      {
        env: cluster!.environment,
        encoding: 'utf8',
      },
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const hostOfRank = new Map(
      Array.from(stdout.matchAll(/^(\d+): n(\d+)$/gm), ([, rank, node]) => [Number(rank), Number(node)]),
    );
    expect(wanted).toHaveLength(tasks);
    expect(wanted.map((_, rank) => hostOfRank.get(rank))).toEqual(wanted);
    console.log(`Slurm: ${tasks} of ${tasks} ranks on the node we said`);
  });
});
