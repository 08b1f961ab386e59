import type { Topology } from '../model/machine.ts';
import { countOf, formatBytes, formatNumber, formatSeconds, formatShare, hopsOf } from '../model/quantities.ts';
import type { PlacementReport, QueueingMetrics } from '../model/report.ts';
import { formatShape } from '../model/shape.ts';
import { linkEnds } from '../network/linkEnds.ts';
import { endName, routerName } from '../network/names.ts';
import type { Scene } from './scene.ts';

/** The figures beside the picture, those that users compare first on top. */
export function figuresOf(report: PlacementReport): Scene['figures'] {
  const { metrics } = report;
  const figures: [string, string][] = [
    ['Average hops', formatNumber(metrics.averageHops)],
    ['Maximum hops', formatNumber(metrics.maximumHops)],
    ['Hop-bytes', formatBytes(metrics.hopBytes)],
    ['Weighted hops', formatNumber(metrics.weightedHops)],
    ['Maximum link load', formatBytes(metrics.maximumLinkLoad)],
    ['Mean link load', formatBytes(metrics.meanLinkLoad)],
    ['Hot links', formatNumber(report.hotLinks.length)],
    ['Between nodes', formatBytes(metrics.interNodeBytes)],
  ];
  const root = rootName(report);
  if (root !== undefined) figures.push(['Root of up/down', root]);
  if (metrics.mappingCoefficient !== undefined) {
    figures.push(['Mapping coefficient', formatBytes(metrics.mappingCoefficient)]);
  }
  if (metrics.congestionTime !== undefined) figures.push(['Congestion time', formatSeconds(metrics.congestionTime)]);
  if (metrics.queueing !== undefined) figures.push(...queueingFigures(metrics.queueing));
  return figures;
}

function queueingFigures({ waiting, memoryWaiting, highestUtilisation }: QueueingMetrics): [string, string][] {
  const wait = Number.isFinite(waiting)
    ? `${formatSeconds(waiting)} per message, ${formatSeconds(memoryWaiting)} of it for memories`
    : 'without end: messages come faster than they go';
  return [
    ['Waiting', wait],
    ['Busiest server', formatShare(highestUtilisation)],
  ];
}

/** The picture in two or three sentences, for a reader who cannot see it. */
export function describe(report: PlacementReport): string {
  return [machineSentence(report), jobsSentence(report), loadSentence(report)].join(' ');
}

function machineSentence({ name, machine }: PlacementReport): string {
  const { topology, routing } = machine;
  const shape = topology.shape === undefined ? '' : ` ${formatShape(topology.shape)}`;
  const switches = topology.hasHostLinks ? ` of ${switchCount(topology)}` : '';
  const root = rootName({ machine });
  return (
    `Placement ${name} on machine ${machine.name}: ${topology.kind}${shape}${switches}, ` +
    `${countOf(machine.nodeCount, 'node')}, ${routing.kind} routing${root === undefined ? '' : ` from root ${root}`}.`
  );
}

/** `12 switches in 3 tiers`, `36 switches in 9 groups`. */
function switchCount({ routerCount, tiers, groups }: Topology): string {
  const count = routerCount === 1 ? '1 switch' : `${formatNumber(routerCount)} switches`;
  if (tiers !== undefined) return `${count} in ${countOf(largest(tiers) + 1, 'tier')}`;
  return groups === undefined ? count : `${count} in ${countOf(largest(groups) + 1, 'group')}`;
}

const largest = (values: Int32Array): number => values.reduce((most, value) => Math.max(most, value), 0);

function rootName({ machine }: Pick<PlacementReport, 'machine'>): string | undefined {
  const root = machine.routing.hierarchy?.root;
  return root === undefined ? undefined : routerName(machine, root);
}

/** Jobs are named up to this many; a list of fifty helps nobody. */
const namedJobs = 4;

function jobsSentence({ jobs }: PlacementReport): string {
  if (jobs.length === 0) return 'It places no job.';
  const named = jobs
    .slice(0, namedJobs)
    .map(
      ({ job, allocation }) =>
        `${job.name} (${countOf(job.taskCount, 'task')}, ${countOf(allocation.length, 'node')} allocated)`,
    );
  if (jobs.length > namedJobs) named.push(`${jobs.length - namedJobs} more`);
  return `It places ${countOf(jobs.length, 'job')}: ${named.join(', ')}.`;
}

function loadSentence({ metrics, hotLinks, machine }: PlacementReport): string {
  if (metrics.maximumLinkLoad === 0) return 'No link carries any traffic.';
  const average = `Messages travel ${hopsOf(metrics.averageHops)} on average`;
  const [hottest] = hotLinks;
  if (hottest === undefined) {
    return `${average}; the heaviest link carries ${formatBytes(metrics.maximumLinkLoad)}, and no link is hot.`;
  }
  const { from, to } = linkEnds(machine, hottest.link);
  return (
    `${average}; the heaviest link, from ${endName(machine, from)} to ${endName(machine, to)}, carries ${formatBytes(hottest.load)}, ` +
    `${formatNumber(hottest.timesMean)} times the mean of the used links. ${countOf(hotLinks.length, 'link')} ` +
    `${hotLinks.length === 1 ? 'is' : 'are'} hot.`
  );
}
