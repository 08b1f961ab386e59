import { itemAt } from '../../numeric/elements.ts';
import { describe, expect, it } from 'vitest';
import { findEntry, type OptionValues } from '../../model/catalogue.ts';
import { ignoreProgress, neverCancelled, workPerPoll, type Cancellation } from '../../model/cancellation.ts';
import { seededRandom } from '../../model/random.ts';
import { cancelledCode } from '../../model/result.ts';
import type { Traffic } from '../../model/traffic.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import type { MapperEntry, MappingAnswer, MappingContext, MappingProblem } from '../contract.ts';
import { criteria } from '../criteria/catalogue.ts';
import { convergencePoints, type SearchRecord } from '../../model/searchRecord.ts';
import { contractOptions, criteriaOf, manages } from './contractOptions.ts';
import { contextFor, mapWith } from './problems.ts';
import { contractProblems, problemOn, problemsWithoutCoordinates } from '../../optimisation/testing/problems.ts';

/** What every mapper of the catalogue that runs must hold. Call it inside a `describe`. */
export function mapperContract(entry: MapperEntry): void {
  const problems = contractProblems.filter(([, problem]) => manages(entry, problem));

  it.each(problems)('gives every task a slot of its own among those offered, each time the same: %s', (_, problem) => {
    const before = problem.slots.slice();
    const run = () => mapWith(entry, problem, { ...contextOf(entry, problem), random: seededRandom(99) });
    const answer = run();
    expectSound(problem, answer);
    expect(run()).toEqual(answer);
    expect(problem.slots).toEqual(before);
  });

  const refuses = needsCoordinates.includes(entry.name);
  it.each(problemsWithoutCoordinates)(`${refuses ? 'says that it needs coordinates' : 'maps'}: %s`, (_, problem) => {
    expectSoundOr(refuses, entry, problem, contextOf(entry, problem));
  });

  it('answers that it was cancelled, whenever it looks', () => {
    const [, problem] = itemAt(problems, problems.length - 1);
    expectCancellable(entry, problem, contextOf(entry, problem));
  });

  if (entry.bytesPerPair !== undefined) densePairsContract(entry);

  it('has a sound answer whenever it is asked to finish', () => {
    const [, problem] = itemAt(problems, problems.length - 1);
    expectFinishable(entry, problem, contextOf(entry, problem));
  });

  const chosen = criteriaOf(entry);
  it('is said to be a search where it takes a criterion', () => {
    expect(entry.isSearch === true).toBe(chosen.length > 0);
  });
  if (chosen.length > 0) criterionContract(entry, chosen);
}

/** What every mapper that works on the pairs of the traffic must hold. */
function densePairsContract(entry: MapperEntry): void {
  it('looks all along while every task talks to all others', () => {
    const taskCount = 256;
    const traffic = everyPair(taskCount);
    const problem = problemOn(gridMachine('torus', [taskCount / 16, 16]), { taskCount, traffic });
    const looks = looksOf(entry, problem, contextOf(entry, problem));
    // To read the pairs both ways, to merge them twice and to sum them takes five passes: what comes first may not go
    // unwatched.
    expect(looks).toBeGreaterThan((5 * traffic.partner.length) / workPerPoll);
    for (let nth = 0; nth < looks; nth += Math.ceil(looks / dueLooks)) {
      const cancellation = countedCancellation(nth);
      const answer = entry.map(problem, contextFor(entry, { ...contextOf(entry, problem), cancellation }));
      expect(answer).toMatchObject({ ok: false, failure: { code: cancelledCode } });
      // Whoever hears of it gives up: each caller up to the mapper may look once more.
      expect(cancellation.after).toBeLessThan(mostLooksAfter);
    }
  });
}

/** What every mapper that takes a criterion must hold with each of them. */
function criterionContract(entry: MapperEntry, chosen: readonly string[]): void {
  const problems = [...contractProblems, ...problemsWithoutCoordinates].filter(
    ([, { job }]) => job.taskCount <= 64, // One matrix of costs and a few steps each: what is special comes small.
  );

  describe.each(chosen)('under criterion %s', (criterion) => {
    it.each(problems)('maps, or says that it needs coordinates: %s', (_, problem) => {
      const refuses =
        ['traffic-distribution', 'even-hops'].includes(criterion) && problem.machine.topology.shape === undefined;
      expectSoundOr(refuses, entry, problem, contextOf(entry, problem, { criterion }));
    });

    it('answers that it was cancelled, whenever it looks', () => {
      const [, problem] = contractProblems.find(([what]) => what === 'a scattered allocation')!;
      expectCancellable(entry, problem, contextOf(entry, problem, { criterion }));
    });

    it('has a sound answer whenever it is asked to finish', () => {
      const [, problem] = contractProblems.find(([what]) => what === 'a scattered allocation')!;
      expectFinishable(entry, problem, contextOf(entry, problem, { criterion }));
    });
  });
}

/** `given` is the one mapper that needs an argument: the offered slots, backwards. */
function contextOf(
  entry: MapperEntry,
  { job, slots }: MappingProblem,
  chosen: OptionValues = {},
): Partial<MappingContext> {
  const options = contractOptions(entry, chosen);
  if (entry.argument === undefined) return { options };
  return { options, argument: { kind: 'numbers', numbers: [...slots.slice(0, job.taskCount)].reverse() } };
}

