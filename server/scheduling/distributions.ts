/**
 * The catalogue of distributions: times between arrivals, sizes of jobs, times of service. Values are made of uniform deviates by
 * the elementary functions of `numeric`, so that the same seed draws the same jobs on every machine.
 */
import { largestOf } from '../model/lists.ts';
import {
  type ArgumentValue,
  type Choice,
  type OptionSpecification,
  type OptionValues,
  type CatalogueEntry,
  findEntry,
} from '../model/catalogue.ts';
import type { RandomSource } from '../model/random.ts';
import { fail, quote, type Result, succeed } from '../model/result.ts';
import {
  exponential as power,
  exponentialDeviate,
  gammaDeviate,
  logarithm,
  positivePower,
} from '../numeric/elementary.ts';
import { itemAt } from '../numeric/elements.ts';

export interface Distribution {
  /** Of {@link sample}. */
  readonly mean: number;
  /** No value is larger; Infinity where there is no bound. */
  readonly largest: number;
  /** A value ≥ 0. O(1), or O(log classes). */
  sample(random: RandomSource): number;
  /** A whole number ≥ 1, for sizes: a distribution of whole numbers gives its own, of others the value rounded up. */
  wholeSample(random: RandomSource): number;
  /** Of `at`: the values themselves, in their order; nothing is drawn. */
  readonly times?: readonly number[];
}

export interface DistributionEntry extends CatalogueEntry {
  /** Fails with `bad-distribution` where the values together make no distribution. */
  readonly make: (options: OptionValues, argument: ArgumentValue | undefined) => Result<Distribution>;
}

const largestNumber = 1e15;

type Parameter = OptionSpecification & { readonly kind: 'number' };

const numberParameter = (name: string, summary: string, more: Partial<Parameter> = {}): Parameter => ({
  name,
  summary,
  kind: 'number',
  minimum: 0,
  maximum: largestNumber,
  ...more,
});

const positiveParameter = (name: string, summary: string, more: Partial<Parameter> = {}): Parameter =>
  numberParameter(name, summary, { minimum: 1e-15, ...more });

const shapeParameter = (summary: string): Parameter =>
  numberParameter('shape', summary, { minimum: 0.01, maximum: 1e6, required: true });

const meanOrScale: readonly OptionSpecification[] = [
  positiveParameter('mean', 'the mean value; this or the scale'),
  positiveParameter('scale', 'the scale; this or the mean'),
];

const numberOption = (values: OptionValues, name: string): number | undefined => {
  const value = values[name];
  return typeof value === 'number' ? value : undefined;
};

const numberListOption = (values: OptionValues, name: string): readonly number[] => {
  const value = values[name];
  return Array.isArray(value) ? (value as readonly number[]) : [];
};

const bad = (message: string): ReturnType<typeof fail> => fail('bad-distribution', message);

/** Sizes from values that need not be whole; a value of 0 is a size of 1. */
const roundedUp = (distribution: Omit<Distribution, 'wholeSample'>): Result<Distribution> =>
  succeed({ ...distribution, wholeSample: (random) => Math.max(1, Math.ceil(distribution.sample(random))) });

const constant: DistributionEntry = {
  name: 'constant',
  summary: 'the same value each time',
  source: 'Placewright',
  options: [numberParameter('value', 'the value', { positional: true, required: true })],
  skeleton: 'constant(${1:1})',
  make: (options) => {
    const value = numberOption(options, 'value') ?? 0;
    return roundedUp({ mean: value, largest: value, sample: () => value });
  },
};

const exponential: DistributionEntry = {
  name: 'exponential',
  summary: 'without memory: arrivals that know nothing of one another',
  source: 'Alsardia 2017, section 4.1',
  details: 'The mean, or the rate, which is 1 / mean.',
  options: [
    positiveParameter('mean', 'the mean value; this or the rate'),
    positiveParameter('rate', '1 / mean; this or the mean'),
  ],
  skeleton: 'exponential(rate ${1:0.001})',
  make: (options) => {
    const [mean, rate] = [numberOption(options, 'mean'), numberOption(options, 'rate')];
    if ((mean === undefined) === (rate === undefined)) {
      return bad('exponential needs either mean or rate. Write exponential(mean 5) or exponential(rate 0.2).');
    }
    const value = mean ?? 1 / (rate ?? 1);
    return roundedUp({ mean: value, largest: Infinity, sample: (random) => value * exponentialDeviate(random) });
  },
};

const uniform: DistributionEntry = {
  name: 'uniform',
  summary: 'every value between two bounds alike; sizes are whole numbers',
  source: 'Alsardia 2017, section 4.1',
  options: [
    numberParameter('from', 'the smallest value', { positional: true, required: true }),
    numberParameter('to', 'the largest value', { positional: true, required: true }),
  ],
  skeleton: 'uniform(${1:1}, ${2:16})',
  make: (options) => {
    const [from, to] = [numberOption(options, 'from') ?? 0, numberOption(options, 'to') ?? 0];
    if (from > to) return bad(`uniform(${from}, ${to}) has no values: write the smaller bound first.`);
    const [first, last] = [Math.max(1, Math.ceil(from)), Math.max(1, Math.floor(to))];
    const values = Math.min(Math.max(1, last - first + 1), 2 ** 31);
    return succeed({
      mean: (from + to) / 2,
      largest: to,
      sample: (random) => from + (to - from) * random.fraction(),
      wholeSample: (random) => first + random.integer(values),
    });
  },
};

