import { logarithm } from './elementary.ts';

/** A draw of so many bits picks the threshold. */
export const thresholdBits = 12;

/**
 * What Metropolis' test may lose at temperature 1: −ln of a uniform draw from (0, 1), from the middles
 * of 4,096 equal parts. `delta ≤ temperature · threshold` is `draw ≤ e^(−delta / temperature)`, drawn
 * before the delta is known, so that a trial can end as soon as its delta must be larger.
 */
export const thresholds = Float64Array.from(
  { length: 2 ** thresholdBits },
  (_, index) => -logarithm((index + 0.5) / 2 ** thresholdBits),
);
