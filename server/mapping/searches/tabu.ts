import { shouldFinish } from '../../model/cancellation.ts';
import { cancelled, fail, succeed, type Result } from '../../model/result.ts';
import type { SearchEnd } from '../../model/searchRecord.ts';
import type { MapperEntry, MappingAnswer, MappingContext, MappingProblem } from '../contract.ts';
import { criterionOf, criterionOption } from '../criteria/option.ts';
import { prepareSearch } from '../criteria/prepare.ts';
import {
  denseProblemOf,
  denseProductLimit,
  denseSiteLimit,
  denseTaskLimit,
  isDense,
  placesFor,
} from '../dense/denseProblem.ts';
import type { DenseProblem } from '../dense/denseProblem.ts';
import { LongAbsence } from '../dense/longAbsence.ts';
import { randomAssignment } from '../dense/recombine.ts';
import { TabuSearch } from '../dense/tabuSearch.ts';
import { mappingOf, placesOf } from '../problem/places.ts';
import { valueOf } from '../problem/value.ts';
import { SearchRecorder } from '../searchRecorder.ts';
import { tabuOverObjective } from './objectiveTabu.ts';

export const tabu: MapperEntry = {
  name: 'tabu',
  summary: 'Robust tabu search, for dense problems of up to 256 tasks',
  source: 'Taillard 1991, sections 3.1–3.3',
  details:
    'From a random start, every iteration makes the best of all swaps and moves into free slots that is not tabu or leads to ' +
    'a new best; a task must not return to a node for 0.9 n to 1.1 n iterations, drawn at random, and one that has not been ' +
    'on a node for 2 n · nodes iterations is brought there. The effects of all swaps are kept up to date, O(1) each. ' +
    'Moves into free slots, which the paper does not need, are tabu as one half of a swap is. ' +
    'Under `maximum-load`, which is no sum over pairs, each iteration works out a sample of swaps and moves anew. ' +
    `Up to ${denseTaskLimit} tasks and ${denseSiteLimit} nodes, tasks times nodes up to ${denseProductLimit.toLocaleString('en-US')}.`,
  options: [
    criterionOption('hop-bytes'),
    {
      name: 'iterations',
      summary: 'steps of the search; by default as many as the size of the job asks for',
      kind: 'integer',
      minimum: 1,
      maximum: 1_000_000_000,
    },
  ],
  bytesPerPair: 40,
  complexity: 'O(n² + n · nodes) per iteration',
  map: search,
};

function search(problem: MappingProblem, context: MappingContext): Result<MappingAnswer> {
  const { taskCount } = problem.job;
  const places = placesOf(problem.machine, problem.slots);
  if (!isDense(taskCount, places.siteCount)) return tooLarge(taskCount, places.siteCount);
  const criterion = criterionOf(context.options);
  return criterion.siteCosts ? searchTable(problem, context) : tabuOverObjective(problem, criterion, context);
}

const tooLarge = (taskCount: number, siteCount: number): Result<MappingAnswer> =>
  fail(
    'too-large-for-tabu',
    `Mapper \`tabu\` takes up to ${denseTaskLimit} tasks, ${denseSiteLimit} nodes and ` +
      `${denseProductLimit} tasks times nodes, and this job has ${taskCount} tasks on ${siteCount} nodes: use \`auto\`.`,
  );

function searchTable(problem: MappingProblem, context: MappingContext): Result<MappingAnswer> {
  const criterion = criterionOf(context.options);
  const prepared = prepareSearch(problem, criterion, context);
  if (!prepared.ok) return prepared;
  const core = prepared.value;
  const dense = denseProblemOf(core)!;
  if (context.cancellation.isCancelled()) return cancelled();
  const recorder = new SearchRecorder(criterion.name, core.weightUnit * core.costs.unit, context);
  const { siteOfTask, end } = runTabu(dense, context, recorder);
  if (context.cancellation.isCancelled()) return cancelled();
  const placeOfTask = placesFor(core, siteOfTask);
  const record = recorder.finish(valueOf(core, placeOfTask), recorder.best > 0 ? end : 'bound');
  return succeed({ mapping: mappingOf(core.places, placeOfTask), notes: [], search: record });
}

/** Evaluations between two looks at the cancellation: about a millisecond. */
const evaluationsPerPoll = 2 ** 18;

/** Sites of the tasks in the best assignment that was met, and whether the search was asked to finish. */
function runTabu(
  problem: DenseProblem,
  { options, random, cancellation }: MappingContext,
  recorder: SearchRecorder,
): { readonly siteOfTask: Int32Array; readonly end: SearchEnd } {
  const iterations = (options['iterations'] as number | undefined) ?? standardIterations(problem);
  const absence = new LongAbsence(problem.taskCount, problem.siteCount);
  const search = new TabuSearch(problem, randomAssignment(problem, random), random, absence);
  recorder.improves(search.bestValue);
  let nextPoll = 0;
  while (search.step < iterations && search.bestValue > 0) {
    if (search.evaluations >= nextPoll) {
      if (shouldFinish(cancellation)) return { siteOfTask: search.bestSiteOfTask, end: 'stopped' };
      recorder.report(search.step / iterations);
      nextPoll = search.evaluations + evaluationsPerPoll;
    }
    search.advance();
    recorder.evaluations = search.evaluations;
    recorder.improves(search.bestValue);
  }
  return { siteOfTask: search.bestSiteOfTask, end: 'steps' };
}

/** Evaluations that an additive search makes by default: some tenths of a second. */
const standardEvaluations = 2 ** 26;

/** As many iterations as some tenths of a second allow, at least 4 n and at most 1,000 n. */
function standardIterations({ taskCount, siteCount }: DenseProblem): number {
  const perIteration = (taskCount * (taskCount - 1)) / 2 + taskCount * siteCount;
  const iterations = Math.round(standardEvaluations / perIteration);
  return Math.max(4 * taskCount, Math.min(1000 * taskCount, iterations));
}
