import type { Cancellation } from '../../model/cancellation.ts';
import { additiveObjective } from '../criteria/additive.ts';
import type { SearchCore } from '../problem/searchProblem.ts';
import { annealObjective } from './annealObjective.ts';
import type { AnnealOrder, AnnealOutcome } from './order.ts';
import type { NearSites } from './nearSites.ts';

/** {@link anneal} for costs that are no single look, through the interface that any criterion has. */
export const annealSlowly = (
  core: SearchCore,
  near: NearSites,
  order: AnnealOrder,
  stop: Cancellation,
): AnnealOutcome => annealObjective(additiveObjective(core), core.graph, near, order, stop);
