import { describe, expect, it } from 'vitest';
import { drawScene } from '../../server/drawing/drawScene.ts';
import { torusReport } from '../../server/drawing/testing/fixtures.ts';
import { encodeScene } from '../../server/protocol/encoding.ts';
import type { ComparisonRow, TriedMappers } from '../../server/protocol/mapperComparison.ts';
import { protocolVersion } from '../../server/protocol/messages.ts';
import { panelForTests } from './testing/panelForTests.ts';
import { type OpenOptions, type PanelPage } from './testing/panelPage.ts';

/** The page of mappers that are tried, in a real browser, against a fake editor: what a user sees and what the host is asked. */

const host = panelForTests();

const row = (mapper: string, bytes: number, time: number, more: Partial<ComparisonRow> = {}): ComparisonRow => ({
  ...{ mapper, isWritten: false, state: 'placed', words: '' },
  cells: [
    { value: bytes, text: `${bytes} MiB`, change: '−10 %', isBetter: true },
    null,
    { value: 100 - bytes, text: `${100 - bytes} KiB`, detail: '0 → 1' },
    { value: time, text: `${time} ms` },
  ],
  ...more,
});
const table: TriedMappers = {
  ...{
    uri: 'file:///a.place',
    placement: 'plain',
    budget: 'quick',
    seeds: 1,
    state: 'complete',
    share: 1,
    stale: false,
  },
  subject: 'heat (64 tasks) on grid, seed 1',
  columns: [
    { key: 'hopBytes', title: 'Hop-bytes', hint: 'Bytes times hops.' },
    { key: 'gap', title: 'Gap', hint: 'Above the bound.' },
    { key: 'maximumLinkLoad', title: 'Maximum link load', hint: 'The maximum link load.' },
    { key: 'milliseconds', title: 'Time', hint: 'What it took.' },
  ],
  rows: [
    row('as written (random)', 60, 3, { isWritten: true }),
    row('rcb', 14, 9),
    row('grasp', 20, 1),
    { mapper: 'overlay', isWritten: false, state: 'refused', words: '`overlay` needs a grid.', cells: [] },
  ],
  notes: ['Lower bound: 12 MiB (edge).'],
};

async function open(shown: TriedMappers = table, options: OpenOptions = {}): Promise<PanelPage> {
  const panel = await host.open({ ...options, script: 'tryMappers.js' });
  await panel.send({ kind: 'table', table: shown });
  await panel.settle();
  return panel;
}

const mappersIn = ({ page }: PanelPage): Promise<string[]> => page.locator('tbody th').allInnerTexts();
const mapper = ({ page }: PanelPage, name: string) => page.getByRole('button', { name, exact: true });
const last = async (panel: PanelPage): Promise<unknown> => (await panel.sentOfMappers()).at(-1);

