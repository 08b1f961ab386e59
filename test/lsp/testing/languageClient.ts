import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeAll, beforeEach, expect } from 'vitest';
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type Diagnostic,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  type RegistrationParams,
  type UnregistrationParams,
} from 'vscode-languageserver/node';
import {
  progressNotification,
  reportsChangedNotification,
  type ProgressChanged,
  type ReportsChanged,
} from '../../../server/protocol/messages.ts';
import { builtBundles } from '../../builtOnce.ts';

/** How long a test waits for something the server should say, milliseconds. */
const patience = 15_000;

export interface ClientOptions {
  readonly trusted?: boolean;
  /** Value of `placewright.*` that the server is answered with. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Variables of its process that are not as ours. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Further words that it is started with. */
  readonly words?: readonly string[];
}

interface Progress {
  readonly kind: 'begin' | 'report' | 'end';
  readonly message?: string;
}

interface Waiter {
  readonly isSatisfied: () => boolean;
  readonly resolve: () => void;
}

/** What the tests of a file start their servers with. */
export interface TestServers {
  /** Where the bundles are. */
  readonly directory: string;
  /** Starts a server with a client; behind the test it must end as it is told to. */
  start(options?: ClientOptions): Promise<LanguageClientOverStdio>;
}

/**
 * The server for the tests of a file. Where `begin` is given, each test has a client before it begins; hooks that
 * are registered after this call still find the servers of their test alive. Who changes its bundles has them by `bundlesOf`.
 */
export function serverForTests(
  begin?: (client: LanguageClientOverStdio) => void,
  bundlesOf: () => Promise<string> = builtBundles,
): TestServers {
  let directory = '';
  const started: LanguageClientOverStdio[] = [];
  const start = async (options?: ClientOptions): Promise<LanguageClientOverStdio> => {
    const client = await LanguageClientOverStdio.start(directory, options);
    started.push(client);
    return client;
  };
  beforeAll(async () => {
    directory = await bundlesOf();
  });
  if (begin !== undefined) {
    beforeEach(async () => {
      begin(await start());
    });
  }
  afterEach(async () => {
    const clients = started.splice(0);
    expect(await Promise.all(clients.map((client) => client.stop()))).toEqual(clients.map(() => 0));
  });
  return {
    get directory() {
      return directory;
    },
    start,
  };
}

/** An editor without windows: the real server over stdio, with a folder of its own. */
export class LanguageClientOverStdio {
  readonly folder = mkdtempSync(join(tmpdir(), 'placewright-lsp-'));
  readonly connection: ProtocolConnection;
  readonly process: ChildProcess;
  settings: Readonly<Record<string, unknown>>;
  /** How often the server has asked for files to be watched. */
  registrations = 0;
  /** What was said of each progress bar that the server asked for, by token. */
  readonly #progress = new Map<string | number, Progress[]>();
  readonly #published = new Map<string, PublishDiagnosticsParams>();
  readonly #reports = new Map<string, ReportsChanged>();
  readonly #placementProgress = new Map<string, ProgressChanged>();
  /** Patterns of files that the server has watched, by the number of the registration. */
  readonly #watched = new Map<string, readonly string[]>();
  readonly #texts = new Map<string, { version: number; text: string }>();
  readonly #waiters = new Set<Waiter>();

