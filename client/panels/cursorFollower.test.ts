import { Uri } from 'vscode';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ReportsChanged, ThingAtAnswer, ThingAtParameters } from '../../server/protocol/messages.ts';
import { CursorFollower } from './cursorFollower.ts';
import { MachinePanels } from './machinePanels.ts';
import { PlacementPanels } from './placementPanels.ts';
import { fakeServer } from '../testing/server.ts';
import {
  editor,
  extensionContext,
  EventEmitter,
  Position,
  reset,
  Selection,
  TabInputWebview,
  user,
  window,
} from '../testing/vscode.ts';

const uri = 'file:///study/a.place';
const other = 'file:///study/b.place';

/** A window with pictures, and a server that finds in every place what a test says. */
function start() {
  const asked: ThingAtParameters[] = [];
  const reports = new EventEmitter<ReportsChanged>();
  const nothing = { kind: 'nothing', reason: 'It is new.', status: { kind: 'idle' } };
  const found = { answer: null as ThingAtAnswer, withReport: ['best', 'other', 'third'] };
  const server = fakeServer({
    news: { reportsChanged: reports.event },
    output: { error: (text: string) => expect.unreachable(text) },
    answers: {
      placements: () =>
        Promise.resolve(
          ['best', 'other', 'third', 'new'].map((name) => ({
            name,
            state: found.withReport.includes(name) ? 'fresh' : 'missing',
          })),
        ),
      scene: () => Promise.resolve(nothing),
      machine: () => Promise.resolve({ kind: 'nothing', reason: 'It is new.' }),
      thingAt: (parameters: ThingAtParameters) => {
        asked.push(parameters);
        return Promise.resolve(found.answer);
      },
    },
  });
  const placements = new PlacementPanels(extensionContext(), server);
  const machines = new MachinePanels(extensionContext(), server);
  const follower = new CursorFollower(server, placements, machines);
  return { placements, machines, follower, asked, found, reports };
}

const titles = (): readonly string[] => editor.panels.map(({ title }) => title);

/** The cursor goes to a line, and rests there. */
async function goTo(line: number, languageId = 'place', document = uri): Promise<void> {
  const place = new Position(line, 2);
  user.activeEditor = { document: { uri: Uri.parse(document), languageId }, selection: new Selection(place, place) };
  editor.selectionChanged.fire({ textEditor: user.activeEditor });
  await vi.advanceTimersByTimeAsync(200);
}

/** What the page of a panel was told of the cursor. */
const toldOf = (panel: number): unknown[] =>
  editor.panels[panel]!.said.filter((message) => (message as { readonly kind: string }).kind === 'cursor');

async function show(opened: ReturnType<typeof start>, ...names: readonly string[]): Promise<void> {
  for (const placement of names) opened.placements.show({ uri, placement });
  for (const panel of editor.panels) void panel.receive({ kind: 'ready' });
  await vi.advanceTimersByTimeAsync(10);
}

beforeEach(() => {
  reset();
  vi.useFakeTimers();
});
let opened: ReturnType<typeof start>;
beforeEach(() => {
  opened = start();
});
afterEach(() => {
  opened.follower.dispose();
  opened.placements.dispose();
  opened.machines.dispose();
  vi.useRealTimers();
});

