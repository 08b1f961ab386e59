import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findEntry } from '../../model/catalogue.ts';
import { commandWith } from '../../model/commandLine.ts';
import type { PlacementReport } from '../../model/report.ts';
import { exportFormats } from '../catalogue.ts';
import { readGiven } from '../readers.ts';
import type { ExportOptions } from '../contract.ts';
import { reportOf } from '../testing/reports.ts';

const byName: ExportOptions = { hosts: ['a', 'b', 'c', 'd'] };

function written(format: string, report: PlacementReport, options: ExportOptions = byName) {
  const result = findEntry(exportFormats, format)?.write(report, options);
  if (result?.ok !== true) throw new Error(result?.failure.message ?? `no format ${format}`);
  const { text, warnings, commands = [] } = result.value;
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return { text, lines, warnings, commands: commands.map((command) => `${command.of}: ${commandWith(command)}`) };
}

function refused(format: string, report: PlacementReport, options: ExportOptions = byName) {
  const result = findEntry(exportFormats, format)?.write(report, options);
  return result?.ok === false ? `${result.failure.code}: ${result.failure.message}` : 'written';
}

const four = { shape: [2, 2], gpus: 4 };
/** The second node before the first, its GPUs out of order. */
const blocks = reportOf({ ...four, mappings: [[7, 4, 5, 6, 0, 1, 2, 3]] });
/** The first two GPUs of each node, in order. */
const halves = reportOf({ ...four, mappings: [[0, 1, 8, 9]] });
const uneven = reportOf({ ...four, mappings: [[0, 1, 2, 8, 9]] });
/** Nodes by turns. */
const rounds = reportOf({ ...four, mappings: [[2, 8, 0, 9]] });
const onCores = reportOf({ shape: [2, 2], cores: 2, mappings: [[2, 3, 0, 1]] });

const showingGpus = [
  'if [ -e /dev/kfd ]; then unset CUDA_VISIBLE_DEVICES HIP_VISIBLE_DEVICES; export ROCR_VISIBLE_DEVICES=$gpu',
  'else export CUDA_DEVICE_ORDER=PCI_BUS_ID CUDA_VISIBLE_DEVICES=$gpu; fi',
  'export ZE_AFFINITY_MASK=$gpu',
];

