/** The catalogue of mappers, and the order in which `auto` tries them. */
import { needsOnlyItsName } from '../model/catalogue.ts';
import { autoMapper } from './auto/auto.ts';
import type { MapperEntry } from './contract.ts';
import { contentionFree } from './contention/contentionFree.ts';
import { blocked, consecutive, cyclic, random } from './mappers/slotOrders.ts';
import { given } from './mappers/given.ts';
import { randomLocal } from './mappers/randomLocal.ts';
import { drb, kWay } from './mappers/partitioning.ts';
import { grasp } from './mappers/grasp.ts';
import { randomSearch } from './mappers/randomSearch.ts';
import { tabu } from './mappers/tabu.ts';
import { allCorners, corner } from './mappers/corner.ts';
import { baseline, columnMajor, rowMajor, ordered } from './mappers/linearOrder.ts';
import { grouping } from './mappers/grouping.ts';
import { incremental } from './mappers/incremental.ts';
import { overlay, twoWayOverlay } from './mappers/overlay.ts';
import { rcb } from './mappers/rcb.ts';

export { criteria } from './criteria/catalogue.ts';

/** What `auto` tries first and in any case, for each takes tens of milliseconds at most; the order decides ties. */
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

/** What `auto` tries as far as its budget goes. */
const searches: readonly MapperEntry[] = [randomSearch, incremental, grasp, tabu];

/** All mappers but `auto`: one file and one line each; a paper's mappers stand together. */
const others: readonly MapperEntry[] = [
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

/**
 * Mappers that no list above names are tried behind those that are; `auto` makes what `drb` and `kWay` make by
 * itself.
 */
const unlisted = others.filter(
  (entry) => needsOnlyItsName(entry) && ![...quick, ...searches, drb, kWay].includes(entry),
);

/** All mappers: `map NAME(…)`. */
export const mappers: readonly MapperEntry[] = [
  autoMapper({
    quick: [...quick, ...unlisted.filter(({ scaling }) => scaling === 'linear')],
    searches: [...searches, ...unlisted.filter(({ scaling }) => scaling !== 'linear')],
  }),
  ...others,
];
