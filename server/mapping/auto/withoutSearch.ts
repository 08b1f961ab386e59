import { cancelled, succeed, type Result } from '../../model/result.ts';
import type { MapperEntry, MappingAnswer, MappingContext, MappingProblem } from '../contract.ts';
import { addToProfile, emptyProfile, hopBytesOf } from '../hopProfile.ts';
import { placesOf, mappingOf } from '../problem/places.ts';
import { SearchRecorder } from '../searchRecorder.ts';
import { tryMappers } from './trials.ts';

/**
 * For machines whose costs are too many to be kept for a search: the mapper with the fewest
 * hop-bytes, counted hop by hop; ties go to the earlier.
 */
export function bestOfMappers(
  candidates: readonly MapperEntry[],
  problem: MappingProblem,
  context: MappingContext,
): Result<MappingAnswer> {
  const { machine, job, slots } = problem;
  const places = placesOf(machine, slots);
  const recorder = new SearchRecorder('hop-bytes', 1, context);
  const valuation = (placeOfTask: Int32Array): number => {
    const profile = emptyProfile();
    addToProfile(profile, machine, job.traffic, mappingOf(places, placeOfTask), context.cancellation);
    return hopBytesOf(profile);
  };
  const trials = tryMappers(candidates, { problem, context, stop: context.cancellation, places, valuation });
  if (context.cancellation.isCancelled()) return cancelled();
  const tried = trials.toSorted((a, b) => a.value - b.value);
  const best = tried[0]!;
  recorder.improves(best.value);
  return succeed({
    mapping: mappingOf(places, best.placeOfTask),
    notes: ['The allocation has too many nodes for a search: the best of the mappers that need none was taken.'],
    search: {
      ...recorder.finish(best.value, 'converged'),
      tried: tried.map(({ name, value, milliseconds }) => ({ name, value, milliseconds })),
      chosen: { name: best.name, why: `the fewest hop-bytes of ${tried.length} mappers` },
    },
  });
}
