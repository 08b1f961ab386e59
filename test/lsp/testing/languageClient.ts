/**
 * An editor without windows that talks to the real server over stdio. All tests of a file share one server, because
 * starting a server takes longer than most tests: see {@link clientOfFile}.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import {
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type CodeLens,
  type Diagnostic,
  type LogMessageParams,
  type MessageConnection,
  type PublishDiagnosticsParams,
  type RegistrationParams,
  type UnregistrationParams,
} from 'vscode-languageserver/node';
import { methodOf } from '../../../server/protocol/calls.ts';
import type { ExperimentParameters } from '../../../server/protocol/figures.ts';
import type { ProgressChanged, ReportsChanged } from '../../../server/protocol/messages.ts';
import { builtBundles } from '../../builtOnce.ts';

/** How long a test waits for a message of the server, milliseconds. */
const patience = 15_000;

/** An empty document without a file that stays open. Studies run one after the other: its own ends when the server is idle. */
const idle = 'untitled:idle';

export interface ClientOptions {
  /** False: the folder is not trusted (Restricted Mode). */
  readonly trusted?: boolean;
  /** Environment variables of the server, beside those of the tests. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Further arguments of the server. */
  readonly words?: readonly string[];
}

/**
 * A client with one server for all tests of a file. Each test has a workspace folder of its own.
 * After each test the client closes the documents, resets the settings and cancels the runs of the test. Then it checks
 * that the server still works and is idle. After the last test the server ends with exit code 0.
 * A test that changes more than that needs a server of {@link clientsOfTests}. `bundlesOf` returns the folder of the
 * bundles.
 */
export function clientOfFile(options?: ClientOptions, bundlesOf = builtBundles): LanguageClient {
  const client = new LanguageClient();
  beforeAll(async () => client.start(await bundlesOf(), options));
  afterEach(() => client.beginAnew());
  afterAll(async () => {
    expect(await client.stop()).toBe(0);
  });
  return client;
}

/**
 * Clients with a server each, which ends after the test with exit code 0. For tests of start and end, of environment
 * variables, and of changes that cannot be undone, such as trust.
 */
export function clientsOfTests(): { readonly start: (options?: ClientOptions) => Promise<LanguageClient> } {
  const started: LanguageClient[] = [];
  afterEach(async () => {
    const clients = started.splice(0);
    expect(await Promise.all(clients.map((client) => client.stop()))).toEqual(clients.map(() => 0));
  });
  return {
    start: async (options) => {
      const client = new LanguageClient();
      await client.start(await builtBundles(), options);
      started.push(client);
      return client;
    },
  };
}

interface Progress {
  readonly kind: 'begin' | 'report' | 'end';
  readonly message?: string;
}

interface Waiter {
  readonly isSatisfied: () => boolean;
  readonly resolve: () => void;
}

type Settings = Readonly<Record<string, unknown>>;

/** Messages of the server during a test. */
class Heard {
  /** Parameters of its notifications, by method. */
  readonly notifications = new Map<string, unknown[]>();
  readonly published = new Map<string, PublishDiagnosticsParams>();
  readonly reports = new Map<string, ReportsChanged>();
  /** By document and placement. */
  readonly placementProgress = new Map<string, ProgressChanged>();
  /** Messages of each progress bar, by token. */
  readonly bars = new Map<string | number, Progress[]>();
  /** Number of its requests to refresh lenses. */
  lensRefreshes = 0;
  /** Warnings that it has shown. */
  readonly warnings: string[] = [];
  /** Number of its requests to watch files. */
  registrations = 0;
}

export class LanguageClient {
  #running: { readonly process: ChildProcess; readonly connection: MessageConnection } | undefined;
  #folder = '';
  #settings: Settings = {};
  #heard = new Heard();
  /** Patterns of files that the server has watched, by the number of the registration. */
  readonly #watched = new Map<string, readonly string[]>();
  /** Documents that are open. */
  readonly #texts = new Map<string, { version: number; text: string }>();
  /** Experiments that the test has run, by document and name. */
  readonly #runs = new Map<string, ExperimentParameters>();
  readonly #waiters = new Set<Waiter>();

  /** The workspace folder of the test. */
  get folder(): string {
    return this.#folder;
  }

  get connection(): MessageConnection {
    return this.#server.connection;
  }

  get process(): ChildProcess {
    return this.#server.process;
  }

  get #server() {
    if (this.#running === undefined) throw new Error('The server has not been started: use it in tests and hooks.');
    const { exitCode, signalCode } = this.#running.process;
    if (exitCode !== null || signalCode !== null) throw new Error(`The server has ended: ${exitCode ?? signalCode}.`);
    return this.#running;
  }

