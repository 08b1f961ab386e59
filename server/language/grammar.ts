import type { IToken } from 'chevrotain';
import { BodyGrammar, type Body } from './bodyGrammar.ts';
import { matchBrackets } from './brackets.ts';
import { insert, replace } from './codes.ts';
import { joinedDeclaration, spanOfToken, wordOfToken } from './lookahead.ts';
import { declarationOf, declarations } from './properties.ts';
import { didYouMean, nearest, oneOf } from './suggestions.ts';
import { AnyToken, LeftBrace, RightBrace, StringToken, Word as WordToken } from './tokens.ts';
import type { DeclarationKind, DeclarationNode, ImportNode, Problem, Span, StringValue } from './tree.ts';

export interface ParsedFile {
  readonly imports: readonly ImportNode[];
  readonly declarations: readonly DeclarationNode[];
}

/**
 * The grammar of `.place` files: what stands outside braces. Each class adds to the one below:
 * Lookahead (questions and recovery), ValueGrammar, ChoiceGrammar, BodyGrammar, PlaceGrammar.
 * One instance is reused for every text.
 */
export class PlaceGrammar extends BodyGrammar {
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
      this.kind = undefined;
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

  /** Text outside every declaration, up to the next one: one problem. */
  private readonly strayText = this.RULE('strayText', (): void => {
    const first = this.CONSUME(AnyToken);
    const next = this.ACTION(() => this.LA(1));
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
      this.reportStray(first, next);
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

  private reportStray(first: IToken, next: IToken): void {
    const span = { start: first.startOffset, end: this.lastEnd() };
    if (first.tokenType === RightBrace) {
      // `fir}st`: what was meant there nobody knows.
      const next = this.LA(1);
      const splits = next.tokenType === WordToken && next.startOffset === span.end && !this.declarationAhead();
      const fix = splits ? undefined : replace(spanOfToken(first), '');
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
    // Without `{` behind it a declaration would lack more than its keyword.
    const isWhole = meant === 'import' && this.LA(0) === next && next.tokenType === StringToken;
    const fix = isWhole ? replace(spanOfToken(first), meant) : undefined;
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
      const isJoined = name === undefined && joinedDeclaration(keyword.image) === kind;
      const meant = isJoined ? `${kind} ${keyword.image.slice(kind.length)}` : kind;
      const message = `\`${keyword.image}\` starts no declaration.${didYouMean(meant)}`;
      this.report(spanOfToken(keyword), 'unknown-declaration', message, replace(spanOfToken(keyword), meant));
      if (isJoined) return;
    }
    if (name === undefined) {
      const message = `Give the ${kind} a name: letters, digits, \`_\` and single \`-\`, beginning with a letter.`;
      this.report(rest ?? spanOfToken(keyword), 'missing-name', message);
    } else if (rest !== undefined) {
      this.report(rest, 'unexpected-text', `Only \`{\` can follow the name \`${name.image}\`: remove this.`);
    } else if (!hasBody) {
      const message = `Say what the ${kind} is between \`{\` and \`}\` after its name.`;
      // The names in the example of a placement are declared nowhere.
      const body = kind === 'placement' ? undefined : bodyOf(declarationOf(kind)?.example);
      const fix = body === undefined ? undefined : insert(spanOfToken(name).end, ` ${body}`);
      this.report(spanOfToken(name), 'missing-body', message, fix);
    }
  }
}

/** From `{` to `}`. */
const bodyOf = (example: string | undefined): string | undefined => /\{.*\}/.exec(example ?? '')?.[0];
