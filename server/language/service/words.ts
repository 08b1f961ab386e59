import { placementMetric } from '../../model/metrics.ts';
import { countOfSlots } from '../../model/nodeInside.ts';
import { gapWords } from '../../study/explain/words.ts';
import { metricLine } from '../../study/metrics/catalogue.ts';
import type { HotLinkOutline, MachineFacts, PlacementOutline, PlacementProgress } from '../../study/report.ts';
import { countOf, formatBytes, formatShare, formatNumber } from '../../model/quantities.ts';
import { arrowText, progressText } from '../../model/words.ts';

/** What a placement costs, in one line, and how much of its hop-bytes is left. */
export const figureWords = ({ jobs, metrics }: PlacementOutline): string =>
  metricLine(metrics, (metric) => (metric === placementMetric('hopBytes') ? gapOfJobs(jobs) : undefined));

/** How much is left, where the search of every job has a bound in hop-bytes: bounds add up as costs do. */
function gapOfJobs(jobs: PlacementOutline['jobs']): string | undefined {
  const searches = jobs.flatMap(({ search }) => (search?.criterion === 'hop-bytes' ? [search] : []));
  const bounds = searches.flatMap(({ bound }) => bound ?? []);
  const [first] = bounds;
  if (first === undefined || bounds.length < jobs.length) return undefined;
  const value = searches.reduce((sum, search) => sum + search.value, 0);
  return gapWords({ value, bound: { ...first, value: bounds.reduce((sum, bound) => sum + bound.value, 0) } });
}

/**
 * The heaviest pairs over a hot link, at most `shown`, and how many there are:
 * `62 % of it from task 5 → 6 (64 KiB), 12 % from task 1 → 6 (32 KiB), of 14 pairs`.
 * Empty where nothing is known of them.
 */
export function causesWords({ jobs }: PlacementOutline, { flows, flowCount }: HotLinkOutline, shown: number): string {
  if (flows.length === 0) return '';
  const named = flows.slice(0, shown).map(({ job, from, to, bytes, share }, index) => {
    // One job needs no name at each pair of its tasks.
    const sender = jobs.length === 1 ? 'task' : job;
    return `${formatShare(share)}${index === 0 ? ' of it' : ''} from ${sender} ${arrowText(from, to)} (${formatBytes(bytes)})`;
  });
  const rest = flowCount > named.length ? `, of ${countOf(flowCount, 'pair')}` : '';
  return named.join(', ') + rest;
}

/**
 * How far a placement is, as one line for a lens, a status bar or a picture: `11.6 GiB hop-bytes, −34 %, 8 s left`.
 * The percentage is what the search has taken off its first answer.
 */
export function placementProgress({ share, message, search, secondsLeft }: PlacementProgress): string {
  const parts: string[] = [];
  if (search === undefined) parts.push(message);
  else {
    const { criterion, value, first } = search;
    parts.push(`${formatBytes(value)} ${criterion}`);
    if (first > 0 && value < first) parts.push(`−${formatNumber((100 * (first - value)) / first, 1)} %`);
  }
  if (secondsLeft === undefined && share > 0) parts.push(`${formatNumber(Math.floor(100 * share), 0)} %`);
  return progressText(parts, secondsLeft);
}

/** All cores of a machine, or its GPUs where tasks run on those. */
export const slotsText = ({ cores, details }: Pick<MachineFacts, 'cores' | 'details'>): string =>
  countOfSlots(cores, details?.inside.gpus === undefined ? 'cores' : 'gpus');
