import { isDeepStrictEqual } from 'node:util';
import { findEntry, type OptionValues } from '../../model/catalogue.ts';
import { ignoreProgress, neverCancelled, workPerPoll, type Cancellation } from '../../model/cancellation.ts';
import { seededRandom } from '../../model/random.ts';
import { cancelledCode, type Result } from '../../model/result.ts';
import { testContract, type Contract } from '../../model/testing/contract.ts';
import type { Shape } from '../../model/shape.ts';
import type { Traffic } from '../../model/traffic.ts';
import { itemAt } from '../../numeric/elements.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import type { MapperEntry, MappingAnswer, MappingContext, MappingProblem } from '../contract.ts';
import { criteria } from '../criteria/catalogue.ts';
import { convergencePoints, type SearchRecord } from '../../model/searchRecord.ts';
import { contractOptions, criteriaOf, manages, type Thoroughness } from './contractOptions.ts';
import { contextFor, mapWith } from './problems.ts';
import {
  contractProblems,
  problemOn,
  problemsWithoutCoordinates,
  randomTraffic,
} from '../../optimisation/testing/problems.ts';

const properties = {
  sound: 'gives every task a slot of its own among those offered',
  again: 'gives the same mapping again, and leaves the slots as they were',
  record: 'says of a search what its mapping costs, and how it came down to that',
  mapsAnywhere: 'maps on machines without coordinates',
  refuses: 'says that it needs coordinates',
  looks: 'looks whether it is cancelled, where it takes more than linear time',
  cancelled: 'answers that it was cancelled, whenever it looks',
  dense: 'looks all along while every task talks to all others, and gives up soon',
  isSearch: 'is said to be a search where it takes a criterion',
  asks: 'asks whether it should finish where it is a search',
  finished: 'has a sound answer soon whenever it is asked to finish',
} as const;

/** What every mapper of the catalogue must hold. What searches hold under each criterion is in `testSearchContract`. */
export function testMapperContract(entry: MapperEntry, how: Thoroughness): void {
  testContract(`mapper ${entry.name}`, (contract) => {
    const { notApplicable } = contract;
    const refuses = needsCoordinates.includes(entry.name);
    if (refuses) notApplicable(properties.mapsAnywhere, 'it lays tasks out along the axes');
    else notApplicable(properties.refuses, 'it does without coordinates');
    if (entry.bytesPerPair === undefined) notApplicable(properties.dense, 'it reads pairs one by one');
    if (entry.isSearch !== true) {
      for (const property of [properties.record, properties.asks]) notApplicable(property, 'it is no search');
    }

    const problems = contractProblems.filter(([, problem]) => manages(entry, problem, how));
    for (const [what, problem] of problems) {
      contract.on(what, () => {
        checkMapping(contract, entry, problem);
      });
    }
    for (const [what, problem] of problemsWithoutCoordinates) {
      contract.on(what, () => {
        checkWithoutCoordinates(contract, entry, problem, refuses);
      });
    }

    const [, last] = itemAt(problems, problems.length - 1);
    // What works on pairs looks often, and takes long where there are many.
    const isLast = entry.bytesPerPair === undefined || !manages(entry, irregular, how);
    const interrupted = isLast ? last : irregular;
    for (const problem of how === 'thorough' && manages(entry, manyIrregular, how)
      ? [interrupted, manyIrregular]
      : [interrupted]) {
      const context = contextOf(entry, problem);
      checkCancellable(contract, entry, problem, context);
      checkFinishable(contract, entry, problem, context);
    }
    if (entry.bytesPerPair !== undefined) checkDensePairs(contract, entry, how);
    contract.property(properties.isSearch, (look) => {
      look((entry.isSearch === true) === criteriaOf(entry).length > 0, String(entry.isSearch));
    });
  });
}

/** Tasks that talk at random, on nodes of eight cores: so few that many runs take little, and as many as are mostly annealed. */
const irregular = randomTasks(100, [4, 4]);
const manyIrregular = randomTasks(160, [5, 5]);

function randomTasks(taskCount: number, shape: Shape): MappingProblem {
  const traffic = randomTraffic(taskCount, 4 * taskCount, 4);
  return problemOn(gridMachine('torus', shape, { cores: 8 }), { taskCount, traffic });
}

function checkMapping(contract: Contract, entry: MapperEntry, problem: MappingProblem): void {
  const before = problem.slots.slice();
  const run = () => mapWith(entry, problem, { ...contextOf(entry, problem), random: seededRandom(99) });
  const answer = run();
  checkSound(contract, problem, answer);
  contract.property(properties.again, (look) => {
    look(isDeepStrictEqual(run(), answer), 'another answer');
    look(isDeepStrictEqual(problem.slots, before), 'other slots');
  });
}

