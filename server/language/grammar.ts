import { EmbeddedActionsParser, tokenMatcher, type IToken, type TokenType } from 'chevrotain';
import { tooManyProblems } from './codes.ts';
import {
  argumentNameAhead,
  declarationAhead,
  declarationInside,
  entryAhead,
  isToken,
  matchBrackets,
  nameAhead,
  nearPropertyAhead,
  nextIs,
  nextNameAhead,
  numberOfToken,
  onSameLine,
  optionGoesOn,
  propertyAhead,
  mayTakeShape,
  shapeInParentheses,
  spanOfToken,
  unitAhead,
  unknownDeclarationAhead,
  wordOfToken,
  type Brackets,
  type TokenAt,
  entryText,
} from './lookahead.ts';
import {
  headProblems,
  importProblem,
  incompleteEntry,
  misspeltProperty,
  missingPart,
  missingComma,
  missingValue,
  ownAdvice,
  quotedAdvice,
  shapeOutsideParentheses,
  strayBrace,
  strayProperty,
  strayText,
  textBehindEntry,
  textBehindValue,
  unclosed,
  unclosedString,
  unexpectedText,
  unknownOwnChoice,
  unknownProperty,
  wrongCross,
  type Closer,
} from './recovery.ts';
import { ownWords, propertyOf, propertyWords } from './schema.ts';
import { quotedAdditions, type ChoiceSource, type PropertySpecification } from './propertyForms.ts';
import { nearest } from './suggestions.ts';
import {
  AnyToken,
  Arrow,
  Cable,
  Colon,
  Comma,
  Cross,
  Comparison,
  Dot,
  DotDot,
  tokenEnd,
  LeftBrace,
  LeftBracket,
  LeftParenthesis,
  NumberToken,
  Percent,
  Plus,
  RightBrace,
  RightBracket,
  RightParenthesis,
  Slash,
  StringToken,
  tokenTypes,
  UnclosedString,
  Word as WordToken,
} from './tokens.ts';
import type {
  ChoiceNode,
  DeclarationKind,
  DeclarationNode,
  ImportNode,
  ListRange,
  ListValue,
  NamedNode,
  NameValue,
  NumberValue,
  OptionNode,
  PhrasePart,
  Problem,
  PropertyContent,
  PropertyNode,
  QuantityValue,
  QuotedNode,
  Span,
  StringValue,
  TableEntryNode,
  Value,
  Word,
} from './tree.ts';

/** Of these catalogues the first options may stand without their names: `uniform(1, 16)`. */
const namelessSources: ReadonlySet<ChoiceSource> = new Set([
  'distributions',
  'job-sizes',
  'services',
  'schedulers',
  'skeletons',
  'steady-states',
] as const);

const unitForms = new Set(['size', 'time', 'rate', 'link-figure', 'frequency']);
const valueForms = new Set([...unitForms, 'integer', 'number', 'shape', 'file', 'word']);

/** What a cable may have of its own, on the line of its `link`. */
const cableFigures: ReadonlySet<string> = new Set(['bandwidth', 'latency']);

const parentheses = { open: LeftParenthesis, close: RightParenthesis, closer: ')' } as const;

/**
 * The grammar of `.place` files, one rule for each part of the text, from the top down: file, declarations, bodies and
 * properties, what properties hold, entries of tables, choices, values. One instance is reused for every text. What
 * decides between alternatives beyond the next token is asked of `lookahead.ts`; what is said of text that cannot be
 * read stands in `recovery.ts`.
 *
 * Recovery is part of the grammar: a rule takes what it can use, then {@link skipRest} takes the rest of the property,
 * and says so once. No sequence of tokens is refused.
 */
export class PlaceGrammar extends EmbeddedActionsParser {
  private problems: Problem[] = [];
  /** Of the declaration being read; undefined outside of one. */
  private kind: DeclarationKind | undefined;
  /** A word after a number is its unit, unless it is a property. */
  private takesUnit = false;
  /** Values without names may stand in the parentheses of the choice that is read. */
  private takesNameless = false;
  private brackets: Brackets = matchBrackets([]);
  /** While a bracketed group is skipped: the token that closes it. */
  private skipUntil: IToken | undefined;
  /** The tokens that close the groups which are being read. */
  private readonly enclosing = new Set<IToken>();
  private readonly at: TokenAt = (distance) => this.LA(distance);

  /** `isChecked`: it is looked at whether the rules can be told apart, which a test does once for all. */
  constructor({ isChecked } = { isChecked: false }) {
    super(tokenTypes, { recoveryEnabled: true, maxLookahead: 1, skipValidations: !isChecked });
    this.performSelfAnalysis();
  }

  /**
   * Reads all tokens of a file; never throws. What is read is a function of the tokens alone. `isOpen` where a group
   * that was being read or skipped did not end before the tokens did. O(tokens).
   */
  read(tokens: IToken[]): {
    readonly file: ParsedFile;
    readonly problems: readonly Problem[];
    readonly isOpen: boolean;
  } {
    this.problems = [];
    this.kind = undefined;
    this.takesUnit = false;
    this.brackets = matchBrackets(tokens);
    this.skipUntil = undefined;
    this.enclosing.clear();
    this.input = tokens;
    const file = this.file();
    // Every sequence of tokens is accepted, so there is an error only where too many problems ended the reading.
    for (const error of this.atEnd() ? [] : this.errors) {
      this.report(unexpectedText(spanOfToken(error.token), 'This cannot stand here: remove it.'));
    }
    return { file, problems: this.problems, isOpen: this.isSkipping() };
  }

  private isSkipping(): boolean {
    return this.skipUntil !== undefined;
  }

  private report(problem: Problem): void {
    this.problems.push(problem);
  }

  /** The end of the last token read. */
  private lastEnd(): number {
    return tokenEnd(this.LA(0));
  }

  /** From a token to the last one read. */
  private spanFrom(first: IToken): Span {
    return { start: first.startOffset, end: this.lastEnd() };
  }

