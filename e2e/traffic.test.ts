import axe from 'axe-core';
import type { FrameLocator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openWorkbench, type Workbench } from './workbench.ts';

let workbench: Workbench;
openWorkbench('traffic', 'cg/nas-cg.place', (opened) => {
  workbench = opened;
});

/** The pages of our panels that are in sight, in the order in which they came. */
const frame = (index: number): FrameLocator =>
  workbench.page
    .locator('iframe.webview.ready[src*="extensionId=placewright.placewright"]')
    .nth(index)
    .contentFrame()
    .frameLocator('iframe#active-frame');

/** The map and the picture stand in either of them. */
async function frameWith(selector: string): Promise<FrameLocator> {
  let found = frame(0);
  await expect
    .poll(async () => {
      for (const index of [0, 1]) {
        found = frame(index);
        if ((await found.locator(selector).count()) > 0) return true;
      }
      return false;
    })
    .toBe(true);
  return found;
}

describe('in the real workbench, a user', () => {
  it('shows the traffic of a placement by its lens, and goes about in it with keys alone', async () => {
    await workbench
      .lens(/^Show traffic$/)
      .first()
      .click();
    const map = await frameWith('canvas.figure.grid');
    await map.locator('canvas.figure.grid').focus();
    for (const key of ['ArrowRight', 'ArrowRight']) await workbench.page.keyboard.press(key);
    await expect.poll(() => map.locator('.figure-tip').innerText()).toMatch(/from\s+0\s+to\s+1/);
    await map.getByRole('combobox', { name: 'Scale' }).selectOption('logarithmic');
    await workbench.screenshot('traffic-1-map');
    const title = await workbench.page.locator('.tab.active .label-name, .tab .label-name').allInnerTexts();
    expect(title.join(' ')).toMatch(/Traffic \S+ \(nas-cg\.place\)/);
    expect(await workbench.findings(axe.source)).toEqual([]);
  });

  it('has the picture keep the flows of a rectangle, and takes that back there', async () => {
    const map = await frameWith('canvas.figure.grid');
    await map.locator('canvas.figure.grid').focus();
    for (const key of [
      'Control+Home',
      'Shift+ArrowDown',
      'Shift+ArrowDown',
      'Shift+ArrowRight',
      'Shift+ArrowRight',
      'Shift+ArrowRight',
    ])
      await workbench.page.keyboard.press(key);
    await expect
      .poll(() => map.locator('.where').innerText())
      .toContain('Flows in the diagram, from tasks 0 to 2 to tasks 0 to 3');
    // It has been opened in the place of the map, or beside it.
    const picture = await frameWith('canvas.scene');
    const strip = picture.getByRole('group', { name: 'Selected flows' });
    await expect.poll(() => strip.innerText()).toMatch(/Only flows from tasks 0 to 2 to tasks 0 to 3: \d+ pairs?,/);
    await workbench.screenshot('traffic-2-kept');
    await picture.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(() => strip.isVisible()).toBe(false);
  });

  it('shows the traffic of a job by task where no placement is', async () => {
    await workbench.command('View: Close All Editors');
    await workbench.openFile('quickstart.place');
    // The palette offers what fits the editor that has the focus, and the command takes the job that the cursor stands in.
    await workbench.page.locator('.monaco-editor .view-line', { hasText: 'job' }).first().click();
    await workbench.command('Placewright: Show Traffic');
    const map = await frameWith('canvas.figure.grid');
    await expect.poll(() => map.getByRole('heading', { level: 1 }).innerText()).toContain('Traffic');
    await workbench.screenshot('traffic-3-job');
    await map.getByRole('heading', { level: 1 }).click();
    await workbench.command('Placewright: Save Image…');
    await map.getByRole('dialog', { name: 'Save image' }).waitFor();
    await map.getByRole('button', { name: 'Cancel' }).click();
  });
});
