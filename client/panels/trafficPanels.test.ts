import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReportsChanged, SceneParameters } from '../../server/protocol/messages.ts';
import type { PictureSelection } from '../../server/protocol/selections.ts';
import type { TrafficAnswer, TrafficSubjectSummary } from '../../server/protocol/trafficPanel.ts';
import { chooseTraffic } from '../choosePlacement.ts';
import type { PlacementPanels } from './placementPanels.ts';
import { fakeServer } from '../testing/server.ts';
import { editor, extensionContext, EventEmitter, FakeWebviewPanel, reset, user } from '../testing/vscode.ts';
import { TrafficPanels } from './trafficPanels.ts';

const uri = 'file:///study/a.place';
const shown = { uri, of: 'placement', name: 'first' } as const;
const question = { kind: 'task', order: 'job', amount: 'bytes', scale: 'linear' } as const;
const brush = {
  by: 'task',
  order: 'job',
  block: { rows: { first: 0, last: 1 }, columns: { first: 2, last: 3 } },
} as const;

/** The panels of a window, a server, and pictures of which a test says what they show. */
function start() {
  const reports = new EventEmitter<ReportsChanged>();
  const restart = new EventEmitter<undefined>();
  const selected = new EventEmitter<SceneParameters>();
  const cleared = new EventEmitter<SceneParameters>();
  const pictureOpened = new EventEmitter<undefined>();
  const asked: unknown[] = [];
  const told: unknown[] = [];
  const cancelled: unknown[] = [];
  let subjects: readonly TrafficSubjectSummary[] = [];
  let picture: { selection?: PictureSelection; keepTraffic: (...given: unknown[]) => void } | undefined;
  const open = (selection?: PictureSelection): void => {
    picture = { ...(selection && { selection }), keepTraffic: (...given) => told.push(given) };
  };
  const pictures = {
    onSelected: selected.event,
    onTrafficCleared: cleared.event,
    onOpened: pictureOpened.event,
    get: () => picture,
    show: () => {
      open();
      pictureOpened.fire(undefined);
    },
  } as unknown as PlacementPanels;
  const answer: TrafficAnswer = { kind: 'nothing', reason: 'Not yet.' };
  const server = fakeServer({
    news: { reportsChanged: reports.event },
    onRestart: restart.event,
    answers: {
      cancel: (parameters: unknown) => cancelled.push(parameters),
      trafficSubjects: () => Promise.resolve(subjects),
      traffic: (parameters: unknown) => {
        asked.push(parameters);
        return Promise.resolve(answer);
      },
    },
  });
  const panels = new TrafficPanels(extensionContext(), server, pictures);
  return {
    panels,
    server,
    reports,
    restart,
    selected,
    cleared,
    asked,
    told,
    cancelled,
    open,
    declare: (...all: TrafficSubjectSummary[]) => (subjects = all),
  };
}

let opened: ReturnType<typeof start>;
beforeEach(() => {
  reset();
  opened = start();
});
afterEach(() => {
  opened.panels.dispose();
});

/** The page has asked for its first map; what it was told before is forgotten. */
async function listening(subject: Parameters<TrafficPanels['show']>[0] = shown): Promise<FakeWebviewPanel> {
  opened.panels.show(subject);
  const panel = editor.panels.at(-1)!;
  await panel.receive({ kind: 'figure', choice: question });
  return panel;
}

const kinds = ({ said }: FakeWebviewPanel): unknown[] => said.map((message) => (message as { kind: string }).kind);

