import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TriedMappers, TriedMappersCsvAnswer } from '../../server/protocol/mapperComparison.ts';
import type { ChangeEditsAnswer, PreviewAnswer } from '../../server/protocol/messages.ts';
import { MapperView } from './mapperView.ts';
import { PlacementPanels } from '../panels/placementPanels.ts';
import { fakeServer } from '../testing/server.ts';
import { editor, extensionContext, EventEmitter, FakeWebviewPanel, reset, user } from '../testing/vscode.ts';

const plain = { uri: 'file:///study/a.place', placement: 'plain' };
const options = { budget: 'quick', seeds: 1 } as const;
const table: TriedMappers = {
  ...{ ...plain, ...options, state: 'complete', subject: '', share: 1, stale: false, columns: [], rows: [], notes: [] },
};
const at = { line: 3, character: 10 };
const preview: PreviewAnswer = {
  kind: 'preview',
  version: 1,
  scene: { encoded: 'scene', json: '{}' },
  title: 'map rcb',
};

/** The view of a window and its page, and a server that writes down what it is asked. */
async function start(extension = extensionContext()) {
  const asked: unknown[] = [];
  const changed = new EventEmitter<TriedMappers>();
  const answers: {
    known: TriedMappers | null;
    preview: PreviewAnswer;
    edits: ChangeEditsAnswer;
    csv: TriedMappersCsvAnswer;
  } = {
    known: null,
    csv: { ok: true, text: 'mapper,hopBytes\r\n', suggestedName: 'a.csv' },
    preview,
    edits: {
      ...{ ok: true, uri: plain.uri, title: 'map rcb' },
      edits: [{ range: { start: at, end: at }, before: 'random', text: 'rcb' }],
    },
  };
  const server = fakeServer({
    news: { triedMappersChanged: changed.event },
    answers: {
      placements: () => Promise.resolve([]),
      scene: () => Promise.resolve({ kind: 'nothing', reason: 'It is new.', status: { kind: 'idle' } }),
      tryMappers: (parameters: unknown) => asked.push(['try', parameters]),
      stopMappers: (parameters: unknown) => asked.push(['stop', parameters]),
      triedMappers: () => Promise.resolve(answers.known),
      triedMappersCsv: () => Promise.resolve(answers.csv),
      preview: () => Promise.resolve(answers.preview),
      changeEdits: () => Promise.resolve(answers.edits),
    },
  });
  const panels = new PlacementPanels(extension, server);
  const view = new MapperView(extension, server, panels);
  const page = new FakeWebviewPanel('');
  editor.resolveView(page);
  await page.receive({ kind: 'ready' });
  return { asked, answers, changed, panels, view, page };
}

let opened: Awaited<ReturnType<typeof start>>;
beforeEach(async () => {
  reset();
  opened = await start();
});

afterEach(() => {
  opened.view.dispose();
  opened.panels.dispose();
  expect(editor.panels).toEqual([]);
});

const last = (): unknown => opened.page.said.at(-1);
const settled = (): Promise<void> => new Promise((done) => setTimeout(done));

