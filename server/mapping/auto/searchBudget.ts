/** What a search may still spend, in time or in steps. */
import type { Budget } from '../../model/catalogue.ts';
import { type Cancellation, shouldFinish } from '../../model/cancellation.ts';
import { autoParameters } from './parameters.ts';

interface SearchBudgetContext {
  readonly cancellation: Cancellation;
  readonly now: () => number;
}

/** Steps a millisecond of a clock that stands still, so that a search ends all the same. */
const stepsOfStandstill = 20_000;

/**
 * A budget and what is left of it. Given in steps the clock is never asked, so the answer is the same
 * on every machine and with any number of threads. Given in time the rate of the search is measured while
 * it runs, and what is left of the time is planned with it: another run may differ.
 */
export class SearchBudget {
  readonly isTimed: boolean;
  readonly budget: Budget;
  /** Says to stop: the user, or the clock. */
  readonly stop: Cancellation;
  readonly #context: SearchBudgetContext;
  readonly #amount: number;
  readonly #started: number;
  #done = 0;
  /** Steps a millisecond, 0 while nothing was measured. */
  #rate = 0;

  constructor(budget: Budget, context: SearchBudgetContext) {
    const { kind, amount } = budget;
    this.budget = budget;
    this.#context = context;
    this.isTimed = kind === 'seconds';
    this.#amount = kind === 'seconds' ? 1000 * amount : amount;
    this.#started = context.now();
    this.stop = this.until(1);
  }

  get isCancelled(): boolean {
    return this.#context.cancellation.isCancelled();
  }

  /** The user asked for the best so far. */
  get isStopped(): boolean {
    return this.#context.cancellation.isFinishWanted?.() === true;
  }

  /** Says to stop: the user, or the clock once this share of a budget in time is over. */
  until(share: number): Cancellation {
    const { cancellation } = this.#context;
    if (!this.isTimed) return { isCancelled: () => shouldFinish(cancellation) };
    return { isCancelled: () => shouldFinish(cancellation) || this.elapsed >= share };
  }

  /** The share of the budget that is over: of the time, or of the steps. */
  get elapsed(): number {
    if (this.#amount === 0) return 1;
    return (this.isTimed ? this.#milliseconds : this.#done) / this.#amount;
  }

  get #milliseconds(): number {
    const real = this.#context.now() - this.#started;
    return real > 0 ? real : this.#done / stepsOfStandstill;
  }

  /** Steps that were done in so many milliseconds, by all threads together. */
  did(steps: number, milliseconds: number): void {
    this.#done += steps;
    if (steps === 0) return;
    const rate = milliseconds > 0 ? steps / milliseconds : stepsOfStandstill;
    this.#rate = this.#rate === 0 ? rate : this.#rate + autoParameters.freshness * (rate - this.#rate);
  }

  /** Steps that are left, at the rate measured last; of a budget in time none before something was measured. */
  get stepsLeft(): number {
    const left = Math.max(0, 1 - this.elapsed) * this.#amount;
    return this.isTimed ? left * this.#rate : left;
  }
}
