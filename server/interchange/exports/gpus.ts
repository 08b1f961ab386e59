import type { CommandLine } from '../../model/commandLine.ts';
import type { GpuMaker } from '../../model/nodeInside.ts';
import { succeed, type Result } from '../../model/result.ts';
import type { PlacementReport } from '../../model/report.ts';
import type { ExportFormatEntry, ExportOptions, ExportedText } from '../contract.ts';
import { commented, doubtOfJobs, launchOf, ranksOfNodes, type Launch } from './launch.ts';

/**
 * A script that launchers start in front of the program. They bind ranks to cores; which GPU a rank computes on is said by a variable
 * in its environment.
 */
export const gpus: ExportFormatEntry = {
  name: 'gpus',
  summary: 'script for every launcher: shows each rank its own GPU and starts the program',
  source:
    'NVIDIA, CUDA C++ Programming Guide, CUDA_VISIBLE_DEVICES; AMD, ROCm, ROCR_VISIBLE_DEVICES; Intel, Level Zero, ZE_AFFINITY_MASK',
  details:
    'The launcher starts `sh FILE PROGRAM` instead of PROGRAM. The rank comes from Open MPI, PMIx, Hydra, PALS, Slurm or Flux. GPUs are numbered by PCI address, as in `nvidia-smi` and hwloc, separately for each maker on a node. For ranks on cores the script changes nothing.',
  options: [],
  extension: '.sh',
  write: writeScript,
};

/** Variables with the rank, the nearest launcher first: a step of Open MPI in a job of Slurm sees those of both. */
const rankVariables = [
  'OMPI_COMM_WORLD_RANK',
  'PMIX_RANK',
  'PMI_RANK',
  'PALS_RANKID',
  'SLURM_PROCID',
  'FLUX_TASK_RANK',
];

function writeScript(report: PlacementReport, options: ExportOptions = {}): Result<ExportedText> {
  const launch = launchOf(report);
  if (!launch.ok) return launch;
  const { rankCount } = launch.value;
  const ranks = gpusOfRanks(launch.value);
  const commands = behindLaunchers(rankCount);
  const onCores =
    ranks === undefined ? ['Ranks run on cores here, so the script shows each rank all GPUs of its node.'] : [];
  const warnings = [...doubtOfJobs(report, 'The script'), ...onCores];
  const lines = [...(ranks === undefined ? [] : choosing(ranks)), 'exec "$@"'];
  const file = commented(report, options, { lines, commands, warnings });
  return succeed({ ...file, text: `#!/bin/sh\n${file.text}` });
}

/** Of each rank: the number by which the libraries of its maker know it, where they are of several makers, else of all. */
interface GpusOfRanks {
  readonly numbers: Int32Array;
  readonly makers?: readonly (GpuMaker | undefined)[];
}

/** Command lines that start a script in front of the program. */
export const behindLaunchers = (rankCount: number): readonly CommandLine[] => [
  { of: 'Open MPI', line: `mpirun -np ${rankCount} --rankfile RANKFILE sh {file} PROGRAM` },
  {
    of: 'Slurm',
    line: `SLURM_HOSTFILE=HOSTFILE srun -n ${rankCount} --distribution=arbitrary --gpu-bind=none sh {file} PROGRAM`,
  },
];

/** Shows a process the GPUs of `$gpu`, one or a list. */
export const showingGpus: readonly string[] = [
  // HIP heeds CUDA_VISIBLE_DEVICES too, and counts the devices there that ROCR_VISIBLE_DEVICES has left.
  'if [ -e /dev/kfd ]; then unset CUDA_VISIBLE_DEVICES HIP_VISIBLE_DEVICES; export ROCR_VISIBLE_DEVICES=$gpu',
  'else export CUDA_DEVICE_ORDER=PCI_BUS_ID CUDA_VISIBLE_DEVICES=$gpu; fi',
  'export ZE_AFFINITY_MASK=$gpu',
];

/** The same of one GPU, by the number that the libraries of its `$maker` give it. */
const showingByMaker: readonly string[] = [
  'case $maker in',
  'nvidia) export CUDA_DEVICE_ORDER=PCI_BUS_ID CUDA_VISIBLE_DEVICES=$gpu ;;',
  'amd) unset CUDA_VISIBLE_DEVICES HIP_VISIBLE_DEVICES; export ROCR_VISIBLE_DEVICES=$gpu ;;',
  '*) export ZE_AFFINITY_MASK=$gpu ;;',
  'esac',
];

