import { addToProfile, emptyProfile } from '../../mapping/hopProfile.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import type { Machine } from '../../model/machine.ts';
import type { PlacedJob } from '../../model/placement.ts';
import { flowsPerHotLink } from '../../model/report.ts';
import type { HotLink, PlacementReport } from '../../model/report.ts';
import { outlinedHotLinks } from '../report.ts';
import { causesOf } from './causes.ts';
import { findHotLinks, meanOfUsed } from './hotLinks.ts';
import { linkLoadsOf } from './loads.ts';
import { metricsOf } from './metrics.ts';
import { placeTasks } from './placedTasks.ts';

export type Evaluation = Pick<PlacementReport, 'metrics' | 'linkLoads' | 'hotFrom' | 'hotLinks'>;

/**
 * Measures a placement: the pairs of all its jobs together. Undefined where it was cancelled.
 * Only the heaviest `outlinedHotLinks` hot links are explained; the others have their load alone.
 */
export function evaluate(
  machine: Machine,
  jobs: readonly PlacedJob[],
  hotLinkFactor: number,
  cancellation: Cancellation,
): Evaluation | undefined {
  const profile = emptyProfile();
  for (const { job, mapping } of jobs) {
    if (!addToProfile(profile, machine, job.traffic, mapping, cancellation)) return undefined;
  }
  const tasks = placeTasks(machine, jobs);
  const linkLoads = linkLoadsOf(machine, tasks, cancellation);
  if (linkLoads === undefined) return undefined;
  const hot = findHotLinks(linkLoads, hotLinkFactor);
  const outlined = hot.slice(0, outlinedHotLinks).map(({ link }) => link);
  const causes = causesOf(machine, tasks, { linkLoads, hotLinks: hot }, outlined, flowsPerHotLink, cancellation);
  if (causes === undefined) return undefined;
  const hotLinks = hot.map((link, index): HotLink => ({ ...link, ...(causes[index] ?? unexplained) }));
  const hotFrom = hotLinkFactor * meanOfUsed(linkLoads);
  return { metrics: metricsOf(machine, profile, linkLoads), linkLoads, hotFrom, hotLinks };
}

const unexplained = { flows: [], flowCount: undefined, reliefs: [] } satisfies Partial<HotLink>;