describe('pictures and the cursor in the text', () => {
  it('light what it stands on, once it rests, and are told once', async () => {
    await show(opened, 'best');
    const things = { kind: 'nodes', first: 3, last: 3 } as const;
    opened.found.answer = { placement: 'best', things };
    void goTo(3);
    void goTo(4);
    await goTo(5);
    expect(opened.asked).toEqual([{ uri, at: { uri, position: { line: 5, character: 2 } } }]);
    await goTo(6);
    expect(toldOf(0)).toEqual([{ kind: 'cursor', isHere: true, things }]);
    expect(editor.panels[0]!.revealed).toBe(0);
  });

  it('show what is of all placements everywhere, and what is of one there alone', async () => {
    await show(opened, 'best', 'other');
    const job = { kind: 'jobs', jobs: ['heat'] } as const;
    opened.found.answer = { things: job };
    await goTo(1);
    expect([0, 1].map(toldOf)).toEqual(Array(2).fill([{ kind: 'cursor', isHere: false, things: job }]));
    opened.found.answer = { placement: 'other', things: job };
    await goTo(9);
    expect(toldOf(0).at(-1)).toEqual({ kind: 'cursor', isHere: false });
    expect(toldOf(1).at(-1)).toEqual({ kind: 'cursor', isHere: true, things: job });
  });

  it('go along to a placement that has a report, where one picture of the file is free', async () => {
    await show(opened, 'best');
    opened.found.answer = { placement: 'third' };
    await goTo(9);
    expect(titles()).toEqual(['Placement third']);
    expect(opened.placements.get({ uri, placement: 'third' })).toBeDefined();
    opened.found.answer = { placement: 'new' };
    await goTo(12);
    expect(titles()).toEqual(['Placement third']);
  });

  it('stay where they are locked, or where two are free', async () => {
    await show(opened, 'best', 'other');
    opened.found.answer = { placement: 'third' };
    await goTo(9);
    expect(titles()).toEqual(['Placement best', 'Placement other']);
    opened.placements.get({ uri, placement: 'best' })!.toggleLock();
    expect(titles()).toEqual(['Placement best, locked', 'Placement other']);
    expect(editor.panels[0]!.said).toContainEqual({ kind: 'locked', isLocked: true });
    await goTo(10);
    expect(titles()).toEqual(['Placement best, locked', 'Placement third']);
    opened.placements.get({ uri, placement: 'third' })!.toggleLock();
    opened.found.answer = { placement: 'other' };
    await goTo(3);
    expect(titles()).toEqual(['Placement best, locked', 'Placement third, locked']);
  });

  it('are locked again after a restart of the window', async () => {
    await show(opened, 'best');
    await vi.waitFor(() => editor.panels[0]!.receive({ kind: 'keep-locked' }));
    expect(titles()).toEqual(['Placement best, locked']);
    void editor.panels[0]!.receive({ kind: 'keep-locked' });
    expect(titles()).toEqual(['Placement best, locked']);
  });

  it('come forward from behind another picture beside the text, and cover no text', async () => {
    await show(opened, 'best', 'other');
    opened.found.answer = { placement: 'best' };
    const [best] = editor.panels;
    best!.visible = false;
    for (const [input, isActive, revealed] of [
      [{ uri }, false, 0],
      [new TabInputWebview('mainThreadWebview-placewright.placement'), true, 0],
      [new TabInputWebview('mainThreadWebview-placewright.placement'), false, 1],
    ] as const) {
      window.tabGroups.all.splice(0, 1, { viewColumn: 2, isActive, activeTab: { input } });
      await goTo(3);
      expect(best!.revealed).toBe(revealed);
    }
  });

  it('of machines light their cables', async () => {
    opened.machines.show({ uri, machine: 'net' });
    for (const panel of editor.panels) void panel.receive({ kind: 'ready' });
    const things = { kind: 'cables', machine: 'net', cables: [{ from: 0, to: 1 }] } as const;
    opened.found.answer = { machine: 'net', things };
    await goTo(3);
    expect(toldOf(0)).toEqual([{ kind: 'cursor', isHere: true, things }]);
    opened.found.answer = null;
    await goTo(4);
    expect(toldOf(0).at(-1)).toEqual({ kind: 'cursor', isHere: false });
  });

  it('keep what they show while they have the focus, and show nothing of other languages', async () => {
    await show(opened, 'best');
    opened.found.answer = { placement: 'best' };
    await goTo(3);
    user.activeEditor = undefined;
    editor.activeEditorChanged.fire(undefined);
    await vi.advanceTimersByTimeAsync(200);
    expect(toldOf(0)).toHaveLength(1);
    user.activeEditor = {
      document: { uri: Uri.parse('file:///x.md'), languageId: 'markdown' },
      selection: new Selection(new Position(0, 0), new Position(0, 0)),
    };
    editor.activeEditorChanged.fire(user.activeEditor);
    await vi.advanceTimersByTimeAsync(200);
    expect(toldOf(0).at(-1)).toEqual({ kind: 'cursor', isHere: false });
    expect(opened.asked).toHaveLength(1);
  });

  it('do nothing of it where the user does not want that', async () => {
    await show(opened, 'best');
    opened.found.answer = { placement: 'third', things: { kind: 'nodes', first: 1, last: 1 } };
    user.settings['picture.follow'] = false;
    editor.configurationChanged.fire({ affectsConfiguration: (name) => name === 'placewright.picture.follow' });
    await goTo(3);
    expect(titles()).toEqual(['Placement best']);
    expect(toldOf(0)).toEqual([{ kind: 'cursor', isHere: false }]);
    expect(opened.asked).toEqual([]);
  });

  it('are asked about again when there are other reports, and about text of imported files', async () => {
    await show(opened, 'best');
    await goTo(3, 'place', other);
    expect(opened.asked).toEqual([{ uri, at: { uri: other, position: { line: 3, character: 2 } } }]);
    opened.reports.fire({ uri, placements: [], running: false, revision: 2 });
    await vi.advanceTimersByTimeAsync(200);
    expect(opened.asked).toHaveLength(2);
  });
});
