/**
 * The open panels of one kind, one for each thing that is shown: opens them, brings them to the front, finds them by what they
 * show, and restores them with the window. What a panel shows and asks for is its own affair; its page is a `WebPage`.
 */
import {
  TabInputWebview,
  Uri,
  ViewColumn,
  window,
  workspace,
  type Disposable,
  type ExtensionContext,
  type TextDocument,
  type WebviewPanel,
} from 'vscode';
import type { ReportsChanged } from '../../server/protocol/messages.ts';
import { laterLeft, readLeftState } from '../../server/protocol/leftPage.ts';
import { PageMemory } from './pageMemory.ts';
import { randomName } from '../saving.ts';
import type { Server } from '../server.ts';
import type { PageHost } from './webPage.ts';

/** What pages need of the extension: where it lies, and the memory of this workspace. */
export type Extension = Pick<ExtensionContext, 'extensionUri' | 'workspaceState'>;

/** What a panel shows, and how it follows what happens in the window; see `Panel`. */
interface FollowingPanel<Subject> {
  readonly shown: Subject;
  refresh(): Promise<void> | void;
  reported?(change: ReportsChanged): Promise<void> | void;
  saved?(document: TextDocument): void;
}

/** What the panels of a kind have in common. */
interface PanelKind<Subject, Panel> {
  /** Names the kind in `package.json` (`when` clauses, activation) and in restored windows. */
  readonly type: string;
  readonly titleOf: (subject: Subject) => string;
  /** The same for subjects that one panel shows. */
  readonly keyOf: (subject: Subject) => string;
  /** What the state of a page says that it showed; undefined where it says nothing of the kind. */
  readonly readState: (state: unknown) => Subject | undefined;
  readonly open: (host: PageHost, subject: Subject) => Panel;
}

/** Opens, finds and restores the panels of a kind; closes them when the extension ends. */
export class Panels<Subject, Panel extends FollowingPanel<Subject>> implements Disposable {
  readonly #extension: Extension;
  readonly #server: Server;
  readonly #kind: PanelKind<Subject, Panel>;
  /** In the order in which they were opened. */
  readonly #panels = new Map<Panel, WebviewPanel>();
  readonly #subscriptions: Pick<Disposable, 'dispose'>[] = [];
  #lastActive: Panel | undefined;
  /** The editor closes the panels, not the user. */
  #isEnding = false;

  constructor(extension: Extension, server: Server, kind: PanelKind<Subject, Panel>) {
    this.#extension = extension;
    this.#server = server;
    this.#kind = kind;
    this.follow(
      window.registerWebviewPanelSerializer(kind.type, {
        deserializeWebviewPanel: (webviewPanel, state: unknown) => {
          const memory = this.#memory(readLeftState(state)?.page);
          const subject = kind.readState(laterLeft(state, memory.given.state));
          if (subject === undefined) webviewPanel.dispose();
          else this.#adopt(webviewPanel, subject, memory);
          return Promise.resolve();
        },
      }),
      server.on('reportsChanged', (change) => {
        this.each((panel) => panel.reported?.(change));
      }),
      workspace.onDidSaveTextDocument((document) => {
        this.each((panel) => panel.saved?.(document));
      }),
      server.onRestart(() => {
        this.each((panel) => panel.refresh());
      }),
    );
  }

  /** What the panels follow as long as the extension runs. */
  protected follow(...subscriptions: readonly Pick<Disposable, 'dispose'>[]): void {
    this.#subscriptions.push(...subscriptions);
  }

  /** After a panel was opened or restored. */
  protected opened?(): void;

  /** After a panel was closed. */
  protected closed?(panel: Panel): void;

  /** Shows something beside the text; a panel that shows it already comes to the front. */
  show(subject: Subject): Panel {
    const open = this.get(subject);
    if (open !== undefined) {
      this.#panels.get(open)!.reveal(undefined, true);
      return open;
    }
    const column = { viewColumn: ViewColumn.Beside, preserveFocus: true };
    return this.#adopt(
      window.createWebviewPanel(this.#kind.type, this.#kind.titleOf(subject), column),
      subject,
      this.#memory(),
    );
  }

