/**
 * Mappers that do something for every subset of the axes do it for at most this many: three in the
 * paper, but a hypercube has as many axes as its number of routers has bits.
 */
export const subsetAxisLimit = 6;

/** The `count` longest axes, ascending; of equal lengths the lower axes. */
export function longestAxes(lengths: readonly number[], count: number): readonly number[] {
  return [...lengths.keys()]
    .sort((a, b) => lengths[b]! - lengths[a]! || a - b)
    .slice(0, count)
    .sort((a, b) => a - b);
}
