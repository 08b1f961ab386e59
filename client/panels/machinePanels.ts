/** The panels of machines that are open, one for each: pictures of machines by themselves, with their figures. */
import { l10n, workspace, type TextDocument } from 'vscode';
import type { MachineAnswer, MachineParameters, ReportsChanged } from '../../server/protocol/messages.ts';
import type { FromPanel } from '../../server/protocol/panel.ts';
import { PicturePanel } from './panel.ts';
import { documentKey, nameKey, Panels, stringsIn, type Extension } from './panels.ts';
import type { Server } from '../server.ts';

/** Names the kind of panel in `package.json` and in restored windows. */
const machinePanelType = 'placewright.machine';

/** Opens, updates and restores the pictures of machines. */
export class MachinePanels extends Panels<MachineParameters, MachinePanel> {
  constructor(extension: Extension, server: Server) {
    super(extension, server, {
      type: machinePanelType,
      titleOf: ({ machine }) => l10n.t('Machine {0}', machine),
      keyOf: ({ uri, machine }) => nameKey(uri, machine),
      readState: (state) => stringsIn(state, 'uri', 'machine'),
      open: (host, shown) => new MachinePanel(host, shown),
    });
    this.follow(
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (document.languageId !== 'place' || contentChanges.length === 0) return;
        this.each((panel) => {
          panel.edited(document.uri.toString());
        });
      }),
    );
  }
}

/** Several reasons to ask within so many milliseconds make one question. */
const pause = 20;

/** One panel: asks the server for the picture and passes it on. */
class MachinePanel extends PicturePanel<MachineParameters> {
  #answer: MachineAnswer | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The text has changed since the answer. */
  #isEdited = false;

  /** Whatever is saved may be imported by the file of the machine. */
  override saved({ languageId }: TextDocument): void {
    if (languageId === 'place') this.refresh();
  }

  /** A study has read the files anew that programs name. */
  override reported({ uri, running }: ReportsChanged): void {
    if (!running && documentKey(uri) === documentKey(this.shown.uri)) this.refresh();
  }

  override refresh(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#ask().catch((error: unknown) => {
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

  protected override closed(): void {
    clearTimeout(this.#timer);
  }

  async #ask(): Promise<void> {
    if (!this.page.isListening) return;
    if (!(await this.hasOpened(this.shown.uri))) {
      this.page.post({ kind: 'nothing', reason: l10n.t('The file of this machine was deleted or moved.') });
      return;
    }
    this.#isEdited = false;
    const answer = await this.question.ask((token) => this.server.ask('machine', this.shown, token));
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

  protected override async receive(message: FromPanel): Promise<void> {
    const { uri, machine } = this.shown;
    switch (message.kind) {
      case 'ready':
        this.tellAnew();
        this.#answer = undefined;
        await this.#ask();
        break;
      case 'reveal':
        if (this.#answer?.declared !== undefined) await this.showText(this.#answer.declared);
        break;
      case 'reveal-problem':
        await this.showProblem(this.#answer?.problem);
        break;
      case 'save':
        await this.save(uri, machine, message);
        break;
      default:
        // Nothing is searched for a machine, and no job runs on it.
        break;
    }
  }
}

const isSameAnswer = (one: MachineAnswer, other: MachineAnswer | undefined): boolean =>
  one.kind === 'scene' && other?.kind === 'scene' && one.scene.json === other.scene.json;
