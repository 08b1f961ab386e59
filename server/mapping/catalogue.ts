import { announcedMappers } from './announced.ts';
import { autoMapper } from './auto/auto.ts';
import { baseline } from './stencils/baseline.ts';
import { columnMajor } from './stencils/columnMajor.ts';
import type { MapperEntry } from './contract.ts';
import { given } from './orders/given.ts';
import { random } from './orders/random.ts';
import { rcb } from './stencils/rcb.ts';
import { rowMajor } from './stencils/rowMajor.ts';

/** What `auto` tries, in the order that decides ties. */
const candidates: readonly MapperEntry[] = [baseline, rowMajor, columnMajor, random, rcb];

/** All mappers, the ones this version runs first: `map NAME(…)`. */
export const mappers: readonly MapperEntry[] = [given, ...candidates, autoMapper(candidates), ...announcedMappers];
