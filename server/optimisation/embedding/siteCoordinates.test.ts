import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../model/cancellation.ts';
import { networkMachine } from '../../network/testing/networkMachines.ts';
import type { CostTable } from '../problem/gridCosts.ts';
import type { SearchProblem } from '../problem/searchProblem.ts';
import { problemOn } from '../testing/problems.ts';
import { searchProblemOf } from '../testing/searchProblem.ts';
import { embeddingParameters } from './parameters.ts';
import { siteCoordinatesOf } from './siteCoordinates.ts';

/** Coordinates of all sites, and the landmarks in the order in which their costs were read. */
function coordinatesAndLandmarks(problem: SearchProblem) {
  const { costs } = problem;
  if (costs.kind !== 'table') throw new Error('The costs of a small network are a table.');
  const landmarks: number[] = [];
  const table = new Proxy(costs.table, {
    get(values: CostTable, key) {
      const from = Math.floor(Number(key) / costs.siteCount);
      if (landmarks.at(-1) !== from) landmarks.push(from);
      return values[Number(key)];
    },
  });
  const sites = Int32Array.from({ length: costs.siteCount }, (_, site) => site);
  const axes = siteCoordinatesOf({ ...problem, costs: { ...costs, table } }, sites, neverCancelled)!;
  return { axes, landmarks };
}

/** Switches in three arms from switch 0; the arm whose end is farthest has the highest numbers. */
const cables = [
  [0, 1],
  [1, 2],
  [0, 3],
  [3, 4],
  [0, 5],
  [5, 6],
  [6, 7],
  [7, 8],
].map(([from = 0, to = 0]) => ({ from, to }));

describe('coordinates of the sites of a network', () => {
  it.each([
    ['three arms of switches', networkMachine('switches', { count: 9, cables })],
    ['a fat tree', networkMachine('fat-tree', { options: { k: 4, n: 3 } })],
    ['a fat tree of more nodes than landmarks', networkMachine('fat-tree', { options: { k: 2, n: 7 } })],
  ])('come from landmarks that are all different: %s', (_, machine) => {
    const { landmarks } = coordinatesAndLandmarks(searchProblemOf(problemOn(machine)));
    expect(landmarks.toSorted((one, other) => one - other)).toEqual([...new Set(landmarks)].sort((a, b) => a - b));
    expect(landmarks).toHaveLength(Math.min(machine.nodeCount, embeddingParameters.siteLandmarks));
  });

  it('take as the next landmark a site that is farthest from those before', () => {
    const { landmarks } = coordinatesAndLandmarks(
      searchProblemOf(problemOn(networkMachine('switches', { count: 9, cables }))),
    );
    // From the middle to the end of the long arm, then to the ends of the two short ones.
    expect(landmarks.slice(0, 4)).toEqual([0, 8, 2, 4]);
  });

  it('keep neighbours nearer than ends of arms', () => {
    const { axes } = coordinatesAndLandmarks(
      searchProblemOf(problemOn(networkMachine('switches', { count: 9, cables }))),
    );
    const apart = (one: number, other: number) => Math.hypot(...axes.map((axis) => axis[one]! - axis[other]!));
    expect(apart(2, 4)).toBeGreaterThan(apart(2, 1));
    expect(apart(2, 8)).toBeGreaterThan(apart(2, 4));
  });
});
