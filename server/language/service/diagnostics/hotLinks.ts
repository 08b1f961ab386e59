import type { LinkEnd } from '../../../model/report.ts';
import type { HotLinkOutline, PlacementOutline } from '../../../study/report.ts';
import type { Problem, Span } from '../../tree.ts';
import { countOf, formatBytes, formatNumber } from '../numbers.ts';

/** Warnings about links that carry far more than the others, at most this many per placement. */
const shownHotLinks = 5;
/** Task pairs that are named for each of them. */
const shownFlows = 2;

/** One warning per hot link, heaviest first; the last one says how many more there are. */
export function hotLinkProblems(outline: PlacementOutline, span: Span): Problem[] {
  const shown = outline.hotLinks.slice(0, shownHotLinks);
  const rest = outline.hotLinkCount - shown.length;
  return shown.map((link, index) => ({
    start: span.start,
    end: span.end,
    severity: 'warning',
    code: 'hot-link',
    message: messageOf(outline, link) + (index === shown.length - 1 ? remainder(rest) : ''),
  }));
}

function messageOf(outline: PlacementOutline, link: HotLinkOutline): string {
  const times = `${formatNumber(link.timesMean, 2)} times the mean of the used links`;
  const head = `Link ${describeEnd(link.from)} → ${describeEnd(link.to)} carries ${formatBytes(link.load)}, ${times}`;
  return `${head}${causesOf(outline, link)}.`;
}

/** `; most from heat 5 → 6 (64 KiB), heat 1 → 9 (32 KiB)`. */
function causesOf({ jobs }: PlacementOutline, { flows }: HotLinkOutline): string {
  if (flows.length === 0) return '';
  const named = flows.slice(0, shownFlows).map(({ job, from, to, bytes }) => {
    // One job needs no name at each pair of its tasks.
    const prefix = jobs.length === 1 ? 'task' : job;
    return `${prefix} ${from} → ${to} (${formatBytes(bytes)})`;
  });
  return `; most from ${named.join(', ')}`;
}

const describeEnd = (end: LinkEnd): string => (typeof end === 'number' ? String(end) : `node ${end.host}`);

const remainder = (count: number): string =>
  count <= 0 ? '' : ` ${countOf(count, 'more link')} of this placement ${count === 1 ? 'is' : 'are'} hot.`;
