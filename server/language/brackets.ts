import type { IToken, TokenType } from 'chevrotain';
import { LeftBrace, LeftBracket, LeftParenthesis, RightBrace, RightBracket, RightParenthesis } from './tokens.ts';

/** What closes what in a text. */
export interface Brackets {
  readonly closers: ReadonlyMap<IToken, IToken>;
  /** From each `{` without a `}` to the next such one. */
  readonly nextUnclosed: ReadonlyMap<IToken, IToken>;
}

/**
 * Which token closes which: from each opening token that is closed to its closing one. A brace
 * on either side ends what is open within it, so a forgotten `)` never reaches the next
 * declaration; and so does a `)` or `]` that closes something, so that a stray `[` takes no `)` away. O(tokens).
 */
export function matchBrackets(tokens: readonly IToken[]): Brackets {
  const closers = new Map<IToken, IToken>();
  const braces: IToken[] = [];
  /** Parentheses and brackets that are open since the last brace. */
  let open: IToken[] = [];
  const isOpen = new Map([LeftParenthesis, LeftBracket].map((type) => [type, 0]));
  const close = (token: IToken, opener: TokenType): void => {
    if (isOpen.get(opener) === 0) return;
    for (let last = open.pop()!; ; last = open.pop()!) {
      isOpen.set(last.tokenType, isOpen.get(last.tokenType)! - 1);
      if (last.tokenType !== opener) continue;
      closers.set(last, token);
      return;
    }
  };
  const forget = (): void => {
    open = [];
    for (const type of isOpen.keys()) isOpen.set(type, 0);
  };
  for (const token of tokens) {
    switch (token.tokenType) {
      case LeftBrace:
        forget();
        braces.push(token);
        break;
      case RightBrace: {
        forget();
        const opener = braces.pop();
        if (opener !== undefined) closers.set(opener, token);
        break;
      }
      case LeftParenthesis:
      case LeftBracket:
        open.push(token);
        isOpen.set(token.tokenType, isOpen.get(token.tokenType)! + 1);
        break;
      case RightParenthesis:
        close(token, LeftParenthesis);
        break;
      case RightBracket:
        close(token, LeftBracket);
        break;
    }
  }
  const nextUnclosed = new Map(braces.slice(1).map((brace, before) => [braces[before]!, brace]));
  return { closers, nextUnclosed };
}
