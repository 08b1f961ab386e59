import { succeed } from '../../model/result.ts';
import type { ExportFormatEntry } from '../contract.ts';
import { doubtOfGpus } from './gpus.ts';
import {
  bare,
  doubtOfJobs,
  doubtOfSystemNumbers,
  hostOfRank,
  linesOfRanks,
  namedLaunchOf,
  processorsOfRank,
} from './launch.ts';
import { doubtOfThreads, openMpiThreads } from './threads.ts';

/** The file that LSB_AFFINITY_HOSTFILE names. */
export const lsf: ExportFormatEntry = {
  name: 'lsf',
  summary: 'LSF affinity host file: the host and the cores of each rank, one per line',
  source: 'IBM Spectrum LSF: LSB_AFFINITY_HOSTFILE; Open MPI 5 (PRRTE), rmaps/lsf',
  details: 'Use hosts from the LSF allocation. Core numbers are those of the operating system.',
  options: [],
  extension: '.affinity',
  lines: 'bare',
  write: (report, options) => {
    const launch = namedLaunchOf(report, options);
    if (!launch.ok) return launch;
    const { rankCount } = launch.value;
    // A line without processors binds nothing.
    const isStated = launch.value.machine.inside.coresUnstated !== true;
    const lines = linesOfRanks(rankCount, (rank) => {
      const processors = isStated ? ` ${processorsOfRank(launch.value, rank).join()}` : '';
      return `${hostOfRank(launch.value, rank)}${processors}`;
    });
    const commands = [
      {
        of: 'Open MPI under LSF',
        line: [
          'LSB_AFFINITY_HOSTFILE={file} mpirun',
          `-np ${rankCount}`,
          ...openMpiThreads(launch.value),
          'PROGRAM',
        ].join(' '),
      },
    ];
    const warnings = [
      ...launch.value.warnings,
      ...doubtOfJobs(report, 'An affinity host file'),
      ...doubtOfGpus(launch.value, 'An affinity host file'),
      ...doubtOfThreads(launch.value),
      ...doubtOfSystemNumbers('LSF', launch.value),
    ];
    return succeed(bare({ lines, commands, warnings }));
  },
};
