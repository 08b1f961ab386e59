import { describe, expect, it } from 'vitest';
import { drawScene } from '../../server/drawing/drawScene.ts';
import { torusReport } from '../../server/drawing/testing/fixtures.ts';
import { panelForTests } from './testing/panelForTests.ts';
import type { PanelPage } from './testing/panelPage.ts';

/** The tables beside the picture: sorted, filtered, saved, and seen whole in a narrow panel. */

const loads = [
  [0, 1, 9000],
  [5, 6, 800],
  [9, 10, 70_000],
] as const;
const scene = drawScene(torusReport([8, 8], { jobs: [24, 30], loads }));
const host = panelForTests();

async function openTables(width = 900): Promise<PanelPage> {
  const panel = await host.open({ scene, width });
  await panel.pressTitle('toggle-table');
  return panel;
}

const links = ({ page }: PanelPage) => page.getByRole('table', { name: 'Links' });
const firstCells = async (panel: PanelPage, column: number): Promise<readonly string[]> => {
  const rows = await links(panel).locator('tbody tr').all();
  return Promise.all(rows.slice(0, 3).map((row) => row.locator('th, td').nth(column).innerText()));
};

describe('the table of links', () => {
  it('is sorted by the column that is clicked, by what stands behind the words', async () => {
    const panel = await openTables();
    await links(panel).getByRole('button', { name: 'Load →' }).click();
    expect(await firstCells(panel, 2)).toEqual(['68.36 KiB', '8.789 KiB', '800 B']);
    await links(panel).getByRole('button', { name: 'Load →' }).click();
    expect((await firstCells(panel, 2))[0]).toBe('0 B');
    expect(await links(panel).locator('th[aria-sort]').getAttribute('aria-sort')).toBe('ascending');
    await links(panel).getByRole('button', { name: 'From' }).click();
    expect((await firstCells(panel, 0))[0]).toBe('62');
  });

  it('keeps the rows that have the words, and is saved so', async () => {
    const panel = await openTables();
    const { page } = panel;
    await page.getByRole('searchbox', { name: 'Filter rows' }).first().fill('hot');
    const rows = await links(panel).locator('tbody tr').count();
    expect(rows).toBeGreaterThan(0);
    expect(rows).toBeLessThan(128);
    await page.getByRole('button', { name: 'CSV' }).first().click();
    const saved = (await panel.sent()).at(-1);
    if (saved?.kind !== 'save') throw new Error('nothing was saved');
    const lines = saved.data.trimEnd().split('\n');
    expect(saved.name).toBe('links');
    expect(lines[0]).toBe('From,To,Load there,Load back,Share of maximum,Hot');
    expect(lines).toHaveLength(rows + 1);
    expect(lines[1]).toBe('9,10,70000,0,70000,hot');
  });

  it('stays sorted and filtered when a new picture comes', async () => {
    const panel = await openTables();
    await panel.page.getByRole('searchbox', { name: 'Filter rows' }).first().fill('hot');
    const before = await links(panel).innerText();
    await panel.show(scene);
    expect(await links(panel).innerText()).toBe(before);
  });

  it('has all its columns in sight in a narrow panel', async () => {
    const panel = await openTables(400);
    const width = await links(panel).evaluate((table) => table.getBoundingClientRect().right);
    expect(width).toBeLessThanOrEqual(400);
  });
});
