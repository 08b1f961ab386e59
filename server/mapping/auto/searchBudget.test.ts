import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../model/cancellation.ts';
import { SearchBudget } from './searchBudget.ts';

const steps = (amount: number) => ({ kind: 'steps', amount }) as const;
const seconds = (amount: number) => ({ kind: 'seconds', amount }) as const;

describe('a budget in steps', () => {
  it('never asks the clock how much is left', () => {
    let time = 0;
    const budget = new SearchBudget(steps(1000), { cancellation: neverCancelled, now: () => (time += 1e9) });
    budget.did(400, 1);
    expect([budget.elapsed, budget.stepsLeft, budget.stop.isCancelled()]).toEqual([0.4, 600, false]);
    budget.did(700, 1);
    expect([budget.elapsed, budget.stepsLeft]).toEqual([1.1, 0]);
  });

  it('of nothing is over at once', () => {
    const budget = new SearchBudget(steps(0), { cancellation: neverCancelled, now: () => 0 });
    expect([budget.elapsed, budget.stepsLeft]).toEqual([1, 0]);
  });
});

describe('a budget in time', () => {
  const timed = (amount: number) => {
    const clock = { time: 100 };
    const budget = new SearchBudget(seconds(amount), { cancellation: neverCancelled, now: () => clock.time });
    return { clock, budget };
  };

  it('plans no steps before the pace was measured, then as many as the rest of the time takes', () => {
    const { clock, budget } = timed(2);
    expect(budget.stepsLeft).toBe(0);
    clock.time += 500;
    budget.did(10_000, 500);
    expect([budget.elapsed, budget.stepsLeft]).toEqual([0.25, 1500 * 20]);
    // Half as fast: the pace lies between both measures.
    clock.time += 500;
    budget.did(5000, 500);
    expect([budget.elapsed, budget.stepsLeft]).toEqual([0.5, 1000 * 15]);
  });

  it('says to stop once a share of it is over, and once all of it is', () => {
    const { clock, budget } = timed(1);
    const half = budget.until(0.5);
    clock.time += 499;
    expect([half.isCancelled(), budget.stop.isCancelled()]).toEqual([false, false]);
    clock.time += 1;
    expect([half.isCancelled(), budget.stop.isCancelled()]).toEqual([true, false]);
    clock.time += 500;
    expect(budget.stop.isCancelled()).toBe(true);
  });

  it('ends by its steps where the clock stands still', () => {
    const { budget } = timed(0.001);
    expect(budget.stop.isCancelled()).toBe(false);
    budget.did(1_000_000, 0);
    expect(budget.stop.isCancelled()).toBe(true);
  });
});

it.each([steps(1000), seconds(1)])('stops when the user asks for the best so far or cancels: $kind', (amount) => {
  const asked = { isCancelled: false, isFinishWanted: false };
  const cancellation = { isCancelled: () => asked.isCancelled, isFinishWanted: () => asked.isFinishWanted };
  const budget = new SearchBudget(amount, { cancellation, now: () => 0 });
  expect([budget.stop.isCancelled(), budget.isStopped, budget.isCancelled]).toEqual([false, false, false]);
  asked.isFinishWanted = true;
  expect([budget.stop.isCancelled(), budget.isStopped, budget.isCancelled]).toEqual([true, true, false]);
  asked.isCancelled = true;
  expect(budget.isCancelled).toBe(true);
});