  /** The panel that shows something, if one does. */
  get(subject: Subject): Panel | undefined {
    const key = this.#kind.keyOf(subject);
    return this.all.find(({ shown }) => this.#kind.keyOf(shown) === key);
  }

  get all(): readonly Panel[] {
    return [...this.#panels.keys()];
  }

  /** What is shown in front, if it is one of these. */
  get active(): Subject | undefined {
    return this.activePanel?.shown;
  }

  get activePanel(): Panel | undefined {
    return [...this.#panels].find(([, webviewPanel]) => webviewPanel.active)?.[0];
  }

  /** The same, where the focus is elsewhere: else the one among those in sight that had it last. */
  get inFront(): Panel | undefined {
    const inSight = [...this.#panels].filter(([, { visible }]) => visible);
    const active =
      inSight.find(([, webviewPanel]) => webviewPanel.active) ?? inSight.find(([panel]) => panel === this.#lastActive);
    return (active ?? inSight[0])?.[0];
  }

  /**
   * Brings a panel to the front where it lies behind another picture, beside the text: no text is covered, and the focus stays
   * where it is.
   */
  bringForward(panel: Panel): void {
    const webviewPanel = this.#panels.get(panel);
    if (webviewPanel === undefined || webviewPanel.visible) return;
    const group = window.tabGroups.all.find(({ viewColumn }) => viewColumn === webviewPanel.viewColumn);
    const front = group?.activeTab?.input;
    const isPicture = front instanceof TabInputWebview && front.viewType.includes('placewright.');
    if (isPicture && group?.isActive === false) webviewPanel.reveal(undefined, true);
  }

  protected setTitle(panel: Panel, title: string): void {
    const webviewPanel = this.#panels.get(panel);
    if (webviewPanel !== undefined && webviewPanel.title !== title) webviewPanel.title = title;
  }

  close(subject: Subject): void {
    const panel = this.get(subject);
    if (panel !== undefined) this.#panels.get(panel)!.dispose();
  }

  /** Does something to every panel; where that fails, the log says so. */
  each(act: (panel: Panel) => Promise<void> | void): void {
    for (const panel of this.all) {
      act(panel)?.catch((error: unknown) => {
        this.#server.output.error(String(error));
      });
    }
  }

  dispose(): void {
    this.#isEnding = true;
    for (const subscription of this.#subscriptions) subscription.dispose();
    for (const webviewPanel of [...this.#panels.values()]) webviewPanel.dispose();
  }

  #memory(page = randomName()): PageMemory {
    return new PageMemory(this.#extension.workspaceState, page);
  }

  #adopt(webviewPanel: WebviewPanel, subject: Subject, memory: PageMemory): Panel {
    const host = { panel: webviewPanel, extensionUri: this.#extension.extensionUri, server: this.#server, memory };
    const panel = this.#kind.open(host, subject);
    this.#panels.set(panel, webviewPanel);
    // A restored one has the title that it had when the editor last wrote that down.
    this.setTitle(panel, this.#kind.titleOf(subject));
    webviewPanel.onDidChangeViewState(() => {
      if (webviewPanel.active) this.#lastActive = panel;
    });
    webviewPanel.onDidDispose(() => {
      if (this.#lastActive === panel) this.#lastActive = undefined;
      this.#panels.delete(panel);
      if (!this.#isEnding) memory.forget();
      this.closed?.(panel);
    });
    this.opened?.();
    return panel;
  }
}

/** The same for one document, however its address is written. */
export const documentKey = (uri: string): string => Uri.parse(uri).toString();

/** A key for what has a name in a document. */
export const nameKey = (uri: string, name: string): string => JSON.stringify([documentKey(uri), name]);

/** The strings that a page's state has under these names; undefined where one of them is missing. */
export function stringsIn<const Name extends string>(
  state: unknown,
  ...names: readonly Name[]
): Readonly<Record<Name, string>> | undefined {
  if (typeof state !== 'object' || state === null) return undefined;
  const found = names.map((name) => [name, (state as Readonly<Record<string, unknown>>)[name]] as const);
  if (found.some(([, value]) => typeof value !== 'string')) return undefined;
  return Object.fromEntries(found) as Record<Name, string>;
}
