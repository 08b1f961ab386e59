import { describe, expect, it } from 'vitest';
import { neverCancelled, type Cancellation } from '../../model/cancellation.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import { tableTraffic } from '../../traffic/build.ts';
import { type SearchCore, mappingCost } from '../problem/searchProblem.ts';
import { costBetween } from '../problem/siteCosts.ts';
import { neighbourTraffic, problemOn } from '../testing/problems.ts';
import { anneal } from './anneal.ts';
import type { AnnealOrder, AnnealOutcome } from './chain.ts';
import { edgeVisitsPerProposal, prepareAnnealing } from './annealing.ts';
import { startTemperature } from './temperature.ts';
import { annealingCores, coreOf, randomStart } from './testing/cores.ts';

const atOnce: Cancellation = { isCancelled: () => true };

/** Says to stop from the given question on. */
function stopsAfter(questions: number): Cancellation {
  let asked = 0;
  return { isCancelled: () => ++asked > questions };
}

/** An order from a random start, hot enough to leave it. */
function orderOn(core: SearchCore, changes: Partial<AnnealOrder> = {}): AnnealOrder {
  const placeOfTask = randomStart(core);
  const hot = startTemperature(prepareAnnealing(core), placeOfTask, 1, neverCancelled);
  return { placeOfTask, seed: 7, steps: 20_000, from: hot, to: hot / 4, finalDescent: true, ...changes };
}

/** Each of the first tasks sends to each of the others. */
function everyPair(size: number) {
  const pairs = Array.from({ length: size * size }, (_, pair) => [Math.floor(pair / size), pair % size] as const);
  const ordered = pairs.filter(([from, to]) => from !== to);
  return {
    size,
    from: Int32Array.from(ordered, ([from]) => from),
    to: Int32Array.from(ordered, ([, to]) => to),
    amount: new Float64Array(ordered.length).fill(1),
  };
}

function expectSound(core: SearchCore, { placeOfTask, value }: AnnealOutcome): void {
  expect(placeOfTask).toHaveLength(core.graph.taskCount);
  expect(new Set(placeOfTask).size).toBe(placeOfTask.length);
  expect([...placeOfTask].every((place) => place >= 0 && place < core.places.placeCount)).toBe(true);
  expect(value).toBe(mappingCost(core, placeOfTask));
}

describe('annealing', () => {
  it('counts the partners of both tasks as the price of a trial, and of tasks without partners nothing', () => {
    const communicatingTasks = 40;
    const idle = 8;
    const traffic = tableTraffic(everyPair(communicatingTasks), communicatingTasks + idle, 1);
    if (!traffic.ok) throw new Error(traffic.failure.message);
    const core = coreOf(
      problemOn(gridMachine('torus', [8, 8]), { taskCount: communicatingTasks + idle, traffic: traffic.value }),
    );
    const sparse = coreOf(problemOn(gridMachine('torus', [8, 8]), { grid: [48] }));
    const [dear, cheap] = [core, sparse].map((one) => edgeVisitsPerProposal(prepareAnnealing(one)));
    expect(dear! - cheap!).toBeCloseTo(2 * (communicatingTasks - 1) - 2 * (2 - 2 / 48));
  });

  it.each(annealingCores)('ends with a mapping and its exact value, never above its start: $what', ({ core }) => {
    const order = orderOn(core);
    const outcome = anneal(prepareAnnealing(core), order, neverCancelled);
    expectSound(core, outcome);
    expect(outcome.value).toBeLessThanOrEqual(mappingCost(core, order.placeOfTask));
  });

  it.each(annealingCores)('gives where the chain is when it is not to settle: $what', ({ core }) => {
    const order = orderOn(core, { finalDescent: false, steps: 2000 });
    expectSound(core, anneal(prepareAnnealing(core), order, neverCancelled));
  });

  it.each(annealingCores)('is the same for the same seed, and leaves its start alone: $what', ({ core }) => {
    const order = orderOn(core, { steps: 3000 });
    const before = order.placeOfTask.slice();
    const run = () => anneal(prepareAnnealing(core), order, neverCancelled);
    expect(run()).toEqual(run());
    expect(order.placeOfTask).toEqual(before);
  });

  it.each(annealingCores)('gives its start when it is stopped at once: $what', ({ core }) => {
    const order = orderOn(core);
    const outcome = anneal(prepareAnnealing(core), order, atOnce);
    expect(outcome).toEqual({
      placeOfTask: order.placeOfTask,
      value: mappingCost(core, order.placeOfTask),
      evaluations: 0,
      accepted: 0,
    });
  });

  it.each(annealingCores)('gives the best it has when it is stopped midway: $what', ({ core }) => {
    const order = orderOn(core);
    const outcome = anneal(prepareAnnealing(core), order, stopsAfter(20));
    expectSound(core, outcome);
    expect(outcome.value).toBeLessThanOrEqual(mappingCost(core, order.placeOfTask));
  });

  it.each(annealingCores)('takes nothing that costs more at temperature 0: $what', ({ core }) => {
    const annealing = prepareAnnealing(core);
    let { placeOfTask } = orderOn(core);
    let value = mappingCost(core, placeOfTask);
    for (let seed = 1; seed <= 40; seed++) {
      const order = { placeOfTask, seed, steps: 60, from: 0, to: 0, finalDescent: false };
      const outcome = anneal(annealing, order, neverCancelled);
      expect(outcome.value).toBeLessThanOrEqual(value);
      ({ placeOfTask, value } = outcome);
    }
  });

  it('goes other ways for other seeds', () => {
    const { core } = annealingCores[0]!;
    const end = (seed: number) =>
      anneal(prepareAnnealing(core), orderOn(core, { seed, finalDescent: false }), neverCancelled).placeOfTask;
    expect(end(1)).not.toEqual(end(2));
    expect(end(1)).not.toEqual(end(1 + 2 ** 32));
  });

  it.each([
    { what: 'a ring on a ring', grid: [24], sides: [24] },
    { what: 'a grid on a torus', grid: [6, 6], sides: [6, 6] },
    { what: 'a grid on a mesh with room', grid: [4, 5], sides: [6, 6] },
  ])('finds every neighbour one hop away from a random start: $what', ({ grid, sides }) => {
    const traffic = neighbourTraffic(grid);
    const core = coreOf(problemOn(gridMachine('torus', sides), { grid, traffic }));
    const annealing = prepareAnnealing(core);
    const placeOfTask = randomStart(core);
    const hot = 4 * startTemperature(annealing, placeOfTask, 1, neverCancelled);
    const values = [1, 2, 3, 4].map(
      (seed) =>
        anneal(
          annealing,
          { placeOfTask, seed, steps: 100_000, from: hot, to: hot / 20, finalDescent: true },
          neverCancelled,
        ).value,
    );
    const edges = core.graph.weight.reduce((sum, weight) => sum + weight, 0) / 2;
    expect(Math.min(...values)).toBe(edges);
  });
});

