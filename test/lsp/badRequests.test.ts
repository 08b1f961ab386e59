import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  CancellationTokenSource,
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type ProtocolConnection,
} from 'vscode-languageserver/node';
import { methodOf } from '../../server/protocol/calls.ts';
import type { ReportsChanged } from '../../server/protocol/messages.ts';
import { builtBundles } from '../builtOnce.ts';
import { clientOfFile, clientsOfTests, type LanguageClient } from './testing/languageClient.ts';

const text =
  'machine small { topology torus 4 x 4 }\njob j { tasks 4  pattern ring }\nplacement p { job j  machine small }\n';

const uris = [
  'untitled:100%',
  'file:///a%zz.place',
  'file:///%',
  'x',
  '',
  'file://host/share/a.place',
  'untitled:%E0%A4%A',
];

const requests = [
  'textDocument/hover',
  'textDocument/completion',
  'textDocument/definition',
  'textDocument/references',
  'textDocument/prepareRename',
  'textDocument/rename',
  'textDocument/documentSymbol',
  'textDocument/semanticTokens/full',
  'textDocument/codeAction',
  'textDocument/codeLens',
  'textDocument/inlayHint',
  'textDocument/foldingRange',
  'textDocument/documentLink',
  'textDocument/formatting',
  'workspace/symbol',
  'placewright/placements',
  'placewright/scene',
  'placewright/export',
  'placewright/picture',
  'placewright/origin',
  'placewright/explain',
  'placewright/describeFabric',
  'placewright/describeTable',
  'placewright/nonsense',
];

const notifications = [
  'textDocument/didOpen',
  'textDocument/didChange',
  'textDocument/didSave',
  'textDocument/didClose',
  'workspace/didChangeWatchedFiles',
  'workspace/didChangeConfiguration',
  'workspace/didChangeWorkspaceFolders',
  'window/workDoneProgress/cancel',
  'placewright/finish',
  'placewright/runExperiment',
  'placewright/cancelExperiment',
  'placewright/cancel',
  'placewright/run',
  'placewright/trustGranted',
  'placewright/nonsense',
  '$/nonsense',
];

/** Parameters that fit nothing, or nearly. */
const parameters: readonly unknown[] = [
  undefined,
  {},
  [],
  { textDocument: null },
  { textDocument: { uri: 7 } },
  { textDocument: { uri: 'file:///open.place', version: 'two', text: 7 }, contentChanges: 'all' },
  { textDocument: { uri: 'file:///open.place' }, position: { line: -1, character: 1e20 }, contentChanges: [{}] },
  { textDocument: { uri: 'file:///open.place', version: 2 }, contentChanges: [{ range: {}, text: 'x' }] },
  { uri: null, placement: {} },
  { uri: 'file:///open.place', placement: 'p', target: null, format: 7 },
  { changes: [{}], event: null, token: {}, files: null, query: 7 },
];

const client = clientOfFile();
const others = clientsOfTests();

/** Whatever came before, a document is still worked out. */
async function expectAlive(client: LanguageClient): Promise<void> {
  const uri = await client.open('after.place', text);
  await client.settled(uri);
  expect(await client.ask('textDocument/hover', uri, 'small')).not.toBeNull();
}

describe('the server goes on', () => {
  it.each(uris)('after a document called "%s"', async (uri) => {
    const opened = { uri, languageId: 'place', version: 1, text };
    await client.connection.sendNotification('textDocument/didOpen', { textDocument: opened });
    await client.request('textDocument/codeLens', { textDocument: { uri } });
    await client.request('placewright/export', { uri, placement: 'p', format: 'vector' });
    await client.connection.sendNotification('textDocument/didSave', { textDocument: { uri } });
    await client.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
    await expectAlive(client);
  });

  it('after parameters that make no sense, and answers every request', async () => {
    // They may change folders and settings, which cannot be undone.
    const client = await others.start();
    await client.connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri: 'file:///open.place', languageId: 'place', version: 1, text },
    });
    const answers: Promise<PromiseSettledResult<unknown>[]>[] = [];
    for (const wrong of parameters) {
      for (const method of notifications) await client.connection.sendNotification(method, wrong);
      for (const method of requests) {
        answers.push(Promise.allSettled([client.connection.sendRequest(method, wrong)]));
      }
    }
    const outcomes = await Promise.all(answers);
    expect(outcomes).toHaveLength(parameters.length * requests.length);
    await expectAlive(client);
  });
});

