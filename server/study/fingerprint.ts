import { seededRandom, type RandomSource } from '../model/random.ts';

/**
 * Contents of typed arrays as a short text, so that what was computed of the same numbers is
 * found again. Two independent 32-bit lanes (FNV-1a and a multiply–rotate) over the words: equal
 * contents always agree, different ones by chance once in 2^64. O(bytes / 4).
 */
export function fingerprintOf(...arrays: readonly (Int32Array | Float64Array)[]): string {
  let first = 0x811c9dc5;
  let second = 0x9e3779b9;
  let length = 0;
  for (const array of arrays) {
    const words = new Uint32Array(array.buffer, array.byteOffset, array.byteLength >>> 2);
    for (let index = 0; index < words.length; index++) {
      const word = words[index]!;
      first = Math.imul(first ^ word, 0x01000193) ^ (first >>> 15);
      second = Math.imul((second << 13) | (second >>> 19), 0x85ebca6b) ^ word;
    }
    length += words.length;
  }
  return `${length}:${(first >>> 0).toString(16)}:${(second >>> 0).toString(16)}`;
}

/** The same of a text. O(length). */
export function fingerprintOfText(text: string): string {
  const codes = new Int32Array(text.length);
  for (let index = 0; index < text.length; index++) codes[index] = text.charCodeAt(index);
  return fingerprintOf(codes);
}

/** A 32-bit number of a text, for seeds: FNV-1a with a final mix. O(length). */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x7feb352d);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x846ca68b);
  return hash ^ (hash >>> 16);
}

/** Steps that draw random numbers. Each has a stream of its own, so changing one leaves the others alone. */
type RandomStep = 'pattern' | 'allocate' | 'map';

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
