import { succeed } from '../../model/result.ts';
import type { ExportFormatEntry } from '../contract.ts';
import { doubtOfScattering, hostCount } from './hydra.ts';
import { doubtOfGpus } from './gpus.ts';
import {
  cannotBind,
  commented,
  commonBindingOf,
  doubtOfJobs,
  doubtOfSystemNumbers,
  isBound,
  namedLaunchOf,
  nodeRuns,
  type NamedLaunch,
} from './launch.ts';
import { maskOf } from './slurm.ts';
import { doubtOfThreads, hydraThreads } from './threads.ts';

/** Machine file of Intel MPI, with the variable that pins its ranks. */
export const intel: ExportFormatEntry = {
  name: 'intel',
  summary: 'Intel MPI machine file: `host:ranks`; the command line pins ranks to cores',
  source: 'Intel MPI Library Developer Reference 2021: Environment Variables for Process Pinning; Hydra options',
  details:
    'Pinning uses one variable for the whole program. It is `I_MPI_PIN_PROCESSOR_LIST`, or `I_MPI_PIN_DOMAIN` if ' +
    'a rank has several processors. Ranks of all nodes must be on the same cores.',
  options: [],
  extension: '.machines',
  write: (report, options) => {
    const launch = namedLaunchOf(report, options);
    if (!launch.ok) return launch;
    const { rankCount, remarks } = launch.value;
    const runs = nodeRuns(launch.value);
    const lines = runs.map((run) => hostCount(launch.value, run));
    const pins = pinning(launch.value);
    const line = [
      ...pins.words,
      'mpirun -machinefile {file}',
      ...hydraThreads(launch.value),
      `-n ${rankCount} PROGRAM`,
    ].join(' ');
    const commands = [{ of: 'Intel MPI', line }];
    const warnings = [
      ...launch.value.warnings,
      ...doubtOfJobs(report, 'A machine file'),
      ...doubtOfGpus(launch.value, 'A machine file'),
      ...doubtOfScattering(launch.value, runs),
      ...doubtOfThreads(launch.value),
      ...pins.warnings,
    ];
    return succeed(commented(report, options, { lines, commands, warnings, remarks }));
  },
};

function pinning(launch: NamedLaunch): { readonly words: readonly string[]; readonly warnings: readonly string[] } {
  if (!isBound(launch)) return { words: [], warnings: [] };
  const { processors, differing } = commonBindingOf(launch);
  if (differing !== undefined) return { words: [], warnings: [cannotBind('Intel MPI', differing, launch)] };
  const isSingle = processors.every(({ length }) => length === 1);
  const words = isSingle
    ? `I_MPI_PIN_PROCESSOR_LIST=${processors.join()}`
    : `I_MPI_PIN_DOMAIN='[${processors.map(maskOf).join()}]'`;
  return { words: [words], warnings: doubtOfSystemNumbers('Intel MPI', launch) };
}
