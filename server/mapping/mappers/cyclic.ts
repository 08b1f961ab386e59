import { intAt } from '../../numeric/elements.ts';
import { cancelled, succeed } from '../../model/result.ts';
import type { MapperEntry } from '../contract.ts';
import { type Places, mappingOf, placesOf } from '../../optimisation/problem/places.ts';

export const cyclic: MapperEntry = {
  name: 'cyclic',
  summary: 'Deals tasks to nodes in turn',
  source: 'Soryani et al. 2013, section 1.1',
  details:
    'Round robin over the nodes in the order of the allocation, on each the lowest free core. A node whose free cores ' +
    'are all dealt is passed over; the paper leaves open what happens to it. On one-core nodes this is `blocked`.',
  options: [],
  complexity: 'O(n)',
  scaling: 'linear',
  map: ({ machine, job, slots }, { cancellation }) => {
    if (cancellation.isCancelled()) return cancelled();
    const places = placesOf(machine, slots);
    return succeed({ mapping: mappingOf(places, dealInTurn(places, job.taskCount)), notes: [] });
  },
};

/** The place of each task. Sites that are full leave the round, so each place is looked at once. */
function dealInTurn({ siteCount, firstPlace }: Places, taskCount: number): Int32Array {
  const placeOfTask = new Int32Array(taskCount);
  let round = Int32Array.from({ length: siteCount }, (_, site) => site);
  let task = 0;
  for (let core = 0; task < taskCount; core++) {
    round = round.filter((site) => intAt(firstPlace, site) + core < intAt(firstPlace, site + 1));
    for (let turn = 0; turn < round.length && task < taskCount; turn++) {
      placeOfTask[task++] = intAt(firstPlace, intAt(round, turn)) + core;
    }
  }
  return placeOfTask;
}
