import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openWorkbench, type Workbench } from './workbench.ts';

let folder: string;
let workbench: Workbench;
openWorkbench('compare', 'cg/nas-cg.place', (opened, at) => {
  [workbench, folder] = [opened, at];
});

describe('in the real workbench, a user', () => {
  it('has the placements of a job side by side by the lens above one of them', async () => {
    await workbench
      .lens(/^Compare$/)
      .first()
      .click();
    await expect.poll(() => workbench.panel.locator('.cell').count()).toBe(3);
    await workbench.panel.locator('.cell', { hasText: 'tuned' }).getByText(/−48 %/).waitFor();
    await workbench.screenshot('compare-1-side-by-side');
  });

  it('sees the difference of two of them, and the same as a table', async () => {
    const { panel } = workbench;
    await panel.getByRole('button', { name: 'Difference: changes' }).click();
    await panel.getByLabel('After', { exact: true }).selectOption('tuned');
    await panel.getByText('62 of 64 tasks run on another node.').waitFor();
    await workbench.screenshot('compare-2-difference');
    await panel.getByRole('button', { name: 'Table of changes' }).click();
    await panel.getByRole('columnheader', { name: 'In per cent' }).waitFor();
    await workbench.screenshot('compare-3-table');
  });

  it('saves all pictures on one page of a PDF by the palette, while the panel has the focus', async () => {
    const { panel } = workbench;
    await panel.getByRole('button', { name: 'Side by side' }).click();
    await panel.getByRole('heading', { level: 1 }).click();
    await workbench.command('Placewright: Save Image…');
    await panel.getByRole('dialog', { name: 'Save image' }).waitFor();
    await panel.getByRole('combobox', { name: 'Page' }).selectOption('a4-landscape');
    await workbench.screenshot('compare-4-save');
    await workbench.saveShown('pdf', 'nas-cg.compared.', { isOpen: true });
    const saved = async (): Promise<string> => {
      const [name] = (await readdir(join(folder, 'cg'))).filter((each) => each.endsWith('.pdf'));
      return name === undefined ? '' : (await readFile(join(folder, 'cg', name))).subarray(0, 5).toString('latin1');
    };
    await expect.poll(saved).toBe('%PDF-');
  });

  it('has them again by the palette, with the cursor in their job', async () => {
    const { panel } = workbench;
    await panel.getByRole('heading', { level: 1 }).click();
    await workbench.command('View: Close Editor');
    await expect.poll(() => panel.locator('.cell').count()).toBe(0);
    await workbench.commandAt(/^job\s/, 'Placewright: Compare');
    await expect.poll(() => panel.locator('.cell').count()).toBe(3);
    await workbench.screenshot('compare-5-by-palette');
  });
});
