/**
 * The view of what a placement costs once a cable has failed: what passes between its page, the server, the picture of the placement
 * and the text.
 */
import {
  CancellationTokenSource,
  commands,
  env,
  l10n,
  Uri,
  window,
  type Disposable,
  type WebviewView,
  type WebviewViewProvider,
} from 'vscode';
import {
  readFromLossPage,
  type CableLossTable,
  type FromLossPage,
  type ShownLosses,
  type ToLossPage,
} from '../server/protocol/cableLosses.ts';
import type { ReportsChanged, SceneParameters } from '../server/protocol/messages.ts';
import { documentKey } from './panels.ts';
import type { PlacementPanels } from './placementPanels.ts';
import { saveText } from './saving.ts';
import type { Server } from './server.ts';
import { WebPage } from './webPage.ts';
import { writeEdits } from './writeChange.ts';

/** Names the view in package.json. */
const lossViewType = 'placewright.losses';
/** For `when` clauses: there is something to be seen in the view. */
const openContext = 'placewright.losesCables';

/** The one view: it shows the placement that was chosen last. */
export class LossView implements WebviewViewProvider, Disposable {
  readonly #extensionUri: Uri;
  readonly #server: Server;
  readonly #panels: PlacementPanels;
  readonly #subscriptions: readonly Disposable[];
  #page: WebPage<FromLossPage, ToLossPage> | undefined;
  #shown: ShownLosses | undefined;
  /** Of what is under way. */
  #asked: CancellationTokenSource | undefined;
  #kept: Disposable | undefined;

  constructor(extensionUri: Uri, server: Server, panels: PlacementPanels) {
    this.#extensionUri = extensionUri;
    this.#server = server;
    this.#panels = panels;
    this.#subscriptions = [
      window.registerWebviewViewProvider(lossViewType, this),
      server.onCableLosses(({ uri, placement, share }) => {
        if (this.#shown?.state === 'running' && this.#isShown({ uri, placement })) this.#set({ share });
      }),
      server.onReportsChanged((change) => {
        this.#reported(change);
      }),
      server.onRestart(() => {
        if (this.#shown?.state === 'running') void this.#try(this.#shown);
      }),
    ];
  }

  /** Takes out the cables of a placement's machine, unless that was done of it as it is. */
  async show(subject: SceneParameters): Promise<void> {
    await commands.executeCommand('setContext', openContext, true);
    if (!this.#isShown(subject)) {
      this.#kept?.dispose();
      this.#kept = this.#server.keep(subject.uri);
    }
    const isKnown = this.#isShown(subject) && (this.#shown?.state === 'running' || (this.#shown?.state === 'complete' && !this.#shown.stale)); // prettier-ignore
    const trying = isKnown ? Promise.resolve() : this.#try(subject);
    await commands.executeCommand(`${lossViewType}.focus`);
    await trying;
  }

  resolveWebviewView(view: WebviewView): void {
    this.#page = new WebPage(view, this.#extensionUri, this.#server, {
      script: 'cableLosses.js',
      read: readFromLossPage,
      receive: (message) => this.#receive(message),
      failed: (text) => ({ kind: 'said', text, isFault: true }),
    });
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#asked?.cancel();
    this.#kept?.dispose();
  }

  #isShown({ uri, placement }: SceneParameters): boolean {
    return this.#shown?.uri === uri && this.#shown.placement === placement;
  }

  async #try({ uri, placement }: SceneParameters): Promise<void> {
    this.#asked?.cancel();
    const asked = new CancellationTokenSource();
    this.#asked = asked;
    this.#shown = { uri, placement, state: 'running', share: 0, stale: false };
    this.#tell();
    const answer = await this.#server.cableLosses({ uri, placement }, asked.token).catch((error: unknown) => ({
      kind: 'nothing' as const,
      reason: error instanceof Error ? error.message : String(error),
    }));
    // Else it was stopped, or begun anew.
    if (this.#asked !== asked) return;
    this.#asked = undefined;
    if (answer.kind === 'losses') this.#set({ state: 'complete', share: 1, table: answer });
    else this.#set({ state: 'failed', reason: answer.reason });
  }

  #stop(): void {
    if (this.#asked === undefined) return;
    this.#asked.cancel();
    this.#asked = undefined;
    this.#set({ state: 'stopped' });
  }

  #reported({ uri, placements }: ReportsChanged): void {
    const shown = this.#shown;
    if (shown?.table === undefined || documentKey(uri) !== documentKey(shown.uri)) return;
    const summary = placements.find(({ name }) => name === shown.placement);
    const stale = summary?.revision !== shown.table.revision || summary.state !== 'fresh';
    if (stale !== shown.stale) this.#set({ stale });
  }

  #set(change: Partial<ShownLosses>): void {
    if (this.#shown === undefined) return;
    this.#shown = { ...this.#shown, ...change };
    this.#tell();
  }

  #tell(): void {
    this.#post({ kind: 'table', ...(this.#shown && { shown: this.#shown }) });
  }

  #post(message: ToLossPage): void {
    this.#page?.post(message);
  }

  async #receive(message: FromLossPage): Promise<void> {
    const shown = this.#shown;
    if (message.kind === 'ready') {
      this.#page?.listens();
      this.#tell();
      return;
    }
    if (shown === undefined) return;
    switch (message.kind) {
      case 'try':
        await this.#try(shown);
        break;
      case 'stop':
        this.#stop();
        break;
      case 'show':
        this.#select(shown, message.cable);
        break;
      case 'write':
        await this.#write(shown, message.cable);
        break;
      case 'leave':
        await commands.executeCommand('workbench.action.focusActiveEditorGroup');
        break;
      case 'copy':
      case 'save':
        if (shown.table !== undefined) await this.#saveTable(shown, shown.table, message.kind);
        break;
    }
  }

  #select({ uri, placement, table }: ShownLosses, cable: string): void {
    const row = table?.rows.find((one) => one.cable === cable);
    if (row === undefined) return;
    this.#panels.select({ uri, placement }, { kind: 'link', link: row.link });
    this.#post({ kind: 'selected', cable });
  }

  async #write({ uri, placement }: ShownLosses, cable: string): Promise<void> {
    const { text, isFault } = await writeEdits(await this.#server.withoutCable({ uri, placement, cable }));
    this.#post({ kind: 'said', text, isFault });
  }

  async #saveTable({ uri }: ShownLosses, { csv, suggestedName }: CableLossTable, kind: 'copy' | 'save'): Promise<void> {
    if (kind === 'save') {
      await saveText(uri, suggestedName, csv);
      return;
    }
    await env.clipboard.writeText(csv);
    this.#post({ kind: 'said', text: l10n.t('The table is on the clipboard, as CSV.'), isFault: false });
  }
}
