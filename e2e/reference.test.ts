/** The reference in the editor: from a diagnostic, and from the word under the cursor. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openWorkbench, type Workbench } from './workbench.ts';

let workbench: Workbench;
openWorkbench(
  'reference',
  'mine.place',
  (opened) => {
    workbench = opened;
  },
  {
    fill: (folder) => writeFile(join(folder, 'mine.place'), 'machine small {\n  topology torus 4 x 4\n  colour 3\n}\n'),
  },
);

/** Waits until the page has this code in sight, and not only in its text. */
async function shown(code: string): Promise<void> {
  const preview = workbench.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  await expect
    .poll(() =>
      preview
        .locator('code', { hasText: code })
        .first()
        .evaluate(isInSight)
        .catch(() => false),
    )
    .toBe(true);
}

/** Runs in the page. */
function isInSight(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}

it('opens the entry of the word under the cursor', async () => {
  await workbench.word('torus').click();
  await workbench.command('Placewright: Open Reference');
  await workbench.page.getByRole('tab', { name: /topologies\.md/ }).waitFor();
  await shown('torus');
  await workbench.screenshot('reference');
});

it('opens the page of the diagnostic under the cursor', async () => {
  await workbench.openFile('mine.place');
  await workbench.word('colour').click();
  await workbench.command('Placewright: Open Reference');
  await workbench.page.getByRole('tab', { name: /diagnostics\.md/ }).waitFor();
  // A preview that showed another page stays at the top of the new one.
  await shown('[unknown-name]');
  await workbench.screenshot('reference-code');
});
