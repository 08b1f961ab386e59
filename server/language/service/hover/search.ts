import { evaluationsPerSecond, type SearchRecord } from '../../../model/searchRecord.ts';
import { endWords, gapWords, untriedWords } from '../../../study/explain/searchWords.ts';
import type { PlacementOutline } from '../../../study/report.ts';
import { formatBytes, formatNumber, formatSeconds } from '../../../model/quantities.ts';
import { sparkline } from '../sparkline.ts';
import { facts, paragraphs, table } from './markdown.ts';

/** Mappers that are named with what they came to; more would hide what was chosen. */
const shownTried = 8;

/** What the mapper of each job searched and found; empty where none did. */
export function searchesMarkdown({ jobs }: Pick<PlacementOutline, 'jobs'>): string {
  const several = jobs.length > 1;
  return paragraphs(
    ...jobs.map(({ name, search }) =>
      search === undefined ? undefined : searchMarkdown(several ? `Search for ${name}` : 'Search', search),
    ),
  );
}

function searchMarkdown(heading: string, search: SearchRecord): string {
  const { criterion, value, bound, chosen, end, milliseconds } = search;
  return paragraphs(
    facts(heading, [
      ['Chosen', chosen && `${chosen.name}: ${chosen.why}`],
      ['Best value', `${formatBytes(value)} (${criterion})`],
      ['Lower bound', boundText(bound)],
      ['So the best is', gapWords(search)],
      ['Evaluations', evaluationsText(search)],
      ['Best over time', convergenceText(search)],
      ['Ended', `after ${formatSeconds(milliseconds / 1000)}: ${endWords[end]}`],
    ]),
    triedMarkdown(search),
  );
}

/** A bound of nothing says nothing. */
const boundText = (bound: SearchRecord['bound']): string | undefined =>
  bound === undefined || bound.value === 0 ? undefined : `${formatBytes(bound.value)} (${bound.name}; ${bound.source})`;

function evaluationsText(search: SearchRecord): string {
  const speed = evaluationsPerSecond(search);
  const count = formatNumber(search.evaluations, 0);
  return speed === undefined || speed === 0 ? count : `${count}, ${formatNumber(speed, 0)} per second`;
}

function convergenceText(search: SearchRecord): string | undefined {
  const { convergence } = search;
  const line = sparkline(search);
  const first = convergence[0]?.value;
  const last = convergence.at(-1)?.value;
  if (line === undefined || first === undefined || last === undefined) return undefined;
  return `${formatBytes(first)} \`${line}\` ${formatBytes(last)}`;
}

/** Mappers that were tried one against the other, the best first, and those that there was no time for. */
function triedMarkdown(search: SearchRecord): string {
  const { tried = [] } = search;
  const shown = tried.slice(0, shownTried);
  const rows = shown.map(({ name, value, milliseconds }) => [
    name,
    formatBytes(value),
    formatSeconds(milliseconds / 1000),
  ]);
  const rest = tried.length - shown.length;
  const left = untriedWords(search);
  return paragraphs(
    table(['Tried', 'Came to', 'In'], rows),
    rest > 0 ? `*and ${rest} more*` : undefined,
    left && `*${left}*`,
  );
}
