import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CableLossesAnswer, CableLossesProgress, CableLossTable } from '../../server/protocol/cableLosses.ts';
import type { ChangeEditsAnswer, ReportsChanged } from '../../server/protocol/messages.ts';
import { LossView } from './lossView.ts';
import { PlacementPanels } from '../panels/placementPanels.ts';
import { fakeServer } from '../testing/server.ts';
import { editor, extensionContext, EventEmitter, FakeWebviewPanel, reset, user } from '../testing/vscode.ts';

const plain = { uri: 'file:///study/a.place', placement: 'plain' };
const table: CableLossTable = {
  ...{ subject: 'on torus, minimal routing', columns: [], baselines: [], notes: [], csv: 'from,to\r\n', revision: 3 },
  rows: [{ cable: '3 -- 4', link: 7, isBridge: false, cells: [] }],
  suggestedName: 'a.plain.losses.csv',
};
const losses: CableLossesAnswer = { kind: 'losses', ...table };
const at = { line: 2, character: 18 };
const complete = { ...plain, state: 'complete', share: 1, stale: false, table: losses };

interface Token {
  readonly isCancellationRequested: boolean;
}

/** The view of a window and its page, and a server that answers when a test says so. */
async function start(extension = extensionContext()) {
  const asked: { readonly token: Token; readonly answer: (answer: CableLossesAnswer) => void }[] = [];
  const progressed = new EventEmitter<CableLossesProgress>();
  const reported = new EventEmitter<ReportsChanged>();
  const restarted = new EventEmitter<undefined>();
  const edits: ChangeEditsAnswer = {
    ...{ ok: true, uri: plain.uri, title: 'without 3 -- 4' },
    edits: [{ range: { start: at, end: at }, before: '', text: '\n  without 3 -- 4' }],
  };
  const server = fakeServer({
    news: { reportsChanged: reported.event, cableLossesProgress: progressed.event },
    onRestart: restarted.event,
    answers: {
      placements: () => Promise.resolve([]),
      scene: () =>
        Promise.resolve({
          kind: 'scene',
          version: 1,
          revision: 3,
          stale: false,
          scene: { encoded: 'scene', json: '{}' },
          status: { kind: 'idle' },
        }),
      cableLosses: (_of: unknown, token: Token) =>
        new Promise((answer) => {
          asked.push({ token, answer });
        }),
      withoutCable: () => Promise.resolve(edits),
    },
  });
  const panels = new PlacementPanels(extension, server);
  const view = new LossView(extension, server, panels);
  const page = new FakeWebviewPanel('');
  editor.resolveView(page);
  await page.receive({ kind: 'ready' });
  return { asked, progressed, reported, restarted, panels, view, page };
}

let opened: Awaited<ReturnType<typeof start>>;
beforeEach(async () => {
  reset();
  opened = await start();
});

afterEach(() => {
  opened.view.dispose();
  opened.panels.dispose();
});

const last = (): unknown => opened.page.said.at(-1);
const settled = (): Promise<void> => new Promise((done) => setTimeout(done));

async function shown(): Promise<void> {
  const showing = opened.view.show(plain);
  await settled();
  opened.asked.at(-1)!.answer(losses);
  await showing;
}