const decreasing: DistributionEntry = {
  name: 'decreasing',
  summary:
    'classes of whole numbers by their shares, alike within a class: small jobs are more frequent than large ones',
  source: 'Alsardia 2017, section 4.1',
  details:
    'The classes are 1 … the first limit, and from above each limit to the next one. `decreasing(limits [2, 4, 8, 16], shares [40 %, 20 %, 20 %, 20 %])` is the thesis’ *uniform decreasing* on sides of 16.',
  options: [
    {
      name: 'limits',
      summary: 'the largest value of each class, ascending',
      kind: 'numbers',
      minimum: 1,
      maximum: 2 ** 31,
      required: true,
    },
    { name: 'shares', summary: 'how often each class comes', kind: 'shares', required: true },
  ],
  skeleton: 'decreasing(limits [${1:2, 4, 8, 16}], shares [${2:40 %, 20 %, 20 %, 20 %}])',
  make: (options) => {
    const [limits, shares] = [numberListOption(options, 'limits'), numberListOption(options, 'shares')];
    if (limits.length === 0 || limits.length !== shares.length) {
      return bad(`decreasing has ${limits.length} limits and ${shares.length} shares: write one share for each limit.`);
    }
    if (limits.some((limit, index) => !Number.isInteger(limit) || limit <= (limits[index - 1] ?? 0))) {
      return bad('The limits of decreasing must be ascending whole numbers.');
    }
    const cumulative = cumulated(shares);
    if (cumulative === undefined) return badShares('decreasing');
    const first = (index: number): number => (limits[index - 1] ?? 0) + 1;
    const mean = limits.reduce((sum, limit, index) => sum + (shares[index] ?? 0) * ((first(index) + limit) / 2), 0);
    const sample = (random: RandomSource): number => {
      const index = drawClass(cumulative, random);
      return first(index) + random.integer(itemAt(limits, index) - first(index) + 1);
    };
    return succeed({
      mean: mean / itemAt(cumulative, cumulative.length - 1),
      largest: limits.at(-1) ?? 1,
      sample,
      wholeSample: sample,
    });
  },
};

const gamma: DistributionEntry = {
  name: 'gamma',
  summary: 'the sum of exponential phases: more regular than exponential where the shape is above 1',
  source: 'Marsaglia and Tsang 2000, A simple method for generating gamma variables',
  options: [shapeParameter('number of phases, which need not be whole'), ...meanOrScale],
  skeleton: 'gamma(shape ${1:2}, mean ${2:10})',
  make: (options) => {
    const shape = numberOption(options, 'shape') ?? 1;
    const scale = distributionScale('gamma', options, shape);
    if (!scale.ok) return scale;
    const sample = (random: RandomSource): number => scale.value * gammaDeviate(shape, random);
    return roundedUp({ mean: scale.value * shape, largest: Infinity, sample });
  },
};

const weibull: DistributionEntry = {
  name: 'weibull',
  summary: 'a power of the exponential: a heavy tail where the shape is below 1',
  source: 'Weibull 1951',
  options: [shapeParameter('exponent'), ...meanOrScale],
  skeleton: 'weibull(shape ${1:0.7}, mean ${2:10})',
  make: (options) => {
    const shape = numberOption(options, 'shape') ?? 1;
    const unitMean = gammaFunction(1 + 1 / shape);
    const scale = distributionScale('weibull', options, unitMean);
    if (!scale.ok) return scale;
    const sample = (random: RandomSource): number => scale.value * positivePower(exponentialDeviate(random), 1 / shape);
    return roundedUp({ mean: scale.value * unitMean, largest: Infinity, sample });
  },
};

const hyperexponential: DistributionEntry = {
  name: 'hyperexponential',
  summary: 'one of several exponential distributions, by their shares: burstier than exponential',
  source: 'Jann et al. 1997, Modeling of workload in MPPs',
  options: [
    {
      name: 'means',
      summary: 'the mean of each',
      kind: 'numbers',
      minimum: 1e-15,
      maximum: largestNumber,
      required: true,
    },
    { name: 'shares', summary: 'how often each is drawn from', kind: 'shares', required: true },
  ],
  skeleton: 'hyperexponential(means [${1:1, 100}], shares [${2:90 %, 10 %}])',
  make: (options) => {
    const [means, shares] = [numberListOption(options, 'means'), numberListOption(options, 'shares')];
    if (means.length === 0 || means.length !== shares.length) {
      return bad(
        `hyperexponential has ${means.length} means and ${shares.length} shares. Write one share for each mean.`,
      );
    }
    const cumulative = cumulated(shares);
    if (cumulative === undefined) return badShares('hyperexponential');
    const mean =
      means.reduce((sum, one, index) => sum + one * (shares[index] ?? 0), 0) /
      itemAt(cumulative, cumulative.length - 1);
    return roundedUp({
      mean,
      largest: Infinity,
      sample: (random) => itemAt(means, drawClass(cumulative, random)) * exponentialDeviate(random),
    });
  },
};

