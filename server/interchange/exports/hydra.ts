import { succeed } from '../../model/result.ts';
import type { ExportFormatEntry } from '../contract.ts';
import { doubtOfGpus } from './gpus.ts';
import {
  commented,
  doubtOfJobs,
  doubtOfSystemNumbers,
  isBound,
  namedLaunchOf,
  processorsOfRank,
  nodeRuns,
  type NamedLaunch,
  type Run,
} from './launch.ts';
import { doubtOfThreads, hydraThreads } from './threads.ts';

/** Host file of MPICH's process manager. */
export const hydra: ExportFormatEntry = {
  name: 'hydra',
  summary: 'MPICH (Hydra) and MVAPICH host file: `host:ranks`, each line with the cores of its ranks',
  source: 'MPICH, Using the Hydra Process Manager; hydra 4.0.2',
  details:
    'Ranks fill the lines in order. A host is repeated if its ranks are not consecutive. `binding=user:0+1,4` ' +
    'binds the ranks of a line in order. It has operating-system processor numbers if the file of the node has ' +
    'them, else cores counted through the node.',
  options: [],
  extension: '.hosts',
  write: (report, options) => {
    const launch = namedLaunchOf(report, options);
    if (!launch.ok) return launch;
    const { rankCount, remarks } = launch.value;
    const runs = nodeRuns(launch.value);
    const lines = runs.map((run) => `${hostCount(launch.value, run)}${hydraBinding(launch.value, run)}`);
    const commands = [
      {
        of: 'MPICH',
        line: ['mpiexec.hydra', '-f {file}', ...hydraThreads(launch.value), `-n ${rankCount} PROGRAM`].join(' '),
      },
    ];
    const warnings = [
      ...launch.value.warnings,
      ...doubtOfJobs(report, 'A host file'),
      ...doubtOfGpus(launch.value, 'A host file'),
      ...doubtOfThreads(launch.value),
      ...doubtOfScattering(launch.value, runs),
      ...doubtOfSystemNumbers('Hydra', launch.value),
    ];
    return succeed(commented(report, options, { lines, commands, warnings, remarks }));
  },
};

/** `n07:2`. */
export const hostCount = ({ hosts }: NamedLaunch, { node, count }: Run): string => `${hosts[node] ?? ''}:${count}`;

function hydraBinding(launch: NamedLaunch, { first, count }: Run): string {
  if (!isBound(launch)) return '';
  const ranks = Array.from({ length: count }, (_, at) => processorsOfRank(launch, first + at));
  return ` binding=user:${ranks.map((processors) => processors.join('+')).join(',')}`;
}

/** Each line is a proxy of its own, and ranks of one host below two of them may not find their shared memory. */
export function doubtOfScattering({ hosts, nodes }: NamedLaunch, runs: readonly Run[]): readonly string[] {
  if (runs.length === nodes.length) return [];
  const seen = new Set<number>();
  const again = runs.find(({ node }) => seen.size === seen.add(node).size);
  const example = again === undefined ? '' : (hosts[again.node] ?? '');
  return [
    `Ranks of one host are not consecutive (first on ${example}). The host has several lines. MPI may use the network ` +
      'between these ranks.',
  ];
}
