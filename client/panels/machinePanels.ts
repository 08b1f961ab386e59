/** The panels of machines that are open, one for each: pictures of machines by themselves, with their figures. */
import { l10n, Uri, workspace, type WebviewPanel } from 'vscode';
import type { MachineAnswer, MachineParameters } from '../../server/protocol/messages.ts';
import { readFromPanel, type FromPanel, type ToPanel } from '../../server/protocol/panel.ts';
import { LatestQuestion } from './latestQuestion.ts';
import { documentKey, nameKey, Panels, stringsIn, type Extension } from './panels.ts';
import { showText } from './placementPanel.ts';
import { PicturePanel } from './picturePanel.ts';
import { saveMade } from '../saving.ts';
import type { Server } from '../server.ts';
import { WebPage, type PageHost } from './webPage.ts';

/** Names the kind of panel in `package.json` and in restored windows. */
const panelType = 'placewright.machine';

/** Opens, updates and restores the pictures of machines. */
export class MachinePanels extends Panels<MachineParameters, MachinePanel> {
  constructor(extension: Extension, server: Server) {
    super(extension, server, {
      type: panelType,
      titleOf: ({ machine }) => l10n.t('Machine {0}', machine),
      keyOf: ({ uri, machine }) => nameKey(uri, machine),
      readState: (state) => stringsIn(state, 'uri', 'machine'),
      open: (host, shown) => new MachinePanel(host, shown),
    });
    this.follow(
      // Whatever is saved may be imported by the file of a machine.
      workspace.onDidSaveTextDocument(({ languageId }) => {
        if (languageId === 'place') this.#refresh();
      }),
      // A study has read the files anew that programs name.
      server.on('reportsChanged', ({ uri, running }) => {
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
class MachinePanel extends PicturePanel {
  readonly shown: MachineParameters;
  readonly #panel: WebviewPanel;
  readonly #server: Server;
  protected readonly page: WebPage<FromPanel, ToPanel>;
  readonly #question = new LatestQuestion();
  #answer: MachineAnswer | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The text has changed since the answer. */
  #isEdited = false;

  constructor(host: PageHost, shown: MachineParameters) {
    super();
    this.shown = shown;
    this.#panel = host.panel;
    this.#server = host.server;
    this.page = new WebPage(host, {
      script: 'panel.js',
      read: readFromPanel,
      receive: (message) => this.#receive(message),
      failed: (message) => ({ kind: 'failed', message }),
      closed: () => {
        clearTimeout(this.#timer);
        this.#question.cancel();
      },
    });
    this.page.keep([shown.uri]);
  }

  refreshSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#refresh().catch((error: unknown) => {
        this.page.post({ kind: 'failed', message: String(error) });
      });
    }, pause);
  }

  /** The picture is of the text that was saved last. */
  edited(uri: string): void {
    if (this.#isEdited || documentKey(this.shown.uri) !== uri) return;
    this.#isEdited = true;
    this.page.post({ kind: 'standing', stale: true, status: { kind: 'idle' } });
  }

  async #refresh(): Promise<void> {
    if (!this.page.isListening) return;
    // After a restart of the window the editor may not have read the document yet.
    const isThere = await workspace.openTextDocument(Uri.parse(this.shown.uri)).then(
      () => true,
      () => false,
    );
    if (!isThere) {
      this.page.post({ kind: 'nothing', reason: l10n.t('The file of this machine is gone.') });
      return;
    }
    this.#isEdited = false;
    const answer = await this.#question.ask((token) => this.#server.ask('machine', this.shown, token));
    if (answer === undefined) return;
    const isSame = isSameAnswer(answer, this.#answer);
    this.#answer = answer;
    const { problem } = answer;
    if (isSame)
      this.page.post({
        kind: 'standing',
        stale: this.#isEdited,
        status: { kind: 'idle' },
        ...(problem && { problem }),
      });
    else if (answer.kind === 'scene') this.page.post({ ...answer, uri: this.shown.uri, stale: this.#isEdited });
    else this.page.post({ kind: 'nothing', reason: answer.reason, ...(problem && { problem }) });
    if (answer.kind === 'scene') this.shows();
  }

  async #receive(message: FromPanel): Promise<void> {
    const { uri, machine } = this.shown;
    switch (message.kind) {
      case 'ready':
        this.tellAnew();
        this.#answer = undefined;
        await this.#refresh();
        break;
      case 'reveal':
        if (this.#answer?.declared !== undefined) await showText(this.#panel, this.#answer.declared);
        break;
      case 'reveal-problem':
        if (this.#answer?.problem?.location !== undefined) await showText(this.#panel, this.#answer.problem.location);
        break;
      case 'save':
        await saveMade({ uri, name: machine }, message);
        break;
      default:
        // Nothing is searched for a machine, and no job runs on it.
        break;
    }
  }
}

const isSameAnswer = (one: MachineAnswer, other: MachineAnswer | undefined): boolean =>
  one.kind === 'scene' && other?.kind === 'scene' && one.scene.json === other.scene.json;
