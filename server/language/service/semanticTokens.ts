/** Colours of words that depend on what they mean. */
import type { Range, SemanticTokens, SemanticTokensEdit, SemanticTokensLegend } from 'vscode-languageserver-types';
import { treeOf, type ServiceInput } from './input.ts';
import { marksOf, type Mark } from './marks.ts';

const tokenTypes = ['keyword', 'class', 'property', 'function', 'parameter', 'enumMember'] as const;
const tokenModifiers = ['declaration', 'defaultLibrary'] as const;

type TokenType = (typeof tokenTypes)[number];
type TokenModifier = (typeof tokenModifiers)[number];

/** The words behind the numbers of {@link semanticTokens}, for the server's capabilities. */
export const semanticTokensLegend: SemanticTokensLegend = {
  tokenTypes: [...tokenTypes],
  tokenModifiers: [...tokenModifiers],
};

/**
 * Colours that depend on meaning: a job called `grid` is a name, not a property. What looks the same everywhere, such
 * as numbers and comments, is left to the TextMate grammar. Encoded as the protocol asks: five integers per token,
 * lines and characters relative to the token before. Of a range only the tokens that touch it.
 */
export function semanticTokens(input: ServiceInput, range?: Range): SemanticTokens {
  const start = range === undefined ? 0 : input.document.offsetAt(range.start);
  const end = range === undefined ? Infinity : input.document.offsetAt(range.end);
  const data: number[] = [];
  let lastLine = 0;
  let lastCharacter = 0;
  for (const mark of marksOf(treeOf(input))) {
    const token = mark.span.end < start || mark.span.start > end ? undefined : tokenOf(mark);
    if (token === undefined) continue;
    const [type, modifier] = token;
    const { line, character } = input.document.positionAt(mark.span.start);
    const column = line === lastLine ? character - lastCharacter : character;
    data.push(line - lastLine, column, mark.span.end - mark.span.start, tokenTypes.indexOf(type), bitOf(modifier));
    lastLine = line;
    lastCharacter = character;
  }
  return { data };
}

/**
 * What turns the numbers of one answer into those of the next: what both begin and end with stays. Whole tokens are
 * replaced, since an editor may look at each. O(length).
 */
export function semanticTokenEdits(before: readonly number[], after: readonly number[]): SemanticTokensEdit[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  start -= start % numbersOfToken;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  end -= end % numbersOfToken;
  const deleteCount = before.length - start - end;
  const data = after.slice(start, after.length - end);
  return deleteCount === 0 && data.length === 0 ? [] : [{ start, deleteCount, data }];
}

const numbersOfToken = 5;

const bitOf = (modifier: TokenModifier | undefined): number =>
  modifier === undefined ? 0 : 1 << tokenModifiers.indexOf(modifier);

function tokenOf(mark: Mark): readonly [TokenType, TokenModifier?] | undefined {
  switch (mark.kind) {
    case 'import':
    case 'keyword':
      return ['keyword'];
    case 'declared':
      return ['class', 'declaration'];
    case 'reference':
      return ['class'];
    case 'catalogue':
      return ['function', 'defaultLibrary'];
    case 'option':
      return ['parameter'];
    case 'property':
      return ['property'];
    case 'word':
      return ['enumMember'];
    case 'amount':
    case 'quantity':
    case 'string':
      return undefined;
  }
}
