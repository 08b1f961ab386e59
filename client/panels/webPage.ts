/**
 * The web page that a panel or view shows: which script it runs under which policy, how what it says reaches its host, and what
 * it is told once it listens.
 */
import { env, l10n, Uri, type Disposable, type WebviewPanel, type WebviewView } from 'vscode';
import { readLeftMessage } from '../../server/protocol/leftPage.ts';
import { panelHtml } from '../../server/protocol/panel.ts';
import type { PageMemory } from './pageMemory.ts';
import { randomName } from '../saving.ts';
import type { Server } from '../server.ts';

/** What differs between pages: `From` is what a page says, `To` what it is told. */
export interface PageKind<From, To> {
  /** Its file in `dist`. */
  readonly script:
    'panel.js' | 'experiment.js' | 'simulation.js' | 'tryMappers.js' | 'compare.js' | 'traffic.js' | 'cableLosses.js';
  /** What of `data`, which may be anything, is a message of the page. */
  readonly read: (data: unknown) => From | undefined;
  readonly receive: (message: From) => Promise<void>;
  /** How the page is told why a message could not be answered. */
  readonly failed: (message: string) => To;
  /** The user has closed it. */
  readonly closed?: () => void;
}

/** Where a page is shown, and who answers it. */
export interface PageHost<Shown extends WebviewPanel | WebviewView = WebviewPanel> {
  readonly panel: Shown;
  readonly extensionUri: Uri;
  readonly server: Server;
  readonly memory: PageMemory;
}

/** The page of one panel or view, new or restored. */
export class WebPage<From, To> {
  readonly #panel: WebviewPanel | WebviewView;
  readonly #server: Server;
  #isListening = false;
  #kept: readonly Disposable[] = [];

  /**
   * Loads the page. It may read nothing but `dist`, and runs no script but its own, which carries a nonce that is drawn for each
   * page.
   */
  constructor(host: PageHost<WebviewPanel | WebviewView>, kind: PageKind<From, To>) {
    const { panel, extensionUri, server, memory } = host;
    this.#panel = panel;
    this.#server = server;
    const { webview } = panel;
    const dist = Uri.joinPath(extensionUri, 'dist');
    webview.options = { enableScripts: true, localResourceRoots: [dist] };
    // A view has the icon that package.json says.
    if ('reveal' in panel) panel.iconPath = Uri.joinPath(extensionUri, 'images', 'icon.png');
    webview.onDidReceiveMessage((data: unknown) => {
      const left = readLeftMessage(data);
      if (left !== undefined) {
        memory.keep(left);
        return;
      }
      const message = kind.read(data);
      if (message === undefined) {
        server.output.warn('Ignored an unknown message from a panel.');
        return;
      }
      kind.receive(message).catch((error: unknown) => {
        this.post(kind.failed(error instanceof Error ? error.message : String(error)));
      });
    });
    panel.onDidDispose(() => {
      this.#isListening = false;
      this.keep([]);
      kind.closed?.();
    });
    webview.html = panelHtml({
      scriptUri: webview.asWebviewUri(Uri.joinPath(dist, kind.script)).toString(),
      styleUri: webview.asWebviewUri(Uri.joinPath(dist, 'pages.css')).toString(),
      cspSource: webview.cspSource,
      nonce: randomName(),
      given: memory.given,
      ...(l10n.bundle !== undefined && { words: { language: env.language, bundle: l10n.bundle } }),
    });
  }

  get isListening(): boolean {
    return this.#isListening;
  }

  /** The page has said that it listens: what it is told before is lost. */
  listens(): void {
    this.#isListening = true;
  }

  /** Tells the page, if it listens. */
  post(message: To): void {
    if (this.#isListening) void this.#panel.webview.postMessage(message);
  }

  /** The server goes on following these documents, and no others, as long as the page is open. */
  keep(uris: readonly string[]): void {
    const before = this.#kept;
    this.#kept = uris.map((uri) => this.#server.keep(uri));
    for (const kept of before) kept.dispose();
  }
}
