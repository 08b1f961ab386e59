/**
 * The view of mappers that are tried on a placement: what passes between its page, the server, the picture of the placement and
 * the text.
 */
import { commands, env, l10n, Uri, window, type Disposable, type WebviewView, type WebviewViewProvider } from 'vscode';
import {
  readFromMapperPage,
  type FromMapperPage,
  type ToMapperPage,
  type TryMappersOptions,
} from '../server/protocol/mapperComparison.ts';
import type { ChangeParameters, SceneParameters } from '../server/protocol/messages.ts';
import type { PlacementPanels } from './placementPanels.ts';
import { saveText } from './saving.ts';
import type { Server } from './server.ts';
import { WebPage } from './webPage.ts';
import { writeChange } from './writeChange.ts';

/** Names the view in package.json. */
const mapperViewType = 'placewright.mappers';
/** For `when` clauses: there is something to be seen in the view. */
const openContext = 'placewright.triesMappers';

/** The one view: it shows the placement that was chosen last, and the server keeps what was found of others. */
export class MapperView implements WebviewViewProvider, Disposable {
  readonly #extensionUri: Uri;
  readonly #server: Server;
  readonly #panels: PlacementPanels;
  readonly #subscriptions: readonly Disposable[];
  #page: WebPage<FromMapperPage, ToMapperPage> | undefined;
  #shown: SceneParameters | undefined;
  #options: TryMappersOptions = { budget: 'quick', seeds: 1 };
  #kept: Disposable | undefined;

  constructor(extensionUri: Uri, server: Server, panels: PlacementPanels) {
    this.#extensionUri = extensionUri;
    this.#server = server;
    this.#panels = panels;
    this.#subscriptions = [
      window.registerWebviewViewProvider(mapperViewType, this),
      server.onTriedMappers((table) => {
        if (this.#isShown(table)) this.#post({ kind: 'table', table });
      }),
      server.onRestart(() => {
        if (this.#shown !== undefined) this.#try(this.#options);
      }),
      panels.onPreviewEnded((placement) => {
        if (this.#isShown(placement)) this.#post({ kind: 'previewed' });
      }),
    ];
  }

  /** Tries mappers on a placement; where that was done before, what was found is shown. */
  async show(subject: SceneParameters): Promise<void> {
    await commands.executeCommand('setContext', openContext, true);
    if (!this.#isShown(subject)) {
      this.#leave();
      this.#kept?.dispose();
      this.#kept = this.#server.keep(subject.uri);
      this.#shown = subject;
    }
    await commands.executeCommand(`${mapperViewType}.focus`);
    const known = await this.#server.triedMappers(subject);
    if (known === null || known.stale || known.state === 'failed') this.#try(this.#options);
    else this.#post({ kind: 'table', table: known });
  }

  resolveWebviewView(view: WebviewView): void {
    this.#page = new WebPage(view, this.#extensionUri, this.#server, {
      script: 'tryMappers.js',
      read: readFromMapperPage,
      receive: (message) => this.#receive(message),
      failed: (text) => ({ kind: 'said', text, isFault: true }),
    });
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#kept?.dispose();
  }

  #isShown({ uri, placement }: SceneParameters): boolean {
    return this.#shown?.uri === uri && this.#shown.placement === placement;
  }

  #try(options: TryMappersOptions): void {
    this.#options = options;
    if (this.#shown === undefined) return;
    this.#leave();
    this.#server.tryMappers({ ...this.#shown, ...options });
  }

  #post(message: ToMapperPage): void {
    this.#page?.post(message);
  }

  async #receive(message: FromMapperPage): Promise<void> {
    const shown = this.#shown;
    if (message.kind === 'ready') {
      this.#page?.listens();
      const table = shown && (await this.#server.triedMappers(shown));
      this.#post({ kind: 'table', ...(table && { table }) });
      return;
    }
    if (shown === undefined) return;
    switch (message.kind) {
      case 'try':
        this.#try({ budget: message.budget, seeds: message.seeds });
        break;
      case 'stop':
        this.#server.stopMappers(shown);
        break;
      case 'preview':
        await this.#preview(shown, message.mapper);
        break;
      case 'write':
        await this.#write({ ...shown, change: { kind: 'mapper', mapper: message.mapper } });
        break;
      case 'leave':
        // Behind the preview Escape leads back to the text.
        if (!this.#leave()) await commands.executeCommand('workbench.action.focusActiveEditorGroup');
        break;
      case 'copy':
      case 'save':
        await this.#saveTable(shown, message.kind);
        break;
    }
  }

  async #preview(shown: SceneParameters, mapper: string): Promise<void> {
    const change = { kind: 'mapper', mapper } as const;
    const answer = await this.#server.preview({ ...shown, change });
    if (!this.#isShown(shown)) return;
    if (answer.kind === 'nothing') {
      this.#post({ kind: 'said', text: answer.reason, isFault: true });
      return;
    }
    this.#panels.preview(shown, change, answer);
    this.#post({ kind: 'previewed', mapper });
  }

  async #write(change: ChangeParameters): Promise<void> {
    const { text, isFault } = await writeChange(this.#server, change);
    if (!isFault) this.#leave();
    this.#post({ kind: 'said', text, isFault });
  }

  /** The picture is that of the placement again; whether it was another one. */
  #leave(): boolean {
    const isLeft = this.#shown !== undefined && this.#panels.endPreview(this.#shown);
    if (isLeft) this.#post({ kind: 'previewed' });
    return isLeft;
  }

  async #saveTable(shown: SceneParameters, kind: 'copy' | 'save'): Promise<void> {
    const answer = await this.#server.triedMappersCsv(shown);
    if (!answer.ok) throw new Error(answer.message);
    if (kind === 'save') {
      await saveText(shown.uri, answer.suggestedName, answer.text);
      return;
    }
    await env.clipboard.writeText(answer.text);
    this.#post({ kind: 'said', text: l10n.t('The table is on the clipboard, as CSV.'), isFault: false });
  }
}
