import { TextDocument } from 'vscode-languageserver-textdocument';
import {
  CodeLensRefreshRequest,
  DidChangeConfigurationNotification,
  InlayHintRefreshRequest,
  TextDocuments,
  type ClientCapabilities,
  type Connection,
  type InitializeParams,
  type InitializeResult,
} from 'vscode-languageserver/node';
import { normalUri } from '../../language/uris.ts';
import { trustGrantedNotification, type InitializationOptions } from '../../protocol/messages.ts';
import { readTextFile } from '../files.ts';
import type { ReadPolicyMessage } from '../workerMessages.ts';
import { Analyses } from './analyses.ts';
import { capabilities } from './capabilities.ts';
import { answerFeatures } from './features.ts';
import { inputOf } from './inputs.ts';
import { Publisher } from './publisher.ts';
import { answerRequests } from './requests.ts';
import { defaultServerSettings, settingsFrom } from './settings.ts';
import { Studies } from './studies.ts';
import { noProgress, showProgress } from './studyProgress.ts';
import { Watches } from './watches.ts';
import { WorkerHandle } from './workerHandle.ts';
import { answerWorkspaceRequests } from './workspaceIndex.ts';

/** After the last keystroke, where placements are worked out while typing, milliseconds. */
const typingPause = 500;

/** Starts to listen: the life of one language server, from `initialize` to `exit`. */
export function startSession(connection: Connection, workerPath: string): void {
  new Session(connection, workerPath).listen();
}

/** Brings documents, analyses, studies and the connection together; each of them does its own work. */
class Session {
  readonly #connection: Connection;
  readonly #documents = new TextDocuments(TextDocument);
  readonly #worker: WorkerHandle;
  readonly #analyses: Analyses;
  readonly #studies: Studies;
  readonly #publisher: Publisher;
  readonly #watches: Watches;
  readonly #typing = new Map<string, NodeJS.Timeout>();
  #client: ClientCapabilities = {};
  #settings = defaultServerSettings;
  #trusted = true;
  #folders = new Set<string>();