describe('the panel of a map of traffic', () => {
  it('has the name of the file in its title, and answers with whose map it is', async () => {
    const panel = await listening();
    expect(panel.title).toBe('Traffic first (a.place)');
    expect(opened.asked).toEqual([{ ...shown, question }]);
    expect(panel.said[0]).toEqual({ kind: 'answer', ...shown, answer: { kind: 'nothing', reason: 'Not yet.' } });
  });

  it('is one for each placement, job and table', async () => {
    await listening();
    await listening({ ...shown, of: 'job' });
    await listening();
    expect(editor.panels).toHaveLength(2);
  });

  it('asks again when there is another report of its placement, and when the server has started anew', async () => {
    const panel = await listening();
    const before = panel.said.length;
    const summary = {
      name: 'first',
      range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } },
      state: 'fresh',
      status: { kind: 'idle' },
      revision: 1,
    } as const;
    const change = { uri, placements: [summary], running: false, revision: 1 };
    opened.reports.fire(change);
    opened.reports.fire(change);
    opened.reports.fire({ ...change, placements: [{ ...summary, state: 'stale' }] });
    opened.reports.fire({ ...change, uri: 'file:///study/other.place', placements: [] });
    opened.restart.fire(undefined);
    expect(kinds(panel).slice(before)).toEqual(['changed', 'changed', 'changed']);
  });

  it('opens the picture and has it keep what is chosen, but not for what was chosen before a reload', async () => {
    const panel = await listening();
    await panel.receive({ kind: 'brush', brush, words: 'flows from here to there', isRestored: true });
    expect(opened.told).toEqual([]);
    await panel.receive({ kind: 'brush', brush, words: 'flows from here to there', isRestored: false });
    expect(opened.told).toEqual([[brush, 'flows from here to there']]);
    await panel.receive({ kind: 'brush', words: '', isRestored: false });
    expect(opened.told.at(-1)).toEqual([undefined, '']);
  });

  it('tells its page what is selected in the picture, and that the picture keeps nothing any more', async () => {
    const selection = { target: { kind: 'node', node: 3 }, words: 'flows of node 3' } as const;
    opened.open(selection);
    const panel = await listening();
    expect(panel.said.at(-1)).toEqual({ kind: 'selected', selected: selection });
    const before = panel.said.length;
    opened.open();
    opened.selected.fire({ uri, placement: 'first' });
    opened.selected.fire({ uri, placement: 'other' });
    opened.cleared.fire({ uri, placement: 'first' });
    expect(panel.said.slice(before)).toEqual([{ kind: 'selected' }, { kind: 'brush-cleared' }]);
  });

  it('has the picture keep everything again when it is closed, and passes over what is no message', async () => {
    const panel = await listening();
    await panel.receive({ kind: 'brush', brush: { ...brush, by: 'core' }, words: '', isRestored: false });
    await panel.receive({ kind: 'brush', brush, words: 'flows', isRestored: false });
    await panel.receive({ kind: 'end' });
    expect(opened.cancelled).toEqual([{ uri }]);
    panel.dispose();
    expect(opened.told).toEqual([
      [brush, 'flows'],
      [undefined, ''],
    ]);
  });
});

describe('whose traffic is shown', () => {
  const range = { start: { line: 2, character: 0 }, end: { line: 2, character: 3 } };
  it('is that of a lens, of the picture in front, of what is alone, or of what the user picks', async () => {
    const { server, declare } = opened;
    expect(await chooseTraffic(server, { uri, name: 'heat', of: 'job' })).toEqual({ uri, of: 'job', name: 'heat' });
    expect(await chooseTraffic(server, { uri, name: 'first' })).toEqual(shown);
    expect(await chooseTraffic(server, {}, { uri, placement: 'first' })).toEqual(shown);
    expect(await chooseTraffic(server, { uri, name: 'x', of: 'machine' })).toBeUndefined();
    declare({ of: 'job', name: 'heat', range });
    expect(await chooseTraffic(server, { uri })).toEqual({ uri, of: 'job', name: 'heat' });
    declare({ of: 'job', name: 'heat', range }, { of: 'table', name: 'cg', range });
    user.pick = 'cg';
    expect(await chooseTraffic(server, { uri })).toEqual({ uri, of: 'table', name: 'cg' });
    declare();
    expect(await chooseTraffic(server, { uri })).toBeUndefined();
    expect(user.messages.at(-1)).toContain('declares no job yet');
  });
});
