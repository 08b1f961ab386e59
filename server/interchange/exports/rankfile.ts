import { succeed, type Result } from '../../model/result.ts';
import type { PlacementReport } from '../../model/report.ts';
import type { ExportFormatEntry, ExportOptions, ExportedText } from '../contract.ts';
import { doubtOfGpus } from './gpus.ts';
import {
  commented,
  coresOfRank,
  doubtOfJobs,
  hostOfRank,
  linesOfRanks,
  namedLaunchOf,
  type Launch,
  type NamedLaunch,
} from './launch.ts';

export const rankfile: ExportFormatEntry = {
  name: 'rankfile',
  summary: 'Open MPI rankfile for 4.1 and 5: the host and the core of each rank',
  source: 'Open MPI orterun(1) 4.1.4; mpirun(1) 5.0',
  details:
    'Ranks are tasks, numbered through the jobs in order. Cores are logical numbers, `socket:core` if a node has several sockets.',
  options: [],
  extension: '.rankfile',
  write: writeRankfile,
};

/** Ranks ascend: Open MPI 4.1.4 refuses a file that begins with another rank than 0. */
function writeRankfile(report: PlacementReport, options: ExportOptions = {}): Result<ExportedText> {
  const launch = namedLaunchOf(report, options);
  if (!launch.ok) return launch;
  const { rankCount, warnings, remarks } = launch.value;
  const lines = linesOfRanks(
    rankCount,
    (rank) => `rank ${rank}=${hostOfRank(launch.value, rank)} slot=${slotText(launch.value, rank)}`,
  );
  const commands = [
    { of: 'Open MPI 4', line: `mpirun -np ${rankCount} --rankfile {file} PROGRAM` },
    { of: 'Open MPI 5', line: `mpirun -np ${rankCount} --map-by rankfile:file={file} PROGRAM` },
  ];
  const doubts = [
    ...warnings,
    ...doubtOfJobs(report, 'A rankfile'),
    ...doubtOfOverlap(launch.value),
    ...doubtOfGpus(launch.value, 'A rankfile'),
  ];
  return succeed(commented(report, options, { lines, commands, warnings: doubts, remarks }));
}

/**
 * The slot of a rank on its node. One socket: the core's logical number. Several: `socket:core`,
 * which stays right where the real sockets have more cores than the machine declares. Open MPI
 * 4.1 and 5 (PRRTE) read both forms and count logically, sockets first, as we do. Of a GPU: the cores beside it.
 */
function slotText(launch: Launch, rank: number): string {
  const { socket, first, last } = coresOfRank(launch, rank);
  const cores = first === last ? String(first) : `${first}-${last}`;
  return launch.machine.socketsPerNode === 1 ? cores : `${socket}:${cores}`;
}

/** GPUs share cores where a node has fewer cores than GPUs: version 4 says nothing, version 5 refuses. O(ranks · cores of one). */
function doubtOfOverlap(launch: NamedLaunch): readonly string[] {
  // Each other slot is a core of its own.
  if (launch.gpuOfRank === undefined) return [];
  const rankOfCore = new Map<string, number>();
  for (let rank = 0; rank < launch.rankCount; rank++) {
    const { socket, first, last } = coresOfRank(launch, rank);
    for (let core = first; core <= last; core++) {
      const key = `${launch.nodeOfRank[rank] ?? 0} ${socket} ${core}`;
      const other = rankOfCore.get(key);
      if (other !== undefined) {
        if (launch.machine.inside.coresUnstated) {
          return [
            `Ranks ${other} and ${rank} are both bound to core ${core} of ${hostOfRank(launch, rank)}: the machine has no number of cores. Write \`cores\` in the machine.`,
          ];
        }
        return [
          `Ranks ${other} and ${rank} share core ${core} of a socket of ${hostOfRank(launch, rank)}, next to their GPUs. Open MPI 5 needs \`--bind-to core:overload-allowed\`.`,
        ];
      }
      rankOfCore.set(key, rank);
    }
  }
  return [];
}
