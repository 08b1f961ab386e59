import { describe, expect, it } from 'vitest';
import { mappers } from './catalogue.ts';
import type { MapperEntry } from './contract.ts';
import { contractOptions } from './testing/contractOptions.ts';
import { testMapperContract, testSearchContract } from './testing/mapperContract.ts';
import { contextFor } from './testing/problems.ts';
import { problemsWithoutCoordinates } from '../optimisation/testing/problems.ts';

for (const entry of mappers) testMapperContract(entry);

testSearchContract(mappers.filter(({ isSearch }) => isSearch === true));

describe('catalogue of mappers', () => {
  it('has mappers for machines without coordinates, `auto` among them', () => {
    for (const [, problem] of problemsWithoutCoordinates) {
      const accepts = (entry: MapperEntry) =>
        entry.map(problem, contextFor(entry, { options: contractOptions(entry) })).ok;
      const accepting = mappers.filter(accepts).map(({ name }) => name);
      expect(accepting).toEqual(expect.arrayContaining(['auto', 'baseline', 'random']));
    }
  });

  it('names each mapper once, each with a summary and a source', () => {
    expect(mappers.length).toBeGreaterThan(20);
    expect(new Set(mappers.map(({ name }) => name)).size).toBe(mappers.length);
    expect(mappers.filter(({ summary, source }) => summary === '' || source === '')).toEqual([]);
  });
});
