import { shellWord } from '../../model/commandLine.ts';
import { fail, succeed } from '../../model/result.ts';
import type { ExportFormatEntry } from '../contract.ts';
import { commented, doubtOfJobs, namedLaunchOf, type NamedLaunch } from './launch.ts';
import { doubtOfCores, nodeBlocksOf, type NodeBlock } from './nodeBlocks.ts';

/** The file of `deepspeed --hostfile`. */
export const deepspeed: ExportFormatEntry = {
  name: 'deepspeed',
  summary: 'DeepSpeed host file: `host slots=GPUs` in rank order; the command line assigns GPUs to ranks',
  source: 'DeepSpeed 0.14.5: deepspeed/launcher/runner.py and launch.py',
  details:
    'DeepSpeed numbers ranks host by host in file order. The ranks of a node must be consecutive. `--include` ' +
    'lists the GPUs of a host in rank order if they are not all GPUs in ascending order. Without SSH between ' +
    'nodes, run the second command line on every node; `NODE` is the index of the node in the file, from 0.',
  options: [],
  extension: '.hostfile',
  write: (report, options) => {
    const launch = namedLaunchOf(report, options);
    if (!launch.ok) return launch;
    const blocks = nodeBlocksOf(launch.value, 'DeepSpeed');
    if (!blocks.ok) return blocks;
    const slots = blocks.value.map((block) => nodeSlots(block, launch.value));
    const include = includeOf(blocks.value, slots);
    const unreadable = blocks.value.find(({ host }) => include !== '' && host.includes(':'));
    if (unreadable !== undefined) {
      return fail(
        'bad-hosts',
        `DeepSpeed cannot parse host name ${unreadable.host}: \`--include\` uses ':' for GPUs. Rename the host.`,
      );
    }
    const chosen = include === '' ? '' : ` --include=${shellWord(include)}`;
    const common = `deepspeed --hostfile={file}${chosen} --master_addr=${blocks.value[0]?.host ?? ''}`;
    const commands = [
      { of: 'DeepSpeed', line: `${common} PROGRAM` },
      { of: 'DeepSpeed without SSH', line: `${common} --no_ssh --node_rank=NODE PROGRAM` },
    ];
    const warnings = [
      ...launch.value.warnings,
      ...doubtOfJobs(report, 'A host file'),
      ...doubtOfCores(launch.value, 'DeepSpeed'),
      ...doubtOfIncludeLength(include),
    ];
    const lines = blocks.value.map(({ host }, node) => `${host} slots=${slots[node] ?? 0}`);
    return succeed(commented(report, options, { lines, commands, warnings, remarks: launch.value.remarks }));
  },
};

/** All GPUs of the node, or its ranks where these run on cores. */
const nodeSlots = ({ count, gpus }: NodeBlock, { machine }: NamedLaunch): number =>
  gpus === undefined ? count : gpus.reduce((most, gpu) => Math.max(most, gpu + 1), machine.coresPerNode);

/** `n1:1,0@n0`, or nothing where DeepSpeed would choose the same. O(ranks). */
function includeOf(blocks: readonly NodeBlock[], slots: readonly number[]): string {
  const hosts = blocks.map(({ host, gpus }, node) => {
    const isAll = gpus === undefined || (gpus.length === slots[node] && gpus.every((gpu, at) => gpu === at));
    return isAll ? host : `${host}:${gpus.join(',')}`;
  });
  return hosts.every((text, node) => text === blocks[node]?.host) ? '' : hosts.join('@');
}

/** Bytes that Linux lets a word of a command line have, MAX_ARG_STRLEN. */
const longestWord = 2 ** 17;

const doubtOfIncludeLength = (include: string): readonly string[] =>
  include.length < longestWord - 100
    ? []
    : [
        '`--include` exceeds 128 KiB, the Linux limit for an argument. Place ranks on all GPUs of each node in order, or use `pytorch`.',
      ];
