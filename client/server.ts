/**
 * The language server as the rest of the client sees it. The entries, `extension.ts` and `webExtension.ts`, say how it is started.
 */
import {
  Disposable,
  EventEmitter,
  Uri,
  window,
  workspace,
  type CancellationToken,
  type Event,
  type ExtensionContext,
  type LogOutputChannel,
} from 'vscode';
import {
  DidCloseTextDocumentNotification,
  State,
  type BaseLanguageClient,
  type LanguageClientOptions,
} from 'vscode-languageclient';
import {
  methodOf,
  type AnswerTo,
  type EditorNotifications,
  type ParametersOf,
  type RequestName,
  type ServerNotifications,
} from '../server/protocol/calls.ts';
import type { InitializationOptions } from '../server/protocol/messages.ts';
import { hintsSaid, lensesSaid, sayProgress } from './words.ts';

/** The language server as the rest of the client sees it. `calls.ts` of the protocol has the names, and the types that go with them. */
export interface Server {
  /** The server works no further on a request once `token` is cancelled. */
  ask<Name extends RequestName>(
    name: Name,
    parameters: ParametersOf<Name>,
    token?: CancellationToken,
  ): Promise<AnswerTo<Name>>;
  /** Tells the server something that it does not answer. */
  tell<Name extends keyof EditorNotifications>(name: Name, message: EditorNotifications[Name]): void;
  /** Calls `listener` with every notification of this name, until what it returns is disposed of. */
  on<Name extends keyof ServerNotifications>(
    name: Name,
    listener: (message: ServerNotifications[Name]) => void,
  ): Disposable;
  /** It runs again, and knows of nothing but the documents that are open in the editor. */
  readonly onRestart: Event<void>;
  readonly output: LogOutputChannel;
  /** Ends when it answers for the first time; fails where it could not be started. */
  readonly ready: Promise<void>;
  /** What it was asked last, the oldest first, and how long each answer took. */
  requests(): readonly TimedRequest[];
  /** The server goes on reading a document after the editor has closed it, until this is disposed of. */
  keep(uri: string): Disposable;
  start(): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface TimedRequest {
  readonly method: string;
  readonly milliseconds: number;
  /** Absent where it was answered. */
  readonly fault?: string;
}

/** Requests that are remembered. */
const mostRequests = 200;

/** Makes the client of a server that is not started yet. */
export type CreateClient = (options: LanguageClientOptions) => BaseLanguageClient;

/** What documents are of ours, by where they lie. */
export type DocumentSchemes = readonly ('file' | 'untitled')[] | 'all';

/** A server that is not started yet. */
export function createServer(context: ExtensionContext, createClient: CreateClient, schemes: DocumentSchemes): Server {
  const output = window.createOutputChannel('Placewright', { log: true });
  /** By the name of the notification. */
  const emitters = new Map<string, EventEmitter<never>>();
  const restart = new EventEmitter<void>();
  /** How many want a document to be kept, by its URI. */
  const kept = new Map<string, number>();
  const requests: TimedRequest[] = [];
  const noteRequest = (request: TimedRequest): void => {
    requests.push(request);
    if (requests.length > mostRequests) requests.shift();
  };
  let [begin, fail]: [() => void, (why: unknown) => void] = [() => undefined, () => undefined];
  const ready = new Promise<void>((done, failed) => {
    [begin, fail] = [done, failed];
  });
  // Whoever starts it tells the user.
  ready.catch(() => undefined);
  const client = createClient(clientOptions(output, schemes, (uri) => kept.has(uri), noteRequest));
  let started = false;
  context.subscriptions.push(
    output,
    restart,
    client.onDidChangeState(({ newState }) => {
      if (newState !== State.Running) return;
      if (started) restart.fire();
      started = true;
    }),
  );
  return {
    ask: (name, parameters, token) => client.sendRequest(methodOf(name), parameters, token),
    tell: (name, message) => void client.sendNotification(methodOf(name), message),
    on(name, listener) {
      const emitter = emitters.get(name) ?? new EventEmitter<never>();
      if (!emitters.has(name)) {
        emitters.set(name, emitter);
        const forward = (message: unknown): void => {
          emitter.fire(message as never);
        };
        context.subscriptions.push(emitter, client.onNotification(methodOf(name), forward));
      }
      return emitter.event(listener);
    },
    onRestart: restart.event,
    output,
    ready,
    requests: () => [...requests],
    keep(uri) {
      const key = Uri.parse(uri).toString();
      kept.set(key, (kept.get(key) ?? 0) + 1);
      return new Disposable(() => {
        const count = kept.get(key)! - 1;
        if (count > 0) {
          kept.set(key, count);
          return;
        }
        kept.delete(key);
        const isOpen = workspace.textDocuments.some((document) => document.uri.toString() === key);
        // The editor closed it long ago; only now the server is told.
        if (!isOpen)
          void client.sendNotification(DidCloseTextDocumentNotification.type, { textDocument: { uri: key } });
      });
    },
    start: () => {
      const started = client.start();
      started.then(begin, fail);
      return started;
    },
    restart: async () => {
      await client.stop();
      await client.start();
    },
    stop: () => client.dispose(),
  };
}

function clientOptions(
  output: LogOutputChannel,
  schemes: DocumentSchemes,
  isKept: (uri: string) => boolean,
  note: (request: TimedRequest) => void,
): LanguageClientOptions {
  return {
    documentSelector:
      schemes === 'all' ? [{ language: 'place' }] : schemes.map((scheme) => ({ language: 'place', scheme })),
    outputChannel: output,
    // Hovers link to the reference; texts of files can run nothing else.
    markdown: { isTrusted: { enabledCommands: ['placewright.openReference'] } },
    middleware: {
      sendRequest: async (type, parameters, token, next) => {
        const method = typeof type === 'string' ? type : type.method;
        const started = performance.now();
        const milliseconds = (): number => Math.round(10 * (performance.now() - started)) / 10;
        try {
          const answer = await next(type, parameters, token);
          note({ method, milliseconds: milliseconds() });
          return answer;
        } catch (error) {
          note({ method, milliseconds: milliseconds(), fault: error instanceof Error ? error.name : 'unknown' });
          throw error;
        }
      },
      provideCodeLenses: async (document, token, next) => lensesSaid(await next(document, token)),
      provideInlayHints: async (document, range, token, next) => hintsSaid(await next(document, range, token)),
      handleWorkDoneProgress: (token, params, next) => {
        sayProgress(params);
        next(token, params);
      },
      didClose: (document, next) => (isKept(document.uri.toString()) ? Promise.resolve() : next(document)),
    },
    // Asked anew at every start, so that a restarted server knows of trust granted meanwhile.
    initializationOptions: (): InitializationOptions => ({
      trusted: workspace.isTrusted,
      editorCommands: true,
      reference: true,
    }),
  };
}
