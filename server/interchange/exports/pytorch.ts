import { succeed } from '../../model/result.ts';
import type { ExportFormatEntry } from '../contract.ts';
import { behindLaunchers, choosingByRank, gpuNumbers, showingGpus } from './gpus.ts';
import { commented, doubtOfJobs, hostOfRank, namedLaunchOf, ranksOfNodes, type NamedLaunch } from './launch.ts';
import { doubtOfThreads, threadWords } from './threads.ts';

/**
 * A script in front of the program that sets what `init_process_group` reads: whatever started the process, so that ranks may be on
 * nodes in any order.
 */
export const pytorch: ExportFormatEntry = {
  name: 'pytorch',
  summary: 'script for every launcher: gives each process RANK and LOCAL_RANK for PyTorch, and its GPUs',
  source: 'PyTorch 2: torch.distributed, environment variable initialization; torchrun, environment variables',
  details:
    'The launcher starts `sh FILE PROGRAM` for each rank. Hosts are those of a `slurm` or `rankfile` export of ' +
    'the same placement. `LOCAL_RANK` counts the ranks of a node, and `CUDA_VISIBLE_DEVICES` has their GPUs in ' +
    'that order. DeepSpeed and Megatron read the same variables. `torchrun` and `deepspeed` cannot place the ' +
    'ranks of a node freely.',
  options: [],
  extension: '.sh',
  write: (report, options) => {
    const launch = namedLaunchOf(report, options);
    if (!launch.ok) return launch;
    const { rankCount, remarks, gpuOfRank } = launch.value;
    const threads = threadWords(launch.value);
    const lines = [
      ...choosingByRank(rankPlaces(launch.value), 'place'),
      `export RANK=$rank WORLD_SIZE=${rankCount} LOCAL_RANK=$local LOCAL_WORLD_SIZE=$size`,
      `export MASTER_ADDR=${hostOfRank(launch.value, 0)} MASTER_PORT=\${MASTER_PORT:-29500}`,
      ...(gpuOfRank ? showingGpus : []),
      ...(threads.length === 0 ? [] : [`export ${threads.join(' ')}`]),
      'exec "$@"',
    ];
    const warnings = [...launch.value.warnings, ...doubtOfJobs(report, 'The script'), ...doubtOfThreads(launch.value)];
    const commands = behindLaunchers(rankCount);
    const file = commented(report, options, { lines, commands, warnings, remarks });
    return succeed({ ...file, text: `#!/bin/sh\n${file.text}` });
  },
};

/** What each rank is on its node, in words of a shell. O(ranks · ranks of a node). */
function rankPlaces(launch: NamedLaunch): readonly string[] {
  const numbers = gpuNumbers(launch);
  const places: string[] = [];
  for (const ranks of ranksOfNodes(launch).values()) {
    const gpus = numbers === undefined ? '' : ` gpu=${ranks.map((rank) => numbers[rank] ?? 0).join(',')}`;
    for (const [local, rank] of ranks.entries()) places[rank] = `local=${local} size=${ranks.length}${gpus}`;
  }
  return places;
}
