import { spanOfSubject } from '../../language/subject.ts';
import type { DeclarationNode, Span } from '../../language/tree.ts';
import type { OriginParameters } from '../../protocol/messages.ts';
import type { HotLinkOutline, StudySummary } from '../../study/report.ts';
import type { Analysis } from './analyses.ts';

/** Where in which file. */
export interface Origin {
  readonly uri: string;
  readonly span: Span;
}

/**
 * The text that caused a thing of the picture. A node: the property that put tasks there
 * (`map`), or the one that chose nodes. A hot link: what says that its heaviest flow sends,
 * down to the entry of an inline table. Any other link, and the placement itself: its name.
 */
export function originOf(
  analysis: Analysis,
  summary: StudySummary | undefined,
  placement: string,
  target: OriginParameters['target'],
): Origin | undefined {
  const name = spanOfSubject(analysis.checked, { kind: 'placement', name: placement });
  if (target.kind === 'placement') return name;
  if (target.kind === 'node') {
    return spanOfProperty(analysis, placement, 'map') ?? spanOfProperty(analysis, placement, 'allocate') ?? name;
  }
  const outline = summary?.placements.find((candidate) => candidate.name === placement);
  const hot = outline?.hotLinks.find((link) => joins(link, target.from, target.to));
  return (hot === undefined ? undefined : originOfFlow(analysis, hot)) ?? name;
}

/** A cable was clicked: either direction of it may be the hot one. */
function joins(link: HotLinkOutline, from: number, to: number): boolean {
  return (link.from === from && link.to === to) || (link.from === to && link.to === from);
}

function originOfFlow(analysis: Analysis, link: HotLinkOutline): Origin | undefined {
  const [flow] = link.flows;
  if (flow === undefined) return undefined;
  return spanOfTableEntry(analysis, flow.job, flow.from, flow.to) ?? spanOfTrafficSource(analysis, flow.job);
}

function spanOfTrafficSource(analysis: Analysis, job: string): Origin | undefined {
  for (const property of ['stencil', 'pattern', 'table']) {
    const found = spanOfProperty(analysis, job, property, 'job');
    if (found !== undefined) return found;
  }
  return spanOfSubject(analysis.checked, { kind: 'job', name: job });
}

function spanOfTableEntry(analysis: Analysis, job: string, from: number, to: number): Origin | undefined {
  const source = analysis.checked.program.jobs.get(job)?.source;
  if (source?.kind !== 'table') return undefined;
  const found = declarationOf(analysis, 'table', source.name);
  const entry = found?.node.entries.find((candidate) => candidate.from.value === from && candidate.to.value === to);
  return found === undefined || entry === undefined ? undefined : { uri: found.uri, span: entry };
}

function spanOfProperty(
  analysis: Analysis,
  name: string,
  property: string,
  kind: 'placement' | 'job' = 'placement',
): Origin | undefined {
  const found = declarationOf(analysis, kind, name);
  const node = found?.node.properties.find((candidate) => candidate.word.text === property);
  return found === undefined || node === undefined ? undefined : { uri: found.uri, span: node };
}

function declarationOf(
  analysis: Analysis,
  kind: DeclarationNode['kind'],
  name: string,
): { readonly uri: string; readonly node: DeclarationNode } | undefined {
  // The document first: a name declared twice is an error, and the user looks here.
  const files = [...analysis.sources.files.values()];
  files.sort((one, other) => Number(other.uri === analysis.uri) - Number(one.uri === analysis.uri));
  for (const { uri, tree } of files) {
    const node = tree.declarations.find((candidate) => candidate.kind === kind && candidate.name?.text === name);
    if (node !== undefined) return { uri, node };
  }
  return undefined;
}
