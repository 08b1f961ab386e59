import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { findEntry } from '../../model/catalogue.ts';
import type { PlacementReport } from '../../model/report.ts';
import { exportFormats } from '../catalogue.ts';
import { reportOf } from '../testing/reports.ts';

function written(format: string, report: PlacementReport) {
  const result = findEntry(exportFormats, format)?.write(report, { hosts: ['a', 'b', 'c', 'd'] });
  if (result?.ok !== true) throw new Error(result?.failure.message ?? `no format ${format}`);
  return result.value;
}

/** Four GPUs of a node; ranks of all nodes on the same ones, or not. */
const alike = reportOf({ shape: [2, 2], sockets: 2, cores: 4, gpus: 4, mappings: [[4, 7, 0, 3]] });
const apart = reportOf({ shape: [2, 2], sockets: 2, cores: 4, gpus: 4, mappings: [[4, 7, 1, 3, 14]] });

/** What the script shows the program that it starts, in a shell. */
function run(report: PlacementReport, environment: Readonly<Record<string, string>>): string {
  const { text } = written('gpus', report);
  const program = ['sh', '-c', 'echo "$CUDA_DEVICE_ORDER $CUDA_VISIBLE_DEVICES $ZE_AFFINITY_MASK $*"', 'x'];
  const { stdout, stderr } = spawnSync('sh', ['-s', ...program, 'one', 'two words'], {
    input: text,
    encoding: 'utf8',
    env: { ...environment },
  });
  return `${stdout}${stderr}`;
}

describe('the script of GPUs', () => {
  it.each<[string, Record<string, string>, number]>([
    ['Open MPI', { OMPI_COMM_WORLD_RANK: '1', SLURM_PROCID: '0' }, 3],
    ['PMIx', { PMIX_RANK: '2' }, 1],
    ['Hydra', { PMI_RANK: '0' }, 0],
    ['PALS', { PALS_RANKID: '4' }, 2],
    ['Slurm', { SLURM_PROCID: '3' }, 3],
    ['Flux', { FLUX_TASK_RANK: '4' }, 2],
  ])('shows a rank of %s its own', (_, environment, gpu) => {
    expect(run(apart, environment)).toBe(`PCI_BUS_ID ${gpu} ${gpu} one two words\n`);
  });

  it.each([
    ['is none of it', { PMI_RANK: '5' }],
    ['is not known', {}],
  ])('starts nothing where the rank %s', (_, environment) => {
    expect(run(apart, environment)).toMatch(/there is no GPU for rank '5?': it was written for ranks 0 to 4/);
  });

  it('finds each of many ranks', () => {
    const mapping = Array.from({ length: 200 }, (_, rank) => rank * 4 + ((rank * 7) % 4));
    const many = reportOf({ shape: [200], gpus: 4, mappings: [mapping] });
    for (const rank of [0, 1, 15, 16, 63, 64, 68, 198, 199]) {
      expect(run(many, { PMI_RANK: String(rank) })).toContain(`PCI_BUS_ID ${(rank * 7) % 4} `);
    }
  });

  it('numbers GPUs as the file of the node does', () => {
    const { inside } = alike.machine;
    const renamed = {
      ...alike,
      machine: { ...alike.machine, inside: { ...inside, gpus: ['GPU6', 'GPU4', 'GPU2', 'GPU0'] } },
    };
    expect(run(renamed, { PMI_RANK: '1' })).toContain('PCI_BUS_ID 0 ');
  });

  it('numbers those of each maker by themselves', () => {
    const { inside } = alike.machine;
    const makersOfGpus = ['nvidia', 'amd', 'intel', 'amd'] as const;
    const mixed = { ...alike, machine: { ...alike.machine, inside: { ...inside, makersOfGpus } } };
    // Ranks 0 and 1 of each node are on GPUs 0 and 3: the first of NVIDIA, the second of AMD.
    const show = (rank: string): string => {
      const { stdout, stderr } = spawnSync(
        'sh',
        ['-s', 'sh', '-c', 'echo "$CUDA_VISIBLE_DEVICES,$ROCR_VISIBLE_DEVICES,$HIP_VISIBLE_DEVICES"'],
        {
          input: written('gpus', mixed).text,
          encoding: 'utf8',
          env: { PMI_RANK: rank, CUDA_VISIBLE_DEVICES: '0,1', HIP_VISIBLE_DEVICES: '0,1' },
        },
      );
      return `${stdout}${stderr}`;
    };
    expect(show('0')).toBe('0,,0,1\n');
    expect(show('1')).toBe(',1,\n');
    const { commands = [], warnings } = written('slurm', mixed);
    expect(commands[0]?.line).toMatch(/ --gpu-bind=none PROGRAM$/);
    expect(warnings).toContainEqual(expect.stringMatching(/cannot assign these GPUs/));
  });

  it('changes nothing where ranks run on cores, and says so', () => {
    const onCores = reportOf({ shape: [2, 2], mappings: [[0, 1]] });
    expect(run(onCores, {})).toBe('   one two words\n');
    expect(written('gpus', onCores).warnings).toEqual([expect.stringMatching(/^Ranks run on cores here/)]);
  });
});

describe('GPUs in formats of launchers', () => {
  it('are a list of Slurm where ranks of all nodes are on the same ones', () => {
    const { commands = [], warnings } = written('slurm', alike);
    expect(commands[0]?.line).toMatch(/ --gpu-bind=map_gpu:0,3 PROGRAM$/);
    expect(warnings.join(' ')).not.toContain('GPU');
  });

  it('are left to the script where they are not', () => {
    const { commands = [], warnings } = written('slurm', apart);
    expect(commands[0]?.line).toMatch(/ --gpu-bind=none PROGRAM$/);
    expect(warnings).toContainEqual(
      expect.stringMatching(/^Slurm \(same GPU for the k-th rank of every node\) cannot assign these GPUs/),
    );
  });

  it.each(['rankfile', 'hydra', 'intel', 'lsf', 'flux'])('are said to be missing in %s', (format) => {
    expect(written(format, alike).warnings).toContainEqual(expect.stringMatching(/cannot assign these GPUs/));
  });
});
