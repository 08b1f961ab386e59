import { defaultOptions } from '../../model/catalogue.ts';
import { ignoreProgress } from '../../model/cancellation.ts';
import type { Mapping } from '../../model/placement.ts';
import { cancelled, cancelledCode, fail, succeed } from '../../model/result.ts';
import type { Failure, Result } from '../../model/result.ts';
import type { MapperEntry, MappingAnswer, MappingContext, MappingProblem } from '../contract.ts';
import { addToProfile, emptyProfile, hopBytesOf } from '../hopProfile.ts';

/**
 * The default mapper: runs every candidate that accepts the problem and keeps the fewest
 * hop-bytes; ties go to the earlier in the catalogue. Built by the catalogue, which knows the
 * candidates.
 */
export const autoMapper = (candidates: readonly MapperEntry[]): MapperEntry => ({
  name: 'auto',
  summary: 'Tries the other mappers and keeps the one with the fewest hop-bytes',
  source: 'Placewright',
  details:
    `Tries ${candidates.map(({ name }) => `\`${name}\``).join(', ')}; ties go to the earlier. ` +
    'The placement says which it chose and what the others cost.',
  options: [],
  complexity: 'the sum of the others, plus O(pairs) for each',
  map: (problem, context) => chooseBest(candidates, problem, context),
});

interface Trial {
  readonly name: string;
  readonly answer: MappingAnswer;
  readonly hopBytes: number;
}

function chooseBest(
  candidates: readonly MapperEntry[],
  problem: MappingProblem,
  context: MappingContext,
): Result<MappingAnswer> {
  const trials: Trial[] = [];
  let refusal: Failure | undefined;
  for (const [index, candidate] of candidates.entries()) {
    context.progress(index / candidates.length, `Trying ${candidate.name}`);
    const trial = tryCandidate(candidate, problem, context, trials);
    if (trial.ok) trials.push(trial.value);
    else if (trial.failure.code === cancelledCode) return trial;
    else refusal ??= trial.failure;
  }
  // toSorted is stable: of equal trials the earlier in the catalogue stays first.
  const [best, ...others] = trials.toSorted((a, b) => a.hopBytes - b.hopBytes);
  if (best === undefined) {
    return { ok: false, failure: refusal ?? fail('no-mapper', 'No mapper accepts this problem.').failure };
  }
  context.progress(1, `Chose ${best.name}`);
  return succeed({ mapping: best.answer.mapping, notes: [noteOn(best, others), ...best.answer.notes] });
}

/** Runs one candidate and costs its mapping, unless an earlier one came to the same. */
function tryCandidate(
  candidate: MapperEntry,
  problem: MappingProblem,
  context: MappingContext,
  earlier: readonly Trial[],
): Result<Trial> {
  if (candidate.map === undefined) return fail('not-evaluated-yet', `Mapper \`${candidate.name}\` cannot be run yet.`);
  const answer = candidate.map(problem, {
    ...context,
    argument: undefined,
    options: defaultOptions(candidate),
    progress: ignoreProgress,
  });
  if (!answer.ok) return answer;
  const { name } = candidate;
  const { mapping } = answer.value;
  const same = earlier.find((trial) => equalMappings(trial.answer.mapping, mapping));
  if (same !== undefined) return succeed({ name, answer: answer.value, hopBytes: same.hopBytes });
  const profile = emptyProfile();
  const { machine, job } = problem;
  if (!addToProfile(profile, machine, job.traffic, mapping, context.cancellation)) return cancelled();
  return succeed({ name, answer: answer.value, hopBytes: hopBytesOf(profile) });
}

const equalMappings = (one: Mapping, other: Mapping): boolean => one.every((slot, task) => slot === other[task]);

function noteOn(best: Trial, others: readonly Trial[]): string {
  const costs = others.map(({ name, hopBytes }) => `${name} ${formatCost(hopBytes)}`).join(', ');
  return `auto chose ${best.name}: ${formatCost(best.hopBytes)} hop-bytes${costs === '' ? '' : ` (${costs})`}`;
}

/** 4194304 as 4,194,304; what is not whole with three decimals at most. */
const formatCost = (hopBytes: number): string => hopBytes.toLocaleString('en-US');

/** Which mapper `auto` chose, out of the notes of a report; undefined where it did not run. */
export const chosenByAuto = (notes: readonly string[]): string | undefined =>
  notes.map((note) => /auto chose ([\w-]+)/.exec(note)?.[1]).find((name) => name !== undefined);
