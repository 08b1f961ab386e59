import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Uri, type ExtensionContext } from 'vscode';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { EventEmitter, editor, extensionContext, reset, user, workspace } from './testing/vscode.ts';

/** States of the library, by its numbers. */
const State = { Stopped: 1, Running: 2, Starting: 3 } as const;

interface ClientOptions {
  readonly initializationOptions: () => unknown;
  readonly middleware: {
    readonly didClose: (document: unknown, next: (document: unknown) => unknown) => unknown;
    readonly handleWorkDoneProgress: (token: string, told: object, next: () => unknown) => void;
  };
}

/** The client of the library, without a process: a test has its states change, and reads what it was given to send. */
class FakeClient {
  static last: FakeClient;
  /** Why no server starts; one does where it is left out. */
  static fault: string | undefined;

  readonly module: string;
  readonly args: readonly string[] | undefined;
  readonly options: ClientOptions;
  readonly sent: [unknown, unknown][] = [];
  readonly states = new EventEmitter<{ readonly newState: number }>();
  readonly onDidChangeState = this.states.event;
  readonly handlers = new Map<unknown, (message: unknown) => void>();

  constructor(
    _id: string,
    _name: string,
    { module, args }: { readonly module: string; readonly args?: readonly string[] },
    options: ClientOptions,
  ) {
    this.module = module;
    this.args = args;
    this.options = options;
    FakeClient.last = this;
  }

  onNotification(type: unknown, handler: (message: unknown) => void): object {
    this.handlers.set(type, handler);
    return { dispose: () => this.handlers.delete(type) };
  }

  sendNotification(type: unknown, parameters: unknown): Promise<void> {
    this.sent.push([type, parameters]);
    return Promise.resolve();
  }

  start(): Promise<void> {
    return FakeClient.fault === undefined ? Promise.resolve() : Promise.reject(new Error(FakeClient.fault));
  }

  enters(...states: readonly (keyof typeof State)[]): void {
    for (const state of states) this.states.fire({ newState: State[state] });
  }
}

const closed = { type: 'textDocument/didClose' };

// The modules below are read within the tests, when there is such a client.
vi.mock('vscode-languageclient/node', () => ({ LanguageClient: FakeClient, TransportKind: { ipc: 1 } }));
vi.mock('vscode-languageclient', () => ({ State, DidCloseTextDocumentNotification: { type: closed } }));

beforeEach(() => {
  reset();
  FakeClient.fault = undefined;
});

/** What the extension of a test listens to. */
const subscriptions: { dispose(): void }[] = [];
afterEach(() => {
  for (const subscription of subscriptions.splice(0)) subscription.dispose();
});

const context = () => ({ ...extensionContext(), subscriptions }) as unknown as ExtensionContext;

async function create() {
  const { createServer } = await import('./server.ts');
  const createClient = (options: unknown) => new FakeClient('', '', { module: '' }, options as ClientOptions) as never;
  const server = createServer(context(), createClient, ['file', 'untitled']);
  let restarts = 0;
  server.onRestart(() => restarts++);
  return { server, client: FakeClient.last, restarts: () => restarts };
}

it('runs the bundle that lies in the extension', async () => {
  const { activate } = await import('./extension.ts');
  await activate(context()).ready;
  expect(FakeClient.last.module).toBe('/extension/dist/server.js');
  expect(FakeClient.last.args).toEqual(['--compiled=/storage/compiled/1.2.3']);
});

it('drops what was compiled of other versions', async () => {
  const storage = await mkdtemp(join(tmpdir(), 'placewright-'));
  for (const version of ['1.2.2', '1.2.3']) await mkdir(join(storage, 'compiled', version, 'v24'), { recursive: true });
  const { activate } = await import('./extension.ts');
  await activate({ ...context(), globalStorageUri: Uri.file(storage) }).ready;
  await vi.waitFor(async () => {
    expect(await readdir(join(storage, 'compiled'))).toEqual(['1.2.3']);
  });
  await rm(storage, { recursive: true });
});

it('tells of a restart when the server runs again, and not of its first start', async () => {
  const { client, restarts } = await create();
  client.enters('Starting', 'Running');
  expect(restarts()).toBe(0);
  // The library starts a server anew that has crashed.
  client.enters('Stopped', 'Starting');
  expect(restarts()).toBe(0);
  client.enters('Running');
  expect(restarts()).toBe(1);
});

it('tells the server at every start whether the folder is trusted by then', async () => {
  const { client } = await create();
  workspace.isTrusted = false;
  expect(client.options.initializationOptions()).toEqual({ trusted: false, editorCommands: true, reference: true });
  workspace.isTrusted = true;
  expect(client.options.initializationOptions()).toEqual({ trusted: true, editorCommands: true, reference: true });
});

it('closes a document that is kept only when nobody keeps it any more', async () => {
  const { server, client } = await create();
  const uri = 'file:///a%20b.place';
  const passed: unknown[] = [];
  const close = () => client.options.middleware.didClose({ uri }, (document) => passed.push(document));
  const keepers = [server.keep(uri), server.keep(uri)];
  await close();
  keepers[0]!.dispose();
  expect([passed, client.sent]).toEqual([[], []]);
  keepers[1]!.dispose();
  expect(client.sent).toEqual([[closed, { textDocument: { uri } }]]);
  await close();
  expect(passed).toEqual([{ uri }]);
});

it('leaves a document open on the server that is open in the editor', async () => {
  const { server, client } = await create();
  workspace.textDocuments.push({ uri: Uri.parse('file:///a.place') });
  server.keep('file:///a.place').dispose();
  expect(client.sent).toEqual([]);
});

it('says that the server did not start, and why; and grants trust to one that did', async () => {
  const { activate } = await import('./extension.ts');
  FakeClient.fault = 'Cannot find module server.js';
  await expect(activate(context()).ready).rejects.toThrow('server.js');
  expect(user.messages).toEqual(["Placewright's language server did not start: Error: Cannot find module server.js"]);
  FakeClient.fault = undefined;
  await activate(context()).ready;
  editor.trustGranted.fire(undefined);
  expect(FakeClient.last.sent).toHaveLength(1);
  expect(user.messages).toHaveLength(1);
});

it('passes on how far work is, in the words of the editor', async () => {
  // Words are read once, so that this test, the last one, has modules of its own.
  vi.resetModules();
  const { l10n } = await import('./testing/vscode.ts');
  l10n.bundle = { 'Placing {0}': '{0} wird platziert' };
  const { client } = await create();
  const told = [
    { kind: 'begin', title: 'Placing a.place', percentage: 0 },
    { kind: 'report', message: 'best: 8 s left' },
    { kind: 'end' },
  ];
  const passed: unknown[] = [];
  // The library hands on what it was told itself, whatever `next` is called with.
  for (const one of told) client.options.middleware.handleWorkDoneProgress('token', one, () => passed.push(one));
  expect(passed).toEqual([{ ...told[0], title: 'a.place wird platziert' }, told[1], told[2]]);
  vi.resetModules();
});
