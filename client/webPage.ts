/** The web page that every panel and view shows: which script it runs, and how what it says reaches the panel. */
import { Uri, type WebviewPanel, type WebviewView } from 'vscode';
import { panelHtml } from '../server/protocol/panel.ts';
import { randomName } from './saving.ts';

interface WebPage {
  /** Its file in `dist`. */
  readonly script: 'panel.js' | 'experiment.js' | 'simulation.js' | 'tryMappers.js' | 'compare.js';
  /** Takes a message of the page, which may be anything. */
  readonly receive: (data: unknown) => Promise<void>;
  /** Is told why a message could not be answered. */
  readonly failed: (message: string) => void;
}

/**
 * Loads a page into a panel that is new or restored. It may read nothing but `dist`, and runs no script but its own,
 * which carries a nonce that is drawn for each panel.
 */
export function loadWebPage(
  panel: WebviewPanel | WebviewView,
  extensionUri: Uri,
  { script, receive, failed }: WebPage,
): void {
  const { webview } = panel;
  const dist = Uri.joinPath(extensionUri, 'dist');
  webview.options = { enableScripts: true, localResourceRoots: [dist] };
  // A view has the icon that package.json says.
  if ('reveal' in panel) panel.iconPath = Uri.joinPath(extensionUri, 'images', 'icon.png');
  webview.onDidReceiveMessage((data: unknown) => {
    receive(data).catch((error: unknown) => {
      failed(error instanceof Error ? error.message : String(error));
    });
  });
  webview.html = panelHtml({
    scriptUri: webview.asWebviewUri(Uri.joinPath(dist, script)).toString(),
    styleUri: webview.asWebviewUri(Uri.joinPath(dist, 'panel.css')).toString(),
    cspSource: webview.cspSource,
    nonce: randomName(),
  });
}
