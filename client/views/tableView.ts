/**
 * A view below the editors with a table of what was tried on one placement: it fills while that goes on, a row leads to the picture
 * and into the text. What a view has of its own is in `mapperView.ts` and `lossView.ts`. The table is there again after the window was
 * loaded anew.
 */
import { commands, env, l10n, window, type Disposable, type WebviewView, type WebviewViewProvider } from 'vscode';
import type { SceneParameters } from '../../server/protocol/messages.ts';
import type { FromTablePage, TableFile, TableSaid } from '../../server/protocol/tablePage.ts';
import { PageMemory } from '../panels/pageMemory.ts';
import { stringsIn, type Extension } from '../panels/panels.ts';
import type { PlacementPanels } from '../panels/placementPanels.ts';
import { saveText } from '../saving.ts';
import type { Server } from '../server.ts';
import { WebPage, type PageKind } from '../panels/webPage.ts';

/** What views differ in; `From` is what a page says beside what all of them say. */
interface TableViewKind<From> extends Pick<PageKind<From, never>, 'script'> {
  /** Names the view in package.json. */
  readonly type: string;
  /** For `when` clauses: there is something to be seen in the view. */
  readonly openContext: string;
  readonly read: (data: unknown) => From | FromTablePage | undefined;
}

/** Characters of a table that is kept for the next window; of a larger one that it was there. */
const largestKept = 200_000;

/** The one view of its kind: it shows the placement that was chosen last. `Kept` is what the next window is given. */
export abstract class TableView<From extends { readonly kind: string }, To, Kept>
  implements WebviewViewProvider, Disposable
{
  protected readonly server: Server;
  protected readonly panels: PlacementPanels;
  protected placement: SceneParameters | undefined;
  readonly #extension: Extension;
  readonly #kind: TableViewKind<From>;
  readonly #subscriptions: Pick<Disposable, 'dispose'>[] = [];
  #page: WebPage<From | FromTablePage, To | TableSaid> | undefined;
  #document: Disposable | undefined;

  constructor(extension: Extension, server: Server, panels: PlacementPanels, kind: TableViewKind<From>) {
    this.#extension = extension;
    this.server = server;
    this.panels = panels;
    this.#kind = kind;
    this.#subscriptions.push(window.registerWebviewViewProvider(kind.type, this));
  }

  /** Works the table out from the beginning; ends with it, or at once. */
  protected abstract begin(placement: SceneParameters): Promise<void> | void;
  protected abstract stop(placement: SceneParameters): void;
  /** Whether there is nothing to be worked out of a placement that was shown before, or is. */
  protected abstract isKnown(placement: SceneParameters): Promise<boolean> | boolean;
  /** Tells the page what there is. */
  protected abstract tell(): Promise<void> | void;
  protected abstract act(placement: SceneParameters, message: From): Promise<void>;
  /** What the picture shows of a row ends; false where that was nothing. */
  protected abstract leave(): boolean;
  protected abstract file(placement: SceneParameters): Promise<TableFile | undefined> | TableFile | undefined;
  /** What an earlier window kept; undefined where it went while there was no table yet. */
  protected abstract restore(placement: SceneParameters, kept: Kept | undefined): void;

  protected follow(...subscriptions: readonly Pick<Disposable, 'dispose'>[]): void {
    this.#subscriptions.push(...subscriptions);
  }

  /** Works out the table of a placement; where that was done before, what was found is shown. */
  async show(placement: SceneParameters): Promise<void> {
    await commands.executeCommand('setContext', this.#kind.openContext, true);
    if (!this.isShown(placement)) {
      this.leave();
      this.#turnTo(placement);
    }
    const isKnown = await this.isKnown(placement);
    const begun = isKnown ? undefined : this.begin(placement);
    await commands.executeCommand(`${this.#kind.type}.focus`);
    if (isKnown) await this.tell();
    await begun;
  }

  /** Once, when the extension starts: what the window showed before it was loaded anew. */
  protected goOn(): void {
    const kept = this.#extension.workspaceState.get<{ readonly placement?: unknown; readonly table?: Kept }>(this.#key);
    const { placement, table } = kept ?? {};
    const subject = stringsIn(placement, 'uri', 'placement');
    if (subject === undefined) return;
    this.#turnTo(subject, table);
    this.restore(subject, table);
    void commands.executeCommand('setContext', this.#kind.openContext, true);
  }

  resolveWebviewView(panel: WebviewView): void {
    const memory = new PageMemory(this.#extension.workspaceState, this.#kind.type);
    const host = { panel, extensionUri: this.#extension.extensionUri, server: this.server, memory };
    this.#page = new WebPage(host, {
      script: this.#kind.script,
      read: this.#kind.read,
      receive: (message) => this.#receive(message),
      failed: (text) => ({ kind: 'said', text, isFault: true }),
    });
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#document?.dispose();
  }

  protected isShown({ uri, placement }: SceneParameters): boolean {
    return this.placement?.uri === uri && this.placement.placement === placement;
  }

  protected post(message: To | TableSaid): void {
    this.#page?.post(message);
  }

  /** For the next window: the table as it is, if that is not too large. */
  protected keep(table: Kept | undefined): void {
    const isSmall = table !== undefined && JSON.stringify(table).length <= largestKept;
    void this.#extension.workspaceState.update(this.#key, { placement: this.placement, ...(isSmall && { table }) });
  }

  get #key(): string {
    return `table ${this.#kind.type}`;
  }

  #turnTo(placement: SceneParameters, table?: Kept): void {
    this.#document?.dispose();
    this.#document = this.server.keep(placement.uri);
    this.placement = placement;
    this.keep(table);
  }

  async #receive(message: From | FromTablePage): Promise<void> {
    const { placement } = this;
    if (message.kind === 'ready') {
      this.#page?.listens();
      await this.tell();
      return;
    }
    if (placement === undefined) return;
    switch (message.kind) {
      case 'stop':
        this.stop(placement);
        break;
      case 'leave':
        if (!this.leave()) await commands.executeCommand('workbench.action.focusActiveEditorGroup');
        break;
      case 'copy':
      case 'save':
        await this.#saveTable(placement, message.kind);
        break;
      default:
        await this.act(placement, message as From);
    }
  }

  async #saveTable(placement: SceneParameters, kind: 'copy' | 'save'): Promise<void> {
    const file = await this.file(placement);
    if (file === undefined) return;
    if (kind === 'save') {
      await saveText(placement.uri, file.suggestedName, file.text);
      return;
    }
    await env.clipboard.writeText(file.text);
    this.post({ kind: 'said', text: l10n.t('Copied the table as CSV.'), isFault: false });
  }
}