describe('refining', () => {
  const byTrials = ['a sum over axes', 'amounts beyond 32 bits', 'many nodes of several cores on few routers'];

  it.each(annealingCores)('ends where no exchange near a partner pays: $what', ({ what, core }) => {
    const annealing = prepareAnnealing(core);
    const start = randomStart(core);
    const { placeOfTask, value } = anneal(
      annealing,
      { placeOfTask: start, seed: 0, steps: 0, from: 0, to: 0, finalDescent: true },
      neverCancelled,
    );
    expect(value).toBeLessThanOrEqual(mappingCost(core, start));
    // Without a single look per cost the descent is by trials, and no optimum is promised.
    const isPromised = annealing.lookups !== undefined && value <= 2 ** 40;
    expect(isPromised).toBe(!byTrials.includes(what));
    for (let task = 0; isPromised && task < core.graph.taskCount; task++) {
      for (const place of placesNearPartners(core, placeOfTask, task)) {
        expect(mappingCost(core, exchanged(placeOfTask, task, place))).toBeGreaterThanOrEqual(value);
      }
    }
  });
});

/** Places of the sites nearest to each partner, those that cost no more than any neighbour of it. */
function placesNearPartners({ graph, places, costs }: SearchCore, placeOfTask: Int32Array, task: number): number[] {
  const near: number[] = [];
  const friends = graph.partner.subarray(graph.rowStart[task], graph.rowStart[task + 1]).subarray(0, 8);
  for (const neighbour of friends) {
    const site = places.siteOfPlace[placeOfTask[neighbour]!]!;
    const costTo = (other: number) => costBetween(costs, site, other);
    const others = Array.from({ length: places.siteCount }, (_, other) => other).filter((other) => other !== site);
    const least = Math.min(...others.map(costTo));
    const nearest = others.filter((other) => costTo(other) === least);
    if (nearest.length > 6) continue;
    for (const other of nearest) {
      for (let place = places.firstPlace[other]!; place < places.firstPlace[other + 1]!; place++) near.push(place);
    }
  }
  return near;
}

function exchanged(placeOfTask: Int32Array, task: number, place: number): Int32Array {
  const changed = placeOfTask.slice();
  const other = placeOfTask.indexOf(place);
  if (other >= 0) changed[other] = placeOfTask[task]!;
  changed[task] = place;
  return changed;
}
