import { describe, expect, it } from 'vitest';
import { tableTraffic } from '../../traffic/build.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import { machinesWithoutCoordinates } from '../../network/testing/networkMachines.ts';
import { seededRandom } from '../../model/random.ts';
import { cancelledCode } from '../../model/result.ts';
import { findEntry, type Budget, type OptionValues } from '../../model/catalogue.ts';
import { neverCancelled } from '../../model/cancellation.ts';
import { mappers } from '../catalogue.ts';
import type { MappingAnswer, MappingContext, MappingProblem } from '../contract.ts';
import { criteria } from '../criteria/catalogue.ts';
import { addToProfile, emptyProfile, hopBytesOf } from '../hopProfile.ts';
import type { Crew } from './crew.ts';
import { doStint } from './stints.ts';
import { contextFor, mapWith, noTraffic, problemOn } from '../testing/problems.ts';

const auto = findEntry(mappers, 'auto')!;
/** Mappers that do not search: those may do more steps than `auto` is allowed here. */
const others = mappers.filter(
  ({ map, argument, options }) => map && !argument && !options.some(({ name }) => name === 'criterion'),
);

const steps = (amount: number): Budget => ({ kind: 'steps', amount });

function autoOn(problem: MappingProblem, options: OptionValues = {}, context: Partial<MappingContext> = {}) {
  return mapWith(auto, problem, {
    options: { budget: steps(20_000), criterion: 'hop-bytes', ...options },
    ...context,
  });
}

function costOf({ machine, job }: MappingProblem, { mapping }: MappingAnswer): number {
  const profile = emptyProfile();
  addToProfile(profile, machine, job.traffic, mapping, neverCancelled);
  return hopBytesOf(profile);
}

/** Nodes of a torus drawn at random, so that nothing fits by itself. */
function scattered(seed: number, options: Parameters<typeof problemOn>[1] = { grid: [5, 4, 4] }): MappingProblem {
  const machine = gridMachine('torus', [7, 6, 5]);
  const random = seededRandom(seed);
  const nodes = Array.from({ length: machine.nodeCount }, (_, node) => node).filter(() => random.fraction() < 0.6);
  return problemOn(machine, { nodes, ...options });
}

/** Random amounts between random tasks. */
function randomProblem(tasks: number, machine = gridMachine('torus', [8, 8, 8])): MappingProblem {
  const random = seededRandom(tasks);
  const pairs = 4 * tasks;
  const entries = {
    size: tasks,
    from: Int32Array.from({ length: pairs }, () => random.integer(tasks)),
    to: Int32Array.from({ length: pairs }, () => random.integer(tasks)),
    amount: Float64Array.from({ length: pairs }, () => 1 + random.integer(9)),
  };
  const traffic = tableTraffic(entries, tasks, 1);
  if (!traffic.ok) throw new Error(traffic.failure.message);
  return problemOn(machine, { taskCount: tasks, traffic: traffic.value });
}

