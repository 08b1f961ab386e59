import type { Cancellation } from '../../model/cancellation.ts';
import { doStint, type Stint, type StintMaterials, type StintOutcome } from './stints.ts';

/**
 * Who does the stints of a search: the calling thread alone, or several threads that the doors
 * keep. What a stint comes to depends on its materials and on nothing else, so the outcomes are
 * the same whoever does them, and in the order of the stints.
 */
export interface Crew {
  /** How many stints are done at a time; for budgets in time, never for what is done. */
  readonly threads: number;
  /** Hands out what all stints of one search share. */
  open(materials: StintMaterials): Shift;
}

export interface Shift {
  /**
   * Does all stints; where `stop` says so each ends at once with the best it has. The calling thread does
   * `meanwhile` before it takes a stint itself: what no other thread can do.
   */
  run(stints: readonly Stint[], stop: Cancellation, meanwhile?: () => void): readonly StintOutcome[];
  close(): void;
}

/** All in the calling thread. */
export const crewOfOne: Crew = {
  threads: 1,
  open: (materials) => ({
    run: (stints, stop, meanwhile) => {
      meanwhile?.();
      return stints.map((stint) => doStint(materials, stint, stop));
    },
    close: () => undefined,
  }),
};