  constructor(connection: Connection, workerPath: string) {
    this.#connection = connection;
    this.#worker = new WorkerHandle(workerPath, (message) => {
      connection.console.error(message);
    });
    this.#analyses = new Analyses(
      (uri) => this.#documents.get(uri),
      (uri) => readTextFile(uri, this.#policy()),
    );
    this.#studies = new Studies(this.#worker, {
      analysisOf: (uri) => this.#analyses.of(uri),
      settings: () => this.#settings.study,
      allowedRoots: () => this.#allowedRoots(),
      showProgress: (uri, cancel) => this.#showProgress(uri, cancel),
      changed: (uri) => {
        this.#studyChanged(uri);
      },
    });
    this.#publisher = new Publisher(connection, this.#analyses, this.#studies, (uri) => this.#isOpen(uri));
    this.#watches = new Watches(connection);
  }

  listen(): void {
    this.#connection.onInitialize((parameters) => this.#initialize(parameters));
    this.#connection.onInitialized(() => {
      void this.#initialized();
    });
    this.#connection.onShutdown(() => this.#worker.stop());
    this.#listenToDocuments();
    this.#listenToSurroundings();
    answerFeatures(this.#connection, async (uri) => {
      const analysis = await this.#analyses.of(uri);
      return analysis && { ...inputOf(analysis, this.#studies), trusted: this.#trusted };
    });
    answerWorkspaceRequests(this.#connection, {
      folders: () => this.#folders,
      documents: () => this.#documents.all(),
      documentOf: (uri) => this.#documents.get(uri),
      policy: () => this.#policy(),
    });
    answerRequests(this.#connection, {
      analyses: this.#analyses,
      studies: this.#studies,
      publisher: this.#publisher,
      worker: this.#worker,
      policy: () => this.#policy(),
    });
    this.#documents.listen(this.#connection);
    this.#connection.listen();
  }

  #initialize(parameters: InitializeParams): InitializeResult {
    this.#client = parameters.capabilities;
    const options = (parameters.initializationOptions ?? {}) as InitializationOptions;
    this.#trusted = options.trusted ?? true;
    this.#folders = new Set(parameters.workspaceFolders?.map(({ uri }) => uri));
    return { capabilities, serverInfo: { name: 'placewright' } };
  }

  async #initialized(): Promise<void> {
    if (this.#client.workspace?.didChangeConfiguration?.dynamicRegistration === true) {
      void this.#connection.client.register(DidChangeConfigurationNotification.type, { section: 'placewright' });
    }
    if (this.#client.workspace?.workspaceFolders === true) {
      this.#connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
        for (const { uri } of added) this.#folders.add(uri);
        for (const { uri } of removed) this.#folders.delete(uri);
        this.#startAnew();
      });
    }
    await this.#readSettings(undefined);
  }

  #listenToDocuments(): void {
    this.#documents.onDidOpen(({ document }) => {
      this.#textChanged(document.uri);
      this.#studies.order(document.uri);
    });
    this.#documents.onDidChangeContent(({ document }) => {
      this.#textChanged(document.uri);
      if (document.uri.startsWith('untitled:') || this.#settings.runStudy === 'afterTyping')
        this.#studyLater(document.uri);
    });
    this.#documents.onDidSave(({ document }) => {
      for (const reader of this.#openReadersOf(document.uri)) this.#studies.order(reader);
    });
    this.#documents.onDidClose(({ document: { uri } }) => {
      clearTimeout(this.#typing.get(uri));
      this.#typing.delete(uri);
      const readers = this.#openReadersOf(uri);
      this.#analyses.forget(uri);
      this.#analyses.invalidate(readers);
      this.#studies.forget(uri);
      this.#publisher.close(uri);
      for (const reader of readers) this.#publisher.schedule(reader);
    });
  }

  #listenToSurroundings(): void {
    this.#connection.onDidChangeConfiguration(({ settings }) => {
      void this.#readSettings(settings);
    });
    this.#connection.onDidChangeWatchedFiles(({ changes }) => {
      this.#filesChanged(changes.map(({ uri }) => uri));
    });
    this.#connection.onNotification(trustGrantedNotification, () => {
      this.#trusted = true;
      this.#startAnew();
    });
  }

  #textChanged(uri: string): void {
    const readers = this.#openReadersOf(uri);
    this.#analyses.invalidate(readers);
    for (const reader of readers) this.#publisher.schedule(reader);
  }

  #studyLater(uri: string): void {
    clearTimeout(this.#typing.get(uri));
    const order = (): void => {
      this.#typing.delete(uri);
      this.#studies.order(uri);
    };
    this.#typing.set(uri, setTimeout(order, typingPause));
  }

  /** Imported files, tables, mappings or fabrics changed on disk. */
  #filesChanged(uris: readonly string[]): void {
    for (const uri of uris) {
      if (this.#isOpen(uri)) continue; // The editor's text counts, and its save is told separately.
      const readers = this.#openReadersOf(uri).filter((reader) => this.#isOpen(reader));
      this.#analyses.invalidate(readers);
      for (const reader of readers) this.#studies.order(reader);
    }
  }

  /** Settings, trust or folders changed: everything may look different. */
  #startAnew(): void {
    const uris = this.#documents.keys();
    this.#analyses.invalidate(uris);
    for (const uri of uris) this.#studies.order(uri);
  }

  #openReadersOf(uri: string): readonly string[] {
    const byTable = this.#documents.keys().filter((open) => this.#studies.stateOf(open).files.has(uri));
    const readers = [...this.#analyses.readersOf(uri), ...byTable];
    return [...new Set(readers)].filter((reader) => this.#isOpen(reader));
  }

  #studyChanged(uri: string): void {
    this.#publisher.schedule(uri);
    if (this.#studies.stateOf(uri).running) return;
    this.#watches.watch(this.#dependencies());
    const { codeLens, inlayHint } = this.#client.workspace ?? {};
    if (codeLens?.refreshSupport === true) void this.#connection.sendRequest(CodeLensRefreshRequest.type);
    if (inlayHint?.refreshSupport === true) void this.#connection.sendRequest(InlayHintRefreshRequest.type);
  }

  #dependencies(): ReadonlySet<string> {
    const files = this.#documents.keys().flatMap((uri) => [...this.#studies.stateOf(uri).files]);
    return new Set([...this.#analyses.filesWanted(), ...files]);
  }

  #showProgress(uri: string, cancel: () => void) {
    if (this.#client.window?.workDoneProgress !== true) return noProgress;
    return showProgress(this.#connection, `Placing ${decodeURIComponent(uri.slice(uri.lastIndexOf('/') + 1))}`, cancel);
  }

  /** `pushed`: what an editor sent along that cannot be asked. */
  async #readSettings(pushed: unknown): Promise<void> {
    const before = this.#settings;
    const canAsk = this.#client.workspace?.configuration === true;
    const section: unknown = canAsk
      ? await this.#connection.workspace.getConfiguration('placewright')
      : (pushed as { placewright?: unknown } | undefined)?.placewright;
    this.#settings = settingsFrom(section);
    if (before.study.hotLinkFactor !== this.#settings.study.hotLinkFactor) this.#startAnew();
  }

  #isOpen(uri: string): boolean {
    return this.#documents.get(uri) !== undefined;
  }

  #allowedRoots(): readonly string[] | undefined {
    return this.#trusted ? undefined : [...this.#folders];
  }

  #policy(): ReadPolicyMessage {
    const open = this.#documents.all();
    // Editors percent-encode in different ways; imports are asked for in the usual one.
    const openTexts = new Map([
      ...open.map((document) => [normalUri(document.uri), document.getText()] as const),
      ...open.map((document) => [document.uri, document.getText()] as const),
    ]);
    const allowedRoots = this.#allowedRoots();
    return allowedRoots === undefined ? { openTexts } : { openTexts, allowedRoots };
  }
}
