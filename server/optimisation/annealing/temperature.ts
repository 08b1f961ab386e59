import { byteAt, intAt, realAt } from '../../numeric/elements.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import { type SearchCore, mappingCost } from '../problem/searchProblem.ts';
import { costBetween } from '../problem/siteCosts.ts';
import { anneal } from './anneal.ts';
import { edgeVisitsPerProposal, type Annealing } from './annealing.ts';
import type { Region } from './chain.ts';
import { drawBelow, generatorState } from './generator.ts';

/**
 * By how much the cost of one task changes when it moves to a site near one of its partners, were the
 * changes of its edges independent: the root of the mean sum of their squares, over a sample. The
 * measure that temperatures of all problems have in common. O(samples · degree).
 */
export function costNoise(
  { core, near, communicatingTasks, parameters }: Annealing,
  placeOfTask: Int32Array,
  seed: number,
): number {
  if (communicatingTasks.length === 0) return 0;
  const { graph, places } = core;
  const samples = Math.max(
    1,
    Math.min(
      parameters.noiseSamples,
      Math.floor((parameters.noiseEdgeVisits * communicatingTasks.length) / graph.partner.length),
    ),
  );
  const generator = generatorState(seed);
  const siteOf = (task: number) => intAt(places.siteOfPlace, intAt(placeOfTask, task));
  let squares = 0;
  for (let sample = 0; sample < samples; sample++) {
    const task = intAt(communicatingTasks, drawBelow(generator, communicatingTasks.length));
    const start = intAt(graph.rowStart, task);
    const end = intAt(graph.rowStart, task + 1);
    const neighbour = intAt(graph.partner, start + drawBelow(generator, end - start));
    const toSite = intAt(near.sites, siteOf(neighbour) * near.perSite + drawBelow(generator, near.perSite));
    const fromSite = siteOf(task);
    for (let edge = start; edge < end; edge++) {
      const site = siteOf(intAt(graph.partner, edge));
      const change =
        realAt(graph.weight, edge) * (costBetween(core.costs, toSite, site) - costBetween(core.costs, fromSite, site));
      squares += change * change;
    }
  }
  return Math.sqrt(squares / samples);
}

/**
 * The temperature at which annealing neither spoils what a start is worth nor falls below it: hotter
 * than that the start is lost, colder its faults stay. The better the start the colder. Found by short
 * chains in a part of the machine. On tori, scattered allocations and random networks this comes within a
 * factor of two of the start that ends best, which is worth less than 1 % of the value.
 * In whole units of cost; 0 where there is no traffic.
 */
export function startTemperature(
  annealing: Annealing,
  placeOfTask: Int32Array,
  seed: number,
  stop: Cancellation,
): number {
  const {
    leastTemperature,
    mostTemperature,
    probes,
    proposalsPerProbe,
    edgeVisitsPerProbe,
    sitesOfProbe,
    startTemperatureShare,
  } = annealing.parameters;
  const noise = costNoise(annealing, placeOfTask, seed);
  const region = ballOfSites(annealing.core, seed, sitesOfProbe);
  const tasks = placeOfTask.reduce(
    (sum, place) => sum + byteAt(region, intAt(annealing.core.places.siteOfPlace, place)),
    0,
  );
  const value = mappingCost(annealing.core, placeOfTask);
  const affordable = Math.floor(edgeVisitsPerProbe / edgeVisitsPerProposal(annealing));
  const steps = Math.min(proposalsPerProbe * tasks, Math.max(tasks, affordable));
  let [cold, hot] = [leastTemperature, mostTemperature];
  for (let probe = 0; probe < probes && !stop.isCancelled(); probe++) {
    const middle = Math.sqrt(cold * hot);
    const temperature = middle * noise;
    const order = { placeOfTask, seed, steps, finalDescent: false, region };
    const outcome = anneal(annealing, { ...order, from: temperature, to: temperature }, stop);
    if (outcome.value > value) hot = middle;
    else cold = middle;
  }
  return startTemperatureShare * Math.sqrt(cold * hot) * noise;
}

/** Coldest temperature worth the while, in whole units. */
export const endTemperature = ({ parameters }: Annealing, noise: number, start: number): number =>
  Math.min(parameters.leastTemperature * noise, start / 2);

/** The sites nearest to a random one. */
function ballOfSites({ places, costs }: SearchCore, seed: number, sitesOfProbe: number): Region {
  const { siteCount } = places;
  if (siteCount <= sitesOfProbe) return new Uint8Array(siteCount).fill(1);
  const centre = drawBelow(generatorState(seed), siteCount);
  // Cost first, then the site: one number, which sorts without a comparison of our own.
  const keys = Float64Array.from(
    { length: siteCount },
    (_, site) => costBetween(costs, centre, site) * siteCount + site,
  ).sort();
  const region = new Uint8Array(siteCount);
  for (const key of keys.subarray(0, sitesOfProbe)) region[key % siteCount] = 1;
  return region;
}
