/**
 * Which messages of an editor are let in: none that comes at a wrong time, none about a document that makes no sense.
 */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import {
  ErrorCodes,
  LSPErrorCodes,
  Message,
  ResponseError,
  type Connection,
  type ConnectionOptions,
  type RequestMessage,
  type TextDocuments,
} from 'vscode-languageserver';
import { isObject } from '../../model/result.ts';

/** What requests are turned into that come at a wrong time; no editor sends it. */
const refusedRequest = 'placewright/refused';

interface Refusal {
  readonly code: number;
  readonly message: string;
}

/** When what may be asked of a server: nothing before `initialize`, nothing but `exit` after `shutdown`. */
export class Lifecycle {
  #state: 'new' | 'running' | 'shut down' = 'new';

  /**
   * Of a connection that keeps to it, and that answers requests which were cancelled before their turn as cancelled.
   */
  readonly options: ConnectionOptions = {
    messageStrategy: {
      handleMessage: (message, next) => {
        if (Message.isRequest(message)) return next(this.#admitted(message));
        // Notifications have no answer; one that comes too early or too late is dropped.
        const isExit = Message.isNotification(message) && message.method === 'exit';
        return this.#state === 'running' || isExit || Message.isResponse(message) ? next(message) : undefined;
      },
    },
    connectionStrategy: {
      cancelUndispatched: (message) =>
        Message.isRequest(message)
          ? { jsonrpc: '2.0', id: message.id, error: { code: LSPErrorCodes.RequestCancelled, message: 'Cancelled.' } }
          : undefined,
    },
  };

  /** Answers what was refused. */
  answerRefused(connection: Connection): void {
    connection.onRequest(refusedRequest, ({ code, message }: Refusal) => new ResponseError(code, message));
  }

  #admitted(message: RequestMessage): RequestMessage {
    const refusal = this.#refusalOf(message.method);
    if (refusal !== undefined) return { ...message, method: refusedRequest, params: refusal };
    if (message.method === 'initialize') this.#state = 'running';
    if (message.method === 'shutdown') this.#state = 'shut down';
    return message;
  }

  #refusalOf(method: string): Refusal | undefined {
    if (this.#state === 'shut down') {
      return { code: ErrorCodes.InvalidRequest, message: 'The server has been shut down; it waits for `exit` only.' };
    }
    if (this.#state === 'running' && method === 'initialize') {
      return { code: ErrorCodes.InvalidRequest, message: 'The server has been initialized already.' };
    }
    if (this.#state === 'new' && method !== 'initialize') {
      return {
        code: ErrorCodes.ServerNotInitialized,
        message: 'The server has not been initialized: send `initialize`.',
      };
    }
    return undefined;
  }
}

/**
 * Writes down what went wrong where nobody waited for it, and goes on: one file's fault must not end the others'
 * server.
 */
export function reportFault(connection: Connection, error: unknown): void {
  const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
  connection.console.error(`Internal error in the language server: ${words}`);
}

type DocumentConnection = Parameters<TextDocuments<TextDocument>['listen']>[0];

/**
 * The connection as the keeper of documents sees it: what an editor says about documents, unless it makes no sense.
 * A text that is no string would be kept, and break everything that looks at it later.
 */
export function checkedDocuments(connection: Connection): DocumentConnection {
  const checked =
    <Parameters>(isUsable: (parameters: unknown) => boolean, handle: (parameters: Parameters) => unknown) =>
    (parameters: Parameters): void => {
      if (isUsable(parameters)) void handle(parameters);
      else connection.console.error('Ignored a document message without URI or text.');
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
