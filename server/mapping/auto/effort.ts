import type { Budget } from '../../model/catalogue.ts';
import { type Cancellation, shouldFinish } from '../../model/cancellation.ts';

/** Of a budget in time that starts may take, whatever was planned: the rest improves the best of them. */
const startsShare = 0.6;

interface EffortContext {
  readonly cancellation: Cancellation;
  readonly now: () => number;
}

/**
 * A budget and what is left of it. Given in steps the clock is never asked, so the answer is the same
 * on every machine and with any number of threads. Given in time it is turned into steps at a fixed
 * rate, and the clock only ends early what a slow machine does not finish; `endedByClock` says so.
 */
export class Effort {
  /** Steps that are left to be planned with. */
  steps: number;
  /** Says to stop: the user, or the clock. */
  readonly stop: Cancellation;
  endedByClock = false;
  /** Says to stop looking for starts: the user, or the clock when most of the time is gone. */
  readonly stopStarting: Cancellation;
  readonly #context: EffortContext;
  readonly #deadline: number;

  constructor(budget: Budget, stepsPerSecond: number, context: EffortContext) {
    const { kind, amount } = budget;
    this.#context = context;
    this.steps = kind === 'steps' ? amount : Math.round(amount * stepsPerSecond);
    this.#deadline = kind === 'steps' ? Infinity : context.now() + 1000 * amount;
    this.stop = { isCancelled: () => shouldFinish(context.cancellation) || this.#isPast(this.#deadline) };
    const startsEnd = kind === 'steps' ? Infinity : context.now() + 1000 * startsShare * amount;
    this.stopStarting = { isCancelled: () => shouldFinish(context.cancellation) || this.#isPast(startsEnd) };
  }

  get isCancelled(): boolean {
    return this.#context.cancellation.isCancelled();
  }

  /** The user asked for the best so far. */
  get isStopped(): boolean {
    return this.#context.cancellation.isFinishWanted?.() === true;
  }

  /** Whether something that costs so many steps is worth it: no more than a third of what is left. */
  affords(steps: number): boolean {
    return this.#deadline === Infinity || steps <= this.steps / 3;
  }

  /** Takes what a start costs off the steps that are left; a budget in steps is for the search alone. */
  spend(steps: number): void {
    if (this.#deadline !== Infinity) this.steps = Math.max(0, Math.round(this.steps - steps));
  }

  /**
   * The share of `steps` that the time left is enough for, 0 … 1, at the pace of the steps done since
   * `started`. Always 1 where the budget is in steps, or nothing was done yet.
   */
  affordable(steps: number, done: number, started: number): number {
    if (this.#deadline === Infinity || done === 0 || steps === 0) return 1;
    const now = this.#context.now();
    const pace = done / Math.max(1, now - started);
    const share = Math.min(1, (Math.max(0, this.#deadline - now) * pace) / steps);
    if (share < 1) this.endedByClock = true;
    return share;
  }

  #isPast(end: number): boolean {
    if (end === Infinity || this.#context.now() < end) return false;
    this.endedByClock = true;
    return true;
  }
}
