/** What `placewright run` says of the searches of a placement. */
import { formatBytes, formatNumber, formatSeconds } from '../../drawing/quantities.ts';
import type { PlacementReport } from '../../model/report.ts';
import { evaluationsPerSecond, type SearchRecord } from '../../model/searchRecord.ts';
import { endWords, gapWords, untriedWords } from '../../study/explain/searchWords.ts';

type Row = readonly [string, string];

/** Mappers that are named with what they came to. */
const shownTried = 5;

/** Rows for each job whose mapper searched; the job is named where there are several. */
export const searchRows = ({ jobs }: Pick<PlacementReport, 'jobs'>): Row[] =>
  jobs.flatMap(({ job, search }) =>
    search === undefined ? [] : rowsOf(jobs.length > 1 ? `Search ${job.name}` : 'Search', search),
  );

function rowsOf(label: string, search: SearchRecord): Row[] {
  const { chosen, tried = [] } = search;
  const rows: Row[] = [[label, costText(search)]];
  if (chosen !== undefined) rows.push(['', `  chose ${chosen.name}: ${chosen.why}`]);
  if (tried.length > 0) rows.push(['', `  tried ${triedText(tried)}`]);
  const left = untriedWords(search);
  if (left !== undefined) rows.push(['', `  ${left}`]);
  rows.push(['', `  ${effortText(search)}`]);
  return rows;
}

/** `hop-bytes 3 MiB, at most 20 % above the least possible (2.5 MiB, edge bound)`. */
function costText(search: SearchRecord): string {
  const { criterion, value, bound } = search;
  const gap = gapWords(search);
  const left = gap === undefined || bound === undefined ? '' : `, ${gap}${boundText(bound)}`;
  return `${criterion} ${formatBytes(value)}${left}`;
}

const boundText = ({ value, name }: NonNullable<SearchRecord['bound']>): string =>
  ` (${formatBytes(value)}, ${name} bound)`;

function triedText(tried: NonNullable<SearchRecord['tried']>): string {
  const shown = tried.slice(0, shownTried).map(({ name, value }) => `${name} ${formatBytes(value)}`);
  const rest = tried.length - shown.length;
  return shown.join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

/** The time and the speed differ from run to run; tests mask them. */
function effortText(search: SearchRecord): string {
  const { evaluations, milliseconds, end } = search;
  const speed = evaluationsPerSecond(search);
  const rate = speed === undefined || speed === 0 ? '' : `, ${formatNumber(Number(speed.toPrecision(3)))} per second`;
  const count = `${formatNumber(evaluations)} evaluations in ${formatSeconds(milliseconds / 1000)}${rate}`;
  return `${count}; ${endWords[end]}`;
}
