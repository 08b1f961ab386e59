import { intAt, realAt } from '../../numeric/elements.ts';
import { formatNumber } from '../../model/quantities.ts';
import { cancelled, fail, succeed } from '../../model/result.ts';
import type { Result } from '../../model/result.ts';
import { hostHops, type Machine } from '../../model/machine.ts';
import type { PlacedJob } from '../../model/placement.ts';
import type { DistanceContext } from '../../network/distances/contract.ts';
import { knownDistanceLimit, type KnownDistances } from '../../network/distances/knownDistances.ts';
import { placeTasks, type PlacedTasks } from './placedTasks.ts';

/**
 * Σ w · d over the ordered pairs of tasks that talk (Orduña et al. 2004, section 4.1), d between
 * their nodes: 0 within a node, else the equivalent distance of their routers, plus 2 where the
 * machine has host links; bytes. Only distances of routers that talk are worked out, and `known`
 * keeps them. Fails with `cancelled`, with `too-many-distances` where too many routers talk, and
 * with `no-route` where some of them cannot. O(pairs) and the time of the distances.
 */
export function mappingCoefficient(
  machine: Machine,
  jobs: readonly PlacedJob[],
  known: KnownDistances,
  context: DistanceContext,
): Result<number> {
  const tasks = placeTasks(machine, jobs);
  const fits = overPairs(tasks, context, (from, to) => from === to || known.ask(from, to));
  if (fits === 'stopped') return tooMany;
  if (fits === 'cancelled' || !known.workOut(context)) return cancelled();
  const hostLinks = hostHops(machine);
  let sum = 0;
  const summed = overPairs(tasks, context, (from, to, bytes) => {
    sum += bytes * ((from === to ? 0 : known.between(from, to)) + hostLinks);
    return true;
  });
  if (summed === 'cancelled') return cancelled();
  return Number.isNaN(sum)
    ? fail('no-route', 'there is no route between some of the routers that talk.')
    : succeed(sum);
}

const tooMany = fail(
  'too-many-distances',
  `its tasks talk between too many routers; at most ${formatNumber(knownDistanceLimit)} distances are kept.`,
);

/** Pairs between two looks at the cancellation. */
const pollEvery = 1 << 16;

/** Calls `visit` for the routers of each pair of tasks in different nodes, until it says false. */
function overPairs(
  jobs: readonly PlacedTasks[],
  { cancellation }: DistanceContext,
  visit: (from: number, to: number, bytes: number) => boolean,
): 'all' | 'stopped' | 'cancelled' {
  for (const { node, router, placed } of jobs) {
    const { rowStart, partner, bytes, taskCount } = placed.job.traffic;
    let nextPoll = 0;
    for (let task = 0; task < taskCount; task++) {
      const end = intAt(rowStart, task + 1);
      if (end > nextPoll) {
        if (cancellation.isCancelled()) return 'cancelled';
        nextPoll = end + pollEvery;
      }
      for (let pair = intAt(rowStart, task); pair < end; pair++) {
        const other = intAt(partner, pair);
        if (node[other] !== node[task] && !visit(intAt(router, task), intAt(router, other), realAt(bytes, pair)))
          return 'stopped';
      }
    }
  }
  return 'all';
}
