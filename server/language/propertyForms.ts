/** The columns of `schema.ts`: what is said of a property and of what stands behind its word; limits of numbers. */
import type { ExperimentSubject } from '../model/experiment.ts';
import type { PhraseKind, Switching } from '../model/networkModel.ts';
import type { DeclarationKind } from './tree.ts';

/** Catalogues and declarations whose names a choice may take. */
export type ChoiceSource =
  | 'topologies'
  | 'routings'
  | 'stencils' // built in or declared
  | 'patterns'
  | 'tables' // declared
  | 'allocators'
  | 'mappers'
  | 'node-sources'
  | 'rail-uses'
  | 'distributions'
  | 'job-sizes' // distributions, or a field of a log
  | 'services' // distributions, the network, the log
  | 'estimates'
  | 'steady-states'
  | 'traffic'
  | 'open-traffic' // without jobs
  | 'schedulers'
  | 'switchings'
  | 'networks' // declared, or a switching with its figures
  | 'metrics'
  | 'comparisons'
  | 'backgrounds'
  | 'replays'
  | 'skeletons'
  | 'collectives'
  | 'trainings'
  | 'traces'; // a file, without a name before it

/** What stands after the word of a property. */
export type PropertyForm =
  | { readonly form: 'choice'; readonly source: ChoiceSource }
  /** Several, with commas or `+` between them. */
  | { readonly form: 'choices'; readonly source: ChoiceSource; readonly separator?: '+' }
  /** Words, numbers and signs in an order of its own; `words` are those that may stand in it. */
  | { readonly form: 'phrase'; readonly words: readonly string[]; readonly reads?: PhraseKind }
  | { readonly form: 'quoted' }
  | { readonly form: 'integer'; readonly minimum: number; readonly maximum: number }
  | { readonly form: 'number'; readonly minimum: number; readonly maximum: number }
  | { readonly form: 'shape'; readonly maximum: number }
  | { readonly form: 'size' | 'time' | 'rate' | 'frequency' | 'file' }
  /** Of links: one for all, several with commas by axis, and in parentheses by group. */
  | { readonly form: 'link-figure'; readonly unit: 'rate' | 'time' | 'count' }
  /** One of a few words: `unit packets`. */
  | { readonly form: 'word'; readonly choices: readonly string[] }
  | { readonly form: 'names'; readonly of: DeclarationKind; readonly several: boolean }
  | { readonly form: 'flag' | 'link' | 'offset' };

export interface PropertySpecification {
  readonly word: string;
  /** One line for completion, hovers and docs. */
  readonly summary: string;
  /** What the word takes, for messages: "a whole number". */
  readonly takes: string;
  /** As a user would write it: `hosts 4`. */
  readonly example: string;
  readonly content: PropertyForm;
  readonly required?: true;
  readonly repeatable?: true;
  /** Of a placement: a job may have it for itself, in parentheses behind its name. */
  readonly ofJob?: true;
  /** Properties without one of which this one is refused, or has no effect. */
  readonly onlyWith?: Companions;
  /** Properties beside one of which it must not stand, or has no effect. */
  readonly notWith?: Companions;
  /** Of a machine: what its topology must have for it, and what is said where it has not; `{topology}` is its name. */
  readonly ofTopologies?: { readonly have: 'takesHosts' | 'takesHostsOn' | 'takesCables'; readonly says: string };
  /** Of a network: the switchings with which it means something. */
  readonly goesWith?: readonly Switching[];
  /** Why an experiment with one of these subjects cannot have it. */
  readonly refusedOf?: Partial<Readonly<Record<ExperimentSubject['kind'], string>>>;
}

/** Other properties, and what the checker says where they are wrongly there or not, if it says the same of all of them; `{word}` is the property itself. */
interface Companions {
  readonly words: readonly string[];
  readonly says?: string;
  readonly isWarning?: true;
}

export interface DeclarationSpecification {
  readonly kind: DeclarationKind;
  readonly summary: string;
  /** The least that a user has to write. */
  readonly example: string;
  readonly properties: readonly PropertySpecification[];
  /** Properties of which only one may stand there, and what is said of a second one; `{first}` is the one before it. */
  readonly oneOf?: readonly { readonly words: readonly string[]; readonly says?: string }[];
}

/** What may stand behind a quoted number and a comma: two with numbers of their own, and a mark. */
export const quotedAdditions = ['best', 'deviation', 'differs'] as const;

/** Amounts, sizes and weights above this cannot be added up exactly. */
export const amountLimit = 2 ** 53;

export const countLimit = 2 ** 31 - 1;

/** Dimensions that a grid, stencil or network may have. */
export const dimensionLimit = 16;