describe('map auto', () => {
  it.each([1, 2, 3])('is never worse than any mapper of the catalogue on scattered nodes, seed %i', (seed) => {
    const problem = scattered(seed);
    const found = costOf(problem, autoOn(problem, { budget: steps(4_000_000) }));
    for (const entry of others) {
      const alone = entry.map!(problem, contextFor(entry));
      if (alone.ok) expect(found, entry.name).toBeLessThanOrEqual(costOf(problem, alone.value));
    }
  });

  it.each([
    ['few tasks, which tabu search improves', scattered(4)],
    ['many tasks, which annealing improves', randomProblem(300)],
  ])('keeps a record of what it did: %s', (_, problem) => {
    const answer = autoOn(problem);
    const record = answer.search!;
    expect(record.value).toBe(costOf(problem, answer));
    expect(record.bound!.value).toBeLessThanOrEqual(record.value);
    expect(record.evaluations).toBeGreaterThan(1000);
    expect(record.tried!.map(({ value }) => value)).toEqual(
      record.tried!.map(({ value }) => value).toSorted((a, b) => a - b),
    );
    expect(record.tried!.at(0)!.name).toBe(record.chosen!.name);
    expect(record.value).toBeLessThan(record.tried![0]!.value);
    expect(record.convergence.at(-1)!.value).toBe(record.value);
  });

  it('stops where nothing is left to gain, and says so', () => {
    const answer = autoOn(problemOn(gridMachine('torus', [4, 4, 4]), { grid: [4, 4, 4] }));
    expect(answer.search).toMatchObject({
      end: 'bound',
      value: 288,
      bound: { value: 288, name: 'edge' },
      evaluations: 0,
    });
    expect(answer.search!.chosen!.why).toContain('no mapping can be better');
  });

  it('gives the same mapping for the same seed, whatever the clock says, as long as it does not run out', () => {
    const problem = randomProblem(280);
    const slowClock = () => 0;
    let time = 0;
    const quickClock = () => (time += 1e-8);
    const run = (now: () => number) => autoOn(problem, { budget: { kind: 'seconds', amount: 0.002 } }, { now });
    expect(run(quickClock).mapping).toEqual(run(slowClock).mapping);
  });

  it.each([4, 10])(
    'uses nearly all of its time, epoch by epoch, on a machine that is %i times as slow as planned',
    (slowness) => {
      const seconds = 0.1;
      let time = 0;
      const crew: Crew = {
        threads: 1,
        open: (materials) => ({
          run: (stints, stop) =>
            stints.map((stint) => {
              if (stint.kind === 'anneal') time += (stint.order.steps * slowness) / 20_000;
              return doStint(materials, stint, stop);
            }),
          close: () => undefined,
        }),
      };
      const budget: Budget = { kind: 'seconds', amount: seconds };
      const problem = randomProblem(280, gridMachine('torus', [13, 13, 13]));
      const { search } = autoOn(problem, { budget }, { now: () => time, crew });
      expect(search!.milliseconds).toBeGreaterThan(920 * seconds);
      expect(search!.milliseconds).toBeLessThan(1050 * seconds);
    },
  );

  it('says that another run may differ where the clock ended the search', () => {
    let time = 0;
    const now = () => (time += 5);
    const answer = autoOn(randomProblem(280), { budget: { kind: 'seconds', amount: 0.2 } }, { now });
    expect(answer.search!.end).toBe('time');
    expect(answer.notes.join(' ')).toContain('budget in steps');
  });

  it('answers within a budget of nothing', () => {
    const problem = randomProblem(280);
    for (const budget of [steps(0), { kind: 'seconds', amount: 1e-9 } as const]) {
      expect(autoOn(problem, { budget }).mapping).toHaveLength(280);
    }
  });

  it('finds more with more steps', () => {
    const problem = randomProblem(300);
    const [few, many] = [1000, 300_000].map((amount) => autoOn(problem, { budget: steps(amount) }).search!.value);
    expect(many).toBeLessThan(few!);
  });

  it.each(criteria.map(({ name }) => name))('minimises %s', (criterion) => {
    const problem = scattered(5, { grid: [6, 5] });
    const entry = criteria.find(({ name }) => name === criterion)!;
    const made = entry.objective(problem, contextFor(auto));
    if (!made.ok) throw new Error(made.failure.message);
    const objective = made.value;
    const valueOf = ({ mapping }: MappingAnswer) => {
      objective.assign(mapping.map((slot) => problem.slots.indexOf(slot)));
      return objective.value * objective.unit;
    };
    const answer = autoOn(problem, { criterion });
    expect(answer.search).toMatchObject({ criterion, value: valueOf(answer) });
    const baseline = mapWith(findEntry(mappers, 'rcb')!, problem);
    expect(valueOf(answer)).toBeLessThanOrEqual(valueOf(baseline));
    expect(answer.search!.bound!.value).toBeLessThanOrEqual(answer.search!.value);
  });

  it.each(machinesWithoutCoordinates())('improves on the order of ranks on %s', (_, machine) => {
    const tasks = Math.min(24, machine.slotCount);
    const problem = { ...randomProblem(tasks, machine) };
    const baseline = mapWith(findEntry(mappers, 'baseline')!, problem);
    expect(costOf(problem, autoOn(problem))).toBeLessThanOrEqual(costOf(problem, baseline));
  });

  it('counts the time of both halves under maximum-load, as it does their evaluations', () => {
    let time = 0;
    const now = () => (time += 1);
    const { search } = autoOn(scattered(5, { grid: [6, 5] }), { criterion: 'maximum-load' }, { now });
    expect(search!.milliseconds).toBeGreaterThan(time / 2);
  });

  it.each([
    ['tenths', [0.1, 0.2, 0.3, 0.7]],
    ['huge beside small', [2 ** 52, 2 ** 52 + 1, 1, 3]],
  ])('tells values of the amounts as they are: %s', (_, amounts) => {
    const entries = {
      size: 5,
      from: Int32Array.from(amounts, (__, index) => index),
      to: Int32Array.from(amounts, (__, index) => index + 1),
      amount: Float64Array.from(amounts),
    };
    const traffic = tableTraffic(entries, 5, 1);
    if (!traffic.ok) throw new Error(traffic.failure.message);
    const problem = problemOn(gridMachine('torus', [4, 4]), { taskCount: 5, traffic: traffic.value });
    const answer = autoOn(problem);
    expect(answer.search!.value).toBeCloseTo(costOf(problem, answer), 12);
    expect(answer.search!.bound!.value).toBeLessThanOrEqual(costOf(problem, answer));
    expect(answer.search!.bound!.value).toBeGreaterThan(0.999 * costOf(problem, answer));
  });

  it('maps tasks that say nothing', () => {
    const problem = problemOn(gridMachine('torus', [4, 4]), { taskCount: 12, traffic: noTraffic(12) });
    expect(autoOn(problem).search).toMatchObject({ value: 0, end: 'bound', chosen: { name: 'baseline' } });
  });

  it('reports its progress with the best value so far', () => {
    const told: { share: number; message: string }[] = [];
    autoOn(randomProblem(300), {}, { progress: (share, message) => told.push({ share, message }) });
    expect(told.map(({ share }) => share)).toEqual(told.map(({ share }) => share).toSorted((a, b) => a - b));
    expect(told.at(-1)!.message).toMatch(/best [\d,]+ hop-bytes/);
  });

  it('answers that it was cancelled in the middle of the search', () => {
    let looks = 0;
    const cancellation = { isCancelled: () => looks++ > 400 };
    const answer = auto.map!(randomProblem(300), contextFor(auto, { cancellation }));
    expect(answer).toMatchObject({ ok: false, failure: { code: cancelledCode } });
  });
});
