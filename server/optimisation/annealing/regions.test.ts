import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../model/cancellation.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import { mappingCost } from '../problem/searchProblem.ts';
import { problemOn } from '../testing/problems.ts';
import { anneal } from './anneal.ts';
import { prepareAnnealing } from './annealing.ts';
import { mergeRegions, regionsOf, annealSchedule, epochOrders, mergeEpoch } from './schedule.ts';
import { annealingCores, coreOf, randomStart, randomTraffic } from './testing/cores.ts';

const cases = annealingCores.flatMap(({ what, core }) => [2, 3].map((count) => ({ what, core, count })));

describe('regions', () => {
  it.each(cases)('share out all sites evenly among $count: $what', ({ core, count }) => {
    const { siteCount } = core.places;
    const regions = regionsOf(core, 1, 0, count);
    expect(regions).toHaveLength(Math.min(count, siteCount));
    for (let site = 0; site < siteCount; site++) {
      expect(regions.filter((region) => region[site] === 1)).toHaveLength(1);
    }
    const sizes = regions.map((region) => region.reduce((sum, inside) => sum + inside, 0));
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
  });

  it('are cut otherwise in every epoch', () => {
    const core = coreOf(problemOn(gridMachine('torus', [8, 8])));
    const cuts = [0, 1, 2, 3].map((epoch) => regionsOf(core, 5, epoch, 2).join());
    expect(new Set(cuts).size).toBe(4);
    expect(regionsOf(core, 5, 0, 2).join()).toBe(cuts[0]);
  });

  it.each(cases)('keep to themselves, so that stints in any order come to the same: $what, $count', (each) => {
    const { core, count } = each;
    const annealing = prepareAnnealing(core);
    const start = randomStart(core);
    const regions = regionsOf(core, 3, 0, count);
    const run = (region: Uint8Array, index: number) =>
      anneal(
        annealing,
        { placeOfTask: start, seed: index, steps: 1500, from: 20, to: 5, finalDescent: index === 1, region },
        neverCancelled,
      );
    const outcomes = regions.map(run);
    outcomes.forEach(({ placeOfTask, value }, index) => {
      expect(value).toBe(mappingCost(core, placeOfTask));
      const isInside = (place: number) => regions[index]![core.places.siteOfPlace[place]!] === 1;
      // Tasks of the region stay in it, all others where they are.
      const seen = Array.from(placeOfTask, (place, task) => (isInside(start[task]!) ? isInside(place) : place));
      expect(seen).toEqual(Array.from(start, (place) => isInside(place) || place));
    });
    const merged = mergeRegions(core, start, outcomes);
    expect(new Set(merged.placeOfTask).size).toBe(start.length);
    expect(merged.value).toBe(mappingCost(core, merged.placeOfTask));
    expect(mergeRegions(core, start, outcomes.toReversed())).toEqual(merged);
  });
});

describe('the schedule', () => {
  it.each([
    { what: 'the whole on a small machine', sides: [5, 5, 4], share: 'whole', workItems: 2 },
    { what: 'regions on a large one', sides: [16, 16, 10], share: 'regions', workItems: 2 },
  ])('spends the steps, cooling, and ends with a descent: $what', ({ sides, share, workItems }) => {
    const tasks = sides.reduce((product, side) => product * side, 1);
    const core = coreOf(problemOn(gridMachine('torus', sides), { traffic: randomTraffic(tasks, 4), taskCount: tasks }));
    const annealing = prepareAnnealing(core);
    const start = randomStart(core);
    const steps = 60 * tasks;
    const epochs = annealSchedule(annealing, start, 9, steps, neverCancelled);
    expect(epochs[0]).toMatchObject({ share, workItems });
    const spent = epochs.reduce((sum, epoch) => sum + epoch.workItems * epoch.steps, 0);
    expect(spent).toBeLessThanOrEqual(steps);
    expect(spent).toBeGreaterThan(0.98 * steps);
    expect(epochs.at(-1)).toMatchObject({ finalDescent: true, share: 'whole' });
    expect(epochs.every(({ from, to }) => from >= to && to > 0)).toBe(true);
    let placeOfTask = start;
    let value = mappingCost(core, start);
    epochs.forEach((epoch, index) => {
      const orders = epochOrders(annealing, epoch, index, placeOfTask, 9);
      expect(new Set(orders.map(({ seed }) => seed)).size).toBe(epoch.workItems);
      const outcomes = orders.map((order) => anneal(annealing, order, neverCancelled));
      ({ placeOfTask, value } = mergeEpoch(annealing, epoch, placeOfTask, outcomes));
    });
    expect(value).toBe(mappingCost(core, placeOfTask));
    // From a random start, which costs half a dozen hops per byte.
    expect(value).toBeLessThan(0.75 * mappingCost(core, start));
  });

  it.each(annealingCores)('has an answer, whatever the steps: $what', ({ core }) => {
    const annealing = prepareAnnealing(core);
    for (const steps of [0, 1, 500]) {
      const epochs = annealSchedule(annealing, randomStart(core), 1, steps, neverCancelled);
      for (const { from, to, steps: each } of epochs) {
        expect(from).toBeGreaterThanOrEqual(to);
        expect(Number.isFinite(from) && each >= 0).toBe(true);
      }
    }
  });
});
