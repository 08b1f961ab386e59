/**
 * The client on a computer, where the editor's extension host is a process of Node: the language server is another one, and
 * tasks run the command line.
 */
import { Uri, type ExtensionContext } from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';
import { startExtension, stopExtension, type PlacewrightApi } from './start.ts';
import { registerTasks } from './tasks.ts';

/** Called by the editor when the first `.place` document opens. */
export function activate(context: ExtensionContext): PlacewrightApi {
  const module = Uri.joinPath(context.extensionUri, 'dist', 'server.js').fsPath;
  return startExtension(context, {
    // Messages travel over the editor's own process channel.
    createClient: (options) =>
      new LanguageClient('placewright', 'Placewright', { module, transport: TransportKind.ipc }, options),
    schemes: ['file', 'untitled'],
    more: (server) => [registerTasks(server)],
  });
}

export const deactivate = stopExtension;
