/**
 * The entry of the client for both kinds of editor. One bundle holds what they share; what only one of them needs runs there alone:
 * a browser has no modules of Node.
 */
import type { ExtensionContext } from 'vscode';
import type { PlacewrightApi } from './start.ts';

/** The extension host of an editor in a browser is a web worker. */
const isInBrowser = 'importScripts' in globalThis;

/** Called by the editor when the first `.place` document opens. */
export async function activate(context: ExtensionContext): Promise<PlacewrightApi> {
  const entry = isInBrowser ? await import('./webExtension.ts') : await import('./extension.ts');
  return entry.activate(context);
}

export async function deactivate(): Promise<void> {
  const { stopExtension } = await import('./start.ts');
  await stopExtension();
}
