import { describe, expect, it } from 'vitest';
import { mappers } from './catalogue.ts';
import { testMapperContract, testSearchContract } from './testing/mapperContract.ts';

for (const entry of mappers) testMapperContract(entry, 'quick');

testSearchContract(mappers.filter(({ isSearch }) => isSearch === true));

describe('catalogue of mappers', () => {
  it('names each mapper once, each with a summary and a source', () => {
    expect(mappers.length).toBeGreaterThan(20);
    expect(new Set(mappers.map(({ name }) => name)).size).toBe(mappers.length);
    expect(mappers.filter(({ summary, source }) => summary === '' || source === '')).toEqual([]);
  });
});
