import type { Annealing } from '../annealing/annealing.ts';
import { exponential, logarithm } from '../annealing/elementary.ts';
import { mergeRegions, regionsOf } from '../annealing/regions.ts';
import { costNoise } from '../annealing/temperature.ts';
import type { Shift } from './crew.ts';
import { takeBetter, type Portfolio } from './portfolio.ts';

const epochs = 24;
const regionCount = 2;

export function annealStarts(portfolio: Portfolio, shift: Shift, annealing: Annealing): boolean {
  const { context, effort, recorder, search } = portfolio;
  const seed = context.random.integer(2 ** 31 - 1);
  const noise = costNoise(annealing, portfolio.best.placeOfTask, seed);
  const hot = 0.5 * noise;
  const cold = 0.05 * noise;
  const started = context.now();
  let done = 0;
  let current = portfolio.best.placeOfTask;
  const slope = logarithm(cold / hot) / epochs;
  for (let epoch = 0; epoch < epochs && !effort.stop.isCancelled(); epoch++) {
    const planned = effort.steps / epochs;
    const share = effort.affordable(planned * (epochs - epoch), done, started);
    const steps = Math.ceil((planned * share) / regionCount);
    const regions = regionsOf(search, seed, epoch, regionCount);
    const outcomes = shift.run(
      regions.map((region, index) => ({
        kind: 'anneal',
        order: {
          placeOfTask: current,
          seed: seed + epoch * regionCount + index,
          steps,
          from: hot * exponential(slope * epoch),
          to: hot * exponential(slope * (epoch + 1)),
          settle: epoch === epochs - 1,
          region,
        },
      })),
      effort.stop,
    );
    const merged = mergeRegions(
      search,
      current,
      outcomes.flatMap(({ annealed }) => annealed ?? []),
    );
    current = merged.placeOfTask;
    takeBetter(portfolio, merged);
    done += steps * regionCount;
    recorder.evaluations += outcomes.reduce((sum, { annealed }) => sum + (annealed?.evaluations ?? 0), 0);
    recorder.report((epoch + 1) / epochs);
  }
  const [final] = shift.run(
    [{ kind: 'anneal', order: { placeOfTask: current, seed, steps: 0, from: 0, to: 0, settle: true } }],
    effort.stop,
  );
  if (final?.annealed) takeBetter(portfolio, final.annealed);
  return false;
}
