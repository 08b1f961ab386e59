import type { Diagnostic } from 'vscode-languageserver-types';

/** What a diagnostic says, as text; the protocol would also allow Markdown. */
export const messageText = ({ message }: Pick<Diagnostic, 'message'>): string =>
  typeof message === 'string' ? message : message.value;
