import { intAt, itemAt } from '../../numeric/elements.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import type { AnnealOrder, AnnealOutcome, Region } from './chain.ts';
import type { Annealing } from './annealing.ts';
import { exponential, logarithm } from '../../numeric/elementary.ts';
import type { AnnealingParameters } from './parameters.ts';
import { costNoise, endTemperature, startTemperature } from './temperature.ts';
import { type SearchCore, mappingCost } from '../problem/searchProblem.ts';
import { costBetween } from '../problem/siteCosts.ts';
import { drawBelow, generatorState, type GeneratorState } from './generator.ts';

/**
 * One epoch of a schedule: work items that start from the same mapping and know nothing of each other, so
 * that any threads may do them in any order.
 */
export interface Epoch {
  /** Work items anneal a region each, and are put together; or the whole each, and the best is taken. */
  readonly share: 'regions' | 'whole';
  readonly workItems: number;
  /** Of each work item. */
  readonly steps: number;
  readonly from: number;
  readonly to: number;
  readonly finalDescent: boolean;
}

/** More than any machine has threads for. */
const mostWorkItems = 8;

/**
 * How to spend `steps` on a start. What is done, and with which seeds, depends on the problem, the start,
 * the seed and the steps alone, so any number of threads ends with the same. Large problems are cut into
 * regions, otherwise for every epoch: half of the steps in each of two regions end within 0.5 % of one chain
 * of all steps on meshes of elements, 1.5 % on random geometric graphs, in half the time. Small ones run
 * independent chains, which do as well there, and better on random networks. Regions end with a descent over the whole.
 */
export function annealSchedule(
  annealing: Annealing,
  placeOfTask: Int32Array,
  seed: number,
  steps: number,
  stop: Cancellation,
): Epoch[] {
  const { parameters } = annealing;
  const communicatingTasks = Math.max(1, annealing.communicatingTasks.length);
  const hottest = startTemperature(annealing, placeOfTask, seed, stop);
  const from = hottest * temperatureShareFor(steps / communicatingTasks, parameters);
  const to = endTemperature(annealing, costNoise(annealing, placeOfTask, seed), from);
  const regions = Math.min(mostWorkItems, Math.floor(annealing.core.places.siteCount / parameters.sitesPerRegion));
  if (regions < 2) return independentChainEpochs(parameters, communicatingTasks, steps, from, to);
  return regionEpochs(parameters, communicatingTasks, steps, from, to, regions);
}

const temperatureShareFor = (
  proposalsPerTask: number,
  { proposalsForFullTemperature, temperatureShareForFew }: AnnealingParameters,
): number =>
  temperatureShareForFew + (1 - temperatureShareForFew) * Math.min(1, proposalsPerTask / proposalsForFullTemperature);

/** Chains from the same start that know nothing of each other: as many as have threads on the smallest machine. */
const independentChains = 2;

function independentChainEpochs(
  { proposalsPerIndependentChain, mostRounds }: AnnealingParameters,
  communicatingTasks: number,
  steps: number,
  from: number,
  to: number,
): Epoch[] {
  const rounds = Math.max(
    1,
    Math.min(mostRounds, Math.round(steps / (independentChains * proposalsPerIndependentChain * communicatingTasks))),
  );
  return Array.from({ length: rounds }, () => ({
    share: 'whole',
    workItems: independentChains,
    steps: Math.floor(steps / rounds / independentChains),
    from,
    to,
    finalDescent: true,
  }));
}

function regionEpochs(
  { proposalsPerEpoch, fewestEpochs, mostEpochs }: AnnealingParameters,
  communicatingTasks: number,
  steps: number,
  from: number,
  to: number,
  workItems: number,
): Epoch[] {
  const wanted = Math.ceil(steps / (proposalsPerEpoch * communicatingTasks));
  const count = Math.min(mostEpochs, Math.max(fewestEpochs, wanted));
  const slope = from > 0 ? logarithm(to / from) / count : 0;
  const epochs = Array.from({ length: count }, (_, epoch): Epoch => ({
    share: 'regions',
    workItems,
    steps: Math.floor(steps / count / workItems),
    from: from * exponential(slope * epoch),
    to: from * exponential(slope * (epoch + 1)),
    finalDescent: epoch === count - 1,
  }));
  return [...epochs, { share: 'whole', workItems: 1, steps: 0, from: to, to, finalDescent: true }];
}

