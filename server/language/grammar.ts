import type { IToken } from 'chevrotain';
import { matchBrackets } from './brackets.ts';
import { insert, replace } from './codes.ts';
import { spanOfToken, wordOfToken } from './lookahead.ts';
import { declarationOf, declarations, propertyOf, type PropertySpecification } from './properties.ts';
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
  DeclarationKind,
  DeclarationNode,
  ImportNode,
  NumberValue,
  Problem,
  PropertyContent,
  PropertyNode,
  Span,
  StringValue,
  TableEntryNode,
} from './tree.ts';
import { numberOfToken, ValueGrammar } from './valueGrammar.ts';

interface Body extends Span {
  readonly properties: readonly PropertyNode[];
  readonly entries: readonly TableEntryNode[];
}

export interface ParsedFile {
  readonly imports: readonly ImportNode[];
  readonly declarations: readonly DeclarationNode[];
}

const unitForms = new Set(['size', 'time', 'rate', 'frequency']);
const valueForms = new Set([...unitForms, 'integer', 'number', 'shape', 'file', 'word']);

/**
 * The grammar of `.place` files: rules in the order of the language reference, values in
 * {@link ValueGrammar}, recovery in {@link Lookahead}. One instance is reused for every text.
 */
export class PlaceGrammar extends ValueGrammar {
  constructor() {
    super();
    this.performSelfAnalysis();
  }

  /** Reads all tokens of a file; never throws. O(tokens). */
  read(tokens: IToken[]): { readonly file: ParsedFile; readonly problems: readonly Problem[] } {
    this.startReading(matchBrackets(tokens));
    this.input = tokens;
    const file = this.file();
    // Every sequence of tokens is accepted, so there is an error only where a flood ended the reading.
    for (const error of this.atEnd() ? [] : this.errors) {
      this.report(spanOfToken(error.token), 'unexpected-text', 'This cannot stand here: remove it.');
    }
    return { file, problems: this.problems };
  }

  private readonly file = this.RULE('file', (): ParsedFile => {
    const imports: ImportNode[] = [];
    const found: DeclarationNode[] = [];
    this.MANY({
      GATE: () => !this.atEnd(),
      DEF: () =>
        this.OR({
          IGNORE_AMBIGUITIES: true,
          DEF: [
            {
              GATE: () => this.LA(1).image === 'import',
              ALT: () => imports.push(this.SUBRULE(this.importStatement)),
            },
            {
              GATE: () => this.declarationAhead() !== undefined,
              ALT: () => found.push(this.SUBRULE(this.declaration)),
            },
            {
              ALT: () => {
                this.SUBRULE(this.strayText);
              },
            },
          ],
        }),
    });
    return { imports, declarations: found };
  });

  /** `import "machines/cielo.place"`. */
  private readonly importStatement = this.RULE('importStatement', (): ImportNode => {
    const keyword = this.CONSUME(WordToken);
    let path: StringValue | undefined;
    this.OPTION(() => (path = this.SUBRULE(this.text)));
    const rest = this.SUBRULE(this.skipped);
    return this.ACTION(() => {
      const where = rest ?? (path === undefined ? spanOfToken(keyword) : undefined);
      if (where !== undefined) {
        const message = '`import` takes a file in double quotes: `import "machines/cielo.place"`.';
        this.report(where, path === undefined ? 'missing-value' : 'unexpected-text', message);
      }
      return { ...(path === undefined ? {} : { path }), start: keyword.startOffset, end: this.lastEnd() };
    });
  });

  private readonly declaration = this.RULE('declaration', (): DeclarationNode => {
    const kind = this.ACTION(() => (this.kind = this.declarationAhead() ?? 'machine'));
    const keyword = this.CONSUME(WordToken);
    let name: IToken | undefined;
    let from: StringValue | undefined;
    let body: Body | undefined;
    this.OPTION({ GATE: () => this.nameAhead(), DEF: () => (name = this.CONSUME2(WordToken)) });
    this.OPTION2({
      GATE: () => kind === 'table' && this.LA(1).image === 'from',
      DEF: () => (from = this.SUBRULE(this.fromFile)),
    });
    const rest = this.SUBRULE(this.beforeBody);
    this.OPTION3({
      GATE: () => this.nextIs(LeftBrace) || (from === undefined && this.propertyAhead() && !this.declarationInside()),
      DEF: () => (body = this.SUBRULE(this.body)),
    });
    return this.ACTION(() => {
      this.checkHead(kind, keyword, name, rest, body !== undefined || from !== undefined);
      return {
        kind,
        keyword: wordOfToken(keyword),
        ...(name === undefined ? {} : { name: wordOfToken(name) }),
        properties: body?.properties ?? [],
        entries: body?.entries ?? [],
        ...(from === undefined ? {} : { from }),
        ...(body === undefined ? {} : { body: { start: body.start, end: body.end } }),
        start: keyword.startOffset,
        end: this.lastEnd(),
      };
    });
  });

