/**
 * What is open when the page is loaded anew is back as it was left a moment before: cameras, modes, scales, tables. The editor's own
 * state is held back as it was before anything was changed, as if the page went in the seconds before the editor writes it.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openWorkbench, type Workbench } from './workbench.ts';

/** Short enough for every line and lens to be in sight. */
const program = `machine torus { topology torus 8 x 8 bandwidth 1 GB/s }
job heat { grid 8 x 8 stencil five-point bytes 64 KiB }
placement in-order { job heat machine torus map row-major }
placement by-chance { job heat machine torus map random }
`;

let workbench: Workbench;
openWorkbench(
  'restore',
  'main.place',
  (opened) => {
    workbench = opened;
  },
  { fill: (folder) => writeFile(join(folder, 'main.place'), program), newPage: true },
);

const picture = (): FrameLocator => workbench.panel;

/** The panel of this title is in front, and shows what it shows. */
async function goTo(title: string): Promise<void> {
  await workbench.page.locator('.tab', { hasText: title }).first().click();
  await workbench.page.locator('.tab.active', { hasText: title }).waitFor();
  await picture().locator('canvas:visible').first().waitFor();
}

const pixels = (): Promise<string> =>
  picture()
    .locator('canvas:visible')
    .first()
    .evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());

/** Waits until the picture stays as it is. */
async function steadyPixels(): Promise<string> {
  let before = await pixels();
  for (let same = 0; same < 3;) {
    await workbench.page.waitForTimeout(150);
    const now = await pixels();
    same = now === before ? same + 1 : 0;
    before = now;
  }
  return before;
}

async function zoomIn(): Promise<string> {
  const before = await steadyPixels();
  for (let times = 0; times < 3; times++) await picture().getByRole('button', { name: 'Zoom in (+)' }).click();
  await expect.poll(pixels).not.toBe(before);
  return steadyPixels();
}

/** How our own memory of one page begins; the editor's has this JSON within JSON. */
const kept = (rest: string): string => String.raw`"page \w+":\{[^{]*[^]*?${rest}`;

describe('after a reload', () => {
  const seen: Record<string, string> = {};

  it('(what is open and changed before it)', async () => {
    const { page } = workbench;
    await workbench.lens(/^Try mappers$/).click();
    await expect.poll(() => workbench.view.locator('progress').isHidden()).toBe(true);
    await workbench.view.locator('tbody tr').first().waitFor();
    await workbench.lens(/^Compare$/).click();
    await goTo('Compare ');
    for (const [line, command, title] of [
      ['placement in-order', 'Show Placement', 'Placement in-order'],
      ['placement in-order', 'Show Traffic', 'Traffic in-order'],
      ['machine torus', 'Show Machine', 'Machine '],
    ] as const) {
      await workbench.commandAt(line, `Placewright: ${command}`);
      await goTo(title);
    }
    await workbench.holdEditorState('placewright\\.machine');
    seen['Machine '] = await zoomIn();
    await goTo('Placement in-order');
    seen['Placement in-order'] = await zoomIn();
    await goTo('Compare ');
    await picture().getByRole('button', { name: 'Difference: changes' }).click();
    seen['Compare '] = await zoomIn();
    await goTo('Traffic in-order');
    await picture().getByRole('combobox', { name: 'Scale' }).selectOption('logarithmic');
    seen['Traffic in-order'] = await steadyPixels();
    for (const state of [
      String.raw`"machine":"[^}]*"transform"`,
      String.raw`"placement":"in-order"[^}]*"transform"`,
      String.raw`"mode":"difference"[^]*"transform"`,
      '"logarithmic"',
    ])
      await workbench.savedState(kept(state));
    await workbench.screenshot('restore-1-before');
    await workbench.reopen();
    await page.locator('.tab', { hasText: 'Traffic in-order' }).waitFor();
  });

  it.each(['Machine ', 'Placement in-order', 'Compare ', 'Traffic in-order'])('%s is seen as it was', async (title) => {
    await goTo(title);
    await expect.poll(pixels).toBe(seen[title]);
    await workbench.screenshot(`restore-2-${title.trim().toLowerCase().replace(' ', '-')}`);
  });

  it('modes and scales are those that were chosen', async () => {
    await goTo('Compare ');
    const difference = picture().getByRole('button', { name: 'Difference: changes' });
    await expect.poll(() => difference.getAttribute('aria-pressed')).toBe('true');
    await goTo('Traffic in-order');
    await expect.poll(() => picture().getByRole('combobox', { name: 'Scale' }).inputValue()).toBe('logarithmic');
  });

  it('mappers that were tried are there with their figures, said to be old, and can be tried again', async () => {
    const table = workbench.view;
    // The editor chooses another view while it does not know yet that there is something in this one.
    await workbench.page.locator('.part.panel .action-item', { hasText: 'Try Mappers' }).click();
    await table.getByText('Results from before the window reload.').waitFor();
    await table.locator('tr', { hasText: 'row-major' }).first().waitFor();
    await workbench.screenshot('restore-3-mappers');
    await table.getByRole('button', { name: 'row-major', exact: true }).focus();
    await workbench.page.keyboard.press('Enter');
    await table.getByText('Try again first').waitFor();
    await table.getByRole('button', { name: 'Try again: run all mappers' }).click();
    await expect.poll(() => table.locator('progress').isHidden()).toBe(true);
    await table.locator('.status[data-status="fresh"]').waitFor({ state: 'attached' });
  });
});
