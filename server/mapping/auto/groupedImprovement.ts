import type { Annealing } from '../annealing/annealing.ts';
import { drawSeed } from '../../model/random.ts';
import type { Shift } from './crew.ts';
import { runAnnealing } from './annealedImprovement.ts';
import { isProvenBest, rankedTrials, type Portfolio } from './portfolio.ts';
import type { Stint } from './stints.ts';

const rivals = 2;

/**
 * Anneals groups and single tasks on sites with several places, round by round from the best so far, rivals at two heats: the
 * heat of the better one is the next. The best heat differs by a factor of four between networks, and no
 * probe of the start tells it; where neither gains, the next round is colder, and in the end hot again.
 */
export function improveGroups(portfolio: Portfolio, shift: Shift, annealing: Annealing): void {
  const { effort, context, parameters } = portfolio;
  const { worthwhile, annealedStarts, remnant, firstHeat, spread, cooling, leastHeat, coldest } = parameters;
  const talkers = Math.max(1, annealing.talkers.length);
  const starts = rankedTrials(portfolio)
    .filter(({ value }, index, all) => value <= worthwhile * all[0]!.value && value !== all[index - 1]?.value)
    .slice(0, annealedStarts)
    .map(({ placeOfTask }) => portfolio.toSearch(placeOfTask));
  let heat = firstHeat;
  for (let round = 0; !isProvenBest(portfolio) && !effort.stop.isCancelled(); round++) {
    if (round > 0 && effort.elapsed >= 1 - remnant) return;
    const trials = trialsOf(portfolio, round, talkers);
    if (trials === 0) return;
    const heats = [heat / spread, heat * spread];
    const before = portfolio.best.value;
    const best = portfolio.toSearch(portfolio.best.placeOfTask);
    const outcomes = runAnnealing(
      portfolio,
      shift,
      heats.map((own, rival): Stint => {
        const start = starts[rivals * round + rival] ?? best;
        const order = { placeOfTask: start, seed: drawSeed(context.random), steps: trials, heat: own, coldest };
        return { kind: 'groups', order };
      }),
      rivals * trials,
    );
    const [cold, hot] = outcomes.map(({ value }) => value);
    if (portfolio.best.value < before) heat = hot !== undefined && hot < cold! ? heats[1]! : heats[0]!;
    else heat = heat * cooling < leastHeat ? firstHeat : heat * cooling;
  }
}

/** Of each rival: the steps left, dealt to rounds; the pace of a budget in time is not known before the first. */
function trialsOf({ effort, parameters }: Portfolio, round: number, talkers: number): number {
  const { isTimed, stepsLeft } = effort;
  const { trialsPerStint, fewestRounds, plannedShareOfGroups } = parameters;
  if (isTimed && round === 0 && stepsLeft === 0) return Math.min(2 ** 20, Math.max(2 ** 14, 100 * talkers));
  const wanted = Math.round(stepsLeft / (rivals * trialsPerStint * talkers));
  const rounds = Math.max(round === 0 ? fewestRounds : 1, wanted);
  return Math.floor((stepsLeft / rounds / rivals) * (isTimed && rounds === 1 ? plannedShareOfGroups : 1));
}
