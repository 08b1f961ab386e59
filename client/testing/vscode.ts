/**
 * What the client's rooms need of the module `vscode`, without an editor: values as the editor has them, and
 * windows whose answers a test writes and whose questions it reads. `vitest.config.ts` puts it in the place of the real one.
 */
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import type { ExtensionContext } from 'vscode';
import { URI, Utils } from 'vscode-uri';

export class Position {
  readonly line: number;
  readonly character: number;

  constructor(line: number, character: number) {
    this.line = line;
    this.character = character;
  }
}

export class Range {
  readonly start: Position;
  readonly end: Position;

  constructor(startLine: number, startCharacter: number, endLine: number, endCharacter: number) {
    this.start = new Position(startLine, startCharacter);
    this.end = new Position(endLine, endCharacter);
  }

  contains({ line }: Position): boolean {
    return line >= this.start.line && line <= this.end.line;
  }
}

export class Selection {
  readonly active: Position;

  constructor(_anchor: Position, active: Position) {
    this.active = active;
  }
}

export { CancellationTokenSource } from 'vscode-jsonrpc';

export class ThemeColor {
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }
}

export class TabInputWebview {
  readonly viewType: string;

  constructor(viewType: string) {
    this.viewType = viewType;
  }
}

export class TabInputText {
  readonly uri: URI;

  constructor(uri: URI) {
    this.uri = uri;
  }
}

export class Disposable {
  readonly dispose: () => void;

  static from(...all: readonly { readonly dispose: () => void }[]): Disposable {
    return new Disposable(() => {
      for (const one of all) one.dispose();
    });
  }

  constructor(dispose: () => void) {
    this.dispose = dispose;
  }
}

/** Tells what happened to whoever listens. */
export class EventEmitter<What> {
  readonly #listeners = new Set<(what: What) => void>();
  readonly event = (listener: (what: What) => void): Disposable => {
    this.#listeners.add(listener);
    return new Disposable(() => this.#listeners.delete(listener));
  };
  readonly fire = (what: What): void => {
    for (const listener of this.#listeners) listener(what);
  };
  readonly dispose = (): void => {
    this.#listeners.clear();
  };
}

/** `instanceof Uri` holds for what vscode-uri makes. */
export const Uri = Object.assign(URI, { joinPath: Utils.joinPath });
export const ProgressLocation = { Notification: 15 };
export const QuickPickItemKind = { Separator: -1, Default: 0 };
export const ViewColumn = { One: 1, Beside: -2 };
export const TextEditorRevealType = { InCenterIfOutsideViewport: 2 };
export const OverviewRulerLane = { Full: 7 };

export const l10n = {
  bundle: undefined as Readonly<Record<string, string>> | undefined,
  t: (message: string, ...given: readonly unknown[]): string =>
    message.replace(/\{(\d+)\}/g, (_, index: string) => String(given[Number(index)])),
};
export const UIKind = { Desktop: 1, Web: 2 };
export const env = {
  language: 'en',
  uiKind: UIKind.Desktop,
  remoteName: undefined as string | undefined,
  clipboard: {
    writeText: (text: string): Promise<void> => {
      user.copied.push(text);
      return Promise.resolve();
    },
  },
};

/** Replacements of pieces of texts, as they were asked for. */
export class WorkspaceEdit {
  readonly replaced: string[] = [];

  replace(_uri: URI, { start, end }: Range, text: string): void {
    this.replaced.push(`${start.line}:${start.character}-${end.line}:${end.character} ${text}`);
  }
}
export const version = '1.91.0';

export class ThemeIcon {
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }
}

export class MarkdownString {
  value = '';

  appendText(text: string): this {
    this.value += text;
    return this;
  }
}

export class TreeItem {
  readonly label: string;

  constructor(label: string) {
    this.label = label;
  }
}

export class ShellExecution {
  readonly command: string;
  readonly args: readonly string[];
  readonly options: unknown;

