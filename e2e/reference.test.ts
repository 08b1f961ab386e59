/** The reference in the editor: from the code of a diagnostic, and from the word under the cursor. */
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
  { fill: (folder) => writeFile(join(folder, 'mine.place'), 'machine small { topology torus 4 x 4 colour 3 }\n') },
);

it('opens the entry of the word under the cursor', async () => {
  await workbench.word('torus').click();
  await workbench.command('Placewright: Open Reference');
  await workbench.page.getByRole('tab', { name: /topologies\.md/ }).waitFor();
  await workbench.screenshot('reference');
});

it('opens the entry of a code', async () => {
  await workbench.openFile('mine.place');
  await workbench.page.keyboard.press('F8');
  const link = workbench.page.locator('a.code-link', { hasText: 'unknown-property' }).first();
  await link.waitFor();
  expect(await link.getAttribute('href')).toContain('placewright.openReference');
  await link.click();
  await workbench.page.getByRole('tab', { name: /diagnostics\.md/ }).waitFor();
  await workbench.screenshot('reference-code');
});
