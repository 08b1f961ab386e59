import { autoMapper } from './auto/auto.ts';
import type { MapperEntry } from './contract.ts';
import { contentionFree } from './contention/contentionFree.ts';
import { blocked } from './orders/blocked.ts';
import { consecutive } from './orders/consecutive.ts';
import { cyclic } from './orders/cyclic.ts';
import { given } from './orders/given.ts';
import { random } from './orders/random.ts';
import { randomLocal } from './orders/randomLocal.ts';
import { drb } from './partitioning/drb.ts';
import { kWay } from './partitioning/kWay.ts';
import { grasp } from './searches/grasp.ts';
import { randomSearch } from './searches/randomSearch.ts';
import { tabu } from './searches/tabu.ts';
import { allCorners } from './stencils/allCorners.ts';
import { baseline } from './stencils/baseline.ts';
import { columnMajor } from './stencils/columnMajor.ts';
import { corner } from './stencils/corner.ts';
import { grouping } from './stencils/grouping.ts';
import { incremental } from './stencils/incremental.ts';
import { ordered } from './stencils/ordered.ts';
import { overlay } from './stencils/overlay.ts';
import { rcb } from './stencils/rcb.ts';
import { rowMajor } from './stencils/rowMajor.ts';
import { twoWayOverlay } from './stencils/twoWayOverlay.ts';

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
