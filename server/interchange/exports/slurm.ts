import { succeed } from '../../model/result.ts';
import type { ExportFormatEntry } from '../contract.ts';
import { commonGpus, doubtOfGpus, gpuNumbers } from './gpus.ts';
import {
  cannotBind,
  commented,
  commonBindingOf,
  doubtOfJobs,
  doubtOfSystemNumbers,
  hostOfRank,
  isBound,
  linesOfRanks,
  namedLaunchOf,
  processorsOfRank,
  type NamedLaunch,
} from './launch.ts';
import { coresOfEveryRank, doubtOfThreads, threadWords } from './threads.ts';

/** The file that SLURM_HOSTFILE names. */
export const slurm: ExportFormatEntry = {
  name: 'slurm',
  summary: 'Slurm host file: the host of each rank, one per line; the command line binds ranks to cores',
  source: 'Slurm srun(1) 22.05: --distribution=arbitrary, --cpu-bind',
  details:
    'Task i of the step runs on the host of line i below the header. `--cpu-bind` binds the k-th task of every node alike, so ranks of all nodes must be on the same cores. For GPUs, `--gpu-bind=map_gpu` does the same with the GPU numbers of the node.',
  options: [],
  extension: '.hostfile',
  write: (report, options) => {
    const launch = namedLaunchOf(report, options);
    if (!launch.ok) return launch;
    const { rankCount, nodes, remarks } = launch.value;
    const lines = linesOfRanks(rankCount, (rank) => hostOfRank(launch.value, rank));
    const bind = slurmBinding(launch.value);
    const gpus = gpuBinding(launch.value);
    const words = [
      ...threadWords(launch.value),
      'srun',
      `-N ${nodes.length}`,
      `-n ${rankCount}`,
      '--distribution=arbitrary',
      ...cpusPerTask(launch.value),
      ...bind.words,
      ...gpus.words,
    ];
    const commands = [{ of: 'Slurm', line: `SLURM_HOSTFILE={file} ${words.join(' ')} PROGRAM` }];
    const warnings = [
      ...launch.value.warnings,
      ...doubtOfJobs(report, 'A host file'),
      ...doubtOfThreads(launch.value),
      ...bind.warnings,
      ...gpus.warnings,
    ];
    return succeed(commented(report, options, { lines, commands, warnings, remarks }));
  },
};

/** What Slurm counts are processors: hardware threads, where a file says that cores have several. */
export const cpusPerTask = (launch: NamedLaunch): readonly string[] =>
  coresOfEveryRank(launch) === undefined ? [] : [`--cpus-per-task=${processorsOfRank(launch, 0).length}`];

/** The k-th task of every node gets the same GPU, as it gets the same cores. */
function gpuBinding(launch: NamedLaunch): { readonly words: readonly string[]; readonly warnings: readonly string[] } {
  const numbers = gpuNumbers(launch);
  if (numbers === undefined) return { words: [], warnings: [] };
  // Which numbers Slurm gives GPUs of several makers is said by its configuration alone.
  const list = launch.machine.inside.makersOfGpus === undefined ? commonGpus(launch, numbers) : undefined;
  if (list !== undefined) return { words: [`--gpu-bind=map_gpu:${list.join(',')}`], warnings: [] };
  return {
    words: ['--gpu-bind=none'],
    warnings: doubtOfGpus(launch, 'Slurm (same GPU for the k-th rank of every node)'),
  };
}

function slurmBinding(launch: NamedLaunch): {
  readonly words: readonly string[];
  readonly warnings: readonly string[];
} {
  if (!isBound(launch)) return { words: [], warnings: [] };
  const { processors, differing } = commonBindingOf(launch);
  if (differing !== undefined) return { words: [], warnings: [cannotBind('Slurm', differing, launch)] };
  const isSingle = processors.every(({ length }) => length === 1);
  const list = isSingle
    ? `map_cpu:${processors.join()}`
    : `mask_cpu:${processors.map((own) => `0x${maskOf(own)}`).join()}`;
  return { words: [`--cpu-bind=${list}`], warnings: doubtOfSystemNumbers('Slurm', launch) };
}

/** Processors as a mask in hexadecimal, the lowest bit for number 0: `f0`. */
export const maskOf = (processors: readonly number[]): string =>
  processors.reduce((mask, number) => mask | (1n << BigInt(number)), 0n).toString(16);
