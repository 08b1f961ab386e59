/** All pictures that are open, one `PlacementPanel` for each placement. */
import {
  EventEmitter,
  l10n,
  Uri,
  ViewColumn,
  window,
  workspace,
  type Disposable,
  type TextDocument,
  type WebviewPanel,
} from 'vscode';
import type { PlacementChange, PreviewAnswer, ReportsChanged, SceneParameters } from '../server/protocol/messages.ts';
import { PlacementPanel } from './placementPanel.ts';
import type { Server } from './server.ts';

/** Names the kind of panel in `package.json` (`when` clauses, activation) and in restored windows. */
const panelType = 'placewright.placement';

/** The open pictures, one per placement: opens, updates and restores them. */
export class PlacementPanels implements Disposable {
  readonly #extensionUri: Uri;
  readonly #server: Server;
  readonly #panels = new Map<string, PlacementPanel>();
  /** The first placement of each file that has a report; undefined where its picture was shown by itself. */
  readonly #first = new Map<string, SceneParameters | undefined>();
  /** Pictures that were opened to show a change alone. */
  readonly #opened = new Set<string>();
  readonly #previewEnded = new EventEmitter<SceneParameters>();
  readonly #subscriptions: readonly Disposable[];
  /** The picture of a placement shows it as it is written again. */
  readonly onPreviewEnded = this.#previewEnded.event;

  constructor(extensionUri: Uri, server: Server) {
    this.#extensionUri = extensionUri;
    this.#server = server;
    this.#subscriptions = [
      server.onReportsChanged((change) => {
        this.#each(change.uri, (panel) => panel.update(change));
        this.#reported(change);
      }),
      // A tab may come to be seen before its file has a report, or after.
      window.onDidChangeVisibleTextEditors(() => {
        this.#showFirst();
      }),
      server.onProgress((change) => {
        this.#panels.get(keyOf(change))?.progress(change);
      }),
      server.onRestart(() => {
        this.#each(undefined, (panel) => panel.refresh());
      }),
      // The editor closes what no tab shows. A document with a picture stays open, so that it follows its file.
      workspace.onDidCloseTextDocument(({ uri }: TextDocument) => {
        this.#each(uri.toString(), (panel) => panel.open());
      }),
      window.registerWebviewPanelSerializer(panelType, {
        deserializeWebviewPanel: (panel, state: unknown) => {
          this.#restore(panel, state);
          return Promise.resolve();
        },
      }),
    ];
  }

  /** The placement whose picture is in front, if one is. */
  get active(): SceneParameters | undefined {
    return [...this.#panels.values()].find((panel) => panel.isActive)?.shown;
  }

  /** Shows the picture of a placement beside the text; one that is open comes to the front. */
  show(shown: SceneParameters): PlacementPanel {
    const open = this.#panels.get(keyOf(shown));
    if (open !== undefined) {
      open.reveal();
      return open;
    }
    const column = { viewColumn: ViewColumn.Beside, preserveFocus: true };
    return this.#adopt(window.createWebviewPanel(panelType, titleOf(shown), column), shown);
  }

  /** Shows what a change would come to in the picture of its placement, which is opened where it is not. */
  preview(shown: SceneParameters, change: PlacementChange, answer: Extract<PreviewAnswer, { kind: 'preview' }>): void {
    const key = keyOf(shown);
    if (!this.#panels.has(key)) this.#opened.add(key);
    this.show(shown).preview(change, answer);
  }

  /** The picture is as it was before; false where it showed no change. */
  endPreview(shown: SceneParameters): boolean {
    const panel = this.#panels.get(keyOf(shown));
    if (panel?.isPreview !== true) return false;
    panel.endPreview();
    if (this.#opened.delete(keyOf(shown))) panel.dispose();
    return true;
  }

  /** Saves the picture as PNG: only the panel can paint one, so it is shown. */
  capture(shown: SceneParameters): void {
    this.show(shown).capture();
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    for (const panel of this.#panels.values()) panel.dispose();
    this.#previewEnded.dispose();
  }

  #reported({ uri, placements: [first] }: ReportsChanged): void {
    const key = Uri.parse(uri).toString();
    if (first === undefined || first.revision === 0 || this.#first.has(key)) return;
    this.#first.set(key, { uri, placement: first.name });
    this.#showFirst();
  }

  /** For who has chosen so: shows the first picture of each file in sight, once. */
  #showFirst(): void {
    if (workspace.getConfiguration('placewright').get('picture.show') !== 'withFile') return;
    for (const { document } of window.visibleTextEditors) {
      const key = document.uri.toString();
      const first = this.#first.get(key);
      if (first === undefined) continue;
      this.#first.set(key, undefined);
      const hasPicture = [...this.#panels.values()].some(({ shown }) => Uri.parse(shown.uri).toString() === key);
      if (!hasPicture) this.show(first);
    }
  }

  #adopt(webviewPanel: WebviewPanel, shown: SceneParameters): PlacementPanel {
    const panel = new PlacementPanel(webviewPanel, this.#extensionUri, shown, this.#server, () => {
      this.#previewEnded.fire(shown);
    });
    this.#panels.set(keyOf(shown), panel);
    webviewPanel.onDidDispose(() => {
      this.#panels.delete(keyOf(shown));
      this.#opened.delete(keyOf(shown));
      this.#previewEnded.fire(shown);
      this.#name();
    });
    this.#name();
    return panel;
  }

  /** Placements of the same name in several files have the name of the file in the title of their tab. */
  #name(): void {
    const panels = [...this.#panels.values()];
    for (const panel of panels) {
      const { placement, uri } = panel.shown;
      const alike = panels.filter(({ shown }) => shown.placement === placement);
      const file = Uri.parse(uri).path.replace(/^.*\//, '');
      panel.title = alike.length > 1 ? `${titleOf(panel.shown)} (${file})` : titleOf(panel.shown);
    }
  }

  /** After a reload of the window. The webview's state says what it showed. */
  #restore(webviewPanel: WebviewPanel, state: unknown): void {
    if (isShown(state)) this.#adopt(webviewPanel, { uri: state.uri, placement: state.placement });
    else webviewPanel.dispose();
  }

  /** The panels of a document, or all. */
  #each(uri: string | undefined, act: (panel: PlacementPanel) => Promise<void>): void {
    const wanted = uri === undefined ? undefined : Uri.parse(uri).toString();
    for (const panel of this.#panels.values()) {
      if (wanted !== undefined && Uri.parse(panel.shown.uri).toString() !== wanted) continue;
      act(panel).catch((error: unknown) => {
        this.#server.output.error(String(error));
      });
    }
  }
}

const keyOf = ({ uri, placement }: SceneParameters): string => `${uri}#${placement}`;

const titleOf = ({ placement }: SceneParameters): string => l10n.t('Placement {0}', placement);

function isShown(state: unknown): state is SceneParameters {
  if (typeof state !== 'object' || state === null) return false;
  const { uri, placement } = state as Partial<Record<keyof SceneParameters, unknown>>;
  return typeof uri === 'string' && typeof placement === 'string';
}
