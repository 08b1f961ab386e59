/** Soryani et al. 2013, figures 9 to 12: what the messages of workloads wait by mapper, and when workloads and their jobs are done. */
import type { ExperimentJson } from '../../server/experiments/results.ts';
import { columns } from '../paperReport.ts';

const mappers = ['blocked', 'cyclic', 'drb', 'contention-free'] as const;
const [, cyclic, , ours] = mappers;

/** What is told of a workload, and what a second has of its unit. */
const figures = [
  { says: 'what all messages wait, in seconds; how much less with contention-free', metric: 'totalWaiting', unit: 1e3 },
  { says: 'finish of the workload, in seconds', metric: 'makespan', unit: 1 },
  { says: 'finish of its jobs, summed, in seconds', metric: 'totalFinish', unit: 1 },
] as const;

/** Of each experiment that has the waits of all four mappers. */
export function soryaniTables(experiments: readonly ExperimentJson[]): string[] {
  return figures.flatMap(({ says, metric, unit }) => {
    const lines = experiments.flatMap(({ name, rows }) => {
      const values = mappers.map((mapper) => {
        const found = rows.find((row) => row.mapper === mapper)?.metrics;
        return found?.['totalWaiting'] === undefined ? undefined : (found[metric]?.mean ?? undefined);
      });
      const known = values.flatMap((value) => (value === undefined ? [] : [value / unit]));
      if (known.length < mappers.length) return [];
      const of = (mapper: string): number => known[mappers.findIndex((one) => one === mapper)] ?? Number.NaN;
      const others = known.filter((_, position) => mappers[position] !== ours);
      const less = (than: number): string => `${inPercent(1 - of(ours) / than)} %`;
      return [[name.replace(/^figure-\d+-/, ''), ...known.map(written), less(of(cyclic)), less(Math.min(...others))]];
    });
    if (lines.length === 0) return [];
    return [says, ...columns([['', ...mappers, 'than cyclic', 'than the best other'], ...lines])];
  });
}

const inPercent = (share: number): string => String(Math.round(100 * share) + 0).replace('-', '−');
const written = (value: number): string =>
  Number(value.toPrecision(4)).toLocaleString('en-US', { maximumFractionDigits: 6 });
