import { autoMapper } from './auto/auto.ts';
import type { MapperEntry } from './contract.ts';
import { contentionFree } from './contention/contentionFree.ts';
import { blocked } from './mappers/blocked.ts';
import { consecutive } from './mappers/consecutive.ts';
import { cyclic } from './mappers/cyclic.ts';
import { given } from './mappers/given.ts';
import { random } from './mappers/random.ts';
import { randomLocal } from './mappers/randomLocal.ts';
import { drb } from './mappers/drb.ts';
import { kWay } from './mappers/kWay.ts';
import { grasp } from './mappers/grasp.ts';
import { randomSearch } from './mappers/randomSearch.ts';
import { tabu } from './mappers/tabu.ts';
import { allCorners, corner } from './mappers/corner.ts';
import { baseline, columnMajor, rowMajor } from './mappers/linearOrder.ts';
import { grouping } from './mappers/grouping.ts';
import { incremental } from './mappers/incremental.ts';
import { ordered } from './mappers/ordered.ts';
import { overlay, twoWayOverlay } from './mappers/overlay.ts';
import { rcb } from './mappers/rcb.ts';

/** What `auto` tries in any case, for each takes tens of milliseconds at most; the order decides ties. */
const quick: readonly MapperEntry[] = [
  baseline,
  rowMajor,
  columnMajor,
  ordered,
  corner,
  allCorners,
  overlay,
  twoWayOverlay,
  rcb,
  cyclic,
  random,
  grouping,
  blocked,
  consecutive,
  randomLocal,
  contentionFree,
];

/** All mappers: `map NAME(…)`. One file and one line each; a paper's mappers stand together. */
export const mappers: readonly MapperEntry[] = [
  autoMapper({ quick, searches: [randomSearch, incremental, grasp, tabu] }),
  given,
  baseline,
  grouping,
  rowMajor,
  columnMajor,
  ordered,
  corner,
  allCorners,
  overlay,
  twoWayOverlay,
  rcb,
  incremental,
  consecutive,
  random,
  grasp,
  tabu,
  randomSearch,
  randomLocal,
  blocked,
  cyclic,
  drb,
  kWay,
  contentionFree,
];
