/**
 * Who waits for whom in the network, kept at the ends of intervals while a simulation runs: a playback then lists it at any of them
 * without simulating anew. Memory is bounded: as time grows, every second moment goes.
 */
import type { Machine } from '../model/machine.ts';
import { intAt } from '../numeric/elements.ts';
import { channelCountOf, firstStep, intervalsOf } from './recording.ts';

/** Who waits in the network at a moment, and for whom; tasks are of the job, −1 of the background. */
export interface WaitingMessage {
  readonly job: number;
  readonly from: number;
  readonly to: number;
  readonly holds: readonly number[];
  readonly wants: number;
}

/** Who waited at the end of a cycle: of each message its job, from, to, the channel it wants, how many it holds, and those. */
interface Moment {
  readonly cycle: number;
  readonly numbers: Int32Array;
}

/** Who waited at the ends of intervals, the last one at the end of all. */
export type WaitingMoments = readonly Moment[];

/** Numbers of all moments together, 16 MB. */
const mostMomentNumbers = 2 ** 22;

/**
 * Keeps who waits at the ends of as many intervals as the use of links has. Every second moment goes where there are more of them, or
 * where they take too much memory.
 */
export class MomentKeeper {
  readonly #most: number;
  #step = firstStep;
  #numbers = 0;
  #moments: Moment[] = [];

  constructor(machine: Machine) {
    this.#most = intervalsOf(channelCountOf(machine));
  }

  /** The cycle at whose end the next moment is taken. */
  get next(): number {
    return this.#step * (this.#moments.length + 1) - 1;
  }

  add(waiting: readonly WaitingMessage[]): void {
    const moment = momentAt(this.next, waiting);
    this.#moments.push(moment);
    this.#numbers += moment.numbers.length;
    while (this.#moments.length >= this.#most || (this.#numbers > mostMomentNumbers && this.#moments.length > 0)) {
      this.#moments = this.#moments.filter((_, index) => index % 2 === 1);
      this.#numbers = this.#moments.reduce((sum, { numbers }) => sum + numbers.length, 0);
      this.#step *= 2;
    }
  }

  /** With who waits at the end of the simulation. */
  moments(cycle: number, waiting: readonly WaitingMessage[]): WaitingMoments {
    return [...this.#moments.filter((moment) => moment.cycle < cycle), momentAt(cycle, waiting)];
  }
}

const momentAt = (cycle: number, waiting: readonly WaitingMessage[]): Moment => ({
  cycle,
  numbers: Int32Array.from(
    waiting.flatMap(({ job, from, to, wants, holds }) => [job, from, to, wants, holds.length, ...holds]),
  ),
});

/** Who waited at the end of a cycle; undefined where that is not among the moments. */
export function waitingAtCycle(moments: WaitingMoments, cycle: number): readonly WaitingMessage[] | undefined {
  const end = moments.at(-1);
  const moment = end !== undefined && cycle >= end.cycle ? end : moments.find((one) => one.cycle === cycle);
  if (moment === undefined) return undefined;
  const found: WaitingMessage[] = [];
  const { numbers } = moment;
  for (let at = 0; at < numbers.length; at += 5 + intAt(numbers, at + 4)) {
    const [job, from, to] = [intAt(numbers, at), intAt(numbers, at + 1), intAt(numbers, at + 2)];
    const holds = [...numbers.subarray(at + 5, at + 5 + intAt(numbers, at + 4))];
    found.push({ job, from, to, wants: intAt(numbers, at + 3), holds });
  }
  return found;
}
