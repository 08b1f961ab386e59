import type { Cancellation } from '../../model/cancellation.ts';
import type { LinkId } from '../../model/identifiers.ts';
import type { Machine } from '../../model/machine.ts';
import { flowsPerHotLink } from '../../model/report.ts';
import type { HotLink } from '../../model/report.ts';
import { flowsOver } from './flowsOver.ts';
import { linkUseOf } from './linkUse.ts';
import { linkLoadsOf } from './loads.ts';
import type { PlacedTasks } from './placedTasks.ts';
import { findReliefs } from './reliefs/reliefs.ts';
import { Seats } from './reliefs/seats.ts';
import type { Loads } from './reliefs/loadTrial.ts';

/** Why a link is loaded, and what would help. */
export type Causes = Pick<HotLink, 'flows' | 'flowCount' | 'reliefs' | 'jobBytes'> & { readonly flowCount: number };

/**
 * The heaviest flows over each of `links`, at most `flowLimit`, what each job puts on them, and
 * what would relieve them, in the order of `links`; undefined where it was cancelled.
 */
export function causesOf(
  machine: Machine,
  jobs: readonly PlacedTasks[],
  loads: Loads,
  links: readonly LinkId[],
  flowLimit: number,
  cancellation: Cancellation,
): readonly Causes[] | undefined {
  if (links.length === 0) return [];
  const uses = links.map((link) => linkUseOf(machine, link));
  const gathered = flowsOver(uses, jobs, flowLimit, cancellation);
  if (gathered === undefined) return undefined;
  const jobBytes = bytesOfJobs(machine, jobs, loads.linkLoads, links, cancellation);
  if (jobBytes === undefined) return undefined;
  const burdened = gathered.map(({ flows }, index) => ({
    use: uses[index]!,
    load: loads.linkLoads[links[index]!]!,
    flows: flows.slice(0, flowsPerHotLink),
  }));
  const reliefs = findReliefs(new Seats(machine, jobs), loads, burdened, cancellation);
  if (reliefs === undefined) return undefined;
  return gathered.map((flows, index) => ({ ...flows, jobBytes: jobBytes[index]!, reliefs: reliefs[index]! }));
}

/** Bytes of each job over each link, by link. With several jobs the loads of each are worked out by themselves. */
function bytesOfJobs(
  machine: Machine,
  jobs: readonly PlacedTasks[],
  linkLoads: Float64Array,
  links: readonly LinkId[],
  cancellation: Cancellation,
): readonly (readonly number[])[] | undefined {
  if (jobs.length === 1) return links.map((link) => [linkLoads[link]!]);
  const bytes = links.map((): number[] => []);
  for (const job of jobs) {
    const loads = linkLoadsOf(machine, [job], cancellation);
    if (loads === undefined) return undefined;
    for (const [index, link] of links.entries()) bytes[index]!.push(loads[link]!);
  }
  return bytes;
}
