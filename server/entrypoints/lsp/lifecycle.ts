import {
  ErrorCodes,
  LSPErrorCodes,
  Message,
  ResponseError,
  type Connection,
  type ConnectionOptions,
  type RequestMessage,
} from 'vscode-languageserver/node';

/** What requests are turned into that come at a wrong time; no editor sends it. */
const refusedRequest = 'placewright/refused';

interface Refusal {
  readonly code: number;
  readonly message: string;
}

/** When what may be asked of a server: nothing before `initialize`, nothing but `exit` after `shutdown`. */
export class Lifecycle {
  #state: 'new' | 'running' | 'shut down' = 'new';

  /** Of a connection that keeps to it, and that answers requests which were cancelled before their turn as cancelled. */
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

  #refusalOf(method: string): { code: number; message: string } | undefined {
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

/** Writes down what went wrong where nobody waited for it, and goes on: one file's fault must not end the others' server. */
export function surviveFaults(connection: Connection): void {
  const report = (error: unknown): void => {
    const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
    connection.console.error(`A fault of the language server, which goes on: ${words}`);
  };
  process.on('uncaughtException', report);
  process.on('unhandledRejection', report);
}