  /** Starts the server of these bundles, with a new workspace folder. */
  async start(bundles: string, { trusted, environment = {}, words = [] }: ClientOptions = {}): Promise<void> {
    const child = spawn(process.execPath, [join(bundles, 'server.js'), '--stdio', ...words], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, ...environment },
    });
    const connection = createMessageConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    // Open requests fail at once when the server ends.
    connection.onClose(() => {
      connection.dispose();
    });
    this.#running = { process: child, connection };
    this.#listen(connection);
    await connection.sendRequest('initialize', {
      processId: process.pid,
      rootUri: null,
      workspaceFolders: [this.#newFolder()],
      initializationOptions: trusted === undefined ? {} : { trusted },
      capabilities: {
        workspace: { configuration: true, workspaceFolders: true, codeLens: { refreshSupport: true } },
        window: { workDoneProgress: true },
      },
    });
    await connection.sendNotification('initialized', {});
    await this.open(idle, '');
  }

  /** After a test: ends what it has begun, checks that the server is idle, and opens another folder. */
  async beginAnew(): Promise<void> {
    const left = this.#folder;
    try {
      // The server cancels everything else with its document.
      for (const run of this.#runs.values()) await this.connection.sendNotification(methodOf('cancelExperiment'), run);
      for (const uri of [...this.#texts.keys()]) if (uri !== idle) await this.close(uri);
      if (Object.keys(this.#settings).length > 0) await this.configure({});
      await this.#until(
        () => this.#unfinished.length === 0,
        () => `the server to end ${this.#unfinished.join('; ')}`,
      );
      // A change of folders starts a study of each open document.
      this.#heard.reports.delete(idle);
      const event = { removed: [workspaceFolder(left)], added: [this.#newFolder()] };
      await this.connection.sendNotification('workspace/didChangeWorkspaceFolders', { event });
      await this.reports(idle, ({ running }) => !running);
      await this.watching((names) => names.length === 0);
      const isFault = ({ message }: LogMessageParams): boolean => message.startsWith('A fault of the language server');
      expect(this.heard('window/logMessage', isFault)).toEqual([]);
    } finally {
      this.#heard = new Heard();
      this.#runs.clear();
      rmSync(left, { recursive: true, force: true });
    }
  }

  /** Ends the server as an editor does, and returns its exit code. */
  async stop(): Promise<number | null> {
    const { process: child, connection } = this.#server;
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    await connection.sendRequest('shutdown');
    await connection.sendNotification('exit');
    const code = await ended;
    connection.dispose();
    rmSync(this.#folder, { recursive: true, force: true });
    return code;
  }

  #newFolder() {
    this.#folder = mkdtempSync(join(tmpdir(), 'placewright-lsp-'));
    return workspaceFolder(this.#folder);
  }

  /** Progress bars and runs that the server has begun and not ended. */
  get #unfinished(): readonly string[] {
    const bars = [...this.#heard.bars.values()].filter((said) => !said.some(({ kind }) => kind === 'end'));
    const runs = [methodOf('experimentChanged'), methodOf('simulationChanged')].flatMap((method) => {
      const changes = this.heard<{ uri: string; experiment?: string; placement?: string; progress?: string }>(method);
      const last = new Map(changes.map((one) => [`${one.uri}#${one.experiment ?? one.placement}`, one]));
      return [...last.values()].filter(({ progress }) => progress !== undefined);
    });
    return [...bars, ...runs].map((one) => JSON.stringify(one));
  }

  /** Has the server read these values of `placewright.*`. After the test they are the default again. */
  configure(settings: Settings): Promise<void> {
    this.#settings = settings;
    return this.connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
  }

  uri(name: string): string {
    return pathToFileURL(join(this.#folder, name)).href;
  }

  /** Writes a file of the folder to disk; nothing is opened. */
  write(name: string, content: string | Uint8Array): string {
    mkdirSync(dirname(join(this.#folder, name)), { recursive: true });
    writeFileSync(join(this.#folder, name), content);
    return this.uri(name);
  }

  async open(name: string, text: string): Promise<string> {
    const uri = name.includes(':') ? name : this.uri(name);
    this.#texts.set(uri, { version: 1, text });
    await this.connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'place', version: 1, text },
    });
    return uri;
  }

  /** Replaces the first occurrence of `from`, as an incremental change. */
  async edit(uri: string, from: string, to: string): Promise<void> {
    const document = this.#texts.get(uri);
    const start = document?.text.indexOf(from) ?? -1;
    if (document === undefined || start < 0) throw new Error(`${uri} is not open or has no "${from}".`);
    const range = { start: positionAt(document.text, start), end: positionAt(document.text, start + from.length) };
    document.text = document.text.slice(0, start) + to + document.text.slice(start + from.length);
    document.version++;
    await this.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: document.version },
      contentChanges: [{ range, text: to }],
    });
  }

  async save(uri: string): Promise<void> {
    await this.connection.sendNotification('textDocument/didSave', { textDocument: { uri } });
  }

  async close(uri: string): Promise<void> {
    this.#texts.delete(uri);
    await this.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
  }

  /** Where a text first occurs in an open document, plus `shift` characters. */
  position(uri: string, needle: string, shift = 0): { line: number; character: number } {
    const text = this.#texts.get(uri)?.text ?? '';
    return positionAt(text, text.indexOf(needle) + shift);
  }

  /** Asks about the place where a text first occurs in the document. */
  ask<Answer>(method: string, uri: string, needle: string, shift = 0): Promise<Answer> {
    return this.connection.sendRequest(method, {
      textDocument: { uri },
      position: this.position(uri, needle, shift),
    });
  }

  request<Answer>(method: string, parameters: object): Promise<Answer> {
    return this.connection.sendRequest(method, parameters);
  }

  /** Runs an experiment. After the test it is cancelled if it still runs. */
  async runExperiment(run: ExperimentParameters, how: object = {}): Promise<void> {
    this.#runs.set(`${run.uri}#${run.experiment}`, run);
    await this.connection.sendNotification(methodOf('runExperiment'), { ...run, ...how });
  }

  /** Requests lenses until they satisfy the condition, again whenever the server asks for a refresh. */
  async lenses(uri: string, isWanted: (lenses: readonly CodeLens[]) => boolean = () => true): Promise<CodeLens[]> {
    for (;;) {
      const { lensRefreshes } = this.#heard;
      const lenses = await this.request<CodeLens[]>('textDocument/codeLens', { textDocument: { uri } });
      if (isWanted(lenses)) return lenses;
      await this.#until(
        () => this.#heard.lensRefreshes > lensRefreshes,
        () => `other lenses than ${lenses.map(({ command }) => command?.title).join(', ')}`,
      );
    }
  }

  /** Waits until the problems published for `uri` satisfy the condition, and answers with them. */
  async diagnostics(uri: string, isWanted: (published: PublishDiagnosticsParams) => boolean): Promise<Diagnostic[]> {
    const { diagnostics } = await this.#last(`the problems of ${uri}`, () => this.#heard.published.get(uri), isWanted);
    return diagnostics;
  }

  /** Waits for a problem with this code. */
  async problem(uri: string, code: string): Promise<Diagnostic> {
    const isIt = (diagnostic: Diagnostic): boolean => diagnostic.code === code;
    const diagnostics = await this.diagnostics(uri, (published) => published.diagnostics.some(isIt));
    return diagnostics.find(isIt)!;
  }

  /** Waits until the reports of `uri` satisfy the condition. */
  reports(uri: string, isWanted: (reports: ReportsChanged) => boolean): Promise<ReportsChanged> {
    return this.#last(`the reports of ${uri}`, () => this.#heard.reports.get(uri), isWanted);
  }

  /** Waits until every placement of `uri` has a report of the present text, after so many studies. */
  settled(uri: string, revision = 1): Promise<ReportsChanged> {
    const isSettled = (now: ReportsChanged): boolean =>
      !now.running && now.revision >= revision && now.placements.every(({ state }) => state === 'fresh');
    return this.reports(uri, isSettled);
  }

  /** Waits until a placement is so far. */
  placementProgress(
    uri: string,
    placement: string,
    isWanted: (now: ProgressChanged) => boolean,
  ): Promise<ProgressChanged> {
    const current = (): ProgressChanged | undefined => this.#heard.placementProgress.get(`${uri}#${placement}`);
    return this.#last(`the progress of ${placement}`, current, isWanted);
  }

  /** Parameters of the notifications of a method during this test, all or those that satisfy the condition. */
  heard<Parameters>(method: string, isWanted: (parameters: Parameters) => boolean = () => true): Parameters[] {
    const all = (this.#heard.notifications.get(method) ?? []) as Parameters[];
    return all.filter((parameters) => isWanted(parameters));
  }

  /** Waits until the last notification of a method satisfies the condition. */
  told<Parameters>(method: string, isWanted: (parameters: Parameters) => boolean = () => true): Promise<Parameters> {
    return this.#last(method, () => this.heard<Parameters>(method).at(-1), isWanted);
  }

  /** Waits until the server has shown so many warnings, and returns the last. */
  async warnings(count = 1): Promise<string> {
    const { warnings } = this.#heard;
    await this.#until(
      () => warnings.length >= count,
      () => `${count} warnings. Expected one of ${warnings.join(' ')}`,
    );
    return warnings.at(-1) ?? '';
  }

  /** Waits until the server has the right files watched. */
  watching(isWanted: (names: readonly string[]) => boolean): Promise<void> {
    return this.#until(
      () => isWanted(this.watched),
      () => `other files to be watched than ${this.watched.join(', ')}`,
    );
  }

  /** Names of the files that the server has watched at present. */
  get watched(): readonly string[] {
    return [...this.#watched.values()].flat();
  }

  /** Number of requests of the server to watch files, during this test. */
  get registrations(): number {
    return this.#heard.registrations;
  }

  /** Tells the server that files have changed on the disk. */
  async changedOnDisk(...uris: readonly string[]): Promise<void> {
    const changes = uris.map((uri) => ({ uri, type: 2 }));
    await this.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
  }

  /** Waits until a progress bar that has not ended says what is wanted, and answers with its token. */
  async progressBegun(says = /^/): Promise<string | number> {
    const { bars } = this.#heard;
    const begun = (): string | number | undefined =>
      [...bars].find(
        ([, said]) => !said.some(({ kind }) => kind === 'end') && said.some(({ message = '' }) => says.test(message)),
      )?.[0];
    await this.#until(
      () => begun() !== undefined,
      () => `a progress bar that says ${says}; last: ${JSON.stringify([...bars])}`,
    );
    return begun()!;
  }

  /** Waits until the last message about something satisfies the condition. */
  async #last<Said>(what: string, current: () => Said | undefined, isWanted: (said: Said) => boolean): Promise<Said> {
    await this.#until(
      () => {
        const said = current();
        return said !== undefined && isWanted(said);
      },
      () => `${what}; last: ${JSON.stringify(current(), undefined, 1)}`,
    );
    return current()!;
  }

  #until(isSatisfied: () => boolean, describe: () => string): Promise<void> {
    if (isSatisfied()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiters.delete(waiter);
        reject(new Error(`Waited in vain for ${describe()}`));
      }, patience);
      const waiter = {
        isSatisfied,
        resolve: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      this.#waiters.add(waiter);
    });
  }

  #listen(connection: MessageConnection): void {
    connection.onNotification((method, parameters) => {
      const heard = this.#heard;
      const before = heard.notifications.get(method);
      if (before === undefined) heard.notifications.set(method, [parameters]);
      else before.push(parameters);
      if (method === 'textDocument/publishDiagnostics') {
        const published = parameters as unknown as PublishDiagnosticsParams;
        heard.published.set(published.uri, published);
      } else if (method === methodOf('reportsChanged')) {
        const reports = parameters as unknown as ReportsChanged;
        heard.reports.set(reports.uri, reports);
      } else if (method === methodOf('progress')) {
        const progress = parameters as unknown as ProgressChanged;
        heard.placementProgress.set(`${progress.uri}#${progress.placement}`, progress);
      }
      this.#wake();
    });
    connection.onRequest('workspace/configuration', ({ items }: { items: unknown[] }) =>
      items.map(() => this.#settings),
    );
    connection.onRequest('workspace/codeLens/refresh', () => {
      this.#heard.lensRefreshes++;
      this.#wake();
      return null;
    });
    connection.onRequest('window/showMessageRequest', ({ message }: { message: string }) => {
      this.#heard.warnings.push(message);
      this.#wake();
      return null;
    });
    connection.onRequest('client/registerCapability', ({ registrations }: RegistrationParams) => {
      for (const { id, registerOptions } of registrations) {
        const patterns = patternsOf(registerOptions);
        if (patterns.length === 0) continue;
        this.#watched.set(id, patterns);
        this.#heard.registrations++;
      }
      this.#wake();
      return null;
    });
    connection.onRequest('client/unregisterCapability', ({ unregisterations }: UnregistrationParams) => {
      for (const { id } of unregisterations) this.#watched.delete(id);
      this.#wake();
      return null;
    });
    connection.onRequest('window/workDoneProgress/create', ({ token }: { token: string }) => {
      this.#heard.bars.set(token, []);
      return null;
    });
    connection.onNotification('$/progress', ({ token, value }: { token: string; value: Progress }) => {
      this.#heard.bars.get(token)?.push(value);
      this.#wake();
    });
    connection.listen();
  }

  #wake(): void {
    for (const waiter of this.#waiters) {
      if (!waiter.isSatisfied()) continue;
      this.#waiters.delete(waiter);
      waiter.resolve();
    }
  }
}

const workspaceFolder = (path: string) => ({ uri: pathToFileURL(path).href, name: 'test' });

/** Of a registration for watched files; others have none. */
function patternsOf(options: unknown): readonly string[] {
  const { watchers = [] } = (options ?? {}) as { watchers?: readonly { globPattern: { pattern: string } }[] };
  return watchers.map(({ globPattern: { pattern } }) => pattern);
}

function positionAt(text: string, offset: number): { line: number; character: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
}
