/** The panels of machines that are open, one for each: pictures of machines by themselves, with their figures. */
import {
  CancellationTokenSource,
  l10n,
  Uri,
  ViewColumn,
  window,
  workspace,
  type Disposable,
  type WebviewPanel,
} from 'vscode';
import type { MachineAnswer, MachineParameters } from '../server/protocol/messages.ts';
import { readFromPanel, type ToPanel } from '../server/protocol/panel.ts';
import { showText } from './placementPanel.ts';
import { bytesOf, savePicture } from './saving.ts';
import type { Server } from './server.ts';
import { loadWebPage } from './webPage.ts';

/** Names the kind of panel in `package.json` and in restored windows. */
const panelType = 'placewright.machine';

/** Opens, updates and restores the pictures of machines. */
export class MachinePanels implements Disposable {
  readonly #extensionUri: Uri;
  readonly #server: Server;
  readonly #panels = new Map<string, MachinePanel>();
  readonly #subscriptions: readonly Disposable[];

  constructor(extensionUri: Uri, server: Server) {
    this.#extensionUri = extensionUri;
    this.#server = server;
    this.#subscriptions = [
      // Whatever is saved may be imported by the file of a machine.
      workspace.onDidSaveTextDocument(({ languageId }) => {
        if (languageId === 'place') this.#refresh();
      }),
      // A study has read the files anew that programs name.
      server.onReportsChanged(({ uri, running }) => {
        if (!running) this.#refresh(Uri.parse(uri).toString());
      }),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (document.languageId !== 'place' || contentChanges.length === 0) return;
        for (const panel of this.#panels.values()) panel.edited(document.uri.toString());
      }),
      server.onRestart(() => {
        this.#refresh();
      }),
      window.registerWebviewPanelSerializer(panelType, {
        deserializeWebviewPanel: (panel, state: unknown) => {
          const shown = shownIn(state);
          if (shown === undefined) panel.dispose();
          else this.#adopt(panel, shown);
          return Promise.resolve();
        },
      }),
    ];
  }

  /** Shows the picture of a machine beside the text; one that is open comes to the front. */
  show(shown: MachineParameters): void {
    const open = this.#panels.get(keyOf(shown));
    if (open !== undefined) {
      open.reveal();
      return;
    }
    const column = { viewColumn: ViewColumn.Beside, preserveFocus: true };
    this.#adopt(window.createWebviewPanel(panelType, l10n.t('Machine {0}', shown.machine), column), shown);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    for (const panel of this.#panels.values()) panel.dispose();
  }

  #refresh(uri?: string): void {
    for (const panel of this.#panels.values()) {
      if (uri === undefined || Uri.parse(panel.shown.uri).toString() === uri) panel.refreshSoon();
    }
  }

  #adopt(webviewPanel: WebviewPanel, shown: MachineParameters): void {
    const kept = this.#server.keep(shown.uri);
    const panel = new MachinePanel(webviewPanel, this.#extensionUri, shown, this.#server);
    this.#panels.set(keyOf(shown), panel);
    webviewPanel.onDidDispose(() => {
      panel.cancel();
      kept.dispose();
      this.#panels.delete(keyOf(shown));
    });
  }
}

const keyOf = ({ uri, machine }: MachineParameters): string => `${Uri.parse(uri).toString()}#${machine}`;

/** What a page that was open says that it showed. */
function shownIn(state: unknown): MachineParameters | undefined {
  if (typeof state !== 'object' || state === null) return undefined;
  const { uri, machine } = state as Readonly<Record<string, unknown>>;
  return typeof uri === 'string' && typeof machine === 'string' ? { uri, machine } : undefined;
}

/** Several reasons to ask within so many milliseconds make one question. */
const pause = 20;

