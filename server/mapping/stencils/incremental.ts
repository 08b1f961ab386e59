import { cancelled, succeed } from '../../model/result.ts';
import type { MapperEntry } from '../contract.ts';
import { PairHops } from './pairHops.ts';
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
    'communicates counts the same, however many bytes it sends, and slots that `rcb` leaves free stay free.',
  options: [rotateOption],
  complexity: 'O(n² degree) per pass',
  map: (problem, context) => {
    const start = rcb.map?.(problem, context);
    if (start?.ok !== true) return start ?? cancelled();
    const hops = PairHops.of(problem, context);
    if (!hops.ok) return hops;
    const { core, isMetric } = hops.value;
    const placeOfTask = hops.value.placeOfTask(start.value.mapping);
    const before = hops.value.total(placeOfTask);
    const made = swapWhileImproving(core, placeOfTask, isMetric, context.cancellation);
    if (made === undefined) return cancelled();
    const [from, to] = [before, hops.value.total(placeOfTask)].map((total) => hops.value.average(total));
    return succeed({
      mapping: placeOfTask.map((place) => core.places.slotOfPlace[place]!),
      notes: [`incremental made ${made.swaps} swaps in ${made.passes} passes: ${to} average hops instead of ${from}.`],
    });
  },
};
