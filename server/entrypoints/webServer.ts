/**
 * The language server in a browser: a web worker that the client starts. It reads files through the editor, and has the
 * same session as `lsp.ts`; what takes time runs in `webWorker.js` beside it.
 */
import './olderNode.ts';
import {
  BrowserMessageReader,
  BrowserMessageWriter,
  createConnection,
  ProposedFeatures,
} from 'vscode-languageserver/browser';
import { methodOf } from '../protocol/calls.ts';
import type { FileQuestion } from '../protocol/messages.ts';
import { Lifecycle, reportFault } from './lsp/lifecycle.ts';
import { startSession } from './lsp/session.ts';
import { installPlatform } from './platform.ts';
import { filesOfEditor, webEnvironment, type AskEditor } from './web/files.ts';
import { webThreads } from './web/threads.ts';

interface Fault {
  readonly error?: unknown;
  readonly reason?: unknown;
}

/** What a worker has in the place of a window. */
interface Scope {
  addEventListener(event: string, listener: (event: Fault) => void): void;
  postMessage(message: unknown): void;
  close(): void;
}

const scope = globalThis as unknown as Scope;
const lifecycle = new Lifecycle();
const connection = createConnection(
  ProposedFeatures.all,
  new BrowserMessageReader(scope as never),
  new BrowserMessageWriter(scope as never),
  lifecycle.options,
);
const askEditor = ((question: FileQuestion) => connection.sendRequest(methodOf('file'), question)) as AskEditor;
installPlatform({
  ...webEnvironment,
  files: filesOfEditor(askEditor),
  threads: webThreads((question) => askEditor(question as FileQuestion)),
});
lifecycle.answerRefused(connection);
scope.addEventListener('error', ({ error }: Fault) => {
  reportFault(connection, error);
});
scope.addEventListener('unhandledrejection', ({ reason }: Fault) => {
  reportFault(connection, reason);
});
connection.onExit(() => {
  scope.close();
});
startSession(connection, new URL('webWorker.js', import.meta.url));
// The client sends nothing before.
scope.postMessage('ready');
