import type { IToken } from 'chevrotain';
import { ChoiceGrammar } from './choiceGrammar.ts';
import { insert, replace } from './codes.ts';
import { spanOfToken, wordOfToken } from './lookahead.ts';
import { propertyOf, type PropertySpecification } from './properties.ts';
import { didYouMean, nearest, oneOf } from './suggestions.ts';
import {
  AnyToken,
  Arrow,
  Cable,
  Colon,
  Comma,
  LeftBrace,
  LeftParenthesis,
  NumberToken,
  RightBrace,
  RightParenthesis,
  Word as WordToken,
} from './tokens.ts';
import type {
  ChoiceNode,
  DeclarationKind,
  NamedNode,
  NumberValue,
  PropertyContent,
  PropertyNode,
  Span,
  TableEntryNode,
} from './tree.ts';
import { numberOfToken } from './valueGrammar.ts';

export interface Body extends Span {
  readonly properties: readonly PropertyNode[];
  readonly entries: readonly TableEntryNode[];
}

const unitForms = new Set(['size', 'time', 'rate', 'frequency']);
const valueForms = new Set([...unitForms, 'integer', 'number', 'shape', 'file', 'word']);

/** What stands between the braces of a declaration: properties, and entries of tables. */
export abstract class BodyGrammar extends ChoiceGrammar {
  protected readonly body = this.RULE('body', (): Body => {
    const start = this.ACTION(() => this.LA(1).startOffset);
    const properties: PropertyNode[] = [];
    const entries: TableEntryNode[] = [];
    let open: IToken | undefined;
    let close: IToken | undefined;
    this.OPTION(() => (open = this.CONSUME(LeftBrace)));
    this.MANY({
      GATE: () => !this.bodyEnds(),
      DEF: () => {
        this.OR({
          IGNORE_AMBIGUITIES: true,
          DEF: [
            {
              ALT: () => {
                const property = this.SUBRULE(this.property);
                if (property !== undefined) properties.push(property);
              },
            },
            {
              GATE: () => this.kind === 'table',
              ALT: () => {
                const entry = this.SUBRULE(this.tableEntry);
                if (entry !== undefined) entries.push(entry);
              },
            },
            {
              ALT: () => {
                this.SUBRULE(this.strayProperty);
              },
            },
          ],
        });
      },
    });
    this.OPTION2(() => (close = this.CONSUME(RightBrace)));
    return this.ACTION(() => {
      if (open !== undefined && close === undefined) {
        this.reportUnclosed(open, this.kind ?? 'declaration', '}');
      }
      return { properties, entries, start, end: this.lastEnd() };
    });
  });

  /** A property with what it takes; undefined where its word is unknown. */
  private readonly property = this.RULE('property', (): PropertyNode | undefined => {
    const token = this.CONSUME(WordToken);
    const specification = this.ACTION(() => this.specificationMeant(token));
    const form = specification?.content.form;
    const source = specification?.content.form === 'choice' ? specification.content.source : undefined;
    const namesOf = specification?.content.form === 'names' ? specification.content.of : undefined;
    let content: PropertyContent | undefined;
    this.OPTION({
      GATE: () => form === 'choice' && this.valueWordAhead(),
      DEF: () => {
        const choice = this.SUBRULE(this.choice, { ARGS: [source] });
        content = { kind: 'choice', choice };
      },
    });
    this.OPTION2({
      GATE: () => form !== undefined && valueForms.has(form),
      DEF: () => {
        const value = this.SUBRULE(this.literal);
        content = { kind: 'value', value };
      },
    });
    this.OPTION3({
      GATE: () => form !== undefined && valueForms.has(form) && content === undefined && this.valueWordAhead(),
      DEF: () => {
        const value = this.SUBRULE(this.name);
        content = { kind: 'value', value };
      },
    });
    this.OPTION4({
      GATE: () => form === 'names' && this.valueWordAhead(),
      DEF: () => (content = this.SUBRULE(this.names, { ARGS: [namesOf] })),
    });
    this.OPTION5({ GATE: () => form === 'link', DEF: () => (content = this.SUBRULE(this.link)) });
    this.OPTION6({ GATE: () => form === 'offset', DEF: () => (content = this.SUBRULE(this.offset)) });
    const rest = this.SUBRULE(this.skipped);
    return this.ACTION(() => {
      if (specification !== undefined) return this.propertyNode(token, specification, content, rest);
      const words = this.propertyWords();
      if (words.length > 0) this.reportUnknownProperty(token, words);
      return undefined;
    });
  });

