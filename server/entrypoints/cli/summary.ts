/**
 * What `placewright run` prints for people: a block per placement with its searches, and a table that compares them.
 */
import { pictureFigures } from '../../drawing/words.ts';
import { hostlistOf } from '../../model/hostlist.ts';
import { countOfSlots } from '../../model/nodeInside.ts';
import { routingWords, topologyWords, type Machine } from '../../model/machine.ts';
import { writtenMetric } from '../../model/metricEntry.ts';
import { placementMetric, summaryMetrics } from '../../model/metrics.ts';
import type { Allocation, ReportedJob } from '../../model/placement.ts';
import { countOf, formatBytes, formatNumber, formatSeconds, formatShare } from '../../model/quantities.ts';
import type { HotLink, PlacementReport } from '../../model/report.ts';
import { evaluationsPerSecond, type SearchRecord } from '../../model/searchRecord.ts';
import { arrowText, searchEndTexts } from '../../model/words.ts';
import { cableWords, channelName, hasHostNames, hostName } from '../../network/names.ts';
import { improvementWords, gapWords, untriedWords } from '../../study/explain/words.ts';
import { align } from './terminal.ts';

/** Hosts of a job that are listed, and letters of their list. */
const shownHosts = 80;

type Row = readonly [string, string];

/** A machine that gives its links a bandwidth or a latency wants to know what they take. */
const timesOfLinks = (['linkTime', 'weightedLatency', 'memoryTime'] as const).map(placementMetric);

/** Hot links that are named; the rest are counted. */
const shownHotLinks = 5;
/** Of those, the ones whose heaviest flow and best suggested improvement are named. */
const explainedHotLinks = 3;

/** What is printed of one placement, without its report. */
export interface PlacementText {
  readonly block: string;
  /** Its row of the table. */
  readonly row: readonly string[];
}

export const placementText = (report: PlacementReport): PlacementText => ({
  block: placementLines(report).join('\n'),
  row: comparedRow(report),
});

export function summarize(placements: readonly PlacementText[]): string {
  const blocks = placements.map(({ block }) => block);
  if (placements.length > 1) blocks.push(placementTable(placements).join('\n'));
  return blocks.length === 0 ? '' : `${blocks.join('\n\n')}\n`;
}

function placementLines(report: PlacementReport): string[] {
  const { machine, jobs } = report;
  const rows: Row[] = [
    [
      'Machine',
      `${machine.name} (${topologyWords(machine.topology)}, ${countOf(machine.nodeCount, 'node')}, ${countOfSlots(machine.slotCount, machine.inside.slots)})`,
    ],
    ['Routing', routingWords(machine.routing.kind)],
    ...jobs.map(({ job, allocation }): Row => [
      'Job',
      `${job.name} (${countOf(job.taskCount, 'task')}, ${countOf(allocation.length, 'node')} allocated${allocatedHosts(machine, allocation)})`,
    ]),
    ...choiceRows(report),
    ['Seed', String(report.seed)],
    ...pictureFigures(report, { more: timesOfLinks }).figures,
    ...searchRows(report),
    ...hotLinkRows(report),
    ...report.notes.map((note): Row => ['Note', note]),
  ];
  return [`Placement ${report.name}`, ...align(rows, ['left', 'left']).map((line) => `  ${line}`)];
}

/** `: nid[01000-01015]` where the machine was read from a file that names its hosts. */
function allocatedHosts(machine: Machine, allocation: Allocation): string {
  if (!hasHostNames(machine)) return '';
  const hosts = hostlistOf(Array.from(allocation.subarray(0, shownHosts), (node) => hostName(machine, node)));
  return `: ${hosts.slice(0, shownHosts)}${allocation.length > shownHosts || hosts.length > shownHosts ? ' …' : ''}`;
}

/** What allocated and mapped; once where it is the same for all jobs. */
function choiceRows({ jobs }: PlacementReport): Row[] {
  const rows = (label: string, texts: readonly Row[]): Row[] =>
    texts.every(([, text]) => text === texts[0]?.[1])
      ? texts.slice(0, 1).map(([, text]) => [label, text])
      : texts.map(([name, text]) => [`${label} ${name}`, text]);
  const mapperOf = ({ mapper, search }: ReportedJob): string =>
    search?.chosen === undefined ? mapper : `${mapper}, selected ${search.chosen.name}`;
  return [
    ...rows(
      'Allocator',
      jobs.map(({ job, allocator }) => [job.name, allocator]),
    ),
    ...rows(
      'Mapper',
      jobs.map((placed) => [placed.job.name, mapperOf(placed)]),
    ),
  ];
}

