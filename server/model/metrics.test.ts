import { describe, expect, it } from 'vitest';
import { metricUnit, perSecond, type RunKind, type SubjectKind } from './metricEntry.ts';
import {
  experimentMetric,
  experimentMetrics,
  isServerMetric,
  metricsOfSubject,
  placementMetrics,
  sortedInstead,
  sortMetrics,
} from './metrics.ts';

const runsOf: Readonly<Record<SubjectKind, readonly RunKind[]>> = {
  stream: ['stream', 'log'],
  job: ['packets', 'servers'],
  traffic: ['packets', 'servers'],
};
const kinds = ['stream', 'job', 'traffic'] as const;

describe('metrics of experiments', () => {
  it.each(kinds)('have places of their own for a %s', (kind) => {
    const places = metricsOfSubject[kind].map((key) => experimentMetric(key).reportedFor?.[kind]);
    expect(places).toEqual([...new Set(places)].sort((one = 0, other = 0) => one - other));
  });

  it.each([
    ['stream', 'turnaround'],
    ['job', 'makespan'],
    ['traffic', 'latency'],
  ] as const)('of a %s are %s where none is named', (kind, metric) => {
    expect(metricsOfSubject[kind][0]).toBe(metric);
  });

  it.each([
    ['makespan', 'packets', 'cycles'],
    ['makespan', 'servers', 's'],
    ['makespan', 'log', 's'],
    ['latency', 'servers', 'us'],
    ['latency', 'log', 'cycles'],
    ['throughput', 'packets', 'flits/node/cycle'],
    ['throughput', 'stream', 'jobs/cycle'],
    ['totalWaiting', 'servers', 'ms'],
    ['slowdown', 'packets', ''],
    ['congestionTime', 'packets', 's'],
    ['hopVariance', 'packets', 'hops²'],
  ] as const)('%s of %s is in %j', (metric, run, unit) => {
    expect(metricUnit(experimentMetric(metric), run)).toBe(unit);
  });

  it('have a unit wherever they are measured, or are ratios', () => {
    const without = kinds.flatMap((kind) =>
      metricsOfSubject[kind].flatMap((key) =>
        runsOf[kind]
          .filter((run) => run === 'servers' || !isServerMetric(key))
          .filter((run) => metricUnit(experimentMetric(key), run) === '' && experimentMetric(key).unit !== '')
          .map((run) => `${key} of ${run}`),
      ),
    );
    expect(without).toEqual([]);
  });

  it('between servers have no times in cycles', () => {
    const units = experimentMetrics.map((key) => metricUnit(experimentMetric(key), 'servers'));
    expect(units).not.toContain('cycles');
    expect(units.filter((unit) => perSecond(unit) !== undefined).length).toBeGreaterThan(5);
  });
});

describe('metrics of placements', () => {
  it('have keys of their own, and one label for each key', () => {
    const keys = placementMetrics.map(({ key }) => key);
    const labels = placementMetrics.flatMap(({ label }) => label ?? []);
    expect([new Set(keys).size, new Set(labels).size]).toEqual([keys.length, labels.length]);
  });

  it('are replaced in the order of rows by what every placement has', () => {
    for (const metric of sortMetrics) {
      const instead = sortedInstead(metric);
      expect(instead === undefined, metric.key).toBe(metric.needs === undefined);
      expect(instead?.needs, metric.key).toBeUndefined();
    }
  });
});
