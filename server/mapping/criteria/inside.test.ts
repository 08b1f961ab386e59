import { describe, expect, it } from 'vitest';
import { ignoreProgress, neverCancelled } from '../../model/cancellation.ts';
import type { Machine } from '../../model/machine.ts';
import { seededRandom, shuffle } from '../../model/random.ts';
import type { RailUse } from '../../model/rails.ts';
import type { MachineDescription } from '../../network/contract.ts';
import { buildMachine } from '../../network/machine.ts';
import { usingRails } from '../../network/rails.ts';
import { lowerBound } from '../../optimisation/bounds/lowerBound.ts';
import { mappingOf } from '../../optimisation/problem/places.ts';
import { mappingCost } from '../../optimisation/problem/searchProblem.ts';
import { problemOn, randomTraffic } from '../../optimisation/testing/problems.ts';
import { addToHistogram, emptyHistogram, hopBytesOf } from '../hopHistogram.ts';
import { criteria } from './catalogue.ts';
import { hopBytes } from './additive.ts';
import { prepareSearch } from './contract.ts';

const context = { cancellation: neverCancelled, progress: ignoreProgress };

function machineOf(more: Partial<MachineDescription>, use?: RailUse): Machine {
  const description = {
    name: 'test',
    topology: { name: 'fat-tree', options: { levels: [2, 2], parents: [2] } },
    cables: [],
    socketsPerNode: 2,
    coresPerSocket: 3,
    figures: {},
  };
  const built = buildMachine({ ...description, ...more });
  if (!built.ok) throw new Error(built.failure.message);
  return use === undefined ? built.value : usingRails(built.value, use);
}

const gpus = {
  count: 6,
  links: [
    { from: 0, to: 1, links: 4 },
    { from: 0, to: 3, links: 3 },
    { from: 4, to: 5, links: 1 },
  ],
};
const torus = { topology: { name: 'torus', argument: { kind: 'numbers', numbers: [2, 2] } as const, options: {} } };
const machines: readonly (readonly [string, Machine])[] = [
  ['GPUs', machineOf({ gpus })],
  ['GPUs on a torus', machineOf({ gpus, ...torus })],
  ['GPUs over three rails, each its own', machineOf({ gpus, rails: { count: 3 } }, { kind: 'own' })],
  ['GPUs over three rails, striped', machineOf({ gpus, rails: { count: 3 } }, { kind: 'stripe' })],
  ['GPUs over one of two rails', machineOf({ gpus, rails: { count: 2 } }, { kind: 'only', rail: 1 })],
  ['sockets of unequal cores', machineOf({ coresOfSockets: [4, 2], countsInside: true })],
  ['sockets with rails of their own', machineOf({ countsInside: true, rails: { count: 4 } }, { kind: 'own' })],
];

describe.each(machines)('where distances inside nodes count: %s', (_, machine) => {
  const problem = problemOn(machine, { taskCount: 20, traffic: randomTraffic(20, 90, 7) });
  const { job } = problem;
  const prepared = prepareSearch(problem, hopBytes, context);
  if (!prepared.ok) throw new Error(prepared.failure.message);
  const search = prepared.value;
  const unit = search.weightUnit * search.costs.unit;
  const random = seededRandom(5);
  const placements = Array.from({ length: 20 }, () => {
    const places = Int32Array.from({ length: machine.slotCount }, (__, place) => place);
    shuffle(places, random);
    return places.slice(0, job.taskCount);
  });

  it('a search minimises what reports call hop-bytes', () => {
    for (const placeOfTask of placements) {
      const histogram = emptyHistogram();
      addToHistogram(histogram, machine, job.traffic, mappingOf(search.places, placeOfTask), neverCancelled);
      expect(histogram.inside!.hopBytes).toBeGreaterThan(0);
      expect(mappingCost(search, placeOfTask) * unit).toBeCloseTo(hopBytesOf(histogram), 3);
    }
  });

  it('no mapping is below the bound', () => {
    const { value } = lowerBound(search, machine, neverCancelled);
    for (const placeOfTask of placements) expect(mappingCost(search, placeOfTask) * unit).toBeGreaterThanOrEqual(value);
  });

  it('other criteria leave nodes as they are', () => {
    for (const criterion of criteria.filter(
      ({ siteCosts, name }) => siteCosts !== undefined && name !== hopBytes.name,
    )) {
      const other = prepareSearch(problem, criterion, context);
      if (other.ok) expect(other.value.places.siteCount).toBeLessThan(search.places.siteCount + 1);
    }
  });
});
