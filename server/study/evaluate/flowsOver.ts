import type { Cancellation } from '../../model/cancellation.ts';
import type { TaskId } from '../../model/identifiers.ts';
import type { Flow } from '../../model/report.ts';
import type { LinkUse } from './linkUse.ts';
import type { PlacedTasks } from './placedTasks.ts';

/** What flows over one link. */
export interface LinkFlows {
  /** Heaviest first; equal ones in order of job, sender, receiver. */
  readonly flows: readonly Flow[];
  /** All ordered pairs that cross the link. */
  readonly flowCount: number;
}

/** A link whose flows are gathered. */
interface Gathering {
  readonly use: LinkUse;
  readonly flows: Flow[];
  count: number;
  /** A flow must have more bytes than this to be kept. */
  threshold: number;
}

/**
 * The heaviest flows over each link, at most `limit`, and how many there are, in the order of
 * `uses`; undefined where it was cancelled. One pass over the pairs: a sender that cannot reach a
 * link is passed over with all its pairs. O(tasks · links + pairs of senders that can).
 */
export function flowsOver(
  uses: readonly LinkUse[],
  jobs: readonly PlacedTasks[],
  limit: number,
  cancellation: Cancellation,
): readonly LinkFlows[] | undefined {
  const gatherings = uses.map((use): Gathering => ({ use, flows: [], count: 0, threshold: 0 }));
  if (gatherings.length > 0) {
    for (const job of jobs) if (!gather(gatherings, job, limit, cancellation)) return undefined;
  }
  return gatherings.map(({ flows, count }) => ({ flows, flowCount: count }));
}

function gather(
  gatherings: readonly Gathering[],
  { job, node, placed }: PlacedTasks,
  limit: number,
  cancellation: Cancellation,
): boolean {
  const { rowStart, partner, bytes, taskCount } = placed.job.traffic;
  for (let task = 0; task < taskCount; task++) {
    if ((task & 63) === 0 && cancellation.isCancelled()) return false;
    if (rowStart[task] === rowStart[task + 1]) continue;
    const own = node[task]!;
    for (const gathering of gatherings) {
      const { use } = gathering;
      if (!use.takesFrom(own)) continue;
      for (let pair = rowStart[task]!; pair < rowStart[task + 1]!; pair++) {
        const other = partner[pair]!;
        if (!use.crosses(own, node[other]!)) continue;
        gathering.count++;
        const amount = bytes[pair]!;
        if (amount <= gathering.threshold) continue;
        const crossing = amount * use.share(own, node[other]!);
        keep(gathering, { job, from: task as TaskId, to: other as TaskId, bytes: crossing }, limit);
      }
    }
  }
  return true;
}

/** Inserts a flow behind those that are at least as heavy; pairs come in order, so ties stay sorted. */
function keep(gathering: Gathering, flow: Flow, limit: number): void {
  if (flow.bytes <= gathering.threshold) return;
  const { flows } = gathering;
  const behind = flows.findIndex(({ bytes }) => bytes < flow.bytes);
  flows.splice(behind < 0 ? flows.length : behind, 0, flow);
  if (flows.length > limit) flows.pop();
  if (flows.length === limit) gathering.threshold = flows[limit - 1]!.bytes;
}
