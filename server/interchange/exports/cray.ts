import { fail, succeed } from '../../model/result.ts';
import { hostlistOf } from '../../model/hostlist.ts';
import type { ExportFormatEntry } from '../contract.ts';
import { byNames, commented, doubtOfJobs, namedLaunchOf, ranksOfNodes, type NamedLaunch } from './launch.ts';

/** The order that HPE Cray MPICH gives to ranks. */
export const cray: ExportFormatEntry = {
  name: 'cray',
  summary: 'HPE Cray MPICH `MPICH_RANK_ORDER`: which ranks are on the first node, the second and so on',
  source: 'HPE Cray MPICH intro_mpi(3): MPICH_RANK_REORDER_METHOD; grid_order(1)',
  details:
    'A line for each node, its ranks in the order of their cores. The file names no host: nodes count as Slurm counts them, in the order of their names. Each node must have as many ranks as the others, the last one fewer.',
  options: [],
  extension: '.order',
  write: (report, options) => {
    const launch = namedLaunchOf(report, options);
    if (!launch.ok) return launch;
    const { rankCount, nodes, slotOfRank, hosts, remarks } = launch.value;
    const ranks = ranksOfNodes(launch.value);
    const order = byNames(launch.value);
    const perNode = ranks.get(order.nodes[0] ?? 0)?.length ?? 0;
    const fault = faultOfCounts(launch.value, order.nodes, ranks);
    if (fault !== undefined) return fail('uneven-ranks', fault);
    const lines = order.nodes.map((node) =>
      ranks
        .get(node)!
        .toSorted((a, b) => slotOfRank[a]! - slotOfRank[b]!)
        .join(','),
    );
    const nodelist = hostlistOf(order.nodes.map((node) => hosts[node] ?? ''));
    const words = [`-N ${nodes.length}`, `-n ${rankCount}`, `--ntasks-per-node=${perNode}`, `--nodelist='${nodelist}'`];
    const line = `MPICH_RANK_REORDER_METHOD=3 MPICH_RANK_REORDER_FILE={file} srun ${words.join(' ')} PROGRAM`;
    const warnings = [...launch.value.warnings, ...doubtOfJobs(report, 'A rank order'), ...order.warnings];
    return succeed(
      commented(report, options, {
        lines,
        commands: [{ of: 'Cray MPICH', line }],
        warnings,
        remarks: [...remarks, `ranks per node: ${perNode}`],
      }),
    );
  },
};

/** Positions of the list are dealt to nodes evenly: every node but the last must have as many ranks as the first. */
function faultOfCounts(
  { hosts }: NamedLaunch,
  nodes: readonly number[],
  ranks: ReadonlyMap<number, readonly number[]>,
): string | undefined {
  const counts = nodes.map((node) => ranks.get(node)?.length ?? 0);
  const [first = 0] = counts;
  const odd = counts.findIndex((count, at) => (at === counts.length - 1 ? count > first : count !== first));
  if (odd < 0) return undefined;
  const name = (at: number): string => hosts[nodes[at] ?? 0] ?? '';
  return `A rank order deals ranks to nodes evenly, and ${name(0)} has ${first} of them where ${name(odd)} has ${counts[odd] ?? 0}: place as many on every node, or write another format.`;
}