describe('the view of mappers', () => {
  it('is empty until a placement is chosen, then has its mappers tried; what is known is shown', async () => {
    const { asked, answers, page, view } = opened;
    expect(last()).toEqual({ kind: 'table' });
    await page.receive({ kind: 'preview', mapper: 'rcb' });
    expect(editor.panels).toEqual([]);
    await view.show(plain);
    expect(asked).toEqual([['try', { ...plain, ...options }]]);
    expect(user.commands).toContainEqual(['placewright.mappers.focus']);
    answers.known = table;
    await view.show(plain);
    expect(asked).toHaveLength(1);
    expect(last()).toEqual({ kind: 'table', table });
  });

  it('follows its placement alone, and tries again or stops as its page says', async () => {
    const { asked, changed, page, view } = opened;
    await view.show(plain);
    changed.fire({ ...table, placement: 'other' });
    expect(last()).toEqual({ kind: 'table' });
    changed.fire(table);
    expect(last()).toEqual({ kind: 'table', table });
    await page.receive({ kind: 'try', budget: 'thorough', seeds: 3 });
    await page.receive({ kind: 'stop' });
    await page.receive({ kind: 'try', budget: 'thorough', seeds: 1e9 });
    expect(asked.slice(1)).toEqual([
      ['try', { ...plain, budget: 'thorough', seeds: 3 }],
      ['stop', plain],
    ]);
  });

  it('shows a row in the picture, which is closed again where it was not open', async () => {
    const { page, panels, view } = opened;
    await view.show(plain);
    await page.receive({ kind: 'preview', mapper: 'rcb' });
    const [picture] = editor.panels;
    expect([picture?.title, last()]).toEqual(['Placement plain', { kind: 'previewed', mapper: 'rcb' }]);
    await page.receive({ kind: 'leave' });
    expect([editor.panels, last()]).toEqual([[], { kind: 'previewed' }]);
    panels.show(plain);
    await page.receive({ kind: 'preview', mapper: 'rcb' });
    await page.receive({ kind: 'leave' });
    expect(editor.panels).toHaveLength(1);
    await page.receive({ kind: 'leave' });
    expect(user.commands.at(-1)).toEqual(['workbench.action.focusActiveEditorGroup']);
  });

  it('writes a row into the text, and says so; where another text stands there, nothing', async () => {
    const { answers, page, view } = opened;
    await view.show(plain);
    await page.receive({ kind: 'write', mapper: 'rcb' });
    expect(last()).toMatchObject({
      kind: 'said',
      isFault: true,
      text: expect.stringContaining('Nothing was written') as string,
    });
    expect(user.written).toEqual([]);
    user.textOfRanges = 'random';
    await page.receive({ kind: 'write', mapper: 'rcb' });
    expect(user.written).toEqual(['3:10-3:10 rcb']);
    expect(last()).toMatchObject({
      kind: 'said',
      isFault: false,
      text: expect.stringContaining('Written: map rcb.') as string,
    });
    answers.edits = { ok: false, message: 'A comment stands there.' };
    await page.receive({ kind: 'write', mapper: 'rcb' });
    expect(last()).toEqual({ kind: 'said', isFault: true, text: 'A comment stands there.' });
  });

  it('says why a row cannot be shown, and copies the table', async () => {
    const { answers, page, view } = opened;
    await view.show(plain);
    answers.preview = { kind: 'nothing', reason: 'The text has changed.' };
    await page.receive({ kind: 'preview', mapper: 'rcb' });
    expect(last()).toEqual({ kind: 'said', isFault: true, text: 'The text has changed.' });
    await page.receive({ kind: 'copy' });
    expect(user.copied).toEqual(['mapper,hopBytes\r\n']);
  });
});

describe('the view of mappers of a window that was loaded anew', () => {
  it('has its table and the file of it, said to be old, and tries again as before', async () => {
    const extension = extensionContext();
    const before = await start(extension);
    await before.view.show(plain);
    await before.page.receive({ kind: 'try', budget: 'thorough', seeds: 3 });
    const found = { ...table, budget: 'thorough', seeds: 3 } as const;
    before.changed.fire(found);
    await settled();
    before.view.dispose();
    before.panels.dispose();
    user.commands.length = 0;
    opened = await start(extension);
    const { page, asked, answers } = opened;
    expect(user.commands).toEqual([['setContext', 'placewright.triesMappers', true]]);
    expect(last()).toEqual({ kind: 'table', table: { ...found, stale: true, restored: true } });
    answers.csv = { ok: false, message: 'Nothing was tried.' };
    await page.receive({ kind: 'copy' });
    expect(user.copied).toEqual(['mapper,hopBytes\r\n']);
    await page.receive({ kind: 'preview', mapper: 'rcb' });
    expect(last()).toMatchObject({ kind: 'said', text: expect.stringMatching(/Try again first/) as string });
    await page.receive({ kind: 'try', budget: 'thorough', seeds: 3 });
    expect(asked).toEqual([['try', { ...plain, budget: 'thorough', seeds: 3 }]]);
    await page.receive({ kind: 'copy' });
    expect(last()).toEqual({ kind: 'said', text: 'Nothing was tried.', isFault: true });
  });

  it('says of a table that was not finished that it was stopped, and of another placement nothing', async () => {
    const extension = extensionContext();
    const before = await start(extension);
    await before.view.show(plain);
    before.changed.fire({ ...table, state: 'running' });
    before.view.dispose();
    before.panels.dispose();
    opened = await start(extension);
    expect(last()).toMatchObject({ table: { ...plain, state: 'stopped', rows: [], restored: true } });
    await opened.view.show({ ...plain, placement: 'other' });
    await opened.page.receive({ kind: 'ready' });
    expect(last()).toEqual({ kind: 'table' });
  });
});

describe('the picture that shows a change', () => {
  it('writes it, or leaves it, by its own buttons; the view is told', async () => {
    const { page, view } = opened;
    await view.show(plain);
    await page.receive({ kind: 'preview', mapper: 'rcb' });
    const picture = editor.panels[0]!;
    await picture.receive({ kind: 'ready' });
    expect(picture.said.map((message) => (message as { kind: string }).kind)).toContain('nothing');
    user.textOfRanges = 'random';
    await picture.receive({ kind: 'write-preview' });
    expect(user.written).toEqual(['3:10-3:10 rcb']);
    expect(picture.said.at(-1)).toMatchObject({ kind: 'said' });
    expect(last()).toEqual({ kind: 'previewed' });
    await picture.receive({ kind: 'preview-improvement', link: 3, index: 0 });
    expect(picture.said.at(-1)).toEqual(preview);
  });
});