/** One panel: asks the server for the picture and passes it on. */
class MachinePanel {
  readonly shown: MachineParameters;
  readonly #panel: WebviewPanel;
  readonly #server: Server;
  #asked: CancellationTokenSource | undefined;
  #answer: MachineAnswer | undefined;
  /** The page listens. */
  #listening = false;
  #timer: NodeJS.Timeout | undefined;
  /** The text has changed since the answer. */
  #isEdited = false;

  constructor(panel: WebviewPanel, extensionUri: Uri, shown: MachineParameters, server: Server) {
    this.shown = shown;
    this.#panel = panel;
    this.#server = server;
    loadWebPage(panel, extensionUri, {
      script: 'panel.js',
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

  cancel(): void {
    clearTimeout(this.#timer);
    this.#asked?.cancel();
  }

  refreshSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#refresh(), pause);
  }

  /** The picture is of the text that was saved last. */
  edited(uri: string): void {
    if (this.#isEdited || Uri.parse(this.shown.uri).toString() !== uri) return;
    this.#isEdited = true;
    this.#post({ kind: 'standing', stale: true, status: { kind: 'idle' } });
  }

  async #refresh(): Promise<void> {
    if (!this.#listening) return;
    // After a restart of the window the editor may not have read the document yet.
    const isThere = await workspace.openTextDocument(Uri.parse(this.shown.uri)).then(
      () => true,
      () => false,
    );
    if (!isThere) {
      this.#post({ kind: 'nothing', reason: l10n.t('The file of this machine is gone.') });
      return;
    }
    this.#asked?.cancel();
    const asked = new CancellationTokenSource();
    this.#asked = asked;
    this.#isEdited = false;
    try {
      const answer = await this.#server.machine(this.shown, asked.token);
      if (this.#asked !== asked) return;
      const isSame = isSameAnswer(answer, this.#answer);
      this.#answer = answer;
      const { problem } = answer;
      if (isSame)
        this.#post({ kind: 'standing', stale: this.#isEdited, status: { kind: 'idle' }, ...(problem && { problem }) }); // prettier-ignore
      else if (answer.kind === 'scene') this.#post({ ...answer, uri: this.shown.uri, stale: this.#isEdited });
      else this.#post({ kind: 'nothing', reason: answer.reason, ...(problem && { problem }) });
    } catch (error) {
      if (!asked.token.isCancellationRequested) throw error;
    } finally {
      if (this.#asked === asked) this.#asked = undefined;
      asked.dispose();
    }
  }

  #post(message: ToPanel): void {
    if (this.#listening) void this.#panel.webview.postMessage(message);
  }

  async #receive(data: unknown): Promise<void> {
    const message = readFromPanel(data);
    const { uri, machine } = this.shown;
    switch (message?.kind) {
      case undefined:
        this.#server.output.warn('A message of the panel was passed over: it is none that the editor knows.');
        break;
      case 'ready':
        this.#listening = true;
        this.#answer = undefined;
        await this.#refresh();
        break;
      case 'reveal':
        if (this.#answer?.declared !== undefined) await showText(this.#panel, this.#answer.declared);
        break;
      case 'reveal-problem':
        if (this.#answer?.problem?.location !== undefined) await showText(this.#panel, this.#answer.problem.location);
        break;
      case 'save-svg': {
        const answer = await this.#server.machinePicture(this.shown);
        if (!answer.ok) throw new Error(answer.message);
        await savePicture.content({ uri, name: machine }, '.svg', answer.svg);
        break;
      }
      case 'save-csv':
        await savePicture.content({ uri, name: machine }, `.${message.table}.csv`, message.data);
        break;
      case 'save-png':
        await savePicture.content({ uri, name: machine }, '.png', bytesOf(message.data));
        break;
      default:
        // Nothing is searched for a machine, and no job runs on it.
        break;
    }
  }
}

const isSameAnswer = (one: MachineAnswer, other: MachineAnswer | undefined): boolean =>
  one.kind === 'scene' && other?.kind === 'scene' && one.scene.json === other.scene.json;
