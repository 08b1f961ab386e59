/**
 * The client in a browser without a server behind it: the language server is a web worker of the extension host, and asks here
 * for the files that it reads. Nothing there runs programs, so that there are no tasks.
 */
import { Uri, type ExtensionContext } from 'vscode';
import { BrowserMessageReader, BrowserMessageWriter, LanguageClient } from 'vscode-languageclient/browser';
import { methodOf } from '../server/protocol/calls.ts';
import type { FileAnswer, FileQuestion } from '../server/protocol/messages.ts';
import { startExtension, type PlacewrightApi } from './start.ts';
import { answerFile } from './webFiles.ts';

/** A worker as browsers have it. */
interface WebWorker {
  onmessage: ((event: unknown) => void) | null;
  onerror: ((event: { readonly message?: string }) => void) | null;
  terminate(): void;
}

const browser = globalThis as unknown as { readonly Worker: new (url: string, options: { name: string }) => WebWorker };

/** Called by `activate.ts`. */
export function activate(context: ExtensionContext): PlacewrightApi {
  const program = Uri.joinPath(context.extensionUri, 'dist', 'webServer.js').toString(true);
  let running: WebWorker | undefined;
  const createTransports = async () => {
    running?.terminate();
    running = await startWorker(program);
    return { reader: new BrowserMessageReader(running), writer: new BrowserMessageWriter(running) };
  };
  return startExtension(context, {
    createClient: (options) => {
      const client = new LanguageClient('placewright', 'Placewright', createTransports, options);
      client.onRequest<FileAnswer[FileQuestion['kind']], never>(methodOf('file'), (question: FileQuestion) =>
        answerFile(question),
      );
      return client;
    },
    schemes: 'all',
  });
}

/** Ends when the program of the worker listens. */
function startWorker(program: string): Promise<WebWorker> {
  const start = `import(${JSON.stringify(program)}).catch((e) => setTimeout(() => { throw e; }));`;
  const worker = new browser.Worker(URL.createObjectURL(new Blob([start], { type: 'text/javascript' })), {
    name: 'placewright',
  });
  return new Promise((resolve, reject) => {
    worker.onmessage = () => {
      worker.onmessage = null;
      worker.onerror = null;
      resolve(worker);
    };
    worker.onerror = ({ message }) => {
      reject(new Error(message === undefined || message === '' ? `${program} could not be loaded` : message));
    };
  });
}
