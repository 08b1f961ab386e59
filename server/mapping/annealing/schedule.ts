import type { Annealing } from './annealing.ts';
import { exponential, logarithm } from './elementary.ts';
import { costNoise } from './temperature.ts';

/** One epoch: all its regions are annealed from the same snapshot, each with so many steps. */
export interface Epoch {
  /** 1: the whole, without borders. */
  readonly regions: number;
  readonly steps: number;
  readonly from: number;
  readonly to: number;
  readonly settle: boolean;
}

/** Sites that a region has at least, so that few of its exchanges would cross the border. */
const sitesPerRegion = 1024;
const mostRegions = 8;

/**
 * Trials of a task from one snapshot to the next: putting regions together costs about as much as
 * ten of them.
 */
const trialsPerEpoch = 100;
const fewestEpochs = 8;
const mostEpochs = 64;

/**
 * First and last temperature in units of `costNoise`. Measured from good starts (bisection by coordinates)
 * on tori, scattered allocations and random networks: 0.25 is within 1 % of the best from 500 trials a task on;
 * with fewer, hotter trials spoil more than they mend. Below the last nothing but descent is left.
 */
const startHeat = 0.25;
const endHeat = 0.08;

/** The temperature to start annealing at, in whole units, from a mapping that is no longer random. */
export const startTemperature = (annealing: Annealing, placeOfTask: Int32Array, seed: number): number =>
  startHeat * costNoise(annealing, placeOfTask, seed);

/**
 * How to spend `steps` on a start: what is done, and with which seeds, depends on the problem, the start, the
 * seed and the steps alone, so any number of threads that share the regions of each epoch ends with the same.
 * Half of the steps in each of two regions give what a chain of all the steps over the whole gives, within
 * half a percent. The last epoch is a descent over the whole.
 */
export function annealSchedule(annealing: Annealing, placeOfTask: Int32Array, seed: number, steps: number): Epoch[] {
  const { siteCount } = annealing.core.places;
  const hot = startTemperature(annealing, placeOfTask, seed) * heatFor(steps / Math.max(1, annealing.talkers.length));
  const cold = (hot * endHeat) / startHeat;
  const regions = Math.max(1, Math.min(mostRegions, Math.floor(siteCount / sitesPerRegion)));
  const wanted = Math.ceil(steps / (trialsPerEpoch * Math.max(1, annealing.talkers.length)));
  const count = Math.max(1, Math.min(steps, mostEpochs, Math.max(fewestEpochs, wanted)));
  const slope = logarithm(endHeat / startHeat);
  const epochs = Array.from({ length: count }, (_, epoch) => ({
    regions,
    steps: Math.floor(steps / count / regions),
    from: hot * exponential((slope * epoch) / count),
    to: hot * exponential((slope * (epoch + 1)) / count),
    settle: epoch === count - 1,
  }));
  return [...epochs, { regions: 1, steps: 0, from: cold, to: cold, settle: true }];
}

/** Trials of a task from which on the full heat pays, and the share of it that a few are given. */
const trialsForFullHeat = 500;
const leastHeat = 0.5;

const heatFor = (trialsPerTask: number): number =>
  leastHeat + (1 - leastHeat) * Math.min(1, trialsPerTask / trialsForFullHeat);

/** The seed of one region's order; different for all regions of all epochs. */
export const regionSeed = (seed: number, epoch: number, region: number): number =>
  (seed >>> 0) + 2 ** 32 * (epoch * mostRegions + region + 1);
