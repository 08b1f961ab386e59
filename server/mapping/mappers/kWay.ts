import { drawSeed, seededRandom } from '../../model/random.ts';
import { cancelled, succeed } from '../../model/result.ts';
import type { MapperEntry } from '../contract.ts';
import { hopBytes } from '../criteria/additive.ts';
import { prepareSearch } from '../criteria/prepare.ts';
import { mappingOf } from '../../optimisation/problem/places.ts';
import { placesByParts } from '../../optimisation/partitioning/placesByParts.ts';

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
  scaling: 'linear',
  map: (problem, context) => {
    const prepared = prepareSearch(problem, hopBytes, context);
    if (!prepared.ok) return prepared;
    const core = prepared.value;
    const placeOfTask = placesByParts(core, seededRandom(drawSeed(context.random)), context.cancellation);
    if (placeOfTask === undefined) return cancelled();
    return succeed({ mapping: mappingOf(core.places, placeOfTask), notes: [] });
  },
};
