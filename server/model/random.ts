import type { JumpableRandomGenerator } from 'pure-rand/types/JumpableRandomGenerator';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';

/**
 * A seeded source of randomness. The same seed gives the same numbers on every machine;
 * nothing in the engine may draw from anywhere else.
 */
export interface RandomSource {
  /** A uniform integer in `[0, bound)`; `bound` from 1 to 2^31. */
  integer(bound: number): number;
  /** A uniform number in `[0, 1)`. */
  fraction(): number;
  /** A source that draws from now on what this one would; neither knows what the other draws. */
  copy(): RandomSource;
}

const drawsToMix = 32;

/**
 * xoroshiro128+ from pure-rand: fast, 2^128 long, kept by others. `seed` is any integer. The first
 * draws are thrown away: pure-rand puts the seed into one word of the state, and until the words
 * are mixed neighbouring seeds draw neighbouring numbers.
 */
export const seededRandom = (seed: number): RandomSource => randomSource(mixedGenerator(seed));

/**
 * One source for each name, of one seed: each begins 2^64 draws after the one before it, so that they never meet. What
 * is drawn of one leaves the others alone: two runs that draw different numbers of lengths still agree on arrivals. A
 * name that is added goes to the end, so that the others draw what they drew.
 */
export function separateRandoms<Name extends string>(
  seed: number,
  names: readonly Name[],
): Readonly<Record<Name, RandomSource>> {
  const generator = mixedGenerator(seed);
  const sources: Partial<Record<Name, RandomSource>> = {};
  for (const name of names) {
    sources[name] = randomSource(generator.clone());
    generator.jump();
  }
  return sources as Record<Name, RandomSource>;
}

function mixedGenerator(seed: number): JumpableRandomGenerator {
  const generator = xoroshiro128plus(seed | 0);
  for (let draw = 0; draw < drawsToMix; draw++) generator.next();
  return generator;
}

const randomSource = (generator: RandomGenerator): RandomSource => ({
  integer: (bound) => uniformInt(generator, 0, bound - 1),
  fraction: () => uniformFloat64(generator),
  copy: () => randomSource(generator.clone()),
});

/** A seed for {@link seededRandom}, where a step of its own must be repeated elsewhere. */
export const drawSeed = (random: RandomSource): number => random.integer(2 ** 31 - 1);

/** Fisher–Yates: permutes `values` in place. O(n). */
export function shuffle(values: Int32Array | number[], random: RandomSource): void {
  for (let last = values.length - 1; last > 0; last--) {
    const other = random.integer(last + 1);
    const kept = values[last] as number;
    values[last] = values[other] as number;
    values[other] = kept;
  }
}

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
