import { largestOf } from '../../model/lists.ts';
import { type Result, fail, succeed } from '../../model/result.ts';
import type { Machine } from '../../model/machine.ts';
import { coreOfSlot } from '../../model/slots.ts';
import type { CommandLine } from '../../model/commandLine.ts';
import type { ExportFormatEntry } from '../contract.ts';
import { bare, doubtOfJobs, launchOf, linesOfRanks, ranksOfNodes, type Launch } from './launch.ts';

/** Map files of the tori of Blue Gene. */
export const blueGene: ExportFormatEntry = {
  name: 'bluegene',
  summary: 'Blue Gene map file: coordinates of each rank, `X Y Z T` on L and P (three axes), `A B C D E T` on Q (five)',
  source: 'IBM Redbooks SG24-7287 (P) and SG24-7948 (Q), mapping files',
  details:
    'T is the core in the node. The machine must be a torus or mesh with three or five axes and one node per router.',
  options: [],
  extension: '.map',
  lines: 'bare',
  write: (report) => {
    const launch = launchOf(report);
    if (!launch.ok) return launch;
    const shape = torusSides(launch.value.machine);
    if (!shape.ok) return shape;
    const { rankCount, slotOfRank, nodeOfRank, machine } = launch.value;
    const lines = linesOfRanks(rankCount, (rank) => {
      let rest = nodeOfRank[rank] ?? 0;
      const coordinates = shape.value.map((side) => {
        const coordinate = rest % side;
        rest = (rest - coordinate) / side;
        return coordinate;
      });
      return [...coordinates, coreOfSlot(machine, slotOfRank[rank] ?? 0)].join(' ');
    });
    const isQ = shape.value.length === 5;
    const warnings = [
      ...doubtOfJobs(report, 'A map file'),
      ...(isQ ? doubtOfQ(launch.value) : doubtOfBlock(launch.value)),
    ];
    return succeed(bare({ lines, commands: isQ ? commandsOfQ(launch.value) : commandsOfLP(launch.value), warnings }));
  },
};

/** The sides of the machine. Fails with `not-a-torus`. */
function torusSides({ name, topology, nodeCount }: Machine): Result<readonly number[]> {
  const { shape, wraps, twist, routerCount } = topology;
  const axes = shape?.length ?? 0;
  if (
    shape !== undefined &&
    wraps !== undefined &&
    twist === undefined &&
    (axes === 3 || axes === 5) &&
    nodeCount === routerCount
  )
    return succeed(shape);
  return fail(
    'not-a-torus',
    `Machine \`${name}\` does not fit a Blue Gene map file. Use a torus or mesh with three (L, P) or five (Q) axes and one node per router.`,
  );
}

const commandsOfLP = ({ rankCount }: Launch): readonly CommandLine[] => [
  { of: 'Blue Gene/L', line: `mpirun -np ${rankCount} -env BGLMPI_MAPPING={file} PROGRAM` },
  { of: 'Blue Gene/P', line: `mpirun -np ${rankCount} -env BG_MAPPING={file} PROGRAM` },
];

function commandsOfQ(launch: Launch): readonly CommandLine[] {
  const ranks = `--np ${launch.rankCount} --ranks-per-node ${ranksPerNode(launch)}`;
  return [{ of: 'Blue Gene/Q', line: `runjob ${ranks} --mapping {file} : PROGRAM` }];
}

/** Ranks of a node on Q are a power of two up to 64, and T is below it. */
function ranksPerNode({ machine, slotOfRank }: Launch): number {
  const most = slotOfRank.reduce((largest, slot) => Math.max(largest, coreOfSlot(machine, slot)), 0) + 1;
  return 2 ** Math.ceil(Math.log2(most));
}

function doubtOfQ(launch: Launch): readonly string[] {
  return ranksPerNode(launch) <= 64 ? [] : ['Blue Gene/Q has at most 64 ranks on a node.'];
}

/** Blue Gene/L wants every place of its block. */
function doubtOfBlock(launch: Launch): readonly string[] {
  const { machine, rankCount } = launch;
  const most = largestOf(Array.from(ranksOfNodes(launch).values(), (ranks) => ranks.length));
  if (rankCount === machine.nodeCount * most) return [];
  return [`Blue Gene/L needs a rank in every slot of its block. Machine \`${machine.name}\` has empty slots.`];
}
