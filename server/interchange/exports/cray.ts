import { fail, succeed } from '../../model/result.ts';
import { hostlistOf } from '../../model/hostlist.ts';
import { formatNumber } from '../../model/quantities.ts';
import type { ExportFormatEntry } from '../contract.ts';
import {
  blocksOfRuns,
  byNames,
  commented,
  doubtOfJobs,
  namedLaunchOf,
  ranksOfNodes,
  runsOf,
  type NamedLaunch,
} from './launch.ts';

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
    const warnings = [
      ...launch.value.warnings,
      ...doubtOfJobs(report, 'A rank order'),
      ...order.warnings,
      ...doubtOfLength(launch.value, order.nodes),
    ];
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

/** Letters of `PMI_process_mapping` that `MPI_Init` of cray-mpich 9.1.0 has room for. */
const longestMapping = 1023;

/**
 * The library passes on which ranks share a node as `(vector,(0,2,1),(0,2,1),…)`: node, nodes and ranks of each. Measured: in turns on two nodes
 * 252 ranks have 1,016 letters and start, 254 have 1,024 and do not.
 */
function doubtOfLength(launch: NamedLaunch, nodes: readonly number[]): readonly string[] {
  const numberOf = new Map(nodes.map((node, at) => [node, at]));
  const blocks = blocksOfRuns(runsOf(launch), (node) => numberOf.get(node) ?? 0);
  const letters = blocks.reduce((sum, block) => sum + `,(${block.join(',')})`.length, '(vector)'.length);
  if (letters <= longestMapping) return [];
  return [
    `Cray MPICH 9.1 may not start (\`unable to populate node ids from PMI_process_mapping\`): which ranks share a node takes ${formatNumber(letters)} letters there, and it has room for ${formatNumber(longestMapping)}. Load version 9.0, or place ranks that follow one another on one node.`,
  ];
}

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
