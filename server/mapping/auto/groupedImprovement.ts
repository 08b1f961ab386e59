import type { Annealing } from '../annealing/annealing.ts';
import { drawSeed } from '../../model/random.ts';
import type { Shift } from './crew.ts';
import type { Effort } from './effort.ts';
import { runAnnealing } from './annealedImprovement.ts';
import { isProvenBest, rankedTrials, type Portfolio } from './portfolio.ts';
import type { Stint } from './stints.ts';

const rivals = 2;
/** Trials of a task in a stint, where there are enough of them, and rounds that there are at least. */
const trialsPerStint = 4000;
const fewestRounds = 2;
/** Where heats begin, in units of the noise, and by how much those of two rivals differ. */
const firstHeat = 0.35;
const spread = 1.35;
const cooling = 0.85;
const leastHeat = 0.08;
const coldest = 0.04;
/** A start that is dearer than the best by more than this has no chance to get ahead. */
const worthwhile = 1.05;
/**
 * Starts that are annealed before the best is annealed again. With 4, 10 and 24 of them the same steps came to 2,894, 2,922 and 2,922 on
 * a random geometric graph in a cluster, 2,788, 2,788 and 2,798 on a grid with diagonals in a dragonfly, 3,787, 3,790 and 3,790 on
 * a geometric graph in a torus. Half as many but longer stints ended within 1.5 % of that, above it more often than below.
 */
const annealedStarts = 4;
/** Below this share of the budget nothing more is begun. */
const remnant = 0.015;
/** Of what is left: the last descent takes a time of its own. */
const planned = 0.94;

/**
 * Anneals groups and single tasks on sites with several places, round by round from the best so far, rivals at two heats: the
 * heat of the better one is the next. The best heat differs by a factor of four between networks, and no
 * probe of the start tells it; where neither gains, the next round is colder, and in the end hot again.
 */
export function improveGroups(portfolio: Portfolio, shift: Shift, annealing: Annealing): void {
  const { effort, context } = portfolio;
  const talkers = Math.max(1, annealing.talkers.length);
  const starts = rankedTrials(portfolio)
    .filter(({ value }, index, all) => value <= worthwhile * all[0]!.value && value !== all[index - 1]?.value)
    .slice(0, annealedStarts)
    .map(({ placeOfTask }) => portfolio.toSearch(placeOfTask));
  let heat = firstHeat;
  for (let round = 0; !isProvenBest(portfolio) && !effort.stop.isCancelled(); round++) {
    if (round > 0 && effort.elapsed >= 1 - remnant) return;
    const trials = trialsOf(effort, round, talkers);
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
function trialsOf({ isTimed, stepsLeft }: Effort, round: number, talkers: number): number {
  if (isTimed && round === 0 && stepsLeft === 0) return Math.min(2 ** 20, Math.max(2 ** 14, 100 * talkers));
  const wanted = Math.round(stepsLeft / (rivals * trialsPerStint * talkers));
  const rounds = Math.max(round === 0 ? fewestRounds : 1, wanted);
  return Math.floor((stepsLeft / rounds / rivals) * (isTimed && rounds === 1 ? planned : 1));
}