/** The mappers that may refuse a machine without coordinates: those that lay tasks out along its axes. */
const needsCoordinates: readonly string[] = [
  ...['row-major', 'column-major', 'ordered', 'corner', 'all-corners', 'overlay', 'two-way-overlay', 'rcb'],
  'incremental',
];

function expectSoundOr(
  refuses: boolean,
  entry: MapperEntry,
  problem: MappingProblem,
  overrides: Partial<MappingContext>,
): void {
  const answer = entry.map(problem, contextFor(entry, overrides));
  if (refuses) expect(answer).toMatchObject({ ok: false, failure: { code: 'no-coordinates' } });
  else if (answer.ok) expectSound(problem, answer.value);
  else throw new Error(answer.failure.message);
}

function expectSound(problem: MappingProblem, { mapping, search }: MappingAnswer): void {
  const { job, slots } = problem;
  expect(mapping).toHaveLength(job.taskCount);
  expect(new Set(mapping).size).toBe(mapping.length);
  const offered = new Set(slots);
  expect([...mapping].filter((slot) => !offered.has(slot))).toEqual([]);
  if (search !== undefined) expectTrue(search, problem, mapping);
}

/** A search must say what its mapping costs, and how it came down to that. */
function expectTrue(record: SearchRecord, problem: MappingProblem, mapping: Int32Array): void {
  const criterion = findEntry(criteria, record.criterion)!;
  const objective = criterion.objective(problem, { cancellation: neverCancelled, progress: ignoreProgress });
  if (!objective.ok) throw new Error(objective.failure.message);
  const placeOfSlot = new Map(Array.from(problem.slots, (slot, place) => [slot, place]));
  objective.value.assign(mapping.map((slot) => placeOfSlot.get(slot)!));
  expect(record.value).toBe(objective.value.value * objective.value.unit);
  const values = record.convergence.map(({ value }) => value);
  expect(values).toEqual(values.toSorted((a, b) => b - a));
  expect(values.at(-1)).toBe(record.value);
  expect(values.length).toBeLessThanOrEqual(convergencePoints);
}

function expectCancellable(entry: MapperEntry, problem: MappingProblem, overrides: Partial<MappingContext>): void {
  // Every run draws the same numbers, so that it looks as often.
  const run = (cancellation: Cancellation) =>
    entry.map(problem, contextFor(entry, { ...overrides, cancellation, random: seededRandom(1) }));
  let looks = 0;
  const counting = {
    isCancelled: () => {
      looks++;
      return false;
    },
  };
  expect(run(counting).ok).toBe(true);
  // A linear mapper may finish before it looks; one that takes longer must look.
  expect(looks > 0 || entry.complexity === 'O(n)').toBe(true);
  if (looks === 0) return;
  for (const allowed of new Set([0, looks >> 1, looks - 1])) {
    expect(run(cancelledAfter(allowed))).toMatchObject({ ok: false, failure: { code: cancelledCode } });
  }
}

/**
 * One that asks whether it should finish soon ends with what it has then, and says that it was stopped. A search asks.
 */
function expectFinishable(entry: MapperEntry, problem: MappingProblem, overrides: Partial<MappingContext>): void {
  const run = (allowed: number) => {
    let looks = 0;
    const cancellation: Cancellation = { isCancelled: () => false, isFinishWanted: () => looks++ >= allowed };
    const answer = mapWith(entry, problem, { ...overrides, cancellation, random: seededRandom(1) });
    return { looks, answer, search: answer.search };
  };
  const whole = run(Infinity);
  expect(whole.search !== undefined).toBe(entry.isSearch === true);
  if (entry.isSearch === true) expect(whole.looks).toBeGreaterThan(0);
  for (const allowed of whole.looks === 0 ? [] : new Set([0, whole.looks >> 1, whole.looks - 1])) {
    const { looks, answer, search } = run(allowed);
    expectSound(problem, answer);
    expect(looks - allowed).toBeLessThan(mostLooksAfter);
    if (search === undefined) continue;
    expect(search.end).toBe('stopped');
    expect(search.evaluations).toBeLessThanOrEqual(whole.search!.evaluations);
    if (allowed === 0) expect(search.evaluations).toBe(0);
  }
}

/** Points of a run at which it is cancelled, and looks that it may take to come back. */
const dueLooks = 12;
const mostLooksAfter = 40;

/** How often a run that is left alone looks. */
function looksOf(entry: MapperEntry, problem: MappingProblem, overrides: Partial<MappingContext>): number {
  const cancellation = countedCancellation(Infinity);
  mapWith(entry, problem, { ...overrides, cancellation });
  return cancellation.looks;
}

/** Turns true after so many looks, and counts all looks and those after it. */
function countedCancellation(allowed: number) {
  const counted = {
    looks: 0,
    after: 0,
    isCancelled: () => {
      const isDue = counted.looks++ >= allowed;
      if (isDue) counted.after++;
      return isDue;
    },
  };
  return counted;
}

/** A byte from every task to every other. */
function everyPair(taskCount: number): Traffic {
  const partners = Array.from({ length: taskCount }, (_, task) => task);
  return {
    taskCount,
    rowStart: Int32Array.from({ length: taskCount + 1 }, (_, task) => task * (taskCount - 1)),
    partner: Int32Array.from(partners.flatMap((task) => partners.filter((other) => other !== task))),
    bytes: new Float64Array(taskCount * (taskCount - 1)).fill(1),
  };
}

function cancelledAfter(allowed: number): Cancellation {
  let looks = 0;
  return { isCancelled: () => looks++ >= allowed };
}
