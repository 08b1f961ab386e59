import type { Shape } from './shape.ts';

/**
 * The one shape of every catalogue: mappers, allocators, topologies, routings, patterns,
 * stencils, distance models and formats. The checker, completion, hovers, the command line,
 * the documentation and the contract tests read these entries; nothing else lists them.
 */
export interface CatalogueEntry {
  /** The word that users write. */
  readonly name: string;
  /** One line, no final stop needed: shown in completion, `placewright list` and docs. */
  readonly summary: string;
  /** Where it comes from: paper and section or equation, or "Placewright". */
  readonly source: string;
  /** Deviations, numbering of nodes, complexity: Markdown for the hover and the docs. */
  readonly details?: string;
  /** What may follow the name before the parentheses: `torus 4 x 4`, `nodes [0..3]`. */
  readonly argument?: ArgumentSpecification;
  /** What may stand in the parentheses: `random(count 512)`. */
  readonly options: readonly OptionSpecification[];
  /** What completion writes, in the syntax of snippets: `fat-tree(k ${1:4}, n ${2:3})`; absent: the name alone. */
  readonly skeleton?: string;
}

export type ArgumentKind =
  | 'shape' // 16 x 12 x 24; a lone integer is a shape of one dimension
  | 'integer' // 10
  | 'node-list-or-file' // [0..63, "n[070-079]"] or "hosts.txt"
  | 'integer-list-or-file' // [0..63] or "mapping.txt"
  | 'integer-list' // [0..7, 12]
  | 'numbers' // [0, 2.5, 10]
  | 'weights' // [2: 40 %, 4: 60 %]
  | 'placement' // the name of a placement
  | 'file'; // "fabric.ibnetdiscover"

/** What files describe that have several formats: `server/interchange/catalogue.ts` lists those of each. */
export type FileContent = 'network' | 'routing' | 'node' | 'mapping' | 'table' | 'trace';

export interface ArgumentSpecification {
  readonly kind: ArgumentKind;
  /** What it is, for messages: "the sides of the torus". */
  readonly summary: string;
  readonly required: boolean;
  /** Of a file: what it describes, if a format may be named after it, `from "FILE" as FORMAT`. */
  readonly describes?: FileContent;
  /** Of integers and of the sides of shapes. */
  readonly minimum?: number;
  readonly maximum?: number;
}

/** `default` absent means: decided by the algorithm, as `summary` says. */
export type OptionSpecification = {
  readonly name: string;
  readonly summary: string;
  readonly required?: boolean;
  /**
   * May be written without its name: `uniform(1, 16)`. Values without names are those of such options, in their order.
   */
  readonly positional?: true;
} & (
  | { readonly kind: 'integer'; readonly minimum: number; readonly maximum: number; readonly default?: number }
  | { readonly kind: 'number'; readonly minimum: number; readonly maximum: number; readonly default?: number }
  /** Written `20%` or `0.2`, kept as 0.2. */
  | { readonly kind: 'fraction'; readonly minimum: number; readonly maximum: number; readonly default?: number }
  /** Written `1 s`, kept in seconds. */
  | { readonly kind: 'time'; readonly minimum: number; readonly maximum: number; readonly default?: number }
  /** How long a search may take: `1 s`, or a number of steps, which gives the same answer however long it takes. */
  | { readonly kind: 'budget'; readonly seconds: Range; readonly steps: Range; readonly default?: Budget }
  | { readonly kind: 'shape'; readonly default?: Shape }
  | { readonly kind: 'choice'; readonly choices: readonly string[]; readonly default?: string }
  /** A permutation of axes, or some of them: `order z, y, x`, kept as axis indices [2, 1, 0]. */
  | { readonly kind: 'axes'; readonly some?: true; readonly default?: readonly number[] }
  /** A name of the program: `to rbs`. */
  | { readonly kind: 'name'; readonly default?: string }
  /** A list of numbers: `limits [2, 4, 8, 16]`. */
  | {
      readonly kind: 'numbers';
      readonly minimum: number;
      readonly maximum: number;
      readonly default?: readonly number[];
    }
  /** A list of routers by number or name: `roots [0..3, "spine-7"]`; names as hostlists. */
  | { readonly kind: 'routers'; readonly default?: RouterList }
  /** A switch or a host of a file by its name: `part "leaf-3"`. */
  | { readonly kind: 'device'; readonly default?: string }
  /** A list of shares that add up to 1: `shares [40 %, 0.6]`, kept as [0.4, 0.6]. */
  | { readonly kind: 'shares'; readonly default?: readonly number[] }
);

