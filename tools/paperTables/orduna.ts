/**
 * Figures 8 to 13 of Orduña et al. 2004 in words: by network the best of several random mappings (r), of several with locality, and the
 * mapping of the search (no), over the same time-stamped messages. Locality is read in two ways: on every switch (rl), and on one, all other
 * tasks anywhere (rl 1). The search is that of the first seed; the paper has one.
 */
import signedRankTest from '@stdlib/stats-wilcoxon';
import { bestOverTime, meanTraffic } from '../../server/drawing/figures/overTime.ts';
import type { ExperimentJson, OverTimeJson, RowJson } from '../../server/experiments/results.ts';
import { pageTable, type Figure, type Figures, type Kept, type PagePart } from '../paperMeasured.ts';

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
  /** The random mapping with least traffic: the paper's "up to" is over any of them. */
  readonly worstR: Curve;
  readonly rl: Curve;
  readonly rl1: Curve;
  readonly no: Curve;
}

const curveOf = (series: OverTimeJson): Curve => ({
  traffic: meanTraffic(series),
  peakTraffic: Math.max(...series.traffic),
  peakLatency: Math.max(...series.latency),
});

/** Networks in the order of the rows, where all mappers have a curve. */
export function networkFigures({ rows }: ExperimentJson): NetworkFigures[] {
  const networks = [...new Set(rows.map(({ point }) => JSON.stringify(point)))];
  return networks.flatMap((point) => {
    const rowOf = (isAsked: (mapper: string) => boolean): RowJson | undefined =>
      rows.find((row) => JSON.stringify(row.point) === point && isAsked(row.mapper ?? ''));
    const [r, rl, rl1] = ['random', 'random-local', 'random-local(switches 1)'].map((mapper) => {
      const row = rowOf((one) => one === mapper);
      return row && bestOverTime(row);
    });
    const randoms = rowOf((mapper) => mapper === 'random')?.overTime ?? [];
    const [worst] = [...randoms].sort((one, other) => meanTraffic(one) - meanTraffic(other));
    const no = rowOf((mapper) => mapper.startsWith('random-search'))?.overTime?.[0];
    if (r === undefined || worst === undefined || rl === undefined || rl1 === undefined || no === undefined) return [];
    const network = Object.values(JSON.parse(point) as Record<string, number>).join(' ');
    const curves = { r: curveOf(r), worstR: curveOf(worst), rl: curveOf(rl), rl1: curveOf(rl1), no: curveOf(no) };
    return [{ network, ...curves }];
  });
}

type Ratio = (network: NetworkFigures) => number;

/** What the paper says of some experiments, as a ratio of two mappings that is to be above a number. */
interface RatioClaim {
  readonly of: RegExp;
  readonly says: string;
  readonly ratio: Ratio;
  readonly above: number;
}

/** Of both readings of locality. */
const forBoth = (of: RegExp, above: number, says: string, ratioTo: (rl: 'rl' | 'rl1') => Ratio): RatioClaim[] =>
  (['rl1', 'rl'] as const).map((rl) => ({
    of,
    above,
    says: says.replace('rl', rl === 'rl' ? 'rl' : 'rl 1'),
    ratio: ratioTo(rl),
  }));