  /** The text ends here, or has so many problems that reading on helps nobody. */
  private atEnd(): boolean {
    return this.problems.length >= tooManyProblems || !isToken(this.at, 1);
  }

  // Files and declarations.

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
              GATE: () => declarationAhead(this.at) !== undefined,
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
    const rest = this.skipRest();
    return this.ACTION(() => {
      if (rest !== undefined || path === undefined) this.report(importProblem(keyword, path, rest));
      return { ...(path === undefined ? {} : { path }), ...this.spanFrom(keyword) };
    });
  });

  private readonly declaration = this.RULE('declaration', (): DeclarationNode => {
    const kind = this.ACTION(() => (this.kind = declarationAhead(this.at) ?? 'machine'));
    const keyword = this.CONSUME(WordToken);
    let name: IToken | undefined;
    let from: StringValue | undefined;
    let as: Word | undefined;
    let body: Body | undefined;
    this.OPTION({ GATE: () => nameAhead(this.at, this.kind), DEF: () => (name = this.CONSUME2(WordToken)) });
    this.OPTION2({
      GATE: () => kind === 'table' && this.LA(1).image === 'from',
      DEF: () => (from = this.SUBRULE(this.fromFile)),
    });
    this.OPTION4({
      GATE: () => from !== undefined && this.LA(1).image === 'as' && onSameLine(this.at),
      DEF: () => (as = this.SUBRULE(this.format)),
    });
    const bodyBegins = (): boolean =>
      nextIs(this.at, LeftBrace) || nextIs(this.at, RightBrace) || propertyAhead(this.at, kind);
    const rest = this.SUBRULE(this.run, { ARGS: [() => onSameLine(this.at) && !bodyBegins(), 'by-token'] });
    this.OPTION3({
      GATE: () =>
        nextIs(this.at, LeftBrace) ||
        (from === undefined && propertyAhead(this.at, kind) && !declarationInside(this.at)),
      DEF: () => (body = this.SUBRULE(this.body)),
    });
    return this.ACTION(() => {
      this.kind = undefined;
      const hasBody = body !== undefined || from !== undefined;
      const lacksBrace = body?.isOpened === false;
      for (const problem of headProblems({ kind, keyword, name, rest, hasBody, lacksBrace })) this.report(problem);
      return {
        kind,
        keyword: wordOfToken(keyword),
        ...(name === undefined ? {} : { name: wordOfToken(name) }),
        properties: body?.properties ?? [],
        entries: body?.entries ?? [],
        ...(from === undefined ? {} : { from }),
        ...(as === undefined ? {} : { as }),
        ...(body === undefined ? {} : { body: { start: body.start, end: body.end } }),
        ...this.spanFrom(keyword),
      };
    });
  });

  /** `from "FILE"` of a table. */
  private readonly fromFile = this.wordThen('fromFile', {
    code: 'missing-value',
    message: 'Write the file in double quotes after `from`: `from "cg.mtx"`.',
    part: () => this.SUBRULE(this.text),
  });

  /** Text outside every declaration, up to the next one: one problem. */
  private readonly strayText = this.RULE('strayText', (): void => {
    const first = this.CONSUME(AnyToken);
    const second = this.ACTION(() => {
      this.noteSkipped(first);
      return this.LA(1);
    });
    this.SUBRULE(this.run, { ARGS: [() => !this.strayEnds(first)] });
    this.ACTION(() => {
      if (first.tokenType === RightBrace) {
        const next = this.LA(1);
        const touches = next.tokenType === WordToken && next.startOffset === this.lastEnd();
        const splitsWord = touches && declarationAhead(this.at) === undefined;
        this.report(strayBrace(this.spanFrom(first), first, splitsWord));
      } else this.report(strayText(first, second, this.LA(0)));
    });
  });

  /** Stray text ends with its block, or where a declaration, known or not, begins on a line. */
  private strayEnds(first: IToken): boolean {
    if (this.skipUntil !== undefined) return false;
    if (this.atEnd() || this.LA(1).image === 'import' || declarationAhead(this.at) !== undefined) return true;
    if (nextIs(this.at, RightBrace) !== (first.tokenType === RightBrace)) return true;
    if (this.LA(0).tokenType === RightBrace && first.tokenType !== RightBrace) return true;
    return unknownDeclarationAhead(this.at);
  }

  // Bodies and properties.

  private readonly body = this.RULE('body', (): Body => {
    const start = this.ACTION(() => this.LA(1).startOffset);
    const properties: PropertyNode[] = [];
    const entries: TableEntryNode[] = [];
    let open: IToken | undefined;
    let close: IToken | undefined;
    this.OPTION(() => (open = this.CONSUME(LeftBrace)));
    this.MANY({
      GATE: () => !this.atEnd() && !nextIs(this.at, RightBrace) && !declarationInside(this.at),
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
      if (open !== undefined && close === undefined) this.reportUnclosed(open, this.kind ?? 'declaration', '}');
      return { properties, entries, isOpened: open !== undefined, start, end: this.lastEnd() };
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
      GATE: () => form === 'choice' && source !== 'traces' && nameAhead(this.at, this.kind),
      DEF: () => (content = { kind: 'choice', choice: this.SUBRULE(this.choice, { ARGS: [source] }) }),
    });
    this.option(10, {
      GATE: () => source === 'traces' && tokenMatcher(this.LA(1), StringToken),
      DEF: () => (content = { kind: 'choice', choice: this.SUBRULE(this.fileChoice, { ARGS: [token] }) }),
    });
    this.OPTION2({
      GATE: () => form !== undefined && valueForms.has(form),
      DEF: () => (content = { kind: 'value', value: this.SUBRULE(this.literal) }),
    });
    this.OPTION3({
      GATE: () => form !== undefined && valueForms.has(form) && content === undefined && nameAhead(this.at, this.kind),
      DEF: () => (content = { kind: 'value', value: this.SUBRULE(this.name) }),
    });
    const further: Value[] = [];
    this.MANY({
      GATE: () => form === 'link-figure' && nextIs(this.at, Comma) && nextIs(this.at, NumberToken, 2),
      DEF: () => {
        this.CONSUME(Comma);
        further.push(this.SUBRULE2(this.literal));
      },
    });
    let groups: Group<OptionNode | Nameless> | undefined;
    this.option(11, {
      GATE: () => form === 'link-figure' && onSameLine(this.at) && nextIs(this.at, LeftParenthesis),
      DEF: () => {
        this.ACTION(() => (this.takesNameless = false));
        groups = this.SUBRULE(this.options);
      },
    });
    if (form === 'link-figure' && (content !== undefined || groups !== undefined)) {
      content = { kind: 'value', ...content, ...linkFigures(further, groups) };
    }
    this.OPTION4({
      GATE: () => form === 'names' && nameAhead(this.at, this.kind),
      DEF: () => (content = this.SUBRULE(this.names, { ARGS: [namesOf] })),
    });
    this.OPTION5({ GATE: () => form === 'link', DEF: () => (content = this.SUBRULE(this.link)) });
    this.OPTION6({ GATE: () => form === 'offset', DEF: () => (content = this.SUBRULE(this.offset)) });
    this.OPTION7({
      GATE: () => form === 'choices' && nameAhead(this.at, this.kind),
      DEF: () => (content = this.SUBRULE(this.choices, { ARGS: [specification?.content] })),
    });
    this.OPTION8({
      GATE: () => form === 'phrase' && onSameLine(this.at) && this.phraseGoesOn(),
      DEF: () => (content = { kind: 'phrase', parts: this.SUBRULE(this.phrase) }),
    });
    this.OPTION9({ GATE: () => form === 'quoted', DEF: () => (content = this.SUBRULE(this.quoted)) });
    const rest = this.skipRest();
    return this.ACTION(() => {
      if (specification !== undefined) return this.propertyNode(token, specification, content, rest);
      if (this.kind !== undefined) this.report(unknownProperty(this.kind, token, this.lastEnd()));
      return undefined;
    });
  });

  /** The property that a word is or was meant to be; a slip is reported. */
  private specificationMeant(token: IToken): PropertySpecification | undefined {
    const { kind } = this;
    this.takesUnit = false;
    if (kind === undefined) return undefined;
    let specification = propertyOf(kind, token.image);
    if (specification === undefined) {
      const meant = nearest(token.image, propertyWords(kind));
      if (meant === undefined) return undefined;
      this.report(misspeltProperty(kind, token, meant));
      specification = propertyOf(kind, meant);
    }
    this.takesUnit = specification !== undefined && unitForms.has(specification.content.form);
    return specification;
  }

  /** The word of the node is the property that is meant, so that one slip is one problem. */
  private propertyNode(
    token: IToken,
    specification: PropertySpecification,
    content: PropertyContent | undefined,
    rest: Span | undefined,
  ): PropertyNode {
    const word = { ...wordOfToken(token), text: specification.word };
    const isFlag = specification.content.form === 'flag';
    const lacksValue = !isFlag && (content === undefined || (content.kind === 'link' && content.to.length === 0));
    if (lacksValue) this.report(missingValue(specification, token, rest));
    else if (rest !== undefined) this.report(textBehindValue(specification, rest));
    const end = rest === undefined ? this.lastEnd() : rest.start;
    return { word, content: content ?? emptyContent(specification), start: word.start, end: Math.max(word.end, end) };
  }

  // What properties hold: lists of choices, phrases, quoted numbers, names, links and offsets.

  /** `fcfs, easy(order shortest)`; `from-network + exponential(mean 5)`. */
  private readonly choices = this.RULE('choices', (form?: PropertySpecification['content']): PropertyContent => {
    const [source, sign] =
      form?.form === 'choices' ? ([form.source, form.separator === '+' ? Plus : Comma] as const) : [undefined, Comma];
    const found: ChoiceNode[] = [];
    const first = this.SUBRULE(this.choice, { ARGS: [source] });
    found.push(first);
    this.MANY({
      GATE: () => nextNameAhead(this.at, this.kind, sign),
      DEF: () => {
        this.OR([{ ALT: () => this.CONSUME(Comma) }, { ALT: () => this.CONSUME(Plus) }]);
        const next = this.SUBRULE2(this.choice, { ARGS: [source] });
        found.push(next);
      },
    });
    return { kind: 'choices', choices: found };
  });

  /** Words, numbers and signs up to the next property or the end of the line; a list in brackets may have lines of its own. */
  private readonly phrase = this.RULE('phrase', (): readonly PhrasePart[] => {
    const parts: PhrasePart[] = [];
    let inList = false;
    this.MANY({
      GATE: () => {
        if (inList && !onSameLine(this.at)) return !this.atEnd() && !propertyAhead(this.at, this.kind);
        return onSameLine(this.at) && (parts.length === 0 || this.phraseGoesOn(parts.at(-1)));
      },
      DEF: () => {
        const part = this.SUBRULE(this.phrasePart);
        parts.push(part);
        if (part.kind === 'sign' && '[]'.includes(part.text)) inList = part.text === '[';
      },
    });
    return parts;
  });

  /** Behind a comma, a dot or `where` a word is none of the declaration's properties. */
  private phraseGoesOn(last?: PhrasePart): boolean {
    if (this.atEnd()) return false;
    const expectsWord =
      last?.kind === 'sign' ? ',.'.includes(last.text) : last?.kind === 'name' && last.text === 'where';
    return last === undefined || expectsWord || !propertyAhead(this.at, this.kind);
  }

  private readonly phrasePart = this.RULE('phrasePart', (): PhrasePart => {
    const token = this.OR([
      { ALT: () => this.CONSUME(WordToken) },
      { ALT: () => this.CONSUME(NumberToken) },
      { ALT: () => this.CONSUME(Percent) },
      { ALT: () => this.CONSUME(Slash) },
      { ALT: () => this.CONSUME(DotDot) },
      { ALT: () => this.CONSUME(Dot) },
      { ALT: () => this.CONSUME(Comparison) },
      { ALT: () => this.CONSUME(Colon) },
      { ALT: () => this.CONSUME(Comma) },
      { ALT: () => this.CONSUME(LeftParenthesis) },
      { ALT: () => this.CONSUME(RightParenthesis) },
      { ALT: () => this.CONSUME(LeftBracket) },
      { ALT: () => this.CONSUME(RightBracket) },
      { ALT: () => this.CONSUME(Cross) },
      { ALT: () => this.CONSUME(Cable) },
      { ALT: () => this.CONSUME(StringToken) },
    ]);
    return this.ACTION(() => {
      if (token.tokenType === NumberToken) return numberOfToken(token);
      if (token.tokenType === WordToken) return { kind: 'name', ...wordOfToken(token) };
      return { kind: 'sign', text: token.image, ...spanOfToken(token) };
    });
  });

  /** `{ turnaround rbs / gabl : 1.01 … }`. */
  private readonly quoted = this.RULE('quoted', (): PropertyContent => {
    const { items, start, end } = this.SUBRULE(this.quotedEntries);
    return { kind: 'quoted', entries: items, body: { start, end } };
  });

  private readonly quotedEntries = this.bracketed('quotedEntries', {
    open: LeftBrace,
    close: RightBrace,
    closer: '}',
    what: 'quoted numbers',
    advice: quotedAdvice,
    commas: 'optional',
    item: (closer) => this.SUBRULE(this.quotedEntry, { ARGS: [closer] }),
  });

  /** Up to the number behind the colon, with what is added to it, or the end of the line. */
  private readonly quotedEntry = this.RULE('quotedEntry', (closer?: IToken): QuotedNode => {
    const first = this.CONSUME(WordToken);
    const parts: PhrasePart[] = [{ kind: 'name', ...wordOfToken(first) }];
    const goesOn = (): boolean =>
      this.LA(1).tokenType === Percent ||
      (nextIs(this.at, Comma) && quotedAdditions.some((word) => word === this.LA(2).image));
    const isWhole = (): boolean => parts.some(isColon) && endsQuoted(parts.at(-1)) && !goesOn();
    this.MANY({
      GATE: () => this.inside(closer) && onSameLine(this.at) && !isWhole(),
      DEF: () => {
        const part = this.SUBRULE(this.phrasePart);
        parts.push(part);
      },
    });
    return this.ACTION(() => ({ parts, ...this.spanFrom(first) }));
  });

  /** `a, b(map rcb)`. */
  private readonly names = this.RULE('names', (of?: DeclarationKind): PropertyContent => {
    const names: NamedNode[] = [];
    const first = this.SUBRULE(this.namedNode, { ARGS: [of] });
    names.push(first);
    this.MANY({
      GATE: () => nextNameAhead(this.at, this.kind),
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
    let own: Group<PropertyNode> | undefined;
    this.OPTION({
      GATE: () => of === 'job' && this.kind === 'placement',
      DEF: () => (own = this.SUBRULE(this.ownChoices)),
    });
    return this.ACTION(() => ({
      ...wordOfToken(token),
      ...(own === undefined ? {} : { parentheses: { start: own.start, end: own.end }, own: own.items }),
    }));
  });

  /** `(allocate nodes [0..15], map rcb)` behind the name of a job. */
  private readonly ownChoices = this.bracketed('ownChoices', {
    ...parentheses,
    what: 'choices of the job',
    advice: ownAdvice,
    item: (closer) => this.SUBRULE(this.ownChoice, { ARGS: [closer] }),
  });

  /** `map rcb`, `cores-per-task 8`; undefined where a job has no such property. */
  private readonly ownChoice = this.RULE('ownChoice', (closer?: IToken): PropertyNode | undefined => {
    const token = this.CONSUME(WordToken);
    const word = this.ACTION(() => this.ownWordMeant(token));
    const specification = this.ACTION(() => (word === undefined ? undefined : propertyOf('placement', word)));
    const form = specification?.content;
    let content: PropertyContent | undefined;
    this.OPTION({
      GATE: () => form?.form === 'choice' && this.inside(closer),
      DEF: () => {
        const choice = this.SUBRULE(this.choice, { ARGS: [form?.form === 'choice' ? form.source : undefined] });
        content = { kind: 'choice', choice };
      },
    });
    this.OPTION2({
      GATE: () => form?.form === 'integer' && this.inside(closer) && !nextIs(this.at, Comma),
      DEF: () => (content = { kind: 'value', value: this.SUBRULE(this.literal) }),
    });
    this.OPTION3({
      GATE: () => form?.form === 'phrase' && this.inside(closer) && !nextIs(this.at, Comma),
      DEF: () => (content = { kind: 'phrase', parts: [this.SUBRULE(this.phrasePart)] }),
    });
    this.SUBRULE(this.run, {
      ARGS: [
        () => word === undefined && this.inside(closer) && (this.skipUntil !== undefined || !nextIs(this.at, Comma)),
      ],
    });
    return this.ACTION(() => {
      if (word === undefined) return undefined;
      if (content === undefined && specification !== undefined) {
        this.report(missingValue(specification, token, undefined));
      }
      return {
        word: { ...wordOfToken(token), text: word },
        content: content ?? { kind: 'value' },
        ...this.spanFrom(token),
      };
    });
  });

  /** A property that a job may have, or the one of them that is near; a slip is reported. */
  private ownWordMeant(token: IToken): string | undefined {
    if (ownWords.includes(token.image)) return token.image;
    const meant = nearest(token.image, ownWords);
    this.report(unknownOwnChoice(token, meant));
    return meant;
  }

  /** `0 -- 2, 4, 9`. */
  private readonly link = this.RULE('link', (): PropertyContent => {
    const from = this.CONSUME(NumberToken);
    const to: IToken[] = [];
    this.OPTION(() => {
      this.CONSUME(Cable);
      this.OPTION2(() => {
        to.push(this.CONSUME2(NumberToken));
        // A comma with nothing behind it is left to `skipRest`: consuming it would have no way back.
        this.MANY({
          GATE: () => nextIs(this.at, Comma) && nextIs(this.at, NumberToken, 2),
          DEF: () => {
            this.CONSUME(Comma);
            to.push(this.CONSUME3(NumberToken));
          },
        });
      });
    });
    const figures: OptionNode[] = [];
    this.ACTION(() => (this.takesUnit = true));
    this.MANY2({
      GATE: () =>
        to.length > 0 && onSameLine(this.at) && cableFigures.has(this.LA(1).image) && nextIs(this.at, NumberToken, 2),
      DEF: () => figures.push(this.SUBRULE(this.cableFigure)),
    });
    return this.ACTION(() => ({
      kind: 'link',
      from: numberOfToken(from),
      to: to.map(numberOfToken),
      ...(figures.length === 0 ? {} : { figures }),
    }));
  });

  /** `bandwidth 5 GB/s` behind a cable. */
  private readonly cableFigure = this.RULE('cableFigure', (): OptionNode => {
    const name = this.CONSUME(WordToken);
    const value = this.SUBRULE(this.literal);
    return this.ACTION(() => ({ name: wordOfToken(name), values: [value], ...this.spanFrom(name) }));
  });

  /** `(1, 0, 0) weight 0.5`. */
  private readonly offset = this.RULE('offset', (): PropertyContent => {
    const components = this.SUBRULE(this.components);
    let weight: NumberValue | undefined;
    this.OPTION({
      GATE: () => this.LA(1).image === 'weight',
      DEF: () => (weight = this.SUBRULE(this.weight)),
    });
    return this.ACTION(() => ({
      kind: 'offset',
      components: components.items.map(numberOfToken),
      ...(weight === undefined ? {} : { weight }),
    }));
  });

  private readonly components = this.bracketed('components', {
    ...parentheses,
    what: 'offset',
    advice: 'An offset holds whole numbers: `(1, 0, -1)`.',
    commas: 'optional',
    item: () => this.CONSUME(NumberToken),
  });

  private readonly weight = this.wordThen('weight', {
    code: 'missing-number',
    message: 'Write the weight as a number: `weight 0.5`.',
    part: () => {
      const number = this.CONSUME(NumberToken);
      return this.ACTION(() => numberOfToken(number));
    },
  });

  // Entries of tables, and what is neither an entry nor a property.

  /** `0 -> 1 : 40`; undefined where a part is missing. */
  private readonly tableEntry = this.RULE('tableEntry', (): TableEntryNode | undefined => {
    const from = this.CONSUME(NumberToken);
    let to: IToken | undefined;
    let colon: IToken | undefined;
    let amount: IToken | undefined;
    this.OPTION({ GATE: () => onSameLine(this.at), DEF: () => this.CONSUME(Arrow) });
    this.OPTION2({ GATE: () => onSameLine(this.at), DEF: () => (to = this.CONSUME2(NumberToken)) });
    this.OPTION3({ GATE: () => onSameLine(this.at), DEF: () => (colon = this.CONSUME(Colon)) });
    this.OPTION4({
      GATE: () => onSameLine(this.at) && !entryAhead(this.at, this.kind),
      DEF: () => (amount = this.CONSUME3(NumberToken)),
    });
    const rest = this.skipRest();
    return this.ACTION(() => {
      const isComplete = to !== undefined && amount !== undefined;
      if (rest !== undefined) this.report(textBehindEntry(rest, isComplete));
      else if (!isComplete) {
        const goesOn = [Arrow, Colon, NumberToken].some((type) => nextIs(this.at, type));
        const end = to === undefined ? undefined : colon === undefined ? ' : 1' : ' 1';
        this.report(incompleteEntry(this.spanFrom(from), end, goesOn && !entryAhead(this.at, this.kind)));
      }
      if (to === undefined || amount === undefined) return undefined;
      const parts = { from: numberOfToken(from), to: numberOfToken(to), amount: numberOfToken(amount) };
      return { ...parts, start: parts.from.start, end: parts.amount.end };
    });
  });

  /** Text that begins neither a property nor an entry, up to the next one: one problem. */
  private readonly strayProperty = this.RULE('strayProperty', (): void => {
    const first = this.CONSUME(AnyToken);
    this.ACTION(() => {
      this.noteSkipped(first);
    });
    this.skipRest();
    this.ACTION(() => {
      this.report(strayProperty(this.kind, this.spanFrom(first)));
    });
  });

  // Choices: catalogue words with an argument, a format, and options in parentheses.

  /** `torus 4 x 4`, `random(count 512)`, `same-as by-hand`, `from "FILE" as FORMAT`. */
  private readonly choice = this.RULE('choice', (source?: ChoiceSource): ChoiceNode => {
    const name = this.CONSUME(WordToken);
    let argument: Value | undefined;
    let as: Word | undefined;
    let options: Group<OptionNode | Nameless> | undefined;
    this.ACTION(() => (this.takesNameless = source !== undefined && namelessSources.has(source)));
    this.OPTION(() => (argument = this.SUBRULE(this.literal)));
    this.OPTION2({
      GATE: () =>
        argument === undefined && source === 'allocators' && argumentNameAhead(this.at, this.kind, name.image),
      DEF: () => (argument = this.SUBRULE(this.name)),
    });
    this.OPTION3({
      GATE: () => this.LA(1).image === 'as' && onSameLine(this.at),
      DEF: () => (as = this.SUBRULE(this.format)),
    });
    this.OPTION4({
      GATE: () =>
        argument === undefined && !this.takesNameless && mayTakeShape(name.image) && shapeInParentheses(this.at),
      DEF: () => (argument = this.SUBRULE(this.parenthesised)),
    });
    this.OPTION5(() => (options = this.SUBRULE(this.options)));
    return this.ACTION(() => {
      const items = options?.items ?? [];
      const nameless = items.flatMap((item) => ('nameless' in item ? [item.nameless] : []));
      return {
        name: wordOfToken(name),
        ...(argument === undefined ? {} : { argument }),
        ...(as === undefined ? {} : { as }),
        ...(options === undefined ? {} : { parentheses: { start: options.start, end: options.end } }),
        options: items.flatMap((item) => ('nameless' in item ? [] : [item])),
        ...(nameless.length === 0 ? {} : { positional: nameless }),
        ...this.spanFrom(name),
      };
    });
  });

  /** `"run.goal" as goal(computing ignored)`: the word of the property stands for the name of the choice. */
  private readonly fileChoice = this.RULE('fileChoice', (word?: IToken): ChoiceNode => {
    let as: Word | undefined;
    let options: Group<OptionNode | Nameless> | undefined;
    this.ACTION(() => (this.takesNameless = false));
    const argument = this.SUBRULE(this.text);
    this.OPTION({
      GATE: () => this.LA(1).image === 'as' && onSameLine(this.at),
      DEF: () => (as = this.SUBRULE(this.format)),
    });
    this.OPTION2(() => (options = this.SUBRULE(this.options)));
    return this.ACTION(() => ({
      name: wordOfToken(word ?? this.LA(0)),
      argument,
      ...(as === undefined ? {} : { as }),
      ...(options === undefined ? {} : { parentheses: { start: options.start, end: options.end } }),
      options: (options?.items ?? []).flatMap((item) => ('nameless' in item ? [] : [item])),
      start: argument.start,
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
      const span = this.spanFrom(open);
      this.report(shapeOutsideParentheses(span, sides.map(({ text }) => text).join(' x ')));
      const [only] = sides;
      return sides.length === 1 && only !== undefined ? only : { kind: 'shape', sides, ...span };
    });
  });

  /** `as FORMAT`. */
  private readonly format = this.wordThen('format', {
    code: 'missing-value',
    message: 'Write the name of the format after `as`.',
    gate: () => onSameLine(this.at),
    part: () => {
      const word = this.CONSUME2(WordToken);
      return this.ACTION(() => wordOfToken(word));
    },
  });

  /** `(count 512, seed 3)` behind the name of a choice; `(1, 16)` where names may be left out. */
  private readonly options = this.bracketed('options', {
    ...parentheses,
    what: 'options',
    advice: 'Options are written `name value, name value`.',
    gate: () => this.takesNameless || nextIs(this.at, WordToken),
    item: (closer) => this.SUBRULE(this.optionOrValue, { ARGS: [closer] }),
  });

  private readonly optionOrValue = this.RULE('optionOrValue', (closer?: IToken): OptionNode | Nameless =>
    this.OR([
      { ALT: () => this.SUBRULE(this.optionNode, { ARGS: [closer] }) },
      { ALT: () => ({ nameless: this.SUBRULE(this.literal) }) },
    ]),
  );

  /** `block 2 x 2 x 4`, `order z, y, x`: a bare name after a comma continues the values. */
  private readonly optionNode = this.RULE('optionNode', (closer?: IToken): OptionNode => {
    const name = this.CONSUME(WordToken);
    const values: Value[] = [];
    let expects = true;
    const goesOn = (): boolean => {
      if (!this.inside(closer)) return false;
      if (nextIs(this.at, Comma)) return !expects && values.length > 0 && optionGoesOn(this.at, closer);
      return expects || !nextIs(this.at, WordToken);
    };
    this.MANY({
      GATE: goesOn,
      DEF: () => {
        const value = this.OR([
          { ALT: () => void this.CONSUME(Comma) },
          { ALT: () => this.SUBRULE(this.literal) },
          { ALT: () => this.SUBRULE(this.nameOfEntry) },
        ]);
        if (value !== undefined) values.push(value);
        expects = value === undefined;
      },
    });
    return this.ACTION(() => ({ name: wordOfToken(name), values, ...this.spanFrom(name) }));
  });

  // Values: numbers with units, shapes, strings, lists, names.

  /** Any value but a name. */
  private readonly literal = this.RULE('literal', (): Value =>
    this.OR([
      { ALT: () => this.SUBRULE(this.numeric) },
      { ALT: () => this.SUBRULE(this.text) },
      { ALT: (): ListValue => ({ kind: 'list', ...this.SUBRULE(this.list) }) },
    ]),
  );

  private readonly name = this.RULE('name', (): NameValue => {
    const token = this.CONSUME(WordToken);
    return this.ACTION(() => ({ kind: 'name', ...wordOfToken(token) }));
  });

  /** `rbs`, `window(2)`: a name of a list's entry with all that is written of it. */
  private readonly nameOfEntry = this.RULE('nameOfEntry', (): NameValue => {
    const token = this.CONSUME(WordToken);
    const further: IToken[] = [];
    this.OPTION({
      GATE: () => nextIs(this.at, LeftParenthesis) && this.brackets.closers.has(this.LA(1)),
      DEF: () => {
        const open = this.CONSUME(LeftParenthesis);
        further.push(open);
        const closer = this.ACTION(() => this.brackets.closers.get(open));
        this.MANY({
          GATE: () => this.LA(1) !== closer && isToken(this.at, 1),
          DEF: () => further.push(this.CONSUME(AnyToken)),
        });
        further.push(this.CONSUME(RightParenthesis));
      },
    });
    return this.ACTION(() => {
      const word = wordOfToken(token);
      const text = entryText([word.text, ...further.map(({ image }) => image)]);
      return { kind: 'name', text, ...this.spanFrom(token) };
    });
  });

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
      this.OPTION({ GATE: () => onSameLine(this.at), DEF: () => (side = this.CONSUME2(NumberToken)) });
      this.ACTION(() => {
        if (side !== undefined) sides.push(side);
        else this.report(missingPart('missing-number', cross, 'Write the number of the next side after `x`.'));
        if (!'x×'.includes(cross.image)) this.report(wrongCross(cross));
      });
    });
    this.OPTION2({
      GATE: () => !crossed && unitAhead(this.at, this.kind, this.takesUnit),
      DEF: () => (unit = this.SUBRULE(this.unit)),
    });
    return this.ACTION(() => {
      const number = numberOfToken(first);
      if (crossed) return { kind: 'shape', sides: sides.map(numberOfToken), ...this.spanFrom(first) };
      return unit === undefined ? number : { kind: 'quantity', number, unit, start: number.start, end: unit.end };
    });
  });

  private readonly unit = this.RULE('unit', (): Word => {
    const tokens: IToken[] = [];
    this.OR([
      { ALT: () => tokens.push(this.CONSUME(Percent)) },
      { ALT: () => tokens.push(this.CONSUME(WordToken)) },
      { ALT: () => tokens.push(this.CONSUME(Slash)) },
    ]);
    this.OPTION({
      GATE: () => tokens[0]?.tokenType === WordToken && onSameLine(this.at),
      DEF: () => tokens.push(this.CONSUME2(Slash)),
    });
    this.OPTION2({
      GATE: () => tokens.at(-1)?.tokenType === Slash && onSameLine(this.at) && !propertyAhead(this.at, this.kind),
      DEF: () => tokens.push(this.CONSUME2(WordToken)),
    });
    return this.ACTION(() => ({ text: tokens.map(({ image }) => image).join(''), ...this.spanFrom(tokens[0]!) }));
  });

  /** A double-quoted path. */
  private readonly text = this.RULE('text', (): StringValue => {
    const token = this.CONSUME(StringToken);
    return this.ACTION(() => {
      const closed = !tokenMatcher(token, UnclosedString);
      if (!closed) this.report(unclosedString(token));
      return { kind: 'string', text: token.image.slice(1, closed ? -1 : undefined), ...spanOfToken(token) };
    });
  });

  /** `[0..63, 70]`. */
  private readonly list = this.bracketed('list', {
    open: LeftBracket,
    close: RightBracket,
    closer: ']',
    what: 'list',
    advice: 'A list holds whole numbers, ranges and names in quotes: `[0..63, 70, "n07"]`.',
    item: () => this.SUBRULE(this.listItem),
  });

  private readonly listItem = this.RULE('listItem', (): ListRange | StringValue =>
    this.OR([{ ALT: () => this.SUBRULE(this.range) }, { ALT: () => this.SUBRULE(this.text) }]),
  );

  private readonly range = this.RULE('range', (): ListRange => {
    const from = this.CONSUME(NumberToken);
    let dots: IToken | undefined;
    let to: IToken | undefined;
    let unit: IToken | undefined;
    let share: NumberValue | QuantityValue | undefined;
    this.OPTION(() => {
      dots = this.CONSUME(DotDot);
      this.OPTION2(() => (to = this.CONSUME2(NumberToken)));
    });
    this.OPTION3(() => (unit = this.CONSUME(Percent)));
    this.OPTION4(() => (share = this.SUBRULE(this.share)));
    return this.ACTION(() => {
      if (dots !== undefined && to === undefined) {
        this.report(missingPart('missing-number', dots, 'Write the last number of the range after `..`.'));
      }
      return {
        kind: 'range',
        from: numberOfToken(from),
        ...(to === undefined ? {} : { to: numberOfToken(to) }),
        ...(unit === undefined ? {} : { unit: wordOfToken(unit) }),
        ...(share === undefined ? {} : { share }),
      };
    });
  });

  /** `: 40 %` behind a value. */
  private readonly share = this.wordThen('share', {
    code: 'missing-number',
    message: 'Write the share of the value after `:`, as in `[2: 40%, 4: 60%]`.',
    word: Colon,
    part: () => {
      const number = this.CONSUME(NumberToken);
      let unit: IToken | undefined;
      this.OPTION2(() => (unit = this.CONSUME(Percent)));
      return this.ACTION((): NumberValue | QuantityValue => {
        const value = numberOfToken(number);
        if (unit === undefined) return value;
        return { kind: 'quantity', number: value, unit: wordOfToken(unit), start: value.start, end: tokenEnd(unit) };
      });
    },
  });

  // Makers of rules that are alike, and what is skipped.

  /** Makes the rule of a word with what must follow it: `as FORMAT`, `weight 0.5`, `from "FILE"`. */
  private wordThen<Part>(name: string, { code, message, part, gate, word: type = WordToken }: WordThen<Part>) {
    return this.RULE(name, (): Part | undefined => {
      const word = this.CONSUME(type);
      let found: Part | undefined;
      this.OPTION({ GATE: () => gate?.() !== false, DEF: () => (found = part()) });
      return this.ACTION(() => {
        if (found === undefined) this.report(missingPart(code, word, message));
        return found;
      });
    });
  }

  /** Makes the rule of items in brackets with commas between them. What is neither of these is one problem. */
  private bracketed<Item>(name: string, shape: Bracketed<Item>) {
    return this.RULE(name, (): Group<Item> => {
      const open = this.CONSUME(shape.open);
      const closer = this.ACTION(() => this.brackets.closers.get(open));
      this.ACTION(() => closer !== undefined && this.enclosing.add(closer));
      const items: Item[] = [];
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
                GATE: () => shape.gate?.() !== false,
                ALT: () => {
                  const start = this.ACTION(() => this.LA(1).startOffset);
                  const item = shape.item(closer);
                  if (item === undefined) return;
                  this.ACTION(() => {
                    if (!separated && shape.commas !== 'optional') this.report(missingComma(start));
                  });
                  separated = false;
                  items.push(item);
                },
              },
              {
                ALT: () => {
                  this.SUBRULE(this.junk, { ARGS: [closer, shape.advice] });
                },
              },
            ],
          });
        },
      });
      this.OPTION({ GATE: () => this.LA(1) === closer, DEF: () => this.CONSUME(shape.close) });
      return this.ACTION(() => {
        if (closer === undefined) this.reportUnclosed(open, shape.what, shape.closer);
        else this.enclosing.delete(closer);
        return { items, ...this.spanFrom(open) };
      });
    });
  }

  /** Within brackets: up to the closing token; where there is none, to that of brackets round them or the line's end. */
  private inside(closer: IToken | undefined): boolean {
    if (this.atEnd()) return false;
    if (closer !== undefined) return this.LA(1) !== closer;
    if (this.enclosing.has(this.LA(1))) return false;
    return onSameLine(this.at) && !nextIs(this.at, RightBrace) && !nextIs(this.at, LeftBrace);
  }

  /**
   * Reports an opening token that nothing closes, with a fix that closes it behind what was read. None is offered
   * where that would stand in a string, or close another brace that is open within.
   */
  private reportUnclosed(open: IToken, what: string, closer: Closer): void {
    const end = this.lastEnd();
    const within = this.brackets.nextUnclosed.get(open);
    const isSure = !tokenMatcher(this.LA(0), UnclosedString) && !(within !== undefined && within.startOffset < end);
    this.report(unclosed(open, what, closer, isSure ? end : undefined));
  }

  /** A run within brackets that means nothing there: one problem. */
  private readonly junk = this.RULE('junk', (closer?: IToken, advice?: string): void => {
    const first = this.CONSUME(AnyToken);
    this.SUBRULE(this.run, {
      ARGS: [() => this.inside(closer) && !nextIs(this.at, Comma) && !nextIs(this.at, NumberToken), 'by-token'],
    });
    this.ACTION(() => {
      this.report(unexpectedText(this.spanFrom(first), advice ?? ''));
    });
  });

  /** Takes what is left of a property: the rest of its line up to the next property. */
  private skipRest(): Span | undefined {
    return this.SUBRULE(this.run, { ARGS: [this.restGoesOn] });
  }

  private readonly restGoesOn = (isFirst: boolean): boolean =>
    this.skips() && (!isFirst || !nearPropertyAhead(this.at, this.kind));

  /** What comes next belongs to the property before it, whatever it is. O(1). */
  private skips(): boolean {
    if (this.atEnd()) return false;
    if (this.skipUntil !== undefined) return true;
    if (nextIs(this.at, RightBrace) || !onSameLine(this.at)) return false;
    if (this.kind === undefined) return this.LA(1).image !== 'import' && declarationAhead(this.at) === undefined;
    return !propertyAhead(this.at, this.kind) && !entryAhead(this.at, this.kind);
  }

  /** The tokens that `goesOn` lets pass, brackets as one where they go by group; undefined where there are none. */
  private readonly run = this.RULE(
    'run',
    (goesOn?: (isFirst: boolean) => boolean, unit: 'by-group' | 'by-token' = 'by-group'): Span | undefined => {
      let first: IToken | undefined;
      this.MANY({
        GATE: () => goesOn?.(first === undefined) === true,
        DEF: () => {
          const token = this.CONSUME(AnyToken);
          first ??= token;
          this.ACTION(() => {
            if (unit === 'by-group') this.noteSkipped(token);
          });
        },
      });
      return this.ACTION(() => (first === undefined ? undefined : this.spanFrom(first)));
    },
  );

  /** To be called for each token skipped: brackets are skipped as one. */
  private noteSkipped(token: IToken): void {
    if (token === this.skipUntil) this.skipUntil = undefined;
    else this.skipUntil ??= this.brackets.closers.get(token);
  }
}

