/**
 * Mappers that do something for every subset of the axes do it for at most this many: three in the
 * paper, but a hypercube has as many axes as its number of routers has bits.
 */
export const subsetAxisLimit = 8;

/** The `count` longest axes that have any length at all, ascending; equal lengths keep the lower axes. */
export function longestAxes(lengths: readonly number[], count: number): readonly number[] {
  return [...lengths.keys()]
    .filter((axis) => lengths[axis]! > 0)
    .sort((a, b) => lengths[b]! - lengths[a]! || a - b)
    .slice(0, count)
    .sort((a, b) => a - b);
}
