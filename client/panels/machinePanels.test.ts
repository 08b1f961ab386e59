import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Uri } from 'vscode';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  protocolVersion,
  type MachineAnswer,
  type MachineSummary,
  type ReportsChanged,
} from '../../server/protocol/messages.ts';
import { chooseMachine } from '../choosePlacement.ts';
import { MachinePanels } from './machinePanels.ts';
import { fakeServer } from '../testing/server.ts';
import { editor, extensionContext, EventEmitter, FakeWebviewPanel, reset, user } from '../testing/vscode.ts';

const uri = 'file:///study/a.place';
const shown = { uri, machine: 'prism' };
const at = { line: 3, character: 8 };
const declared = { uri, range: { start: at, end: at } };
const sceneOf = (json: string): MachineAnswer => ({
  kind: 'scene',
  version: protocolVersion,
  scene: { encoded: 'scene', json },
  declared,
});

/** The panels of a window, and a server whose answer a test chooses. */
function start() {
  let answer = sceneOf('one');
  const asked: unknown[] = [];
  const kept: string[] = [];
  const reports = new EventEmitter<ReportsChanged>();
  const restart = new EventEmitter<undefined>();
  let machines: readonly MachineSummary[] = [];
  const server = fakeServer({
    news: { reportsChanged: reports.event },
    onRestart: restart.event,
    keep: (document: string) => {
      kept.push(document);
      return { dispose: () => kept.splice(kept.indexOf(document), 1) };
    },
    answers: {
      machines: () => Promise.resolve(machines),
      machine: (parameters: unknown) => {
        asked.push(parameters);
        return Promise.resolve(answer);
      },
    },
  });
  return {
    panels: new MachinePanels(extensionContext(), server),
    server,
    asked,
    kept,
    reports,
    restart,
    become: (next: MachineAnswer) => (answer = next),
    declare: (...names: readonly string[]) => (machines = names.map((name) => ({ name, ...declared }))),
  };
}

let opened: ReturnType<typeof start>;
let directory: string;

beforeEach(async () => {
  reset();
  opened = start();
  directory = await mkdtemp(join(tmpdir(), 'machines-'));
});
afterEach(async () => {
  opened.panels.dispose();
  await rm(directory, { recursive: true });
});

/** The page listens; what it was told before is forgotten. */
async function listening(): Promise<FakeWebviewPanel> {
  opened.panels.show(shown);
  const panel = editor.panels.at(-1)!;
  await panel.receive({ kind: 'ready' });
  return panel;
}

const soon = () => new Promise((done) => setTimeout(done, 60));

describe('panels of machines', () => {
  it('show the picture once their pages listen, and are opened once for each machine', async () => {
    const panel = await listening();
    expect(panel.said).toEqual([expect.objectContaining({ kind: 'scene', uri, stale: false })]);
    opened.panels.show(shown);
    opened.panels.show({ uri, machine: 'cube' });
    expect(editor.panels.map(({ title, revealed }) => [title, revealed])).toEqual([
      ['Machine prism', 1],
      ['Machine cube', 0],
    ]);
    expect(opened.kept).toEqual([uri, uri]);
    panel.dispose();
    expect(opened.kept).toEqual([uri]);
  });

  it('follow saved texts, studies and a new server; a picture that is the same is not sent again', async () => {
    const panel = await listening();
    panel.said.length = 0;
    editor.documentSaved.fire({ uri: Uri.parse('file:///study/imported.place'), languageId: 'place' });
    await soon();
    expect(panel.said).toEqual([{ kind: 'standing', stale: false, status: { kind: 'idle' } }]);
    opened.become(sceneOf('two'));
    opened.reports.fire({ uri, placements: [], running: true, revision: 1 });
    opened.reports.fire({ uri: 'file:///other.place', placements: [], running: false, revision: 1 });
    await soon();
    expect(panel.said).toHaveLength(1);
    opened.reports.fire({ uri, placements: [], running: false, revision: 2 });
    await soon();
    expect(panel.said.at(-1)).toMatchObject({ kind: 'scene', scene: { json: 'two' } });
    const problem = { message: 'too large' };
    opened.become({ kind: 'nothing', reason: 'It cannot be built.', problem });
    opened.restart.fire(undefined);
    await soon();
    expect(panel.said.at(-1)).toEqual({ kind: 'nothing', reason: 'It cannot be built.', problem });
  });

  it('say once that the text has changed since', async () => {
    const panel = await listening();
    const edit = (name: string) => {
      const document = { uri: Uri.parse(name), languageId: 'place' };
      editor.textChanged.fire({ document, contentChanges: [{}] });
    };
    edit('file:///study/other.place');
    expect(panel.said).toHaveLength(1);
    edit(uri);
    edit(uri);
    expect(panel.said.slice(1)).toEqual([{ kind: 'standing', stale: true, status: { kind: 'idle' } }]);
  });

  it('go to the declaration, save what their pages made, and pass over what is none of theirs', async () => {
    const panel = await listening();
    user.opened.length = 0;
    await panel.receive({ kind: 'reveal', target: { kind: 'placement' } });
    expect(user.opened).toEqual([uri]);
    panel.said.length = 0;
    user.saveAs = join(directory, 'prism.svg');
    await panel.receive({ kind: 'save', extension: 'svg', name: '', data: '<svg/>' });
    await expect.poll(() => readFile(join(directory, 'prism.svg'), 'utf8').catch(() => '')).toBe('<svg/>');
    expect(user.suggested).toEqual(['a.prism.svg']);
    await panel.receive({ kind: 'finish' });
    await panel.receive({ kind: 'explain', target: { kind: 'link', link: 3 } });
    expect(panel.said).toEqual([]);
  });

  it('come back after a restart of the window where the page says what it showed', async () => {
    const [lost, found] = [new FakeWebviewPanel('lost'), new FakeWebviewPanel('found')];
    await editor.restore(lost, { uri });
    await editor.restore(found, { ...shown, placement: '' });
    await found.receive({ kind: 'ready' });
    expect(lost.isDisposed).toBe(true);
    expect(opened.asked).toEqual([shown]);
  });
});

describe('a machine to be shown', () => {
  it('is the given one, the only one, or the one that is picked', async () => {
    expect(await chooseMachine(opened.server, shown)).toEqual(shown);
    expect(await chooseMachine(opened.server, { uri })).toBeUndefined();
    expect(user.messages.join()).toContain('no machine yet');
    opened.declare('prism');
    expect(await chooseMachine(opened.server, { uri })).toEqual(shown);
    opened.declare('cube', 'prism');
    user.pick = 'prism';
    expect(await chooseMachine(opened.server, { uri })).toEqual(shown);
  });
});
