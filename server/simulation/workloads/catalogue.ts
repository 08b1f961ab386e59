import { cg } from './cg.ts';
import { ep, ft, is } from './collectiveSkeletons.ts';
import type { SkeletonEntry } from './contract.ts';
import { lu } from './lu.ts';
import { mg } from './mg.ts';
import { bt, sp } from './multiPartition.ts';

/** How collective operations are sent. */
export { collectives } from './collectives.ts';

/** Every skeleton there is; a new one is a file and a line here. */
export const skeletons: readonly SkeletonEntry[] = [bt, cg, ep, ft, is, lu, mg, sp];
