import type { Metrics } from '../../../model/report.ts';
import { improvementText, gapWords, serverWords, untriedWords } from '../../../study/explain/words.ts';
import type { PlacementOutline } from '../../../study/report.ts';
import { writtenMetric } from '../../../model/metricEntry.ts';
import { placementMetrics } from '../../../model/metrics.ts';
import { causesWords } from '../words.ts';
import { countOf, formatBytes, formatNumber, formatSeconds, formatShare } from '../../../model/quantities.ts';
import type { SimulationStanding } from '../input.ts';
import { facts, paragraphs, plain, table } from './markdown.ts';
import { evaluationsPerSecond, type SearchRecord } from '../../../model/searchRecord.ts';
import { arrowText, searchEndTexts } from '../../../model/words.ts';

/** Task pairs that are named for each hot link. */
const shownFlows = 2;

/** What stands above figures of an earlier text. */
export const staleMarkdown = '*Out of date. Save the file to update.*';

/** Every figure of a placement with its unit, what its mapper found, and how long it took. */
export function placementMarkdown(outline: PlacementOutline, stale: boolean): string {
  return paragraphs(
    stale ? staleMarkdown : '',
    outline.jobs
      .map(({ name, tasks, nodes }) => `${name}: ${countOf(tasks, 'task')} on ${countOf(nodes, 'node')}`)
      .join('  \n'),
    facts('Figure', [...rowsOfMetrics(outline.metrics), ['Hot links', formatNumber(outline.hotLinkCount, 0)]]),
    busiestServersMarkdown(outline.metrics),
    searchesMarkdown(outline),
    hotLinksMarkdown(outline),
    outline.notes.map((note) => `- ${note}`).join('\n'),
    `*${timesText(outline)}; seed ${outline.seed}*`,
  );
}

/** What the last simulation of a placement found beside what was predicted; undefined where there was none. */
export function simulationMarkdown(
  { facts = [], isStale, notices, fault }: SimulationStanding = { isStale: false },
): string | undefined {
  const rows = facts.map(({ label, simulated, predicted = '', error = '' }) => [label, simulated, predicted, error]);
  const isOld = isStale && rows.length > 0;
  const told = paragraphs(
    isOld ? '*What it depends on has changed since it was simulated.*' : undefined,
    table(['Simulated', '', 'Predicted', 'Error'], rows),
    [...(fault === undefined ? [] : [`Not simulated: ${fault}`]), ...(notices ?? [])]
      .map((line) => `- ${plain(line)}`)
      .join('\n'),
  );
  return told === '' ? undefined : told;
}

/** The heaviest hot links, who sends over them, and what would relieve each of them most. */
function hotLinksMarkdown(outline: PlacementOutline): string | undefined {
  const { hotLinks, hotLinkCount } = outline;
  if (hotLinks.length === 0) return undefined;
  const rows = hotLinks.map((link) => [
    plain(arrowText(link.fromName, link.toName)),
    formatBytes(link.load),
    formatNumber(link.timesMean),
    causesWords(outline, link, shownFlows),
  ]);
  const rest = hotLinkCount - hotLinks.length;
  return paragraphs(
    table(['Hot link', 'Carries', 'Times the mean', 'Most of it'], rows),
    rest > 0 ? `*and ${countOf(rest, 'more hot link')}*` : '',
    hotLinks
      .flatMap((link) =>
        link.improvements
          .slice(0, 1)
          .map(
            (improvement) =>
              `- ${plain(arrowText(link.fromName, link.toName))}: ${plain(improvementText(improvement))}`,
          ),
      )
      .join('\n'),
  );
}

/** Where the queueing model finds the most work. */
function busiestServersMarkdown({ queueing }: Metrics): string | undefined {
  if (queueing === undefined || queueing.busiest.length === 0) return undefined;
  return table(
    ['Server', 'Works'],
    queueing.busiest.map((busy) => [serverWords(busy), `${formatShare(busy.utilisation)} of its time`]),
  );
}

const rowsOfMetrics = (measured: Metrics): readonly (readonly [string, string | undefined])[] =>
  placementMetrics.flatMap((entry) =>
    entry.label === undefined ? [] : [[entry.label, writtenMetric(entry, measured)]],
  );

function timesText({ milliseconds: { allocate, map, evaluate } }: PlacementOutline): string {
  const time = (value: number) => `${formatNumber(value, 1)} ms`;
  return `allocate ${time(allocate)}, map ${time(map)}, evaluate ${time(evaluate)}`;
}

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
      ['Ended', `after ${formatSeconds(milliseconds / 1000)}: ${searchEndTexts[end]}`],
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

/** From the best value to the first. */
const levels = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

const columns = 24;

/**
 * How the best value fell from the first answer to the last, as one line of blocks from the least value to the
 * greatest; undefined where it never fell. Each column takes as many times the time of the one before: most of the fall
 * comes early, and would be one step at the left edge otherwise. The last point holds until the search ended.
 */
export function sparkline({
  convergence,
  milliseconds,
}: Pick<SearchRecord, 'convergence' | 'milliseconds'>): string | undefined {
  const first = convergence[0];
  const last = convergence.at(-1);
  if (first === undefined || last === undefined || first.value <= last.value) return undefined;
  const height = first.value - last.value;
  const start = Math.log1p(first.milliseconds);
  const end = Math.log1p(Math.max(milliseconds, last.milliseconds));
  const blocks = Array.from({ length: columns }, (_, column) => {
    const at = Math.expm1(start + ((end - start) * column) / (columns - 1)) + 1e-9;
    const point = column === 0 ? first : (convergence.findLast((candidate) => candidate.milliseconds <= at) ?? first);
    return levels[Math.round(((levels.length - 1) * (point.value - last.value)) / height)];
  });
  return blocks.join('');
}
