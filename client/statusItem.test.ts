import { beforeEach, describe, expect, it } from 'vitest';
import { Uri, type ExtensionContext } from 'vscode';
import type { PlacementSummary, ProgressChanged, ReportsChanged } from '../server/protocol/messages.ts';
import { collectDiagnostics } from './diagnosticsReport.ts';
import type { Server } from './server.ts';
import { fakeServer } from './testing/server.ts';
import { StatusItem } from './statusItem.ts';
import { editor, EventEmitter, Position, reset, Selection, user, workspace } from './testing/vscode.ts';

const uri = 'file:///study/a%20b.place';
const reports = new EventEmitter<ReportsChanged>();
const progress = new EventEmitter<Pick<ProgressChanged, 'uri' | 'placement' | 'words'>>();
const restart = new EventEmitter<undefined>();
const server = (ready: Promise<void> = Promise.resolve()): Server =>
  fakeServer({
    ready,
    news: { reportsChanged: reports.event, progress: progress.event },
    onRestart: restart.event,
  });

const reported = (running: boolean, count = 2): ReportsChanged => ({
  uri: 'file:///study/a b.place',
  running,
  revision: 1,
  placements: Array.from({ length: count }, () => ({}) as PlacementSummary),
});

const contexts = (): readonly unknown[] =>
  user.commands.filter(([command]) => command === 'setContext').map(([, name, value]) => [name, value]);

beforeEach(() => {
  reset();
  const cursor = new Position(0, 0);
  user.activeEditor = {
    document: { uri: Uri.parse(uri), languageId: 'place' },
    selection: new Selection(cursor, cursor),
  };
});

describe('the status of a file', () => {
  it('says how many placements it has, and shows the picture', async () => {
    const item = new StatusItem(server());
    expect(editor.status).toMatchObject({ text: 'Starting', busy: true });
    await Promise.resolve();
    reports.fire(reported(false));
    expect(editor.status).toMatchObject({ text: '2 placements', detail: '', busy: false, severity: 0 });
    expect(editor.status['command']).toMatchObject({ command: 'placewright.showPlacement', title: 'Show Diagram' });
    reports.fire(reported(false, 1));
    expect(editor.status['text']).toBe('1 placement');
    item.dispose();
  });

  it('says what is being worked out, with the way to stop, and tells menus of it', async () => {
    const item = new StatusItem(server());
    await Promise.resolve();
    reports.fire(reported(true));
    expect(editor.status).toMatchObject({
      text: 'Evaluating placements',
      detail: 'waiting for other files',
      busy: true,
    });
    progress.fire({ uri, placement: 'best', words: '11.6 GiB hop-bytes, −34 %, 8 s left' });
    expect(editor.status['detail']).toBe('best: 11.6 GiB hop-bytes, −34 %, 8 s left');
    expect(editor.status['command']).toMatchObject({ command: 'placewright.finish' });
    reports.fire(reported(false));
    expect(contexts()).toEqual([
      ['placewright.working', true],
      ['placewright.working', false],
    ]);
    restart.fire(undefined);
    expect(editor.status['text']).toBe('Starting');
    item.dispose();
  });

  it('counts errors, and goes to the problems', async () => {
    const item = new StatusItem(server());
    await Promise.resolve();
    user.problems = [{ severity: 0 }, { severity: 0 }, { severity: 1 }];
    reports.fire(reported(false));
    expect(editor.status).toMatchObject({ detail: 'Errors: 2', severity: 2 });
    expect(editor.status['command']).toMatchObject({ command: 'workbench.actions.view.problems' });
    item.dispose();
  });

  it('says that the server did not start', async () => {
    const item = new StatusItem(server(Promise.reject(new Error('no'))));
    await new Promise((done) => setTimeout(done));
    expect(editor.status).toMatchObject({ text: 'The language server did not start', severity: 2 });
    item.dispose();
  });
});

describe('the report for a fault', () => {
  const context = {
    extension: { packageJSON: { version: '9.9.9' } },
    logUri: Uri.file('/no/such/folder'),
  } as unknown as ExtensionContext;
  const requests = () => [{ method: 'textDocument/hover', milliseconds: 3 }];
  const asked = fakeServer({
    answers: {
      placements: () => Promise.resolve([{ name: 'secret', state: 'fresh', status: { kind: 'idle' } }]),
    },
    requests,
  });
  const document = { uri: Uri.parse(uri), languageId: 'place', lineCount: 7, isDirty: true, getText: () => 'my text' };

  it.each([
    ['Without texts', false],
    ['With the log and the texts of open .place files', true],
  ])('%s', async (pick, hasTexts) => {
    user.pick = pick;
    workspace.textDocuments.push(document);
    await collectDiagnostics(context, asked);
    const [content = ''] = user.opened;
    expect(JSON.parse(content)).toMatchObject({
      versions: { placewright: '9.9.9', editor: '1.91.0' },
      documents: [{ lines: 7, unsaved: true, placements: [{ state: 'fresh', status: 'idle' }] }],
      requests: [{ method: 'textDocument/hover', milliseconds: 3 }],
    });
    for (const own of ['secret', 'my text', 'a b.place']) {
      expect(content.includes(own), own).toBe(hasTexts && own !== 'secret');
    }
  });

  it('is not made where the user thinks better of it, and does not wait for a server that is silent', async () => {
    await collectDiagnostics(context, asked);
    expect(user.opened).toEqual([]);
    user.pick = 'Without texts';
    workspace.textDocuments.push(document);
    await collectDiagnostics(
      context,
      fakeServer({ answers: { placements: () => Promise.reject(new Error('stopped')) }, requests }),
    );
    expect(user.opened[0]).toContain('"placements": "no answer"');
  });
});