/** What is read of a file. */
interface ParsedFile {
  readonly imports: readonly ImportNode[];
  readonly declarations: readonly DeclarationNode[];
}

interface Body extends Span {
  readonly properties: readonly PropertyNode[];
  readonly entries: readonly TableEntryNode[];
  /** It begins with a `{`. */
  readonly isOpened: boolean;
}

/** A value in parentheses whose name is left out. */
interface Nameless {
  readonly nameless: Value;
}

/** Items in brackets, with the brackets. */
interface Group<Item> extends Span {
  readonly items: readonly Item[];
}

/** What differs between rules of items in brackets. */
interface Bracketed<Item> {
  readonly open: TokenType;
  readonly close: TokenType;
  readonly closer: Closer;
  /** What the brackets hold, for messages. */
  readonly what: string;
  /** Said of what is neither an item nor a comma. */
  readonly advice: string;
  /** Whether the next token can begin an item. */
  readonly gate?: () => boolean;
  /** Items may stand without commas between them. */
  readonly commas?: 'optional';
  /** Reads one; undefined where it turns out to be none. */
  readonly item: (closer: IToken | undefined) => Item | undefined;
}

/** What differs between rules of a word with what must follow it. */
interface WordThen<Part> {
  /** Of the problem where nothing follows. */
  readonly code: 'missing-number' | 'missing-value';
  readonly message: string;
  readonly part: () => Part;
  /** A sign in the place of the word. */
  readonly word?: TokenType;
  /** Whether the next token can be the part. */
  readonly gate?: () => boolean;
}