/** From … to, both included. */
export interface Range {
  readonly minimum: number;
  readonly maximum: number;
}

/** Steps are what a search calls a step: an exchange whose effect is worked out. */
export interface Budget {
  readonly kind: 'seconds' | 'steps';
  readonly amount: number;
}

export type OptionKind = OptionSpecification['kind'];
export type OptionValue = number | string | readonly number[] | RouterList | Budget;

/** Routers by number, and by names as hostlists. */
export interface RouterList {
  readonly kind: 'routers';
  readonly items: readonly (number | string)[];
}

/** Checked values by option name: defaults filled in, so a mapper never checks again. */
export type OptionValues = Readonly<Record<string, OptionValue>>;

/** A typed array where there are many: it crosses threads, and gets its fingerprint, in a hundredth of the time. */
export type NumberList = readonly number[] | Int32Array;

/** A checked argument: a shape or list is numbers, a placement or file is its name. */
export type ArgumentValue =
  | { readonly kind: 'numbers'; readonly numbers: NumberList }
  /** Values and how often each comes; the shares add up to 1. */
  | { readonly kind: 'weights'; readonly values: readonly number[]; readonly shares: readonly number[] }
  /** Node ids and hostlists of Slurm, in the order written. */
  | { readonly kind: 'nodes'; readonly items: readonly (number | string)[] }
  | { readonly kind: 'name'; readonly name: string }
  /** `format`: of a mapping, the word after `as`. */
  | { readonly kind: 'file'; readonly uri: string; readonly format?: string };

/** A catalogue word with its argument and options, checked: `map rcb`, `allocate random(count 512)`. */
export interface Choice {
  readonly name: string;
  readonly argument?: ArgumentValue;
  /** The word of `from "FILE" as FORMAT`. */
  readonly format?: string;
  readonly options: OptionValues;
}

export function findEntry<Entry extends CatalogueEntry>(catalogue: readonly Entry[], name: string): Entry | undefined {
  return catalogue.find((entry) => entry.name === name);
}

/** Whether it can be used without an argument and options. */
export const needsOnlyItsName = ({ argument, options }: CatalogueEntry): boolean =>
  argument?.required !== true && options.every(({ required }) => required !== true);

/** Defaults of an entry's options, for callers that build a {@link Choice} by hand. */
export function defaultOptions(entry: CatalogueEntry): OptionValues {
  const values: Record<string, OptionValue> = {};
  for (const option of entry.options) {
    if (option.default !== undefined) values[option.name] = option.default;
  }
  return values;
}

/** As a user may write it. */
export function writtenArgument(argument: ArgumentValue): string {
  switch (argument.kind) {
    case 'numbers':
      return writtenList(argument.numbers);
    case 'weights':
      return `[${argument.values.map((value, index) => `${value}: ${argument.shares[index] ?? 0}`).join(', ')}]`;
    case 'nodes':
      return writtenList(argument.items);
    case 'name':
      return argument.name;
    case 'file':
      return `"${argument.uri.replace(/^.*\//, '')}"${argument.format === undefined ? '' : ` as ${argument.format}`}`;
  }
}

/** `[0..63, 70, "n07"]`. */
function writtenList(items: readonly (number | string)[] | Int32Array): string {
  const parts: string[] = [];
  for (let start = 0; start < items.length;) {
    const first = items[start] ?? 0;
    let end = start + 1;
    while (typeof first === 'number' && items[end] === first + (end - start)) end++;
    const isRange = end - start > 2;
    parts.push(
      typeof first === 'string' ? `"${first}"` : isRange ? `${first}..${first + (end - start) - 1}` : `${first}`,
    );
    start = isRange ? end : start + 1;
  }
  return `[${parts.join(', ')}]`;
}
