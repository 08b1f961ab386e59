import type { HotLinkOutline, PlacementOutline } from '../../../study/report.ts';
import type { CheckedProgram } from '../../check.ts';
import type { Problem, Span } from '../../tree.ts';
import { causesWords, linkWords } from '../hotLinkWords.ts';
import { countOf, formatBytes, formatNumber } from '../numbers.ts';
import { causesOf, type RelatedPlace } from './hotLinkCauses.ts';

/** Warnings about links that carry far more than the others, at most this many per placement. */
const shownHotLinks = 5;
/** Task pairs that are named for each of them. */
const shownFlows = 2;

/**
 * One warning per hot link, heaviest first, with the text of the jobs that cause it and what would
 * relieve it; the last one says how many more there are. `place` is where the placement maps.
 */
export function hotLinkProblems(
  checked: CheckedProgram,
  outline: PlacementOutline,
  place: { readonly uri: string; readonly span: Span },
): Problem[] {
  const shown = outline.hotLinks.slice(0, shownHotLinks);
  const rest = outline.hotLinkCount - shown.length;
  return shown.map((link, index) => ({
    start: place.span.start,
    end: place.span.end,
    severity: 'warning',
    code: 'hot-link',
    message: messageOf(outline, link) + (index === shown.length - 1 ? remainder(rest) : ''),
    related: [...causesOf(checked, outline, link), ...reliefAt(place, link)],
  }));
}

function messageOf(outline: PlacementOutline, link: HotLinkOutline): string {
  const times = `${formatNumber(link.timesMean, 2)} times the mean of the used links`;
  const causes = causesWords(outline, link, shownFlows);
  const head = `Link ${linkWords(link)} carries ${formatBytes(link.load)}, ${times}`;
  return causes === '' ? `${head}.` : `${head}; ${causes}.`;
}

/** The best relief, at the mapping that it would change. */
function reliefAt({ uri, span }: { readonly uri: string; readonly span: Span }, link: HotLinkOutline): RelatedPlace[] {
  const [best] = link.reliefs;
  return best === undefined ? [] : [{ uri, span, message: `What would help: ${best}.` }];
}

const remainder = (count: number): string =>
  count <= 0 ? '' : ` ${countOf(count, 'more link')} of this placement ${count === 1 ? 'is' : 'are'} hot.`;
