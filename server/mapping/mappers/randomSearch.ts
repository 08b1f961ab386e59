import { intAt } from '../../numeric/elements.ts';
import { shouldFinish } from '../../model/cancellation.ts';
import { shuffle, type RandomSource } from '../../model/random.ts';
import { cancelled, succeed, type Result } from '../../model/result.ts';
import type { SearchEnd } from '../../model/searchRecord.ts';
import type { MapperEntry, MappingAnswer, MappingContext, MappingProblem } from '../contract.ts';
import type { Objective } from '../../optimisation/objective.ts';
import { criterionOf, criterionOption } from '../criteria/catalogue.ts';
import { mappingOf } from '../../optimisation/problem/places.ts';
import { SearchRecorder } from '../../optimisation/searchRecorder.ts';

export const randomSearch: MapperEntry = {
  name: 'random-search',
  summary: 'random starts, each improved by random swaps until none has helped for a while',
  source: 'Orduña et al. 2004, section 4.2',
  details:
    'Two different positions are swapped. Equal values do not count as an improvement. With more slots than ' +
    'tasks, free slots are positions too. The first position always has a task; the second is any other.',
  options: [
    { name: 'seeds', summary: 'random starts', kind: 'integer', minimum: 1, maximum: 1_000_000, default: 10 },
    {
      name: 'patience',
      summary: 'swaps in a row without improvement that end a start',
      kind: 'integer',
      minimum: 1,
      maximum: 1_000_000_000,
      default: 40,
    },
    criterionOption('equivalent'),
  ],
  bytesPerPair: 40,
  complexity: 'O(seeds · (pairs + swaps · degree))',
  scaling: 'linear',
  // 16 to 34 µs a task for 64 to 4,096 tasks with ten seeds.
  seconds: (tasks, _, { seeds }) => 2e-6 * Number(seeds) * tasks,
  isSearch: true,
  map: searchRandomly,
};

function searchRandomly(problem: MappingProblem, context: MappingContext): Result<MappingAnswer> {
  const criterion = criterionOf(context.options);
  const made = criterion.objective(problem, context);
  if (!made.ok) return made;
  const objective = made.value;
  const recorder = new SearchRecorder(criterion.name, objective.unit, context);
  const seeds = context.options['seeds'] as number;
  let best = objective.placeOfTask.slice();
  let end: SearchEnd = 'steps';
  for (let seed = 0; seed < seeds && recorder.best > 0; seed++) {
    recorder.report(seed / seeds);
    objective.assign(randomPlaces(objective, context.random));
    recorder.trace(objective.value);
    improveRandomly(objective, context, recorder);
    recorder.trace(objective.value);
    if (recorder.improves(objective.value)) best = objective.placeOfTask.slice();
    if (shouldFinish(context.cancellation)) {
      end = 'stopped';
      break;
    }
  }
  objective.assign(best);
  const record = recorder.finish(objective.value, objective.value > 0 ? end : 'bound');
  // Values that were summed while it was cancelled mean nothing.
  if (context.cancellation.isCancelled()) return cancelled();
  return succeed({ mapping: mappingOf(objective.places, best), notes: [], search: record });
}

/** A place for each task, every choice as likely as any other. */
export function randomPlaces({ places, placeOfTask }: Objective, random: RandomSource): Int32Array {
  const drawn = Int32Array.from({ length: places.placeCount }, (_, place) => place);
  shuffle(drawn, random);
  return drawn.subarray(0, placeOfTask.length);
}

/** Random swaps, kept where they help, until so many in a row have not, or the search should finish. */
function improveRandomly(
  objective: Objective,
  { options, random, cancellation }: MappingContext,
  recorder: SearchRecorder,
): void {
  const patience = options['patience'] as number;
  const { placeOfTask, places } = objective;
  if (places.placeCount < 2) return;
  for (let failures = 0; failures < patience && !shouldFinish(cancellation);) {
    recorder.tick();
    const place = intAt(placeOfTask, random.integer(placeOfTask.length));
    const other = (place + 1 + random.integer(places.placeCount - 1)) % places.placeCount;
    recorder.evaluations++;
    if (objective.exchangeDelta(place, other) < 0) {
      objective.exchange(place, other);
      recorder.trace(objective.value);
      failures = 0;
    } else {
      failures++;
    }
  }
}
