import { succeed } from '../../model/result.ts';
import { coreOfSlot } from '../../model/slots.ts';
import type { ExportFormatEntry } from '../contract.ts';
import { bare, doubtOfJobs, launchOf, linesOfRanks } from './launch.ts';

/** The map file of Adaptive MPI. */
export const ampi: ExportFormatEntry = {
  name: 'ampi',
  summary: 'Adaptive MPI `mapfile`: the processing element of each rank, one per line',
  source: 'Charm++ Simple1DFileMap, src/ck-core/ckarraymap.C; AMPI manual: +mapping',
  details:
    'Processing elements are the cores of the used nodes, node by node. Start as many per node as it has cores. Charm++ reads the file as `mapfile` in the working directory.',
  options: [],
  extension: '.mapfile',
  fileName: 'mapfile',
  lines: 'bare',
  write: (report) => {
    const launch = launchOf(report);
    if (!launch.ok) return launch;
    const { rankCount, nodes, slotOfRank, nodeOfRank, machine } = launch.value;
    const numberOf = new Map(nodes.map((node, at) => [node, at]));
    const lines = linesOfRanks(rankCount, (rank) =>
      String(
        (numberOf.get(nodeOfRank[rank] ?? 0) ?? 0) * machine.coresPerNode + coreOfSlot(machine, slotOfRank[rank] ?? 0),
      ),
    );
    const elements = nodes.length * machine.coresPerNode;
    const line = `./charmrun +p${elements} ./PROGRAM +vp${rankCount} +mapping MAPFILE`;
    const skipped = nodes.at(-1) === nodes.length - 1 ? [] : [unusedNodes];
    const warnings = [...doubtOfJobs(report, 'A map file'), ...skipped];
    return succeed(bare({ lines, commands: [{ of: 'AMPI', line }], warnings }));
  },
};

const unusedNodes = 'Processing elements count the used nodes in order. Nodes without ranks have none.';