/** A stand-in for torchrun, which says how it was started. */
const folder = mkdtempSync(join(tmpdir(), 'torchrun-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});
const standIn = join(folder, 'torchrun');
writeFileSync(standIn, '#!/bin/sh\necho "$CUDA_VISIBLE_DEVICES: $*"\n');
chmodSync(standIn, 0o755);

/** What a script does on a node, or in a process, with these variables. */
function run(text: string, environment: Readonly<Record<string, string>>, ...program: readonly string[]): string {
  const { stdout, stderr } = spawnSync('sh', ['-s', ...program], {
    input: text,
    encoding: 'utf8',
    env: { PATH: `${folder}:${process.env.PATH ?? ''}`, ...environment },
  });
  return `${stdout}${stderr}`.trim();
}

describe('torchrun', () => {
  it('is started with the number of the node, and with its GPUs in the order of the ranks', () => {
    const { text, lines, commands, warnings } = written('torchrun', blocks);
    expect(text).toMatch(/^#!\/bin\/sh\n# Placement p .*\n(?:#.*\n)*# Run once on every node\.\n/);
    expect(lines).toEqual([
      'find_node() { case $1 in',
      'b) node=0 gpu=3,0,1,2 ;;',
      'a) node=1 gpu=0,1,2,3 ;;',
      '*) return 1 ;;',
      'esac; }',
      'host=${NODE_NAME:-${SLURMD_NODENAME:-$(hostname)}}',
      `find_node "$host" || find_node "\${host%%.*}" || { echo "$0: unknown host '$host'" >&2; exit 1; }`,
      ...showingGpus,
      'exec torchrun --nnodes=2 --node-rank=$node --nproc-per-node=4 --rdzv-backend=static --master-addr=b --master-port=${MASTER_PORT:-29500} "$@"',
    ]);
    expect(commands).toEqual([
      'PyTorch: sh FILE PROGRAM',
      "Slurm: srun -N 2 -n 2 --ntasks-per-node=1 --nodelist='b,a' sh FILE PROGRAM",
    ]);
    expect(warnings).toEqual([]);
  });

  const ofNode = (node: number): string =>
    `--nnodes=2 --node-rank=${node} --nproc-per-node=4 --rdzv-backend=static --master-addr=b`;
  it.each<[string, Record<string, string>, string]>([
    ['by Slurm', { SLURMD_NODENAME: 'a' }, `0,1,2,3: ${ofNode(1)} --master-port=29500 train.py --lr 1`],
    ['with a domain', { NODE_NAME: 'b.cluster.org' }, `3,0,1,2: ${ofNode(0)} --master-port=29500 train.py --lr 1`],
    ['with a port', { NODE_NAME: 'a', MASTER_PORT: '7' }, `0,1,2,3: ${ofNode(1)} --master-port=7 train.py --lr 1`],
  ])('finds its node %s', (_, environment, expected) => {
    expect(run(written('torchrun', blocks).text, environment, 'train.py', '--lr', '1')).toBe(expected);
  });

  it('starts nothing on other nodes', () => {
    const said = run(written('torchrun', blocks).text, { NODE_NAME: 'c' }, 'train.py');
    expect(said).toMatch(/unknown host 'c'$/);
  });

  it('shows no GPUs to ranks on cores, and says that it binds none', () => {
    const { lines, warnings } = written('torchrun', onCores);
    expect(lines.slice(1, 3)).toEqual(['b) node=0 ;;', 'a) node=1 ;;']);
    expect(lines.join('\n')).not.toContain('CUDA');
    expect(warnings).toEqual([expect.stringMatching(/^torchrun does not bind ranks to cores\./)]);
  });

  it('refuses nodes with different numbers of ranks, and says which formats do not mind', () => {
    expect(refused('torchrun', uneven)).toBe(
      'uneven-ranks: torchrun needs equal ranks per node; a has 3, c has 2. Place 3 ranks on every node, or use `deepspeed` or `pytorch`.',
    );
  });
});

describe('deepspeed', () => {
  it('has the hosts in the order of the ranks, with all their GPUs, and those of the ranks in the command line', () => {
    const { lines, commands, warnings } = written('deepspeed', blocks);
    expect(lines).toEqual(['b slots=4', 'a slots=4']);
    expect(commands).toEqual([
      'DeepSpeed: deepspeed --hostfile=FILE --include=b:3,0,1,2@a --master_addr=b PROGRAM',
      'DeepSpeed without SSH: deepspeed --hostfile=FILE --include=b:3,0,1,2@a --master_addr=b --no_ssh --node_rank=NODE PROGRAM',
    ]);
    expect(warnings).toEqual([]);
  });

  it('takes fewer ranks than GPUs, and other numbers on other nodes', () => {
    expect(written('deepspeed', halves).commands[0]).toContain(' --include=a:0,1@c:0,1 ');
    expect(written('deepspeed', uneven).commands[0]).toContain(' --include=a:0,1,2@c:0,1 ');
  });

  it('includes nothing where DeepSpeed would choose the same', () => {
    const { lines, commands, warnings } = written('deepspeed', onCores);
    expect(lines).toEqual(['b slots=2', 'a slots=2']);
    expect(commands[0]).toBe('DeepSpeed: deepspeed --hostfile=FILE --master_addr=b PROGRAM');
    expect(warnings).toEqual([expect.stringMatching(/^DeepSpeed does not bind ranks to cores\./)]);
  });

  it('is read back as hosts with room', () => {
    const read = readGiven(new TextEncoder().encode(written('deepspeed', blocks).text), 'h');
    expect(read).toMatchObject({ ok: true, value: { kind: 'hosts', hosts: ['b', 'a'], isRoom: true } });
  });

  it('refuses addresses that --include would take apart', () => {
    expect(refused('deepspeed', halves, { hosts: ['fe80::1', 'b', 'c', 'd'] })).toMatch(
      /^bad-hosts: DeepSpeed cannot parse host name fe80::1: `--include` uses ':' for GPUs\./,
    );
  });

  it('says where the command line is too long', () => {
    const hosts = Array.from({ length: 1300 }, (_, node) => `${'long-'.repeat(20)}${node}`);
    const mapping = hosts.flatMap((_, node) => [2 * node + 1, 2 * node]);
    const { warnings } = written('deepspeed', reportOf({ shape: [1300], gpus: 2, mappings: [mapping] }), { hosts });
    expect(warnings.at(-1)).toMatch(/^`--include` exceeds 128 KiB, the Linux limit for an argument\./);
  });
});

describe('pytorch', () => {
  it('gives each process its rank, and the GPUs of its node in the order of their ranks', () => {
    const { lines, commands, warnings } = written('pytorch', rounds);
    expect(lines).toEqual([
      expect.stringMatching(/^rank=\$\{OMPI_COMM_WORLD_RANK:-/),
      'case $rank in',
      '0)',
      'local=0 size=2 gpu=2,0 ;;',
      '1)',
      'local=0 size=2 gpu=0,1 ;;',
      '2)',
      'local=1 size=2 gpu=2,0 ;;',
      '3)',
      'local=1 size=2 gpu=0,1 ;;',
      expect.stringMatching(
        /^\*\) echo .*no place for rank '\$rank': it was written for ranks 0 to 3" >&2; exit 1 ;;$/,
      ),
      'esac',
      'export RANK=$rank WORLD_SIZE=4 LOCAL_RANK=$local LOCAL_WORLD_SIZE=$size',
      'export MASTER_ADDR=a MASTER_PORT=${MASTER_PORT:-29500}',
      ...showingGpus,
      'exec "$@"',
    ]);
    expect(commands).toEqual([
      'Open MPI: mpirun -np 4 --rankfile RANKFILE sh FILE PROGRAM',
      'Slurm: SLURM_HOSTFILE=HOSTFILE srun -n 4 --distribution=arbitrary --gpu-bind=none sh FILE PROGRAM',
    ]);
    expect(warnings).toEqual([]);
  });

  it.each([
    [rounds, '2', '2 1 4 2 a 29500 2,0'],
    [uneven, '4', '4 1 5 2 a 29500 0,1'],
    [uneven, '2', '2 2 5 3 a 29500 0,1,2'],
    [onCores, '3', '3 1 4 2 b 29500 '],
  ])('tells the program (%#)', (report, rank, expected) => {
    const names = [
      'RANK',
      'LOCAL_RANK',
      'WORLD_SIZE',
      'LOCAL_WORLD_SIZE',
      'MASTER_ADDR',
      'MASTER_PORT',
      'CUDA_VISIBLE_DEVICES',
    ];
    const program = ['sh', '-c', `echo "${names.map((name) => `$${name}`).join(' ')}"`];
    expect(run(written('pytorch', report).text, { SLURM_PROCID: rank }, ...program)).toBe(expected.trim());
  });

  it('starts nothing for ranks that it does not know', () => {
    expect(run(written('pytorch', rounds).text, { SLURM_PROCID: '4' }, 'true')).toMatch(/no place for rank '4'/);
  });
});

describe('what launchers of training jobs cannot do', () => {
  it.each([
    ['torchrun', 'torchrun'],
    ['deepspeed', 'DeepSpeed'],
  ])('%s refuses ranks of a node that do not follow one another, and says what to write', (format, launcher) => {
    expect(refused(format, rounds)).toBe(
      `scattered-ranks: ${launcher} needs consecutive ranks per node; rank 2 is on a again, after rank 1 on c. Use the format \`pytorch\` with \`srun\` or \`mpirun\`.`,
    );
  });

  it.each(['torchrun', 'deepspeed', 'pytorch'])('%s refuses hosts that are too small', (format) => {
    const slotsOfHosts = new Map([['a', 1]]);
    expect(refused(format, halves, { ...byName, slotsOfHosts })).toMatch(/^host-too-small: Host a has 1 slot/);
  });

  it.each(['torchrun', 'deepspeed', 'pytorch'])('%s says that names are placeholders', (format) => {
    expect(written(format, halves, {}).warnings).toEqual([expect.stringMatching(/^Host names are placeholders/)]);
  });
});
