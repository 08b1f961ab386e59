/**
 * The tree of a `.place` file. The parser always returns one, however broken the text: a part
 * that could not be read is simply absent, and the syntax errors say so. Every part knows its
 * place as offsets into the text, `[start, end)`, so features need no tokens.
 */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A word as written: a name, a keyword or a property. */
export interface Word extends Span {
  readonly text: string;
}

export interface NumberValue extends Span {
  readonly kind: 'number';
  readonly value: number;
  readonly text: string;
}

/** A number with a unit as written: `64 KiB`, `1 GB/s`, `100/s`, `20%`. Units are checked later. */
export interface QuantityValue extends Span {
  readonly kind: 'quantity';
  readonly number: NumberValue;
  readonly unit: Word;
}

/** `16 x 12 x 24`; sides as numbers, so that a bad side has its own range. */
interface ShapeValue extends Span {
  readonly kind: 'shape';
  readonly sides: readonly NumberValue[];
}

export interface StringValue extends Span {
  readonly kind: 'string';
  /** Without quotes. */
  readonly text: string;
}

export interface NameValue extends Word {
  readonly kind: 'name';
}

/** `0..63` of a list, or a number alone. */
export interface ListRange {
  readonly kind: 'range';
  readonly from: NumberValue;
  readonly to?: NumberValue;
  /** Of a share: `40 %`. */
  readonly unit?: Word;
  /** Of a value with its share: `2: 40 %`. */
  readonly share?: NumberValue | QuantityValue;
}

/** `[0..63, 70, "n[080-095]"]`: each item a number, a range or names. */
export interface ListValue extends Span {
  readonly kind: 'list';
  readonly items: readonly (ListRange | StringValue)[];
}

export type Value = NumberValue | QuantityValue | ShapeValue | StringValue | NameValue | ListValue;

/** One option in parentheses: `block 2 x 2 x 4`, `order z, y, x` (further bare names continue the list). */
export interface OptionNode extends Span {
  readonly name: Word;
  readonly values: readonly Value[];
}

/** A catalogue word with what follows it: `torus 4 x 4`, `random(count 512)`, `given [0..3]`, `from "F" as X`. */
export interface ChoiceNode extends Span {
  readonly name: Word;
  readonly argument?: Value;
  /** The format word of `from "FILE" as FORMAT`. */
  readonly as?: Word;
  /** Span of the parentheses, where there are some. */
  readonly parentheses?: Span;
  readonly options: readonly OptionNode[];
  /** Values before the options, whose names are left out: `uniform(1, 16)`. */
  readonly positional?: readonly Value[];
}

/** A job or machine that a placement names. A job may have an allocation and a mapper of its own, in parentheses. */
export interface NamedNode extends Word {
  readonly parentheses?: Span;
  /** Those that rows of the schema allow a job. */
  readonly own?: readonly PropertyNode[];
}

/** A sign between the words and numbers of a phrase: `..`, `>=`, `.`, `%`, `(`. */
interface SignValue extends Span {
  readonly kind: 'sign';
  readonly text: string;
}

/** Words, numbers and signs in order, as they stand: `until 5 % at 95 % (at most 2000)`, `processors > 0`. */
export type PhrasePart = NameValue | NumberValue | SignValue;

/** `turnaround rbs / gabl : 1.01` of quoted numbers. */
export interface QuotedNode extends Span {
  readonly parts: readonly PhrasePart[];
}

/** One property of a declaration, by what stands after its word. */
export interface PropertyNode extends Span {
  readonly word: Word;
  readonly content: PropertyContent;
}

export type PropertyContent =
  /** `topology`, `routing`, `stencil`, `pattern`, `table`, `allocate`, `map`. */
  | { readonly kind: 'choice'; readonly choice: ChoiceNode }
  /** `schedule fcfs, easy(order shortest)`, `service from-network + exponential(mean 5)`. */
  | { readonly kind: 'choices'; readonly choices: readonly ChoiceNode[] }
  /** `where`, `scale`, `jobs` of a stream, `vary`, `replications`, …: what reads them knows their order. */
  | { readonly kind: 'phrase'; readonly parts: readonly PhrasePart[] }
  /** `quoted { … }`. */
  | { readonly kind: 'quoted'; readonly entries: readonly QuotedNode[]; readonly body?: Span }
  /** `hosts`, `bytes`, `grid`, `seed`, `trace`, `unit`, …; absent after a syntax error. */
  | {
      readonly kind: 'value';
      readonly value?: Value;
      /** Of several with commas, those behind the first. */ readonly further?: readonly Value[];
      /** `(hosts 16 GB/s, local 5.25 GB/s)`: of groups of links. */ readonly groups?: readonly OptionNode[];
      readonly parentheses?: Span;
    }
  /** `job a` / `jobs a, b(map rcb)` / `machine m`. */
  | { readonly kind: 'names'; readonly names: readonly NamedNode[] }
  /** `periodic`. */
  | { readonly kind: 'flag' }
  /** `link 0 -- 2, 4, 9`. */
  | {
      readonly kind: 'link';
      readonly from?: NumberValue;
      readonly to: readonly NumberValue[];
      /** `bandwidth 5 GB/s latency 1 us` on the same line. */ readonly figures?: readonly OptionNode[];
    }
  /** `offset (1, 0, 0) weight 0.5`. */
  | { readonly kind: 'offset'; readonly components: readonly NumberValue[]; readonly weight?: NumberValue };

/** `0 -> 1 : 40` in a table. */
export interface TableEntryNode extends Span {
  readonly from: NumberValue;
  readonly to: NumberValue;
  readonly amount: NumberValue;
}

export type DeclarationKind =
  'machine' | 'job' | 'stencil' | 'table' | 'placement' | 'stream' | 'network' | 'experiment';

export interface DeclarationNode extends Span {
  readonly kind: DeclarationKind;
  readonly keyword: Word;
  /** Absent after a syntax error. */
  readonly name?: Word;
  /** Markdown of the `///` lines above. */
  readonly documentation?: string;
  readonly properties: readonly PropertyNode[];
  /** Of tables only. */
  readonly entries: readonly TableEntryNode[];
  /** `table NAME from "FILE"`. */
  readonly from?: StringValue;
  /** The format word of `table NAME from "FILE" as FORMAT`. */
  readonly as?: Word;
  /** From `{` to `}`; absent for `table … from` without one. */
  readonly body?: Span;
}

export interface ImportNode extends Span {
  readonly path?: StringValue;
}

export interface SyntaxTree {
  readonly imports: readonly ImportNode[];
  readonly declarations: readonly DeclarationNode[];
  readonly length: number;
}

/** An edit of one file: what replaces a span, and what the user is told of it. */
export interface Fix extends Span {
  readonly title: string;
  readonly text: string;
}

/** A problem in one file, by offsets; `service/diagnostics.ts` turns it into an editor's diagnostic. */
export interface Problem extends Span {
  readonly severity: 'error' | 'warning' | 'information';
  readonly code: string;
  readonly message: string;
  /** An edit of this file that mends it, offered as a quick fix. */
  readonly fix?: Fix;
  /** Other edits that would mend it, where more than one thing may be meant: offered, but never applied unasked. */
  readonly otherFixes?: readonly Fix[];
  /** Other places that have to do with it. */
  readonly related?: readonly { readonly uri: string; readonly span: Span; readonly message: string }[];
}