function checkWithoutCoordinates(
  contract: Contract,
  entry: MapperEntry,
  problem: MappingProblem,
  refuses: boolean,
): void {
  const answer = entry.map(problem, contextFor(entry, contextOf(entry, problem)));
  contract.property(refuses ? properties.refuses : properties.mapsAnywhere, (look) => {
    look(refuses ? failureOf(answer) === 'no-coordinates' : answer.ok, () => failureOf(answer));
  });
  if (answer.ok) checkSound(contract, problem, answer.value);
}

const failureOf = (answer: Result<MappingAnswer>): string => (answer.ok ? 'mapped' : answer.failure.code);

/** What every mapper that works on the pairs of the traffic must hold. */
function checkDensePairs(contract: Contract, entry: MapperEntry, how: Thoroughness): void {
  const [points, taskCount] = [duePoints[how], denseTasks[how]];
  const traffic = everyPair(taskCount);
  const problem = problemOn(gridMachine('torus', [taskCount / 16, 16]), { taskCount, traffic });
  const context = contextOf(entry, problem);
  contract.property(properties.dense, (look) => {
    const looks = looksOf(entry, problem, context);
    // To read the pairs both ways, to merge them twice and to sum them takes five passes: what comes first may not go
    // unwatched.
    look(looks > (5 * traffic.partner.length) / workPerPoll, () => `${looks} looks`);
    for (let nth = 0; nth < looks; nth += Math.ceil(looks / points)) {
      const cancellation = countedCancellation(nth);
      const answer = entry.map(problem, contextFor(entry, { ...context, cancellation }));
      look(failureOf(answer) === cancelledCode, () => `after ${nth} looks: ${failureOf(answer)}`);
      // Whoever hears of it gives up: each caller up to the mapper may look once more.
      look(cancellation.after < mostLooksAfter, () => `after ${nth} looks: ${cancellation.after} more`);
    }
  });
}

/**
 * What all searches must hold under each criterion. Each criterion meets each problem once, with the searches by turns:
 * every search meets every criterion and every problem as well.
 */
