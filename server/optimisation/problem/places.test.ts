import { expect, it } from 'vitest';
import { gridMachine } from '../../network/testing/machines.ts';
import { mappingOf, groupPlaces, placesOfMapping } from './places.ts';

it('gathers the places of each node, in the order of the allocation', () => {
  const machine = gridMachine('torus', [4], { hosts: 2, cores: 3 });
  const places = groupPlaces(machine, Int32Array.of(15, 16, 4, 5, 0));
  expect(places).toEqual({
    placeCount: 5,
    siteCount: 3,
    slotOfPlace: Int32Array.of(15, 16, 4, 5, 0),
    siteOfPlace: Int32Array.of(0, 0, 1, 1, 2),
    firstPlace: Int32Array.of(0, 2, 4, 5),
    nodeOfSite: Int32Array.of(5, 1, 0),
    endOfSite: Int32Array.of(5, 1, 0),
    routerOfSite: Int32Array.of(2, 0, 0),
  });
  expect(mappingOf(places, Int32Array.of(4, 0))).toEqual(Int32Array.of(0, 15));
  expect(placesOfMapping(places, Int32Array.of(0, 15, 5))).toEqual(Int32Array.of(4, 0, 3));
});
