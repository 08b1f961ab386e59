import { announcedMappers } from './announced.ts';
import { autoMapper } from './auto.ts';
import { baseline } from './baseline.ts';
import { columnMajor } from './columnMajor.ts';
import type { MapperEntry } from './contract.ts';
import { given } from './given.ts';
import { random } from './random.ts';
import { rcb } from './rcb.ts';
import { rowMajor } from './rowMajor.ts';

/** What `auto` tries, in the order that decides ties. */
const candidates: readonly MapperEntry[] = [baseline, rowMajor, columnMajor, random, rcb];

/** All mappers, the ones this version runs first: `map NAME(…)`. */
export const mappers: readonly MapperEntry[] = [given, ...candidates, autoMapper(candidates), ...announcedMappers];
