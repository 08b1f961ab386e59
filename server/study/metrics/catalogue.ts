/** How metrics of placements are measured that are no field of their own, and the words of several together. */
import { metricValue, type PlacementMetric } from '../../model/metricEntry.ts';
import { placementMetrics, sortMetrics, type DerivedMetricKey } from '../../model/metrics.ts';
import type { Metrics } from '../../model/report.ts';
import type { DerivedMeasure, MeasuredPlacement } from './contract.ts';
import { measureInsideHopBytes } from './insideHopBytes.ts';
import { measureLinkTime, measureMemoryTime, measureWeightedLatency } from './times.ts';

/** By the keys of their rows in `model/metrics.ts`. */
const derivedMeasures: Readonly<Record<DerivedMetricKey, DerivedMeasure>> = {
  insideHopBytes: measureInsideHopBytes,
  linkTime: measureLinkTime,
  weightedLatency: measureWeightedLatency,
  memoryTime: measureMemoryTime,
};

/** What was measured, with the metrics that are worked out from it. */
export function withDerived(placement: MeasuredPlacement): Metrics {
  const derived = Object.entries(derivedMeasures).flatMap(([key, measure]): [string, number][] => {
    const value = measure(placement);
    return value === undefined ? [] : [[key, value]];
  });
  return derived.length === 0 ? placement.metrics : { ...placement.metrics, derived: Object.fromEntries(derived) };
}

/** The figure of a comparison that is no metric of a placement: how long the mapper took. */
export const mappingTime = 'milliseconds';

/** What the rows can be sorted by. */
export const sortWords: readonly string[] = [...sortMetrics.map(({ sort }) => sort.word), mappingTime];

/**
 * What a placement costs, in one line: `1.25 hops on average · 3 MiB hop-bytes · heaviest link 128 KiB`. Where the
 * machine has a bandwidth the time of its slowest link stands for the heaviest one. `more` is what stands in
 * parentheses behind a metric.
 */
export function metricLine(measured: Metrics, more: (metric: PlacementMetric) => string | undefined): string {
  const words = new Map<number, string>();
  for (const metric of placementMetrics) {
    const value = metric.line && metricValue(metric, measured);
    if (metric.line === undefined || value === undefined) continue;
    const added = more(metric);
    words.set(metric.line.place, metric.line.words(value) + (added === undefined ? '' : ` (${added})`));
  }
  return [...words]
    .toSorted(([one], [other]) => one - other)
    .map(([, written]) => written)
    .join(' · ');
}
