import { succeed } from '../../model/result.ts';
import type { ExportFormatEntry } from '../contract.ts';
import { doubtOfGpus } from './gpus.ts';
import { bare, byNames, doubtOfJobs, namedLaunchOf, runsOf, type Run } from './launch.ts';

/** A task map of Flux. */
export const flux: ExportFormatEntry = {
  name: 'flux',
  summary: 'Flux task map: blocks `[node, nodes, ranks, repeats]` in one line of JSON',
  source: 'Flux RFC 34, Flux Task Map; flux-run(1): --taskmap',
  details:
    'The map names no host: nodes count as in the resources of the job, in the order of their names. Ranks of a node take its cores in order.',
  options: [],
  extension: '.taskmap',
  lines: 'bare',
  write: (report, options) => {
    const launch = namedLaunchOf(report, options);
    if (!launch.ok) return launch;
    const { rankCount, nodes } = launch.value;
    const order = byNames(launch.value);
    const numberOf = new Map(order.nodes.map((node, at) => [node, at]));
    const runs = runsOf(launch.value).map((run) => ({ ...run, node: numberOf.get(run.node) ?? 0 }));
    const line = `flux run -N ${nodes.length} -n ${rankCount} --exclusive --taskmap=manual:"$(cat {file})" PROGRAM`;
    const warnings = [
      ...launch.value.warnings,
      ...doubtOfJobs(report, 'A task map'),
      ...doubtOfGpus(launch.value, 'A task map'),
      ...order.warnings,
    ];
    return succeed(bare({ lines: [JSON.stringify(blocksOf(runs))], commands: [{ of: 'Flux', line }], warnings }));
  },
};

type Block = readonly [node: number, nodes: number, ranks: number, repeats: number];

/**
 * Runs of ranks as blocks: neighbouring nodes with as many ranks are one block, and a block that comes again one that repeats, as Flux
 * itself writes maps. O(runs).
 */
function blocksOf(runs: readonly Run[]): readonly Block[] {
  const blocks: [number, number, number, number][] = [];
  for (const { node, count } of runs) {
    const last = blocks.at(-1);
    if (last?.[2] === count && last[0] + last[1] === node) last[1]++;
    else blocks.push([node, 1, count, 1]);
  }
  const merged: [number, number, number, number][] = [];
  for (const block of blocks) {
    const last = merged.at(-1);
    if (last?.[0] === block[0] && last[1] === block[1] && last[2] === block[2]) last[3]++;
    else merged.push(block);
  }
  return merged;
}
