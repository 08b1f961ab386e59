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
  nodeRuns,
  type NamedLaunch,
} from './launch.ts';
import { cpusPerTask } from './slurm.ts';
import { doubtOfThreads, threadWords } from './threads.ts';

/** The order that HPE Cray MPICH gives to ranks. */
export const cray: ExportFormatEntry = {
  name: 'cray',
  summary: 'HPE Cray MPICH `MPICH_RANK_ORDER`: the ranks of the first node, the second and so on',
  source: 'HPE Cray MPICH intro_mpi(3): MPICH_RANK_REORDER_METHOD; grid_order(1)',
  details:
    'One line per node with its ranks in core order. The file has no host names: nodes count as in Slurm, sorted by name. All nodes need the same number of ranks; the last can have fewer.',
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
    const words = [
      `-N ${nodes.length}`,
      `-n ${rankCount}`,
      `--ntasks-per-node=${perNode}`,
      ...cpusPerTask(launch.value),
      `--nodelist='${nodelist}'`,
    ];
    const variables = ['MPICH_RANK_REORDER_METHOD=3', 'MPICH_RANK_REORDER_FILE={file}', ...threadWords(launch.value)];
    const line = `${variables.join(' ')} srun ${words.join(' ')} PROGRAM`;
    const warnings = [
      ...launch.value.warnings,
      ...doubtOfJobs(report, 'A rank order'),
      ...doubtOfThreads(launch.value),
      ...order.warnings,
      ...doubtOfMappingLength(launch.value, order.nodes),
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
function doubtOfMappingLength(launch: NamedLaunch, nodes: readonly number[]): readonly string[] {
  const numberOf = new Map(nodes.map((node, at) => [node, at]));
  const blocks = blocksOfRuns(nodeRuns(launch), (node) => numberOf.get(node) ?? 0);
  const letters = blocks.reduce((sum, block) => sum + `,(${block.join(',')})`.length, '(vector)'.length);
  if (letters <= longestMapping) return [];
  return [
    `Cray MPICH 9.1 may fail to start: the rank mapping needs ${formatNumber(letters)} characters and ${formatNumber(longestMapping)} fit. Load version 9.0, or place consecutive ranks on one node (\`unable to populate node ids from PMI_process_mapping\`).`,
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
  return `A rank order needs equal ranks per node; ${name(0)} has ${first}, ${name(odd)} has ${counts[odd] ?? 0}. Place the same number on every node, or use another format.`;
}
