/** The contract of mappers that work on pairs, with 4,096 tasks and cancelled at more points. */
import { mappers } from './catalogue.ts';
import { testMapperContract } from './testing/mapperContract.ts';

for (const entry of mappers) if (entry.bytesPerPair !== undefined) testMapperContract(entry, 'thorough');
