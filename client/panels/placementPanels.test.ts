import { Uri } from 'vscode';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PlacementSummary, ProgressChanged, ReportsChanged } from '../../server/protocol/messages.ts';
import { PlacementPanels } from './placementPanels.ts';
import { fakeServer } from '../testing/server.ts';
import {
  editor,
  extensionContext,
  EventEmitter,
  FakeWebviewPanel,
  Position,
  reset,
  Selection,
  user,
  window,
} from '../testing/vscode.ts';

const uri = 'file:///study/a.place';
const best = { uri, placement: 'best' };
const other = { uri, placement: 'other' };

/** The pictures of a window, and a server that tells what a test has it tell. */
function start() {
  const asked: string[] = [];
  const errors: string[] = [];
  const reports = new EventEmitter<ReportsChanged>();
  const progress = new EventEmitter<ProgressChanged>();
  const restart = new EventEmitter<undefined>();
  const server = fakeServer({
    news: { reportsChanged: reports.event, progress: progress.event },
    onRestart: restart.event,
    output: { error: (text: string) => errors.push(text) },
    answers: {
      placements: () => Promise.resolve([]),
      scene: ({ placement }: { readonly placement: string }) => {
        asked.push(placement);
        return placement === 'broken'
          ? Promise.reject(new Error('out of paper'))
          : Promise.resolve({ kind: 'nothing', reason: 'It is new.', status: { kind: 'idle' } });
      },
    },
  });
  const panels = new PlacementPanels(extensionContext(), server);
  return { panels, asked, errors, reports, progress, restart };
}

const at = { line: 0, character: 0 };
const summary = (name: string, revision: number): PlacementSummary => ({
  name,
  range: { start: at, end: at },
  state: revision === 0 ? 'missing' : 'fresh',
  status: { kind: 'idle' },
  revision,
});
const told = (...placements: readonly PlacementSummary[]): ReportsChanged => ({
  uri,
  placements,
  running: false,
  revision: 1,
});
const titles = (): readonly string[] => editor.panels.map(({ title }) => title);
const calm = (): Promise<void> => new Promise((done) => setTimeout(done));

/** A tab comes to be seen that shows the document. */
function look(document = uri): void {
  const selection = new Selection(new Position(0, 0), new Position(0, 0));
  window.visibleTextEditors.push({ document: { uri: Uri.parse(document), languageId: 'place' }, selection });
  editor.visibleEditorsChanged.fire(undefined);
}

beforeEach(reset);
let opened: ReturnType<typeof start>;
beforeEach(() => {
  opened = start();
});
afterEach(() => {
  opened.panels.dispose();
  expect(editor.panels).toEqual([]);
});

describe('the pictures of a window', () => {
  it('are one for each placement: what is open comes to the front', () => {
    const { panels } = opened;
    panels.show(best);
    panels.show(other);
    panels.show(best);
    expect(titles()).toEqual(['Placement best', 'Placement other']);
    expect(editor.panels.map(({ revealed }) => revealed)).toEqual([1, 0]);
    editor.panels[0]!.dispose();
    panels.show(best);
    expect(titles()).toEqual(['Placement other', 'Placement best']);
  });

  it('of the same name have the name of their file in their titles, as long as there are several', () => {
    const { panels } = opened;
    panels.show(best);
    panels.show({ uri: 'file:///study/b.place', placement: 'best' });
    const [, file] = /([^/]+)$/.exec(best.uri)!;
    expect(titles()).toEqual([`Placement best (${file!})`, 'Placement best (b.place)']);
    editor.panels[1]!.dispose();
    expect(titles()).toEqual(['Placement best']);
  });

  it('tell which placement is in front', () => {
    const { panels } = opened;
    panels.show(best);
    panels.show(other);
    expect(panels.active).toBeUndefined();
    editor.panels[1]!.active = true;
    expect(panels.active).toEqual(other);
  });

  it('are told of their own document and placement alone', async () => {
    const { panels, asked, progress, reports } = opened;
    for (const shown of [best, other, { uri: 'file:///study/b.place', placement: 'best' }]) panels.show(shown);
    for (const panel of editor.panels) await panel.receive({ kind: 'ready' });
    asked.length = 0;
    reports.fire(told(summary('best', 1), summary('other', 1)));
    await calm();
    expect(asked).toEqual(['best', 'other']);
    progress.fire({ ...other, progress: { share: 0.5, message: '' }, words: '7 s left' });
    expect(editor.panels.map(({ said }) => JSON.stringify(said).includes('7 s left'))).toEqual([false, true, false]);
  });

  it('are all fetched again from a server that was restarted, also where one of them fails', async () => {
    const { panels, asked, errors, restart } = opened;
    for (const placement of ['best', 'broken', 'other']) panels.show({ uri, placement });
    for (const panel of editor.panels) await panel.receive({ kind: 'ready' });
    asked.length = 0;
    restart.fire(undefined);
    await calm();
    expect(asked).toEqual(['best', 'broken', 'other']);
    expect(errors).toEqual(['Error: out of paper']);
    expect(editor.panels[1]!.said).toContainEqual({ kind: 'failed', message: 'out of paper' });
  });

  it('keep their document open when the editor closes its tab, and no other', () => {
    const { panels } = opened;
    panels.show(best);
    editor.documentClosed.fire({ uri: Uri.parse('file:///study/b.place') });
    expect(user.opened).toEqual([]);
    editor.documentClosed.fire({ uri: Uri.parse(uri) });
    expect(user.opened).toEqual([uri]);
  });

  it('come back after the window was loaded again, but for those whose state says nothing', async () => {
    const { panels, asked } = opened;
    const restored = new FakeWebviewPanel('Placement best');
    await editor.restore(restored, { ...best, zoom: 2 });
    panels.show(best);
    expect([editor.panels.length, restored.revealed]).toEqual([0, 1]);
    await restored.receive({ kind: 'ready' });
    expect(asked).toEqual(['best']);
    for (const state of [undefined, null, 'best', { uri }, { uri, placement: 7 }]) {
      const odd = new FakeWebviewPanel('?');
      await editor.restore(odd, state);
      expect(odd.isDisposed, JSON.stringify(state)).toBe(true);
    }
  });
});

describe('a file whose first picture is to be shown with it', () => {
  const reported = told(summary('best', 1), summary('other', 1));

  it('shows it once, when it has a report and is looked at, whichever comes first', () => {
    const { reports } = opened;
    user.settings['picture.show'] = 'withFile';
    look();
    reports.fire(told(summary('best', 0)));
    expect(titles()).toEqual([]);
    reports.fire(reported);
    expect(titles()).toEqual(['Placement best']);
    editor.panels[0]!.dispose();
    reports.fire(reported);
    editor.visibleEditorsChanged.fire(undefined);
    expect(titles()).toEqual([]);
  });

  it('waits for its tab, and adds none to a picture of the file that is open', () => {
    const { reports, panels } = opened;
    user.settings['picture.show'] = 'withFile';
    reports.fire(reported);
    expect(titles()).toEqual([]);
    panels.show(other);
    look();
    expect(titles()).toEqual(['Placement other']);
  });

  it('shows none to who has not chosen so', () => {
    const { reports } = opened;
    look();
    reports.fire(reported);
    expect(titles()).toEqual([]);
  });
});