describe('the view of cables that are lost', () => {
  it('is empty until a placement is chosen, follows how far it is, and shows what comes of it', async () => {
    const { asked, progressed, view } = opened;
    expect(last()).toEqual({ kind: 'table' });
    const showing = view.show(plain);
    await settled();
    expect(user.commands).toContainEqual(['placewright.losses.focus']);
    progressed.fire({ ...plain, share: 0.5 });
    expect(last()).toEqual({ kind: 'table', shown: { ...plain, state: 'running', share: 0.5, stale: false } });
    asked[0]!.answer(losses);
    await showing;
    expect(last()).toEqual({ kind: 'table', shown: complete });
    await view.show(plain);
    expect(asked).toHaveLength(1);
  });

  it('is stopped, which leaves nothing under way, and begun again', async () => {
    const { asked, page, view, restarted } = opened;
    void view.show(plain);
    await settled();
    await page.receive({ kind: 'stop' });
    expect(asked[0]?.token.isCancellationRequested).toBe(true);
    expect(last()).toMatchObject({ shown: { state: 'stopped' } });
    asked[0]!.answer({ kind: 'nothing', reason: 'Stopped.' });
    await settled();
    expect(last()).toMatchObject({ shown: { state: 'stopped' } });
    void page.receive({ kind: 'try' });
    await settled();
    expect(last()).toMatchObject({ shown: { state: 'running' } });
    restarted.fire(undefined);
    expect(asked).toHaveLength(3);
    expect(asked[1]?.token.isCancellationRequested).toBe(true);
    asked[2]!.answer({ kind: 'nothing', reason: 'It has errors.' });
    await settled();
    expect(last()).toMatchObject({ shown: { state: 'failed', reason: 'It has errors.' } });
  });

  it('is out of date once its placement has another report', async () => {
    const { reported } = opened;
    await shown();
    const report = (revision: number, state: 'fresh' | 'stale'): ReportsChanged => ({
      ...{ uri: plain.uri, running: false, revision },
      placements: [{ name: 'plain', revision, state, status: { kind: 'idle' }, range: { start: at, end: at } }],
    });
    reported.fire(report(3, 'fresh'));
    expect(last()).toMatchObject({ shown: { stale: false } });
    reported.fire(report(3, 'stale'));
    expect(last()).toMatchObject({ shown: { stale: true } });
    reported.fire(report(3, 'fresh'));
    expect(last()).toMatchObject({ shown: { stale: false } });
    reported.fire(report(4, 'fresh'));
    expect(last()).toMatchObject({ shown: { stale: true } });
  });

  it('selects a cable in the picture, which is opened for it', async () => {
    const { page } = opened;
    await shown();
    await page.receive({ kind: 'show', cable: '3 -- 4' });
    expect(last()).toEqual({ kind: 'selected', cable: '3 -- 4' });
    const [picture] = editor.panels;
    expect(picture?.title).toBe('Placement plain');
    const act = { kind: 'act', action: 'explain', thing: { kind: 'link', link: 7 } };
    expect(picture?.said).not.toContainEqual(act);
    await picture?.receive({ kind: 'ready' });
    expect(picture?.said.filter((message) => (message as { kind: string }).kind === 'act')).toEqual([act]);
    await page.receive({ kind: 'show', cable: '3 -- 4' });
    expect(picture?.said.filter((message) => (message as { kind: string }).kind === 'act')).toEqual([act, act]);
  });

  it('writes a cable into the machine, leads back to the text, and copies the table', async () => {
    const { page } = opened;
    await shown();
    await page.receive({ kind: 'write', cable: '3 -- 4' });
    expect(user.written).toEqual(['2:18-2:18 \n  without 3 -- 4']);
    expect(last()).toMatchObject({
      kind: 'said',
      isFault: false,
      text: expect.stringContaining('Written: without 3 -- 4.') as string,
    });
    await page.receive({ kind: 'leave' });
    expect(user.commands.at(-1)).toEqual(['workbench.action.focusActiveEditorGroup']);
    await page.receive({ kind: 'copy' });
    expect(user.copied).toEqual(['from,to\r\n']);
  });
});

describe('the view of losses of a window that was loaded anew', () => {
  it('has its table, said to be old whatever reports come, until it is asked for again', async () => {
    const extension = extensionContext();
    const before = await start(extension);
    const showing = before.view.show(plain);
    await settled();
    before.asked[0]!.answer(losses);
    await showing;
    before.view.dispose();
    before.panels.dispose();
    opened = await start(extension);
    const { page, asked, reported } = opened;
    const old = { kind: 'table', shown: { ...complete, stale: true, restored: true } };
    expect(last()).toEqual(old);
    reported.fire({ ...{ uri: plain.uri, revision: 1, running: false }, placements: [] });
    expect(last()).toEqual(old);
    await page.receive({ kind: 'try' });
    asked[0]!.answer(losses);
    await settled();
    expect(last()).toEqual({ kind: 'table', shown: complete });
  });
});
