import type { Delay } from '../../model/networkModel.ts';
import { amountLimit } from '../propertyForms.ts';
import { nearest, didYouMean, oneOf } from '../suggestions.ts';
import { replace, replaceByMeant } from '../codes.ts';
import { entryText } from '../lookahead.ts';
import type { NumberValue, PhrasePart, Span, Word } from '../tree.ts';
import { looksLikeUnit, sizeUnits, timeUnits } from '../units.ts';
import { numberWithin, integerWithin, type Bounds } from './numbers.ts';
import { quantityValue, type QuantityKind } from './quantities.ts';
import { takesMessage, type Expectation, type Scope } from './scope.ts';

/** A number or a quantity in its base unit, and where it stands. */
export interface Amount extends Span {
  readonly value: number;
  readonly text: string;
}

/**
 * Reads the words, numbers and signs of a phrase from the left. The first thing that does not fit is reported once, and
 * everything behind it is undefined: a check reads on without a look at what went wrong.
 */
export class PhraseReader {
  private at = 0;
  /** Something was reported. */
  failed = false;
  private readonly scope: Scope;
  private readonly expected: Expectation;
  /** Where to point at what is missing. */
  private readonly whole: Span;
  private readonly parts: readonly PhrasePart[];

  constructor(scope: Scope, expected: Expectation, whole: Span, parts: readonly PhrasePart[]) {
    this.scope = scope;
    this.expected = expected;
    this.whole = whole;
    this.parts = parts;
  }

  private get next(): PhrasePart | undefined {
    return this.failed ? undefined : this.parts[this.at];
  }

  /** Whether all of it is read. */
  get done(): boolean {
    return this.at >= this.parts.length;
  }

  /** Reports what stands here, or that something is missing; the message ends with `advice`. */
  fail(advice = takesMessage(this.expected)): void {
    if (!this.failed) this.scope.report(this.next ?? this.whole, this.done ? 'missing-value' : 'wrong-value', advice);
    this.failed = true;
  }

  /** Whether the word or sign comes next. */
  isNext(text: string): boolean {
    return this.next !== undefined && this.next.kind !== 'number' && this.next.text === text;
  }

  /** Takes the word or sign if it comes next. */
  accept(text: string): boolean {
    if (!this.isNext(text)) return false;
    this.at++;
    return true;
  }

  /** The word or sign must come next. */
  expect(text: string): boolean {
    if (this.accept(text)) return true;
    this.fail();
    return false;
  }

  /** One of a few words. */
  oneOf<Choice extends string>(choices: readonly Choice[], what: string): Choice | undefined {
    const { next } = this;
    if (next?.kind !== 'name') {
      this.fail();
      return undefined;
    }
    const found = choices.find((choice) => choice === next.text);
    if (found === undefined) {
      const meant = nearest(next.text, choices);
      const message = `\`${next.text}\` is no ${what}.${meant === undefined ? ` Use one of ${oneOf(choices, 24)}.` : didYouMean(meant)}`;
      this.scope.report(next, 'wrong-value', message, { fix: replaceByMeant(next, meant) });
      this.failed = true;
      return undefined;
    }
    this.at++;
    return found;
  }

  /** What stands between commas, as far as it can be read. */
  each<Item>(read: () => Item | undefined): Item[] {
    const found: Item[] = [];
    do {
      const item = read();
      if (item !== undefined) found.push(item);
    } while (this.accept(','));
    return found;
  }

  /** Any word. */
  word(): (Span & { readonly text: string }) | undefined {
    return this.take('name');
  }

  private take<Kind extends PhrasePart['kind']>(kind: Kind): Extract<PhrasePart, { readonly kind: Kind }> | undefined {
    const { next } = this;
    if (next?.kind === kind) {
      this.at++;
      return next as Extract<PhrasePart, { readonly kind: Kind }>;
    }
    this.fail();
    return undefined;
  }

  /** A word with all that stands in parentheses or brackets behind it: an entry of a list, as `entryText` writes it. */
  entry(): (Span & { readonly text: string }) | undefined {
    const first = this.word();
    if (first === undefined) return undefined;
    const parts = [first.text];
    let { end } = first;
    while (this.isNext('(') || this.isNext('[')) {
      let depth = 0;
      do {
        const { next } = this;
        if (next === undefined) {
          this.fail();
          return undefined;
        }
        if (this.isNext('(') || this.isNext('[')) depth++;
        if (this.isNext(')') || this.isNext(']')) depth--;
        parts.push(next.text);
        ({ end } = next);
        this.at++;
      } while (depth > 0);
    }
    return { text: entryText(parts), start: first.start, end };
  }

  /** A number as it stands, where one comes next. */
  plain(): NumberValue | undefined {
    return this.take('number');
  }