/** What stands behind the first figure of links. */
const linkFigures = (further: readonly Value[], groups: Group<OptionNode | Nameless> | undefined) => ({
  ...(further.length === 0 ? {} : { further }),
  ...(groups === undefined
    ? {}
    : {
        groups: groups.items.flatMap((item) => ('nameless' in item ? [] : [item])),
        parentheses: { start: groups.start, end: groups.end },
      }),
});

const endsQuoted = (part: PhrasePart | undefined): boolean =>
  part?.kind === 'number' || part?.text === '%' || part?.text === 'differs';

const isColon = (part: PhrasePart | undefined): boolean => part?.kind === 'sign' && part.text === ':';

/** What a property holds whose value is missing. */
function emptyContent(specification: PropertySpecification): PropertyContent {
  switch (specification.content.form) {
    case 'names':
      return { kind: 'names', names: [] };
    case 'flag':
      return { kind: 'flag' };
    case 'choices':
      return { kind: 'choices', choices: [] };
    case 'phrase':
      return { kind: 'phrase', parts: [] };
    case 'quoted':
      return { kind: 'quoted', entries: [] };
    case 'link':
      return { kind: 'link', to: [] };
    case 'offset':
      return { kind: 'offset', components: [] };
    default:
      return { kind: 'value' };
  }
}
