import { randomBytes } from 'node:crypto';
import { Range, Uri, ViewColumn, window, workspace, type Disposable, type WebviewPanel } from 'vscode';
import type {
  ExplainTarget,
  FromPanel,
  OriginParameters,
  ReportsChanged,
  SceneParameters,
  ToPanel,
} from '../server/protocol/messages.ts';
import { panelHtml } from '../server/protocol/panelHtml.ts';
import { savePicture } from './pictureSave.ts';
import type { Server } from './server.ts';

/** One picture beside the text: passes messages between its webview and the server. */
export class PlacementPanel implements Disposable {
  readonly shown: SceneParameters;
  readonly #panel: WebviewPanel;
  readonly #server: Server;
  /** The webview has said that it listens. */
  #listening = false;
  /** A capture that was asked for before there was a picture. */
  #captureWanted = false;

  constructor(panel: WebviewPanel, extensionUri: Uri, shown: SceneParameters, server: Server) {
    this.shown = shown;
    this.#panel = panel;
    this.#server = server;
    const dist = Uri.joinPath(extensionUri, 'dist');
    panel.webview.options = { enableScripts: true, localResourceRoots: [dist] };
    panel.iconPath = Uri.joinPath(extensionUri, 'images', 'icon.png');
    panel.webview.onDidReceiveMessage((message: FromPanel) => {
      this.#receive(message).catch((error: unknown) => {
        this.#post({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
      });
    });
    panel.webview.html = panelHtml({
      scriptUri: panel.webview.asWebviewUri(Uri.joinPath(dist, 'panel.js')).toString(),
      styleUri: panel.webview.asWebviewUri(Uri.joinPath(dist, 'panel.css')).toString(),
      cspSource: panel.webview.cspSource,
      nonce: randomBytes(16).toString('base64'),
    });
  }

  get isActive(): boolean {
    return this.#panel.active;
  }

  reveal(): void {
    this.#panel.reveal(undefined, true);
  }

  dispose(): void {
    this.#panel.dispose();
  }

  /** Follows the reports of the document: shows the new picture once there is one. */
  async update({ running }: ReportsChanged): Promise<void> {
    if (running) this.#post({ kind: 'working' });
    else await this.#refresh();
  }

  /** Asks the server for the picture and shows it. */
  async #refresh(): Promise<void> {
    if (!this.#listening) return;
    const answer = await this.#server.scene(this.shown);
    if (answer.kind === 'nothing') {
      this.#post(answer);
      return;
    }
    this.#post({ ...answer, uri: this.shown.uri });
    if (this.#captureWanted) this.capture();
  }

  /** Has the webview paint a PNG and saves it, as soon as there is something to paint. */
  capture(): void {
    this.#captureWanted = !this.#listening;
    if (this.#listening) this.#post({ kind: 'capture' });
  }

  #post(message: ToPanel): void {
    if (this.#listening) void this.#panel.webview.postMessage(message);
  }

  async #receive(message: FromPanel): Promise<void> {
    switch (message.kind) {
      case 'ready':
        this.#listening = true;
        await this.#refresh();
        break;
      case 'reveal':
        await this.#revealText(message.target);
        break;
      case 'explain':
        await this.#explain(message.target);
        break;
      case 'save-svg':
        await savePicture.svg(this.#server, this.shown);
        break;
      case 'save-png':
        await savePicture.png(this.shown, message.data);
        break;
    }
  }

  /** What flows over a link, or between two tasks. The panel knows by the target what it asked last. */
  async #explain(target: ExplainTarget): Promise<void> {
    const answer = await this.#server.explain({ ...this.shown, target });
    this.#post({ kind: 'explained', target, answer });
  }

  /** Goes to the text that caused what was clicked, in the editor that shows it already if there is one. */
  async #revealText(target: OriginParameters['target']): Promise<void> {
    const origin = await this.#server.origin({ ...this.shown, target });
    if (origin === null) return;
    const { start, end } = origin.range;
    const selection = new Range(start.line, start.character, end.line, end.character);
    const document = await workspace.openTextDocument(Uri.parse(origin.uri));
    const visible = window.visibleTextEditors.find((editor) => editor.document === document);
    await window.showTextDocument(document, { selection, viewColumn: visible?.viewColumn ?? ViewColumn.One });
  }
}