  /** Text in double quotes, where it comes next. */
  quoted(): (Span & { readonly text: string }) | undefined {
    const { next } = this;
    if (next?.kind !== 'sign' || !next.text.startsWith('"')) return undefined;
    this.at++;
    return { ...next, text: next.text.slice(1, -1) };
  }

  get isNumber(): boolean {
    return this.next?.kind === 'number';
  }

  /** Whether a number with a unit of bytes comes next. */
  get isSize(): boolean {
    const unit = this.parts[this.at + 1];
    return this.isNumber && unit?.kind === 'name' && Object.hasOwn(sizeUnits, unit.text);
  }

  get isWord(): boolean {
    return this.next?.kind === 'name';
  }

  number(bounds: Bounds): number | undefined {
    const node = this.plain();
    return node === undefined ? undefined : this.checked(numberWithin(this.scope, node, this.expected.name, bounds));
  }

  /** `10 GB/s`, where a quantity is meant in its base unit; else a number. */
  amount(kind: QuantityKind | undefined, bounds: Bounds): Amount | undefined {
    const node = this.plain();
    if (node === undefined) return undefined;
    const unit = kind === undefined ? undefined : this.unit();
    const written =
      unit === undefined ? node : ({ kind: 'quantity', number: node, unit, start: node.start, end: unit.end } as const);
    const value = this.checked(
      kind === undefined
        ? numberWithin(this.scope, node, this.expected.name, bounds)
        : quantityValue(this.scope, written, kind, this.expected),
    );
    const { start, end } = written;
    return value === undefined ? undefined : { value, text: this.scope.text.slice(start, end), start, end };
  }

  /** `GB/s`, `ns`: the unit of a number, where one stands behind it. */
  private unit(): Word | undefined {
    const { next: first } = this;
    if (first?.kind !== 'name' || !looksLikeUnit(first.text)) return undefined;
    this.at++;
    const slash = this.parts[this.at];
    const per = this.parts[this.at + 1];
    if (slash?.kind !== 'sign' || slash.text !== '/' || per?.kind !== 'name') return first;
    this.at += 2;
    return { text: `${first.text}/${per.text}`, start: first.start, end: per.end };
  }

  /** `[1, 2, 4]`, `[1 GB/s, 2 GB/s]`: at least one; undefined where one is wrong. */
  list(kind: QuantityKind | undefined, bounds: Bounds): readonly Amount[] | undefined {
    this.expect('[');
    const found = this.each(() => this.amount(kind, bounds));
    return this.expect(']') ? found : undefined;
  }

  /** `3 cycles`, `10 ns`. */
  cyclesOrTime(what: string): Delay | undefined {
    const amount = this.number({ minimum: 0, maximum: amountLimit });
    const unit = this.oneOf(['cycles', 'cycle', ...Object.keys(timeUnits)], what);
    if (amount === undefined || unit === undefined) return undefined;
    const seconds = timeUnits[unit];
    return seconds === undefined ? { unit: 'cycles', amount } : { unit: 'seconds', amount: amount * seconds };
  }

  integer(bounds: Bounds): number | undefined {
    const node = this.plain();
    return node === undefined ? undefined : this.checked(integerWithin(this.scope, node, this.expected.name, bounds));
  }

  /** `5 %` or `0.05`, as 0.05, between 0 and 1. */
  share(): number | undefined {
    const node = this.plain();
    if (node === undefined) return undefined;
    const percent = this.accept('%');
    const bounds = { minimum: 0, maximum: percent ? 100 : 1 };
    const value = this.checked(numberWithin(this.scope, node, `A share of ${this.expected.name}`, bounds));
    return value === undefined || !percent ? value : value / 100;
  }

  private checked<Value>(value: Value | undefined): Value | undefined {
    if (value === undefined) this.failed = true;
    return value;
  }

  /** `a`, `a.b`. */
  path(): (Span & { readonly text: string }) | undefined {
    const first = this.word();
    if (first === undefined) return undefined;
    let { text, end } = first;
    while (this.accept('.')) {
      const part = this.word();
      if (part === undefined) return undefined;
      text += `.${part.text}`;
      ({ end } = part);
    }
    return { text, start: first.start, end };
  }

  /** Nothing may be left; whether all was well. */
  finish(): boolean {
    const { next } = this;
    if (next !== undefined) {
      const last = this.parts.at(-1) ?? next;
      const span = { start: next.start, end: last.end };
      const message = `${this.expected.name} ends here: it takes ${this.expected.takes}. Remove this.`;
      this.scope.report(span, 'unexpected-text', message, { fix: replace(span, '') });
      this.failed = true;
    }
    return !this.failed;
  }
}
