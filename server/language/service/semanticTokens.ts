import type { SemanticTokens, SemanticTokensLegend } from 'vscode-languageserver-types';
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
 * lines and characters relative to the token before.
 */
export function semanticTokens(input: ServiceInput): SemanticTokens {
  const data: number[] = [];
  let lastLine = 0;
  let lastCharacter = 0;
  for (const mark of marksOf(treeOf(input))) {
    const token = tokenOf(mark);
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
