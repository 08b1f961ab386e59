/** Mappers that partition the task graph so that little traffic is cut: the machine halved with it, or part by part. */
import { drawSeed, seededRandom } from '../../model/random.ts';
import { cancelled, succeed, type Result } from '../../model/result.ts';
import type { MapperEntry, MappingAnswer, MappingContext, MappingProblem } from '../contract.ts';
import { hopBytes } from '../criteria/additive.ts';
import { prepareSearch } from '../criteria/contract.ts';
import { mappingOf } from '../../optimisation/problem/places.ts';
import { partitionOntoPlaces } from '../../optimisation/partitioning/dualBisection.ts';
import { placesByParts } from '../../optimisation/partitioning/placesByParts.ts';

/** 70 to 126 µs a task for 64 to 4,096 tasks. */
const secondsOfPartitioning = (tasks: number): number => 9e-5 * tasks;

export const drb: MapperEntry = {
  name: 'drb',
  summary: 'dual recursive bipartitioning: halves the task graph and the machine together',
  source: 'Soryani et al. 2013, section 1.1; Pellegrini 1994',
  details:
    'Nodes are halved by hops, so that routers and subtrees stay together. Tasks are halved by multilevel bisection (Karypis and Kumar 1998, Fiduccia and Mattheyses 1982), with terminals for outside partners. Domains of at most eight cores are optimised by exchanges. With more cores than tasks, each half gets the cheapest number of tasks. Soryani et al. weight the machine with bandwidths, here by hops. The papers leave the halving of the machine open.',
  options: [],
  bytesPerPair: 48,
  complexity: 'O(pairs · log² n)',
  scaling: 'linear',
  seconds: secondsOfPartitioning,
  map: (problem, context) => mapByPartition(problem, context, partitionOntoPlaces),
};

export const kWay: MapperEntry = {
  name: 'k-way',
  summary: 'splits the task graph into as many parts as nodes, with little traffic between them',
  source: 'Soryani et al. 2013, section 1.1; Karypis and Kumar 1998',
  details:
    'Part sizes are the free cores of the nodes. With fewer tasks than cores, the used nodes are close together ' +
    'and the last ones are not filled. Parts come from recursive multilevel bisection, refined pair by pair. The ' +
    'papers do not say which part uses which node. Here the graph of the parts is mapped by dual recursive ' +
    'bipartitioning if all parts have one size, otherwise in the order of the nodes. Then parts of one size are ' +
    'exchanged while that reduces hop-bytes. On one-core nodes every part is one task: this is `drb` with these ' +
    'exchanges.',
  options: [],
  bytesPerPair: 110,
  complexity: 'O(pairs · log² n)',
  scaling: 'linear',
  seconds: secondsOfPartitioning,
  map: (problem, context) => mapByPartition(problem, context, placesByParts),
};

/** Places the tasks by their bytes times hops; `partition` gives the place of each task, undefined if cancelled. */
function mapByPartition(
  problem: MappingProblem,
  context: MappingContext,
  partition: typeof partitionOntoPlaces | typeof placesByParts,
): Result<MappingAnswer> {
  const prepared = prepareSearch(problem, hopBytes, context);
  if (!prepared.ok) return prepared;
  const core = prepared.value;
  const placeOfTask = partition(core, seededRandom(drawSeed(context.random)), context.cancellation);
  if (placeOfTask === undefined) return cancelled();
  return succeed({ mapping: mappingOf(core.places, placeOfTask), notes: [] });
}
