import { tokenMatcher, type IToken } from 'chevrotain';
import { insert, replace } from './codes.ts';
import { Lookahead, spanOfToken } from './lookahead.ts';
import { nearest } from './suggestions.ts';
import {
  AnyToken,
  Comma,
  Cross,
  DotDot,
  endOf,
  LeftBracket,
  NumberToken,
  Percent,
  RightBracket,
  Slash,
  StringToken,
  UnclosedString,
  Word as WordToken,
} from './tokens.ts';
import type { ListRange, ListValue, NumberValue, StringValue, Value, Word } from './tree.ts';
import { looksLikeUnit } from './unitWords.ts';

export const numberOfToken = (token: IToken): NumberValue => ({
  kind: 'number',
  value: Number(token.image),
  text: token.image,
  ...spanOfToken(token),
});

/** Numbers with units, shapes, strings and lists. */
export abstract class ValueGrammar extends Lookahead {
  /** `64`, `64 KiB`, `100/s`, `20%`, `16 x 12`. */
  private readonly numeric = this.RULE('numeric', (): Value => {
    const first = this.CONSUME(NumberToken);
    const sides = [first];
    let crossed = false;
    let unit: Word | undefined;
    this.MANY(() => {
      const cross = this.CONSUME(Cross);
      crossed = true;
      let side: IToken | undefined;
      this.OPTION({ GATE: () => this.onSameLine(), DEF: () => (side = this.CONSUME2(NumberToken)) });
      this.ACTION(() => {
        if (side !== undefined) sides.push(side);
        else this.report(spanOfToken(cross), 'missing-number', 'Write the number of the next side after `x`.');
        if ('x×'.includes(cross.image)) return;
        const message = 'Sides of a shape stand with `x` between them: `4 x 4`.';
        this.report(spanOfToken(cross), 'unexpected-text', message, replace(spanOfToken(cross), 'x'));
      });
    });
    this.OPTION2({ GATE: () => !crossed && this.unitAhead(), DEF: () => (unit = this.SUBRULE(this.unit)) });
    return this.ACTION(() => this.numericValue(sides, crossed, unit));
  });

  private readonly unit = this.RULE('unit', (): Word => {
    const start = this.ACTION(() => this.LA(1).startOffset);
    const tokens: IToken[] = [];
    this.OR([
      { ALT: () => tokens.push(this.CONSUME(Percent)) },
      { ALT: () => tokens.push(this.CONSUME(WordToken)) },
      { ALT: () => tokens.push(this.CONSUME(Slash)) },
    ]);
    this.OPTION({
      GATE: () => tokens[0]?.tokenType === WordToken && this.onSameLine(),
      DEF: () => tokens.push(this.CONSUME2(Slash)),
    });
    this.OPTION2({
      GATE: () => tokens.at(-1)?.tokenType === Slash && this.onSameLine() && !this.propertyAhead(),
      DEF: () => tokens.push(this.CONSUME2(WordToken)),
    });
    return this.ACTION(() => ({ text: tokens.map((token) => token.image).join(''), start, end: this.lastEnd() }));
  });

  /** A double-quoted path. */
  protected readonly text = this.RULE('text', (): StringValue => {
    const token = this.CONSUME(StringToken);
    return this.ACTION(() => {
      const span = spanOfToken(token);
      const closed = !tokenMatcher(token, UnclosedString);
      if (!closed) {
        const message = 'Close the string with `"` on the line where it begins.';
        this.report(span, 'unclosed-string', message, insert(span.end, '"'));
      }
      return { kind: 'string', text: token.image.slice(1, closed ? -1 : undefined), ...span };
    });
  });

