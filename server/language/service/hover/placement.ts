import type { Metrics } from '../../../model/report.ts';
import { reliefText } from '../../../study/explain/reliefWords.ts';
import type { PlacementOutline } from '../../../study/report.ts';
import { causesWords, linkWords } from '../placementWords.ts';
import { countOf, formatBytes, formatNumber, formatSeconds, formatShare } from '../../../model/quantities.ts';
import { facts, paragraphs, plain, table } from './markdown.ts';
import { searchesMarkdown } from './search.ts';

/** Task pairs that are named for each hot link. */
const shownFlows = 2;

/** What stands above figures of an earlier text. */
export const staleMarkdown =
  '*The text has changed since: these figures are of an earlier one. Save for the new ones.*';

/** Every figure of a placement with its unit, what its mapper found, and how long it took. */
export function placementMarkdown(outline: PlacementOutline, stale: boolean): string {
  return paragraphs(
    stale ? staleMarkdown : '',
    outline.jobs
      .map(({ name, tasks, nodes }) => `${name}: ${countOf(tasks, 'task')} on ${countOf(nodes, 'node')}`)
      .join('  \n'),
    facts('Figure', [...rowsOfMetrics(outline.metrics), ['Hot links', formatNumber(outline.hotLinkCount, 0)]]),
    searchesMarkdown(outline),
    hotLinksMarkdown(outline),
    outline.notes.map((note) => `- ${note}`).join('\n'),
    `*${timesOf(outline)}; seed ${outline.seed}*`,
  );
}

/** The heaviest hot links, who sends over them, and what would relieve each of them most. */
function hotLinksMarkdown(outline: PlacementOutline): string | undefined {
  const { hotLinks, hotLinkCount } = outline;
  if (hotLinks.length === 0) return undefined;
  const rows = hotLinks.map((link) => [
    plain(linkWords(link)),
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
        link.reliefs.slice(0, 1).map((relief) => `- ${plain(linkWords(link))}: ${plain(reliefText(relief))}`),
      )
      .join('\n'),
  );
}

function rowsOfMetrics(metrics: Metrics): readonly (readonly [string, string | undefined])[] {
  const { mappingCoefficient, congestionTime, queueing } = metrics;
  return [
    ['Average hops', formatNumber(metrics.averageHops)],
    ['Hop variance', formatNumber(metrics.hopVariance)],
    ['Maximum hops', formatNumber(metrics.maximumHops, 0)],
    ['Hop-bytes', formatBytes(metrics.hopBytes)],
    ['Weighted hops', formatNumber(metrics.weightedHops)],
    ['Mapping coefficient', mappingCoefficient === undefined ? undefined : formatBytes(mappingCoefficient)],
    ['Maximum link load', formatBytes(metrics.maximumLinkLoad)],
    ['Mean link load', formatBytes(metrics.meanLinkLoad)],
    ['Bytes between nodes', formatBytes(metrics.interNodeBytes)],
    ['Congestion time', congestionTime === undefined ? undefined : formatSeconds(congestionTime)],
    [
      'Waiting per message',
      queueing && (Number.isFinite(queueing.waiting) ? formatSeconds(queueing.waiting) : 'without end'),
    ],
    ['Busiest server', queueing && formatShare(queueing.highestUtilisation)],
  ];
}

function timesOf({ milliseconds: { allocate, map, evaluate } }: PlacementOutline): string {
  const time = (value: number) => `${formatNumber(value, 1)} ms`;
  return `allocate ${time(allocate)}, map ${time(map)}, evaluate ${time(evaluate)}`;
}
