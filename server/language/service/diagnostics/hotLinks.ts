import { changeWords, reliefText } from '../../../study/explain/reliefWords.ts';
import type { HotLinkOutline, PlacementOutline, ReliefOutline } from '../../../study/report.ts';
import type { CheckedProgram } from '../../check.ts';
import type { Problem, Span } from '../../tree.ts';
import { causesWords, linkWords } from '../placementWords.ts';
import { countOf, formatBytes, formatNumber } from '../../../model/quantities.ts';
import { causesOf } from './hotLinkCauses.ts';

/** Task pairs that are named for the heaviest link. */
const shownFlows = 2;
/** A change that takes this share off the heaviest link of a placement, and adds no hop-bytes, is worth a warning. */
const worthwhile = 0.05;

/**
 * What is said of a placement with hot links: one problem, at the place where it maps. Hot links alone are no fault (the
 * best of all mappings may have some), so it is an information; a warning only where one change of the mapping is known
 * to make the placement better, and then the change comes first.
 */
export function hotLinkProblem(
  checked: CheckedProgram,
  outline: PlacementOutline,
  place: { readonly uri: string; readonly span: Span },
): Problem | undefined {
  const [heaviest] = outline.hotLinks;
  if (heaviest === undefined) return undefined;
  const told = toldChange(outline);
  const what = `${messageOf(outline, heaviest)}${remainder(outline.hotLinkCount - 1)}`;
  const related =
    told === undefined || told.isBetter ? [] : [{ ...place, message: `What would help: ${reliefText(told.relief)}.` }];
  return {
    start: place.span.start,
    end: place.span.end,
    severity: told?.isBetter === true ? 'warning' : 'information',
    code: 'hot-link',
    message: told?.isBetter === true ? `${betterWords(told.relief)} ${what}` : what,
    related: [...causesOf(checked, outline, heaviest), ...related],
  };
}

/** The change of the mapping that the problem speaks of, and whether it is worth a warning. */
export function toldChange(
  outline: PlacementOutline,
): { readonly relief: ReliefOutline; readonly isBetter: boolean } | undefined {
  const better = bestChange(outline);
  const relief = better ?? outline.hotLinks[0]?.reliefs[0];
  return relief && { relief, isBetter: better !== undefined };
}

/** The change that lowers the heaviest link most of those worth a warning; of two that do the same, the fewer hop-bytes. */
function bestChange({ hotLinks }: PlacementOutline): ReliefOutline | undefined {
  return hotLinks
    .flatMap(({ reliefs }) => reliefs)
    .filter(({ heaviestChange, hopBytesChange }) => heaviestChange <= -worthwhile && hopBytesChange <= 0)
    .toSorted((a, b) => a.heaviestChange - b.heaviestChange || a.hopBytesChange - b.hopBytesChange)[0];
}

/** `Swap tasks 12 and 30 for a better placement: heaviest link −12 %, hop-bytes −2 %.` */
const betterWords = (relief: ReliefOutline): string => `${changeSentence(relief, 'for a better placement')}.`;

/** `Swap tasks 12 and 30 in the list: heaviest link −12 %, hop-bytes −2 %`; `where` stands behind the tasks. */
export const changeSentence = ({ action, heaviestChange, hopBytesChange }: ReliefOutline, where: string): string =>
  `${action.charAt(0).toUpperCase()}${action.slice(1)} ${where}: ` +
  `heaviest link ${changeWords(heaviestChange)}, hop-bytes ${changeWords(hopBytesChange)}`;

function messageOf(outline: PlacementOutline, link: HotLinkOutline): string {
  const times = `${formatNumber(link.timesMean)} times the mean of the used links`;
  const causes = causesWords(outline, link, shownFlows);
  const head = `The heaviest link, ${linkWords(link)}, carries ${formatBytes(link.load)}, ${times}`;
  return causes === '' ? `${head}.` : `${head}; ${causes}.`;
}

const remainder = (count: number): string =>
  count <= 0 ? '' : ` ${countOf(count, 'more link')} ${count === 1 ? 'is' : 'are'} hot.`;