/** The bare server: nothing is said for it. */
async function withBareServer(use: (connection: ProtocolConnection) => Promise<void>): Promise<void> {
  const child = spawn(process.execPath, [join(await builtBundles(), 'server.js'), '--stdio'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  connection.listen();
  try {
    await use(connection);
  } finally {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await connection.sendNotification('exit');
    await ended;
    connection.dispose();
  }
}

const initialize = { processId: null, rootUri: null, capabilities: {} };
const opened = { textDocument: { uri: 'file:///a.place', languageId: 'place', version: 1, text } };

describe('at a wrong time', () => {
  it('requests before `initialize` are refused, and it can still be initialized, once', async () => {
    await withBareServer(async (connection) => {
      await connection.sendNotification('textDocument/didOpen', opened);
      await expect(connection.sendRequest('textDocument/hover', {})).rejects.toMatchObject({ code: -32_002 });
      await connection.sendRequest('initialize', initialize);
      await expect(connection.sendRequest('initialize', initialize)).rejects.toMatchObject({ code: -32_600 });
      const hover = { textDocument: opened.textDocument, position: { line: 0, character: 8 } };
      expect(await connection.sendRequest('textDocument/hover', hover)).toBeNull(); // It was never opened.
      await connection.sendNotification('textDocument/didOpen', opened);
      expect(await connection.sendRequest('textDocument/hover', hover)).not.toBeNull();
    });
  });

  it('requests after `shutdown` are refused, and no study is begun of what is opened or saved then', async () => {
    await withBareServer(async (connection) => {
      await connection.sendRequest('initialize', initialize);
      const told: string[] = [];
      const settled = new Promise<void>((done) => {
        connection.onNotification(methodOf('reportsChanged'), ({ uri, running, revision }: ReportsChanged) => {
          told.push(uri);
          if (!running && revision > 0) done();
        });
      });
      await connection.sendNotification('textDocument/didOpen', opened);
      await settled;
      await connection.sendRequest('shutdown');
      told.length = 0;
      await connection.sendNotification('textDocument/didSave', opened);
      const other = { ...opened.textDocument, uri: 'file:///b.place' };
      await connection.sendNotification('textDocument/didOpen', { textDocument: other });
      // The server has long heard of both when it has answered so many.
      for (let count = 0; count < 20; count++) {
        await expect(connection.sendRequest('textDocument/hover', {})).rejects.toMatchObject({ code: -32_600 });
      }
      expect(told).toEqual([]);
    });
  });
});

describe('a request that is cancelled', () => {
  it('is answered as such', async () => {
    const uri = await client.open('a.place', text);
    await client.settled(uri);
    const about = { textDocument: { uri }, position: client.position(uri, 'small') };
    const sources = Array.from({ length: 21 }, () => new CancellationTokenSource());
    // Each is heard from the moment it is asked: some are refused while the last ones are still being cancelled.
    const answers = Promise.allSettled(
      sources.map(({ token }) => client.connection.sendRequest('textDocument/hover', about, token)),
    );
    for (const source of sources) source.cancel();
    const codes = (await answers).map((outcome) =>
      outcome.status === 'rejected' ? (outcome.reason as { code: number }).code : 'answered',
    );
    expect(codes).toContain(-32_800);
    expect(codes.every((code) => code === -32_800 || code === 'answered')).toBe(true);
    await expectAlive(client);
  });
});
