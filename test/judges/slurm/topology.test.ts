/** The switches of a machine as a real Slurm understands the file that is written of them. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { binary } from '../../cli/binary.ts';
import { startSlurm, type Cluster } from './cluster.ts';

const cli = binary();
let cluster: Cluster | undefined;
afterEach(async () => {
  await cluster?.stop();
  cluster = undefined;
});

/** Of each switch its level, and the nodes below it. */
type Switches = Readonly<Record<string, readonly [level: number, nodes: string]>>;

describe('topology.conf of the tree plugin', () => {
  it.each<[string, string, number, Switches]>([
    [
      'a tree of three tiers',
      'topology fat-tree(levels 2 x 2 x 2, parents 1 x 2)  names "n[0-7]"',
      27817,
      {
        'switch-0': [0, 'n[0-1]'],
        'switch-1': [0, 'n[2-3]'],
        'switch-2': [0, 'n[4-5]'],
        'switch-3': [0, 'n[6-7]'],
        'switch-4': [1, 'n[0-3]'],
        'switch-5': [1, 'n[4-7]'],
        'switch-6': [2, 'n[0-7]'],
      },
    ],
    [
      'a dragonfly',
      'topology dragonfly(p 1, a 2, h 1, g 3)  names "n[0-5]"',
      27917,
      {
        ...Object.fromEntries([0, 1, 2, 3, 4, 5].map((node) => [`switch-${node}`, [0, `n${node}`] as const])),
        'group-0': [1, 'n[0-1]'],
        'group-1': [1, 'n[2-3]'],
        'group-2': [1, 'n[4-5]'],
        fabric: [2, 'n[0-5]'],
      },
    ],
  ])('%s is what Slurm shows', async (_, machine, port, switches) => {
    const directory = mkdtempSync(join(cli.scratch(), 'topology-'));
    writeFileSync(
      join(directory, 'a.place'),
      `machine m { ${machine} } job j { tasks 4  pattern ring } placement p { job j  machine m  map baseline }`,
    );
    const out = join(directory, 'written.conf');
    const { code, err } = cli.run(['export', 'a.place', 'p', '--format', 'slurm-tree', '-o', out], directory);
    expect(code, err).toBe(0);
    const nodes = Number(/names "n\[0-(\d+)\]"/.exec(machine)?.[1]) + 1;
    cluster = await startSlurm(directory, { nodes, cores: 1, port, tree: readFileSync(out, 'utf8') });
    const { stdout } = spawnSync('scontrol', ['show', 'topology'], { env: cluster.environment, encoding: 'utf8' });
    const shown = [...stdout.matchAll(/^SwitchName=(\S+) Level=(\d+) .*?Nodes=(\S+)/gm)];
    expect(Object.fromEntries(shown.map(([, name = '', level, below = '']) => [name, [Number(level), below]]))).toEqual(
      switches,
    );
  });
});
