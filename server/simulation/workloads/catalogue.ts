import { cg } from './cg.ts';
import type { SkeletonEntry } from './contract.ts';
import { lu } from './lu.ts';

/** Every skeleton there is; a new one is a file and a line here. */
export const skeletons: readonly SkeletonEntry[] = [cg, lu];