  private constructor(serverDirectory: string, { settings = {}, environment = {}, words = [] }: ClientOptions) {
    this.settings = settings;
    const child = spawn(process.execPath, [join(serverDirectory, 'server.js'), '--stdio', ...words], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, ...environment },
    });
    this.process = child;
    this.connection = createProtocolConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
  }

  static async start(serverDirectory: string, options: ClientOptions = {}): Promise<LanguageClientOverStdio> {
    const client = new LanguageClientOverStdio(serverDirectory, options);
    client.#listen();
    await client.connection.sendRequest('initialize', {
      processId: process.pid,
      rootUri: null,
      workspaceFolders: [{ uri: pathToFileURL(client.folder).href, name: 'test' }],
      initializationOptions: options.trusted === undefined ? {} : { trusted: options.trusted },
      capabilities: {
        workspace: { configuration: true, workspaceFolders: true },
        window: { workDoneProgress: true },
      },
    });
    await client.connection.sendNotification('initialized', {});
    return client;
  }

  /** Ends the server the way an editor does; answers its exit code. */
  async stop(): Promise<number | null> {
    const ended = new Promise<number | null>((resolve) => this.process.once('exit', resolve));
    await this.connection.sendRequest('shutdown');
    await this.connection.sendNotification('exit');
    const code = await ended;
    this.connection.dispose();
    rmSync(this.folder, { recursive: true, force: true });
    return code;
  }

  uri(name: string): string {
    return pathToFileURL(join(this.folder, name)).href;
  }

  /** Writes a file of the folder to disk; nothing is opened. */
  write(name: string, content: string | Uint8Array): string {
    mkdirSync(dirname(join(this.folder, name)), { recursive: true });
    writeFileSync(join(this.folder, name), content);
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

  /** Waits until the problems published for `uri` satisfy the condition, and answers with them. */
  async diagnostics(uri: string, isWanted: (published: PublishDiagnosticsParams) => boolean): Promise<Diagnostic[]> {
    const current = (): PublishDiagnosticsParams | undefined => this.#published.get(uri);
    await this.#until(
      () => {
        const published = current();
        return published !== undefined && isWanted(published);
      },
      () => `the problems of ${uri}; last: ${JSON.stringify(current(), undefined, 1)}`,
    );
    return current()?.diagnostics ?? [];
  }

  /** Waits for a problem with this code. */
  async problem(uri: string, code: string): Promise<Diagnostic> {
    const isIt = (diagnostic: Diagnostic): boolean => diagnostic.code === code;
    const diagnostics = await this.diagnostics(uri, (published) => published.diagnostics.some(isIt));
    return diagnostics.find(isIt)!;
  }

  /** Waits until the reports of `uri` satisfy the condition. */
  async reports(uri: string, isWanted: (reports: ReportsChanged) => boolean): Promise<ReportsChanged> {
    const current = (): ReportsChanged | undefined => this.#reports.get(uri);
    await this.#until(
      () => {
        const reports = current();
        return reports !== undefined && isWanted(reports);
      },
      () => `the reports of ${uri}; last: ${JSON.stringify(current())}`,
    );
    return current()!;
  }

  /** Waits until every placement of `uri` has a report of the present text, after so many studies. */
  settled(uri: string, revision = 1): Promise<ReportsChanged> {
    const isSettled = (now: ReportsChanged): boolean =>
      !now.running && now.revision >= revision && now.placements.every(({ state }) => state === 'fresh');
    return this.reports(uri, isSettled);
  }

  /** Waits until a placement is so far. */
  async placementProgress(
    uri: string,
    placement: string,
    isWanted: (now: ProgressChanged) => boolean,
  ): Promise<ProgressChanged> {
    const current = (): ProgressChanged | undefined => this.#placementProgress.get(`${uri}#${placement}`);
    await this.#until(
      () => {
        const now = current();
        return now !== undefined && isWanted(now);
      },
      () => `the progress of ${placement}; last: ${JSON.stringify(current())}`,
    );
    return current()!;
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

  /** Tells the server that files have changed on the disk. */
  async changedOnDisk(...uris: readonly string[]): Promise<void> {
    const changes = uris.map((uri) => ({ uri, type: 2 }));
    await this.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
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

  #listen(): void {
    this.connection.onNotification('textDocument/publishDiagnostics', (published: PublishDiagnosticsParams) => {
      this.#published.set(published.uri, published);
      this.#wake();
    });
    this.connection.onNotification(reportsChangedNotification, (reports: ReportsChanged) => {
      this.#reports.set(reports.uri, reports);
      this.#wake();
    });
    this.connection.onRequest('workspace/configuration', ({ items }: { items: unknown[] }) =>
      items.map(() => this.settings),
    );
    this.connection.onNotification(progressNotification, (progress: ProgressChanged) => {
      this.#placementProgress.set(`${progress.uri}#${progress.placement}`, progress);
      this.#wake();
    });
    this.connection.onRequest('client/registerCapability', ({ registrations }: RegistrationParams) => {
      for (const { id, registerOptions } of registrations) {
        const patterns = patternsOf(registerOptions);
        if (patterns.length === 0) continue;
        this.#watched.set(id, patterns);
        this.registrations++;
      }
      this.#wake();
      return null;
    });
    this.connection.onRequest('client/unregisterCapability', ({ unregisterations }: UnregistrationParams) => {
      for (const { id } of unregisterations) this.#watched.delete(id);
      this.#wake();
      return null;
    });
    this.connection.onRequest('window/workDoneProgress/create', ({ token }: { token: string }) => {
      this.#progress.set(token, []);
      return null;
    });
    this.connection.onNotification('$/progress', ({ token, value }: { token: string; value: Progress }) => {
      this.#progress.get(token)?.push(value);
      this.#wake();
    });
    this.connection.listen();
  }

  /** Waits until a progress bar that has not ended says what is wanted, and answers with its token. */
  async progressBegun(says = /^/): Promise<string | number> {
    const begun = (): string | number | undefined =>
      [...this.#progress].find(
        ([, said]) => !said.some(({ kind }) => kind === 'end') && said.some(({ message = '' }) => says.test(message)),
      )?.[0];
    await this.#until(
      () => begun() !== undefined,
      () => `a progress bar that says ${says}; last: ${JSON.stringify([...this.#progress])}`,
    );
    return begun()!;
  }

  #wake(): void {
    for (const waiter of this.#waiters) {
      if (!waiter.isSatisfied()) continue;
      this.#waiters.delete(waiter);
      waiter.resolve();
    }
  }
}

/** Of a registration for watched files; others have none. */
function patternsOf(options: unknown): readonly string[] {
  const { watchers = [] } = (options ?? {}) as { watchers?: readonly { globPattern: { pattern: string } }[] };
  return watchers.map(({ globPattern: { pattern } }) => pattern);
}

function positionAt(text: string, offset: number): { line: number; character: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
}
