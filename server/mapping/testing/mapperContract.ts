import { expect, it } from 'vitest';
import type { Cancellation } from '../../model/cancellation.ts';
import { seededRandom } from '../../model/random.ts';
import { cancelledCode } from '../../model/result.ts';
import type { MapperEntry, MappingAnswer, MappingContext, MappingProblem } from '../contract.ts';
import { contextFor, contractProblems, mapWith, problemsWithoutCoordinates } from './problems.ts';

/** What every mapper of the catalogue that runs must hold. Call it inside a `describe`. */
export function mapperContract(entry: MapperEntry): void {
  it.each(contractProblems)('gives every task a slot of its own among those offered: %s', (_, problem) => {
    expectSound(problem, mapWith(entry, problem, argumentFor(entry, problem)));
  });

  it.each(problemsWithoutCoordinates)('maps, or says that it needs coordinates: %s', (_, problem) => {
    const answer = entry.map!(problem, contextFor(entry, argumentFor(entry, problem)));
    if (answer.ok) expectSound(problem, answer.value);
    else expect(answer.failure.code).toBe('needs-coordinates');
  });

  it.each(contractProblems)(
    'gives the same answer for the same seed, and leaves its problem alone: %s',
    (_, problem) => {
      const before = problem.slots.slice();
      const run = () => mapWith(entry, problem, { ...argumentFor(entry, problem), random: seededRandom(99) });
      expect(run()).toEqual(run());
      expect(problem.slots).toEqual(before);
    },
  );

  it('answers that it was cancelled, whenever it looks', () => {
    const [, problem] = contractProblems.at(-1)!;
    const context = contextFor(entry, argumentFor(entry, problem));
    const looks = countLooks(entry, problem, context);
    // A linear mapper may finish before it looks; one that takes longer must look.
    expect(looks > 0 || entry.complexity === 'O(n)').toBe(true);
    for (const allowed of new Set([0, looks >> 1, looks - 1])) {
      if (allowed < 0 || looks === 0) continue;
      const answer = entry.map!(problem, { ...context, cancellation: cancelledAfter(allowed) });
      expect(answer).toMatchObject({ ok: false, failure: { code: cancelledCode } });
    }
  });
}

function expectSound({ job, slots }: MappingProblem, { mapping }: MappingAnswer): void {
  expect(mapping).toHaveLength(job.taskCount);
  expect(new Set(mapping).size).toBe(mapping.length);
  const offered = new Set(slots);
  expect([...mapping].filter((slot) => !offered.has(slot))).toEqual([]);
}

/** `given` is the one mapper that needs an argument: the offered slots, backwards. */
const argumentFor = (entry: MapperEntry, { job, slots }: MappingProblem): Partial<MappingContext> =>
  entry.argument === undefined
    ? {}
    : { argument: { kind: 'numbers', numbers: [...slots.slice(0, job.taskCount)].reverse() } };

function countLooks(entry: MapperEntry, problem: MappingProblem, context: MappingContext): number {
  let looks = 0;
  const counting = {
    isCancelled: () => {
      looks++;
      return false;
    },
  };
  expect(entry.map!(problem, { ...context, cancellation: counting }).ok).toBe(true);
  return looks;
}

function cancelledAfter(allowed: number): Cancellation {
  let looks = 0;
  return { isCancelled: () => looks++ >= allowed };
}
