/**
 * Mappers that look at the slots alone and never at the traffic: task i goes to the i-th slot in an order that
 * launchers use (`blocked`, `cyclic`, `consecutive`) or that is drawn (`random`). They are what other mappers are
 * compared with.
 */
import type { Cancellation } from '../../model/cancellation.ts';
import { cancelled, succeed } from '../../model/result.ts';
import type { MapperEntry } from '../contract.ts';
import { intAt } from '../../numeric/elements.ts';
import { type Places, mappingOf, groupPlaces } from '../../optimisation/problem/places.ts';
import { sortDistinct } from '../stencils/slotKeys.ts';

/** The slots of a problem stand node after node, cores ascending: the first ones are the answer. */
export const blocked: MapperEntry = {
  name: 'blocked',
  summary: 'fills the cores of one node before it goes to the next',
  source: 'Soryani et al. 2013, section 1.1',
  details:
    'Nodes are in allocation order, tasks and free cores in ascending order. The paper leaves the node order ' +
    'open.',
  options: [],
  complexity: 'O(n)',
  scaling: 'linear',
  map: ({ job, slots }, { cancellation }) =>
    cancellation.isCancelled() ? cancelled() : succeed({ mapping: slots.slice(0, job.taskCount), notes: [] }),
};

export const cyclic: MapperEntry = {
  name: 'cyclic',
  summary: 'deals tasks to nodes in turn',
  source: 'Soryani et al. 2013, section 1.1',
  details:
    'Round robin over the nodes in allocation order, lowest free core first. The first node is the one with most ' +
    'free cores, so the next job continues there. Full nodes are skipped; the paper leaves this open. On ' +
    'one-core nodes this is `blocked`.',
  options: [],
  complexity: 'O(n)',
  scaling: 'linear',
  map: ({ machine, job, slots }, { cancellation }) => {
    const places = groupPlaces(machine, slots, cancellation);
    const dealt = dealInTurn(places, job.taskCount, cancellation);
    const mapping = mappingOf(places, dealt, cancellation);
    return cancellation.isCancelled() ? cancelled() : succeed({ mapping, notes: [] });
  },
};

/** The place of each task. Sites that are full leave the round, so each place is looked at once. Leaves off where cancelled. */
function dealInTurn({ siteCount, firstPlace }: Places, taskCount: number, cancellation: Cancellation): Int32Array {
  const placeOfTask = new Int32Array(taskCount);
  const free = (site: number): number => intAt(firstPlace, site + 1) - intAt(firstPlace, site);
  let first = 0;
  for (let site = 1; site < siteCount; site++) if (free(site) > free(first)) first = site;
  let round = Int32Array.from({ length: siteCount }, (_, turn) => (first + turn) % siteCount);
  let task = 0;
  for (let core = 0; task < taskCount && !cancellation.isCancelled(); core++) {
    round = round.filter((site) => intAt(firstPlace, site) + core < intAt(firstPlace, site + 1));
    for (let turn = 0; turn < round.length && task < taskCount; turn++) {
      placeOfTask[task++] = intAt(firstPlace, intAt(round, turn)) + core;
    }
  }
  return placeOfTask;
}

export const consecutive: MapperEntry = {
  name: 'consecutive',
  summary: 'task i on the i-th allocated node in ascending order of ids',
  source: 'Pascual et al. 2010, section 5.2',
  details:
    'The paper has one task per node. With several free slots per node, each node is filled in ascending order before the next.',
  options: [],
  complexity: 'O(n log n)',
  scaling: 'linear',
  map: ({ machine, job, slots }, { cancellation }) => {
    if (cancellation.isCancelled()) return cancelled();
    const sorted = slots.slice();
    if (!sortDistinct(sorted, machine.slotCount, cancellation)) return cancelled();
    return succeed({ mapping: sorted.slice(0, job.taskCount), notes: [] });
  },
};

/** Fisher–Yates, stopped once every task has drawn. */
export const random: MapperEntry = {
  name: 'random',
  summary: 'every task on a slot drawn at random among all that are free',
  source: 'Pascual et al. 2010, section 5',
  options: [],
  complexity: 'O(slots)',
  scaling: 'linear',
  map: ({ job, slots }, context) => {
    const drawn = slots.slice();
    for (let task = 0; task < job.taskCount; task++) {
      if ((task & 4095) === 0 && context.cancellation.isCancelled()) return cancelled();
      const other = task + context.random.integer(drawn.length - task);
      const kept = intAt(drawn, task);
      drawn[task] = intAt(drawn, other);
      drawn[other] = kept;
    }
    return succeed({ mapping: drawn.slice(0, job.taskCount), notes: [] });
  },
};
