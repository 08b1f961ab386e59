import { describe, expect, it } from 'vitest';
import { openWorkbench, type Workbench } from './workbench.ts';

let workbench: Workbench;
openWorkbench('follow', 'cg/nas-cg.place', (opened) => {
  workbench = opened;
});

/** The cursor goes to a word, by the search of the editor. */
async function goTo(word: string): Promise<void> {
  const { page } = workbench;
  await page.locator('.monaco-editor .view-lines').first().click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Control+f');
  await page.keyboard.insertText(word);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
}

describe('in the real workbench, a picture', () => {
  it('follows the cursor: what it stands on is lit, and it goes along to another placement', async () => {
    await workbench.page.locator('.codelens-decoration a', { hasText: 'on average' }).first().click();
    await workbench.canvas.waitFor();
    const heading = workbench.panel.getByRole('heading', { level: 1 });
    await heading.waitFor();
    const first = await heading.innerText();
    await goTo('job cg {');
    await expect.poll(() => workbench.panel.locator('.lit').innerText()).toMatch(/^In the text: job /);
    await workbench.screenshot('follow-1-job');
    await goTo('placement by-chance');
    await expect.poll(() => heading.innerText()).not.toBe(first);
    await workbench.panel.getByText(`Change from ${first}`).waitFor();
    await workbench.screenshot('follow-2-placement');
  });

  it('has its buttons in the title, and a menu of its own', async () => {
    const { page } = workbench;
    await workbench.canvas.click({ button: 'right', position: { x: 5, y: 5 } });
    const menu = page.locator('.context-view .monaco-menu, .shadow-root-host').first();
    await menu.waitFor();
    await workbench.screenshot('follow-3-menu');
    await page.keyboard.press('Escape');
    await page.locator('.editor-actions a[aria-label^="Toggle Diagram and Table"]').first().click();
    await workbench.panel.getByRole('table').first().waitFor();
    await page.locator('.editor-actions a[aria-label^="Toggle Diagram and Table"]').first().click();
    await workbench.canvas.waitFor();
    await page.locator('.editor-actions a[aria-label^="Lock or Unlock"]').first().click();
    await workbench.panel.getByText('locked', { exact: true }).waitFor();
    await workbench.screenshot('follow-4-locked');
  });
});