const claims: readonly RatioClaim[] = [
  ...forBoth(
    /^cg/,
    1.6,
    'traffic no / rl at least 1.6 (figure 8)',
    (rl) =>
      ({ no, [rl]: local }) =>
        no.traffic / local.traffic,
  ),
  ...forBoth(
    /^cg/,
    1,
    'traffic no / rl above 1 (figure 11)',
    (rl) =>
      ({ no, [rl]: local }) =>
        no.traffic / local.traffic,
  ),
  {
    of: /^cg/,
    says: 'traffic no / best r above 1 (figures 8, 11)',
    ratio: ({ no, r }) => no.traffic / r.traffic,
    above: 1,
  },
  {
    of: /^cg/,
    says: 'traffic no / any r, up to 5 (figure 8)',
    ratio: ({ no, worstR }) => no.traffic / worstR.traffic,
    above: 1,
  },
  {
    of: /^sp/,
    says: 'highest latency r / no far above 1 (figures 9, 12)',
    ratio: ({ no, r }) => r.peakLatency / no.peakLatency,
    above: 1,
  },
  ...forBoth(
    /^sp/,
    1,
    'highest latency rl / no far above 1 (figures 9, 12)',
    (rl) =>
      ({ no, [rl]: local }) =>
        local.peakLatency / no.peakLatency,
  ),
  {
    of: /^sp/,
    says: 'highest traffic no / r above 1 (figures 10, 13)',
    ratio: ({ no, r }) => no.peakTraffic / r.peakTraffic,
    above: 1,
  },
  ...forBoth(
    /^sp/,
    1,
    'highest traffic no / rl above 1 (figures 10, 13)',
    (rl) =>
      ({ no, [rl]: local }) =>
        no.peakTraffic / local.peakTraffic,
  ),
  ...forBoth(
    /^(?!cg).*-traffic$/,
    1,
    'traffic no / rl above 1 (section 5.2)',
    (rl) =>
      ({ no, [rl]: local }) =>
        no.traffic / local.traffic,
  ),
];

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
    'traffic (flits of a switch and cycle) / highest latency of a point (cycles), by network: best r, best rl 1, best rl, no',
    ...networks.map(
      ({ network, r, rl, rl1, no }) =>
        `  ${network.padStart(3)}  ${[r, rl1, rl, no].map((one) => cell(one).padStart(18)).join('')}`,
    ),
    ...Object.entries(ordunaFigures(experiment)).map(
      ([says, { value, least = 0, most = 0, holds = 0, of = 0, p }]) =>
        `${says}: median ${value.toFixed(2)}, ${least.toFixed(2)} to ${most.toFixed(2)}, in ${holds} of ${of} networks${p === undefined ? '' : `, Wilcoxon p ${p.toPrecision(2)}`}`,
    ),
  ];
}

/** Each ratio that the paper tells of over the networks, by what it says; none of an experiment without curves over time. */
export function ordunaFigures(experiment: ExperimentJson): Figures {
  const networks = networkFigures(experiment);
  const told = networks.length === 0 ? [] : claims.filter(({ of }) => of.test(experiment.name));
  return Object.fromEntries(
    told.map(({ says, ratio, above }): [string, Figure] => {
      const ratios = networks.map(ratio).sort((one, other) => one - other);
      const [least = 0, most = 0] = [ratios[0], ratios.at(-1)];
      const p = probability(ratios, above);
      return [
        says,
        {
          value: medianOf(ratios),
          least,
          most,
          holds: ratios.filter((value) => value > above).length,
          of: ratios.length,
          ...(p === undefined ? {} : { p }),
        },
      ];
    }),
  );
}

/** Of numbers in ascending order. */
function medianOf(sorted: readonly number[]): number {
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}

/** Wilcoxon's of ratios about that number, on their logarithms; of fewer than six networks none can be small. */
function probability(ratios: readonly number[], about: number): number | undefined {
  return ratios.length < 6 ? undefined : signedRankTest(ratios.map((ratio) => Math.log(ratio / about))).pValue;
}

function ratiosPart(kept: readonly Kept[]): string {
  const digits = (value: number): string => value.toFixed(2);
  const lines = kept.flatMap(({ experiment, form, figures }) =>
    Object.entries(figures).map(([says, { value, least, most, holds, of, p }]) => [
      `${experiment}, ${form}`,
      says,
      digits(value),
      least === undefined || most === undefined ? '' : `${digits(least)} to ${digits(most)}`,
      holds === undefined || of === undefined ? '' : `${holds} of ${of}`,
      p === undefined ? '' : p.toPrecision(1),
    ]),
  );
  return pageTable(['experiment, form', 'the paper', 'median', 'range', 'networks', 'p'], lines);
}

export const ordunaParts: readonly PagePart[] = [{ name: 'orduna figures 8 to 13', text: ratiosPart }];