export function testSearchContract(searches: readonly MapperEntry[]): void {
  const problems = [...contractProblems, ...problemsWithoutCoordinates].filter(
    ([, { job }]) => job.taskCount <= 64, // One matrix of costs and a few steps each: what is special comes small.
  );
  const [, scattered] = contractProblems.find(([what]) => what === 'a scattered allocation')!;

  for (const [nth, criterion] of criteria.entries()) {
    testContract(`searches under criterion ${criterion.name}`, (contract) => {
      const needsAxes = ['traffic-distribution', 'even-hops'].includes(criterion.name);
      if (!needsAxes) contract.notApplicable(properties.refuses, 'the criterion does without coordinates');
      else contract.notApplicable(properties.mapsAnywhere, 'the criterion measures along axes');
      for (const [index, [what, problem]] of problems.entries()) {
        const entry = itemAt(searches, (index + nth) % searches.length);
        contract.on(`${entry.name} on ${what}`, () => {
          const { shape } = problem.machine.topology;
          const answer = entry.map(
            problem,
            contextFor(entry, contextOf(entry, problem, { criterion: criterion.name })),
          );
          if (shape === undefined) {
            contract.property(needsAxes ? properties.refuses : properties.mapsAnywhere, (look) => {
              look(needsAxes ? failureOf(answer) === 'no-coordinates' : answer.ok, () => failureOf(answer));
            });
          }
          if (answer.ok) checkSound(contract, problem, answer.value);
          else if (!needsAxes || shape !== undefined) throw new Error(answer.failure.message);
        });
      }
      for (const entry of searches) {
        contract.on(entry.name, () => {
          const context = contextOf(entry, scattered, { criterion: criterion.name });
          checkCancellable(contract, entry, scattered, context);
          checkFinishable(contract, entry, scattered, context);
        });
      }
    });
  }
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

function checkSound(contract: Contract, problem: MappingProblem, { mapping, search }: MappingAnswer): void {
  const { job, slots } = problem;
  contract.property(properties.sound, (look) => {
    look(mapping.length === job.taskCount, () => `${mapping.length} of ${job.taskCount} tasks`);
    look(new Set(mapping).size === mapping.length, () => `slots twice: ${mapping.join(' ')}`);
    const offered = new Set(slots);
    mapping.forEach((slot, task) => {
      look(offered.has(slot), () => `task ${task} on slot ${slot}`);
    });
  });
  if (search !== undefined) checkRecord(contract, search, problem, mapping);
}

/** A search must say what its mapping costs, and how it came down to that. */
function checkRecord(contract: Contract, record: SearchRecord, problem: MappingProblem, mapping: Int32Array): void {
  const criterion = findEntry(criteria, record.criterion)!;
  const made = criterion.objective(problem, { cancellation: neverCancelled, progress: ignoreProgress });
  if (!made.ok) throw new Error(made.failure.message);
  const objective = made.value;
  const placeOfSlot = new Map(Array.from(problem.slots, (slot, place) => [slot, place]));
  objective.assign(mapping.map((slot) => placeOfSlot.get(slot)!));
  contract.property(properties.record, (look) => {
    const cost = objective.value * objective.unit;
    look(record.value === cost, () => `${record.value}, not ${cost}`);
    const values = record.convergence.map(({ value }) => value);
    look(values.at(-1) === record.value, () => `ends at ${values.at(-1)}, not ${record.value}`);
    look(
      values.every((value, index) => index === 0 || value <= values[index - 1]!),
      () => values.join(' '),
    );
    look(values.length <= convergencePoints, () => `${values.length} points`);
  });
}

function checkCancellable(
  contract: Contract,
  entry: MapperEntry,
  problem: MappingProblem,
  overrides: Partial<MappingContext>,
): void {
  // Every run draws the same numbers, so that it looks as often.
  const run = (cancellation: Cancellation) =>
    entry.map(problem, contextFor(entry, { ...overrides, cancellation, random: seededRandom(1) }));
  const counting = countedCancellation(Infinity);
  const whole = run(counting);
  const { looks } = counting;
  contract.property(properties.looks, (look) => {
    // A linear mapper may finish before it looks; one that takes longer must look.
    look(whole.ok && (looks > 0 || entry.complexity === 'O(n)'), () => `${failureOf(whole)} after ${looks} looks`);
  });
  if (looks === 0) contract.notApplicable(properties.cancelled, 'it ends before it looks');
  contract.property(properties.cancelled, (look) => {
    for (const allowed of looks === 0 ? [] : new Set([0, looks >> 1, looks - 1])) {
      const answer = run(countedCancellation(allowed));
      look(failureOf(answer) === cancelledCode, () => `after ${allowed} of ${looks} looks: ${failureOf(answer)}`);
    }
  });
}

/**
 * One that asks whether it should finish soon ends with what it has then, and says that it was stopped. A search asks.
 */
function checkFinishable(
  contract: Contract,
  entry: MapperEntry,
  problem: MappingProblem,
  overrides: Partial<MappingContext>,
): void {
  const run = (allowed: number) => {
    let looks = 0;
    const cancellation: Cancellation = { isCancelled: () => false, isFinishWanted: () => looks++ >= allowed };
    const answer = mapWith(entry, problem, { ...overrides, cancellation, random: seededRandom(1) });
    return { looks, answer, search: answer.search };
  };
  const whole = run(Infinity);
  const { isSearch = false } = entry;
  if (isSearch || whole.search !== undefined) {
    contract.property(properties.asks, (look) => {
      look(isSearch && whole.search !== undefined && whole.looks > 0, () => `${whole.looks} looks`);
    });
  }
  if (whole.looks === 0 && !isSearch) contract.notApplicable(properties.finished, 'it never asks');
  for (const allowed of whole.looks === 0 ? [] : new Set([0, whole.looks >> 1, whole.looks - 1])) {
    const { looks, answer, search } = run(allowed);
    checkSound(contract, problem, answer);
    contract.property(properties.finished, (look) => {
      look(looks - allowed < mostLooksAfter, () => `after ${allowed} looks: ${looks - allowed} more`);
      if (search === undefined) return;
      look(search.end === 'stopped', () => `after ${allowed} looks: ${search.end}`);
      const most = allowed === 0 ? 0 : whole.search!.evaluations;
      look(search.evaluations <= most, () => `after ${allowed} looks: ${search.evaluations} evaluations`);
    });
  }
}

/** Points of a run at which it is cancelled. */
const duePoints = { quick: 3, thorough: 8 } as const;
/** Tasks that all talk to each other: enough that reading their pairs takes several looks. */
const denseTasks = { quick: 96, thorough: 192 } as const;
/** Looks that a run may take to come back. */
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
