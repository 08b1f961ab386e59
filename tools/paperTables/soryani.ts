/** Soryani et al. 2013, figures 9 to 12: what the messages of workloads wait by mapper, and when workloads and their jobs are done. */
import type { ExperimentJson } from '../../server/experiments/results.ts';
import { figureOf, largestOf, marked, pageTable, type Kept, type PagePart, type QuotedOf } from '../paperMeasured.ts';
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

/** What the page has of workloads: a table for each figure. */
const pages = [
  { name: 'soryani figure 9', of: /^figure-9-/, head: 'waits (s)', ...figures[0] },
  { name: 'soryani figure 10', of: /^figure-9-/, head: 'finish of the workload (s)', ...figures[1] },
  { name: 'soryani figure 11', of: /^figure-9-/, head: 'finish of its jobs, summed (s)', ...figures[2] },
  { name: 'soryani figure 12', of: /^figure-12-/, head: 'waits (s)', ...figures[0] },
] as const;

/** By mapper, and how much less contention-free has than another: than the one that the paper compares it with, else than cyclic. */
function workloadsPart(
  { of, head, metric, unit }: (typeof pages)[number],
  kept: readonly Kept[],
  quotedOf: QuotedOf,
): string {
  const lines = [...quotedOf].flatMap(([experiment, quoted]) => {
    const values = mappers.map((mapper) => figureOf(kept, experiment, `${metric} ${mapper}`)?.value);
    const known = values.flatMap((value) => (value === undefined ? [] : [value / unit]));
    const run = largestOf(kept, experiment);
    if (!of.test(experiment) || known.length < mappers.length || run === undefined) return [];
    const [name = '', { value = Number.NaN, isOpen = false } = {}] =
      Object.entries(quoted).find(([one]) => one.startsWith(`${metric} `)) ?? [];
    const other = name.replace(/.* \/ /, '') || cyclic;
    const valueOf = (mapper: string): number => known[mappers.findIndex((one) => one === mapper)] ?? Number.NaN;
    const less = inTenths(1 - valueOf(ours) / valueOf(other));
    const compared = name === '' ? `${less} %` : `${inTenths(1 - value)} → ${less} %`;
    return [
      [
        `${experiment.replace(of, '')}, ${run.replications} ${run.replications === 1 ? 'seed' : 'seeds'}`,
        ...known.map(written),
        marked(other === cyclic ? compared : `${compared} (${other})`, isOpen),
      ],
    ];
  });
  return pageTable([head, ...mappers, 'contention-free under cyclic'], lines);
}

const inTenths = (share: number): string => String(Number((100 * share).toFixed(1)) + 0).replace('-', '−');

export const soryaniParts: readonly PagePart[] = pages.map((page) => ({
  name: page.name,
  text: (kept, quotedOf) => workloadsPart(page, kept, quotedOf),
}));
