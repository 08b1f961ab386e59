/** Where the reference describes a word of a text or the code of a message: a page of `docs/reference` and an anchor in it. */
import type { CatalogueEntry } from '../../model/catalogue.ts';
import { distributions } from '../../scheduling/distributions.ts';
import type { ChoiceSource } from '../propertyForms.ts';
import { propertyOf, sourcesOfNames } from '../schema.ts';
import type { DeclarationKind } from '../tree.ts';
import { type PositionInput, touches, treeOf } from './input.ts';
import { markAt, type Mark } from './marks.ts';

export interface ReferenceTarget {
  /** Name of the file without `.md`. */
  readonly page: string;
  /** Absent: the page as a whole. */
  readonly anchor?: string;
}

/** The command of our extension that opens a target. */
const openReferenceCommand = 'placewright.openReference';

/** The page that has the properties of each declaration. */
const declarationPages: Readonly<Record<DeclarationKind, string>> = {
  machine: 'machine',
  job: 'job',
  stencil: 'job',
  table: 'job',
  placement: 'placement',
  stream: 'stream',
  network: 'network',
  experiment: 'experiment',
};

/** The page that lists the entries of each source, and what their anchors begin with. Others are described with their property. */
const cataloguePages: Readonly<Partial<Record<ChoiceSource, readonly [page: string, prefix: string]>>> = {
  topologies: ['topologies', 'topology'],
  routings: ['topologies', 'routing'],
  stencils: ['job', 'stencil'],
  patterns: ['job', 'pattern'],
  allocators: ['mappers', 'allocator'],
  mappers: ['mappers', 'mapper'],
  'rail-uses': ['placement', 'rails'],
  distributions: ['schedulers', 'distribution'],
  'job-sizes': ['schedulers', 'size'],
  services: ['schedulers', 'service'],
  estimates: ['schedulers', 'estimates'],
  'steady-states': ['experiment', 'steady-state'],
  traffic: ['schedulers', 'traffic'],
  'open-traffic': ['experiment', 'traffic'],
  schedulers: ['schedulers', 'scheduler'],
  switchings: ['network', 'switching'],
  networks: ['network', 'switching'],
  metrics: ['metrics', 'metric'],
  comparisons: ['experiment', 'compare'],
  backgrounds: ['experiment', 'background'],
  replays: ['experiment', 'replay'],
  skeletons: ['traffic', 'skeleton'],
  collectives: ['traffic', 'collective'],
  trainings: ['training', 'training'],
};

/** A property; undefined where a declaration of the kind has none of this word. */
export const referenceOfProperty = (kind: DeclarationKind, word: string): ReferenceTarget | undefined =>
  propertyOf(kind, word) && { page: declarationPages[kind], anchor: anchorId(kind, word) };

/** An entry that may follow a property, such as a topology. */
export function referenceOfEntry(kind: DeclarationKind, word: string, name: string): ReferenceTarget | undefined {
  const content = propertyOf(kind, word)?.content;
  if (content?.form !== 'choice' && content?.form !== 'choices') return undefined;
  const has = (entries: readonly CatalogueEntry[]): boolean => entries.some((entry) => entry.name === name);
  if (!has(sourcesOfNames[content.source].entries)) return undefined;
  // Services and sizes that are distributions are listed with these.
  const isDistribution = ['services', 'job-sizes'].includes(content.source) && has(distributions);
  const place = cataloguePages[isDistribution ? 'distributions' : content.source];
  if (place === undefined) return referenceOfProperty(kind, word);
  return { page: place[0], anchor: anchorId(place[1], name) };
}

/** As anchors are made in `test/docs/catalogueTables.ts`: letters, digits and single hyphens. */
const anchorId = (...parts: readonly string[]): string => parts.join('-').replaceAll(/[^\p{L}\p{N}]+/gu, '-');

/** The word at the offset; undefined where the reference has no entry. */
export function referenceAt(input: PositionInput): ReferenceTarget | undefined {
  const tree = treeOf(input);
  const mark = markAt(tree, input.offset);
  const kind = tree.declarations.find((declaration) => touches(declaration, input.offset))?.kind;
  return mark && kind && referenceOfMark(mark, kind);
}

function referenceOfMark(mark: Mark, kind: DeclarationKind): ReferenceTarget | undefined {
  switch (mark.kind) {
    case 'keyword':
      return { page: declarationPages[kind] };
    case 'property':
      return referenceOfProperty(kind, mark.property.word.text);
    case 'catalogue':
    case 'option':
    case 'amount':
      return referenceOfEntry(kind, mark.property, mark.choice.name.text);
    case 'word':
    case 'quantity':
      return mark.of && referenceOfEntry(kind, mark.of.property, mark.of.choice.name.text);
    default:
      return undefined;
  }
}

/** A link that opens the target in VS Code. Editors without our extension cannot follow it. */
export function referenceLink({ page, anchor }: ReferenceTarget): string {
  const given = anchor === undefined ? [page] : [page, anchor];
  return `command:${openReferenceCommand}?${encodeURIComponent(JSON.stringify(given))}`;
}
