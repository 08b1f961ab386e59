import type { HotLinkOutline, PlacementOutline } from '../../../study/report.ts';
import type { CheckedProgram } from '../../check.ts';
import { spanOfSubject } from '../../subject.ts';
import type { Problem } from '../../tree.ts';
import { causesWords } from '../placementWords.ts';
import { formatShare } from '../../../model/quantities.ts';

export type RelatedPlace = NonNullable<Problem['related']>[number];

/** Jobs that are named for each hot link. */
const shownJobs = 3;
/** Task pairs that are named for each of them. */
const shownFlows = 3;

/**
 * The text behind a hot link: the jobs whose tasks send over it, those that send most first, and
 * what makes each of them send.
 */
export function causesOf(checked: CheckedProgram, outline: PlacementOutline, link: HotLinkOutline): RelatedPlace[] {
  const jobs = link.jobs.toSorted((one, other) => other.bytes - one.bytes).slice(0, shownJobs);
  return jobs.flatMap(({ job, share }) => {
    const place = spanOfSubject(checked, { kind: 'job', name: job });
    if (place === undefined) return [];
    const own = { ...link, flows: link.flows.filter((flow) => flow.job === job) };
    const pairs = causesWords(outline, { ...own, flowCount: 0 }, shownFlows);
    const message = `Job ${job} sends ${formatShare(share)} of it${pairs === '' ? '' : `: ${pairs}`}.`;
    return [{ ...place, message }, ...sourceOf(checked, job, own)];
  });
}

/** The entry of an inline table that the heaviest flow comes from, else the declared stencil or table, else the property. */
function sourceOf(checked: CheckedProgram, job: string, link: HotLinkOutline): RelatedPlace[] {
  const properties = checked.symbols.lookup('job', job)?.node.properties ?? [];
  for (const property of ['stencil', 'table', 'pattern']) {
    const content = properties.find(({ word }) => word.text === property)?.content;
    if (content?.kind !== 'choice') continue;
    const name = content.choice.name.text;
    const declared = property === 'pattern' ? undefined : checked.symbols.lookup(property as 'stencil' | 'table', name);
    const place = spanOfSubject(checked, { kind: 'job', name: job, property });
    if (declared === undefined) return place === undefined ? [] : [{ ...place, message: sourceWords(property, name) }];
    const { uri, node } = declared;
    const [flow] = link.flows;
    const entry = node.entries.find(({ from, to }) => from.value === flow?.from && to.value === flow.to);
    if (entry !== undefined) return [{ uri, span: entry, message: 'Its heaviest flow is given here.' }];
    return [{ uri, span: node.name ?? node.keyword, message: sourceWords(property, name) }];
  }
  return [];
}

const sourceWords = (property: string, name: string): string => `Its tasks send as ${property} ${name} says.`;
