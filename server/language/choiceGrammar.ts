import type { IToken } from 'chevrotain';
import { allocators } from '../allocation/catalogue.ts';
import { replace } from './codes.ts';
import { spanOfToken, wordOfToken } from './lookahead.ts';
import { dimensionLimit, type ChoiceSource } from './properties.ts';
import {
  Comma,
  Cross,
  LeftParenthesis,
  NumberToken,
  RightParenthesis,
  StringToken,
  Word as WordToken,
} from './tokens.ts';
import type { ChoiceNode, NameValue, NumberValue, OptionNode, Span, Value, Word } from './tree.ts';
import { numberOfToken, ValueGrammar } from './valueGrammar.ts';

/** Choices whose argument is a name: `same-as`. */
const takesName = new Set(allocators.filter(({ argument }) => argument?.kind === 'placement').map(({ name }) => name));

/** Catalogue words with what follows them: an argument, a format, options in parentheses. */
export abstract class ChoiceGrammar extends ValueGrammar {
  /** `torus 4 x 4`, `random(count 512)`, `same-as by-hand`, `from "FILE" as FORMAT`. */
  protected readonly choice = this.RULE('choice', (source?: ChoiceSource): ChoiceNode => {
    const name = this.CONSUME(WordToken);
    let argument: Value | undefined;
    let as: Word | undefined;
    let group: { readonly parentheses: Span; readonly options: readonly OptionNode[] } | undefined;
    this.OPTION(() => (argument = this.SUBRULE(this.literal)));
    this.OPTION2({
      GATE: () => argument === undefined && source === 'allocators' && this.argumentNameAhead(name.image),
      DEF: () => (argument = this.SUBRULE(this.name)),
    });
    this.OPTION3({
      GATE: () => this.LA(1).image === 'as' && this.onSameLine(),
      DEF: () => (as = this.SUBRULE(this.format)),
    });
    this.OPTION4({
      GATE: () => argument === undefined && this.shapeInParentheses(),
      DEF: () => (argument = this.SUBRULE(this.parenthesised)),
    });
    this.OPTION5(() => (group = this.SUBRULE(this.options)));
    return this.ACTION(() => ({
      name: wordOfToken(name),
      ...(argument === undefined ? {} : { argument }),
      ...(as === undefined ? {} : { as }),
      ...(group === undefined ? {} : { parentheses: group.parentheses }),
      options: group?.options ?? [],
      start: name.startOffset,
      end: this.lastEnd(),
    }));
  });

  /** `(4, 4)` behind the name of a topology, where `4 x 4` is meant. */
  private readonly parenthesised = this.RULE('parenthesised', (): Value => {
    const open = this.CONSUME(LeftParenthesis);
    const sides: NumberValue[] = [];
    this.MANY(() => {
      this.OPTION(() => this.OR([{ ALT: () => this.CONSUME(Comma) }, { ALT: () => this.CONSUME(Cross) }]));
      const side = this.CONSUME(NumberToken);
      this.ACTION(() => sides.push(numberOfToken(side)));
    });
    this.CONSUME(RightParenthesis);
    return this.ACTION(() => {
      const span = { start: open.startOffset, end: this.lastEnd() };
      const written = sides.map(({ text }) => text).join(' x ');
      const message = `Write \`${written}\` without parentheses: they hold options, \`name value, name value\`.`;
      this.report(span, 'unexpected-text', message, replace(span, ` ${written}`));
      const [only] = sides;
      return sides.length === 1 && only !== undefined ? only : { kind: 'shape', sides, ...span };
    });
  });

  protected readonly name = this.RULE('name', (): NameValue => {
    const token = this.CONSUME(WordToken);
    return this.ACTION(() => ({ kind: 'name', ...wordOfToken(token) }));
  });

  /** `as FORMAT`. */
  private readonly format = this.RULE('format', (): Word | undefined => {
    const as = this.CONSUME(WordToken);
    let word: IToken | undefined;
    this.OPTION({ GATE: () => this.onSameLine(), DEF: () => (word = this.CONSUME2(WordToken)) });
    return this.ACTION(() => {
      if (word !== undefined) return wordOfToken(word);
      this.report(spanOfToken(as), 'missing-value', 'Write the name of the format after `as`.');
      return undefined;
    });
  });

  private readonly options = this.RULE('options', () => {
    const open = this.CONSUME(LeftParenthesis);
    const closer = this.ACTION(() => this.closers.get(open));
    const options: OptionNode[] = [];
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
                const option = this.SUBRULE(this.optionNode, { ARGS: [closer] });
                this.ACTION(() => {
                  if (!separated) this.reportMissingComma(option.start);
                });
                separated = false;
                options.push(option);
              },
            },
            {
              ALT: () => {
                this.SUBRULE(this.junk, { ARGS: [closer, 'Options are written `name value, name value`.'] });
              },
            },
          ],
        });
      },
    });
    this.OPTION({ GATE: () => this.LA(1) === closer, DEF: () => this.CONSUME(RightParenthesis) });
    return this.ACTION(() => {
      if (closer === undefined) this.reportUnclosed(open, 'options', ')');
      return { parentheses: { start: open.startOffset, end: this.lastEnd() }, options };
    });
  });

  /** `block 2 x 2 x 4`, `order z, y, x`: a bare name after a comma continues the values. */
  private readonly optionNode = this.RULE('optionNode', (closer?: IToken): OptionNode => {
    const name = this.CONSUME(WordToken);
    const values: Value[] = [];
    let expects = true;
    this.MANY({
      GATE: () => this.inside(closer) && this.optionGoesOn(closer, expects, values.length),
      DEF: () => {
        this.OR([
          {
            ALT: () => {
              this.CONSUME(Comma);
              expects = true;
            },
          },
          {
            ALT: () => {
              values.push(this.SUBRULE(this.literal));
              expects = false;
            },
          },
          {
            ALT: () => {
              values.push(this.SUBRULE(this.name));
              expects = false;
            },
          },
        ]);
      },
    });
    return this.ACTION(() => ({ name: wordOfToken(name), values, start: name.startOffset, end: this.lastEnd() }));
  });

  /** `(4, 4)`, `(4 x 4)`, `(4)`: numbers alone. O(numbers), at most of a shape. */
  private shapeInParentheses(): boolean {
    if (!this.nextIs(LeftParenthesis) || !this.nextIs(NumberToken, 2)) return false;
    let distance = 3;
    for (; distance < 3 + 2 * dimensionLimit; distance++) {
      if (this.nextIs(Comma, distance) || this.nextIs(Cross, distance)) distance++;
      if (!this.nextIs(NumberToken, distance)) break;
    }
    return this.nextIs(RightParenthesis, distance);
  }

  private optionGoesOn(closer: IToken | undefined, expects: boolean, count: number): boolean {
    if (this.nextIs(Comma)) return !expects && count > 0 && this.continuesOption(closer);
    return expects || !this.nextIs(WordToken);
  }

  /** A name that a choice takes as its argument, as `same-as` does. */
  private argumentNameAhead(choice: string): boolean {
    if (!takesName.has(choice) || !this.nextIs(WordToken) || !this.onSameLine()) return false;
    // `same-as map`: the placement is called `map`, unless a value of that property follows.
    return !this.propertyAhead() || !this.onSameLine(2) || this.propertyAhead(2) || !this.valueAhead(2);
  }

  private valueAhead(distance: number): boolean {
    return [WordToken, NumberToken, StringToken].some((type) => this.nextIs(type, distance));
  }
}