describe('the table of mappers', () => {
  it('is sorted by hop-bytes at first, and by any column with mouse and keyboard', async () => {
    const panel = await open();
    expect(await mappersIn(panel)).toEqual(['rcb', 'grasp', 'as written (random)', 'overlay']);
    await panel.page.getByRole('button', { name: 'Time: sort' }).click();
    expect(await mappersIn(panel)).toEqual(['grasp', 'as written (random)', 'rcb', 'overlay']);
    await panel.page.getByRole('button', { name: 'Time: sort' }).press('Enter');
    expect(await mappersIn(panel)).toEqual(['rcb', 'as written (random)', 'grasp', 'overlay']);
    expect(await panel.page.locator('th[aria-sort]').allInnerTexts()).toEqual(['Time ▾']);
    await panel.page.getByRole('button', { name: 'Mapper: sort' }).press('Space');
    expect(await mappersIn(panel)).toEqual(['as written (random)', 'grasp', 'overlay', 'rcb']);
  });

  it('says what does not apply, and why; what is best; and what no mapping can beat', async () => {
    const { page } = await open();
    expect(await page.locator('tr', { hasText: 'overlay' }).innerText()).toContain(
      'does not apply: `overlay` needs a grid.',
    );
    expect(await page.locator('tbody strong').allInnerTexts()).toEqual(['14 MiB', '1 ms', '40 KiB']);
    expect(await page.getByText('12 MiB (edge)').isVisible()).toBe(true);
  });

  it('fills while mappers run, and keeps the keyboard on the row that has it', async () => {
    const waiting = { isWritten: false, state: 'waiting', words: '', cells: [] } as const;
    const running: TriedMappers = {
      ...table,
      state: 'running',
      share: 0.4,
      rows: [
        table.rows[0]!,
        table.rows[2]!,
        { ...waiting, mapper: 'rcb' },
        { ...waiting, mapper: 'auto', state: 'running', words: '14 MiB hop-bytes' },
      ],
    };
    const panel = await open(running);
    expect(await mappersIn(panel)).toEqual(['grasp', 'as written (random)', 'auto', 'rcb']);
    expect(await panel.page.locator('tr', { hasText: 'auto' }).innerText()).toContain('running: 14 MiB hop-bytes');
    expect(await panel.page.getByRole('progressbar').getAttribute('value')).toBe('0.4');
    await mapper(panel, 'grasp').focus();
    await panel.send({ kind: 'table', table });
    expect(await mappersIn(panel)).toEqual(['rcb', 'grasp', 'as written (random)', 'overlay']);
    expect(await panel.page.evaluate(() => document.activeElement?.textContent)).toBe('grasp');
  });

  it('is stopped, tried again with another budget or more seeds, copied and saved', async () => {
    const panel = await open({ ...table, state: 'running' });
    await panel.page.getByRole('button', { name: 'Stop' }).click();
    expect(await last(panel)).toEqual({ kind: 'stop' });
    await panel.page.getByLabel('Budget').selectOption('thorough');
    expect(await last(panel)).toEqual({ kind: 'try', budget: 'thorough', seeds: 1 });
    await panel.page.getByLabel('Seeds').fill('5');
    await panel.page.getByLabel('Seeds').press('Tab');
    expect(await last(panel)).toEqual({ kind: 'try', budget: 'thorough', seeds: 5 });
    await panel.page.getByRole('button', { name: 'Copy the table' }).click();
    await panel.page.getByRole('button', { name: 'Save the table' }).click();
    expect((await panel.sentOfMappers()).slice(-2)).toEqual([{ kind: 'copy' }, { kind: 'save' }]);
  });

  it('says that it is out of date, and that nothing could be tried', async () => {
    const panel = await open({ ...table, stale: true });
    expect(await panel.page.locator('.status').getAttribute('data-status')).toBe('stale');
    await panel.page.getByRole('group', { name: 'Notice' }).getByRole('button', { name: 'Try again' }).click();
    expect(await last(panel)).toEqual({ kind: 'try', budget: 'quick', seeds: 1 });
    await panel.send({
      kind: 'table',
      table: { ...table, state: 'failed', reason: 'No placement.', rows: [] },
    });
    expect(await panel.page.getByText('No placement.').isVisible()).toBe(true);
  });
});

