import { succeed, type Result } from '../../model/result.ts';
import type { PlacementReport } from '../../model/report.ts';
import type { ExportFormatEntry, ExportOptions, ExportedText } from '../contract.ts';
import { coreOfSlot } from '../../model/slots.ts';
import { doubtOfGpus } from './gpus.ts';
import {
  commented,
  coreRangeText,
  coresOfRank,
  doubtOfJobs,
  hostOfRank,
  linesOfRanks,
  namedLaunchOf,
  type Launch,
  type NamedLaunch,
} from './launch.ts';
import { doubtOfThreads, openMpiThreads } from './threads.ts';

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
  const threads = openMpiThreads(launch.value);
  const commands = [
    { of: 'Open MPI 4', line: ['mpirun', `-np ${rankCount}`, ...threads, '--rankfile {file} PROGRAM'].join(' ') },
    {
      of: 'Open MPI 5',
      line: ['mpirun', `-np ${rankCount}`, ...threads, '--map-by rankfile:file={file} PROGRAM'].join(' '),
    },
  ];
  const doubts = [
    ...warnings,
    ...doubtOfJobs(report, 'A rankfile'),
    ...doubtOfThreads(launch.value),
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
  const [range, ...others] = coresOfRank(launch, rank);
  if (range === undefined) return '';
  if (others.length === 0) {
    const cores = coreRangeText(range);
    return launch.machine.socketsPerNode === 1 ? cores : `${range.socket}:${cores}`;
  }
  // Of several sockets at once both versions read numbers that count through the node.
  const first = coreOfSlot(launch.machine, launch.slotOfRank[rank] ?? 0);
  return `${first}-${first + (launch.coresOfRanks?.[rank] ?? 1) - 1}`;
}

/** GPUs share cores where a node has fewer cores than GPUs: version 4 says nothing, version 5 refuses. O(ranks · cores of one). */
function doubtOfOverlap(launch: NamedLaunch): readonly string[] {
  // Each other slot is a core of its own.
  if (launch.gpuOfRank === undefined) return [];
  const rankOfCore = new Map<string, number>();
  for (let rank = 0; rank < launch.rankCount; rank++) {
    const [{ socket, first, last } = { socket: 0, first: 0, last: -1 }] = coresOfRank(launch, rank);
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
