import { realAt } from '../../numeric/elements.ts';
import { addToHistogram, emptyHistogram, hopBytesOf, type HopHistogram } from '../../mapping/hopHistogram.ts';
import type { Cancellation } from '../../model/cancellation.ts';
import type { Machine } from '../../model/machine.ts';
import type { PlacedJob } from '../../model/placement.ts';
import { flowsPerHotLink, type HotLink, type PlacementReport, type Metrics } from '../../model/report.ts';
import { outlinedHotLinks } from '../report.ts';
import { causesOf } from './causes.ts';
import { findHotLinks, meanOfUsed, linkLoadsOf } from './loads.ts';
import { placeTasks } from './placedTasks.ts';

type Evaluation = Pick<PlacementReport, 'metrics' | 'linkLoads' | 'hotFrom' | 'hotLinks'>;

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
  const profile = emptyHistogram();
  for (const { job, mapping } of jobs) {
    if (!addToHistogram(profile, machine, job.traffic, mapping, cancellation)) return undefined;
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

const unexplained = { flows: [], flowCount: undefined, improvements: [] } satisfies Partial<HotLink>;

/**
 * All metrics of a placement from its hop profile and link loads; definitions and units in
 * docs/language.md. Without any pair the hops and their mean are 0. O(hops + links).
 */
function metricsOf(machine: Machine, profile: HopHistogram, loads: Float64Array): Metrics {
  const hops = hopMomentsOf(profile.pairs);
  const hopBytes = hopBytesOf(profile);
  const totalBytes = profile.bytes.reduce((sum, bytes) => sum + bytes, 0);
  const { maximum, sum } = sumAndMaximum(loads);
  const { bandwidth } = machine.figures;
  return {
    averageHops: hops.mean,
    hopVariance: hops.variance,
    maximumHops: hops.maximum,
    hopBytes,
    weightedHops: totalBytes > 0 ? hopBytes / totalBytes : 0,
    // With one route per pair the circuit of Orduña et al. 2004 is that route in series, so the
    // equivalent distance is its hops (+ 2 where there are host links), which hop-bytes sum. Where
    // there are several it is worked out apart: mappingCoefficient.ts.
    mappingCoefficient: machine.routing.singlePath ? hopBytes : undefined,
    maximumLinkLoad: maximum,
    meanLinkLoad: loads.length > 0 ? sum / loads.length : 0,
    interNodeBytes: totalBytes - profile.bytesWithinNodes,
    congestionTime: bandwidth === undefined ? undefined : maximum / bandwidth,
  };
}

/** Mean, population variance (two passes, so nothing cancels) and maximum of the hops of pairs. */
function hopMomentsOf(pairs: Float64Array): { mean: number; variance: number; maximum: number } {
  let count = 0;
  let sum = 0;
  let maximum = 0;
  for (let hops = 0; hops < pairs.length; hops++) {
    if (pairs[hops] === 0) continue;
    count += realAt(pairs, hops);
    sum += hops * realAt(pairs, hops);
    maximum = hops;
  }
  if (count === 0) return { mean: 0, variance: 0, maximum: 0 };
  const mean = sum / count;
  let squares = 0;
  for (let hops = 0; hops <= maximum; hops++) squares += realAt(pairs, hops) * (hops - mean) ** 2;
  return { mean, variance: squares / count, maximum };
}

function sumAndMaximum(loads: Float64Array): { sum: number; maximum: number } {
  let sum = 0;
  let maximum = 0;
  for (const load of loads) {
    sum += load;
    if (load > maximum) maximum = load;
  }
  return { sum, maximum };
}
