/**
 * sfc32, the small fast counting generator (Doty-Humphrey 2010, PractRand): a dozen 32-bit
 * operations, written out where they are needed. A call to the library's generator costs more than
 * the exchange that it would choose. Four words: a, b, c and the counter.
 */
export type GeneratorState = Int32Array;

const drawsToMix = 16;

/** The state for an integer seed, mixed so that neighbouring seeds have nothing in common. */
export function generatorState(seed: number): GeneratorState {
  const state = Int32Array.of(seed | 0, Math.floor(seed / 2 ** 32) | 0, 0x9e3779b9, 1);
  for (let draw = 0; draw < drawsToMix; draw++) drawWord(state);
  return state;
}

/** 32 bits as a signed integer. */
export function drawWord(state: GeneratorState): number {
  const [a = 0, b = 0, c = 0, counter = 0] = state;
  const word = (((a + b) | 0) + counter) | 0;
  state[0] = b ^ (b >>> 9);
  state[1] = (c + (c << 3)) | 0;
  state[2] = (((c << 21) | (c >>> 11)) + word) | 0;
  state[3] = (counter + 1) | 0;
  return word;
}

/** A uniform integer in [0, bound), bound up to 2^32; off by at most bound / 2^32. */
export const drawBelow = (state: GeneratorState, bound: number): number =>
  Math.floor(((drawWord(state) >>> 0) * bound) / 2 ** 32);