describe('a row of the table', () => {
  it('is shown by Enter, written by a second one, left by Escape', async () => {
    const panel = await open();
    await mapper(panel, 'rcb').press('Enter');
    expect(await last(panel)).toEqual({ kind: 'preview', mapper: 'rcb' });
    await panel.send({ kind: 'previewed', mapper: 'rcb' });
    expect(await mapper(panel, 'rcb').getAttribute('aria-pressed')).toBe('true');
    expect(await panel.page.locator('.status').innerText()).toBe('Preview');
    await panel.page.keyboard.press('Enter');
    expect(await last(panel)).toEqual({ kind: 'write', mapper: 'rcb' });
    await panel.page.keyboard.press('Escape');
    expect(await last(panel)).toEqual({ kind: 'leave' });
    await panel.send({ kind: 'previewed' });
    await panel.send({ kind: 'said', text: 'Written: map rcb.', isFault: false });
    expect(await panel.page.getByText('Written: map rcb.').isVisible()).toBe(true);
  });

  it('is chosen by a click anywhere in it, and then has the keyboard; numbers stand below one another', async () => {
    // What stands in the text has no change against itself.
    const [written, ...others] = table.rows;
    const cells = [{ value: 60, text: '60 MiB' }, null, { value: 40, text: '40 KiB' }, { value: 3, text: '3 ms' }];
    const panel = await open({ ...table, rows: [{ ...written!, cells }, ...others] });
    const figures = (line: string) => panel.page.getByRole('row', { name: line }).locator('td').first();
    await figures('rcb').click();
    expect(await last(panel)).toEqual({ kind: 'preview', mapper: 'rcb' });
    await panel.settle();
    expect(await mapper(panel, 'rcb').evaluate((button) => button === document.activeElement)).toBe(true);
    const ends = await Promise.all(
      ['as written', 'rcb', 'grasp'].map((line) =>
        figures(line)
          .locator('.figure-line > :first-child')
          .evaluate((number) => Math.round(number.getBoundingClientRect().right)),
      ),
    );
    expect(new Set(ends).size).toBe(1);
    const count = (await panel.sentOfMappers()).length;
    await panel.page.getByText('`overlay` needs a grid.').click();
    expect(await panel.sentOfMappers()).toHaveLength(count);
  });

  it('is walked to by arrow keys, and never written by clicks on it', async () => {
    const panel = await open();
    await mapper(panel, 'rcb').focus();
    await panel.page.keyboard.press('ArrowDown');
    await panel.page.keyboard.press('Enter');
    expect(await last(panel)).toEqual({ kind: 'preview', mapper: 'grasp' });
    await panel.send({ kind: 'previewed', mapper: 'grasp' });
    await mapper(panel, 'grasp').dblclick();
    expect((await panel.sentOfMappers()).map(({ kind }) => kind)).not.toContain('write');
    await panel.page.getByRole('button', { name: 'Write the selected mapper into the text' }).click();
    expect(await last(panel)).toEqual({ kind: 'write', mapper: 'grasp' });
  });
});

describe('the picture of a placement', () => {
  const [before, after] = [drawScene(torusReport([4, 4])), drawScene(torusReport([4, 4], { jobs: [9] }))];

  it('shows a change that is not written, and is as it was before', async () => {
    const panel = await host.open({ scene: before });
    const described = (): Promise<string | null> => panel.page.getByRole('img').getAttribute('aria-label');
    const was = await described();
    await panel.send({ kind: 'preview', version: protocolVersion, scene: encodeScene(before), title: 'map rcb' });
    await panel.settle();
    const group = panel.page.getByRole('group', { name: 'Notice' });
    expect(await group.innerText()).toContain('map rcb: 0 tasks move. Nothing is written yet.');
    expect(await described()).not.toBe(was);
    await group.getByRole('button', { name: 'Write' }).click();
    await panel.page.getByRole('img').press('Escape');
    expect((await panel.sent()).slice(-2)).toEqual([{ kind: 'write-preview' }, { kind: 'preview-end' }]);
    await panel.send({ kind: 'preview-end' });
    expect(await described()).toBe(was);
    expect(await panel.page.locator('.status').innerText()).toBe('');
  });

  it('shows the change by itself where it is no difference to what was there', async () => {
    const panel = await host.open({ scene: before });
    await panel.send({ kind: 'preview', version: protocolVersion, scene: encodeScene(after), title: 'map rcb' });
    expect(await panel.page.getByRole('group', { name: 'Notice' }).innerText()).toContain(
      'map rcb: Nothing is written yet.',
    );
  });
});

describe('in every theme, axe-core finds nothing wrong with', () => {
  it.each([
    ['no placement', undefined, 900],
    ['a table', table, 900],
    ['a narrow table', table, 400],
    ['a wide table', table, 2000],
  ])('%s', async (_what, shown, width) => {
    const panel = await host.open({ width, script: 'tryMappers.js' });
    await panel.send({ kind: 'table', ...(shown && { table: shown }) });
    if (shown !== undefined) await panel.send({ kind: 'previewed', mapper: 'rcb' });
    expect(await panel.findings()).toEqual([]);
    // Nothing but the table itself is wider than the page.
    expect(await panel.page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });
});
