import { drawSeed, seededRandom } from '../../model/random.ts';
import { cancelled, succeed } from '../../model/result.ts';
import type { MapperEntry } from '../contract.ts';
import { hopBytes } from '../criteria/additive.ts';
import { prepareSearch } from '../criteria/prepare.ts';
import { mappingOf } from '../../optimisation/problem/places.ts';
import { partitionOntoPlaces } from '../../optimisation/partitioning/dualBisection.ts';

export const drb: MapperEntry = {
  name: 'drb',
  summary: 'Dual recursive bipartitioning: halves the task graph and the machine together',
  source: 'Soryani et al. 2013, section 1.1; Pellegrini 1994',
  details:
    'Nodes are halved by their hops, so that routers and ' +
    'subtrees stay together; tasks by multilevel bisection (Karypis and Kumar 1998, Fiduccia and Mattheyses 1982), pulled ' +
    'by partners outside to the half that is nearer to theirs. Domains of at most eight cores are settled by exchanges. ' +
    'Where there are more cores than tasks either half takes as many tasks as is cheapest. Soryani et al. weigh the machine with bandwidths, here it is hops; ' +
    'the papers leave open how the machine is halved.',
  options: [],
  bytesPerPair: 48,
  complexity: 'O(pairs · log² n)',
  scaling: 'linear',
  map: (problem, context) => {
    const prepared = prepareSearch(problem, hopBytes, context);
    if (!prepared.ok) return prepared;
    const core = prepared.value;
    const placeOfTask = partitionOntoPlaces(core, seededRandom(drawSeed(context.random)), context.cancellation);
    if (placeOfTask === undefined) return cancelled();
    return succeed({ mapping: mappingOf(core.places, placeOfTask), notes: [] });
  },
};