  /** `[0..63, 70]`. */
  private readonly list = this.RULE('list', (): ListValue => {
    const open = this.CONSUME(LeftBracket);
    const closer = this.ACTION(() => this.closers.get(open));
    const items: (ListRange | StringValue)[] = [];
    let separated = true;
    this.MANY({
      GATE: () => this.inside(closer),
      DEF: () => {
        this.OR({
          IGNORE_AMBIGUITIES: true,
          DEF: [
            {
              ALT: () => {
                this.CONSUME(Comma);
                separated = true;
              },
            },
            {
              ALT: () => {
                const item = this.SUBRULE(this.listItem);
                this.ACTION(() => {
                  if (!separated) this.reportMissingComma(item.from.start);
                });
                separated = false;
                items.push(item);
              },
            },
            {
              ALT: () => {
                const names = this.SUBRULE(this.text);
                this.ACTION(() => {
                  if (!separated) this.reportMissingComma(names.start);
                });
                separated = false;
                items.push(names);
              },
            },
            {
              ALT: () => {
                this.SUBRULE(this.junk, {
                  ARGS: [closer, 'A list holds whole numbers, ranges and names in quotes: `[0..63, 70, "n07"]`.'],
                });
              },
            },
          ],
        });
      },
    });
    this.OPTION({ GATE: () => this.LA(1) === closer, DEF: () => this.CONSUME(RightBracket) });
    return this.ACTION(() => {
      if (closer === undefined) this.reportUnclosed(open, 'list', ']');
      return { kind: 'list', items, start: open.startOffset, end: this.lastEnd() };
    });
  });

  private readonly listItem = this.RULE('listItem', (): ListRange => {
    const from = this.CONSUME(NumberToken);
    let dots: IToken | undefined;
    let to: IToken | undefined;
    this.OPTION(() => {
      dots = this.CONSUME(DotDot);
      this.OPTION2(() => (to = this.CONSUME2(NumberToken)));
    });
    return this.ACTION(() => {
      if (dots !== undefined && to === undefined) {
        this.report(spanOfToken(dots), 'missing-number', 'Write the last number of the range after `..`.');
      }
      return { kind: 'range', from: numberOfToken(from), ...(to === undefined ? {} : { to: numberOfToken(to) }) };
    });
  });

  /** A run within brackets that means nothing there: one problem. */
  protected readonly junk = this.RULE('junk', (closer?: IToken, message?: string): void => {
    const first = this.CONSUME(AnyToken);
    this.MANY({
      GATE: () => this.inside(closer) && !this.nextIs(Comma) && !this.nextIs(NumberToken),
      DEF: () => this.CONSUME2(AnyToken),
    });
    this.ACTION(() => {
      this.report({ start: first.startOffset, end: this.lastEnd() }, 'unexpected-text', message ?? '');
    });
  });

  /** Any value but a name. */
  protected readonly literal = this.RULE('literal', (): Value =>
    this.OR([
      { ALT: () => this.SUBRULE(this.numeric) },
      { ALT: () => this.SUBRULE(this.text) },
      { ALT: () => this.SUBRULE(this.list) },
    ]),
  );

  protected reportMissingComma(offset: number): void {
    const span = { start: offset, end: offset + 1 };
    this.report(span, 'missing-comma', 'Put a comma before this.', insert(offset, ', '));
  }

  private unitAhead(): boolean {
    const next = this.LA(1);
    if (next.tokenType === Percent) return true;
    if (!this.onSameLine()) return false;
    if (next.tokenType === Slash) return true;
    if (next.tokenType !== WordToken) return false;
    if (next.startOffset === endOf(this.LA(0))) return true;
    // `tasks 4 bytes 64`: the word is a property, though it looks like a unit.
    if (this.propertyAhead()) return false;
    return looksLikeUnit(next.image) || (this.takesUnit && nearest(next.image, this.propertyWords()) === undefined);
  }

  private numericValue(sides: readonly IToken[], crossed: boolean, unit: Word | undefined): Value {
    const first = numberOfToken(sides[0]!);
    if (crossed) return { kind: 'shape', sides: sides.map(numberOfToken), start: first.start, end: this.lastEnd() };
    if (unit === undefined) return first;
    return { kind: 'quantity', number: first, unit, start: first.start, end: unit.end };
  }
}