/** The orders of the `index`-th epoch, from where the one before left the tasks. */
export function epochOrders(
  { core }: Annealing,
  epoch: Epoch,
  index: number,
  placeOfTask: Int32Array,
  seed: number,
): AnnealOrder[] {
  const { steps, from, to, finalDescent, workItems } = epoch;
  const regions = epoch.share === 'regions' ? regionsOf(core, seed, index, workItems) : undefined;
  return Array.from({ length: workItems }, (_, workItem) => {
    const order = { placeOfTask, seed: workItemSeed(seed, index, workItem), steps, from, to, finalDescent };
    return regions === undefined ? order : { ...order, region: itemAt(regions, workItem) };
  });
}

/** Different for all work items of all epochs. */
const workItemSeed = (seed: number, epoch: number, workItem: number): number =>
  (seed >>> 0) + 2 ** 32 * (epoch * mostWorkItems + workItem + 1);

/** What the work items of an epoch come to, in the order of their orders. */
export function mergeEpoch(
  annealing: Annealing,
  { share }: Epoch,
  placeOfTask: Int32Array,
  outcomes: readonly AnnealOutcome[],
): { readonly placeOfTask: Int32Array; readonly value: number } {
  if (share === 'regions') return mergeRegions(annealing.core, placeOfTask, outcomes);
  return outcomes.reduce((best, outcome) => (outcome.value < best.value ? outcome : best));
}

/**
 * Cuts the sites into `count` disjoint compact regions of about equal size, otherwise for every
 * `epoch`, so that no border stays: halves by which of two sites is nearer, a random one and the
 * farthest from it, and again. O(sites · log sites · log count).
 */
export function regionsOf(core: SearchCore, seed: number, epoch: number, count: number): Region[] {
  const { siteCount } = core.places;
  const sites = Int32Array.from({ length: siteCount }, (_, site) => site);
  const regions: Region[] = [];
  // Seeds and epochs in different words of the state, so that no two pairs meet.
  cut(core, generatorState((seed >>> 0) + epoch * 2 ** 32), sites, Math.min(count, siteCount), regions);
  return regions;
}

function cut(core: SearchCore, generator: GeneratorState, sites: Int32Array, count: number, regions: Region[]): void {
  if (count === 1) {
    const region = new Uint8Array(core.places.siteCount);
    for (const site of sites) region[site] = 1;
    regions.push(region);
    return;
  }
  const one = intAt(sites, drawBelow(generator, sites.length));
  const other = farthestFrom(core, sites, one);
  // Nearness first, then the site: one number, which sorts without a comparison of our own.
  const keys = Float64Array.from(sites, (site) => {
    const nearness = costBetween(core.costs, one, site) - costBetween(core.costs, other, site);
    return nearness * core.places.siteCount + site;
  }).sort();
  const ordered = Int32Array.from(keys, (key) => key - Math.floor(key / core.places.siteCount) * core.places.siteCount);
  const firstCount = count >> 1;
  const middle = Math.round((sites.length * firstCount) / count);
  cut(core, generator, ordered.subarray(0, middle), firstCount, regions);
  cut(core, generator, ordered.subarray(middle), count - firstCount, regions);
}

/** The first of the farthest, in cyclic order, so that ties are broken otherwise for every site. */
function farthestFrom({ costs }: SearchCore, sites: Int32Array, from: number): number {
  const start = sites.indexOf(from);
  let farthest = from;
  let most = -1;
  for (let step = 1; step <= sites.length; step++) {
    const site = intAt(sites, (start + step) % sites.length);
    const cost = costBetween(costs, from, site);
    if (cost > most) {
      most = cost;
      farthest = site;
    }
  }
  return farthest;
}

/**
 * Puts the outcomes of the regions of one epoch together: tasks that a region moved are where it put them.
 * O(regions · tasks + edges).
 */
export function mergeRegions(
  core: SearchCore,
  start: Int32Array,
  outcomes: readonly { readonly placeOfTask: Int32Array }[],
): { readonly placeOfTask: Int32Array; readonly value: number } {
  const placeOfTask = start.slice();
  for (const outcome of outcomes) {
    for (let task = 0; task < start.length; task++) {
      if (outcome.placeOfTask[task] !== start[task]) placeOfTask[task] = intAt(outcome.placeOfTask, task);
    }
  }
  return { placeOfTask, value: mappingCost(core, placeOfTask) };
}