  /** `from "FILE"` of a table. */
  private readonly fromFile = this.RULE('fromFile', (): StringValue | undefined => {
    const from = this.CONSUME(WordToken);
    let file: StringValue | undefined;
    this.OPTION(() => (file = this.SUBRULE(this.text)));
    return this.ACTION(() => {
      if (file === undefined) {
        const message = 'Write the file in double quotes after `from`: `from "cg.mtx"`.';
        this.report(spanOfToken(from), 'missing-value', message);
      }
      return file;
    });
  });

  /** Whatever stands on the line between the head of a declaration and its `{`. */
  private readonly beforeBody = this.RULE('beforeBody', (): Span | undefined => {
    let first: IToken | undefined;
    this.MANY({
      GATE: () => this.onSameLine() && !this.nextIs(LeftBrace) && !this.nextIs(RightBrace) && !this.propertyAhead(),
      DEF: () => {
        const token = this.CONSUME(AnyToken);
        first ??= token;
      },
    });
    return this.ACTION(() => (first === undefined ? undefined : { start: first.startOffset, end: this.lastEnd() }));
  });

  private readonly body = this.RULE('body', (): Body => {
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
        const message = `Close the ${this.kind} with \`}\`.`;
        this.report(spanOfToken(open), 'unclosed-brace', message, insert(this.lastEnd(), '\n}'));
      }
      return { properties, entries, start, end: this.lastEnd() };
    });
  });

  /** A property with what it takes; undefined where its word is unknown. */
  private readonly property = this.RULE('property', (): PropertyNode | undefined => {
    const token = this.CONSUME(WordToken);
    const specification = this.ACTION(() => this.specificationMeant(token));
    const form = specification?.content.form;
    let content: PropertyContent | undefined;
    this.OPTION({
      GATE: () => form === 'choice' && this.valueWordAhead(),
      DEF: () => {
        const choice = this.SUBRULE(this.choice);
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
      DEF: () => (content = this.SUBRULE(this.names)),
    });
    this.OPTION5({ GATE: () => form === 'link', DEF: () => (content = this.SUBRULE(this.link)) });
    this.OPTION6({ GATE: () => form === 'offset', DEF: () => (content = this.SUBRULE(this.offset)) });
    const rest = this.SUBRULE(this.skipped);
    return this.ACTION(() => this.propertyNode(token, specification, content, rest));
  });

  /** `a, b`. */
  private readonly names = this.RULE('names', (): PropertyContent => {
    const first = this.CONSUME(WordToken);
    const names = this.ACTION(() => [wordOfToken(first)]);
    this.MANY({
      GATE: () => this.nextNameAhead(),
      DEF: () => {
        this.CONSUME(Comma);
        const token = this.CONSUME2(WordToken);
        this.ACTION(() => names.push(wordOfToken(token)));
      },
    });
    return { kind: 'names', names };
  });

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
      this.report(spanOfToken(open), 'unclosed-parenthesis', 'Close the offset with `)`.', insert(this.lastEnd(), ')'));
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
    let amount: IToken | undefined;
    this.OPTION({ GATE: () => this.onSameLine(), DEF: () => this.CONSUME(Arrow) });
    this.OPTION2({ GATE: () => this.onSameLine(), DEF: () => (to = this.CONSUME2(NumberToken)) });
    this.OPTION3({ GATE: () => this.onSameLine(), DEF: () => this.CONSUME(Colon) });
    this.OPTION4({
      GATE: () => this.onSameLine() && !this.entryAhead(),
      DEF: () => (amount = this.CONSUME3(NumberToken)),
    });
    const rest = this.SUBRULE(this.skipped);
    return this.ACTION(() => {
      const start = from.startOffset;
      if (rest !== undefined || to === undefined || amount === undefined) {
        const message = 'An entry is written `0 -> 1 : 40`: sender, receiver, and a number ≥ 0 without a unit.';
        const code = rest === undefined ? 'incomplete-entry' : 'unexpected-text';
        this.report(rest ?? { start, end: this.lastEnd() }, code, message);
      }
      if (to === undefined || amount === undefined) return undefined;
      const parts = { from: numberOfToken(from), to: numberOfToken(to), amount: numberOfToken(amount) };
      return { ...parts, start, end: parts.amount.end };
    });
  });

  /** Takes what is left of a property: the rest of its line up to the next property. */
  private readonly skipped = this.RULE('skipped', (): Span | undefined => {
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
      const words = oneOf(declarationOf(this.kind)?.properties.map((property) => property.word) ?? []);
      this.report(span, 'unexpected-text', `A property of the ${this.kind} must stand here: ${words}.`);
    });
  });

  /** Text outside every declaration, up to the next one: one problem. */
  private readonly strayText = this.RULE('strayText', (): void => {
    const first = this.CONSUME(AnyToken);
    this.ACTION(() => {
      this.noteSkipped(first);
    });
    this.MANY({
      GATE: () => !this.strayEnds(first),
      DEF: () => {
        const token = this.CONSUME2(AnyToken);
        this.ACTION(() => {
          this.noteSkipped(token);
        });
      },
    });
    this.ACTION(() => {
      this.reportStray(first);
    });
  });

  /** Stray text ends with its block, or where a declaration, known or not, begins on a line. */
  private strayEnds(first: IToken): boolean {
    if (this.skipsGroup()) return false;
    if (this.atEnd() || this.LA(1).image === 'import' || this.declarationAhead() !== undefined) return true;
    if (this.nextIs(RightBrace) !== (first.tokenType === RightBrace)) return true;
    if (this.LA(0).tokenType === RightBrace && first.tokenType !== RightBrace) return true;
    return !this.onSameLine() && this.nextIs(WordToken) && this.nextIs(WordToken, 2) && this.nextIs(LeftBrace, 3);
  }

  private reportStray(first: IToken): void {
    const span = { start: first.startOffset, end: this.lastEnd() };
    if (first.tokenType === RightBrace) {
      const fix = replace(spanOfToken(first), '');
      this.report(span, 'unexpected-text', 'No declaration is open here: remove this `}`.', fix);
      return;
    }
    const keywords = [...declarations.map((declaration) => declaration.kind), 'import'];
    const advice = `A file holds declarations, which begin with ${oneOf(keywords)}.`;
    if (first.tokenType !== WordToken) {
      this.report(span, 'unexpected-text', advice);
      return;
    }
    const meant = nearest(first.image, keywords);
    const fix = meant === undefined ? undefined : replace(spanOfToken(first), meant);
    const message = `\`${first.image}\` starts no declaration.${didYouMean(meant)} ${advice}`;
    this.report(spanOfToken(first), 'unknown-declaration', message, fix);
  }

  /** A name follows the keyword, and not the keyword of the next declaration. */
  private nameAhead(): boolean {
    if (!this.nextIs(WordToken)) return false;
    return this.onSameLine() || (!this.declarationInside() && !this.propertyAhead());
  }

  private checkHead(
    kind: DeclarationKind,
    keyword: IToken,
    name: IToken | undefined,
    rest: Span | undefined,
    hasBody: boolean,
  ): void {
    if (keyword.image !== kind) {
      const message = `\`${keyword.image}\` starts no declaration.${didYouMean(kind)}`;
      this.report(spanOfToken(keyword), 'unknown-declaration', message, replace(spanOfToken(keyword), kind));
    }
    if (name === undefined) {
      const message = `Give the ${kind} a name: letters, digits, \`_\` and single \`-\`, beginning with a letter.`;
      this.report(rest ?? spanOfToken(keyword), 'missing-name', message);
    } else if (rest !== undefined) {
      this.report(rest, 'unexpected-text', `Only \`{\` can follow the name \`${name.image}\`: remove this.`);
    } else if (!hasBody) {
      const message = `Say what the ${kind} is between \`{\` and \`}\` after its name.`;
      this.report(spanOfToken(name), 'missing-body', message, insert(spanOfToken(name).end, ' {\n}'));
    }
  }

  private specificationMeant(token: IToken): PropertySpecification | undefined {
    const meant = this.propertyMeant(token);
    const specification = meant === undefined ? undefined : propertyOf(this.kind, meant);
    this.takesUnit = specification !== undefined && unitForms.has(specification.content.form);
    return specification;
  }

  /** The word of the node is the property that is meant, so that one slip is one problem. */
  private propertyNode(
    token: IToken,
    specification: PropertySpecification | undefined,
    content: PropertyContent | undefined,
    rest: Span | undefined,
  ): PropertyNode | undefined {
    if (specification === undefined) return undefined;
    const word = { ...wordOfToken(token), text: specification.word };
    const { takes, example } = specification;
    const flag = specification.content.form === 'flag';
    if (flag && rest !== undefined) {
      this.report(rest, 'unexpected-text', `\`${word.text}\` stands alone: remove this.`);
    } else if (!flag && (content === undefined || isIncomplete(content))) {
      const message = `\`${word.text}\` takes ${takes}: write for example \`${example}\`.`;
      this.report(rest ?? word, 'missing-value', message);
    } else if (rest !== undefined) {
      const message = `\`${word.text}\` takes ${takes}, as in \`${example}\`: remove this, or begin another property.`;
      this.report(rest, 'unexpected-text', message, replace(rest, ''));
    }
    const end = rest === undefined ? this.lastEnd() : rest.start;
    return { word, content: content ?? emptyContent(specification), start: word.start, end: Math.max(word.end, end) };
  }
}

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
