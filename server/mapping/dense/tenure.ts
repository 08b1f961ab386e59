import type { RandomSource } from '../../model/random.ts';

/**
 * Draws for how many steps a task must not return to where it was: 0.9 n to 1.1 n, all alike, as
 * Taillard 1991, section 3.2 recommends for exchanges of n tasks.
 */
export function tenures(taskCount: number, random: RandomSource): () => number {
  const shortest = Math.max(1, Math.floor(0.9 * taskCount));
  const longest = Math.max(shortest, Math.floor(1.1 * taskCount));
  return () => shortest + random.integer(longest - shortest + 1);
}