const choosing = ({ numbers, makers }: GpusOfRanks): readonly string[] => [
  ...choosingByRank(
    Array.from(numbers, (gpu, rank) =>
      makers === undefined ? `gpu=${gpu}` : `gpu=${gpu} maker=${makers[rank] ?? 'other'}`,
    ),
    'GPU',
  ),
  ...(makers === undefined ? showingGpus : showingByMaker),
];

/** Undefined where ranks run on cores. O(ranks + GPUs²). */
function gpusOfRanks(launch: Launch): GpusOfRanks | undefined {
  const { gpuOfRank, machine } = launch;
  const { gpus: names = [], makersOfGpus: makers } = machine.inside;
  const numbers = gpuNumbers(launch);
  if (gpuOfRank === undefined || numbers === undefined || makers === undefined) return numbers && { numbers };
  // Each library counts the GPUs of its maker alone, in the order of all.
  const isBefore = (other: number, gpu: number): boolean =>
    makers[other] === makers[gpu] && numberOfGpu(names, other) < numberOfGpu(names, gpu);
  const own = names.map((_, gpu) => names.reduce((count, __, other) => count + Number(isBefore(other, gpu)), 0));
  return { numbers: gpuOfRank.map((gpu) => own[gpu] ?? 0), makers: Array.from(gpuOfRank, (gpu) => makers[gpu]) };
}

/** Of each rank, as the file of the node numbers it where its names do; undefined where ranks run on cores. */
export function gpuNumbers({ gpuOfRank, machine }: Launch): Int32Array | undefined {
  const { gpus: names = [] } = machine.inside;
  return gpuOfRank?.map((gpu) => numberOfGpu(names, gpu));
}

const numberOfGpu = (names: readonly string[], gpu: number): number =>
  Number(/^GPU(\d+)$/.exec(names[gpu] ?? '')?.[1] ?? gpu);

/** A script that finds its rank in `$rank` and does what it says of it; `what` is missing for others. O(ranks). */
export function choosingByRank(commandOfRank: readonly string[], what: string): readonly string[] {
  const ranks = new Map<string, number[]>();
  for (const [rank, command] of commandOfRank.entries()) {
    const own = ranks.get(command);
    if (own === undefined) ranks.set(command, [rank]);
    else own.push(rank);
  }
  const rank = rankVariables.reduceRight((inner, name) => `\${${name}:-${inner}}`, '');
  return [
    `rank=${rank}`,
    'case $rank in',
    ...Array.from(ranks).flatMap(([command, own]) => [...alternatives(own), `${command} ;;`]),
    `*) echo "$0: there is no ${what} for rank '$rank': it was written for ranks 0 to ${commandOfRank.length - 1}" >&2; exit 1 ;;`,
    'esac',
  ];
}

/** Ranks of one line of the script. */
const ranksOfLine = 16;

/** `0|4|8)`, over several lines where there are many. */
function alternatives(ranks: readonly number[]): string[] {
  const lines: string[] = [];
  for (let at = 0; at < ranks.length; at += ranksOfLine) lines.push(ranks.slice(at, at + ranksOfLine).join('|'));
  return lines.map((line, at) => (at < lines.length - 1 ? `${line}|\\` : `${line})`));
}

/** GPUs of the k-th rank of a node; undefined where nodes differ, so that launchers who count ranks there cannot tell GPUs. O(ranks). */
export function commonGpus(launch: Launch, numbers: Int32Array): readonly number[] | undefined {
  const all = Array.from(ranksOfNodes(launch).values(), (ranks) => ranks.map((rank) => numbers[rank] ?? 0));
  const longest = all.reduce((most, own) => (own.length > most.length ? own : most), []);
  return all.every((own) => own.every((gpu, at) => gpu === longest[at])) ? longest : undefined;
}

/** What a format that tells of no GPU says where ranks run on GPUs. */
export const doubtOfGpus = ({ gpuOfRank }: Launch, what: string): readonly string[] =>
  gpuOfRank === undefined
    ? []
    : [`${what} cannot assign these GPUs. Use the format \`gpus\` and start \`sh SCRIPT PROGRAM\`.`];
