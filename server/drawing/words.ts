import { largestOf } from '../model/lists.ts';
import { routingWords, topologyWords, type Machine, type Topology } from '../model/machine.ts';
import { countOf, formatBytes, formatNumber, formatSeconds, hopsOf, rootsText } from '../model/quantities.ts';
import { metricValue, writtenMetric, type PlacementMetric } from '../model/metricEntry.ts';
import { placementMetric, placementMetrics } from '../model/metrics.ts';
import type { Metrics, PlacementReport } from '../model/report.ts';
import { secondsPerByte } from '../network/linkClasses.ts';
import { endsOfLink } from '../network/links.ts';
import { cableWords, endName, routerName } from '../network/names.ts';
import { serverWords } from '../study/explain/words.ts';
import type { Scene } from './scene.ts';

/** The figures beside the picture, those that users compare first on top; `more` are not beside the picture, and wanted here. */
export function pictureFigures(
  report: PlacementReport,
  { more = [] }: { readonly more?: readonly PlacementMetric[] } = {},
): Pick<Scene, 'figures' | 'figureValues'> {
  const pictured = placementMetrics.filter(
    (entry) => entry.label !== undefined && (entry.isPictured !== false || more.includes(entry)),
  );
  const roots = rootsOf(report.machine);
  const rows: readonly FigureRow[] = [
    ...pictured.filter(({ needs }) => needs === undefined).flatMap((entry) => metricRows(entry, report)),
    ...(roots === undefined
      ? []
      : [
          [
            roots.startsWith('root ') ? 'Root of up/down' : 'Roots of up/down',
            roots.replace(/^roots? /, ''),
            NaN,
          ] as const,
        ]),
    ...pictured.filter(({ needs }) => needs !== undefined).flatMap((entry) => metricRows(entry, report)),
  ];
  return {
    figures: rows.map(([name, words]) => [name, words]),
    figureValues: Float64Array.from(rows, ([, , value]) => value),
  };
}

/** The figures of another placement, for those of a scene. */
export function referenceOf(
  { figures }: Pick<Scene, 'figures'>,
  first: PlacementReport,
): NonNullable<Scene['reference']> {
  const other = pictureFigures(first);
  const valueOf = new Map(other.figures.map(([name], index) => [name, other.figureValues[index]!]));
  return { placement: first.name, values: Float64Array.from(figures, ([name]) => valueOf.get(name) ?? NaN) };
}

type FigureRow = readonly [name: string, words: string, value: number];

/** How many links are hot stands behind the mean, which makes them so. */
function metricRows(entry: PlacementMetric, { metrics: measured, hotLinks }: PlacementReport): readonly FigureRow[] {
  const written = metricWords(entry, measured);
  if (written === undefined) return [];
  const row: FigureRow = [entry.shortLabel ?? entry.label ?? entry.key, written, metricValue(entry, measured) ?? NaN];
  const hot = hotLinks.length;
  return entry === placementMetric('meanLinkLoad') ? [row, ['Hot links', formatNumber(hot), hot]] : [row];
}

function metricWords(entry: PlacementMetric, measured: Metrics): string | undefined {
  if (entry === placementMetric('waiting')) return waitingOfMessages(measured);
  const written = writtenMetric(entry, measured);
  const [busiest] = measured.queueing?.busiest ?? [];
  return entry === placementMetric('highestUtilisation') && busiest !== undefined
    ? `${written ?? ''}, ${serverWords(busiest)}`
    : written;
}

function waitingOfMessages({ queueing }: Metrics): string | undefined {
  if (queueing === undefined) return undefined;
  const { waiting, memoryWaiting } = queueing;
  return Number.isFinite(waiting)
    ? `${formatSeconds(waiting)} per message, ${formatSeconds(memoryWaiting)} of it for memories`
    : `${formatSeconds(waiting)}: overloaded`;
}

/** The picture in two or three sentences, for a reader who cannot see it. */
export function describePlacement(report: PlacementReport): string {
  return [machineSentence(report), jobsSentence(report), loadSentence(report)].join(' ');
}

function machineSentence({ name, machine }: PlacementReport): string {
  const { topology, routing } = machine;
  const switches = topology.hasHostLinks ? ` of ${switchCount(topology)}` : '';
  const roots = rootsOf(machine);
  const by =
    routing.kind === routingWords(routing.kind) ? `${routing.kind} routing` : `routing ${routingWords(routing.kind)}`;
  return (
    `Placement ${name} on machine ${machine.name}: ${topologyWords(topology)}${switches}, ` +
    `${countOf(machine.nodeCount, 'node')}, ${by}${roots === undefined ? '' : ` from ${roots}`}.`
  );
}

/** `12 switches in 3 tiers`, `36 switches in 9 groups`. */
function switchCount({ routerCount, tiers, groups }: Topology): string {
  const count = routerCount === 1 ? '1 switch' : `${formatNumber(routerCount)} switches`;
  if (tiers !== undefined) return `${count} in ${countOf(largestOf(tiers) + 1, 'tier')}`;
  return groups === undefined ? count : `${count} in ${countOf(largestOf(groups) + 1, 'group')}`;
}

/** `root 6`, `16 roots 48, 49 …`; undefined where the routing is not up/down. */
function rootsOf(machine: Machine): string | undefined {
  const roots = machine.routing.hierarchy?.roots;
  return roots && rootsText(roots.map((root) => routerName(machine, root)));
}

/** Jobs are named up to this many; a list of fifty helps nobody. */
const namedJobs = 4;

function jobsSentence({ jobs }: PlacementReport): string {
  if (jobs.length === 0) return 'No jobs.';
  const named = jobs
    .slice(0, namedJobs)
    .map(
      ({ job, allocation }) =>
        `${job.name} (${countOf(job.taskCount, 'task')}, ${countOf(allocation.length, 'node')} allocated)`,
    );
  if (jobs.length > namedJobs) named.push(`${jobs.length - namedJobs} more`);
  return `It places ${countOf(jobs.length, 'job')}: ${named.join(', ')}.`;
}

/** Where links are not all as fast the most bytes are not the most work: then it tells the time, as colours and legend do. */
function loadSentence({ metrics, hotLinks, machine, linkLoads }: PlacementReport): string {
  if (metrics.maximumLinkLoad === 0) return 'No traffic on any link.';
  const average = `Messages travel ${hopsOf(metrics.averageHops)} on average`;
  const [hottest] = hotLinks;
  const seconds = secondsPerByte(machine);
  if (hottest === undefined) {
    const most =
      seconds === undefined
        ? `maximum link load ${formatBytes(metrics.maximumLinkLoad)}`
        : `longest link time ${formatSeconds(linkLoads.reduce((longest, load, link) => Math.max(longest, load * seconds[link]!), 0))}`;
    return `${average}; ${most}, no hot links.`;
  }
  const { from, to } = endsOfLink(machine, hottest.link);
  const ends = `from ${endName(machine, from)} to ${endName(machine, to)}${cableWords(machine, hottest.link)}`;
  const most =
    seconds === undefined
      ? `maximum link load, ${ends}: ${formatBytes(hottest.load)}`
      : `longest link time, ${ends}: ${formatSeconds(hottest.load * seconds[hottest.link]!)} for ${formatBytes(hottest.load)}`;
  return `${average}; ${most}, ${formatNumber(hottest.timesMean)} times the mean of used links. ${countOf(hotLinks.length, 'link')} ${hotLinks.length === 1 ? 'is' : 'are'} hot.`;
}