const weighted: DistributionEntry = {
  name: 'weighted',
  summary: 'given values by their shares: `weighted [2: 40 %, 4: 60 %]`',
  source: 'Placewright',
  argument: { kind: 'weights', summary: 'values and how often each comes', required: true },
  options: [],
  skeleton: 'weighted [${1:2: 40 %, 4: 60 %}]',
  make: (_, argument) => {
    if (argument?.kind !== 'weights' || argument.values.length === 0)
      return bad('weighted needs its values: write weighted [2: 40 %, 4: 60 %].');
    const { values, shares } = argument;
    const cumulative = cumulated(shares);
    if (cumulative === undefined || values.length !== shares.length) return badShares('weighted');
    if (values.some((value) => !(value >= 0))) return bad('A value of weighted is below 0.');
    const mean =
      values.reduce((sum, value, index) => sum + value * (shares[index] ?? 0), 0) /
      itemAt(cumulative, cumulative.length - 1);
    const sample = (random: RandomSource): number => values[drawClass(cumulative, random)] ?? 0;
    return roundedUp({ mean, largest: largestOf(values), sample });
  },
};

const at: DistributionEntry = {
  name: 'at',
  summary: 'jobs arrive at these times, and no others: `at [0, 0, 12.5]`',
  source: 'Placewright',
  argument: { kind: 'numbers', summary: 'times of arrival, ascending', required: true },
  options: [],
  skeleton: 'at [${1:0, 10, 20}]',
  make: (_, argument) => {
    const times = argument?.kind === 'numbers' ? Array.from(argument.numbers) : [];
    if (times.length === 0) return bad('at needs times of arrival: write at [0, 10, 20].');
    if (times.some((time, index) => !(time >= (times[index - 1] ?? 0))))
      return bad('The times of at must be ascending, from 0 on.');
    const last = times.at(-1) ?? 0;
    const mean = times.length === 1 ? 0 : (last - (times[0] ?? 0)) / (times.length - 1);
    return roundedUp({ mean, largest: last, sample: () => mean, times });
  },
};

export const distributions: readonly DistributionEntry[] = [
  constant,
  exponential,
  uniform,
  decreasing,
  gamma,
  weibull,
  hyperexponential,
  weighted,
  at,
];

/** The distribution of a checked choice. Fails with `bad-distribution` and what is wrong. */
export function makeDistribution({ name, options, argument }: Choice): Result<Distribution> {
  const entry = findEntry(distributions, name);
  if (entry === undefined) return bad(`Unknown distribution ${quote(name)}.`);
  // The checker has seen what is written; what an experiment varies comes here unseen.
  for (const option of entry.options) {
    const value = numberOption(options, option.name);
    if (option.kind !== 'number' || value === undefined) continue;
    if (value >= option.minimum && value <= option.maximum) continue;
    return bad(`${option.name} of ${name} is ${value}. Expected ${option.minimum} to ${option.maximum}.`);
  }
  return entry.make(options, argument);
}

const badShares = (name: string): ReturnType<typeof fail> =>
  bad(`The shares of ${name} must be 0 or more, one for each class, and not all 0.`);

/** Running sums of shares, which need not add up to 1; undefined where they are no shares. */
function cumulated(shares: readonly number[]): readonly number[] | undefined {
  let sum = 0;
  const cumulative = shares.map((share) => (sum += share));
  return sum > 0 && sum < Infinity && shares.every((share) => share >= 0) ? cumulative : undefined;
}

/** A class by its share. O(classes): there are a few. */
function drawClass(cumulative: readonly number[], random: RandomSource): number {
  const last = cumulative.length - 1;
  const value = random.fraction() * itemAt(cumulative, last);
  const index = cumulative.findIndex((bound) => value < bound);
  return index < 0 ? last : index;
}

/** The scale, given it or the mean; `unitMean` is the mean where the scale is 1. */
function distributionScale(name: string, options: OptionValues, unitMean: number): Result<number> {
  const [mean, scale] = [numberOption(options, 'mean'), numberOption(options, 'scale')];
  if ((mean === undefined) !== (scale === undefined)) return succeed(scale ?? (mean ?? 0) / unitMean);
  return bad(`${name} needs either mean or scale. Write ${name}(shape 2, mean 10).`);
}

/** Γ(x) for 1 ≤ x ≤ 101, by Stirling's series from x + 12 on; right to about 12 digits. */
function gammaFunction(x: number): number {
  let factor = 1;
  let y = x;
  for (; y < x + 12; y++) factor *= y;
  const series = 1 / (12 * y) - 1 / (360 * (y * y * y)) + 1 / (1260 * (y * y * y * y * y));
  return power(Math.min(700, (y - 0.5) * logarithm(y) - y + 0.9189385332046727 + series - logarithm(factor)));
}
