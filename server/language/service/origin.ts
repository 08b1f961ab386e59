import type { Location } from 'vscode-languageserver-types';
import type { HotLinkOutline } from '../../study/report.ts';
import { spanOfSubject } from '../subject.ts';
import type { DeclarationNode, Span } from '../tree.ts';
import { type ServiceInput, locationOf } from './input.ts';

/** A thing of the picture of a placement: a node, a link between two ends of either direction, or all of it. */
export type OriginTarget =
  | { readonly kind: 'node'; readonly node: number }
  | { readonly kind: 'link'; readonly from: number; readonly to: number }
  | { readonly kind: 'placement' };

/**
 * The text that caused a thing of the picture. A node: the property that put tasks there (`map`), or the one that
 * chose nodes. A hot link: what says that its heaviest flow sends, down to the entry of an inline table. Any other
 * link, and the placement itself: its name. Undefined where no placement has the name.
 */
export function origin(input: ServiceInput, placement: string, target: OriginTarget): Location | undefined {
  const found =
    findOrigin(input, placement, target) ?? spanOfSubject(input.checked, { kind: 'placement', name: placement });
  return found && locationOf(input, found.uri, found.span);
}

/** Where in which file. */
interface Origin {
  readonly uri: string;
  readonly span: Span;
}

function findOrigin(input: ServiceInput, placement: string, target: OriginTarget): Origin | undefined {
  switch (target.kind) {
    case 'placement':
      return undefined;
    case 'node':
      return spanOfProperty(input, placement, 'map') ?? spanOfProperty(input, placement, 'allocate');
    case 'link': {
      const outline = input.summary?.placements.find((candidate) => candidate.name === placement);
      const hot = outline?.hotLinks.find((link) => joins(link, target.from, target.to));
      return hot && originOfFlow(input, hot);
    }
  }
}

/** A cable was clicked: either direction of it may be the hot one. */
function joins(link: HotLinkOutline, from: number, to: number): boolean {
  return (link.from === from && link.to === to) || (link.from === to && link.to === from);
}

function originOfFlow(input: ServiceInput, link: HotLinkOutline): Origin | undefined {
  const [flow] = link.flows;
  if (flow === undefined) return undefined;
  return spanOfTableEntry(input, flow.job, flow.from, flow.to) ?? spanOfTrafficSource(input, flow.job);
}

function spanOfTrafficSource(input: ServiceInput, job: string): Origin | undefined {
  for (const property of ['stencil', 'pattern', 'table']) {
    const found = spanOfProperty(input, job, property, 'job');
    if (found !== undefined) return found;
  }
  return spanOfSubject(input.checked, { kind: 'job', name: job });
}

function spanOfTableEntry(input: ServiceInput, job: string, from: number, to: number): Origin | undefined {
  const source = input.checked.program.jobs.get(job)?.source;
  if (source?.kind !== 'table') return undefined;
  const found = findDeclaration(input, 'table', source.name);
  const entry = found?.node.entries.find((candidate) => candidate.from.value === from && candidate.to.value === to);
  return found === undefined || entry === undefined ? undefined : { uri: found.uri, span: entry };
}

function spanOfProperty(
  input: ServiceInput,
  name: string,
  property: string,
  kind: 'placement' | 'job' = 'placement',
): Origin | undefined {
  const found = findDeclaration(input, kind, name);
  const node = found?.node.properties.find((candidate) => candidate.word.text === property);
  return found === undefined || node === undefined ? undefined : { uri: found.uri, span: node };
}

function findDeclaration(
  input: ServiceInput,
  kind: DeclarationNode['kind'],
  name: string,
): { readonly uri: string; readonly node: DeclarationNode } | undefined {
  // The document first: a name declared twice is an error, and the user looks here.
  const files = [...input.sources.files.values()];
  files.sort((one, other) => Number(other.uri === input.uri) - Number(one.uri === input.uri));
  for (const { uri, tree } of files) {
    const node = tree.declarations.find((candidate) => candidate.kind === kind && candidate.name?.text === name);
    if (node !== undefined) return { uri, node };
  }
  return undefined;
}
