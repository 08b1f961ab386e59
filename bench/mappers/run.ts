/** Runs mappers as placements do, and scores them from nothing. */
import { mappers as catalogue } from '../../server/mapping/catalogue.ts';
import type { WorkerPool } from '../../server/optimisation/workerPool.ts';
import type { MappingAnswer, MappingProblem } from '../../server/mapping/contract.ts';
import { addToHistogram, emptyHistogram, hopBytesOf } from '../../server/mapping/hopHistogram.ts';
import { defaultOptions, findEntry, type Budget, type OptionValues } from '../../server/model/catalogue.ts';
import { ignoreProgress, neverCancelled } from '../../server/model/cancellation.ts';
import type { Mapping } from '../../server/model/placement.ts';
import { seededRandom } from '../../server/model/random.ts';

export interface Run {
  readonly hopBytes: number;
  readonly seconds: number;
  readonly answer: MappingAnswer;
}

/** `auto` with a budget. */
export const run = (problem: MappingProblem, budget: Budget, seed: number, workerPool: WorkerPool): Run =>
  runMapper('auto', problem, { budget }, seed, workerPool);

/** Any mapper of the catalogue; throws where it refuses the problem. */
export function runMapper(
  name: string,
  problem: MappingProblem,
  options: OptionValues = {},
  seed = 1,
  workerPool?: WorkerPool,
): Run {
  const entry = findEntry(catalogue, name)!;
  const started = performance.now();
  const answer = entry.map(problem, {
    argument: undefined,
    options: { ...defaultOptions(entry), ...options },
    random: seededRandom(seed),
    cancellation: neverCancelled,
    progress: ignoreProgress,
    givenFile: () => ({ ok: false, failure: { code: 'missing-file', message: 'The bench reads no mapping.' } }),
    now: () => performance.now(),
    ...(workerPool === undefined ? {} : { workerPool }),
  });
  if (!answer.ok) throw new Error(answer.failure.message);
  const seconds = (performance.now() - started) / 1000;
  return { hopBytes: hopBytes(problem, answer.value.mapping), seconds, answer: answer.value };
}

/** From nothing, by the same code that evaluates placements: not what the search believes. */
export function hopBytes({ machine, job }: MappingProblem, mapping: Mapping): number {
  const profile = emptyHistogram();
  addToHistogram(profile, machine, job.traffic, mapping, neverCancelled);
  return hopBytesOf(profile);
}

export const format = (value = Number.NaN): string =>
  Number.isNaN(value) ? '–' : Math.round(value).toLocaleString('en-US');
