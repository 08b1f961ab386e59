import { describe, expect, it } from 'vitest';
import type { FromLossPage, ShownLosses } from '../../server/protocol/cableLosses.ts';
import { panelForTests } from './testing/panelForTests.ts';
import { type OpenOptions, type PanelPage } from './testing/panelPage.ts';

/** The page of cables that are lost, in a real browser, against a fake editor: what a user sees and what the host is asked. */

const host = panelForTests();

const empty: ShownLosses = {
  ...{ uri: 'file:///a.place', placement: 'plain', state: 'complete', share: 1, stale: false },
};
const shown: ShownLosses = {
  ...empty,
  table: {
    subject: 'on torus, minimal routing',
    columns: [
      { key: 'cost', title: 'Congestion time', hint: 'Time of the link that works longest.' },
      { key: 'addedHopBytes', title: 'Added hop-bytes', hint: 'What ways round the cable add.' },
    ],
    baselines: [
      { title: 'As placed, dimension-order routing', cells: [{ value: 2, text: '2 ms' }, null] },
      {
        title: 'No failure, minimal routing',
        cells: [{ value: 1, text: '1 ms', change: '−50 %', isBetter: true }, null],
      },
    ],
    rows: [
      {
        cable: '2 -- 3',
        link: 4,
        isBridge: true,
        cells: [{ value: Number.MAX_VALUE, text: 'disconnects tasks' }, null],
      },
      {
        cable: '10 -- 11',
        link: 20,
        isBridge: false,
        cells: [
          { value: 3, text: '3 ms', change: '+50 %', isBetter: false, detail: '1 → 2' },
          { value: 1024, text: '+1 KiB' },
        ],
      },
      {
        cable: '9 -- 10',
        link: 18,
        isBridge: false,
        cells: [
          { value: 2, text: '2 ms', change: '0 %', isBetter: false, detail: '1 → 2' },
          { value: 4096, text: '+4 KiB' },
        ],
      },
    ],
    notes: ['After a link failure packets use minimal routing.', '3 cables analysed.'],
    ...{ csv: '', suggestedName: 'a.csv', revision: 1 },
  },
};

async function open(of: ShownLosses = shown, options: OpenOptions = {}): Promise<PanelPage> {
  const panel = await host.open({ ...options, script: 'cableLosses.js' });
  await panel.send({ kind: 'table', shown: of });
  await panel.settle();
  return panel;
}

/** Above the cables, whatever these are sorted by. */
const baselines = ['As placed, dimension-order routing', 'No failure, minimal routing'];
const cablesIn = async ({ page }: PanelPage): Promise<string[]> => {
  const rows = await page.locator('tbody th').allInnerTexts();
  expect(rows.splice(0, baselines.length)).toEqual(baselines);
  return rows;
};
const cable = ({ page }: PanelPage, name: string) => page.getByRole('button', { name, exact: true });
const sent = async (panel: PanelPage): Promise<readonly FromLossPage[]> => panel.sentOfLosses();
const last = async (panel: PanelPage): Promise<unknown> => (await sent(panel)).at(-1);

describe('the table of cables', () => {
  it('has the worst first, one that parts nodes before all; and is sorted by number of the cable', async () => {
    const panel = await open();
    expect(await cablesIn(panel)).toEqual(['2 -- 3', '10 -- 11', '9 -- 10']);
    await panel.page.getByRole('button', { name: 'Added hop-bytes: sort' }).click();
    expect(await cablesIn(panel)).toEqual(['10 -- 11', '9 -- 10', '2 -- 3']);
    await panel.page.getByRole('button', { name: 'Without: sort' }).press('Enter');
    expect(await cablesIn(panel)).toEqual(['2 -- 3', '9 -- 10', '10 -- 11']);
    expect(await panel.page.getByText('After a link failure packets use minimal routing.').isVisible()).toBe(true);
  });

  it('says how far it is and is stopped; what failed is said, and tried again', async () => {
    const panel = await open({ ...empty, state: 'running', share: 0.25 });
    expect(await panel.page.getByRole('progressbar').getAttribute('value')).toBe('0.25');
    await panel.page.getByRole('button', { name: 'Stop' }).click();
    expect(await last(panel)).toEqual({ kind: 'stop' });
    await panel.send({ kind: 'table', shown: { ...empty, state: 'stopped' } });
    expect(await panel.page.getByText('Stopped.').isVisible()).toBe(true);
    await panel.send({ kind: 'table', shown: { ...empty, state: 'failed', reason: 'It has errors.' } });
    expect(await panel.page.getByText('It has errors.').isVisible()).toBe(true);
    await panel.page.getByRole('group', { name: 'Notice' }).getByRole('button', { name: 'Try again' }).click();
    expect(await last(panel)).toEqual({ kind: 'try' });
  });

  it('says that it is out of date, and writes nothing then', async () => {
    const panel = await open({ ...shown, stale: true });
    expect(await panel.page.locator('.status').getAttribute('data-status')).toBe('stale');
    await cable(panel, '2 -- 3').focus();
    expect(await panel.page.getByRole('button', { name: 'Write `without`' }).isDisabled()).toBe(true);
  });
});

describe('a cable of the table', () => {
  it('is shown by Enter, and written by a second one or by the button', async () => {
    const panel = await open();
    await cable(panel, '2 -- 3').press('ArrowDown');
    await panel.page.keyboard.press('Enter');
    expect(await last(panel)).toEqual({ kind: 'show', cable: '10 -- 11' });
    await panel.send({ kind: 'selected', cable: '10 -- 11' });
    expect(await cable(panel, '10 -- 11').getAttribute('aria-pressed')).toBe('true');
    expect(await panel.page.getByText('Press Enter to write `without 10 -- 11` into the machine.').isVisible()).toBe(
      true,
    );
    await panel.page.keyboard.press('Enter');
    expect(await last(panel)).toEqual({ kind: 'write', cable: '10 -- 11' });
    await cable(panel, '2 -- 3').focus();
    await panel.page.getByRole('button', { name: 'Write `without`' }).click();
    expect(await last(panel)).toEqual({ kind: 'write', cable: '2 -- 3' });
    await panel.page.keyboard.press('Escape');
    expect(await last(panel)).toEqual({ kind: 'leave' });
  });

  it.each([400, 2000])('has nothing that axe-core finds wrong in any theme, at %i pixels', async (width) => {
    const panel = await open(shown, { width });
    expect(await panel.findings()).toEqual([]);
  });
});
