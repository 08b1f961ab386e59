/**
 * The client on a computer, where the editor's extension host is a process of Node: the language server is another one, and
 * tasks run the command line.
 */
import { Uri, workspace, type ExtensionContext } from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';
import { startExtension, type PlacewrightApi } from './start.ts';
import { registerTasks } from './tasks.ts';

/** Called by `activate.ts`. */
export function activate(context: ExtensionContext): PlacewrightApi {
  const module = Uri.joinPath(context.extensionUri, 'dist', 'server.js').fsPath;
  const args = [`--compiled=${compiledFolder(context)}`];
  return startExtension(context, {
    // Messages travel over the editor's own process channel.
    createClient: (options) =>
      new LanguageClient('placewright', 'Placewright', { module, args, transport: TransportKind.ipc }, options),
    schemes: ['file', 'untitled'],
    more: (server) => [registerTasks(server)],
  });
}

/** Where Node keeps what it compiles of the server for its next start. That of other versions goes. */
function compiledFolder({ globalStorageUri, extension }: ExtensionContext): string {
  const { version } = extension.packageJSON as { readonly version: string };
  const folders = Uri.joinPath(globalStorageUri, 'compiled');
  void removeAllBut(folders, version);
  return Uri.joinPath(folders, version).fsPath;
}

async function removeAllBut(folder: Uri, kept: string): Promise<void> {
  try {
    for (const [name] of await workspace.fs.readDirectory(folder)) {
      if (name !== kept) await workspace.fs.delete(Uri.joinPath(folder, name), { recursive: true });
    }
  } catch {
    // Nothing has been kept yet, or another window uses it: a later start removes it.
  }
}
