import { describe, expect, it } from 'vitest';
import { openWorkbench, type Workbench } from './workbench.ts';

let workbench: Workbench;
openWorkbench('machine', 'machines/prism.place', (opened) => {
  workbench = opened;
});

describe('in the real workbench, a user', () => {
  it('shows a machine of a file without placements by its lens, with its figures', async () => {
    await workbench
      .lens(/^Show machine$/)
      .first()
      .click();
    await workbench.canvas.waitFor();
    await workbench.panel.getByRole('heading', { name: 'Metrics' }).waitFor();
    await workbench.panel.getByText('Bisection', { exact: true }).waitFor();
    await workbench.panel.getByText('1, connected').waitFor();
    await expect.poll(async () => (await workbench.colors()).length).toBeGreaterThan(3);
    await workbench.screenshot('machine-1');
  });

  it('asks by the palette what is to be saved of it', async () => {
    const { panel } = workbench;
    await panel.getByRole('heading', { level: 1 }).click();
    await workbench.command('Placewright: Save Image…');
    await panel.getByRole('dialog', { name: 'Save image' }).waitFor();
    await workbench.screenshot('machine-save');
    await panel.getByRole('button', { name: 'Cancel' }).click();
  });

  it('keeps the heavy links of a picture by its histogram, with keys alone, and brings out the flows of many hops', async () => {
    await workbench.command('View: Close All Editors');
    await workbench.openFile('nas-cg.place');
    await workbench.page.locator('.codelens-decoration a', { hasText: 'on average' }).first().click();
    await workbench.canvas.waitFor();
    const from = workbench.panel.getByRole('slider', { name: 'Links by load, from' });
    await from.waitFor();
    const before = await workbench.pixels();
    await from.focus();
    for (let step = 0; step < 6; step++) await workbench.page.keyboard.press('ArrowRight');
    await expect.poll(() => workbench.pixels()).not.toBe(before);
    await workbench.screenshot('machine-2-loads');
    await workbench.page.keyboard.press('Escape');
    await expect.poll(() => workbench.pixels()).toBe(before);
    await workbench.panel.getByRole('slider', { name: 'Bytes by hops, from' }).focus();
    await workbench.page.keyboard.press('End');
    await expect.poll(() => workbench.pixels()).not.toBe(before);
    await workbench.screenshot('machine-3-hops');
  });
});
