import { describe, expect, it } from 'vitest';
import { neverCancelled } from '../../model/cancellation.ts';
import { gridMachine } from '../../network/testing/machines.ts';
import { groupPlaces } from '../problem/places.ts';
import { type SiteTree, siteTreeOf } from './coordinateBisection.ts';

const all = (count: number) => Int32Array.from({ length: count }, (_, index) => index);
const lineOf = (coresPerNode: number, values: readonly number[]) => ({
  places: groupPlaces(gridMachine('mesh', [values.length], { cores: coresPerNode }), all(coresPerNode * values.length)),
  coordinates: [Float64Array.from(values)],
});

/** Sites of the leaves in order, with `|` where the root cuts. */
function rootCut({ placeOrder, middle }: SiteTree): string {
  const sites = [...placeOrder].map(String);
  return [...sites.slice(0, middle[0]), '|', ...sites.slice(middle[0])].join(' ');
}

describe('how sites are halved', () => {
  it.each([
    { what: 'in the middle', cut: 'even', values: [3, 0, 9, 8, 1, 2], order: '1 4 5 | 0 3 2' },
    { what: 'in the widest gap near it', cut: 'gap', values: [3, 0, 9, 8, 1, 2], order: '1 4 5 0 | 3 2' },
    { what: 'in the middle where there is no gap', cut: 'gap', values: [5, 5, 5, 5], order: '0 1 | 2 3' },
    {
      what: 'not beside a single site of many',
      cut: 'gap',
      values: [0, 50, 51, 52, 53, 54, 55],
      order: '0 1 2 3 | 4 5 6',
    },
  ] as const)('$what', ({ cut, values, order }) => {
    const { places, coordinates } = lineOf(1, values);
    expect(rootCut(siteTreeOf(places, all(values.length), coordinates, cut, neverCancelled)!)).toBe(order);
  });

  it('along the axis on which they spread most, equal positions by the next axis', () => {
    const { places } = lineOf(1, [0, 0, 0, 0, 0, 0]);
    const coordinates = [Float64Array.of(0, 1, 0, 1, 0, 1), Float64Array.of(9, 9, 5, 5, 0, 0)];
    const tree = siteTreeOf(places, all(6), coordinates, 'even', neverCancelled)!;
    expect(rootCut(tree)).toBe('4 5 2 | 3 0 1');
    expect(tree.axis[0]).toBe(1);
  });

  it('keeps the places of a site together, and leaves out what is not used', () => {
    const { places, coordinates } = lineOf(3, [2, 0, 1]);
    const tree = siteTreeOf(places, Int32Array.of(8, 0, 2, 4, 6), coordinates, 'gap', neverCancelled)!;
    expect(tree.placeOrder).toEqual(Int32Array.of(4, 6, 8, 0, 2));
    expect(tree.firstPlace).toEqual(Int32Array.of(0, 1, 3, 5));
  });

  it('makes one leaf of one site', () => {
    const { places, coordinates } = lineOf(2, [0]);
    const tree = siteTreeOf(places, all(2), coordinates, 'gap', neverCancelled)!;
    expect(tree).toMatchObject({ placeOrder: Int32Array.of(0, 1), axis: new Uint8Array(0) });
  });
});
