import { cancelled, succeed, type Result } from '../../model/result.ts';
import type { MappingAnswer, MappingContext, MappingProblem } from '../contract.ts';
import { addToProfile, emptyProfile, hopBytesOf } from '../hopProfile.ts';
import { placesOf, mappingOf } from '../problem/places.ts';
import { SearchRecorder } from '../searchRecorder.ts';
import type { Effort } from './effort.ts';
import type { Candidates } from './starts.ts';
import { tryMapper, type Trial } from './trials.ts';

/**
 * For machines whose costs are too many to be kept for a search: the mapper with the fewest
 * hop-bytes, counted hop by hop; ties go to the earlier.
 */
export function bestOfMappers(
  { quick }: Candidates,
  problem: MappingProblem,
  context: MappingContext,
  effort: Effort,
): Result<MappingAnswer> {
  const { machine, job, slots } = problem;
  const places = placesOf(machine, slots);
  const recorder = new SearchRecorder('hop-bytes', 1, context);
  const valuation = (placeOfTask: Int32Array): number => {
    const profile = emptyProfile();
    addToProfile(profile, machine, job.traffic, mappingOf(places, placeOfTask), context.cancellation);
    return hopBytesOf(profile);
  };
  const trials: Trial[] = [];
  const untried: string[] = [];
  for (const entry of quick) {
    // The first in any case.
    const stop = trials.length === 0 ? context.cancellation : effort.stop;
    const trial = stop.isCancelled()
      ? undefined
      : tryMapper(entry, { problem, context, places, valuation }, { isCancelled: () => stop.isCancelled() });
    if (context.cancellation.isCancelled()) return cancelled();
    if (trial === undefined) {
      if (stop.isCancelled()) untried.push(entry.name);
      continue;
    }
    trials.push(trial);
    recorder.improves(trial.value);
    recorder.report(Math.min(1, effort.elapsed));
  }
  const tried = trials.toSorted((a, b) => a.value - b.value);
  const best = tried[0]!;
  return succeed({
    mapping: mappingOf(places, best.placeOfTask),
    notes: ['The allocation has too many nodes for a search: the best of the mappers that need none was taken.'],
    search: {
      ...recorder.finish(best.value, 'converged'),
      tried: tried.map(({ name, value, milliseconds }) => ({ name, value, milliseconds })),
      ...(untried.length > 0 ? { untried } : {}),
      budget: effort.budget,
      chosen: { name: best.name, why: `the fewest hop-bytes of ${tried.length} mappers` },
    },
  });
}
