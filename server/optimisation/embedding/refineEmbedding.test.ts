import { expect, it } from 'vitest';
import { neverCancelled } from '../../model/cancellation.ts';
import { seededRandom, shuffle } from '../../model/random.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import { mappingCost } from '../problem/searchProblem.ts';
import { problemOn } from '../testing/problems.ts';
import { refineEmbedding } from './embed.ts';
import { siteCoordinatesOf } from './siteCoordinates.ts';
import { siteTreeOf } from './coordinateBisection.ts';
import { gridTraffic } from './testing/graphs.ts';
import { searchProblemOf } from '../testing/searchProblem.ts';

const search = searchProblemOf(problemOn(gridMachine('mesh', [9, 9]), { taskCount: 81, traffic: gridTraffic([9, 9]) }));
const sites = Int32Array.from({ length: 81 }, (_, site) => site);
const coordinates = siteCoordinatesOf(search, sites, neverCancelled)!;
const space = { coordinates, tree: siteTreeOf(search.places, sites, coordinates, 'gap', neverCancelled)! };
const valued = (placeOfTask: Int32Array) => ({ placeOfTask, value: mappingCost(search, placeOfTask) });

function disturbed(exchanges: number): Int32Array {
  const random = seededRandom(exchanges);
  const places = sites.slice();
  for (let exchange = 0; exchange < exchanges; exchange++) {
    const pair = [random.integer(81), random.integer(81)] as const;
    [places[pair[0]], places[pair[1]]] = [places[pair[1]]!, places[pair[0]]!];
  }
  return places;
}

it('settles a mapping that was disturbed, and counts its value', () => {
  const start = valued(disturbed(40));
  const settled = refineEmbedding(search, space, start, neverCancelled);
  expect(settled.value).toBe(mappingCost(search, settled.placeOfTask));
  expect(settled.value).toBeLessThan(0.5 * start.value);
  expect(settled.placeOfTask.toSorted()).toEqual(sites);
});

it('leaves alone what cannot be better', () => {
  const start = valued(sites);
  expect(refineEmbedding(search, space, start, neverCancelled)).toBe(start);
});

it('never makes a mapping worse', () => {
  const random = seededRandom(2);
  for (let draw = 0; draw < 10; draw++) {
    const places = sites.slice();
    shuffle(places, random);
    const start = valued(places);
    expect(refineEmbedding(search, space, start, neverCancelled).value).toBeLessThanOrEqual(start.value);
  }
});
