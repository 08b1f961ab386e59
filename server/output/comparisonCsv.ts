/** Comparisons of mappers and of cables that are lost for programs and spreadsheets, and the words that tables of mappers have in common. */
import { csvText } from '../model/csv.ts';
import { asRouterId } from '../model/identifiers.ts';
import type { Machine } from '../model/machine.ts';
import { routerName } from '../network/names.ts';
import type { CableLoss } from '../study/cableLosses.ts';
import { metricColumns } from '../model/metrics.ts';
import { formatSeconds } from '../model/quantities.ts';
import { arrowText } from '../model/words.ts';
import type { HeaviestLink } from '../study/comparedRun.ts';
import { overRuns, type Comparison, type MapperResult } from '../study/compare.ts';

/** `3 → 4`; '' where nothing crosses a link. */
export const endsText = (link: HeaviestLink | undefined): string =>
  link === undefined ? '' : arrowText(link.fromName, link.toName);

/** Why a mapper has no figures, where it ran for too long. */
export const stoppedText = (milliseconds: number): string => `stopped after ${formatSeconds(milliseconds / 1000)}`;

/** The mappers that a mapper which tries others had no time for, as the other rows did: `tabu, drb`; '' if there are none. */
export const untriedIn = ({ shown }: Pick<MapperResult, 'shown'>): string =>
  [...new Set(shown.outline.jobs.flatMap(({ search }) => search?.untried ?? []))].join(', ');

/**
 * A line per mapper: RFC 4180, plain numbers in the units of `compare --json`, means of several seeds. The
 * same columns always; behind them, where seeds were asked for, how many were run and the standard deviations.
 */
export function comparisonCsv({ seeds, placed, refused, stopped }: Comparison): string {
  const names = seeds === undefined ? csvColumns : [...csvColumns, 'seeds', ...csvFigures.map(deviationOf)];
  const rows: Readonly<Record<string, string | number | undefined>>[] = [
    ...placed.map((result) => ({
      ...Object.fromEntries(
        csvFigures.flatMap((figure) => {
          const found = overRuns(result, figure);
          return [
            // Without end: the busiest server says why.
            [figure, found?.mean === Infinity ? undefined : found?.mean],
            [deviationOf(figure), found?.deviation],
          ];
        }),
      ),
      mapper: result.mapper,
      ratio: result.ratio,
      heaviestLink: result.runs.length === 1 ? endsText(result.shown.heaviestLink) : '',
      seeds: result.runs.length,
    })),
    ...refused.map(({ mapper, failure }) => ({ mapper, failure: `refused: ${failure.message}` })),
    ...stopped.map(({ mapper, milliseconds }) => ({ mapper, failure: stoppedText(milliseconds) })),
  ];
  return csvText([names, ...rows.map((row) => names.map((column) => row[column]))], '\r\n');
}

const csvFigures: readonly string[] = [...metricColumns.map(({ key }) => key), 'milliseconds'];

const deviationOf = (figure: string): string => `${figure}Deviation`;

const csvBehind: Readonly<Record<string, string>> = { hopBytes: 'ratio', maximumLinkLoad: 'heaviestLink' };

const csvColumns: readonly string[] = [
  'mapper',
  ...csvFigures.flatMap((figure) => [figure, csvBehind[figure] ?? []].flat()),
  'failure',
];

/**
 * What a placement costs without one cable or another, a record each: the ends of the cable; the load in bytes of the heaviest link once it is lost, of links of different
 * speeds in bytes of the fastest one, and the seconds that it takes; by what share that is more than before, and where it is; bytes
 * times hops that are added. Of a cable that parts nodes that talk there are no figures. Of several cables between two the number, from 1; and of how many
 * that are one link one is lost. O(losses).
 */
export function cableLossesCsv(machine: Machine, losses: readonly CableLoss[]): string {
  const nameOf = (router: number): string => routerName(machine, asRouterId(router));
  const lines = losses.map(
    ({ from, to, cable, sideBySide, maximumLoad, congestionTime, increase, heaviest, addedHopBytes, isBridge }) => [
      nameOf(from),
      nameOf(to),
      isBridge ? undefined : maximumLoad,
      congestionTime,
      isBridge ? undefined : increase,
      heaviest && arrowText(nameOf(heaviest.from), nameOf(heaviest.to)),
      isBridge ? undefined : addedHopBytes,
      isBridge ? 'yes' : 'no',
      cable,
      sideBySide ?? 1,
    ],
  );
  const head = [
    'from',
    'to',
    'maximumLoad',
    'congestionTime',
    'increase',
    'heaviest',
    'addedHopBytes',
    'bridge',
    'cable',
    'sideBySide',
  ];
  return csvText([head, ...lines], '\r\n');
}