  constructor(command: string, args: readonly string[], options: unknown) {
    this.command = command;
    this.args = args;
    this.options = options;
  }
}

export class Task {
  readonly name: string;
  readonly definition: unknown;
  readonly execution: ShellExecution;
  readonly problemMatchers: unknown;

  constructor(
    definition: unknown,
    _scope: unknown,
    name: string,
    _source: string,
    execution: ShellExecution,
    problemMatchers: unknown,
  ) {
    this.name = name;
    this.definition = definition;
    this.execution = execution;
    this.problemMatchers = problemMatchers;
  }
}

export const TreeItemCollapsibleState = { None: 0, Expanded: 2 };
export const TaskGroup = { Build: 'build' };
export const TaskScope = { Workspace: 2 };
export const DiagnosticSeverity = { Error: 0, Warning: 1 };
export const LanguageStatusSeverity = { Information: 0, Error: 2 };

interface Editor {
  readonly document: { readonly uri: Pick<URI, 'toString'>; readonly languageId: string };
  readonly selection: Selection;
  readonly viewColumn?: number;
}

/** What was asked and said, and what the user answers. Tests set it back with {@link reset}. */
export const user = {
  messages: [] as string[],
  picks: [] as string[][],
  /** Label of the entry that is picked; undefined: the user thinks better of it. */
  pick: undefined as string | undefined,
  /** What is picked before that, list by list. */
  picksFirst: [] as string[],
  /** Labels that are ticked in lists of many, one list after the other; undefined, and after the last: the user thinks better of it. */
  ticks: [] as (readonly string[] | undefined)[],
  /** What such lists had ticked when they came. */
  ticked: [] as string[][],
  /** What is typed where a word is asked for, one after the other. */
  typed: [] as string[],
  /** Button of a warning that is pressed. */
  press: undefined as string | undefined,
  /** Titles of the notifications that offered to cancel. */
  cancellable: [] as string[],
  /** Presses `Cancel` as soon as it is offered. */
  cancels: false,
  activeEditor: undefined as Editor | undefined,
  symbols: [] as { readonly name: string; readonly range: Range }[],
  /** Commands that were called, with what they were given. */
  commands: [] as (readonly unknown[])[],
  /** Names that were suggested for files, and the path that is chosen; undefined: none. */
  suggested: [] as string[],
  saveAs: undefined as string | undefined,
  /** Paths that are picked where files are to be opened, and how they were asked for. */
  opens: undefined as readonly string[] | undefined,
  openDialogs: [] as object[],
  /** Documents that were opened, in order. */
  opened: [] as string[],
  /** What was put on the clipboard. */
  copied: [] as string[],
  /** What stands at every place of a document that is asked for. */
  textOfRanges: '',
  /** What was written into documents. */
  written: [] as string[],
  /** Of every document. */
  problems: [] as {
    readonly severity: number;
    readonly source?: string;
    readonly code?: string;
    readonly range?: Range;
  }[],
  /** Values of settings, by their names without `placewright.`. */
  settings: {} as Record<string, unknown>,
};

const fresh = structuredClone({ ...user, activeEditor: undefined });

export function reset(): void {
  // Whoever listened in an earlier test, of this file or of another one in the same process, hears no more.
  for (const each of Object.values(editor)) if (each instanceof EventEmitter) each.dispose();
  editor.panels.length = 0;
  window.visibleTextEditors.length = 0;
  window.tabGroups.all.length = 0;
  workspace.textDocuments.length = 0;
  workspace.isTrusted = true;
  env.remoteName = undefined;
  Object.assign(user, structuredClone(fresh));
}

/** What an extension keeps for a workspace. */
export class FakeMemento {
  readonly #values = new Map<string, unknown>();
  readonly keys = (): readonly string[] => [...this.#values.keys()];
  readonly get = (key: string): unknown => this.#values.get(key);
  readonly update = (key: string, value: unknown): Promise<void> => {
    // As JSON, as the editor writes it.
    if (value === undefined) this.#values.delete(key);
    else this.#values.set(key, JSON.parse(JSON.stringify(value)));
    return Promise.resolve();
  };
}

/** What pages need of the extension; `workspaceState` is what an earlier window left. */
export const extensionContext = (workspaceState = new FakeMemento()) =>
  ({
    extensionUri: Uri.file('/extension'),
    globalStorageUri: Uri.file('/storage'),
    extension: { packageJSON: { version: '1.2.3' } },
    workspaceState,
  }) as unknown as ExtensionContext & {
    readonly workspaceState: FakeMemento;
  };

/** A panel for a web page, which a test looks at and sends messages from. */
export class FakeWebviewPanel {
  title: string;
  active = false;
  /** How often it was brought to the front. */
  revealed = 0;
  isDisposed = false;
  readonly said: unknown[] = [];
  readonly #received = new EventEmitter<unknown>();
  readonly #disposed = new EventEmitter<undefined>();
  readonly onDidDispose = this.#disposed.event;
  readonly #state = new EventEmitter<undefined>();
  readonly onDidChangeViewState = this.#state.event;
  visible = true;
  viewColumn = 2;
  readonly webview = {
    cspSource: 'x',
    onDidReceiveMessage: this.#received.event,
    asWebviewUri: (uri: URI): URI => uri,
    postMessage: (message: unknown): number => this.said.push(message),
  };

