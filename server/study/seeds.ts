import { seededRandom } from '../model/random.ts';
import type { RandomSource } from '../model/random.ts';
import { hashText } from './fingerprint.ts';

/** Steps that draw random numbers. Each has a stream of its own, so changing one leaves the others alone. */
export type RandomStep = 'pattern' | 'allocate' | 'map';

/**
 * The stream of one step, from the seed of the placement. `of` tells jobs apart: their position
 * in the placement, or the name of the job for its traffic, which is then the same in every
 * placement with that seed.
 */
export const randomFor = (seed: number, step: RandomStep, of: number | string): RandomSource =>
  seededRandom(hashText(`${seed}/${step}/${of}`));

/** A source that notices whether anything was drawn from it. */
export interface WatchedRandom extends RandomSource {
  readonly used: boolean;
}

export function watchedRandom(random: RandomSource): WatchedRandom {
  let used = false;
  return {
    get used() {
      return used;
    },
    integer: (bound) => {
      used = true;
      return random.integer(bound);
    },
    fraction: () => {
      used = true;
      return random.fraction();
    },
    copy: () => {
      used = true;
      return random.copy();
    },
  };
}
