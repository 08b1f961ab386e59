import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Connection, TextDocuments } from 'vscode-languageserver/node';

type DocumentConnection = Parameters<TextDocuments<TextDocument>['listen']>[0];

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const namesDocument = (value: unknown): boolean =>
  isObject(value) && isObject(value['textDocument']) && typeof value['textDocument']['uri'] === 'string';

const opensDocument = (value: unknown): boolean =>
  namesDocument(value) && typeof (value as { textDocument: Record<string, unknown> }).textDocument['text'] === 'string';

const changesDocument = (value: unknown): boolean =>
  namesDocument(value) &&
  Array.isArray((value as Record<string, unknown>)['contentChanges']) &&
  (value as { contentChanges: unknown[] }).contentChanges.every(
    (change) => isObject(change) && typeof change['text'] === 'string',
  );

/**
 * The connection as the keeper of documents sees it: what an editor says about documents, unless it makes no sense.
 * A text that is no string would be kept, and break everything that looks at it later.
 */
export function checkedDocuments(connection: Connection): DocumentConnection {
  const checked =
    <Parameters>(isUsable: (parameters: unknown) => boolean, handle: (parameters: Parameters) => unknown) =>
    (parameters: Parameters): void => {
      if (isUsable(parameters)) void handle(parameters);
      else connection.console.error('A message about a document was ignored: it has no URI, or no text.');
    };
  return {
    onDidOpenTextDocument: (handle) => connection.onDidOpenTextDocument(checked(opensDocument, handle)),
    onDidChangeTextDocument: (handle) => connection.onDidChangeTextDocument(checked(changesDocument, handle)),
    onDidCloseTextDocument: (handle) => connection.onDidCloseTextDocument(checked(namesDocument, handle)),
    onDidSaveTextDocument: (handle) => connection.onDidSaveTextDocument(checked(namesDocument, handle)),
    onWillSaveTextDocument: (handle) => connection.onWillSaveTextDocument(handle),
    onWillSaveTextDocumentWaitUntil: (handle) => connection.onWillSaveTextDocumentWaitUntil(handle),
  };
}