  constructor(title: string) {
    this.title = title;
  }

  /** What its page says; answered as far as that goes without waiting. */
  async receive(message: unknown): Promise<void> {
    this.#received.fire(message);
    await new Promise((done) => setTimeout(done));
  }

  reveal(): void {
    this.revealed++;
    this.visible = true;
  }

  /** The user goes to it, or away from it. */
  focus(isActive: boolean): void {
    this.active = isActive;
    this.#state.fire(undefined);
  }

  dispose(): void {
    this.isDisposed = true;
    this.#disposed.fire(undefined);
  }
}

interface ContentProvider {
  readonly provideTextDocumentContent: (uri: URI) => string | undefined;
}

type Restore = (panel: FakeWebviewPanel, state: unknown) => Promise<void>;

/** What the editor tells by itself, for tests to have it told; and the panels that are open, the oldest first. */
export const editor = {
  visibleEditorsChanged: new EventEmitter<undefined>(),
  documentClosed: new EventEmitter<{ readonly uri: Pick<URI, 'toString'> }>(),
  trustGranted: new EventEmitter<undefined>(),
  documentSaved: new EventEmitter<{ readonly uri: Pick<URI, 'toString'>; readonly languageId?: string }>(),
  panels: [] as FakeWebviewPanel[],
  textChanged: new EventEmitter<unknown>(),
  diagnosticsChanged: new EventEmitter<undefined>(),
  activeEditorChanged: new EventEmitter<unknown>(),
  selectionChanged: new EventEmitter<{ readonly textEditor: unknown }>(),
  configurationChanged: new EventEmitter<{ readonly affectsConfiguration: (name: string) => boolean }>(),
  foldersChanged: new EventEmitter<undefined>(),
  placeFileCreated: new EventEmitter<undefined>(),
  /** What the status bar shows, of the newest item. */
  status: {} as Record<string, unknown>,
  /** Whether the newest tree view is in sight. */
  view: { visible: true, message: '' },
  taskEnded: new EventEmitter<{
    readonly exitCode: number | undefined;
    readonly execution: { readonly task: { readonly definition: { readonly type: string } } };
  }>(),
  taskProvider: undefined as
    { readonly provideTasks: () => Promise<Task[]>; readonly resolveTask: (task: unknown) => Task } | undefined,
  /** Of documents that are in no file, by their schemes. */
  contents: new Map<string, ContentProvider['provideTextDocumentContent']>(),
  /** Opens the page of the view that was registered last. */
  resolveView: (() => undefined) as (view: unknown) => void,
  /** Restores a panel after the window was loaded again. */
  restore: (() => Promise.resolve()) as Restore,
};

const nothingHappens = new EventEmitter<undefined>().event;

const say = (message: string): Promise<string | undefined> => {
  user.messages.push(message);
  return Promise.resolve(user.press);
};

export const window = {
  get activeTextEditor(): Editor | undefined {
    return user.activeEditor;
  },
  visibleTextEditors: [] as Editor[],
  tabGroups: {
    all: [] as {
      readonly tabs?: unknown[];
      readonly viewColumn?: number;
      readonly isActive?: boolean;
      readonly activeTab?: unknown;
    }[],
    close: (closed: readonly unknown[]): Promise<boolean> => {
      for (const { tabs = [] } of window.tabGroups.all) {
        for (const tab of closed) if (tabs.includes(tab)) tabs.splice(tabs.indexOf(tab), 1);
      }
      return Promise.resolve(true);
    },
  },
  createOutputChannel: () => new Disposable(() => undefined),
  showInformationMessage: say,
  showWarningMessage: say,
  showErrorMessage: say,
  showQuickPick<Item extends { readonly label: string; readonly picked?: boolean }>(
    items: readonly Item[],
    { canPickMany = false }: { readonly canPickMany?: boolean } = {},
  ): Promise<Item | readonly Item[] | undefined> {
    user.picks.push(items.map(({ label }) => label));
    if (canPickMany) {
      user.ticked.push(items.filter(({ picked }) => picked === true).map(({ label }) => label));
      const ticks = user.ticks.shift();
      return Promise.resolve(ticks && items.filter(({ label }) => ticks.includes(label)));
    }
    const picked = user.picksFirst.shift() ?? user.pick;
    return Promise.resolve(items.find(({ label }) => label === picked));
  },
  showInputBox: (): Promise<string | undefined> => Promise.resolve(user.typed.shift()),
  withProgress<Answer>(
    { title, cancellable }: { readonly title: string; readonly cancellable: boolean },
    task: (progress: object, token: { readonly isCancellationRequested: boolean }) => Promise<Answer>,
  ): Promise<Answer> {
    if (cancellable) user.cancellable.push(title);
    return task({}, { isCancellationRequested: cancellable && user.cancels });
  },
  createTextEditorDecorationType: () => ({}),
  onDidChangeActiveTextEditor: editor.activeEditorChanged.event,
  onDidChangeTextEditorSelection: editor.selectionChanged.event,
  createTreeView: () => {
    editor.view = { visible: true, message: '' };
    return Object.assign(editor.view, { onDidChangeVisibility: nothingHappens, dispose: () => undefined });
  },
  /** Only a text that is in no file gets a tab. */
  showTextDocument: (document: { readonly uri?: URI }): Promise<unknown> => {
    const { uri } = document;
    if (uri !== undefined && editor.contents.has(uri.scheme)) {
      window.tabGroups.all.push({ tabs: [{ input: new TabInputText(uri) }] });
    }
    return Promise.resolve({ document });
  },
  onDidChangeVisibleTextEditors: editor.visibleEditorsChanged.event,
  showOpenDialog: (options: object): Promise<URI[] | undefined> => {
    user.openDialogs.push(options);
    return Promise.resolve(user.opens?.map((path) => URI.file(path)));
  },
  showSaveDialog: ({ defaultUri }: { readonly defaultUri: URI }): Promise<URI | undefined> => {
    user.suggested.push(defaultUri.path.slice(defaultUri.path.lastIndexOf('/') + 1));
    return Promise.resolve(user.saveAs === undefined ? undefined : URI.file(user.saveAs));
  },
  createWebviewPanel(_type: string, title: string): FakeWebviewPanel {
    const panel = new FakeWebviewPanel(title);
    editor.panels.push(panel);
    panel.onDidDispose(() => editor.panels.splice(editor.panels.indexOf(panel), 1));
    return panel;
  },
  registerWebviewViewProvider(
    _id: string,
    provider: { readonly resolveWebviewView: (view: unknown) => void },
  ): Disposable {
    editor.resolveView = (view) => {
      provider.resolveWebviewView(view);
    };
    return new Disposable(() => undefined);
  },
  registerWebviewPanelSerializer(_type: string, serializer: { readonly deserializeWebviewPanel: Restore }): Disposable {
    editor.restore = (panel, state) => serializer.deserializeWebviewPanel(panel, state);
    return new Disposable(() => undefined);
  },
};

export const workspace = {
  asRelativePath: (uri: URI): string => uri.path.slice(uri.path.lastIndexOf('/') + 1),
  onDidCloseTextDocument: editor.documentClosed.event,
  onDidGrantWorkspaceTrust: editor.trustGranted.event,
  textDocuments: [] as { readonly uri: Pick<URI, 'toString'> }[],
  isTrusted: true,
  onDidSaveTextDocument: editor.documentSaved.event,
  onDidChangeConfiguration: editor.configurationChanged.event,
  getConfiguration: () => ({ get: (name: string): unknown => user.settings[name] }),
  registerTextDocumentContentProvider(scheme: string, { provideTextDocumentContent }: ContentProvider): Disposable {
    editor.contents.set(scheme, provideTextDocumentContent);
    return new Disposable(() => editor.contents.delete(scheme));
  },
  openTextDocument(given: URI | { readonly content: string }): Promise<unknown> {
    user.opened.push(
      'content' in given ? given.content : (editor.contents.get(given.scheme)?.(given) ?? given.toString()),
    );
    return Promise.resolve(
      'content' in given ? { uri: URI.parse('untitled:Untitled-1') } : { uri: given, getText: () => user.textOfRanges },
    );
  },
  applyEdit({ replaced }: WorkspaceEdit): Promise<boolean> {
    user.written.push(...replaced);
    return Promise.resolve(true);
  },
  createFileSystemWatcher: () => ({
    onDidCreate: editor.placeFileCreated.event,
    onDidChange: nothingHappens,
    onDidDelete: nothingHappens,
    dispose: () => undefined,
  }),
  onDidChangeWorkspaceFolders: editor.foldersChanged.event,
  onDidChangeTextDocument: editor.textChanged.event,
  getWorkspaceFolder: (uri: URI) => (uri.path.startsWith('/study/') ? { uri: URI.file('/study') } : undefined),
  fs: {
    stat: (uri: URI) =>
      orMissing(
        stat(uri.fsPath).then((found) => ({ type: typeOf(found), size: found.size, mtime: Math.trunc(found.mtimeMs) })),
      ),
    readFile: (uri: URI) => orMissing(readFile(uri.fsPath)),
    readDirectory: (uri: URI) =>
      orMissing(
        readdir(uri.fsPath, { withFileTypes: true }).then((entries) =>
          entries.map((entry) => [entry.name, typeOf(entry)] as const),
        ),
      ),
    writeFile: (uri: URI, bytes: Uint8Array) => writeFile(uri.fsPath, bytes),
    rename: (from: URI, to: URI) => rename(from.fsPath, to.fsPath),
    delete: (uri: URI, options?: { readonly recursive?: boolean }) => rm(uri.fsPath, options),
  },
};

export const FileType = { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 } as const;

export class FileSystemError extends Error {
  readonly code = 'FileNotFound';
}

const typeOf = (found: { isDirectory(): boolean }): number =>
  found.isDirectory() ? FileType.Directory : FileType.File;

/** Fails as the editor does where there is no such file. */
const orMissing = <Value>(found: Promise<Value>): Promise<Value> =>
  found.catch((error: unknown) => {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? new FileSystemError() : error;
  });

export const commands = {
  registerCommand: () => new Disposable(() => undefined),
  executeCommand(...words: readonly unknown[]): Promise<unknown> {
    user.commands.push(words);
    return Promise.resolve(user.symbols);
  },
};

export const languages = {
  createLanguageStatusItem: () => {
    editor.status = { dispose: () => undefined };
    return editor.status;
  },
  onDidChangeDiagnostics: editor.diagnosticsChanged.event,
  getDiagnostics: () => user.problems,
};

export const tasks = {
  onDidEndTaskProcess: editor.taskEnded.event,
  registerTaskProvider(_type: string, provider: NonNullable<typeof editor.taskProvider>): Disposable {
    editor.taskProvider = provider;
    return new Disposable(() => undefined);
  },
};
