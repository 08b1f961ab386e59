/** Comparisons of mappers for tests: their programs, and a clock that is the same in every run. */
import { ignoreProgress, neverCancelled } from '../../model/cancellation.ts';
import type { MachineDescription } from '../../network/contract.ts';
import { gridDescription } from '../../network/testing/machines.ts';
import { infiniHostTimes } from '../../queueing/servers.ts';
import { compareMappers, type Comparison } from '../compare.ts';
import type { ComparedMapper } from '../comparedRun.ts';
import type { Program, StudyFiles } from '../program.ts';
import { createStudyCache, type StudyContext } from '../study.ts';
import { choiceOf, filesOf, gridJob, jobOf, placementOf, programOf, sameAs } from './programs.ts';

const machine = gridDescription('torus', [8, 4], { name: 'm' });
const heat = gridJob('heat', [4, 4], 'five-point');
const scattered = choiceOf('random', { count: 18 });
const base = placementOf({ name: 'base', machine: 'm', jobs: ['heat'], allocate: scattered, seed: 3 });
const wanted = placementOf({
  name: 'p',
  machine: 'm',
  jobs: ['heat'],
  allocate: sameAs('base'),
  map: choiceOf('random'),
});
const program = programOf([machine], [heat], [wanted, base]);

/** Placement `p` has the nodes that placement `base` has drawn. */
export const comparedHeat = { machine, heat, wanted, base, program };

/** 64 tasks on 16 nodes of 16 cores, and how often they send. */
export function comparedCluster(): Program {
  const figures = { memory: 4e9, interface: 1e9, switchTime: 1e-7, queuePair: infiniHostTimes };
  const topology = { name: 'cluster', argument: { kind: 'numbers', numbers: [16] }, options: {} } as const;
  const cluster: MachineDescription = {
    name: 'm',
    topology,
    cables: [],
    socketsPerNode: 4,
    coresPerSocket: 4,
    figures,
  };
  const all = jobOf({ name: 'all', taskCount: 64, bytes: 65_536, rate: 20 });
  return programOf(
    [cluster],
    [all],
    [placementOf({ name: 'p', machine: 'm', jobs: ['all'], map: choiceOf('blocked') })],
  );
}

export const namedMappers = (...names: readonly string[]): readonly ComparedMapper[] =>
  names.map((name) => ({ text: name, choice: choiceOf(name) }));

interface ComparisonOptions extends Partial<StudyContext> {
  readonly files?: StudyFiles;
  readonly limit?: number;
  readonly sort?: string;
  readonly seeds?: readonly number[];
}

/** Compares on a clock that counts its own readings. */
export function compareByCounts(
  of: Program,
  mappers: readonly ComparedMapper[],
  options: ComparisonOptions = {},
): Comparison {
  const { files = filesOf(), limit = Infinity, sort, seeds, ...more } = options;
  let time = 0;
  const context = {
    cancellation: neverCancelled,
    progress: ignoreProgress,
    now: () => time++,
    cache: createStudyCache(),
    ...more,
  };
  return compareMappers(
    of,
    files,
    { placement: 'p', mappers, limit, ...(sort && { sort }), ...(seeds && { seeds }) },
    context,
  );
}
