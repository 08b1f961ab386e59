import { describe, expect, it } from 'vitest';
import { ignoreProgress, type Cancellation } from '../../model/cancellation.ts';
import { cancelledCode, type Result } from '../../model/result.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import type { MappingProblem } from '../contract.ts';
import { randomTraffic } from '../../optimisation/annealing/testing/cores.ts';
import { incremental, averageHopsCore } from '../mappers/incremental.ts';
import { contextFor } from '../testing/problems.ts';
import { problemOn } from '../../optimisation/testing/problems.ts';
import { hopBytes } from './additive.ts';
import { maximumLoad } from './maximumLoad.ts';
import { prepareSearch } from './contract.ts';

/** Pairs that fill several of the stretches between two looks. */
const problem = problemOn(gridMachine('torus', [32, 32]), { traffic: randomTraffic(1024, 192), taskCount: 1024 });

type Prepare = (problem: MappingProblem, cancellation: Cancellation) => Result<unknown>;
const preparations: readonly (readonly [string, Prepare])[] = [
  ['a search', (on, cancellation) => prepareSearch(on, hopBytes, { cancellation, progress: ignoreProgress })],
  ['the loads of links', (on, cancellation) => maximumLoad.objective(on, { cancellation, progress: ignoreProgress })],
  ['a search for average hops', (on, cancellation) => averageHopsCore(on, contextFor(incremental, { cancellation }))],
];

/** Looks of one preparation, with a flag that goes up at a look. */
function looksOf(prepare: Prepare, goesUpAt: number): { readonly looks: number; readonly result: Result<unknown> } {
  let looks = 0;
  const result = prepare(problem, { isCancelled: () => looks++ >= goesUpAt });
  return { looks, result };
}

describe.each(preparations)('making ready %s', (_, prepare) => {
  const whole = looksOf(prepare, Infinity);

  it('looks at the flag all along', () => {
    const pairs = problem.job.traffic.partner.length;
    // At least twice through the pairs, with a look at every 2^16.
    expect(whole.looks).toBeGreaterThan((2 * pairs) / 2 ** 16);
  });

  it('ends at the look at which the flag is up', () => {
    const { looks: all, result } = whole;
    expect(result.ok).toBe(true);
    for (let goesUpAt = 0; goesUpAt < Math.min(all, 60); goesUpAt += 3) {
      const stopped = looksOf(prepare, goesUpAt);
      expect(stopped.result).toMatchObject({ ok: false, failure: { code: cancelledCode } });
      // Each step that follows looks once, and does nothing.
      expect(stopped.looks - goesUpAt).toBeLessThan(12);
    }
  });
});
