import type { IToken } from 'chevrotain';
import { LeftBrace, LeftBracket, LeftParenthesis, RightBrace, RightBracket, RightParenthesis } from './tokens.ts';

const openerOf = new Map([
  [RightBrace, LeftBrace],
  [RightParenthesis, LeftParenthesis],
  [RightBracket, LeftBracket],
]);

/**
 * Which token closes which: from each opening token that is closed to its closing one. A brace
 * on either side ends what is open within it, so a forgotten `)` never reaches the next
 * declaration. O(tokens).
 */
export function matchBrackets(tokens: readonly IToken[]): ReadonlyMap<IToken, IToken> {
  const closers = new Map<IToken, IToken>();
  const open: IToken[] = [];
  for (const token of tokens) {
    const type = token.tokenType;
    if (type === LeftBrace) {
      dropToBrace(open);
      open.push(token);
    } else if (type === LeftParenthesis || type === LeftBracket) {
      open.push(token);
    } else {
      const opener = openerOf.get(type);
      if (opener === undefined) continue;
      if (type === RightBrace) dropToBrace(open);
      if (open.at(-1)?.tokenType === opener) closers.set(open.pop()!, token);
    }
  }
  return closers;
}

function dropToBrace(open: IToken[]): void {
  while (open.length > 0 && open.at(-1)!.tokenType !== LeftBrace) open.pop();
}
