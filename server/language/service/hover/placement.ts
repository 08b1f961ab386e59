import type { Metrics } from '../../../model/report.ts';
import type { PlacementOutline } from '../../../study/report.ts';
import { countOf, formatBytes, formatNumber, formatSeconds } from '../numbers.ts';
import { facts, paragraphs } from './markdown.ts';

/** Every figure of a placement with its unit, what `auto` chose, and how long it took. */
export function placementMarkdown(outline: PlacementOutline, stale: boolean): string {
  return paragraphs(
    stale ? '*The text has changed since: these figures are of an earlier one. Save for the new ones.*' : '',
    outline.jobs
      .map(({ name, tasks, nodes }) => `${name}: ${countOf(tasks, 'task')} on ${countOf(nodes, 'node')}`)
      .join('  \n'),
    facts('Figure', [...rowsOfMetrics(outline.metrics), ['Hot links', formatNumber(outline.hotLinkCount, 0)]]),
    outline.notes.map((note) => `- ${note}`).join('\n'),
    `*${timesOf(outline)}; seed ${outline.seed}*`,
  );
}

function rowsOfMetrics(metrics: Metrics): readonly (readonly [string, string | undefined])[] {
  const { mappingCoefficient, congestionTime } = metrics;
  return [
    ['Average hops', formatNumber(metrics.averageHops)],
    ['Hop variance', formatNumber(metrics.hopVariance)],
    ['Maximum hops', formatNumber(metrics.maximumHops, 0)],
    ['Hop-bytes', formatBytes(metrics.hopBytes)],
    ['Weighted hops', formatNumber(metrics.weightedHops)],
    ['Mapping coefficient', mappingCoefficient === undefined ? undefined : formatNumber(mappingCoefficient)],
    ['Maximum link load', formatBytes(metrics.maximumLinkLoad)],
    ['Mean link load', formatBytes(metrics.meanLinkLoad)],
    ['Bytes between nodes', formatBytes(metrics.interNodeBytes)],
    ['Congestion time', congestionTime === undefined ? undefined : formatSeconds(congestionTime)],
  ];
}

function timesOf({ milliseconds: { allocate, map, evaluate } }: PlacementOutline): string {
  const time = (value: number) => `${formatNumber(value, 1)} ms`;
  return `allocate ${time(allocate)}, map ${time(map)}, evaluate ${time(evaluate)}`;
}
