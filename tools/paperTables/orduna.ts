/**
 * Figures 8 to 13 of Orduña et al. 2004 in words: by network the best of several random mappings (r), of several with locality (rl), and the
 * mapping of the search (no), over the same time-stamped messages. The search is that of the first seed; the paper has one.
 */
import signedRankTest from '@stdlib/stats-wilcoxon';
import { bestOverTime, meanTraffic } from '../../server/drawing/figures/overTime.ts';
import type { ExperimentJson, OverTimeJson, RowJson } from '../../server/experiments/results.ts';

/** Traffic in flits of a switch and cycle, latency in cycles: of the whole run, and of its point with most of it. */
interface Curve {
  readonly traffic: number;
  readonly peakTraffic: number;
  readonly peakLatency: number;
}

/** One network. */
export interface NetworkFigures {
  readonly network: string;
  readonly r: Curve;
  readonly rl: Curve;
  readonly no: Curve;
}

const curveOf = (series: OverTimeJson): Curve => ({
  traffic: meanTraffic(series),
  peakTraffic: Math.max(...series.traffic),
  peakLatency: Math.max(...series.latency),
});

/** Networks in the order of the rows, where all three mappers have a curve. */
export function networkFigures({ rows }: ExperimentJson): NetworkFigures[] {
  const networks = [...new Set(rows.map(({ point }) => JSON.stringify(point)))];
  return networks.flatMap((point) => {
    const rowOf = (mapper: string): RowJson | undefined =>
      rows.find((row) => JSON.stringify(row.point) === point && row.mapper?.startsWith(mapper) === true && (mapper !== 'random' || row.mapper === mapper)); // prettier-ignore
    const [r, rl] = ['random', 'random-local'].map((mapper) => {
      const row = rowOf(mapper);
      return row && bestOverTime(row);
    });
    const no = rowOf('random-search')?.overTime?.[0];
    if (r === undefined || rl === undefined || no === undefined) return [];
    const network = Object.values(JSON.parse(point) as Record<string, number>).join(' ');
    return [{ network, r: curveOf(r), rl: curveOf(rl), no: curveOf(no) }];
  });
}

/** What the paper says of each of its experiments, as a ratio of two mappings that is to be above a number. */
const claims: readonly {
  readonly of: RegExp;
  readonly says: string;
  readonly ratio: (network: NetworkFigures) => number;
  readonly above: number;
}[] = [
  { of: /^cg/, says: 'traffic no / rl ≥ 1.6 (figure 8), above 1 (11)', ratio: ({ no, rl }) => no.traffic / rl.traffic, above: 1 },
  { of: /^cg/, says: 'traffic no / r up to 5 (figure 8), above 1 (11)', ratio: ({ no, r }) => no.traffic / r.traffic, above: 1 },
  { of: /^sp/, says: 'highest latency r / no far above 1 (figures 9, 12)', ratio: ({ no, r }) => r.peakLatency / no.peakLatency, above: 1 },
  { of: /^sp/, says: 'highest latency rl / no far above 1 (figures 9, 12)', ratio: ({ no, rl }) => rl.peakLatency / no.peakLatency, above: 1 },
  { of: /^sp/, says: 'highest traffic no / r above 1 (figures 10, 13)', ratio: ({ no, r }) => no.peakTraffic / r.peakTraffic, above: 1 },
  { of: /^sp/, says: 'highest traffic no / rl above 1 (figures 10, 13)', ratio: ({ no, rl }) => no.peakTraffic / rl.peakTraffic, above: 1 },
  { of: /^(?!cg).*-traffic$/, says: 'traffic no / rl above 1 (section 5.2)', ratio: ({ no, rl }) => no.traffic / rl.traffic, above: 1 },
]; // prettier-ignore

/** Of each experiment with curves over time. */
export const ordunaTables = (experiments: readonly ExperimentJson[]): string[] =>
  experiments.flatMap((experiment) => {
    const lines = networkReport(experiment);
    return lines.length === 0 ? [] : [experiment.name, ...lines.map((line) => `  ${line}`)];
  });

/** None of an experiment without such curves. */
function networkReport(experiment: ExperimentJson): string[] {
  const networks = networkFigures(experiment);
  if (networks.length === 0) return [];
  const cell = ({ traffic, peakLatency }: Curve): string => `${traffic.toFixed(3)} / ${Math.round(peakLatency)}`;
  return [
    'traffic (flits of a switch and cycle) / highest latency of a point (cycles), by network: best r, best rl, no',
    ...networks.map(({ network, r, rl, no }) => `  ${network.padStart(3)}  ${[r, rl, no].map((one) => cell(one).padStart(18)).join('')}`),
    ...claims.filter(({ of }) => of.test(experiment.name)).map(({ says, ratio, above }) => {
      const ratios = networks.map(ratio).sort((one, other) => one - other);
      const holds = ratios.filter((value) => value > above).length;
      const [least = 0, most = 0] = [ratios[0], ratios.at(-1)];
      return `${says}: median ${medianOf(ratios).toFixed(2)}, ${least.toFixed(2)} to ${most.toFixed(2)}, above ${above} in ${holds} of ${ratios.length} networks${probability(ratios)}`;
    }),
  ]; // prettier-ignore
}

/** Of numbers in ascending order. */
function medianOf(sorted: readonly number[]): number {
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}

/** Wilcoxon's of ratios about 1, on their logarithms; of fewer than six networks none can be small. */
function probability(ratios: readonly number[]): string {
  if (ratios.length < 6) return '';
  return `, Wilcoxon p ${signedRankTest(ratios.map(Math.log)).pValue.toPrecision(2)}`;
}
