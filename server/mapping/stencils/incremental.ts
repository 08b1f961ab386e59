import { cancelled, succeed } from '../../model/result.ts';
import type { MapperEntry } from '../contract.ts';
import { mappingOf, placesOfMapping } from '../problem/places.ts';
import { valueOf } from '../problem/value.ts';
import { writtenAverage } from './averageHops.ts';
import { hopsAreMetric, pairCoreOf } from './pairCore.ts';
import { rcb } from './rcb.ts';
import { rotateOption } from './rotation.ts';
import { swapWhileImproving } from './swapWhileImproving.ts';

export const incremental: MapperEntry = {
  name: 'incremental',
  summary: 'Starts with rcb and swaps two tasks as long as the average hops fall',
  source: 'Bunde et al. 2014, section 5.2 (INCIMPROVE)',
  details:
    'Pairs of tasks are tried in ascending order, and a swap that lowers the average hops is made at once; passes over ' +
    'all pairs follow one another until one makes no swap. The paper leaves the order open. Every pair that ' +
    'communicates counts the same, however many bytes it sends; hops are those of the routing, and slots that `rcb` leaves free stay free.',
  options: [rotateOption],
  bytesPerPair: 40,
  complexity: 'O(n² degree) per pass',
  map: (problem, context) => {
    const start = rcb.map?.(problem, context);
    if (start?.ok !== true) return start ?? cancelled();
    const prepared = pairCoreOf(problem, context);
    if (!prepared.ok) return prepared;
    const core = prepared.value;
    const placeOfTask = placesOfMapping(core.places, start.value.mapping);
    const before = valueOf(core, placeOfTask);
    const made = swapWhileImproving(core, placeOfTask, hopsAreMetric(problem.machine), context);
    if (context.cancellation.isCancelled()) return cancelled();
    const { traffic } = problem.job;
    const [from, to] = [before, valueOf(core, placeOfTask)].map((total) => writtenAverage(total, traffic));
    return succeed({
      mapping: mappingOf(core.places, placeOfTask),
      notes: [
        `incremental made ${made.swaps} swaps in ${made.passes} passes: ${to} average hops instead of ${from}.`,
        ...(made.isComplete ? [] : ['incremental was asked to finish before no swap helped any more.']),
      ],
    });
  },
};
