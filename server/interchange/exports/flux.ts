import { succeed } from '../../model/result.ts';
import type { ExportFormatEntry } from '../contract.ts';
import { doubtOfGpus } from './gpus.ts';
import { bare, blocksOfRuns, byNames, doubtOfJobs, namedLaunchOf, nodeRuns, type RunBlock } from './launch.ts';
import { coresOfEveryRank, doubtOfThreads, threadWords } from './threads.ts';

/** A task map of Flux. */
export const flux: ExportFormatEntry = {
  name: 'flux',
  summary: 'Flux task map: blocks `[node, nodes, ranks, repeats]` in one line of JSON',
  source: 'Flux RFC 34, Flux Task Map; flux-run(1): --taskmap',
  details:
    'The map has no host names: nodes count as in the job resources, sorted by name. The ranks of a node use its cores in order.',
  options: [],
  extension: '.taskmap',
  lines: 'bare',
  write: (report, options) => {
    const launch = namedLaunchOf(report, options);
    if (!launch.ok) return launch;
    const { rankCount, nodes } = launch.value;
    const order = byNames(launch.value);
    const numberOf = new Map(order.nodes.map((node, at) => [node, at]));
    const blocks = blocksOfRuns(nodeRuns(launch.value), (node) => numberOf.get(node) ?? 0);
    const cores = coresOfEveryRank(launch.value);
    const words = [
      'flux run',
      `-N ${nodes.length}`,
      `-n ${rankCount}`,
      ...(cores === undefined ? [] : [`--cores-per-task=${cores}`]),
      ...threadWords(launch.value, (name, value) => `--env=${name}=${value}`),
    ];
    const line = `${words.join(' ')} --exclusive --taskmap=manual:"$(cat {file})" PROGRAM`;
    const warnings = [
      ...launch.value.warnings,
      ...doubtOfJobs(report, 'A task map'),
      ...doubtOfGpus(launch.value, 'A task map'),
      ...doubtOfThreads(launch.value),
      ...order.warnings,
    ];
    return succeed(bare({ lines: [JSON.stringify(repeated(blocks))], commands: [{ of: 'Flux', line }], warnings }));
  },
};

type Block = readonly [node: number, nodes: number, ranks: number, repeats: number];

/** Blocks of runs, one that comes again written once with how often, as Flux itself writes maps. O(blocks). */
function repeated(blocks: readonly RunBlock[]): readonly Block[] {
  const merged: [...RunBlock, repeats: number][] = [];
  for (const block of blocks) {
    const last = merged.at(-1);
    if (block.every((number, at) => last?.[at] === number)) last![3]++;
    else merged.push([...block, 1]);
  }
  return merged;
}
