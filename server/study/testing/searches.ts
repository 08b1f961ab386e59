import type { SearchRecord } from '../../model/searchRecord.ts';

/** What `auto` might say of a search; the figures are made up and easy to find again. */
export const exampleSearch: SearchRecord = {
  criterion: 'hop-bytes',
  value: 3 * 2 ** 20,
  bound: { value: 2.5 * 2 ** 20, name: 'edge', source: 'Placewright' },
  evaluations: 1_234_567,
  convergence: [
    { evaluations: 0, milliseconds: 1, value: 8 * 2 ** 20 },
    { evaluations: 100_000, milliseconds: 20, value: 5 * 2 ** 20 },
    { evaluations: 1_000_000, milliseconds: 400, value: 3 * 2 ** 20 },
  ],
  tried: [
    { name: 'annealing', value: 3 * 2 ** 20, milliseconds: 450 },
    { name: 'rcb', value: 8 * 2 ** 20, milliseconds: 2 },
  ],
  chosen: { name: 'annealing', why: 'the cheapest of 2 mappings' },
  end: 'time',
  milliseconds: 500,
};
