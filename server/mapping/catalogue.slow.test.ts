/** The contract of mappers that work on pairs, with 4,096 tasks and cancelled at more points. */
import { mappers } from './catalogue.ts';
import { testMapperContract } from './testing/mapperContract.ts';

for (const entry of mappers) {
  // `auto` runs all the others in turn, which takes it most of a minute where they take a second.
  if (entry.bytesPerPair !== undefined && entry.name !== 'auto') testMapperContract(entry, 'thorough');
}
