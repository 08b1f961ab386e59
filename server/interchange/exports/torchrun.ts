import { hostlistOf } from '../../model/hostlist.ts';
import { fail, succeed } from '../../model/result.ts';
import type { ExportFormatEntry } from '../contract.ts';
import { showingGpus } from './gpus.ts';
import { commented, doubtOfJobs, namedLaunchOf } from './launch.ts';
import { doubtOfCores, faultOfBlocks, nodeBlocksOf, type NodeBlock } from './nodeBlocks.ts';
import { doubtOfThreads, threadWords } from './threads.ts';

/** A script that every node starts: torchrun is told its number there, and its processes are shown GPUs in the order of their ranks. */
export const torchrun: ExportFormatEntry = {
  name: 'torchrun',
  summary: 'script for every node: starts PyTorch torchrun with the node number and its GPUs in order',
  source: 'PyTorch 2: torchrun (torch.distributed.run), static rendezvous',
  details:
    'Every node starts `sh FILE PROGRAM` and finds its name in `NODE_NAME`, `SLURMD_NODENAME` or `hostname`. Rank = node number · ranks per node + local rank. The ranks of a node must be consecutive, and all nodes need the same number of ranks. The local rank is the index in `CUDA_VISIBLE_DEVICES`, for any order of GPUs. Rendezvous is static, on the node of rank 0 and port `MASTER_PORT` (29500): other rendezvous methods number nodes by arrival.',
  options: [],
  extension: '.sh',
  write: (report, options) => {
    const launch = namedLaunchOf(report, options);
    if (!launch.ok) return launch;
    const blocks = nodeBlocksOf(launch.value, 'torchrun');
    if (!blocks.ok) return blocks;
    const fault = faultOfBlocks(blocks.value, 'torchrun');
    if (fault !== undefined) return fail('uneven-ranks', fault);
    const lines = scriptOf(blocks.value, threadWords(launch.value));
    const nodes = blocks.value.length;
    const nodelist = hostlistOf(blocks.value.map(({ host }) => host));
    const commands = [
      { of: 'PyTorch', line: 'sh {file} PROGRAM' },
      {
        of: 'Slurm',
        line: `srun -N ${nodes} -n ${nodes} --ntasks-per-node=1 --nodelist='${nodelist}' sh {file} PROGRAM`,
      },
    ];
    const warnings = [
      ...launch.value.warnings,
      ...doubtOfJobs(report, 'torchrun'),
      ...doubtOfThreads(launch.value),
      ...doubtOfCores(launch.value, 'torchrun'),
    ];
    const remarks = [...launch.value.remarks, 'Run once on every node.'];
    const file = commented(report, options, { lines, commands, warnings, remarks });
    return succeed({ ...file, text: `#!/bin/sh\n${file.text}` });
  },
};

function scriptOf(blocks: readonly NodeBlock[], variables: readonly string[]): readonly string[] {
  const [first] = blocks;
  const words = [
    `--nnodes=${blocks.length}`,
    '--node-rank=$node',
    `--nproc-per-node=${first?.count ?? 0}`,
    '--rdzv-backend=static',
    `--master-addr=${first?.host ?? ''}`,
    '--master-port=${MASTER_PORT:-29500}',
  ];
  return [
    'find_node() { case $1 in',
    ...blocks.map(({ host, gpus: own }, node) => `${host}) node=${node}${own ? ` gpu=${own.join(',')}` : ''} ;;`),
    '*) return 1 ;;',
    'esac; }',
    'host=${NODE_NAME:-${SLURMD_NODENAME:-$(hostname)}}',
    // A node may know itself by its name with the domain, where the file of hosts has none.
    `find_node "$host" || find_node "\${host%%.*}" || { echo "$0: unknown host '$host'" >&2; exit 1; }`,
    ...(first?.gpus ? showingGpus : []),
    // It sets one thread for each process where nothing is said.
    ...(variables.length === 0 ? [] : [`export ${variables.join(' ')}`]),
    `exec torchrun ${words.join(' ')} "$@"`,
  ];
}