  /** `a, b(map rcb)`. */
  private readonly names = this.RULE('names', (of?: DeclarationKind): PropertyContent => {
    const names: NamedNode[] = [];
    const first = this.SUBRULE(this.namedNode, { ARGS: [of] });
    names.push(first);
    this.MANY({
      GATE: () => this.nextNameAhead(),
      DEF: () => {
        this.CONSUME(Comma);
        const name = this.SUBRULE2(this.namedNode, { ARGS: [of] });
        names.push(name);
      },
    });
    return { kind: 'names', names };
  });

  private readonly namedNode = this.RULE('namedNode', (of?: DeclarationKind): NamedNode => {
    const token = this.CONSUME(WordToken);
    let own: OwnChoices | undefined;
    this.OPTION({ GATE: () => of === 'job', DEF: () => (own = this.SUBRULE(this.ownChoices)) });
    return this.ACTION(() => ({ ...wordOfToken(token), ...own }));
  });

  /** `(allocate nodes [0..15], map rcb)` behind the name of a job. */
  private readonly ownChoices = this.RULE('ownChoices', (): OwnChoices => {
    const open = this.CONSUME(LeftParenthesis);
    const closer = this.ACTION(() => this.closers.get(open));
    const own: PropertyNode[] = [];
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
                const choice = this.SUBRULE(this.ownChoice, { ARGS: [closer] });
                if (choice === undefined) return;
                this.ACTION(() => {
                  if (!separated) this.reportMissingComma(choice.start);
                });
                separated = false;
                own.push(choice);
              },
            },
            {
              ALT: () => {
                this.SUBRULE(this.junk, { ARGS: [closer, `${ownAdvice}.`] });
              },
            },
          ],
        });
      },
    });
    this.OPTION({ GATE: () => this.LA(1) === closer, DEF: () => this.CONSUME(RightParenthesis) });
    return this.ACTION(() => {
      if (closer === undefined) this.reportUnclosed(open, 'choices of the job', ')');
      return { parentheses: { start: open.startOffset, end: this.lastEnd() }, own };
    });
  });

  /** `map rcb`; undefined where the word is neither `allocate` nor `map`. */
  private readonly ownChoice = this.RULE('ownChoice', (closer?: IToken): PropertyNode | undefined => {
    const token = this.CONSUME(WordToken);
    const word = this.ACTION(() => this.ownWordMeant(token));
    let choice: ChoiceNode | undefined;
    this.OPTION({
      GATE: () => word !== undefined && this.inside(closer),
      DEF: () => (choice = this.SUBRULE(this.choice, { ARGS: [word === 'allocate' ? 'allocators' : 'mappers'] })),
    });
    this.MANY({
      GATE: () => word === undefined && this.inside(closer) && (this.skipsGroup() || !this.nextIs(Comma)),
      DEF: () => {
        const skippedToken = this.CONSUME(AnyToken);
        this.ACTION(() => {
          this.noteSkipped(skippedToken);
        });
      },
    });
    return this.ACTION(() => {
      if (word === undefined) return undefined;
      const specification = propertyOf('placement', word);
      if (choice === undefined && specification !== undefined) this.reportMissingValue(token, specification);
      const content: PropertyContent = choice === undefined ? { kind: 'value' } : { kind: 'choice', choice };
      return { word: { ...wordOfToken(token), text: word }, content, start: token.startOffset, end: this.lastEnd() };
    });
  });

  private ownWordMeant(token: IToken): OwnWord | undefined {
    const exact = ownWords.find((word) => word === token.image);
    if (exact !== undefined) return exact;
    const near = nearest(token.image, ownWords);
    const meant = ownWords.find((word) => word === near);
    const span = spanOfToken(token);
    const message = `A job of a placement has no \`${token.image}\` of its own.${didYouMean(meant)} ${ownAdvice}.`;
    this.report(span, 'unknown-property', message, meant && replace(span, meant));
    return meant;
  }

  /** `0 -- 2, 4, 9`. */
  private readonly link = this.RULE('link', (): PropertyContent => {
    const from = this.CONSUME(NumberToken);
    const to: NumberValue[] = [];
    this.OPTION(() => {
      this.CONSUME(Cable);
      this.OPTION2(() => {
        const first = this.CONSUME2(NumberToken);
        this.ACTION(() => to.push(numberOfToken(first)));
        // A comma with nothing behind it is left to `skipped`: consuming it would have no way back.
        this.MANY({
          GATE: () => this.nextIs(Comma) && this.nextIs(NumberToken, 2),
          DEF: () => {
            this.CONSUME(Comma);
            const token = this.CONSUME3(NumberToken);
            this.ACTION(() => to.push(numberOfToken(token)));
          },
        });
      });
    });
    return this.ACTION(() => ({ kind: 'link', from: numberOfToken(from), to }));
  });

  /** `(1, 0, 0) weight 0.5`. */
  private readonly offset = this.RULE('offset', (): PropertyContent => {
    const open = this.CONSUME(LeftParenthesis);
    const closer = this.ACTION(() => this.closers.get(open));
    const components: NumberValue[] = [];
    let weight: NumberValue | undefined;
    this.MANY({
      GATE: () => this.inside(closer),
      DEF: () =>
        this.OR({
          IGNORE_AMBIGUITIES: true,
          DEF: [
            { ALT: () => this.CONSUME(Comma) },
            {
              ALT: () => {
                const token = this.CONSUME(NumberToken);
                this.ACTION(() => components.push(numberOfToken(token)));
              },
            },
            {
              ALT: () => {
                this.SUBRULE(this.junk, { ARGS: [closer, 'An offset holds whole numbers: `(1, 0, -1)`.'] });
              },
            },
          ],
        }),
    });
    this.OPTION({ GATE: () => this.LA(1) === closer, DEF: () => this.CONSUME(RightParenthesis) });
    this.ACTION(() => {
      if (closer !== undefined) return;
      this.reportUnclosed(open, 'offset', ')');
    });
    this.OPTION2({
      GATE: () => this.LA(1).image === 'weight',
      DEF: () => (weight = this.SUBRULE(this.weight)),
    });
    return this.ACTION(() => ({ kind: 'offset', components, ...(weight === undefined ? {} : { weight }) }));
  });

  private readonly weight = this.RULE('weight', (): NumberValue | undefined => {
    const word = this.CONSUME(WordToken);
    let number: IToken | undefined;
    this.OPTION(() => (number = this.CONSUME(NumberToken)));
    return this.ACTION(() => {
      if (number !== undefined) return numberOfToken(number);
      this.report(spanOfToken(word), 'missing-number', 'Write the weight as a number: `weight 0.5`.');
      return undefined;
    });
  });

  /** `0 -> 1 : 40`; undefined where a part is missing. */
  private readonly tableEntry = this.RULE('tableEntry', (): TableEntryNode | undefined => {
    const from = this.CONSUME(NumberToken);
    let to: IToken | undefined;
    let colon: IToken | undefined;
    let amount: IToken | undefined;
    this.OPTION({ GATE: () => this.onSameLine(), DEF: () => this.CONSUME(Arrow) });
    this.OPTION2({ GATE: () => this.onSameLine(), DEF: () => (to = this.CONSUME2(NumberToken)) });
    this.OPTION3({ GATE: () => this.onSameLine(), DEF: () => (colon = this.CONSUME(Colon)) });
    this.OPTION4({
      GATE: () => this.onSameLine() && !this.entryAhead(),
      DEF: () => (amount = this.CONSUME3(NumberToken)),
    });
    const rest = this.SUBRULE(this.skipped);
    return this.ACTION(() => {
      const start = from.startOffset;
      const whole = { start, end: this.lastEnd() };
      const message = 'An entry is written `0 -> 1 : 40`: sender, receiver, and a number ≥ 0 without a unit.';
      const isComplete = to !== undefined && amount !== undefined;
      if (rest !== undefined) {
        this.report(rest, 'unexpected-text', message, isComplete ? replace(rest, '') : undefined);
      } else if (!isComplete) {
        // A part that stands on the next line is none to put in a second time.
        const goesOn = [Arrow, Colon, NumberToken].some((type) => this.nextIs(type)) && !this.entryAhead();
        const end = to === undefined ? [] : [insert(whole.end, colon === undefined ? ' : 1' : ' 1')];
        this.report(whole, 'incomplete-entry', message, undefined, goesOn ? [] : [...end, replace(whole, '')]);
      }
      if (to === undefined || amount === undefined) return undefined;
      const parts = { from: numberOfToken(from), to: numberOfToken(to), amount: numberOfToken(amount) };
      return { ...parts, start, end: parts.amount.end };
    });
  });

  /** Takes what is left of a property: the rest of its line up to the next property. */
  protected readonly skipped = this.RULE('skipped', (): Span | undefined => {
    let first: IToken | undefined;
    this.MANY({
      GATE: () => this.skips() && (first !== undefined || !this.nearPropertyAhead()),
      DEF: () => {
        const token = this.CONSUME(AnyToken);
        first ??= token;
        this.ACTION(() => {
          this.noteSkipped(token);
        });
      },
    });
    return this.ACTION(() => (first === undefined ? undefined : { start: first.startOffset, end: this.lastEnd() }));
  });

  private readonly strayProperty = this.RULE('strayProperty', (): void => {
    const first = this.CONSUME(AnyToken);
    this.ACTION(() => {
      this.noteSkipped(first);
    });
    this.SUBRULE(this.skipped);
    this.ACTION(() => {
      const span = { start: first.startOffset, end: this.lastEnd() };
      const message = `A property of the ${this.kind ?? 'declaration'} must stand here: ${oneOf(this.propertyWords())}.`;
      this.report(span, 'unexpected-text', message);
    });
  });

  /** A word near to nothing: what stands with it goes with it. */
  private reportUnknownProperty(token: IToken, words: readonly string[]): void {
    const message = `A ${this.kind ?? 'declaration'} has no property \`${token.image}\`. Use one of ${oneOf(words)}.`;
    const fix = replace({ start: token.startOffset, end: this.lastEnd() }, '');
    this.report(spanOfToken(token), 'unknown-property', message, fix);
  }

  private specificationMeant(token: IToken): PropertySpecification | undefined {
    const { kind } = this;
    const meant = kind && this.propertyMeant(kind, token);
    const specification = kind === undefined || meant === undefined ? undefined : propertyOf(kind, meant);
    this.takesUnit = specification !== undefined && unitForms.has(specification.content.form);
    return specification;
  }

  private reportMissingValue(token: IToken, { word, takes, example }: PropertySpecification, rest?: Span): void {
    const message = `\`${word}\` takes ${takes}: write for example \`${example}\`.`;
    this.report(rest ?? spanOfToken(token), 'missing-value', message);
  }

  /** The word of the node is the property that is meant, so that one slip is one problem. */
  private propertyNode(
    token: IToken,
    specification: PropertySpecification,
    content: PropertyContent | undefined,
    rest: Span | undefined,
  ): PropertyNode {
    const word = { ...wordOfToken(token), text: specification.word };
    const { takes, example } = specification;
    const flag = specification.content.form === 'flag';
    if (flag && rest !== undefined) {
      this.report(rest, 'unexpected-text', `\`${word.text}\` stands alone: remove this.`, replace(rest, ''));
    } else if (!flag && (content === undefined || isIncomplete(content))) {
      this.reportMissingValue(token, specification, rest);
    } else if (rest !== undefined) {
      const message = `\`${word.text}\` takes ${takes}, as in \`${example}\`: remove this, or begin another property.`;
      this.report(rest, 'unexpected-text', message, replace(rest, ''));
    }
    const end = rest === undefined ? this.lastEnd() : rest.start;
    return { word, content: content ?? emptyContent(specification), start: word.start, end: Math.max(word.end, end) };
  }
}

/** What a job of a placement may choose for itself. */
const ownWords = ['allocate', 'map'] as const;
type OwnWord = (typeof ownWords)[number];
type OwnChoices = Required<Pick<NamedNode, 'parentheses' | 'own'>>;
const ownAdvice = 'A job may have `allocate` and `map` of its own: `jobs a(allocate nodes [0..15], map rcb), b`';

const isIncomplete = (content: PropertyContent): boolean => content.kind === 'link' && content.to.length === 0;

/** What a property holds whose value is missing. */
function emptyContent(specification: PropertySpecification): PropertyContent {
  switch (specification.content.form) {
    case 'names':
      return { kind: 'names', names: [] };
    case 'flag':
      return { kind: 'flag' };
    case 'link':
      return { kind: 'link', to: [] };
    case 'offset':
      return { kind: 'offset', components: [] };
    default:
      return { kind: 'value' };
  }
}
