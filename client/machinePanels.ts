/** The panels of machines that are open, one for each: pictures of machines by themselves, with their figures. */
import { CancellationTokenSource, l10n, Uri, workspace, type WebviewPanel } from 'vscode';
import type { MachineAnswer, MachineParameters } from '../server/protocol/messages.ts';
import {
  readFromPanel,
  type CursorMessage,
  type FromPanel,
  type PanelAction,
  type ToPanel,
} from '../server/protocol/panel.ts';
import { documentKey, nameKey, Panels, stringsIn } from './panels.ts';
import { showText } from './placementPanel.ts';
import { bytesOf, savePicture } from './saving.ts';
import type { Server } from './server.ts';
import { WebPage } from './webPage.ts';

/** Names the kind of panel in `package.json` and in restored windows. */
const panelType = 'placewright.machine';

/** Opens, updates and restores the pictures of machines. */
export class MachinePanels extends Panels<MachineParameters, MachinePanel> {
  constructor(extensionUri: Uri, server: Server) {
    super(server, {
      type: panelType,
      titleOf: ({ machine }) => l10n.t('Machine {0}', machine),
      keyOf: ({ uri, machine }) => nameKey(uri, machine),
      readState: (state) => stringsIn(state, 'uri', 'machine'),
      open: (panel, shown) => new MachinePanel(panel, extensionUri, shown, server),
    });
    this.follow(
      // Whatever is saved may be imported by the file of a machine.
      workspace.onDidSaveTextDocument(({ languageId }) => {
        if (languageId === 'place') this.#refresh();
      }),
      // A study has read the files anew that programs name.
      server.onReportsChanged(({ uri, running }) => {
        if (!running) this.#refresh(documentKey(uri));
      }),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (document.languageId !== 'place' || contentChanges.length === 0) return;
        this.each((panel) => {
          panel.edited(document.uri.toString());
        });
      }),
      server.onRestart(() => {
        this.#refresh();
      }),
    );
  }

  #refresh(document?: string): void {
    this.each((panel) => {
      if (document === undefined || documentKey(panel.shown.uri) === document) panel.refreshSoon();
    });
  }
}

/** Several reasons to ask within so many milliseconds make one question. */
const pause = 20;

/** One panel: asks the server for the picture and passes it on. */
class MachinePanel {
  readonly shown: MachineParameters;
  readonly #panel: WebviewPanel;
  readonly #server: Server;
  readonly #page: WebPage<FromPanel, ToPanel>;
  #asked: CancellationTokenSource | undefined;
  #answer: MachineAnswer | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Told again to a page that was hidden meanwhile. */
  #cursor: CursorMessage | undefined;
  /** The text has changed since the answer. */
  #isEdited = false;

  constructor(panel: WebviewPanel, extensionUri: Uri, shown: MachineParameters, server: Server) {
    this.shown = shown;
    this.#panel = panel;
    this.#server = server;
    this.#page = new WebPage(panel, extensionUri, server, {
      script: 'panel.js',
      read: readFromPanel,
      receive: (message) => this.#receive(message),
      failed: (message) => ({ kind: 'failed', message }),
      closed: () => {
        clearTimeout(this.#timer);
        this.#asked?.cancel();
      },
    });
    this.#page.keep([shown.uri]);
  }

  /** Where the cursor is in the text. */
  tellCursor(message: CursorMessage): void {
    if (JSON.stringify(message) === JSON.stringify(this.#cursor)) return;
    this.#cursor = message;
    this.#page.post(message);
  }

  /** Has the page do something that a button of the editor or a menu stands for. */
  act(action: PanelAction): void {
    this.#page.post({ kind: 'act', ...action });
  }

  refreshSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#refresh().catch((error: unknown) => {
        this.#page.post({ kind: 'failed', message: String(error) });
      });
    }, pause);
  }

  /** The picture is of the text that was saved last. */
  edited(uri: string): void {
    if (this.#isEdited || documentKey(this.shown.uri) !== uri) return;
    this.#isEdited = true;
    this.#page.post({ kind: 'standing', stale: true, status: { kind: 'idle' } });
  }

  async #refresh(): Promise<void> {
    if (!this.#page.isListening) return;
    // After a restart of the window the editor may not have read the document yet.
    const isThere = await workspace.openTextDocument(Uri.parse(this.shown.uri)).then(
      () => true,
      () => false,
    );
    if (!isThere) {
      this.#page.post({ kind: 'nothing', reason: l10n.t('The file of this machine is gone.') });
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
        this.#page.post({ kind: 'standing', stale: this.#isEdited, status: { kind: 'idle' }, ...(problem && { problem }) }); // prettier-ignore
      else if (answer.kind === 'scene') this.#page.post({ ...answer, uri: this.shown.uri, stale: this.#isEdited });
      else this.#page.post({ kind: 'nothing', reason: answer.reason, ...(problem && { problem }) });
    } catch (error) {
      if (!asked.token.isCancellationRequested) throw error;
    } finally {
      if (this.#asked === asked) this.#asked = undefined;
      asked.dispose();
    }
  }

  async #receive(message: FromPanel): Promise<void> {
    const { uri, machine } = this.shown;
    switch (message.kind) {
      case 'ready':
        this.#page.listens();
        if (this.#cursor !== undefined) this.#page.post(this.#cursor);
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
