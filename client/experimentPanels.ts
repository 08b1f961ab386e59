/** The panels of experiments that are open, one for each experiment: what passes between them and the server. */
import {
  CancellationTokenSource,
  commands,
  Uri,
  ViewColumn,
  window,
  workspace,
  type Disposable,
  type WebviewPanel,
} from 'vscode';
import { readFromExperimentPanel, type ToExperimentPanel } from '../server/protocol/experimentPanel.ts';
import type { ExperimentChanged, ExperimentParameters } from '../server/protocol/messages.ts';
import { saveFigure } from './saving.ts';
import type { Server } from './server.ts';
import { loadWebPage } from './webPage.ts';

/** Names the kind of panel in `package.json` and in restored windows. */
const experimentPanelType = 'placewright.experiment';

/** Opens, updates and restores the panels of experiments. */
export class ExperimentPanels implements Disposable {
  readonly #extensionUri: Uri;
  readonly #server: Server;
  readonly #panels = new Map<string, ExperimentPanel>();
  readonly #subscriptions: readonly Disposable[];

  constructor(extensionUri: Uri, server: Server) {
    this.#extensionUri = extensionUri;
    this.#server = server;
    this.#subscriptions = [
      server.onExperimentChanged((change) => {
        this.#panels.get(keyOf(change))?.update(change);
      }),
      server.onSimulated((change) => {
        this.#panels.get(keyOf(change))?.simulated(change.words);
      }),
      server.onRestart(() => {
        for (const panel of this.#panels.values()) panel.update(panel.shown);
      }),
      // A figure is of the text as it is.
      workspace.onDidSaveTextDocument(({ uri }) => {
        for (const panel of this.#panels.values()) {
          if (Uri.parse(panel.shown.uri).toString() === uri.toString()) panel.update(panel.shown);
        }
      }),
      window.registerWebviewPanelSerializer(experimentPanelType, {
        deserializeWebviewPanel: (panel, state: unknown) => {
          if (isShown(state)) this.#adopt(panel, { uri: state.uri, experiment: state.experiment });
          else panel.dispose();
          return Promise.resolve();
        },
      }),
    ];
  }

  /** Shows an experiment beside the text; a panel that is open comes to the front. */
  show(shown: ExperimentParameters): void {
    const open = this.#panels.get(keyOf(shown));
    if (open !== undefined) {
      open.reveal();
      return;
    }
    const column = { viewColumn: ViewColumn.Beside, preserveFocus: true };
    this.#adopt(window.createWebviewPanel(experimentPanelType, `Experiment ${shown.experiment}`, column), shown);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    for (const panel of this.#panels.values()) panel.dispose();
  }

  #adopt(webviewPanel: WebviewPanel, shown: ExperimentParameters): void {
    const kept = this.#server.keep(shown.uri);
    const panel = new ExperimentPanel(webviewPanel, this.#extensionUri, shown, this.#server);
    this.#panels.set(keyOf(shown), panel);
    webviewPanel.onDidDispose(() => {
      panel.cancel();
      kept.dispose();
      this.#panels.delete(keyOf(shown));
    });
  }
}

const keyOf = ({ uri, experiment }: ExperimentParameters): string => `${Uri.parse(uri).toString()}#${experiment}`;

function isShown(state: unknown): state is ExperimentParameters {
  if (typeof state !== 'object' || state === null) return false;
  const { uri, experiment } = state as Partial<Record<keyof ExperimentParameters, unknown>>;
  return typeof uri === 'string' && typeof experiment === 'string';
}

/** One panel: asks the server for the figures that its webview asks for, and saves what it makes of them. */
class ExperimentPanel {
  readonly shown: ExperimentParameters;
  readonly #panel: WebviewPanel;
  readonly #server: Server;
  /** Ends the simulation that the last question needs. */
  #asked: CancellationTokenSource | undefined;
  /** The webview has asked for something, so it listens. */
  #listening = false;

  constructor(panel: WebviewPanel, extensionUri: Uri, shown: ExperimentParameters, server: Server) {
    this.shown = shown;
    this.#panel = panel;
    this.#server = server;
    loadWebPage(panel, extensionUri, {
      script: 'experiment.js',
      receive: (data) => this.#receive(data),
      failed: (message) => {
        this.#post({ kind: 'failed', message });
      },
    });
  }

  reveal(): void {
    this.#panel.reveal(undefined, true);
  }

  dispose(): void {
    this.#panel.dispose();
  }

  update({ progress }: ExperimentChanged): void {
    this.#post(progress === undefined ? { kind: 'changed' } : { kind: 'progress', text: progress });
  }

  simulated(text: string): void {
    if (this.#asked !== undefined) this.#post({ kind: 'simulated', text });
  }

  /** What is simulated for a figure ends; the answer says so. */
  cancel(): void {
    this.#asked?.cancel();
  }

  #post(message: ToExperimentPanel): void {
    if (this.#listening) void this.#panel.webview.postMessage(message);
  }

  async #receive(data: unknown): Promise<void> {
    const message = readFromExperimentPanel(data);
    switch (message?.kind) {
      case undefined:
        this.#server.output.warn('A message of the panel was passed over: it is none that the editor knows.');
        break;
      case 'figure': {
        this.#listening = true;
        // After a restart of the window the editor may not have read the document yet.
        await workspace.openTextDocument(Uri.parse(this.shown.uri));
        this.#asked?.cancel();
        const asked = new CancellationTokenSource();
        this.#asked = asked;
        try {
          const answer = await this.#server.experimentFigure({ ...this.shown, choice: message.choice }, asked.token);
          // A page that was hidden meanwhile has asked again.
          if (this.#asked === asked) this.#post({ kind: 'answer', ...this.shown, answer });
        } finally {
          if (this.#asked === asked) this.#asked = undefined;
          asked.dispose();
        }
        break;
      }
      case 'cancel':
        this.cancel();
        break;
      case 'run':
        await commands.executeCommand('placewright.runExperiment', this.shown.uri, this.shown.experiment);
        break;
      case 'save':
        await saveFigure(this.shown, message);
        break;
    }
  }
}
