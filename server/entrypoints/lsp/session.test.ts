import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createConnection,
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type InitializeResult,
  type ProtocolConnection,
} from 'vscode-languageserver/node';
import { methodOf } from '../../protocol/calls.ts';
import { startSession } from './session.ts';

const worker = new URL('./testing/tellingWorker.ts', import.meta.url);
const uri = 'file:///study/a.place';
const text = 'machine m { topology mesh 4 }\njob j { tasks 4  pattern ring }\nplacement p { job j  machine m }\n';

interface Published {
  readonly diagnostics: readonly { readonly message: string }[];
}

describe('a session', () => {
  let editor: ProtocolConnection;
  /** What the latest study of the document said. */
  let said: string;
  let waiting: (() => void) | undefined;
  let settings: Record<string, unknown>;

  beforeEach(() => {
    const [up, down] = [new PassThrough(), new PassThrough()];
    const server = createConnection(new StreamMessageReader(up), new StreamMessageWriter(down));
    startSession(server, worker);
    editor = createProtocolConnection(new StreamMessageReader(down), new StreamMessageWriter(up));
    said = '';
    settings = {};
    editor.onNotification('textDocument/publishDiagnostics', ({ diagnostics }: Published) => {
      const found = diagnostics.map(({ message }) => message).find((message) => message.startsWith('study'));
      if (found === undefined || found === said) return;
      said = found;
      waiting?.();
    });
    editor.onRequest('workspace/configuration', () => [settings]);
    editor.onRequest('client/registerCapability', () => null);
    editor.onRequest('client/unregisterCapability', () => null);
    editor.listen();
  });
  afterEach(async () => {
    await editor.sendRequest('shutdown');
    editor.dispose();
  });

  /** What the next study says that says anything new. */
  const next = async (act: () => Promise<void>): Promise<string> => {
    const told = new Promise<void>((resolve) => (waiting = resolve));
    await act();
    await told;
    return said;
  };

  async function initialize(trusted = true): Promise<InitializeResult> {
    const answer = await editor.sendRequest<InitializeResult>('initialize', {
      processId: null,
      rootUri: null,
      capabilities: { workspace: { configuration: true } },
      workspaceFolders: [{ uri: 'file:///study', name: 'study' }],
      initializationOptions: { trusted },
    });
    await editor.sendNotification('initialized', {});
    return answer;
  }

  const open = () =>
    editor.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'place', version: 1, text },
    });
  const change = () =>
    editor.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: 2 },
      contentChanges: [{ text: text.replace('mesh 4', 'mesh 5') }],
    });
  const save = () => editor.sendNotification('textDocument/didSave', { textDocument: { uri } });
  const changeSettings = (to: Record<string, unknown>) => {
    settings = to;
    return editor.sendNotification('workspace/didChangeConfiguration', { settings: {} });
  };

  it('says what it can', async () => {
    const { serverInfo, capabilities } = await initialize();
    expect(serverInfo).toMatchObject({ name: 'placewright' });
    expect(capabilities).toMatchObject({ hoverProvider: true, documentFormattingProvider: true });
  });

  it('studies a document that is opened or saved, and not with every keystroke', async () => {
    await initialize();
    expect(await next(open)).toBe('study 1, hot 2, below all');
    await change();
    // Longer than a pause of typing, after which a study would have begun where that is set.
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(await next(save)).toBe('study 2, hot 2, below all');
  });

  it('studies while its user types, where that is set', async () => {
    await initialize();
    await changeSettings({ study: { run: 'afterTyping' } });
    expect(await next(open)).toMatch(/^study 1,/);
    expect(await next(change)).toMatch(/^study 2,/);
  });

  it('studies anew where the factor of hot links changes', async () => {
    await initialize();
    await next(open);
    expect(await next(() => changeSettings({ hotLinkFactor: 3 }))).toBe('study 2, hot 3, below all');
  });

  it('reads below the folders of the workspace until they are trusted, then studies anew', async () => {
    await initialize(false);
    expect(await next(open)).toBe('study 1, hot 2, below file:///study');
    expect(await next(() => editor.sendNotification(methodOf('trustGranted')))).toBe('study 2, hot 2, below all');
  });
});
