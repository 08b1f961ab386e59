import type { Cancellation } from '../../model/cancellation.ts';
import type { RandomSource } from '../../model/random.ts';
import { cancelled, succeed } from '../../model/result.ts';
import type { MapperEntry } from '../contract.ts';
import { hopBytes } from '../criteria/hopBytes.ts';
import { prepareSearch } from '../criteria/prepare.ts';
import { mappingOf } from '../problem/places.ts';
import type { SearchCore } from '../problem/searchProblem.ts';
import { compactSites } from './compactSites.ts';
import { placesOn } from './dualBisection.ts';
import { layParts } from './layParts.ts';
import { partition } from './partition.ts';

export const kWay: MapperEntry = {
  name: 'k-way',
  summary: 'Splits the task graph into as many parts as nodes, with little traffic between them',
  source: 'Soryani et al. 2013, section 1.1; Karypis and Kumar 1998',
  details:
    'Part sizes are the free cores of the nodes, exactly; of fewer tasks than cores the nodes used lie together and the last ' +
    'ones are not filled. Parts are made by recursive multilevel bisection and refined pair by pair. Which part goes to ' +
    'which node the papers leave open: the graph of the parts is mapped by dual recursive bipartitioning where all parts ' +
    'are of one size, else in the order of the nodes; then parts of one size are exchanged while that saves hop-bytes. ' +
    'On nodes with one core each every part is one task: this is `drb` and those exchanges then.',
  options: [],
  bytesPerPair: 110,
  complexity: 'O(pairs · log² n)',
  map: (problem, context) => {
    const prepared = prepareSearch(problem, hopBytes, context);
    if (!prepared.ok) return prepared;
    const core = prepared.value;
    const siteOfTask = sitesByParts(core, context.random, context.cancellation);
    if (siteOfTask === undefined) return cancelled();
    return succeed({ mapping: mappingOf(core.places, placesOn(core, siteOfTask)), notes: [] });
  },
};

/** The site of each task; undefined where it was cancelled. */
function sitesByParts(core: SearchCore, random: RandomSource, cancellation: Cancellation): Int32Array | undefined {
  const sites = compactSites(core, random, cancellation);
  if (sites === undefined) return undefined;
  const sizes = partSizes(core, sites);
  const partOfTask = sizes.some((size) => size > 1)
    ? partition(core.graph, sizes, random, cancellation)
    : Int32Array.from({ length: core.graph.taskCount }, (_, task) => task);
  const siteOfPart = partOfTask && layParts(core, sites, sizes, partOfTask, random, cancellation);
  return siteOfPart && partOfTask.map((part) => siteOfPart[part]!);
}

/** Tasks for each of `sites`: as many as it has places, fewer on the last ones where there are too many. */
function partSizes({ places, graph }: SearchCore, sites: Int32Array): Int32Array {
  let left = graph.taskCount;
  return sites.map((site) => {
    const size = Math.min(left, places.firstPlace[site + 1]! - places.firstPlace[site]!);
    left -= size;
    return size;
  });
}