function hotLinkRows(report: PlacementReport): Row[] {
  const shown = report.hotLinks
    .slice(0, shownHotLinks)
    .flatMap((hot, index) => [hotLinkRow(report, hot), ...(index < explainedHotLinks ? causeRows(report, hot) : [])]);
  const rest = report.hotLinks.length - shownHotLinks;
  return rest > 0 ? [...shown, ['', `and ${rest} more`]] : shown;
}

function hotLinkRow({ machine }: PlacementReport, { link, load, timesMean, busyShare }: HotLink): Row {
  const ends = `${channelName(machine, link)}${cableWords(machine, link)}`;
  // Bytes do not compare where links are not all as fast.
  const busy = busyShare === undefined ? '' : `${formatShare(busyShare)} of the congestion time, `;
  return ['Hot link', `${ends}: ${formatBytes(load)}, ${busy}${formatNumber(timesMean)} × mean`];
}

/** The heaviest flow over a hot link, and what would relieve it most. */
function causeRows(report: PlacementReport, hot: HotLink): Row[] {
  const [flow] = hot.flows;
  const [improvement] = hot.improvements;
  const rows: Row[] = [];
  if (flow !== undefined) {
    const name = report.jobs.length === 1 ? 'task' : report.jobs[flow.job]!.job.name;
    const pairs = hot.flowCount === 1 ? '' : `, largest of ${formatNumber(hot.flowCount ?? 0)} pairs`;
    rows.push([
      '',
      `  ${formatShare(flow.bytes / hot.load)} of it from ${name} ${arrowText(flow.from, flow.to)}${pairs}`,
    ]);
  }
  if (improvement !== undefined) rows.push(['', `  improvements: ${improvementWords(report, hot.load, improvement)}`]);
  return rows;
}

const comparedRow = ({ name, metrics, hotLinks }: PlacementReport): readonly string[] => [
  name,
  ...summaryMetrics.map((metric) => writtenMetric(metric, metrics) ?? ''),
  formatNumber(hotLinks.length),
];

function placementTable(placements: readonly PlacementText[]): string[] {
  const rows = placements.map(({ row }) => row);
  const labels = summaryMetrics.map(({ key, label = key, summary }) => summary.header ?? label);
  const header = ['Placement', ...labels, 'Hot links'];
  return align([header, ...rows], ['left', ...header.slice(1).map(() => 'right' as const)]);
}

/** Mappers that are named with what they came to. */
const shownTried = 5;

/** Rows for each job whose mapper searched; the job is named where there are several. */
export const searchRows = ({ jobs }: Pick<PlacementReport, 'jobs'>): Row[] =>
  jobs.flatMap(({ job, search }) =>
    search === undefined ? [] : searchRecordRows(jobs.length > 1 ? `Search ${job.name}` : 'Search', search),
  );

function searchRecordRows(label: string, search: SearchRecord): Row[] {
  const { chosen, tried = [] } = search;
  const rows: Row[] = [[label, costText(search)]];
  if (chosen !== undefined) rows.push(['', `  chose ${chosen.name}: ${chosen.why}`]);
  if (tried.length > 0) rows.push(['', `  tried ${triedText(tried)}`]);
  const left = untriedWords(search);
  if (left !== undefined) rows.push(['', `  ${left}`]);
  rows.push(['', `  ${effortText(search)}`]);
  return rows;
}

/** `hop-bytes 3 MiB, optimality gap ≤ 20 % (2.5 MiB, edge bound)`. */
function costText(search: SearchRecord): string {
  const { criterion, value, bound } = search;
  const gap = gapWords(search);
  const left = gap === undefined || bound === undefined ? '' : `, ${gap}${boundSuffix(bound)}`;
  return `${criterion} ${formatBytes(value)}${left}`;
}

const boundSuffix = ({ value, name }: NonNullable<SearchRecord['bound']>): string =>
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
  return `${count}; ${searchEndTexts[end]}`;
}
