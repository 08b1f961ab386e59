import type { CriterionEntry } from './contract.ts';
import { distance } from './distance.ts';
import { equivalent } from './equivalent.ts';
import { hopBytes } from './hopBytes.ts';
import { maximumLoad } from './maximumLoad.ts';
import { trafficDistribution } from './trafficDistribution.ts';

/** All criteria: the words after `criterion`. One file and one line each. */
export const criteria: readonly CriterionEntry[] = [distance, trafficDistribution, equivalent, hopBytes, maximumLoad];
