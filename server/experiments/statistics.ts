/**
 * Estimates from replications and from one long run: means with their intervals, ratios of pairs, and the steady state of
 * a series. Intervals are two-sided, of Student's t.
 */
import studentQuantile from '@stdlib/stats-base-dists-t-quantile';
import { mean, sampleStandardDeviation } from 'simple-statistics';
import type { SteadyStateOptions } from '../model/experiment.ts';
import { realAt } from '../numeric/elements.ts';

/** A mean and how sure it is, in the unit of the values. */
export interface Estimate {
  /** How many values there were. */
  readonly count: number;
  /** Undefined where there was none. */
  readonly mean: number | undefined;
  /** Of the sample (n − 1); undefined where there were fewer than two values. */
  readonly deviation: number | undefined;
  /** Of the interval about the mean; undefined where there were fewer than two values. */
  readonly halfWidth: number | undefined;
}

/** The mean of independent values, with t((1 + confidence)/2, n − 1)·s/√n. O(n). */
export function estimateMean(values: readonly number[], confidence: number): Estimate {
  const count = values.length;
  if (count === 0) return { count, mean: undefined, deviation: undefined, halfWidth: undefined };
  if (count === 1) return { count, mean: values[0], deviation: undefined, halfWidth: undefined };
  // A sum of many is rounded; a mean of equal ones is not.
  if (values.every((value) => value === values[0])) return { count, mean: values[0], deviation: 0, halfWidth: 0 };
  const deviation = sampleStandardDeviation([...values]);
  const halfWidth = (studentFactor(count - 1, confidence) * deviation) / Math.sqrt(count);
  return { count, mean: mean([...values]), deviation, halfWidth };
}

/** Student's t with so many degrees of freedom that has half of what `confidence` leaves above it. */
const studentFactor = (degrees: number, confidence: number): number => studentQuantile((1 + confidence) / 2, degrees);

/** Whether a half width is at most this share of its mean; nothing to say of fewer than two values. */
export function isPrecise({ mean: middle, halfWidth }: Estimate, share: number): boolean {
  if (middle === undefined || halfWidth === undefined) return false;
  return halfWidth <= share * Math.abs(middle);
}

/** A ratio of sums over pairs. */
export interface PairedRatio {
  readonly count: number;
  /** Undefined where there is no pair, or the sum below the line is 0. */
  readonly ratio: number | undefined;
  /** Undefined where there is no ratio, or fewer than two pairs. */
  readonly halfWidth: number | undefined;
}

/**
 * q = Σx/Σy of values that belong together by position, with the half width t·s(x − q·y)/(ȳ√n) of ratio estimation: what
 * moves both of a pair, such as common random numbers, leaves q alone. O(n).
 */
export function pairedRatio(x: readonly number[], y: readonly number[], confidence: number): PairedRatio {
  const count = x.length;
  if (count === 0) return { count, ratio: undefined, halfWidth: undefined };
  const below = mean([...y]);
  if (below === 0) return { count, ratio: undefined, halfWidth: undefined };
  const ratio = mean([...x]) / below;
  if (count === 1) return { count, ratio, halfWidth: undefined };
  const residuals = x.map((value, pair) => value - ratio * (y[pair] ?? 0));
  const deviation = sampleStandardDeviation(residuals);
  const halfWidth = (studentFactor(count - 1, confidence) * deviation) / (Math.abs(below) * Math.sqrt(count));
  return { count, ratio, halfWidth };
}

export interface SteadyState extends Estimate {
  /** How many values of the series were left out at its beginning. */
  readonly deleted: number;
  /**
   * Correlation of each batch with the next one: well above 0, the batches are too short and the interval is too narrow.
   * Undefined where there are fewer than three batches, or where all are equal.
   */
  readonly lag1: number | undefined;
}

/**
 * The mean of one series in steady state from the means of batches, which are nearly independent where batches are long.
 * `count` is that of batches. A series shorter than its batches has one batch for each value. O(n).
 */
export function steadyStateOf(series: Float64Array, options: SteadyStateOptions, confidence: number): SteadyState {
  const start = options.delete === 'mser-5' ? mser5(series) : Math.floor(series.length * options.delete);
  const size = Math.max(1, Math.floor((series.length - start) / options.batches));
  const batches = Math.min(options.batches, series.length - start);
  const deleted = series.length - batches * size;
  const means = Array.from({ length: batches }, (_, batch) => {
    const from = deleted + batch * size;
    return mean([...series.subarray(from, from + size)]);
  });
  return { ...estimateMean(means, confidence), deleted, lag1: lag1Correlation(means) };
}

/**
 * Where to cut the beginning off by the marginal standard error rule over means of five (White, Cobb and Spratt 2000): the
 * cut for which s²/m of the m means behind it is least, among those that leave at least half. O(n).
 */
export function mser5(series: Float64Array): number {
  const groups = Math.floor(series.length / 5);
  let sum = 0;
  let squares = 0;
  let best = 0;
  let least = Infinity;
  // The mean is taken off first: else squares of a large mean would hide a small deviation.
  const middle = series.length === 0 ? 0 : mean([...series]);
  for (let cut = groups - 1; cut >= 0; cut--) {
    let group = 0;
    for (let index = 5 * cut; index < 5 * cut + 5; index++) group += (realAt(series, index) - middle) / 5;
    sum += group;
    squares += group * group;
    const left = groups - cut;
    if (cut > groups / 2) continue;
    const error = (squares - (sum * sum) / left) / (left * left);
    // The longest rest wins among equals.
    if (error <= least) {
      least = error;
      best = cut;
    }
  }
  return 5 * best;
}

/** Σ(bᵢ − b̄)(bᵢ₊₁ − b̄) / Σ(bᵢ − b̄)². */
function lag1Correlation(values: readonly number[]): number | undefined {
  if (values.length < 3) return undefined;
  const middle = mean([...values]);
  let products = 0;
  let squares = 0;
  let before = 0;
  for (const value of values) {
    const difference = value - middle;
    products += before * difference;
    squares += difference * difference;
    before = difference;
  }
  return squares === 0 ? undefined : products / squares;
}
